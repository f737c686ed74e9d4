#include "ops/resizing/resizing.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> resizing()
{
    using namespace fusescope::resizing;
    static const auto entries = joinEntries({resizes(), grids(), regions()});
    return entries;
}

} // namespace fusescope::families
