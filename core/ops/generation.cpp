#include "ops/generation/generation.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> generation()
{
    using namespace fusescope::generation;
    static const auto entries = joinEntries({constants(), windows(), transforms()});
    return entries;
}

} // namespace fusescope::families
