#include "patterns/zero_sign.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace fusescope {

namespace {

constexpr int furthest = 8; // nodes that are looked back through
constexpr std::int64_t mostElements = 1 << 20;

bool isOneOf(const Node& node, std::span<const std::string_view> types)
{
    return node.op.isStandard() &&
           std::find(types.begin(), types.end(), node.op.type) != types.end();
}

bool holdsNoNegativeZero(const Tensor& tensor)
{
    if (!tensor.isAvailable() || !isFloatingPoint(tensor.dtype()) ||
        (!tensor.isSplat() && tensor.elementCount() > mostElements))
        return false;
    const std::int64_t count = tensor.isSplat() ? 1 : tensor.elementCount();
    for (std::int64_t i = 0; i < count; ++i) {
        const double element = tensor.asDouble(i);
        if (element == 0 && std::signbit(element))
            return false;
    }
    return true;
}

// The input that an operator adds to each element of what it computed, last or as the first summand.
std::optional<std::size_t> addedInput(const Node& node)
{
    if (!node.op.isStandard() || node.outputs.size() != 1)
        return std::nullopt;
    if (node.is("Conv") || node.is("ConvTranspose") || node.is("BatchNormalization") ||
        node.is("LayerNormalization") || node.is("InstanceNormalization") ||
        node.is("GroupNormalization"))
        return 2;
    if (node.is("Gemm") && node.attributes.getFloat("beta", 1) > 0)
        return 2;
    return std::nullopt;
}

bool isNever(const GraphView& view, ValueId value, int depth)
{
    if (!value || depth > furthest)
        return false;
    if (const TensorPtr tensor = view.constant(value))
        return holdsNoNegativeZero(*tensor);
    const Node* maker = view.producerNode(value);
    if (!maker || !maker->op.isStandard())
        return false;
    const auto never = [&view, depth](ValueId input) { return isNever(view, input, depth + 1); };
    if (const auto added = addedInput(*maker))
        return never(maker->input(*added));
    static constexpr std::array<std::string_view, 2> sums{"Add", "Sum"};
    if (isOneOf(*maker, sums))
        return std::any_of(maker->inputs.begin(), maker->inputs.end(), never);
    static constexpr std::array<std::string_view, 4> positive{"Exp", "Sigmoid", "Softmax", "Abs"};
    if (isOneOf(*maker, positive))
        return true;
    static constexpr std::array<std::string_view, 12> moves{
        "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose",
        "Slice",    "Gather",  "Expand",  "Tile",    "Relu",      "Split"};
    if (isOneOf(*maker, moves))
        return never(maker->input(0));
    return maker->is("Concat") && std::all_of(maker->inputs.begin(), maker->inputs.end(), never);
}

bool isUnseenBy(const GraphView& view, const Node& reader, const Use& use, ValueId value)
{
    static constexpr std::array<std::string_view, 9> blind{
        "Exp",   "Sigmoid", "Softmax",     "Abs",        "Equal", "Less", "Greater",
        "LessOrEqual", "GreaterOrEqual"};
    if (isOneOf(reader, blind))
        return true;
    if (!reader.op.isStandard())
        return false;
    if (const auto added = addedInput(reader))
        return use.index == 0 && isNeverNegativeZero(view, reader.input(*added));
    return reader.is("Add") &&
           std::any_of(reader.inputs.begin(), reader.inputs.end(), [&view, value](ValueId other) {
               return other != value && isNeverNegativeZero(view, other);
           });
}

} // namespace

bool isNeverNegativeZero(const GraphView& view, ValueId value)
{
    return isNever(view, value, 0);
}

bool isSignOfZeroUnseen(const GraphView& view, ValueId value)
{
    const std::span<const Use> uses = view.uses(value);
    return !uses.empty() && std::all_of(uses.begin(), uses.end(), [&view, value](const Use& use) {
        const Node* reader = view.node(use.node);
        return reader && isUnseenBy(view, *reader, use, value);
    });
}

} // namespace fusescope
