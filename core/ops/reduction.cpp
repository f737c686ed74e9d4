#include "ops/reduction/reduction.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> reduction()
{
    using namespace fusescope::reduction;
    static const auto entries = joinEntries({reductions(), selections(), scans()});
    return entries;
}

} // namespace fusescope::families
