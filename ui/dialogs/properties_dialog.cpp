#include "ui/dialogs/properties_dialog.h"

#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/widgets/key_values.h"
#include "ui/widgets/section.h"

#include <QDialogButtonBox>
#include <QScrollArea>
#include <QVBoxLayout>

namespace fusescope {

using parts::str;

namespace {

constexpr std::size_t mostRows = 500;

void addSection(QVBoxLayout* layout, const QString& title, const QList<KeyValue>& rows,
                QWidget* parent)
{
    if (rows.isEmpty())
        return;
    auto* section = new Section(title, parent);
    auto* values = new KeyValues(section);
    values->setRows(rows);
    section->setContent(values);
    layout->addWidget(section);
}

QString severity(ModelProblem::Severity severity)
{
    switch (severity) {
    case ModelProblem::Severity::note:
        return PropertiesDialog::tr("note");
    case ModelProblem::Severity::warning:
        return PropertiesDialog::tr("warning");
    case ModelProblem::Severity::error:
        return PropertiesDialog::tr("error");
    }
    return {};
}

} // namespace

PropertiesDialog::PropertiesDialog(AppState& state, QWidget* parent) : QDialog(parent)
{
    setWindowTitle(tr("Properties"));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    if (state.hasModel()) {
        const ModelInfo& info = state.session()->info();
        const Graph& graph = state.session()->opened();
        QList<KeyValue> rows{{tr("file"), str(info.path)},
                             {tr("size"), text::bytes(static_cast<quint64>(info.fileBytes))},
                             {tr("loaded in"), text::milliseconds(info.loadMs)},
                             {tr("IR version"), QString::number(info.irVersion)}};
        for (const auto& [domain, version] : info.opsets)
            rows.push_back({tr("opset"), QStringLiteral("%1 %2").arg(
                                             domain.empty() ? QStringLiteral("ai.onnx")
                                                            : str(domain))
                                             .arg(version)});
        rows.push_back({tr("producer"), str(info.producer + " " + info.producerVersion)});
        rows.push_back({tr("nodes"), text::count(static_cast<qint64>(graph.nodeCount()))});
        if (!graph.header().docString.empty())
            rows.push_back({tr("description"), str(graph.header().docString).left(2000)});
        addSection(column, tr("Model"), rows, content);
        const auto ports = [&](const QString& title, const std::vector<ModelPort>& list) {
            QList<KeyValue> lines;
            for (std::size_t i = 0; i < list.size() && i < mostRows; ++i)
                lines.push_back({str(list[i].name), str(list[i].type), {},
                                 list[i].hasDefault ? tr("has a default") : QString()});
            addSection(column, title, lines, content);
        };
        ports(tr("Inputs"), info.inputs);
        ports(tr("Outputs"), info.outputs);
        const auto names = [&](const QString& title, const std::vector<std::string>& list) {
            QList<KeyValue> lines;
            for (std::size_t i = 0; i < list.size() && i < mostRows; ++i)
                lines.push_back({QString::number(i + 1), str(list[i])});
            addSection(column, title, lines, content);
        };
        names(tr("Functions"), info.functions);
        names(tr("External files"), info.externalFiles);
        QList<KeyValue> metadata;
        for (const auto& [key, value] : info.metadata)
            metadata.push_back({str(key), str(value).left(2000)});
        addSection(column, tr("Metadata"), metadata, content);
        if (!info.problems.empty()) {
            auto* section = new Section(tr("Problems"), content);
            section->setTitle(tr("Problems"), QString::number(info.problems.size()));
            auto* list = new QWidget(section);
            auto* lines = new QVBoxLayout(list);
            for (std::size_t i = 0; i < info.problems.size() && i < mostRows; ++i)
                lines->addWidget(new PlainLabel(
                    QStringLiteral("%1: %2").arg(severity(info.problems[i].severity),
                                                 state.sentence(info.problems[i].message, &graph)),
                    info.problems[i].severity == ModelProblem::Severity::error ? Token::removed
                                                                               : Token::text,
                    TextScale::normal, false, list));
            section->setContent(list);
            column->addWidget(section);
        }
    }
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(parts::scroll(content, this), 1);
    layout->addWidget(buttons);
    resize(560, 520);
    connect(&state, &AppState::sessionChanged, this, &QDialog::reject);
}

} // namespace fusescope
