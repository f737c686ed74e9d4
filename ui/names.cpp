#include "ui/names.h"

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

QString nameless(const AppState& state, NodeId id, const Node& node)
{
    if (state.session()) {
        const Graph& opened = state.session()->opened();
        if (!node.outputs.empty()) {
            const Value* output = opened.value(node.outputs.front());
            if (output && !output->name.empty())
                return QString::fromStdString(output->name);
        }
    }
    return QStringLiteral("%1 #%2").arg(QString::fromStdString(node.op.type)).arg(id.value);
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

QString fixButton(const Fix& fix)
{
    switch (fix.kind) {
    case FixKind::freezeInitializers:
        return Tr::tr("Freeze");
    case FixKind::inferenceBatchnorm:
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
    const QString target = brief(state, fix.target);
    switch (fix.kind) {
    case FixKind::freezeInitializers:
        return Tr::tr("Apply fix: freeze %1").arg(target);
    case FixKind::inferenceBatchnorm:
    case FixKind::inferenceDropout:
        return Tr::tr("Apply fix: training_mode = 0");
    case FixKind::dropNoop:
        return Tr::tr("Apply fix: remove %1").arg(target);
    case FixKind::duplicateProducer:
        return Tr::tr("Apply fix: duplicate %1").arg(target);
    case FixKind::dropOutput:
        return Tr::tr("Apply fix: drop output %1").arg(target);
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
