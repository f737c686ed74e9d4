#include "report/texts.h"

namespace fusescope::texts {

namespace {

// Formulas written out, products, normalizations and attention: titles, conditions and the reasons
// that only they have.
constexpr TextRow rows[] = {
    {"title.formula-gelu", CORE_TEXT("Title", "Recognize Gelu at {node}")},
    {"title.formula-quick-gelu", CORE_TEXT("Title", "Recognize QuickGelu at {node}")},
    {"title.formula-silu", CORE_TEXT("Title", "Recognize SiLU at {node}")},
    {"title.formula-hard-swish", CORE_TEXT("Title", "Recognize HardSwish at {node}")},
    {"title.formula-mish", CORE_TEXT("Title", "Recognize Mish at {node}")},
    {"title.formula-layer-normalization",
     CORE_TEXT("Title", "Recognize LayerNormalization at {node}")},
    {"title.formula-rms-normalization", CORE_TEXT("Title", "Recognize RMSNormalization at {node}")},
    {"title.transpose-normalization",
     CORE_TEXT("Title", "Normalize {norm} where its axes lie, without {first} and {last}")},
    {"title.formula-attention", CORE_TEXT("Title", "Recognize attention at {node}")},
    {"title.to-gemm", CORE_TEXT("Title", "Make {first} and {last} one Gemm")},
    {"title.merge-clips", CORE_TEXT("Title", "Merge {first} into {last}")},
    {"title.elementwise-chain", CORE_TEXT("Title", "Fuse {count} elementwise nodes at {node}")},
    {"condition.read-inside", CORE_TEXT("Condition", "Inner values are read inside alone")},
    {"condition.constant-numbers", CORE_TEXT("Condition", "The formula's numbers are constants")},
    {"condition.one-number", CORE_TEXT("Condition", "Each constant is one number")},
    {"condition.no-more-axes", CORE_TEXT("Condition", "No constant adds an axis")},
    {"condition.finite-number", CORE_TEXT("Condition", "The number is finite")},
    {"condition.inner-numbers", CORE_TEXT("Condition", "The inner numbers are the formula's")},
    {"condition.outer-numbers", CORE_TEXT("Condition", "The outer numbers are the formula's")},
    {"condition.exponent", CORE_TEXT("Condition", "The square is a square")},
    {"condition.epsilon", CORE_TEXT("Condition", "Epsilon is one number, zero or more")},
    {"condition.keeps-axes", CORE_TEXT("Condition", "The means keep their axes")},
    {"condition.trailing-axes", CORE_TEXT("Condition", "The means are over the last axes")},
    {"condition.same-axes", CORE_TEXT("Condition", "Both means are over the same axes")},
    {"condition.no-enlarging", CORE_TEXT("Condition", "No operand enlarges the result")},
    {"condition.rank-two", CORE_TEXT("Condition", "Both operands are matrices")},
    {"condition.last-axis", CORE_TEXT("Condition", "It works along the last axis")},
    {"condition.swaps-last-axes", CORE_TEXT("Condition", "Transpose swaps the last two axes")},
    {"condition.columns", CORE_TEXT("Condition", "There is one number a column")},
    {"headline.not-one-number", CORE_TEXT("Reason", "A constant is not one number")},
    {"reason.not-one-number",
     CORE_TEXT("Reason", "`{constant}` has shape {shape}, where one number is expected.")},
    {"unblock.not-one-number", CORE_TEXT("Reason", "Export it as a scalar.")},
    {"reason.transposes-others",
     CORE_TEXT("Reason",
               "`{node}` puts axis {found} last; a product can turn axis {wanted} alone.")},
    {"headline.other-axes", CORE_TEXT("Reason", "The means are over other axes")},
    {"reason.other-axes",
     CORE_TEXT("Reason", "`{node}` is over axes {found}, but {wanted} is needed.")},
    {"unblock.other-axes", CORE_TEXT("Reason", "Normalize over the last axes.")},
};

} // namespace

std::span<const TextRow> formulas()
{
    return rows;
}

} // namespace fusescope::texts
