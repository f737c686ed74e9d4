#include "ops/shaping/shaping.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> shaping()
{
    using namespace fusescope::shaping;
    static const auto entries = joinEntries({reshapes(), arrangements(), joins(), padding()});
    return entries;
}

} // namespace fusescope::families
