#include "ops/indexing/indexing.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> indexing()
{
    using namespace fusescope::indexing;
    static const auto entries =
        joinEntries({slices(), gathers(), scatters(), selections(), uniques()});
    return entries;
}

} // namespace fusescope::families
