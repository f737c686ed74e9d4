#include "patterns/formula.h"

#include "patterns/constants.h"
#include "patterns/reasons.h"
#include "patterns/saw.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

namespace {

constexpr std::array floats = {DType::float32, DType::float64, DType::float16, DType::bfloat16};

// Before version 7 these broadcast only where an attribute says so.
std::optional<Reason> oldBroadcast(const MatchContext& context, NodeId id)
{
    constexpr std::array<std::string_view, 4> arithmetic = {"Add", "Sub", "Mul", "Div"};
    constexpr std::array known = {7, 13, 14};
    const Node& node = *context.view.node(id);
    if (std::find(arithmetic.begin(), arithmetic.end(), node.op.type) == arithmetic.end())
        return std::nullopt;
    return knownVersion(context, id, known);
}

} // namespace

bool countsAsConstant(const GraphView& view, ValueId value)
{
    return value && (view.constant(value) || view.graph().isOverridable(value));
}

NodeId onlyReader(const GraphView& view, ValueId value)
{
    const auto uses = view.uses(value);
    return uses.size() == 1 && !uses.front().isBodyOutput() ? uses.front().node : NodeId{};
}

std::optional<ScalarOperand> scalarOperand(const GraphView& view, const Node& node)
{
    if (node.inputs.size() != 2)
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        if (countsAsConstant(view, node.input(1 - i)) && !countsAsConstant(view, node.input(i)))
            return ScalarOperand{node.input(i), node.input(1 - i), i};
    }
    return std::nullopt;
}

double toleranceOf(const GraphView& view, ValueId constant)
{
    const TensorPtr tensor = view.constant(constant);
    // Half a step of the type: the nearest number that it has.
    if (tensor && tensor->dtype() == DType::float16)
        return 0x1p-11;
    if (tensor && tensor->dtype() == DType::bfloat16)
        return 0x1p-8;
    return 1e-5;
}

bool isNear(double found, double wanted, double tolerance)
{
    return std::abs(found - wanted) <= tolerance * std::abs(wanted);
}

void FormulaNodes::add(NodeId node)
{
    if (node && !contains(node))
        nodes.push_back(node);
}

void FormulaNodes::addConstant(ValueId constant)
{
    if (constant && std::find(constants.begin(), constants.end(), constant) == constants.end())
        constants.push_back(constant);
}

