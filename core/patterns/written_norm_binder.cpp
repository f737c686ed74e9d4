#include "patterns/written_norm_binder.h"

#include "patterns/constants.h"

#include <algorithm>

namespace fusescope {

namespace {

// Whether a value has the shape that a reduction would give with keepdims=1.
bool bringsAxesBack(const GraphView& view, const Node& reduction, ValueId value)
{
    const Shape& x = view.shape(reduction.input(0));
    const auto axis = trailingAxis(view, reduction);
    if (!x.hasRank() || !axis)
        return false;
    std::vector<Dim> kept(x.dims().begin(), x.dims().end() + *axis);
    kept.resize(x.rank(), Dim(1));
    return provablyEqual(view.shape(value), Shape::of(std::move(kept)));
}

} // namespace

bool isTwo(const Node& node)
{
    return node.op.isStandard() && node.inputs.size() == 2 && node.input(0) && node.input(1);
}

bool WrittenNormBinder::quotient(NodeId id, ValueId numerator, ValueId root)
{
    if (!rootAt(root))
        return false;
    m_norm.quotient = id;
    m_norm.deviation = numerator;
    return base(numerator);
}

bool WrittenNormBinder::product(NodeId id, ValueId numerator, ValueId inverse)
{
    if (!inverseRootAt(inverse))
        return false;
    m_norm.quotient = id;
    m_norm.deviation = numerator;
    return base(numerator);
}

bool WrittenNormBinder::spread(NodeId id, ValueId x, ValueId mean, ValueId inverse)
{
    if (!inverseRootAt(inverse))
        return false;
    const auto center = centerAt(m_squared);
    if (!center || center->x != x || center->average != mean)
        return false;
    m_norm.quotient = id;
    m_norm.deviation = m_squared;
    m_norm.centered = true;
    m_norm.x = x;
    m_norm.center = center->sub;
    m_norm.mean = center->mean.mean;
    take(center->mean);
    m_norm.formula.add(center->sub);
    return true;
}

bool WrittenNormBinder::rootAt(ValueId root)
{
    const NodeId id = m_view.producer(root);
    const Node* node = m_view.node(id);
    if (!node || !node->is("Sqrt") || !rest(node->input(0)))
        return false;
    m_norm.formula.add(id);
    return true;
}

bool WrittenNormBinder::inverseRootAt(ValueId inverse)
{
    const NodeId id = m_view.producer(inverse);
    const Node* node = m_view.node(id);
    if (!node || !node->op.isStandard())
        return false;
    ValueId constant;
    bool bound = false;
    if (node->is("Reciprocal")) {
        bound = rootAt(node->input(0));
    } else if (node->is("Div") && scalarConstant(m_view, node->input(0)) == 1.0) {
        constant = node->input(0);
        bound = rootAt(node->input(1));
    } else if (node->is("Pow") && scalarConstant(m_view, node->input(1)) == -0.5) {
        constant = node->input(1);
        bound = rest(node->input(0));
    }
    if (!bound)
        return false;
    m_norm.formula.add(id);
    m_norm.formula.addConstant(constant);
    return true;
}

// mean(d²) + ε
bool WrittenNormBinder::rest(ValueId shifted)
{
    m_norm.epsilonAdd = m_view.producer(shifted);
    const Node* add = m_view.node(m_norm.epsilonAdd);
    if (!add || !add->is("Add") || !isTwo(*add))
        return false;
    Mean mean;
    for (std::size_t i = 0; i < 2 && !m_norm.variance; ++i) {
        mean = meanAt(add->input(i));
        if (!mean.mean || !square(m_view.node(mean.mean)->input(0)))
            continue;
        m_norm.variance = mean.mean;
        m_norm.epsilon = add->input(1 - i);
    }
    if (!m_norm.variance)
        return false;
    m_norm.formula.add(m_norm.square);
    take(mean);
    m_norm.formula.add(m_norm.epsilonAdd);
    return true;
}

bool WrittenNormBinder::square(ValueId value)
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
bool WrittenNormBinder::base(ValueId numerator)
{
    if (const auto center = centerAt(numerator)) {
        if (numerator != m_squared) {
            const auto again = centerAt(m_squared);
            if (!again || again->x != center->x)
                return false;
            m_norm.formula.add(again->sub);
            take(again->mean);
            m_norm.squaredMean = again->mean.mean;
        }
        m_norm.centered = true;
        m_norm.x = center->x;
        m_norm.center = center->sub;
        m_norm.mean = center->mean.mean;
        m_norm.turnedCenter = center->turned;
        take(center->mean);
        m_norm.formula.add(center->sub);
        return true;
    }
    m_norm.x = numerator;
    return numerator == m_squared;
}

WrittenNormBinder::Mean WrittenNormBinder::meanAt(ValueId value) const
{
    const NodeId id = m_view.producer(value);
    const Node* node = m_view.node(id);
    if (node && node->is("ReduceMean"))
        return {id, {}};
    if (!node || !(node->is("Unsqueeze") || node->is("Reshape")))
        return {};
    const NodeId inner = m_view.producer(node->input(0));
    const Node* mean = m_view.node(inner);
    if (!mean || !mean->is("ReduceMean") || !bringsAxesBack(m_view, *mean, value))
        return {};
    return {inner, id};
}

void WrittenNormBinder::take(const Mean& mean)
{
    m_norm.formula.add(mean.mean);
    if (!mean.expand)
        return;
    m_norm.formula.add(mean.expand);
    m_norm.expanded.push_back(mean.mean);
}

std::optional<WrittenNormBinder::Center> WrittenNormBinder::centerAt(ValueId value) const
{
    const NodeId id = m_view.producer(value);
    const Node* sub = m_view.node(id);
    if (!sub || !sub->is("Sub") || !isTwo(*sub))
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        const ValueId average = sub->input(1 - i);
        const Mean mean = meanAt(average);
        if (mean.mean && m_view.node(mean.mean)->input(0) == sub->input(i))
            return Center{id, mean, sub->input(i), average, i == 1};
    }
    return std::nullopt;
}

} // namespace fusescope
