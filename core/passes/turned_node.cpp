#include "passes/turned_node.h"

#include "ops/axes.h"
#include "ops/element_copy.h"
#include "passes/slices.h"
#include "passes/views.h"
#include "patterns/constants.h"
#include "patterns/proven.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace fusescope {

namespace {

using Ints = std::vector<std::int64_t>;

constexpr std::int64_t mostBytes = 1 << 20; // of a constant that is laid out anew

template <std::size_t N>
bool isAmong(const Node& node, const std::array<std::string_view, N>& names)
{
    return std::ranges::find(names, node.op.type) != names.end();
}

class Turning
{
public:
    Turning(const GraphView& view, const Node& node, const AxisOrder& order)
        : m_view(view), m_node(node), m_order(order), m_since(view.sinceVersion(node))
    {
        m_turned.node = node;
    }

    std::optional<TurnedNode> run()
    {
        if (!m_node.op.isStandard() || m_since == 0 || m_node.region || !m_node.bodies.empty() ||
            !m_node.input(0) || !m_node.output(0))
            return std::nullopt;
        m_turned.outputs.assign(m_node.outputs.size(), m_order);
        if (!turn())
            return std::nullopt;
        return std::move(m_turned);
    }

private:
    static constexpr std::array<std::string_view, 18> broadcasting{
        "Add",         "Sub",   "Mul",     "Div",           "Pow",            "And",
        "Or",          "Xor",   "Equal",   "Less",          "Greater",        "LessOrEqual",
        "GreaterOrEqual", "PRelu", "Where", "Mod",          "BitwiseAnd",     "BitwiseOr"};
    static constexpr std::array<std::string_view, 4> variadic{"Max", "Min", "Sum", "Mean"};
    static constexpr std::array<std::string_view, 3> softmaxes{"Softmax", "LogSoftmax", "Hardmax"};
    static constexpr std::array<std::string_view, 10> reductions{
        "ReduceMean",   "ReduceSum",       "ReduceMax", "ReduceMin", "ReduceProd",
        "ReduceL1",     "ReduceL2",        "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare"};

    bool turn()
    {
        if (isUnary(m_node) || m_node.is("Clip"))
            return first();
        if ((isAmong(m_node, broadcasting) && m_since >= 7) ||
            (isAmong(m_node, variadic) && m_since >= 8))
            return elementwise();
        if (m_node.is("Concat"))
            return concat();
        if (m_node.is("Split"))
            return m_since >= 2 && first() && mapAxis(0);
        if (isAmong(m_node, softmaxes))
            return m_since >= 13 && first() && mapAxis(-1);
        if (m_node.is("Pad"))
            return first() && pad();
        if (m_node.is("Slice"))
            return first() && slice();
        if (isAmong(m_node, reductions))
            return first() && reduce();
        if (m_node.is("ArgMax") || m_node.is("ArgMin"))
            return first() && chosen();
        if (m_node.is("Squeeze"))
            return first() && squeeze();
        if (m_node.is("Unsqueeze"))
            return first() && unsqueeze();
        return m_node.is("Gather") && first() && gather();
    }

    // The first input is the only one that is turned.
    bool first()
    {
        m_turned.data = {0};
        return true;
    }

    std::size_t rank() const { return m_order.size(); }

    Ints turnedAxes(const std::vector<std::size_t>& axes) const
    {
        Ints result;
        for (const std::size_t axis : axes)
            result.push_back(static_cast<std::int64_t>(m_order[axis]));
        return result;
    }

    bool mapAxis(std::int64_t fallback)
    {
        const auto axis = normalizeAxis(m_node.attributes.getInt("axis", fallback), rank());
        if (axis)
            setAttribute("axis", static_cast<std::int64_t>(m_order[*axis]));
        return axis.has_value();
    }
    template <class T>
    void setAttribute(const char* name, T value)
    {
        m_turned.node.attributes.set(Attribute(name, std::move(value)));
    }

    bool isTurnable(const Tensor& tensor) const
    {
        return tensor.rank() <= rank() && tensor.isAvailable() && tensor.byteSize() <= mostBytes;
    }

    // Operands broadcast from the right: those that are no constants have all axes.
    bool elementwise()
    {
        for (std::size_t i = 0; i < m_node.inputs.size(); ++i) {
            const ValueId input = m_node.inputs[i];
            if (!input)
                return false;
            const TensorPtr constant = m_view.constant(input);
            if (!constant) {
                m_turned.data.push_back(i);
                continue;
            }
            if (constant->elementCount() == 1 && constant->rank() <= rank())
                continue;
            if (!isTurnable(*constant))
                return false;
            m_turned.operands.push_back(i);
        }
        return true;
    }

