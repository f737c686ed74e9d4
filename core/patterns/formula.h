#pragma once

#include "patterns/conditions.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fusescope {

// Whether an operand counts as a constant: it is one, or would be one if the file were frozen.
bool countsAsConstant(const GraphView& view, ValueId value);

// The only reader of a value, by one edge; none if there are more, or a body's output.
NodeId onlyReader(const GraphView& view, ValueId value);

// The operand of a node of two that is no constant, and the one that is.
struct ScalarOperand
{
    ValueId data, constant;
    std::size_t dataIndex = 0;
};
std::optional<ScalarOperand> scalarOperand(const GraphView& view, const Node& node);

// How near a constant must be to its exact number, relative: 1e-5, or what its type can hold.
double toleranceOf(const GraphView& view, ValueId constant);
bool isNear(double found, double wanted, double tolerance = 1e-5);

// A number that a formula needs.
struct WantedNumber
{
    double value = 0;
    std::string text; // "√2 (1.41421356)"
};

// A formula written out: its nodes in no order but for the last one, and its constants.
struct FormulaNodes
{
    std::vector<NodeId> nodes; // the root is the last
    std::vector<ValueId> constants;

    void add(NodeId node);
    void addConstant(ValueId constant);
    bool contains(NodeId node) const;
};

// What holds for every formula that becomes one node: nodes of one body, of known versions, inner
// values read inside alone, constants that are constants of one number and no more axes than
// `data`, a type of floats, nothing pinned.
void checkFormula(Conditions& conditions, const FormulaNodes& formula, ValueId data);
// The numbers alone: constants of one element with no more axes than `data`, whose shape every
// operator of the formula would enlarge otherwise.
void checkNumbers(Conditions& conditions, std::span<const ValueId> numbers, ValueId data);
// The same of one number, constant or not: nothing where it adds no axis.
std::optional<Reason> addsAxes(const GraphView& view, ValueId number, ValueId data);
// The same of the nodes alone.
void checkFormulaNodes(Conditions& conditions, const FormulaNodes& formula, ValueId data);

// Readers of an inner value that are not among `inside`, outputs of bodies and captures.
std::vector<Reason> readersOutside(const MatchContext& context, ValueId value,
                                   const FormulaNodes& inside);

// One constant that is not what the formula wants: the first that is near none of the numbers.
std::optional<Reason> wrongNumber(const GraphView& view, std::span<const ValueId> constants,
                                  std::span<const WantedNumber> wanted);

// The match of a formula, with the title that names its operator.
Match formulaMatch(NodeId root, const FormulaNodes& formula, ValueId data, TextId title);

// Tells in the match that the model's opset has no `op` yet, which came with `since`.
void remarkOpset(const GraphView& view, const std::string& op, std::int64_t since, Match& match);

// A region of the formula's nodes; the root plays the main part.
void makeFormulaRegion(PatchBuilder& builder, const Match& match, std::string kind);
// One node of the type in place of the formula, which takes over the root's output.
void replaceFormula(PatchBuilder& builder, const Match& match, Node node);

// A polynomial of two variables: coefficients by powers of (x, f).
using Polynomial = std::map<std::pair<int, int>, double>;

// Sums, products, quotients by constants and whole powers over two values, as a polynomial.
class PolynomialReader
{
public:
    PolynomialReader(const GraphView& view, ValueId x, ValueId f) : m_view(view), m_x(x), m_f(f) {}

    // Nothing where another value, or another operator, comes in.
    std::optional<Polynomial> read(ValueId value);
    const FormulaNodes& formula() const { return m_formula; }
    // The polynomials of the inner values, in the order in which they were found.
    const std::vector<std::pair<ValueId, Polynomial>>& inner() const { return m_inner; }

private:
    std::optional<Polynomial> readNode(NodeId id, const Node& node);

    const GraphView& m_view;
    ValueId m_x, m_f;
    FormulaNodes m_formula;
    std::vector<std::pair<ValueId, Polynomial>> m_inner;
    int m_depth = 0;
};

// Same powers, coefficients near.
bool isNear(const Polynomial& found, const Polynomial& wanted, double tolerance);
// Same powers, whatever the coefficients.
bool sameTerms(const Polynomial& a, const Polynomial& b);

// The values of a tree of sums, products, quotients and powers, from the top.
std::vector<ValueId> arithmeticTree(const GraphView& view, ValueId value);
// The node that makes the first of these values that one of two types makes; no id where none does.
NodeId firstProducer(const GraphView& view, const std::vector<ValueId>& values, std::string_view type,
                     std::string_view other);

} // namespace fusescope
