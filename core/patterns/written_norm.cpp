#include "patterns/written_norm.h"

#include "patterns/constants.h"

#include <algorithm>

// Binding by operators alone; the conditions stand in written_norm_conditions.cpp.
namespace fusescope {

namespace {

bool isTwo(const Node& node)
{
    return node.op.isStandard() && node.inputs.size() == 2 && node.input(0) && node.input(1);
}

// Binds the square root and what is below it; false where the operators are others.
class Binder
{
public:
    Binder(const GraphView& view, WrittenNorm& norm) : m_view(view), m_norm(norm) {}

    // num / √(mean(s²) + ε)
    bool quotient(NodeId id, ValueId numerator, ValueId root)
    {
        const NodeId rootId = m_view.producer(root);
        const Node* node = m_view.node(rootId);
        if (!node || !node->is("Sqrt") || !rest(node->input(0)))
            return false;
        m_norm.quotient = id;
        m_norm.deviation = numerator;
        m_norm.formula.add(rootId);
        return base(numerator);
    }

    // num · (mean(s²) + ε)^−½ and num · 1/√(mean(s²) + ε)
    bool product(NodeId id, ValueId numerator, ValueId inverse)
    {
        const NodeId inverseId = m_view.producer(inverse);
        const Node* node = m_view.node(inverseId);
        if (!node || !node->op.isStandard())
            return false;
        ValueId root;
        if (node->is("Reciprocal"))
            root = node->input(0);
        else if (node->is("Div") && scalarConstant(m_view, node->input(0)) == 1.0)
            root = node->input(1);
        else if (node->is("Pow") && scalarConstant(m_view, node->input(1)) == -0.5)
            return power(id, numerator, inverseId, *node);
        if (!root)
            return false;
        m_norm.formula.add(inverseId);
        if (node->is("Div"))
            m_norm.formula.addConstant(node->input(0));
        return quotient(id, numerator, root);
    }

private:
    bool power(NodeId id, ValueId numerator, NodeId powId, const Node& pow)
    {
        if (!rest(pow.input(0)))
            return false;
        m_norm.formula.add(powId);
        m_norm.formula.addConstant(pow.input(1));
        m_norm.quotient = id;
        m_norm.deviation = numerator;
        return base(numerator);
    }

    // mean(s²) + ε
    bool rest(ValueId shifted)
    {
        m_norm.epsilonAdd = m_view.producer(shifted);
        const Node* add = m_view.node(m_norm.epsilonAdd);
        if (!add || !add->is("Add") || !isTwo(*add))
            return false;
        for (std::size_t i = 0; i < 2 && !m_norm.variance; ++i) {
            const NodeId id = m_view.producer(add->input(i));
            const Node* mean = m_view.node(id);
            if (!mean || !mean->is("ReduceMean") || !square(mean->input(0)))
                continue;
            m_norm.variance = id;
            m_norm.epsilon = add->input(1 - i);
        }
        if (!m_norm.variance)
            return false;
        m_norm.formula.add(m_norm.square);
        m_norm.formula.add(m_norm.variance);
        m_norm.formula.add(m_norm.epsilonAdd);
        return true;
    }

    bool square(ValueId value)
    {
        m_norm.square = m_view.producer(value);
        const Node* node = m_view.node(m_norm.square);
        if (!node || !isTwo(*node))
            return false;
        if (node->is("Pow")) {
            m_norm.exponent = node->input(1);
            m_squared = node->input(0);
            return true;
        }
        m_squared = node->input(0);
        return node->is("Mul") && node->input(0) == node->input(1);
    }

    // What is squared is what is divided: x itself, or x − mean(x), once or computed twice.
    bool base(ValueId numerator)
    {
        if (const auto center = centerAt(numerator)) {
            if (numerator != m_squared) {
                const auto again = centerAt(m_squared);
                if (!again || again->x != center->x)
                    return false;
                m_norm.formula.add(again->sub);
                m_norm.formula.add(again->mean);
                m_norm.squaredMean = again->mean;
            }
            m_norm.centered = true;
            m_norm.x = center->x;
            m_norm.center = center->sub;
            m_norm.mean = center->mean;
            m_norm.turnedCenter = center->turned;
            m_norm.formula.add(center->mean);
            m_norm.formula.add(center->sub);
            return true;
        }
        m_norm.x = numerator;
        return numerator == m_squared;
    }

