#include "ui/panels/inspector_explain_page.h"
#include "ui/panels/step_formula.h"
#include "ui/text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fusescope {

namespace {

using E = Expression;
using namespace formulas;

struct Normalization
{
    bool centered = false;
    bool isOperator = false; // not a region
    std::size_t operators = 0;
    ValueId gamma, beta, epsilon, exponent; // as the file had them
    std::optional<double> added;            // the number under the root
    double used = 0;                        // the ε that stands there now
    double power = 2;
    std::vector<double> scales, shifts;
};

// The operand of a node of two that is a constant, and the other one.
std::optional<std::pair<ValueId, ValueId>> constantOperand(const Graph& graph, const Node& node)
{
    if (node.inputs.size() != 2)
        return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
        if (graph.constant(node.inputs[i]) && !graph.constant(node.inputs[1 - i]))
            return std::pair{node.inputs[i], node.inputs[1 - i]};
    }
    return std::nullopt;
}

Normalization read(const Graph& before, const Step& step)
{
    static constexpr std::array<std::string_view, 2> types = {"LayerNormalization",
                                                              "RMSNormalization"};
    Normalization norm;
    norm.centered = step.rule == "layer-normalization";
    const Node* made = addedNode(step, types);
    norm.isOperator = made != nullptr;
    const std::vector<const Node*> nodes = takenNodes(before, step);
    norm.operators = nodes.size();
    for (const Node* node : nodes) {
        const auto operand = constantOperand(before, *node);
        if (!operand)
            continue;
        const Node* source = before.node(before.producer(operand->second));
        const bool ofMean = source
                            && (source->is("ReduceMean") || source->is("Unsqueeze")
                                || source->is("Reshape"));
        if (node->is("Pow") && node->inputs[1] == operand->first) {
            norm.exponent = operand->first;
            norm.power = scalar(before, operand->first).value_or(2);
        } else if (node->is("Add") && ofMean && !norm.epsilon
                   && scalar(before, operand->first)) {
            norm.epsilon = operand->first;
            norm.added = scalar(before, operand->first);
        } else if (node->is("Mul")) {
            norm.gamma = operand->first;
        } else if (node->is("Add")) {
            norm.beta = operand->first;
        } else if (node->is("Sub") && node->inputs[0] == operand->first) {
            norm.beta = operand->first; // β − mean·s
        }
    }
    norm.used = made ? static_cast<double>(made->attributes.getFloat("epsilon", 1e-5f))
                          : norm.added.value_or(0);
    norm.scales = numbers(before, norm.gamma);
    norm.shifts = numbers(before, norm.beta);
    return norm;
}

// One number for all channels, one for each, or the number that changes nothing.
double at(const std::vector<double>& numbers, int channel, double otherwise)
{
    if (numbers.empty())
        return otherwise;
    return numbers[std::min(static_cast<std::size_t>(channel), numbers.size() - 1)];
}

E general(bool centered)
{
    const QString x = QStringLiteral("x");
    const E above = centered ? sum(x, QStringLiteral("mean(x)"), QStringLiteral("−")) : E::text(x);
    const E below = E::squareRoot(sum(
        centered ? QStringLiteral("var(x)") : QStringLiteral("mean(x²)"), QStringLiteral("ε")));
    return E::row({E::strong(QStringLiteral("y")), E::text(QStringLiteral(" = ")),
                   E::fraction(above, below),
                   E::text(centered ? QStringLiteral(" · γ + β") : QStringLiteral(" · γ"))});
}

