#include "ops/logic/logic.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> logic()
{
    using namespace fusescope::logic;
    static const auto entries = joinEntries({comparisons(), bits()});
    return entries;
}

} // namespace fusescope::families
