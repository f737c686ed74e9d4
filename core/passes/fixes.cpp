#include "passes/optimizer.h"

#include "ops/registry.h"
#include "passes/rule_support.h"

namespace fusescope {

namespace {

tl::unexpected<Error> wrongTarget(const Fix& fix)
{
    const auto* node = std::get_if<NodeId>(&fix.target);
    return fail(ErrorCode::invalidArgument,
                Message("fix.wrong-target", {{"fix", std::string(idOf(fix.kind))}}),
                node ? *node : NodeId{});
}

// The node that a fix names; null when it names none or another operator.
const Node* targetNode(const Graph& graph, const Fix& fix, std::string_view type)
{
    const auto* id = std::get_if<NodeId>(&fix.target);
    const Node* node = id ? graph.node(*id) : nullptr;
    return node && (type.empty() || node->is(type)) ? node : nullptr;
}

ValueId targetValue(const Fix& fix)
{
    const auto* id = std::get_if<ValueId>(&fix.target);
    return id ? *id : ValueId{};
}

bool targetsAll(const Fix& fix)
{
    return std::visit([](auto id) { return !id; }, fix.target);
}

bool readOtherwise(const Graph& graph, const Node& node)
{
    for (std::size_t i = 1; i < node.outputs.size(); ++i) {
        if (node.outputs[i] && !graph.uses(node.outputs[i]).empty())
            return true;
    }
    return false;
}

Result<void> freeze(const Graph& graph, PatchBuilder& builder, const Fix& fix)
{
    std::vector<ValueId> values;
    if (targetsAll(fix)) {
        for (const ValueId input : graph.body(graph.mainBody())->inputs) {
            if (graph.isOverridable(input))
                values.push_back(input);
        }
    } else if (graph.isOverridable(targetValue(fix))) {
        values.push_back(targetValue(fix));
    }
    if (values.empty())
        return wrongTarget(fix);
    for (const ValueId value : values)
        builder.editValue(value, [](Value& v) { v.isInput = false; });
    std::ranges::sort(values);
    builder.editBody(graph.mainBody(), [&values](Body& body) {
        std::erase_if(body.inputs, [&values](ValueId input) {
            return std::ranges::binary_search(values, input);
        });
    });
    return {};
}

Result<void> toInference(const Graph& graph, PatchBuilder& builder, const Fix& fix,
                         std::string_view type)
{
    const Node* node = targetNode(graph, fix, type);
    const OpSchema* schema = node ? graph.schema(*node) : nullptr;
    if (!schema || readOtherwise(graph, *node))
        return wrongTarget(fix);
    const NodeId id = std::get<NodeId>(fix.target);
    const int since = schema->sinceVersion;
    builder.editNode(id, [&](Node& n) {
        n.outputs.resize(1);
        if (since < 7) {
            n.attributes.set({"is_test", std::int64_t{1}});
        } else if (type == "BatchNormalization") {
            if (since >= 14)
                n.attributes.set({"training_mode", std::int64_t{0}});
        } else if (n.inputs.size() > 2) {
            n.inputs.resize(2);
        }
    });
    return {};
}

Result<void> dropNoop(const Graph& graph, PatchBuilder& builder, const Fix& fix)
{
    const Node* node = targetNode(graph, fix, {});
    const ValueId source = node ? passedOn(GraphView(graph), std::get<NodeId>(fix.target)) : ValueId{};
    if (!source || graph.isBodyOutput(node->output(0)) || readOtherwise(graph, *node))
        return wrongTarget(fix);
    builder.rewire(node->output(0), source);
    builder.removeNode(std::get<NodeId>(fix.target));
    return {};
}

Result<void> duplicate(const Graph& graph, PatchBuilder& builder, const Fix& fix)
{
    const Node* node = targetNode(graph, fix, {});
    if (!node || !node->bodies.empty() || node->outputs.size() != 1 ||
        isNonDeterministic(graph, *node) || mayHaveSideEffects(graph, *node))
        return wrongTarget(fix);
    const ValueId output = node->output(0);
    std::set<NodeId> readers;
    for (const Use& use : graph.uses(output)) {
        if (use.node)
            readers.insert(use.node);
    }
    const bool first = !graph.isBodyOutput(output);
    if (readers.size() + (first ? 0 : 1) < 2)
        return wrongTarget(fix);
    // The first reader, or the output of the graph, keeps the node itself.
    bool keep = first;
    for (const NodeId reader : readers) {
        if (std::exchange(keep, false))
            continue;
        Node copy = *node;
        const std::string& name = graph.value(output)->name;
        const ValueId own = builder.addValue(graph.node(reader)->body, name.empty() ? name : name + "_copy");
        copy.outputs = {own};
        if (!copy.name.empty())
            copy.name = builder.uniqueName(copy.name + "_copy");
        const NodeId id = std::get<NodeId>(fix.target);
        copy.origins = node->origins.empty() ? std::vector<NodeId>{id} : node->origins;
        builder.addNodeBefore(reader, std::move(copy));
        builder.editNode(reader, [output, own](Node& n) {
            std::replace(n.inputs.begin(), n.inputs.end(), output, own);
        });
    }
    return {};
}

Result<void> dropOutput(const Graph& graph, PatchBuilder& builder, const Fix& fix)
{
    const ValueId value = targetValue(fix);
    const Body* main = graph.body(graph.mainBody());
    const bool listed =
        std::find(main->outputs.begin(), main->outputs.end(), value) != main->outputs.end();
    if (!listed || main->outputs.size() < 2)
        return wrongTarget(fix);
    builder.editBody(graph.mainBody(),
                     [value](Body& body) { std::erase(body.outputs, value); });
    return {};
}

} // namespace

Result<GraphPatch> fixPatch(const Graph& graph, IdPool& pool, const Fix& fix, const Policy& policy)
{
    NodeId root;
    if (const auto* node = std::get_if<NodeId>(&fix.target))
        root = *node;
    else
        root = graph.producer(targetValue(fix));
    PatchBuilder builder(graph, pool, idOf(fix.kind), root, keptByPins(graph, policy),
                         keptInitializers(graph, policy));
    const auto build = [&]() -> Result<void> {
        switch (fix.kind) {
        case FixKind::freezeInitializers:
            return freeze(graph, builder, fix);
        case FixKind::inferenceBatchnorm:
            return toInference(graph, builder, fix, "BatchNormalization");
        case FixKind::inferenceDropout:
            return toInference(graph, builder, fix, "Dropout");
        case FixKind::dropNoop:
            return dropNoop(graph, builder, fix);
        case FixKind::duplicateProducer:
            return duplicate(graph, builder, fix);
        case FixKind::dropOutput:
            break;
        }
        return dropOutput(graph, builder, fix);
    };
    FUSESCOPE_TRY(build());
    return builder.finish();
}

Message fixTitle(const Graph&, const Fix& fix)
{
    MessageArg target = std::string();
    if (const auto* node = std::get_if<NodeId>(&fix.target))
        target = *node;
    else
        target = std::get<ValueId>(fix.target);
    switch (fix.kind) {
    case FixKind::freezeInitializers:
        if (targetsAll(fix))
            return Message("fix.freeze-all");
        return Message("fix.freeze", {{"value", target}});
    case FixKind::inferenceBatchnorm:
    case FixKind::inferenceDropout:
        return Message("fix.inference", {{"node", target}});
    case FixKind::dropNoop:
        return Message("fix.drop-noop", {{"node", target}});
    case FixKind::duplicateProducer:
        return Message("fix.duplicate", {{"node", target}});
    case FixKind::dropOutput:
        break;
    }
    return Message("fix.drop-output", {{"value", target}});
}

} // namespace fusescope
