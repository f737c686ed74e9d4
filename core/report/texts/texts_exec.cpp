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
};

} // namespace

std::span<const TextRow> exec()
{
    return rows;
}

} // namespace fusescope::texts
