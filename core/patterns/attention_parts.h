#pragma once

#include "patterns/formula.h"

#include <optional>
#include <vector>

namespace fusescope {

// Attention written out, from its last product up to q, k and v.
struct AttentionParts
{
    // q or k as the scores read them, behind their scale and, for k, behind the swap of the last
    // two axes.
    struct Operand
    {
        ValueId value;
        std::optional<double> scale = 1.0; // nothing where it is no constant
        bool swapped = false;
    };
    // What is added to the scores, or chosen by Where, against the value that it is added to.
    struct Mask
    {
        ValueId value, data;
        ValueId keep;  // of a Where: true leaves the score
        bool turned = false; // of a Where: true takes the score away
    };

    // A number that scales the scores, against the value that it scales.
    struct Number
    {
        ValueId number, data;
    };

    NodeId softmax, scores;
    FormulaNodes formula;
    Operand q, k;
    ValueId v;
    std::vector<Mask> masks; // from the scores on
    std::vector<Number> numbers;       // on the scores
    std::optional<double> scale = 1.0; // on the scores: their product
    bool scaledMask = false;           // a scale behind a mask
    bool hasViews = false;             // a Reshape of the leading axes between
    std::vector<Reason> between;       // what stands there and cannot go in
    bool turned = false;               // v · softmax
};

// Nothing where the root is no product of a Softmax of a product.
std::optional<AttentionParts> attentionAt(const GraphView& view, NodeId root);

// Whether a permutation (reversing without one) swaps the last two axes and no others.
bool swapsLastAxes(const GraphView& view, const Node& transpose);

} // namespace fusescope
