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
    {"ops.attribute", CORE_TEXT("Core", "Attribute `{name}` must be {expected}, but it is {found}.")},
    {"ops.missing-attribute", CORE_TEXT("Core", "Attribute `{name}` is missing.")},
    {"ops.missing-input", CORE_TEXT("Core", "Input {input} is missing.")},
    {"ops.broadcast", CORE_TEXT("Core", "Shapes {a} and {b} cannot be broadcast together.")},
    {"ops.value", CORE_TEXT("Core", "{what} must be {expected}, but it is {found}.")},
    {"ops.memory-limit",
     CORE_TEXT("Core", "A result of type {type} and shape {shape} does not fit into the "
                       "{available} bytes that the run may still use.")},
    {"ops.no-body-runner", CORE_TEXT("Core", "The inner graph cannot be run here.")},
};

} // namespace

std::span<const TextRow> ops()
{
    return rows;
}

} // namespace fusescope::texts
