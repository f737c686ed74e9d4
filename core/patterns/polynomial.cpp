#include "patterns/constants.h"
#include "patterns/formula.h"

#include <algorithm>
#include <cmath>

namespace fusescope {

namespace {

constexpr int deepest = 12;
constexpr int highestPower = 4;
constexpr std::size_t largestTree = 32;

Polynomial product(const Polynomial& a, const Polynomial& b)
{
    Polynomial result;
    for (const auto& [powerA, byA] : a) {
        for (const auto& [powerB, byB] : b)
            result[{powerA.first + powerB.first, powerA.second + powerB.second}] += byA * byB;
    }
    return result;
}

Polynomial sum(const Polynomial& a, const Polynomial& b, double sign)
{
    Polynomial result = a;
    for (const auto& [power, by] : b)
        result[power] += sign * by;
    return result;
}

std::optional<double> asConstant(const Polynomial& p)
{
    if (p.size() != 1 || p.begin()->first != std::pair(0, 0))
        return std::nullopt;
    return p.begin()->second;
}

bool tooHigh(const Polynomial& p)
{
    return std::any_of(p.begin(), p.end(), [](const auto& term) {
        return term.first.first > highestPower || term.first.second > highestPower;
    });
}

bool isArithmetic(const Node& node)
{
    return node.is("Mul") || node.is("Div") || node.is("Add") || node.is("Sub") || node.is("Pow") ||
           node.is("Neg");
}

} // namespace

std::optional<Polynomial> PolynomialReader::read(ValueId value)
{
    if (value == m_x)
        return Polynomial{{{1, 0}, 1.0}};
    if (value == m_f)
        return Polynomial{{{0, 1}, 1.0}};
    if (countsAsConstant(m_view, value)) {
        m_formula.addConstant(value);
        // What is no number yet is refused by its own condition.
        const TensorPtr tensor = m_view.constant(value);
        const bool readable =
            tensor && tensor->isAvailable() && !tensor->isString() && tensor->elementCount() > 0;
        return Polynomial{{{0, 0}, readable ? tensor->asDouble(0) : 1.0}};
    }
    for (const auto& [known, polynomial] : m_inner) {
        if (known == value)
            return polynomial;
    }
    const NodeId id = m_view.producer(value);
    const Node* node = m_view.node(id);
    if (!node || !isArithmetic(*node) || m_depth >= deepest)
        return std::nullopt;
    ++m_depth;
    std::optional<Polynomial> result = readNode(id, *node);
    --m_depth;
    if (!result || tooHigh(*result))
        return std::nullopt;
    m_formula.add(id);
    m_inner.emplace_back(value, *result);
    return result;
}

std::optional<Polynomial> PolynomialReader::readNode(NodeId, const Node& node)
{
    const auto first = read(node.input(0));
    if (!first)
        return std::nullopt;
    if (node.is("Neg"))
        return product(*first, Polynomial{{{0, 0}, -1.0}});
    const auto second = read(node.input(1));
    if (!second)
        return std::nullopt;
    if (node.is("Mul"))
        return product(*first, *second);
    if (node.is("Add") || node.is("Sub"))
        return sum(*first, *second, node.is("Add") ? 1.0 : -1.0);
    const auto number = asConstant(*second);
    if (!number)
        return std::nullopt;
    if (node.is("Div"))
        return product(*first, Polynomial{{{0, 0}, 1.0 / *number}});
    if (*number < 1 || *number > highestPower || *number != std::floor(*number))
        return std::nullopt;
    Polynomial result = *first;
    for (int i = 1; i < static_cast<int>(*number); ++i)
        result = product(result, *first);
    return result;
}

bool isNear(const Polynomial& found, const Polynomial& wanted, double tolerance)
{
    return sameTerms(found, wanted) &&
           std::all_of(wanted.begin(), wanted.end(), [&](const auto& term) {
               return isNear(found.at(term.first), term.second, tolerance);
           });
}

bool sameTerms(const Polynomial& a, const Polynomial& b)
{
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(),
                      [](const auto& x, const auto& y) { return x.first == y.first; });
}

std::vector<ValueId> arithmeticTree(const GraphView& view, ValueId value)
{
    std::vector<ValueId> tree{value};
    for (std::size_t i = 0; i < tree.size() && tree.size() < largestTree; ++i) {
        const Node* node = view.producerNode(tree[i]);
        if (!node || !isArithmetic(*node))
            continue;
        for (const ValueId input : node->inputs) {
            if (input && std::find(tree.begin(), tree.end(), input) == tree.end())
                tree.push_back(input);
        }
    }
    return tree;
}

NodeId firstProducer(const GraphView& view, const std::vector<ValueId>& values, std::string_view type,
                     std::string_view other)
{
    for (const ValueId value : values) {
        const Node* producer = view.producerNode(value);
        if (producer && (producer->is(type) || producer->is(other)))
            return view.producer(value);
    }
    return {};
}

} // namespace fusescope
