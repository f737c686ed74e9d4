#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"ops.unsupported-type", CORE_TEXT("Core", "{op} has no kernel for elements of type {type}.")},
    {"ops.axis", CORE_TEXT("Core", "Axis {axis} does not exist: the tensor has rank {rank}.")},
    {"ops.rank",
     CORE_TEXT("Core", "Input {input} must have rank {expected}, but it has rank {found}.")},
    {"ops.shape", CORE_TEXT("Core", "Input {input} must have shape {expected}, but it has {found}.")},
    {"ops.type", CORE_TEXT("Core", "Input {input} must be of type {expected}, but it is {found}.")},
    {"ops.value-rank",
     CORE_TEXT("Core", "Input {input}, `{value}`, must have rank {expected}, but it has rank {found}.")},
    {"ops.value-shape",
     CORE_TEXT("Core", "Input {input}, `{value}`, must have shape {expected}, but it has {found}.")},
    {"ops.value-type",
     CORE_TEXT("Core", "Input {input}, `{value}`, must be of type {expected}, but it is {found}.")},
    {"ops.attribute", CORE_TEXT("Core", "Attribute `{name}` must be {expected}, but it is {found}.")},
    {"ops.missing-attribute", CORE_TEXT("Core", "Attribute `{name}` is missing.")},
    {"ops.missing-input", CORE_TEXT("Core", "Input {input} is missing.")},
    {"ops.broadcast", CORE_TEXT("Core", "Shapes {a} and {b} cannot be broadcast together.")},
    {"ops.value", CORE_TEXT("Core", "{what} must be {expected}, but it is {found}.")},
    {"ops.memory-limit",
     CORE_TEXT("Core", "A result of type {type} and shape {shape} does not fit into the "
                       "{available} bytes that the run may still use.")},
    {"ops.inference-limit",
     CORE_TEXT("Core", "Calls and inner graphs are nested too deeply to follow.")},
    {"ops.declared-contradicts",
     CORE_TEXT("Core", "`{value}` is declared as {declared}, but the node makes {inferred}.")},
    {"ops.input-type",
     CORE_TEXT("Core", "Input `{value}` is {found}, but the model takes {expected}.")},
    {"ops.input-missing", CORE_TEXT("Core", "No value was given for `{value}`.")},
    {"ops.input-unknown", CORE_TEXT("Core", "The model has no input named `{name}`.")},
    {"ops.output-missing", CORE_TEXT("Core", "Nothing made the output `{value}`.")},
    {"ops.running", CORE_TEXT("Core", "Running {node}")},
    {"ops.no-kernel", CORE_TEXT("Core", "No kernel runs the operator {op}.")},
    {"ops.sparse", CORE_TEXT("Core", "A sparse initializer does not fit its shape.")},
    {"ops.no-take-over",
     CORE_TEXT("Core", "Nothing can take the place of `{value}`: its replacement has no maker.")},
    {"ops.output-renamed",
     CORE_TEXT("Core", "`{value}` is an output of the model: a rewrite would have taken its name.")},
    {"ops.empty-region", CORE_TEXT("Core", "A fused node would have held no nodes.")},
    {"ops.conv-channels",
     CORE_TEXT("Core", "{channels} channels do not fit weights of shape {weights} in {groups} "
                       "group(s).")},
    {"ops.window-too-large",
     CORE_TEXT("Core", "The window does not fit into the padded input of shape {shape}.")},
    {"ops.attention-shapes",
     CORE_TEXT("Core", "The shapes of query, key, value and state do not fit each other: {found}.")},
    {"ops.condition",
     CORE_TEXT("Core", "A condition must be one boolean, but it is {found}.")},
    {"ops.scan-output",
     CORE_TEXT("Core", "The inner graph does not make the outputs that its node gives.")},
    {"ops.too-many-trips",
     CORE_TEXT("Core", "The loop did not end after {limit} iterations.")},
    {"ops.no-body-runner", CORE_TEXT("Core", "The inner graph cannot be run here.")},
    {"ops.repeated-axis", CORE_TEXT("Core", "Axis {axis} is named twice.")},
    {"ops.sizes-differ",
     CORE_TEXT("Core", "The sizes along axis {axis} differ: {first} and {second}.")},
    {"ops.reshape-two-unknown",
     CORE_TEXT("Core", "More than one size of the wanted shape is -1 (axis {axis}).")},
    {"ops.reshape-does-not-fit",
     CORE_TEXT("Core", "Shape {input} cannot become {target}: the numbers of elements differ.")},
    {"ops.squeeze-not-one",
     CORE_TEXT("Core", "Axis {axis} cannot be removed: its size is {size}, not 1.")},
    {"ops.split-sum",
     CORE_TEXT("Core", "The parts {sum} do not add up to the size {size} of the axis.")},
    {"ops.split-uneven",
     CORE_TEXT("Core", "The size {size} cannot be split into {count} equal parts.")},
    {"ops.index-out-of-range",
     CORE_TEXT("Core", "Index {index} is out of range for an axis of size {size}.")},
    {"ops.division-by-zero", CORE_TEXT("Core", "Integer division by zero at element {index}.")},
    {"ops.negative-exponent", CORE_TEXT("Core", "Zero to a negative power at element {index}.")},
    {"ops.empty-reduction",
     CORE_TEXT("Core", "Nothing to choose from: axis {axis} has no elements.")},
    {"ops.not-a-number", CORE_TEXT("Core", "The text `{text}` is not a number.")},
    {"ops.empty-optional", CORE_TEXT("Core", "The optional value is empty.")},
    {"ops.empty-sequence", CORE_TEXT("Core", "The sequence is empty: nothing can be joined.")},
    {"ops.bad-pattern", CORE_TEXT("Core", "The pattern `{pattern}` is not supported.")},
    {"ops.gradient-name",
     CORE_TEXT("Core", "Gradient names `{name}`, which its graph does not have.")},
    {"ops.gradient-open",
     CORE_TEXT("Core", "The differentiated value depends on `{value}`, which Gradient does not list.")},
    {"ops.gradient-operator", CORE_TEXT("Core", "Gradient cannot differentiate {op}.")},
    {"ops.bad-model-data",
     CORE_TEXT("Core", "The attributes of {operator} do not fit together: {attribute}.")},
};

} // namespace

std::span<const TextRow> ops()
{
    return rows;
}

} // namespace fusescope::texts