    bool concat()
    {
        for (std::size_t i = 0; i < m_node.inputs.size(); ++i) {
            const ValueId input = m_node.inputs[i];
            const TensorPtr constant = input ? m_view.constant(input) : nullptr;
            if (!input || (constant && constant->rank() != rank()))
                return false;
            if (!constant) {
                m_turned.data.push_back(i);
                continue;
            }
            if (!isTurnable(*constant))
                return false;
            m_turned.operands.push_back(i);
        }
        return m_node.attributes.has("axis") && mapAxis(0);
    }

    // Of the type of another input, where the schema asks for one type.
    bool replaceInts(std::size_t input, const Ints& values, std::size_t like)
    {
        Tensor made = Tensor::allocate(m_view.constant(m_node.input(like))->dtype(),
                                       {static_cast<std::int64_t>(values.size())});
        for (std::size_t i = 0; i < values.size(); ++i)
            made.storeInt(static_cast<std::int64_t>(i), values[i]);
        m_turned.integers.emplace_back(input, std::move(made));
        return true;
    }

    bool pad()
    {
        const char* const attribute = m_since >= 2 ? "pads" : "paddings";
        const auto pads = m_since >= 11 ? integerConstant(m_view, m_node.input(1))
                                        : m_node.attributes.getInts(attribute);
        if (!pads)
            return false;
        if (m_node.input(3)) { // since version 18
            const auto axes = integerConstant(m_view, m_node.input(3));
            const auto at = axes ? normalizeAxes(*axes, rank()) : std::nullopt;
            return at && replaceInts(3, turnedAxes(*at), 3);
        }
        if (pads->size() != 2 * rank())
            return false;
        Ints turned(pads->size());
        for (std::size_t i = 0; i < rank(); ++i) {
            turned[m_order[i]] = (*pads)[i];
            turned[rank() + m_order[i]] = (*pads)[rank() + i];
        }
        if (m_since >= 11)
            return replaceInts(1, turned, 1);
        setAttribute(attribute, turned);
        return true;
    }

    // Starts, ends and steps stay; the axes that they are of change.
    bool slice()
    {
        const SliceLists lists = sliceLists(m_view, m_node);
        const auto at = lists.axes ? normalizeAxes(*lists.axes, rank()) : std::nullopt;
        if (!lists.starts || !at || at->size() != lists.starts->size())
            return false;
        if (m_since >= 10)
            return replaceInts(3, turnedAxes(*at), 1);
        setAttribute("axes", turnedAxes(*at));
        return true;
    }

    // The axes that the attribute or the input names; nothing where they are not known.
    std::optional<std::optional<Ints>> namedAxes(int inputSince) const
    {
        if (m_since >= inputSince) {
            if (!m_node.input(1))
                return std::optional<Ints>();
            auto axes = integerConstant(m_view, m_node.input(1));
            return axes ? std::optional(std::optional(*axes)) : std::nullopt;
        }
        return m_node.attributes.getInts("axes");
    }
    bool setAxes(int inputSince, const Ints& axes)
    {
        if (m_since >= inputSince)
            return replaceInts(1, axes, 1);
        setAttribute("axes", axes);
        return true;
    }

    // What is left of the order when these axes go.
    AxisOrder without(const std::vector<std::size_t>& axes) const
    {
        std::vector<bool> gone(rank());
        for (const std::size_t axis : axes)
            gone[m_order[axis]] = true;
        std::vector<std::size_t> place(rank());
        std::size_t next = 0;
        for (std::size_t i = 0; i < rank(); ++i)
            place[i] = gone[i] ? 0 : next++;
        AxisOrder left;
        for (std::size_t i = 0; i < rank(); ++i) {
            if (!gone[m_order[i]])
                left.push_back(place[m_order[i]]);
        }
        return left;
    }

    // Normalizations are written with means along the last axes, and are known by them.
    bool leavesTheEnd(const std::vector<std::size_t>& axes) const
    {
        const std::size_t first = rank() - axes.size();
        return std::ranges::all_of(axes, [first](std::size_t axis) { return axis >= first; }) &&
               std::ranges::any_of(axes, [&](std::size_t axis) { return m_order[axis] < first; });
    }

