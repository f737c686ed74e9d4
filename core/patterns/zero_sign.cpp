#include "patterns/zero_sign.h"

#include "patterns/search_budget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace fusescope {

namespace {

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

class ZeroReader
{
public:
    explicit ZeroReader(const GraphView& view) : m_view(view) {}

    bool isNever(ValueId value)
    {
        if (!value || !m_budget.spend())
            return false;
        if (const TensorPtr tensor = m_view.constant(value))
            return holdsNoNegativeZero(*tensor);
        const Node* maker = m_view.producerNode(value);
        return maker && maker->op.isStandard() && makesNone(*maker);
    }

private:
    bool makesNone(const Node& maker)
    {
        const auto never = [this](ValueId input) { return isNever(input); };
        if (const auto added = addedInput(maker))
            return never(maker.input(*added));
        static constexpr std::array<std::string_view, 2> sums{"Add", "Sum"};
        static constexpr std::array<std::string_view, 4> positive{"Exp", "Sigmoid", "Softmax",
                                                                  "Abs"};
        static constexpr std::array<std::string_view, 12> moves{
            "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Transpose",
            "Slice",    "Gather",  "Expand",  "Tile",    "Relu",      "Split"};
        if (isOneOf(maker, positive))
            return true;
        if (isOneOf(maker, moves))
            return never(maker.input(0));
        if (!isOneOf(maker, sums) && !maker.is("Concat"))
            return false;
        const std::vector<ValueId> inputs = distinctInputs(maker);
        if (maker.is("Concat"))
            return !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), never);
        return std::any_of(inputs.begin(), inputs.end(), never);
    }

    const GraphView& m_view;
    SearchBudget m_budget;
};

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
    return ZeroReader(view).isNever(value);
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
