#include "report/texts.h"

namespace fusescope::texts {

namespace {

constexpr TextRow rows[] = {
    {"compare.type", CORE_TEXT("Run", "Types differ: {before} before, {after} after.")},
    {"compare.shape", CORE_TEXT("Run", "Shapes differ: {before} before, {after} after.")},
    {"compare.values", CORE_TEXT("Run", "Values differ beyond the tolerance.")},
    {"compare.nan", CORE_TEXT("Run", "NaN stands on one side only.")},
    {"compare.kind", CORE_TEXT("Run", "One side holds another kind of value.")},
    {"compare.length", CORE_TEXT("Run", "The sequences have {before} and {after} elements.")},
    {"inputs.unknown-type", CORE_TEXT("Run", "The type of the input `{value}` is not known; give a file for it.")},
    {"inputs.unknown-shape", CORE_TEXT("Run", "The shape of the input `{value}` is not known; give one with --shape.")},
    {"inputs.too-large", CORE_TEXT("Run", "The input `{value}` of shape {shape} is too large to make.")},
    {"exec.planning", CORE_TEXT("Run", "Choosing kernels")},
    {"exec.packing", CORE_TEXT("Run", "Packing weights")},
    {"exec.timing", CORE_TEXT("Run", "Timing, round {round} of {rounds}")},
    {"exec.out-of-memory", CORE_TEXT("Run", "`{op}` needs more memory than there is.")},
    {"exec.memory-limit", CORE_TEXT("Run", "The run needs {needed} bytes; the limit is {limit}.")},
    {"exec.unexpected-shape", CORE_TEXT("Run", "The result is {found}; {expected} was expected.")},
    {"kernel.type", CORE_TEXT("Run", "`{value}` is of type {type}; the fast kernel has no form for it.")},
    {"kernel.dynamic-shape", CORE_TEXT("Run", "The sizes of `{value}` are known only while the model runs.")},
    {"kernel.empty", CORE_TEXT("Run", "`{value}` has no elements, or another form than the rest.")},
    {"kernel.not-constant", CORE_TEXT("Run", "`{value}` is not constant.")},
    {"kernel.attribute", CORE_TEXT("Run", "There is no fast kernel for {name} = {value}.")},
    {"kernel.none", CORE_TEXT("Run", "There is no fast kernel for this use of {op}.")},
    {"kernel.rank", CORE_TEXT("Run", "There is no fast kernel for {rank} axes here.")},
    {"kernel.axes", CORE_TEXT("Run", "There is no fast kernel for these axes.")},
    {"kernel.broadcast", CORE_TEXT("Run", "The shape of `{value}` does not fit the fast kernel.")},
    {"kernel.several-outputs", CORE_TEXT("Run", "The fast kernel makes one result.")},
    {"kernel.too-long", CORE_TEXT("Run", "{count} operation is too long for one pass."),
     CORE_TEXT("Run", "{count} operations are too many for one pass.")},
    {"kernel.part-channels", CORE_TEXT("Run", "A part of {channels} channels does not fill whole blocks.")},
    {"kernel.plain-operands", CORE_TEXT("Run", "No operand lies in blocks.")},
    {"kernel.winograd-off", CORE_TEXT("Run", "Winograd is switched off.")},
    {"kernel.winograd-form", CORE_TEXT("Run", "Winograd is for 3×3 kernels with stride 1, dilation 1 and one group.")},
    {"kernel.winograd-channels", CORE_TEXT("Run", "{channels} input channel is too few for Winograd F(4×4)."),
     CORE_TEXT("Run", "{channels} input channels are too few for Winograd F(4×4).")},
    {"kernel.winograd-tiles", CORE_TEXT("Run", "{tiles} tile is too few for a larger Winograd kernel."),
     CORE_TEXT("Run", "{tiles} tiles are too few for a larger Winograd kernel.")},
};

} // namespace

std::span<const TextRow> exec()
{
    return rows;
}

} // namespace fusescope::texts