    bool reduce()
    {
        const int inputSince = m_node.is("ReduceSum") ? 13 : 18;
        const auto named = namedAxes(inputSince);
        if (!named)
            return false;
        const bool keeps = m_node.attributes.getInt("keepdims", 1) != 0;
        if (!*named || (*named)->empty()) {
            if (!keeps && m_node.attributes.getInt("noop_with_empty_axes", 0) == 0)
                m_turned.outputs = {AxisOrder()};
            return true;
        }
        const auto at = normalizeAxes(**named, rank());
        if (!at || (keeps && leavesTheEnd(*at)))
            return false;
        if (!keeps)
            m_turned.outputs = {without(*at)};
        return setAxes(inputSince, turnedAxes(*at));
    }

    bool chosen()
    {
        const auto axis = normalizeAxis(m_node.attributes.getInt("axis", 0), rank());
        if (axis && m_node.attributes.getInt("keepdims", 1) == 0)
            m_turned.outputs = {without({*axis})};
        return axis && mapAxis(0);
    }

    bool squeeze()
    {
        const auto named = namedAxes(13);
        if (!named || !*named || (*named)->empty())
            return false;
        const auto at = normalizeAxes(**named, rank());
        if (!at)
            return false;
        m_turned.outputs = {without(*at)};
        return setAxes(13, turnedAxes(*at));
    }

    // The new axes stand at the same places in both orders.
    bool unsqueeze()
    {
        const auto named = namedAxes(13);
        if (!named || !*named || (*named)->empty())
            return false;
        const std::size_t larger = rank() + (*named)->size();
        const auto at = normalizeAxes(**named, larger);
        if (!at)
            return false;
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < larger; ++i) {
            if (std::ranges::find(*at, i) == at->end())
                others.push_back(i);
        }
        AxisOrder order(larger);
        std::iota(order.begin(), order.end(), std::size_t{0});
        for (std::size_t i = 0; i < others.size(); ++i)
            order[others[i]] = others[m_order[i]];
        m_turned.outputs = {order};
        return true;
    }

    bool gather()
    {
        const TensorPtr indices = m_node.input(1) ? m_view.constant(m_node.input(1)) : nullptr;
        const auto axis = normalizeAxis(m_node.attributes.getInt("axis", 0), rank());
        if (!indices || indices->rank() > 1 || !axis)
            return false;
        if (indices->rank() == 0)
            m_turned.outputs = {without({*axis})};
        return mapAxis(0);
    }

    const GraphView& m_view;
    const Node& m_node;
    const AxisOrder& m_order;
    int m_since;
    TurnedNode m_turned;
};

} // namespace

bool isIdentity(const AxisOrder& order)
{
    return std::ranges::is_sorted(order);
}

AxisOrder reversedOrder(std::size_t rank)
{
    AxisOrder order(rank);
    std::iota(order.rbegin(), order.rend(), std::size_t{0});
    return order;
}

AxisOrder inverseOf(const AxisOrder& order)
{
    AxisOrder inverse(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        inverse[order[i]] = i;
    return inverse;
}

std::vector<std::int64_t> permOf(const AxisOrder& order)
{
    return {order.begin(), order.end()};
}

std::optional<AxisOrder> orderOf(const GraphView& view, const Node& transpose)
{
    AxisOrder order;
    if (const auto perm = transpose.attributes.getInts("perm")) {
        for (const std::int64_t axis : *perm)
            order.push_back(static_cast<std::size_t>(axis));
    } else {
        const Shape shape = provenShape(view, transpose.input(0));
        if (!shape.hasRank())
            return std::nullopt;
        order = reversedOrder(shape.rank());
    }
    AxisOrder sorted = order;
    std::ranges::sort(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (sorted[i] != i)
            return std::nullopt;
    }
    return order;
}

Tensor turnedConstant(const Tensor& tensor, const AxisOrder& order)
{
    Ints shape(order.size() - tensor.rank(), 1);
    shape.insert(shape.end(), tensor.shape().begin(), tensor.shape().end());
    Ints target(order.size()), steps(order.size());
    const Ints strides = stridesOf(shape);
    for (std::size_t i = 0; i < order.size(); ++i) {
        target[order[i]] = shape[i];
        steps[order[i]] = strides[i];
    }
    const auto count = static_cast<std::size_t>(tensor.elementCount());
    Tensor result = tensor.isString() ? Tensor::strings(target, std::vector<std::string>(count))
                                      : Tensor::allocate(tensor.dtype(), target);
    copyStrided(result, {0, stridesOf(target)}, tensor, {0, steps}, target);
    return result;
}

std::optional<TurnedNode> turnedNode(const GraphView& view, const Node& node, const AxisOrder& order)
{
    return Turning(view, node, order).run();
}

} // namespace fusescope
