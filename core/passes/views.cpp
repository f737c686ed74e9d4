#include "passes/views.h"

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
    if (!shape.hasRank() || !places || places->size() != 1 ||
        (places->front() != 0 && places->front() != -1))
        return false;
    const auto rank = static_cast<std::int64_t>(shape.rank());
    std::int64_t axis = node.attributes.getInt("axis", 0);
    axis += axis < 0 ? rank : 0;
    return axis >= 0 && axis < rank && shape[static_cast<std::size_t>(axis)] == Dim(1);
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