    struct Center
    {
        NodeId sub, mean;
        ValueId x;
        bool turned = false;
    };
    std::optional<Center> centerAt(ValueId value) const
    {
        const NodeId id = m_view.producer(value);
        const Node* sub = m_view.node(id);
        if (!sub || !sub->is("Sub") || !isTwo(*sub))
            return std::nullopt;
        for (std::size_t i = 0; i < 2; ++i) {
            const NodeId meanId = m_view.producer(sub->input(1 - i));
            const Node* mean = m_view.node(meanId);
            if (mean && mean->is("ReduceMean") && mean->input(0) == sub->input(i))
                return Center{id, meanId, sub->input(i), i == 1};
        }
        return std::nullopt;
    }

    const GraphView& m_view;
    WrittenNorm& m_norm;
    ValueId m_squared;
};

// γ or β, as far as shapes show it: nothing along the axes that are not normalized. A gate or a
// residual of the data's own shape is neither.
bool mayBeParameter(const GraphView& view, const WrittenNorm& norm, ValueId operand)
{
    const Shape& shape = view.shape(operand);
    const auto axis = trailingAxis(view, *view.node(norm.variance));
    if (countsAsConstant(view, operand) || !shape.hasRank() || !axis)
        return true;
    const auto normalized = static_cast<std::size_t>(-*axis);
    for (std::size_t i = 0; i + normalized < shape.rank(); ++i) {
        if (shape[i].constant() != 1)
            return false;
    }
    return true;
}

std::optional<WrittenNorm> coreAt(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !isTwo(*node) || node->region || !(node->is("Div") || node->is("Mul")))
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        WrittenNorm norm;
        Binder binder(view, norm);
        const bool bound = node->is("Div") ? binder.quotient(id, node->input(i), node->input(1 - i))
                                           : binder.product(id, node->input(i), node->input(1 - i));
        if (!bound)
            continue;
        norm.turnedQuotient = node->is("Div") && i == 1;
        norm.formula.add(id);
        return norm;
    }
    return std::nullopt;
}

std::optional<WrittenNorm> scaledAt(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node || !node->is("Mul") || !isTwo(*node))
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        auto norm = coreAt(view, view.producer(node->input(i)));
        if (!norm || !mayBeParameter(view, *norm, node->input(1 - i)))
            continue;
        norm->scaleNode = id;
        norm->scale = node->input(1 - i);
        norm->formula.add(id);
        return norm;
    }
    return std::nullopt;
}

} // namespace

std::optional<WrittenNorm> writtenNormAt(const GraphView& view, NodeId root)
{
    const Node* node = view.node(root);
    if (!node)
        return std::nullopt;
    if (auto core = coreAt(view, root))
        return core;
    if (auto scaled = scaledAt(view, root))
        return scaled;
    if (!node->is("Add") || !isTwo(*node))
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        const NodeId inner = view.producer(node->input(i));
        auto norm = scaledAt(view, inner);
        if (!norm)
            norm = coreAt(view, inner);
        // A root mean square has no shift: the Add is something else.
        if (!norm || !norm->centered || !mayBeParameter(view, *norm, node->input(1 - i)))
            continue;
        norm->shiftNode = root;
        norm->shift = node->input(1 - i);
        norm->formula.add(root);
        return norm;
    }
    return std::nullopt;
}

std::optional<std::vector<std::int64_t>> reducedAxes(const GraphView& view, const Node& node)
{
    if (const auto axes = node.attributes.getInts("axes"))
        return axes;
    if (!node.input(1))
        return std::vector<std::int64_t>();
    return integerConstant(view, node.input(1));
}

std::optional<std::int64_t> trailingAxis(const GraphView& view, const Node& reduction)
{
    auto axes = reducedAxes(view, reduction);
    if (!axes)
        return std::nullopt;
    const Shape& shape = view.shape(reduction.input(0));
    const auto rank = static_cast<std::int64_t>(shape.rank());
    if (axes->empty()) {
        if (!shape.hasRank() || rank == 0 || reduction.attributes.getInt("noop_with_empty_axes", 0))
            return std::nullopt;
        return -rank;
    }
    for (std::int64_t& axis : *axes) {
        if (axis >= 0 && !shape.hasRank())
            return std::nullopt;
        axis = axis >= 0 ? axis - rank : axis;
    }
    std::sort(axes->begin(), axes->end());
    for (std::size_t i = 0; i < axes->size(); ++i) {
        if ((*axes)[i] != -static_cast<std::int64_t>(axes->size() - i))
            return std::nullopt;
    }
    return axes->front();
}

} // namespace fusescope
