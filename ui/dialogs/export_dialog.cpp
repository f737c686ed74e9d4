#include "ui/dialogs/export_dialog.h"

#include "session/written_nodes.h"
#include "ui/dialogs/form.h"
#include "ui/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace fusescope {

namespace {

QString sourceOf(const AppState& state)
{
    return state.hasModel() ? QFile::decodeName(QByteArray::fromStdString(state.session()->path()))
                            : QString();
}

} // namespace

ExportDialog::ExportDialog(AppState& state, QWidget* parent)
    : QDialog(parent), m_state(state), m_path(new QLineEdit(this)),
      m_replace(new QCheckBox(tr("Replace the file that is there"), this)),
      m_pathNote(form::note({}, this, true)), m_upTo(new QComboBox(this)),
      m_form(new QComboBox(this)), m_formCount(form::note({}, this)),
      m_formNote(form::note({}, this, true)),
      m_external(new QComboBox(this)),
      m_verify(new QCheckBox(tr("Run both models on the same inputs and compare"), this))
{
    setWindowTitle(tr("Export Optimized Model"));
    setMinimumWidth(520);
    auto* browse = new QPushButton(tr("Browse…"), this);
    auto* where = new QWidget(this);
    auto* row = new QHBoxLayout(where);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_path, 1);
    row->addWidget(browse);
    where->setFocusProxy(m_path);

    m_upTo->addItem(tr("last step, %1").arg(state.stepCount()), -1);
    if (state.b() != state.stepCount())
        m_upTo->addItem(tr("step %1, shown").arg(state.b()), state.b());
    m_form->addItem(tr("Standard operators"), static_cast<int>(ExportForm::standard));
    m_form->addItem(tr("Local functions"), static_cast<int>(ExportForm::functions));
    m_form->addItem(tr("com.microsoft operators"), static_cast<int>(ExportForm::contrib));
    using External = ExportOptions::ExternalData;
    m_external->addItem(tr("Beside the model when it is over 2 GB"),
                        static_cast<int>(External::automatic));
    m_external->addItem(tr("Always beside the model"), static_cast<int>(External::always));
    m_external->addItem(tr("Always inside the model"), static_cast<int>(External::never));
    m_verify->setChecked(true);

    auto* fields = new QFormLayout;
    form::addRow(fields, tr("File"), where);
    m_path->setAccessibleName(tr("File"));
    fields->addRow(QString(), m_replace);
    fields->addRow(QString(), m_pathNote);
    form::addRow(fields, tr("Up to"), m_upTo);
    form::addRow(fields, tr("Fused nodes as"), m_form);
    fields->addRow(QString(), m_formCount);
    fields->addRow(QString(), m_formNote);
    form::addRow(fields, tr("Weights"), m_external);
    fields->addRow(QString(), m_verify);
    auto* buttons = form::buttons(this, tr("Export"));
    m_ok = buttons->button(QDialogButtonBox::Ok);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(fields);
    layout->addStretch(1);
    layout->addWidget(buttons);

    connect(browse, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(m_path, &QLineEdit::textChanged, this, &ExportDialog::refresh);
    connect(m_replace, &QCheckBox::toggled, this, &ExportDialog::refresh);
    connect(m_form, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(m_upTo, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
    connect(&state, &AppState::sessionChanged, this, &QDialog::reject);

    const QFileInfo source(sourceOf(state));
    m_path->setText(source.dir().filePath(source.completeBaseName() +
                                          QStringLiteral(".optimized.onnx")));
    refresh();
}

void ExportDialog::setPath(const QString& path)
{
    m_path->setText(path);
}

ExportOptions ExportDialog::options() const
{
    ExportOptions options;
    options.upTo = m_upTo->currentData().toInt();
    options.form = static_cast<ExportForm>(m_form->currentData().toInt());
    options.externalData =
        static_cast<ExportOptions::ExternalData>(m_external->currentData().toInt());
    options.overwrite = m_replace->isChecked();
    options.verify = m_verify->isChecked();
    options.inputs.seed = m_state.inputs().seed;
    options.rtol = m_state.rtol();
    options.atol = m_state.atol();
    return options;
}

void ExportDialog::browse()
{
    const QString chosen = QFileDialog::getSaveFileName(
        this, tr("Export Optimized Model"), m_path->text(), tr("ONNX models (*.onnx)"));
    if (chosen.isEmpty())
        return;
    m_path->setText(chosen);
    m_replace->setChecked(QFileInfo::exists(chosen)); // the file dialog has asked
}

void ExportDialog::refresh()
{
    const QFileInfo target(m_path->text());
    const QFileInfo source(sourceOf(m_state));
    const bool isSource = target.exists() && source.exists() &&
                          target.canonicalFilePath() == source.canonicalFilePath();
    const bool exists = target.exists();
    const bool noFolder = !m_path->text().isEmpty() && !target.dir().exists();
    QString note;
    if (isSource)
        note = tr("This is the source file; it is never written. Choose another name.");
    else if (noFolder)
        note = tr("The folder does not exist.");
    else if (exists && !m_replace->isChecked())
        note = tr("A file of this name is there already.");
    m_pathNote->setText(note);
    m_pathNote->setVisible(!note.isEmpty());
    m_replace->setVisible(exists && !isSource);
    m_formCount->hide();
    m_formNote->hide();
    switch (static_cast<ExportForm>(m_form->currentData().toInt())) {
    case ExportForm::standard: {
        const int chosen = m_upTo->currentData().toInt();
        const auto graph = m_state.graphAt(chosen < 0 ? m_state.stepCount() : chosen);
        const std::size_t written = writtenNodes(*graph);
        m_formCount->setText(tr("%1 nodes, %2 as standard operators")
                                 .arg(text::count(static_cast<qint64>(graph->nodeCount())),
                                      text::count(static_cast<qint64>(written))));
        m_formCount->setVisible(written != graph->nodeCount());
        break;
    }
    case ExportForm::functions:
        m_formNote->setText(tr("Only runtimes that know local functions (IR 8 and later) load it."));
        m_formNote->show();
        break;
    case ExportForm::contrib:
        m_formNote->setText(tr("Only ONNX Runtime loads com.microsoft operators."));
        m_formNote->show();
        break;
    }
    m_ok->setEnabled(m_state.hasModel() && !m_path->text().isEmpty() && note.isEmpty());
    m_ok->setToolTip(text::toolTip(note));
}

void ExportDialog::accept()
{
    if (!m_ok->isEnabled())
        return;
    m_state.exportModel(m_path->text(), options());
    QDialog::accept();
}

} // namespace fusescope
