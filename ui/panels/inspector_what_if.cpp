#include "ui/panels/inspector_what_if.h"

#include "model/schema.h"
#include "report/render.h"
#include "ui/app_state.h"
#include "ui/panels/panel_parts.h"
#include "ui/panels/value_text.h"
#include "ui/text.h"

#include <QCoreApplication>
#include <QInputDialog>

namespace fusescope {

namespace {

constexpr std::size_t shownInputs = 32;

QString tr(const char* text)
{
    return QCoreApplication::translate("WhatIf", text);
}

bool canBeWritten(AttributeType type)
{
    return type == AttributeType::integer || type == AttributeType::floating
        || type == AttributeType::integers || type == AttributeType::floats
        || type == AttributeType::string;
}

// The file with all that was changed before.
std::shared_ptr<const Graph> changedFile(const AppState& state)
{
    const Plan& plan = state.timeline()->plan;
    return state.graphAt(static_cast<int>(plan.fixes.size() + plan.edits.size()));
}

// Values of the same element type that stand before the node, by name.
std::map<QString, ValueId> otherInputs(const Graph& graph, const Node& node, std::size_t index)
{
    std::map<QString, ValueId> found;
    const Value* now = graph.value(node.inputs[index]);
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        const ValueId id{i};
        const Value* value = graph.value(id);
        if (!value || value->body != node.body || value->name.empty()
            || (now && value->type.dtype != now->type.dtype))
            continue;
        const Node* maker = graph.node(graph.producer(id));
        if (!maker || maker->order < node.order)
            found.emplace(text::oneLine(parts::str(value->name)), id);
    }
    return found;
}

} // namespace

QList<KeyValue> whatIfRows(const AppState& state, NodeId id)
{
    if (!state.isScratch() || !state.hasModel() || !state.session()->opened().node(id))
        return {};
    const auto graph = changedFile(state);
    const Node* node = graph->node(id);
    if (!node)
        return {};
    QList<KeyValue> rows;
    const auto add = [&rows](const QString& key, const QString& value, const QString& link,
                             const QString& words) {
        KeyValue row{key, value};
        row.aside = words;
        row.asideLink = link;
        rows.push_back(row);
    };
    const OpSchema* schema = graph->schema(*node);
    const auto addAttribute = [&](const QString& name, const QString& value) {
        add(name, value, QStringLiteral("edit-attribute:") + name, tr("change"));
    };
    for (const Attribute& attribute : node->attributes) {
        if (canBeWritten(attribute.type) && attribute.reference.empty())
            addAttribute(parts::str(attribute.name), valueText(attribute, *graph));
    }
    for (const SchemaAttribute& formal : schema ? schema->attributes
                                                : std::span<const SchemaAttribute>()) {
        if (!node->attributes.has(formal.name) && formal.hasDefault() && canBeWritten(formal.type))
            addAttribute(parts::str(formal.name), valueText(formal.defaultValue));
    }
    for (std::size_t i = 0; i < node->inputs.size() && i < shownInputs; ++i) {
        const FormalParameter* formal = schema ? schema->input(i) : nullptr;
        add(formal ? parts::str(formal->name) : QString::number(i),
            node->inputs[i] ? parts::str(displayName(graph.get(), node->inputs[i])) : tr("absent"),
            QStringLiteral("edit-input:%1").arg(i), tr("change"));
    }
    add(tr("this node"), parts::str(node->op.type), QStringLiteral("edit-reader"), tr("drop"));
    return rows;
}

bool followWhatIf(AppState& state, NodeId id, const QString& link, QWidget* parent)
{
    const QString attribute = QStringLiteral("edit-attribute:");
    const QString input = QStringLiteral("edit-input:");
    Edit edit;
    edit.node = id;
    const auto session = state.session(); // another may be opened while a dialog asks
    const auto graph = changedFile(state);
    const Node* node = graph->node(id);
    if (link == QLatin1String("edit-reader")) {
        edit.kind = EditKind::reader;
    } else if (!node) {
        return false;
    } else if (link.startsWith(attribute)) {
        const QString name = link.mid(attribute.size());
        edit.kind = EditKind::attribute;
        edit.name = name.toStdString();
        const Attribute* now = node->attributes.find(edit.name);
        bool ok = false;
        const QString value = QInputDialog::getText(
            parent, tr("What If?"),
            text::label(QCoreApplication::translate("WhatIf", "%1 of %2; nothing for the default")
                            .arg(name, state.nameOf(id))),
            QLineEdit::Normal, now ? valueText(*now, *graph) : QString(), &ok);
        if (!ok)
            return true;
        edit.text = value.trimmed().toStdString();
    } else if (link.startsWith(input)) {
        edit.kind = EditKind::input;
        edit.index = link.mid(input.size()).toUInt();
        if (edit.index >= node->inputs.size())
            return true;
        const auto others = otherInputs(*graph, *node, edit.index);
        QStringList names{tr("absent")};
        for (const auto& [name, value] : others)
            names << name;
        const ValueId now = node->inputs[edit.index];
        const qsizetype at = now ? names.indexOf(
            text::oneLine(parts::str(displayName(graph.get(), now)))) : 0;
        bool ok = false;
        const QString chosen = QInputDialog::getItem(
            parent, tr("What If?"),
            text::label(QCoreApplication::translate("WhatIf", "Input %1 of %2")
                            .arg(edit.index).arg(state.nameOf(id))),
            names, static_cast<int>(std::max<qsizetype>(at, 0)), false, &ok);
        if (!ok)
            return true;
        const auto found = others.find(chosen);
        edit.value = found == others.end() ? ValueId{} : found->second;
    } else {
        return false;
    }
    if (state.session() == session)
        state.applyEdit(edit);
    return true;
}

} // namespace fusescope
