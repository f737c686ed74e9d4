#include "ui/names.h"

#include "report/node_names.h"
#include "report/render.h"
#include "session/card.h"
#include "session/catalog.h"
#include "ui/app_state.h"
#include "ui/text.h"

#include <QCoreApplication>

namespace fusescope::names {

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(Names)
};

// A BatchNormalization that is in inference mode already, but has the outputs of training.
bool dropsOutputsOnly(const AppState& state, const Fix& fix)
{
    const NodeId* id = std::get_if<NodeId>(&fix.target);
    const auto timeline = state.timeline();
    const Node* node = id ? timeline->unionGraph.lastRecord(*id) : nullptr;
    return node && node->outputs.size() > 1 && node->attributes.getInt("training_mode", 0) == 0;
}

QString nameless(const AppState& state, NodeId id, const Node& node)
{
    return QString::fromStdString(namelessTitle(*state.graphOf(id), node, id));
}

} // namespace

QString whole(const AppState& state, NodeId id)
{
    const auto timeline = state.timeline();
    const Node* node = timeline->unionGraph.lastRecord(id);
    if (!node)
        return QStringLiteral("#%1").arg(id.value);
    return node->name.empty() ? nameless(state, id, *node) : QString::fromStdString(node->name);
}

QString brief(const AppState& state, NodeId id)
{
    const auto timeline = state.timeline();
    const Node* node = timeline->unionGraph.lastRecord(id);
    if (!node)
        return QStringLiteral("#%1").arg(id.value);
    if (node->name.empty())
        return nameless(state, id, *node);
    return text::shortPath(QString::fromStdString(node->name), operatorOf(state, id));
}

QString brief(const AppState& state, Subject subject)
{
    if (const auto* node = std::get_if<NodeId>(&subject))
        return brief(state, *node);
    const auto value = std::get<ValueId>(subject);
    const auto timeline = state.timeline();
    const Graph& latest = timeline->history->latest();
    const Graph* graph = latest.value(value) || !state.session() ? &latest
                                                                 : &state.session()->opened();
    return QString::fromStdString(displayName(graph, value));
}

QString besideOperator(const AppState& state, NodeId id)
{
    const auto timeline = state.timeline();
    const Node* node = timeline->unionGraph.lastRecord(id);
    return node && !node->name.empty() ? brief(state, id) : QStringLiteral("#%1").arg(id.value);
}

QString listed(const QStringList& parts)
{
    return parts.join(Tr::tr(", ", "between the members of a list"));
}

QString target(const AppState& state, const Fix& fix)
{
    const ValueId* value = std::get_if<ValueId>(&fix.target);
    const NodeId* node = std::get_if<NodeId>(&fix.target);
    return (value && !*value) || (node && !*node) ? Tr::tr("all initializers")
                                                  : brief(state, fix.target);
}

QString rootOf(const AppState& state, const Step& step)
{
    return step.root ? brief(state, step.root) : title(state, step);
}

QString wholeRootOf(const AppState& state, const Step& step)
{
    return step.root ? whole(state, step.root) : title(state, step);
}

QString operatorOf(const AppState& state, NodeId id)
{
    const auto timeline = state.timeline();
    const Node* node = timeline->unionGraph.lastRecord(id);
    if (!node)
        return {};
    if (!node->region)
        return QString::fromStdString(node->op.domain.empty() ? node->op.type
                                                              : node->op.domain + '.' + node->op.type);
    return QString::fromStdString(operatorTitle(*state.graphOf(id), *node));
}

QString title(const AppState& state, const Step& step)
{
    Message message = step.title;
    for (auto& [name, argument] : message.args) {
        if (const auto* node = std::get_if<NodeId>(&argument))
            argument = text::shortPath(whole(state, *node), {}).toStdString();
    }
    return state.sentence(message, state.graphAt(step.number - 1).get());
}

QString rule(const AppState& state, std::string_view id)
{
    return state.sentence(ruleName(id), nullptr);
}

NodeId firstNode(const std::vector<Subject>& subjects)
{
    for (const Subject& subject : subjects) {
        if (const auto* node = std::get_if<NodeId>(&subject))
            return *node;
    }
    return {};
}

QString fixButton(const AppState& state, const Fix& fix)
{
    switch (fix.kind) {
    case FixKind::freezeInitializers:
        return Tr::tr("Freeze");
    case FixKind::inferenceBatchnorm:
        if (dropsOutputsOnly(state, fix))
            return Tr::tr("Drop outputs");
        return Tr::tr("Set to 0");
    case FixKind::inferenceDropout:
        return Tr::tr("Set to 0");
    case FixKind::dropNoop:
        return Tr::tr("Remove");
    case FixKind::duplicateProducer:
        return Tr::tr("Duplicate");
    case FixKind::dropOutput:
        return Tr::tr("Drop output");
    }
    return {};
}

QString fixText(const AppState& state, const Fix& fix)
{
    const QString named = target(state, fix);
    switch (fix.kind) {
    case FixKind::freezeInitializers:
        return Tr::tr("Apply fix: freeze %1").arg(named);
    case FixKind::inferenceBatchnorm:
        if (dropsOutputsOnly(state, fix))
            return Tr::tr("Apply fix: drop the extra outputs of %1").arg(named);
        return Tr::tr("Apply fix: training_mode = 0");
    case FixKind::inferenceDropout:
        return Tr::tr("Apply fix: training_mode = 0");
    case FixKind::dropNoop:
        return Tr::tr("Apply fix: remove %1").arg(named);
    case FixKind::duplicateProducer:
        return Tr::tr("Apply fix: duplicate %1").arg(named);
    case FixKind::dropOutput:
        return Tr::tr("Apply fix: drop output %1").arg(named);
    }
    return {};
}

QString fixWarning(const Fix& fix)
{
    if (fix.changesMeaning && fix.changesInterface)
        return Tr::tr("This fix changes what the model computes and its inputs or outputs. It becomes a "
                      "step that can be undone.");
    if (fix.changesMeaning)
        return Tr::tr("This fix changes what the model computes. It becomes a step that can be undone.");
    if (fix.changesInterface)
        return Tr::tr("This fix changes the model's inputs or outputs. It becomes a step that can be "
                      "undone.");
    return {};
}

} // namespace fusescope::names
