#include "passes/views.h"

#include "ops/axes.h"
#include "patterns/constants.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace fusescope {

namespace {

bool movesNothing(const Shape& shape, const Node& node)
{
    if (!shape.hasRank())
        return false;
    std::vector<std::int64_t> perm(shape.rank());
    std::iota(perm.rbegin(), perm.rend(), 0);
    perm = node.attributes.getInts("perm").value_or(perm);
    if (perm.size() != shape.rank())
        return false;
    std::int64_t last = -1;
    for (const std::int64_t axis : perm) {
        if (axis < 0 || axis >= static_cast<std::int64_t>(shape.rank()))
            return false;
        if (shape[static_cast<std::size_t>(axis)] == Dim(1))
            continue;
        if (axis < last)
            return false;
        last = axis;
    }
    return true;
}

bool takesTheOnlyPlace(const GraphView& view, const Node& node)
{
    const Shape& shape = view.shape(node.input(0));
    const auto places = integerConstant(view, node.input(1));
    if (!places || places->size() != 1 || (places->front() != 0 && places->front() != -1))
        return false;
    const auto axis = normalizeAxis(node.attributes.getInt("axis", 0), shape.rank());
    return axis && shape[*axis] == Dim(1);
}

} // namespace

bool isView(const GraphView& view, const Node& node)
{
    static constexpr std::array always{"Reshape", "Flatten", "Squeeze", "Unsqueeze"};
    if (!node.op.isStandard() || !node.input(0) || !node.output(0))
        return false;
    if (std::find(always.begin(), always.end(), node.op.type) != always.end())
        return true;
    if (node.is("Transpose"))
        return movesNothing(view.shape(node.input(0)), node);
    return node.is("Gather") && node.input(1) && takesTheOnlyPlace(view, node);
}

bool isUnary(const Node& node)
{
    static constexpr std::array names{
        "Relu",  "Sigmoid",  "Tanh",     "Exp",        "Log",         "Neg",       "Abs",
        "Sqrt",  "Erf",      "Floor",    "Ceil",       "Round",       "Sin",       "Cos",
        "Elu",   "Selu",     "Celu",     "LeakyRelu",  "HardSigmoid", "HardSwish", "Softplus",
        "Mish",  "Softsign", "Gelu",     "Reciprocal", "Not",         "Sign",      "Cast",
        "IsNaN", "Tan",      "Atan",     "ThresholdedRelu"};
    return node.op.isStandard() && node.outputs.size() == 1 && node.inputs.size() == 1 &&
           node.input(0) && std::find(names.begin(), names.end(), node.op.type) != names.end();
}

namespace {

// Before these versions the shapes are the same, or an attribute names the axis that the second one
// stands at: neither holds at another rank.
bool broadcastsByRank(const GraphView& view, const Node& node)
{
    if (node.is("Clip"))
        return true;
    return view.sinceVersion(node) >= (node.is("Max") || node.is("Min") ? 8 : 7);
}

} // namespace

std::optional<std::size_t> elementwiseInput(const GraphView& view, const Node& node)
{
    static constexpr std::array binary{"Add", "Sub", "Mul", "Div", "Pow", "Clip", "Max", "Min"};
    if (isUnary(node))
        return 0;
    if (!node.op.isStandard() || node.outputs.size() != 1 ||
        std::find(binary.begin(), binary.end(), node.op.type) == binary.end() ||
        !broadcastsByRank(view, node))
        return std::nullopt;
    std::optional<std::size_t> changed;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        const TensorPtr constant = node.inputs[i] ? view.constant(node.inputs[i]) : nullptr;
        if (!node.inputs[i] || (constant && constant->elementCount() == 1 && constant->rank() < 2))
            continue;
        if (changed || view.shape(node.inputs[i]).rank() == 0)
            return std::nullopt;
        changed = i;
    }
    return changed;
}

std::vector<NodeId> Between::nodes(NodeId last) const
{
    std::vector<NodeId> all{first};
    for (auto step = steps.rbegin(); step != steps.rend(); ++step)
        all.push_back(step->first);
    all.push_back(last);
    return all;
}

std::vector<NodeId> checkJoinable(Conditions& conditions, const MatchContext& match,
                                  const Between& between, NodeId last)
{
    conditions.check("condition.same-scope", sameScope(match, between.first, last));
    std::vector<NodeId> nodes = between.nodes(last);
    for (std::size_t i = nodes.size() - 1; i > 0; --i)
        conditions.checkSingleReader(match.view.node(nodes[i - 1])->output(0), nodes[i]);
    checkUnpinned(conditions, nodes);
    return nodes;
}

std::optional<Between> walkBack(const GraphView& view, const Node& last,
                                const std::function<bool(const Node&)>& isFirst)
{
    constexpr std::size_t longest = 8;
    Between between;
    between.first = view.producer(last.input(0));
    for (;;) {
        const Node* node = view.node(between.first);
        if (!node || !node->input(0))
            return std::nullopt;
        if (isFirst(*node))
            return between;
        const auto input = elementwiseInput(view, *node);
        if (!input || between.steps.size() == longest)
            return std::nullopt;
        between.steps.emplace_back(between.first, *input);
        between.first = view.producer(node->inputs[*input]);
    }
}

ValueId repeatOn(PatchBuilder& builder, const Between& between, ValueId source)
{
    for (auto step = between.steps.rbegin(); step != between.steps.rend(); ++step) {
        const auto& [id, input] = *step;
        const Node old = *builder.node(id);
        Node node = old;
        node.inputs[input] = source;
        node.outputs = {builder.addValue(old.body, builder.value(old.output(0))->name)};
        node.origins = old.origins.empty() ? std::vector<NodeId>{id} : old.origins;
        source = node.outputs.front();
        builder.addNode(std::move(node));
    }
    return source;
}

void replaceByReshape(PatchBuilder& builder, NodeId node, ValueId source,
                      const std::vector<std::int64_t>& target)
{
    const Node old = *builder.node(node);
    Node reshape;
    reshape.op.type = "Reshape";
    reshape.name = old.name;
    reshape.inputs = {source,
                      builder.addConstant(old.body, "shape", Tensor::vector(target))};
    reshape.outputs = {old.output(0)};
    builder.removeNode(node);
    builder.addNode(std::move(reshape));
}

} // namespace fusescope
