#include "report/texts.h"

namespace fusescope::texts {

namespace {

// What stands beside an octagon in the graph, at most four words, of the headlines that are longer.
constexpr TextRow rows[] = {
    {"tag.headline.training-mode", CORE_TEXT("Reason", "In training mode")},
    {"tag.headline.rewrite-refused", CORE_TEXT("Reason", "Would not be valid")},
    {"tag.headline.fold-memory", CORE_TEXT("Reason", "Folding needs much memory")},
    {"tag.headline.growth-limit", CORE_TEXT("Reason", "Would grow too much")},
    {"tag.headline.non-deterministic", CORE_TEXT("Reason", "Differs at each run")},
    {"tag.headline.not-valid", CORE_TEXT("Reason", "Node is not valid")},
    {"tag.headline.not-a-tensor", CORE_TEXT("Reason", "Result is no tensor")},
    {"tag.headline.data-dependent", CORE_TEXT("Reason", "Size depends on data")},
    {"tag.headline.read-by-body", CORE_TEXT("Reason", "Read by inner graph")},
    {"tag.headline.side-effect", CORE_TEXT("Reason", "May have side effects")},
    {"tag.headline.training-outputs", CORE_TEXT("Reason", "Outputs of training only")},
    {"tag.headline.training-mode-dropout", CORE_TEXT("Reason", "Dropout in training mode")},
    {"tag.headline.inline-version", CORE_TEXT("Reason", "Function has another opset")},
    {"tag.headline.inline-size", CORE_TEXT("Reason", "Call is too large")},
    {"tag.headline.adds-zero", CORE_TEXT("Reason", "Changes sign of −0")},
    {"tag.headline.two-open-sizes", CORE_TEXT("Reason", "Several sizes are open")},
    {"tag.headline.may-be-empty", CORE_TEXT("Reason", "Size may be 0")},
    {"tag.headline.multi-consumer", CORE_TEXT("Reason", "Read elsewhere too")},
    {"tag.headline.read-twice", CORE_TEXT("Reason", "One node reads twice")},
    {"tag.headline.subgraph-capture", CORE_TEXT("Reason", "Read by inner graph")},
    {"tag.headline.overridable", CORE_TEXT("Reason", "Also a model input")},
    {"tag.headline.not-constant", CORE_TEXT("Reason", "Computed at run time")},
    {"tag.headline.function-input", CORE_TEXT("Reason", "Comes from the call")},
    {"tag.headline.plain-input", CORE_TEXT("Reason", "Is a model input")},
    {"tag.headline.outer-scope", CORE_TEXT("Reason", "From an outer graph")},
    {"tag.headline.operator-version", CORE_TEXT("Reason", "Unknown operator version")},
    {"tag.headline.custom-domain", CORE_TEXT("Reason", "Only shares the name")},
    {"tag.headline.unsupported-type", CORE_TEXT("Reason", "Type does not fit")},
    {"tag.headline.lossy-cast", CORE_TEXT("Reason", "Cast changes values")},
    {"tag.headline.unknown-shape", CORE_TEXT("Reason", "Shape is not known")},
    {"tag.headline.not-shown-equal", CORE_TEXT("Reason", "Shapes not shown equal")},
    {"tag.headline.not-per-channel", CORE_TEXT("Reason", "Not per channel")},
    {"tag.headline.broadcast-enlarges", CORE_TEXT("Reason", "Broadcasting enlarges result")},
    {"tag.headline.optional-output", CORE_TEXT("Reason", "Second output is used")},
    {"tag.headline.attribute-of-call", CORE_TEXT("Reason", "Caller's attribute")},
    {"tag.headline.attribute", CORE_TEXT("Reason", "Attribute does not fit")},
    {"tag.headline.softmax-underflow", CORE_TEXT("Reason", "May round to 0")},
    {"tag.headline.not-finite", CORE_TEXT("Reason", "Gives Inf or NaN")},
    {"tag.headline.out-of-range", CORE_TEXT("Reason", "Leaves the type's range")},
    {"tag.headline.variance", CORE_TEXT("Reason", "Variance is not positive")},
    {"tag.headline.shared-weight", CORE_TEXT("Reason", "Weight is shared")},
    {"tag.headline.ir3-input", CORE_TEXT("Reason", "Initializer listed as input")},
    {"tag.headline.different-scope", CORE_TEXT("Reason", "In different graphs")},
    {"tag.headline.batch-statistics", CORE_TEXT("Reason", "Computed at run time")},
    {"tag.headline.shape-between", CORE_TEXT("Reason", "Shape operator between")},
    {"tag.headline.side-effect-between", CORE_TEXT("Reason", "Custom operator between")},
    {"tag.headline.reads-other", CORE_TEXT("Reason", "No convolution before it")},
    {"tag.headline.reads-input", CORE_TEXT("Reason", "No node before it")},
    {"tag.headline.incomplete-cover", CORE_TEXT("Reason", "Axis is not covered")},
    {"tag.headline.parameter-shape", CORE_TEXT("Reason", "Parameter's shape is wrong")},
    {"tag.headline.cycle", CORE_TEXT("Reason", "Would create a cycle")},
    {"tag.headline.already-fused", CORE_TEXT("Reason", "Already fused before it")},
    {"tag.headline.padding-sees-shift", CORE_TEXT("Reason", "Padding sees the shift")},
    {"tag.headline.padding-mode", CORE_TEXT("Reason", "Not a constant pad")},
    {"tag.headline.padding-value", CORE_TEXT("Reason", "Pad is not zero")},
    {"tag.headline.max-pool-padding", CORE_TEXT("Reason", "MaxPool ignores the pad")},
    {"tag.headline.pad-not-below-kernel", CORE_TEXT("Reason", "Padding is too wide")},
    {"tag.headline.pads-other-axis", CORE_TEXT("Reason", "Pads batch or channels")},
    {"tag.headline.zero-copies", CORE_TEXT("Reason", "0 copies another size")},
    {"tag.headline.inverted-bounds", CORE_TEXT("Reason", "Lower bound above upper")},
    {"tag.headline.unexpected-constant", CORE_TEXT("Reason", "Constant has another value")},
    {"tag.headline.operand-order", CORE_TEXT("Reason", "Operands in other order")},
    {"tag.headline.wrong-operand", CORE_TEXT("Reason", "Feeds another operand")},
    {"tag.headline.opset-too-old", CORE_TEXT("Reason", "Opset is too old")},
    {"tag.headline.target-fuses", CORE_TEXT("Reason", "Target fuses it itself")},
    {"tag.headline.not-one-number", CORE_TEXT("Reason", "Not one number")},
    {"tag.headline.other-axes", CORE_TEXT("Reason", "Means over other axes")},
};

} // namespace

std::span<const TextRow> tags()
{
    return rows;
}

} // namespace fusescope::texts
