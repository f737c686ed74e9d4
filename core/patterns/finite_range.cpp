#include "patterns/finite_range.h"

#include "ops/activation/clip_bounds.h"
#include "patterns/constants.h"
#include "patterns/search_budget.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fusescope {

namespace {

using Range = std::optional<FiniteRange>;

// The largest number of a type of floats; 0 for those that are not followed.
double largestOf(DType type)
{
    switch (type) {
    case DType::float16:
        return 65504.0;
    case DType::bfloat16:
        return 0x1.fep127;
    case DType::float32:
        return static_cast<double>(std::numeric_limits<float>::max());
    case DType::float64:
        return std::numeric_limits<double>::max();
    default:
        return 0;
    }
}

// What integers and booleans can be.
Range wholeRange(DType type)
{
    if (type == DType::boolean)
        return FiniteRange{0, 1};
    if (!isInteger(type))
        return std::nullopt;
    const int bits = bitsOf(type);
    if (!isSigned(type))
        return FiniteRange{0, std::ldexp(1.0, bits)};
    return FiniteRange{-std::ldexp(1.0, bits - 1), std::ldexp(1.0, bits - 1)};
}

// The range as numbers of the type: integers that pass theirs wrap around, floats would be
// infinite.
Range inType(Range range, DType type)
{
    if (const Range whole = wholeRange(type)) {
        const bool fits = range && range->low >= whole->low && range->high <= whole->high;
        if (!fits || type == DType::boolean)
            return whole;
        return FiniteRange{std::trunc(range->low), std::trunc(range->high)};
    }
    const double most = largestOf(type);
    if (!range || most == 0)
        return std::nullopt;
    const bool fits = std::abs(range->low) <= most && std::abs(range->high) <= most;
    return fits ? range : std::nullopt;
}

Range ofTensor(const Tensor& tensor)
{
    const DoubleTensor all = asDouble(tensor);
    FiniteRange range{std::numeric_limits<double>::infinity(),
                      -std::numeric_limits<double>::infinity()};
    for (const double value : all.values) {
        if (std::isinf(value))
            return std::nullopt;
        if (std::isnan(value))
            continue;
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    if (range.low > range.high)
        return all.values.empty() ? std::nullopt : Range(FiniteRange{});
    return range;
}

Range both(const Range& a, const Range& b)
{
    if (!a || !b)
        return std::nullopt;
    return FiniteRange{std::min(a->low, b->low), std::max(a->high, b->high)};
}

Range times(const FiniteRange& a, const FiniteRange& b)
{
    const std::array all{a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high};
    const auto [low, high] = std::minmax_element(all.begin(), all.end());
    return FiniteRange{*low, *high};
}

class Reader
{
public:
    explicit Reader(const GraphView& view) : m_view(view) {}

    Range read(ValueId value)
    {
        const DType type = m_view.dtype(value);
        if (const TensorPtr tensor = m_view.constant(value))
            return tensor->isAvailable() ? ofTensor(*tensor) : std::nullopt;
        const Node* node = m_view.producerNode(value);
        const bool isFollowed = node && node->op.isStandard() && node->bodies.empty() &&
                                value == node->output(0) && m_budget.spend();
        if (!isFollowed)
            return wholeRange(type);
        return inType(made(*node), type);
    }

private:
    Range made(const Node& node)
    {
        constexpr std::array<std::string_view, 12> moves = {
            "Identity", "Reshape", "Transpose", "Unsqueeze", "Squeeze", "Expand",
            "Slice",    "Gather",  "Tile",      "Flatten",   "Split",   "Cast"};
        if (std::find(moves.begin(), moves.end(), node.op.type) != moves.end())
            return read(node.input(0));
        if (node.is("ConstantOfShape")) {
            const TensorPtr filled = node.attributes.getTensor("value");
            return filled ? ofTensor(*filled) : Range(FiniteRange{});
        }
        if (node.is("Sigmoid") || node.is("HardSigmoid") || node.is("Softmax"))
            return FiniteRange{0, 1};
        if (node.is("Tanh") || node.is("Erf"))
            return FiniteRange{-1, 1};
        if (node.is("Clip"))
            return ofClip(node);
        if (node.is("Trilu"))
            return both(read(node.input(0)), FiniteRange{});
        if (node.is("Where"))
            return both(read(node.input(1)), read(node.input(2)));
        if (node.is("Concat") || node.is("Min") || node.is("Max"))
            return overAll(node);
        if (node.is("Neg")) {
            const Range a = read(node.input(0));
            return a ? Range(FiniteRange{-a->high, -a->low}) : std::nullopt;
        }
        if (node.is("Add") || node.is("Sub") || node.is("Mul"))
            return ofTwo(node);
        return std::nullopt;
    }

    Range overAll(const Node& node)
    {
        Range all = read(node.input(0));
        for (std::size_t i = 1; all && i < node.inputs.size(); ++i)
            all = both(all, read(node.input(i)));
        return all;
    }

    // NaN stays; everything else, infinities too, comes between bounds that are in order.
    Range ofClip(const Node& node)
    {
        const int version = m_view.sinceVersion(node);
        ClipBounds bounds = clipBounds(node.attributes, version, m_view.dtype(node.input(0)));
        const auto given = [&](std::size_t input, double& bound) {
            const ValueId id = version < 11 ? ValueId{} : node.input(input);
            const auto number = id ? scalarConstant(m_view, id) : bound;
            bound = number.value_or(std::numeric_limits<double>::quiet_NaN());
        };
        given(1, bounds.low);
        given(2, bounds.high);
        const bool isFinite = std::isfinite(bounds.low) && std::isfinite(bounds.high);
        return isFinite && bounds.low <= bounds.high
                   ? Range(FiniteRange{bounds.low, bounds.high})
                   : std::nullopt;
    }

    Range ofTwo(const Node& node)
    {
        const Range a = read(node.input(0));
        const Range b = a ? read(node.input(1)) : std::nullopt;
        if (!a || !b)
            return std::nullopt;
        if (node.is("Mul"))
            return times(*a, *b);
        return node.is("Add") ? FiniteRange{a->low + b->low, a->high + b->high}
                              : FiniteRange{a->low - b->high, a->high - b->low};
    }

    const GraphView& m_view;
    SearchBudget m_budget;
};

} // namespace

std::optional<FiniteRange> finiteRange(const GraphView& view, ValueId value)
{
    return Reader(view).read(value);
}

} // namespace fusescope
