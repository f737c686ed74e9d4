#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fusescope {

// An equation with its letters as numbers; the axes of an ellipsis get numbers of their own, shared
// from the right, as broadcasting aligns them.
struct EinsumEquation
{
    std::vector<std::vector<std::size_t>> inputs;
    std::vector<std::size_t> output;
    std::size_t labels = 0;
};

// Einsum's `equation` over inputs of these ranks; nothing when it does not fit them.
std::optional<EinsumEquation> parseEquation(const std::string& text,
                                            const std::vector<std::size_t>& ranks);

} // namespace fusescope
