#pragma once

#include <span>
#include <string_view>

namespace fusescope::test {

// The shapes that an operator's inputs usually have, so that random nodes get past its first checks.
// Inputs are separated by `|`; a size is a letter (one number for the whole case), a number of
// letters ("4H" is four times H), a number, `*` (spatial sizes), `k` (kernel sizes, as many), `r` and
// `2r` (the rank of input 1 and its double), `^` (the shape of input 1). The last input repeats.
std::string_view shapeHint(std::string_view op, std::uint64_t choice);
// The same for an input by its name in the schema; nothing when it says nothing.
bool shapeHintByName(std::string_view input, std::string_view& hint);

// What integers an input or attribute of this name usually holds.
enum class IntegerRole { any, size, axis, dtype, flag };
IntegerRole integerRole(std::string_view name);

// Strings that the standard gives a meaning as values of a string attribute.
std::span<const std::string_view> knownStrings(std::string_view attribute);

} // namespace fusescope::test
