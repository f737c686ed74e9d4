#pragma once

#include "model/shape.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fusescope {

// A target of Reshape, in constants, that gives the wanted sizes at every size of the source.
struct ReshapeTarget
{
    std::vector<std::int64_t> sizes; // usable when isConstant()
    std::vector<std::size_t> open;   // written as −1
    std::optional<Dim> mayBeZero;    // a copied size beside the open one; then it cannot be inferred
    bool impossible = false;         // a size of 0 that no constant says

    bool isConstant() const { return !impossible && open.size() < 2 && !mayBeZero; }
};

// `wanted` as Reshape reads it, −1 and 0 included unless `zeroIsSize`; nothing: not known. A size
// that the source has at the same place is copied by 0, a number stands, one may be left open.
ReshapeTarget reshapeTarget(const Shape& source, const std::vector<std::optional<Dim>>& wanted,
                            bool zeroIsSize);
// For the shape of an existing value.
std::optional<std::vector<std::int64_t>> reshapeTarget(const Shape& source, const Shape& wanted);

} // namespace fusescope
