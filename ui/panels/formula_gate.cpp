#include "ui/panels/inspector_explain_page.h"
#include "ui/panels/step_formula.h"
#include "ui/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

// Functions of one number x that a file writes with several operators: each operator is computed at
// the chosen x, in double, with the file's own constants.
namespace fusescope {

namespace {

using E = Expression;
using namespace formulas;

constexpr double reach = 6;
constexpr double stride = 0.25;

double sigmoid(double x)
{
    return 1 / (1 + std::exp(-x));
}

double softplus(double x)
{
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

// What is needed of a node after the graph has gone.
struct Operation
{
    std::string type;
    std::vector<ValueId> inputs;
    ValueId output;
    double alpha = 0.2, beta = 0.5; // HardSigmoid
    std::optional<double> low, high;    // attributes of an old Clip
};

struct Chain
{
    std::vector<Operation> operations;
    std::vector<ValueId> constants;
    std::map<ValueId, double> numbers;
    ValueId x;
    std::string inner; // the operator that bends the curve
};

struct Done
{
    double value = 0;
    E shown;
};

E plain(const QString& before, double number, const QString& after = {})
{
    return E::text(before + text::value(number, 5) + after);
}

// The operator at its operands; nothing for one that no gate has.
std::optional<Done> compute(const Operation& node, const std::vector<double>& in)
{
    const std::string& type = node.type;
    const auto two = [&](double value, const QString& sign) {
        return Done{value, E::text(text::value(in[0], 5) + QStringLiteral(" %1 ").arg(sign)
                                   + inside(in[1], 5))};
    };
    if (in.size() == 2 && type == "Add")
        return two(in[0] + in[1], QStringLiteral("+"));
    if (in.size() == 2 && type == "Sub")
        return two(in[0] - in[1], QStringLiteral("−"));
    if (in.size() == 2 && type == "Mul")
        return two(in[0] * in[1], QStringLiteral("·"));
    if (in.size() == 2 && type == "Div")
        return Done{in[0] / in[1], E::fraction(plain({}, in[0]), plain({}, in[1]))};
    if (in.size() == 2 && type == "Pow")
        return Done{std::pow(in[0], in[1]),
                    E::sup(E::text(inside(in[0], 5)), E::text(text::value(in[1], 5)))};
    if (type == "Clip" && !in.empty()) {
        const double low = in.size() > 1 ? in[1] : node.low.value_or(-HUGE_VAL);
        const double high = in.size() > 2 ? in[2] : node.high.value_or(HUGE_VAL);
        return Done{std::min(std::max(in[0], low), high),
                    E::text(QStringLiteral("min(max(%1, %2), %3)")
                                .arg(text::value(in[0], 5), text::value(low, 4),
                                     text::value(high, 4)))};
    }
    if (in.size() != 1)
        return std::nullopt;
    const double x = in.front();
    const QString closing = QStringLiteral(")");
    if (type == "Neg")
        return Done{-x, E::text(QStringLiteral("−") + inside(x, 5))};
    if (type == "Erf")
        return Done{std::erf(x), plain(QStringLiteral("erf("), x, closing)};
    if (type == "Tanh")
        return Done{std::tanh(x), plain(QStringLiteral("tanh("), x, closing)};
    if (type == "Sigmoid")
        return Done{sigmoid(x), plain(QStringLiteral("σ("), x, closing)};
    if (type == "Log")
        return Done{std::log(x), plain(QStringLiteral("ln("), x, closing)};
    if (type == "Softplus")
        return Done{softplus(x),
                    E::row({E::text(QStringLiteral("ln(1 + ")),
                            E::sup(E::text(QStringLiteral("e")), E::text(text::value(x, 5))),
                            E::text(closing)})};
    if (type == "Exp")
        return Done{std::exp(x),
                    E::sup(E::text(QStringLiteral("e")), E::text(text::value(x, 5)))};
    if (type == "Sqrt")
        return Done{std::sqrt(x), E::squareRoot(plain({}, x))};
    if (type == "Reciprocal")
        return Done{1 / x, E::fraction(E::text(QStringLiteral("1")), plain({}, x))};
    if (type == "HardSigmoid")
        return Done{std::clamp(node.alpha * x + node.beta, 0.0, 1.0),
                    E::text(QStringLiteral("min(max(%1 · %2 + %3, 0), 1)")
                                .arg(text::value(node.alpha, 5), inside(x, 5),
                                     text::value(node.beta, 5)))};
    if (type == "Identity" || type == "Cast")
        return Done{x, plain({}, x)};
    return std::nullopt;
}

// The results of all operators at x; as many as could be computed.
std::vector<Done> run(const Chain& chain, double x)
{
    std::map<ValueId, double> known = chain.numbers;
    known[chain.x] = x;
    std::vector<Done> results;
    for (const Operation& node : chain.operations) {
        std::vector<double> in;
        for (const ValueId id : node.inputs) {
            const auto found = known.find(id);
            if (found == known.end())
                return results;
            in.push_back(found->second);
        }
        auto done = compute(node, in);
        if (!done)
            return results;
        known[node.output] = done->value;
        results.push_back(std::move(*done));
    }
    return results;
}

std::optional<double> last(const Chain& chain, double x)
{
    const std::vector<Done> results = run(chain, x);
    if (results.empty() || results.size() != chain.operations.size())
        return std::nullopt;
    return results.back().value;
}

Chain read(const Graph& before, const Step& step)
{
    Chain chain;
    std::vector<ValueId> made;
    for (const Node* node : takenNodes(before, step)) {
        Operation operation{node->op.type, node->inputs, node->output(0), 0.2, 0.5, {}, {}};
        operation.alpha = static_cast<double>(node->attributes.getFloat("alpha", 0.2f));
        operation.beta = static_cast<double>(node->attributes.getFloat("beta", 0.5f));
        if (node->is("Clip") && node->inputs.size() == 1) {
            operation.low = static_cast<double>(node->attributes.getFloat("min", -HUGE_VALF));
            operation.high = static_cast<double>(node->attributes.getFloat("max", HUGE_VALF));
        }
        for (const ValueId id : node->inputs) {
            const auto number = scalar(before, id);
            if (number && chain.numbers.emplace(id, *number).second)
                chain.constants.push_back(id);
            else if (!number && std::ranges::find(made, id) == made.end() && !chain.x)
                chain.x = id;
        }
        for (const std::string_view type : {"Erf", "Tanh", "Sigmoid", "Exp", "Clip"}) {
            if (chain.inner.empty() && node->is(type))
                chain.inner = type;
        }
        made.push_back(node->output(0));
        chain.operations.push_back(std::move(operation));
    }
    return chain;
}

// α of x · σ(αx): the constant that x is multiplied with.
double steepness(const Chain& chain)
{
    for (const Operation& node : chain.operations) {
        if (node.type != "Mul" || node.inputs.size() != 2)
            continue;
        for (std::size_t i = 0; i < 2; ++i) {
            const auto found = chain.numbers.find(node.inputs[i]);
            if (found != chain.numbers.end() && node.inputs[1 - i] == chain.x)
                return found->second;
        }
    }
    return 1;
}

// The function as its definition has it: Gelu, HardSwish and Mish by the operators of that name.
struct Wanted
{
    QString name;
    E formula;
    std::function<double(double)> value;
};

Wanted wantedOf(RuleId rule, const Chain& chain)
{
    const auto word = [](const char* words) { return E::text(QString::fromUtf8(words)); };
    const E y = E::row({E::strong(QStringLiteral("y")), E::text(QStringLiteral(" = "))});
    const E half = E::fraction(word("x"), word("2"));
    if (rule == "gelu" && chain.inner == "Tanh")
        return {QStringLiteral("Gelu"),
                E::row({y, half, word(" · (1 + tanh("),
                        E::squareRoot(E::text(QStringLiteral("2/π"))),
                        word(" · (x + 0.044715 · x³)))")}),
                [](double x) {
                    return x / 2
                           * (1 + std::tanh(std::sqrt(2 / std::numbers::pi)
                                            * (x + 0.044715 * x * x * x)));
                }};
    if (rule == "gelu")
        return {QStringLiteral("Gelu"),
                E::row({y, half, word(" · (1 + erf("),
                        E::fraction(word("x"), E::squareRoot(word("2"))), word("))")}),
                [](double x) { return x / 2 * (1 + std::erf(x / std::numbers::sqrt2)); }};
    if (rule == "quick-gelu") {
        const double alpha = steepness(chain);
        return {QStringLiteral("QuickGelu"),
                E::row({y, word("x · σ(αx) = "),
                        E::fraction(word("x"),
                                    E::row({word("1 + "), E::sup(word("e"), word("−αx"))}))}),
                [alpha](double x) { return x * sigmoid(alpha * x); }};
    }
    if (rule == "hard-swish")
        return {QStringLiteral("HardSwish"),
                E::row({y, E::fraction(word("x"), word("6")), word(" · min(max(x + 3, 0), 6)")}),
                [](double x) { return x * std::clamp(x + 3, 0.0, 6.0) / 6; }};
    if (rule == "mish")
        return {QStringLiteral("Mish"),
                E::row({y, word("x · tanh(ln(1 + "), E::sup(word("e"), word("x")), word("))")}),
                [](double x) { return x * std::tanh(softplus(x)); }};
    return {QStringLiteral("SiLU"),
            E::row({y, word("x · σ(x) = "),
                    E::fraction(word("x"), E::row({word("1 + "), E::sup(word("e"), word("−x"))}))}),
            [](double x) { return x * sigmoid(x); }};
}

FormulaNumbers atPlace(const Chain& chain, double x)
{
    FormulaNumbers shown;
    const std::vector<Done> results = run(chain, x);
    for (std::size_t i = 0; i < results.size(); ++i) {
        const QString result = text::value(results[i].value, 5);
        shown.lines.push_back(
            E::row({E::secondary(QString::fromStdString(chain.operations[i].type)
                                 + QStringLiteral("  ")),
                    results[i].shown, E::text(QStringLiteral(" = ")),
                    i + 1 == results.size() ? E::result(result) : E::text(result)}));
    }
    shown.note = ExplainPage::tr("The operators of the file at x = %1, computed in float64 with the "
                                 "file's constants.").arg(text::value(x, 4));
    for (const ValueId id : chain.constants)
        shown.tensors.push_back({QString(), id, text::value(chain.numbers.at(id), 6)});
    return shown;
}

} // namespace

StepFormula gateFormula(const Graph& before, const Graph&, const Step& step)
{
    const Chain chain = read(before, step);
    const Wanted wanted = wantedOf(step.rule, chain);
    StepFormula formula;
    formula.headline =
        ExplainPage::tr("%n operator(s) are one %1", nullptr,
                        static_cast<int>(chain.operations.size())).arg(wanted.name);
    formula.words =
        ExplainPage::tr("Written out, each operator reads a whole tensor and writes another one. As "
                        "one, every number is read once, the formula is computed, and the result "
                        "is written.");
    formula.general.push_back(wanted.formula);
    double worst = 0;
    for (double x = -reach; x <= reach; x += stride) {
        const auto value = last(chain, x);
        if (!value)
            return formula;
        formula.bars.push_back(*value);
        worst = std::max(worst, std::abs(*value - wanted.value(x)));
    }
    formula.choice = QStringLiteral("x");
    formula.isFunction = true;
    formula.first = -reach;
    formula.stride = stride;
    formula.count = static_cast<int>(formula.bars.size());
    formula.barsTitle = ExplainPage::tr("y at every x");
    formula.barsName = ExplainPage::tr("The function's curve");
    bool isHalf = false;
    for (const ValueId id : chain.constants)
        isHalf |= before.constant(id)->dtype() == DType::float16
                  || before.constant(id)->dtype() == DType::bfloat16;
    // Constants count as equal within 1e-5 of their size, or what a half can hold.
    formula.holds = worst <= (isHalf ? 5e-2 : 2e-4);
    formula.check =
        (formula.holds ? ExplainPage::tr("✓ Checked: from −%1 to %1 the file's operators give %2, max "
                                         "|Δ| %3.")
                       : ExplainPage::tr("! From −%1 to %1 the file's operators differ from %2 by "
                                         "max |Δ| %3."))
            .arg(text::value(reach), wanted.name, text::scientific(worst));
    formula.numbers = [chain](int i) { return atPlace(chain, -reach + stride * i); };
    return formula;
}

} // namespace fusescope
