#pragma once

#include "patterns/product.h"

#include <optional>
#include <vector>

namespace fusescope {

// A Mul or Div of a product's result by a constant of one number a column, as Keras leaves a
// BatchNormalization behind a dense layer.
struct ColumnScale
{
    Product product;
    NodeId scale;
    ValueId constant;
    std::vector<double> factor; // a column; of a Div the reciprocals
};
std::optional<ColumnScale> columnScaleAt(const GraphView& view, NodeId root);

// The columns of a constant B, and a row of constants C, take the factors.
MatchResult matchColumnScale(const MatchContext& context, RuleId rule, const ColumnScale& parts);
void rewriteColumnScale(PatchBuilder& builder, const ColumnScale& parts);

} // namespace fusescope
