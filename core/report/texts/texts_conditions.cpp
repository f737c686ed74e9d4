#include "report/texts.h"

namespace fusescope::texts {

namespace {

// Names of conditions, what they saw when they hold, and titles of rewrites.
constexpr TextRow rows[] = {
    {"condition.single-reader", CORE_TEXT("Condition", "Nothing else reads the value between")},
    {"saw.single-reader", CORE_TEXT("Condition", "`{value}` has one reader.")},
    {"condition.not-pinned", CORE_TEXT("Condition", "No node is pinned")},
    {"condition.target", CORE_TEXT("Condition", "The target does not fuse this itself")},
    {"condition.standard-domain", CORE_TEXT("Condition", "The operator is ONNX's own")},
    {"condition.partner", CORE_TEXT("Condition", "The partner stands directly before it")},
    {"saw.partner", CORE_TEXT("Condition", "`{root}` reads `{node}`.")},
    {"condition.same-scope", CORE_TEXT("Condition", "Both nodes stand in one graph")},
    {"condition.version", CORE_TEXT("Condition", "The operator's version is known")},
    {"condition.data-input", CORE_TEXT("Condition", "The result is read as data")},
    {"condition.constant-weights", CORE_TEXT("Condition", "Weight and bias are constants")},
    {"condition.constant-operand", CORE_TEXT("Condition", "The other operand is a constant")},
    {"condition.constant-parameters", CORE_TEXT("Condition", "The parameters are constants")},
    {"condition.constant-shape", CORE_TEXT("Condition", "The new shape is a constant")},
    {"condition.known-channels", CORE_TEXT("Condition", "The number of channels is known")},
    {"condition.own-sizes", CORE_TEXT("Condition", "No 0 copies a size of the value between")},
    {"condition.covers-axis",
     CORE_TEXT("Condition", "The parts take every place of the axis once")},
    {"saw.covers-axis", CORE_TEXT("Condition", "{count} parts of axis {axis} of `{value}`.")},
    {"condition.lossless-cast", CORE_TEXT("Condition", "The type between holds every value")},
    {"condition.constant-bounds", CORE_TEXT("Condition", "The bounds are constants")},
    {"condition.scalar-bounds", CORE_TEXT("Condition", "Each bound is one number")},
    {"condition.ordered-bounds",
     CORE_TEXT("Condition", "The lower bound is not above the upper one")},
    {"condition.constant-slope", CORE_TEXT("Condition", "The slope is a constant")},
    {"condition.channel-slope", CORE_TEXT("Condition", "The slope is one number, or one a channel")},
    {"condition.known-activation", CORE_TEXT("Condition", "The activation exists at this opset")},
    {"condition.inference-mode",
     CORE_TEXT("Condition", "BatchNormalization is in inference mode")},
    {"condition.running-statistics",
     CORE_TEXT("Condition", "The statistics are not computed from the batch")},
    {"condition.spatial", CORE_TEXT("Condition", "BatchNormalization works per channel")},
    {"condition.parameter-shapes",
     CORE_TEXT("Condition", "Each parameter has one element a channel")},
    {"condition.parts-in-place",
     CORE_TEXT("Condition", "A kernel reads the parts where they lie")},
    {"condition.one-type", CORE_TEXT("Condition", "The element types agree")},
    {"condition.float-type", CORE_TEXT("Condition", "The element type is a float")},
    {"condition.positive-variance", CORE_TEXT("Condition", "Variance + epsilon is positive")},
    {"condition.finite", CORE_TEXT("Condition", "The folded numbers are finite")},
    {"condition.growth", CORE_TEXT("Condition", "The model stays within the growth limit")},
    {"condition.per-channel", CORE_TEXT("Condition", "The constant acts per channel")},
    {"condition.operand-order", CORE_TEXT("Condition", "The operands stand in a fitting order")},
    {"condition.no-padded-shift",
     CORE_TEXT("Condition", "No padding comes after the shift")},
    {"condition.same-shape", CORE_TEXT("Condition", "Both sides have the same shape")},
    {"saw.same-shape", CORE_TEXT("Condition", "Both are {shape}.")},
    {"condition.no-cycle", CORE_TEXT("Condition", "The other side is computed without it")},
    {"condition.no-activation-yet", CORE_TEXT("Condition", "No activation ends it yet")},
    {"condition.constant-padding", CORE_TEXT("Condition", "Pad pads with a constant")},
    {"condition.pad-amounts", CORE_TEXT("Condition", "The pad amounts are constants")},
    {"condition.pad-value", CORE_TEXT("Condition", "The pad value is what the reader pads with")},
    {"condition.pad-axes", CORE_TEXT("Condition", "Only spatial axes are padded")},
    {"condition.pad-positive", CORE_TEXT("Condition", "No amount is negative")},
    {"condition.auto-pad", CORE_TEXT("Condition", "The reader's own padding is known")},
    {"condition.ceil-mode", CORE_TEXT("Condition", "Merging leaves the output's shape as it is")},
    {"condition.count-include-pad", CORE_TEXT("Condition", "Padded cells count in the average")},
    {"condition.pad-below-kernel", CORE_TEXT("Condition", "Each pad is smaller than the kernel")},
    {"condition.indices-unused", CORE_TEXT("Condition", "The indices are unused")},
    {"condition.channel-axis", CORE_TEXT("Condition", "The parts are joined along the channels")},
    {"condition.same-geometry",
     CORE_TEXT("Condition", "The convolutions have the same attributes and sizes")},
    {"condition.known-attributes",
     CORE_TEXT("Condition", "Every attribute is one that the operator has")},
    {"condition.outputs-unused", CORE_TEXT("Condition", "No second output is used")},
    {"title.fold-into", CORE_TEXT("Title", "Fold {node} into {conv}")},
    {"title.fold-bias", CORE_TEXT("Title", "Fold {node} into the bias of {conv}")},
    {"title.fold-scale", CORE_TEXT("Title", "Fold {node} into the weights of {conv}")},
    {"title.fold-forward", CORE_TEXT("Title", "Fold {node} forward into {conv}")},
    {"title.merge-pad", CORE_TEXT("Title", "Merge {pad} into {reader}")},
    {"title.merge-parallel", CORE_TEXT("Title", "Merge {count} convolutions before {concat}")},
    {"title.fuse", CORE_TEXT("Title", "Fuse {first} with {last}")},
    {"title.fuse-three", CORE_TEXT("Title", "Fuse {first}, {middle} and {last}")},
    {"condition.no-dilation", CORE_TEXT("Condition", "The window has no gaps")},
    {"condition.pad-rank", CORE_TEXT("Condition", "The amounts fit the data's rank")},
    {"condition.group", CORE_TEXT("Condition", "The groups allow it")},
};

} // namespace

std::span<const TextRow> conditions()
{
    return rows;
}

} // namespace fusescope::texts
