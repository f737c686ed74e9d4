#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"rule.inline-function", CORE_TEXT("Rule", "Inline a function")},
    {"rule.fold-constant", CORE_TEXT("Rule", "Fold constants")},
    {"rule.fold-shape", CORE_TEXT("Rule", "Fold shapes")},
    {"rule.fold-if", CORE_TEXT("Rule", "Choose the branch of an If")},
    {"rule.remove-dead", CORE_TEXT("Rule", "Remove dead nodes")},
    {"rule.remove-identity", CORE_TEXT("Rule", "Remove Identity")},
    {"rule.remove-dropout", CORE_TEXT("Rule", "Remove Dropout")},
    {"rule.remove-noop", CORE_TEXT("Rule", "Remove what changes nothing")},
    {"rule.merge-duplicates", CORE_TEXT("Rule", "Merge duplicates")},
    {"rule.conv-batchnorm", CORE_TEXT("Rule", "Conv + BatchNormalization")},
    {"rule.batchnorm-conv", CORE_TEXT("Rule", "BatchNormalization + Conv")},
    {"rule.conv-bias", CORE_TEXT("Rule", "Conv + bias")},
    {"rule.conv-scale", CORE_TEXT("Rule", "Conv + scale")},
    {"rule.conv-activation", CORE_TEXT("Rule", "Conv + activation")},
    {"rule.conv-add-activation", CORE_TEXT("Rule", "Conv + Add + activation")},
    {"rule.add-activation", CORE_TEXT("Rule", "Add + activation")},
    {"rule.concat-conv", CORE_TEXT("Rule", "Concat + Conv")},
    {"rule.merge-parallel-conv", CORE_TEXT("Rule", "Parallel Conv merge")},
    {"rule.convtranspose-batchnorm", CORE_TEXT("Rule", "ConvTranspose + BatchNormalization")},
    {"rule.pad-conv", CORE_TEXT("Rule", "Pad + Conv")},
    {"rule.pad-pool", CORE_TEXT("Rule", "Pad + pooling")},
    {"rule.matmul-add", CORE_TEXT("Rule", "MatMul + Add")},
    {"rule.matmul-add-gemm", CORE_TEXT("Rule", "MatMul + Add to Gemm")},
    {"rule.gemm-bias", CORE_TEXT("Rule", "Gemm + bias")},
    {"rule.gemm-batchnorm", CORE_TEXT("Rule", "Gemm + BatchNormalization")},
    {"rule.gemm-activation", CORE_TEXT("Rule", "Gemm + activation")},
    {"rule.matmul-scale", CORE_TEXT("Rule", "MatMul + scale")},
    {"rule.transpose-matmul", CORE_TEXT("Rule", "Transpose + MatMul")},
    {"rule.layer-normalization", CORE_TEXT("Rule", "LayerNormalization")},
    {"rule.rms-normalization", CORE_TEXT("Rule", "RMSNormalization")},
    {"rule.gelu", CORE_TEXT("Rule", "Gelu")},
    {"rule.quick-gelu", CORE_TEXT("Rule", "QuickGelu")},
    {"rule.silu", CORE_TEXT("Rule", "SiLU")},
    {"rule.hard-swish", CORE_TEXT("Rule", "HardSwish")},
    {"rule.mish", CORE_TEXT("Rule", "Mish")},
    {"rule.skip-layer-normalization", CORE_TEXT("Rule", "Add + LayerNormalization")},
    {"rule.attention", CORE_TEXT("Rule", "Attention")},
    {"rule.reshape-chain", CORE_TEXT("Rule", "Reshape chain")},
    {"rule.transpose-chain", CORE_TEXT("Rule", "Transpose chain")},
    {"rule.cast-chain", CORE_TEXT("Rule", "Cast chain")},
    {"rule.clip-chain", CORE_TEXT("Rule", "Clip chain")},
    {"rule.gather-to-split", CORE_TEXT("Rule", "Gather to Split")},
    {"rule.elementwise-chain", CORE_TEXT("Rule", "Elementwise chain")},
    {"rule.freeze-initializers", CORE_TEXT("Rule", "Freeze initializers")},
    {"rule.inference-batchnorm", CORE_TEXT("Rule", "BatchNormalization to inference")},
    {"rule.inference-dropout", CORE_TEXT("Rule", "Dropout to inference")},
    {"rule.drop-noop", CORE_TEXT("Rule", "Remove what changes nothing")},
    {"rule.duplicate-producer", CORE_TEXT("Rule", "Duplicate a producer")},
    {"rule.drop-output", CORE_TEXT("Rule", "Drop an output")},
    {"title.fold-constant", CORE_TEXT("Step", "Fold {node}")},
    {"title.fold-shape", CORE_TEXT("Step", "Fold the shape {node}")},
    {"title.remove-dead", CORE_TEXT("Step", "Remove {node}, which nobody reads")},
    {"title.remove-identity", CORE_TEXT("Step", "Remove the Identity {node}")},
    {"title.remove-dropout", CORE_TEXT("Step", "Remove the Dropout {node}")},
    {"title.merge-duplicates", CORE_TEXT("Step", "Merge {node} with its equal {other}")},
    {"lower.ir-too-old", CORE_TEXT("Step", "Local functions need IR 4 or later; the model has IR {ir}.")},
    {"explain.legal", CORE_TEXT("Explain", "{a} and {b} can be fused: {rule} applies.")},
    {"explain.fused-at", CORE_TEXT("Explain", "{a} and {b} were fused at step {step}.")},
    {"explain.disabled", CORE_TEXT("Explain", "{rule} would fuse {a} and {b}, and is off.")},
    {"explain.blocked", CORE_TEXT("Explain", "{rule} would fuse {a} and {b}, and is blocked.")},
    {"explain.no-pattern", CORE_TEXT("Explain", "No pattern covers {a} and {b}.")},
    {"explain.nearest", CORE_TEXT("Explain", "No pattern covers {a} and {b}; the nearest is {rule}.")},
};

} // namespace

std::span<const TextRow> passes()
{
    return rows;
}

} // namespace fusescope::texts
