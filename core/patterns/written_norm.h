#pragma once

#include "patterns/formula.h"

#include <optional>
#include <vector>

namespace fusescope {

// A layer or root-mean-square normalization written out, bound loosely by its operators.
struct WrittenNorm
{
    bool centered = false; // the mean is subtracted: LayerNormalization
    NodeId quotient;       // makes the normalized value
    NodeId variance;       // the mean of the squares
    NodeId square, center, mean;
    NodeId squaredMean; // of the deviation that is squared, where x − mean(x) is computed twice
    NodeId epsilonAdd;
    std::vector<NodeId> expanded; // means whose axes an Unsqueeze or Reshape brings back
    ValueId x, deviation, epsilon, exponent; // the exponent of a Pow
    bool turnedQuotient = false;             // std / d
    bool turnedCenter = false;               // mean − x
    FormulaNodes formula;                    // but for scale and shift
    // What follows inside the formula: scale by γ, shift by β.
    NodeId scaleNode, shiftNode;
    ValueId scale, shift;

    NodeId root() const { return shiftNode ? shiftNode : scaleNode ? scaleNode : quotient; }
};

// The normalization whose last node is `root`: the quotient, the Mul by γ or the Add of β.
std::optional<WrittenNorm> writtenNormAt(const GraphView& view, NodeId root);

// The axes of a reduction: by attribute, or by a constant; empty is all. Nothing while they are not
// known.
std::optional<std::vector<std::int64_t>> reducedAxes(const GraphView& view, const Node& node);

// The first of the trailing axes that a reduction takes, as a negative number; nothing where they
// are others.
std::optional<std::int64_t> trailingAxis(const GraphView& view, const Node& reduction);

// All conditions of legality 2.19.
void checkWrittenNorm(Conditions& conditions, const WrittenNorm& norm);

// What makes the operator instead of a region: a scale (ones where there is none) and shift of
// exactly the normalized shape, float32, and static sizes where ones must be made.
bool fitsOperator(const GraphView& view, const WrittenNorm& norm);
// The scale of the operator: γ, or a constant of ones.
ValueId scaleFor(PatchBuilder& builder, const WrittenNorm& norm);

} // namespace fusescope
