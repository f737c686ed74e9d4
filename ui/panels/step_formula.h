#pragma once

#include "model/graph.h"
#include "report/step.h"
#include "ui/widgets/formula.h"
#include "ui/widgets/kernel_slice.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace fusescope {

// A constant that a formula names, with the number it has where one is chosen.
struct FormulaTensor
{
    QString sign;
    ValueId id;
    QString number;
};

// A formula with the numbers of one channel, or at one place x.
struct FormulaNumbers
{
    struct Slice
    {
        KernelSlice::Matrix before;
        QString by;
        KernelSlice::Matrix after;
    };
    std::vector<Expression> lines;
    QString note;
    std::optional<Slice> slice;
    std::vector<FormulaTensor> tensors;
};

// What the Explain page shows of one step.
struct StepFormula
{
    QString headline, words;
    std::vector<Expression> general;
    // What is chosen: "Channel" 0 … count − 1, or the places `first` + i · `stride` of a function.
    QString choice;
    int count = 1; // 1: nothing to choose
    bool isFunction = false;
    double first = 0, stride = 1;
    QString barsTitle, barsName;
    QList<double> bars; // one for each choice, or none
    QString check;
    bool holds = true;
    // Nothing where the numbers cannot be read.
    std::function<FormulaNumbers(int)> numbers;
};

// Whether there is a page for the step.
bool hasFormula(const Step& step);
// The page of a step that was applied, read off the graphs before and after it. What it returns
// keeps no reference to them.
std::optional<StepFormula> stepFormula(const Graph& before, const Graph& after, const Step& step);

// One for each family of rules.
StepFormula batchnormFormula(const Graph& before, const Graph& after, const Step& step);
StepFormula normalizationFormula(const Graph& before, const Graph& after, const Step& step);
StepFormula gateFormula(const Graph& before, const Graph& after, const Step& step);
StepFormula concatConvFormula(const Graph& before, const Graph& after, const Step& step);

// Parts that they share.
namespace formulas {

// All numbers of a constant; none where it cannot be read.
std::vector<double> numbers(const Graph& graph, ValueId id);
// The one number of a constant of one element.
std::optional<double> scalar(const Graph& graph, ValueId id);
// The standard nodes among those that a step took, in the order in which they run.
std::vector<const Node*> takenNodes(const Graph& before, const Step& step);
// The node that came with the step, of one of these types; null if none.
const Node* addedNode(const Step& step, std::span<const std::string_view> types);
// "a + b", or another sign: one term inside a fraction or a root.
Expression sum(const QString& a, const QString& b, const QString& sign = QStringLiteral("+"));
// A number inside a formula: negative ones stand in parentheses.
QString inside(double number, int digits = 4);

} // namespace formulas

} // namespace fusescope