FormulaNumbers atChannel(const Normalization& norm, int channel)
{
    FormulaNumbers shown;
    const double scale = at(norm.scales, channel, 1);
    const double shift = at(norm.shifts, channel, 0);
    const QString epsilon = text::value(norm.used, 3);
    const auto ending = [&](bool withScale) {
        std::vector<E> parts;
        if (withScale)
            parts.push_back(E::text(QStringLiteral(" · ") + inside(scale)));
        if (norm.beta)
            parts.push_back(E::text(QStringLiteral(" + ") + inside(shift)));
        return E::row(parts);
    };
    const QString x = QStringLiteral("x");
    const E above =
        norm.centered ? sum(x, QStringLiteral("mean"), QStringLiteral("−")) : E::text(x);
    const E root = E::squareRoot(
        sum(norm.centered ? QStringLiteral("var") : QStringLiteral("mean(x²)"), epsilon));
    shown.lines.push_back(E::row({E::strong(QStringLiteral("y")), E::text(QStringLiteral(" = ")),
                                  E::fraction(above, root), ending(bool(norm.gamma))}));
    // The same for an x that lies one deviation from the mean, so that nothing is left open.
    const double unit = 1 / std::sqrt(1 + norm.used);
    shown.lines.push_back(E::row(
        {E::strong(QStringLiteral("y")), E::text(QStringLiteral(" = ")),
         E::fraction(E::text(QStringLiteral("1")),
                     E::squareRoot(sum(QStringLiteral("1"), epsilon))),
         ending(bool(norm.gamma)), E::text(QStringLiteral(" = ")),
         E::result(text::value(unit * scale + shift, 5))}));
    shown.note = norm.centered
                     ? ExplainPage::tr("The second line is for an x that lies 1 above the mean of "
                                       "its row, where the variance is 1.")
                     : ExplainPage::tr("The second line is for x = 1 in a row whose mean square "
                                       "is 1.");
    const auto add = [&shown](const QString& sign, ValueId id, double number) {
        if (id)
            shown.tensors.push_back({sign, id, text::value(number, 4)});
    };
    add(QStringLiteral("γ"), norm.gamma, scale);
    add(QStringLiteral("β"), norm.beta, shift);
    add(QStringLiteral("ε"), norm.epsilon, norm.added.value_or(0));
    add(QStringLiteral("²"), norm.exponent, norm.power);
    return shown;
}

} // namespace

StepFormula normalizationFormula(const Graph& before, const Graph&, const Step& step)
{
    const Normalization norm = read(before, step);
    const QString name = norm.centered ? QStringLiteral("LayerNormalization")
                                       : QStringLiteral("RMSNormalization");
    StepFormula formula;
    formula.headline = ExplainPage::tr("%n operator(s) are one %1", nullptr,
                                       static_cast<int>(norm.operators)).arg(name);
    formula.words =
        norm.centered
            ? ExplainPage::tr("Mean and variance belong to each row of the input, so nothing can be "
                              "folded beforehand. But one operator can read a row once, and write "
                              "none of the values in between.")
            : ExplainPage::tr("The mean of the squares belongs to each row of the input, so nothing "
                              "can be folded beforehand. But one operator can read a row once, and "
                              "write none of the values in between.");
    formula.general.push_back(general(norm.centered));
    if (!norm.added)
        return formula;
    formula.choice = ExplainPage::tr("Channel");
    formula.count = static_cast<int>(std::max({norm.scales.size(), norm.shifts.size(),
                                               std::size_t{1}}));
    if (norm.scales.size() > 1) {
        formula.bars = QList<double>(norm.scales.begin(), norm.scales.end());
        formula.count = static_cast<int>(norm.scales.size());
        formula.barsTitle = ExplainPage::tr("Scale γ of every channel");
        formula.barsName = ExplainPage::tr("Scale of every channel");
    }
    if (norm.isOperator) {
        const double difference = std::abs(norm.used - *norm.added);
        formula.holds = difference <= 1e-6 * std::abs(*norm.added);
        formula.check = formula.holds
                            ? ExplainPage::tr("✓ Checked: the operator's ε is the number that the "
                                              "file adds under the root, %1.")
                                  .arg(text::value(*norm.added, 3))
                            : ExplainPage::tr("! The operator's ε is %1, but the file adds %2 "
                                              "under the root.")
                                  .arg(text::value(norm.used, 6), text::value(*norm.added, 6));
    }
    formula.numbers = [norm](int channel) { return atChannel(norm, channel); };
    return formula;
}

} // namespace fusescope
