#include "ui/dialogs/inputs_dialog.h"

#include "ui/dialogs/form.h"
#include "ui/dialogs/image_tensor.h"
#include "ui/panels/panel_parts.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QGroupBox>
#include <QImageReader>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <limits>

namespace fusescope {

namespace {

constexpr int mostInt = std::numeric_limits<int>::max();

// Numbers between blanks, commas or semicolons.
QList<double> numbersIn(const QString& words)
{
    QList<double> numbers;
    for (const QString& word : words.split(QRegularExpression(QStringLiteral("[\\s,;]+")),
                                           Qt::SkipEmptyParts)) {
        bool ok = false;
        const double number = word.toDouble(&ok);
        if (ok)
            numbers.push_back(number);
    }
    return numbers;
}

} // namespace

InputsDialog::InputsDialog(AppState& state, QWidget* parent)
    : QDialog(parent), m_state(state), m_tensors(state.inputs().tensors)
{
    setWindowTitle(tr("Inputs"));
    setMinimumWidth(560);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->addWidget(makeValues());
    if (QWidget* sizes = makeSizes())
        column->addWidget(sizes);
    column->addWidget(makeFiles());
    column->addWidget(makeImage());
    column->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(parts::scroll(content, this), 1);
    layout->addWidget(form::buttons(this, tr("Use These")));
    resize(600, 640);
    connect(&state, &AppState::sessionChanged, this, &QDialog::reject);
}

QWidget* InputsDialog::makeValues()
{
    const InputSpec& inputs = m_state.inputs();
    auto* group = new QGroupBox(tr("Values that no file gives"));
    auto* fields = new QFormLayout(group);
    m_seed = new QSpinBox(group);
    m_seed->setRange(0, mostInt);
    m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(inputs.seed, mostInt)));
    m_constant = new QCheckBox(tr("One constant instead of random values"), group);
    m_constant->setChecked(inputs.constantFill.has_value());
    m_fill = new QDoubleSpinBox(group);
    m_fill->setRange(-1e9, 1e9);
    m_fill->setDecimals(6);
    m_fill->setValue(inputs.constantFill.value_or(0));
    m_fill->setEnabled(m_constant->isChecked());
    m_low = new QSpinBox(group);
    m_high = new QSpinBox(group);
    for (QSpinBox* box : {m_low, m_high})
        box->setRange(-mostInt, mostInt);
    m_low->setValue(static_cast<int>(inputs.integerLow));
    m_high->setValue(static_cast<int>(inputs.integerHigh));
    form::addRow(fields, tr("Seed"), m_seed);
    fields->addRow(QString(), m_constant);
    form::addRow(fields, tr("Constant"), m_fill);
    form::addRow(fields, tr("Integers from"), m_low);
    form::addRow(fields, tr("to below"), m_high);
    connect(m_constant, &QCheckBox::toggled, m_fill, &QWidget::setEnabled);
    connect(m_low, &QSpinBox::valueChanged, this,
            [this](int low) { m_high->setMinimum(low == mostInt ? low : low + 1); });
    m_high->setMinimum(m_low->value() + 1);
    return group;
}

QWidget* InputsDialog::makeSizes()
{
    if (!m_state.hasModel())
        return nullptr;
    const Graph& graph = m_state.session()->opened();
    const auto& given = m_state.inputs().dims;
    std::map<std::string, std::int64_t> assumed;
    if (const auto& result = m_state.compareResult()) {
        for (const auto& [symbol, size] : result->comparison.assumedDims)
            assumed[symbol] = size;
    }
    auto* group = new QGroupBox(tr("Sizes"));
    auto* fields = new QFormLayout(group);
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        for (const Dim& dim : graph.value(id)->type.shape.dims()) {
            const std::string symbol(dim.symbolName());
            if (!dim.isSymbol() || m_sizes.contains(symbol))
                continue;
            auto* edit = new QLineEdit(group);
            edit->setValidator(new QIntValidator(0, mostInt, edit));
            if (const auto found = given.find(symbol); found != given.end())
                edit->setText(QString::number(found->second));
            const auto guess = assumed.find(symbol);
            edit->setPlaceholderText(guess == assumed.end() ? tr("assumed when it runs")
                                                            : tr("assumed %1").arg(guess->second));
            m_sizes[symbol] = edit;
            form::addRow(fields, parts::str(symbol).left(60), edit);
        }
    }
    if (m_sizes.empty()) {
        delete group;
        return nullptr;
    }
    return group;
}