bool FormulaNodes::contains(NodeId node) const
{
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

std::vector<Reason> readersOutside(const MatchContext& context, ValueId value,
                                   const FormulaNodes& inside)
{
    const GraphView& view = context.view;
    const Node& last = *view.node(inside.nodes.back());
    const NodeId producer = view.producer(value);
    const Readers readers = readersOf(context, value, last.body, inside.nodes);
    std::vector<Reason> found;
    for (const BodyId body : readers.outputsOf)
        found.push_back(reasons::graphOutput(view.graph(), value, body));
    for (const BodyId body : readers.capturing)
        found.push_back(reasons::subgraphCapture(view.graph(), value, body));
    if (readers.count > 0)
        found.push_back(reasons::multiConsumer(value, producer, readers.reader, readers.others,
                                               readers.count));
    if (context.policy.pinnedValues.contains(value))
        found.push_back(reasons::pinnedValue(value));
    return found;
}

void checkFormulaNodes(Conditions& conditions, const FormulaNodes& formula, ValueId data)
{
    const MatchContext& context = conditions.context();
    const GraphView& view = context.view;
    const NodeId root = formula.nodes.back();
    std::optional<Reason> apart, old;
    for (const NodeId id : formula.nodes) {
        if (!apart)
            apart = sameScope(context, id, root);
        if (!old)
            old = oldBroadcast(context, id);
    }
    conditions.check("condition.same-scope", std::move(apart));
    conditions.check("condition.version", std::move(old));
    conditions.check("condition.float-type", hasType(context, data, floats), saw::type(context, data));
    std::vector<Reason> readers;
    for (const NodeId id : formula.nodes) {
        if (id == root)
            continue;
        for (const ValueId output : view.node(id)->outputs) {
            for (Reason& reason : readersOutside(context, output, formula))
                readers.push_back(std::move(reason));
        }
    }
    conditions.check("condition.read-inside", std::move(readers));
    conditions.checkNotPinned(formula.nodes);
}

std::optional<Reason> addsAxes(const GraphView& view, ValueId number, ValueId data)
{
    const Shape& own = view.shape(number);
    const Shape& shape = view.shape(data);
    if (!own.hasRank() || own.rank() == 0)
        return std::nullopt;
    if (!shape.hasRank())
        return reasons::unknownShape(data, shape);
    if (own.rank() > shape.rank())
        return reasons::broadcastEnlarges(number, own, shape);
    return std::nullopt;
}

void checkNumbers(Conditions& conditions, std::span<const ValueId> numbers, ValueId data)
{
    const GraphView& view = conditions.context().view;
    conditions.checkConstants("condition.constant-numbers", numbers);
    std::optional<Reason> enlarges, several;
    for (const ValueId constant : numbers) {
        const TensorPtr tensor = view.constant(constant);
        if (!tensor)
            continue;
        if (tensor->elementCount() != 1 && !several)
            several = reasons::notOneNumber(constant, Shape::ofSizes(tensor->shape()));
        if (!enlarges)
            enlarges = addsAxes(view, constant, data);
    }
    conditions.check("condition.one-number", std::move(several));
    conditions.check("condition.no-more-axes", std::move(enlarges));
}

void checkFormula(Conditions& conditions, const FormulaNodes& formula, ValueId data)
{
    checkFormulaNodes(conditions, formula, data);
    checkNumbers(conditions, formula.constants, data);
}

std::optional<Reason> wrongNumber(const GraphView& view, std::span<const ValueId> constants,
                                  std::span<const WantedNumber> wanted)
{
    std::vector<bool> taken(wanted.size(), false);
    ValueId wrong;
    double found = 0;
    for (const ValueId constant : constants) {
        const auto number = scalarConstant(view, constant);
        if (!number)
            continue;
        const double tolerance = toleranceOf(view, constant);
        const auto near = std::find_if(wanted.begin(), wanted.end(), [&](const WantedNumber& w) {
            return isNear(*number, w.value, tolerance);
        });
        if (near != wanted.end()) {
            taken[static_cast<std::size_t>(near - wanted.begin())] = true;
        } else if (!wrong) {
            wrong = constant;
            found = *number;
        }
    }
    if (!wrong)
        return std::nullopt;
    // Of the numbers that no constant is, the nearest is what was meant.
    const WantedNumber* meant = nullptr;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!taken[i] &&
            (!meant || std::abs(wanted[i].value - found) < std::abs(meant->value - found)))
            meant = &wanted[i];
    }
    return reasons::unexpectedConstant(wrong, found, meant ? meant->text : wanted.front().text);
}

Match formulaMatch(NodeId root, const FormulaNodes& formula, ValueId data, TextId title)
{
    Match match;
    match.root = root;
    for (const NodeId node : formula.nodes)
        match.nodes.emplace_back(node == root ? "root" : "part", node);
    match.values.emplace_back("data", data);
    match.title = Message(title, {{"node", root}});
    return match;
}

void remarkOpset(const GraphView& view, const std::string& op, std::int64_t since, Match& match)
{
    const std::int64_t opset = view.opset(*view.node(match.root));
    if (opset < since)
        match.remarks.push_back(reasons::opsetTooOld(match.root, op, since, opset));
}

void makeFormulaRegion(PatchBuilder& builder, const Match& match, std::string kind)
{
    std::vector<NodeId> nodes;
    std::vector<std::pair<NodeId, Role>> roles;
    for (const auto& [role, node] : match.nodes) {
        nodes.push_back(node);
        roles.emplace_back(node, role == "root" ? Role::main : Role::part);
    }
    builder.makeRegion(std::move(kind), nodes, roles);
}

void replaceFormula(PatchBuilder& builder, const Match& match, Node node)
{
    const Node root = *builder.node(match.root);
    node.body = root.body;
    if (node.name.empty())
        node.name = root.name;
    node.outputs = {root.output(0)};
    for (const auto& entry : match.nodes)
        builder.removeNode(entry.second);
    builder.addNode(std::move(node));
}

} // namespace fusescope