QWidget* InputsDialog::makeFiles()
{
    auto* group = new QGroupBox(tr("Files"));
    auto* column = new QVBoxLayout(group);
    m_sources = new QListWidget(group);
    m_sources->setAccessibleName(tr("Files"));
    m_sources->setMaximumHeight(100);
    for (const std::string& source : m_state.inputs().sources)
        addSource(parts::str(source));
    column->addWidget(form::note(tr("Folders test_data_set_N, .npz files, or NAME=FILE.npy and "
                                    "NAME=FILE.pb for one input."), group));
    column->addWidget(m_sources);
    auto* row = new QHBoxLayout;
    const auto button = [&](const QString& words, auto slot) {
        auto* made = new QPushButton(words, group);
        connect(made, &QPushButton::clicked, this, slot);
        row->addWidget(made);
        return made;
    };
    button(tr("Add File…"), [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Add File"), {},
                                                          tr("Values (*.npz *.npy *.pb)"));
        if (path.isEmpty())
            return;
        const bool single = !path.endsWith(QStringLiteral(".npz"));
        addSource(single && m_imageInput->count() > 0
                      ? m_imageInput->currentText() + QStringLiteral("=") + path
                      : path);
    });
    button(tr("Add Folder…"), [this] {
        const QString path = QFileDialog::getExistingDirectory(this, tr("Add Folder"));
        if (!path.isEmpty())
            addSource(path);
    });
    button(tr("Remove"), [this] { qDeleteAll(m_sources->selectedItems()); });
    row->addStretch(1);
    column->addLayout(row);
    m_dataSet = new QCheckBox(tr("Use a test_data_set beside the model"), group);
    m_dataSet->setChecked(m_state.inputs().useDataSetBesideModel);
    column->addWidget(m_dataSet);
    return group;
}

QWidget* InputsDialog::makeImage()
{
    auto* group = new QGroupBox(tr("Picture"));
    auto* fields = new QFormLayout(group);
    m_imageInput = new QComboBox(group);
    if (m_state.hasModel()) {
        for (const ModelPort& port : m_state.session()->info().inputs)
            m_imageInput->addItem(parts::str(port.name));
    }
    m_mean = new QLineEdit(QStringLiteral("0"), group);
    m_scale = new QLineEdit(QStringLiteral("0.00392157"), group);
    m_imageNote = form::note(tr("Each element is (pixel − mean) · scale, pixels from 0 to 255; one "
                                "number or one a channel."), group);
    auto* choose = new QPushButton(tr("Choose Picture…"), group);
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(
            this, tr("Choose Picture"), {}, tr("Pictures (*.png *.jpg *.jpeg *.bmp *.gif)"));
        if (!path.isEmpty())
            setImage(path);
    });
    form::addRow(fields, tr("Input"), m_imageInput);
    form::addRow(fields, tr("Mean"), m_mean);
    form::addRow(fields, tr("Scale"), m_scale);
    fields->addRow(QString(), choose);
    fields->addRow(QString(), m_imageNote);
    return group;
}

void InputsDialog::addSource(const QString& source)
{
    m_sources->addItem(source);
}

bool InputsDialog::setImage(const QString& path)
{
    QImageReader reader(path);
    reader.setAutoTransform(true);
    const QImage image = reader.read();
    const std::string name = m_imageInput->currentText().toStdString();
    if (image.isNull()) {
        m_imageNote->setText(tr("%1 is no picture that can be read: %2")
                                 .arg(QFileInfo(path).fileName(), reader.errorString()));
        return false;
    }
    const Graph& graph = m_state.session()->opened();
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        const Value& value = *graph.value(id);
        if (value.name != name)
            continue;
        auto tensor = imageTensor(image, value.type,
                                  {numbersIn(m_mean->text()), numbersIn(m_scale->text())});
        if (!tensor)
            break;
        m_imageNote->setText(
            tr("%1 as %2").arg(QFileInfo(path).fileName(),
                               parts::shapeText(Type::tensor(
                                   tensor->dtype(), Shape::ofSizes(tensor->shape())))));
        m_tensors[name] = std::make_shared<const Tensor>(std::move(*tensor));
        return true;
    }
    m_imageNote->setText(tr("This input takes no picture: it must be a float tensor [1, 3 or 1, "
                            "height, width]."));
    return false;
}

InputSpec InputsDialog::spec() const
{
    InputSpec spec = m_state.inputs();
    spec.seed = static_cast<std::uint64_t>(m_seed->value());
    spec.constantFill = m_constant->isChecked() ? std::optional(m_fill->value()) : std::nullopt;
    spec.integerLow = m_low->value();
    spec.integerHigh = m_high->value();
    spec.useDataSetBesideModel = m_dataSet->isChecked();
    spec.tensors = m_tensors;
    spec.sources.clear();
    for (int row = 0; row < m_sources->count(); ++row)
        spec.sources.push_back(m_sources->item(row)->text().toStdString());
    for (const auto& [symbol, edit] : m_sizes) {
        bool ok = false;
        const qlonglong size = edit->text().toLongLong(&ok);
        if (ok)
            spec.dims[symbol] = size;
        else
            spec.dims.erase(symbol);
    }
    return spec;
}

void InputsDialog::accept()
{
    m_state.setInputs(spec());
    QDialog::accept();
}

} // namespace fusescope
