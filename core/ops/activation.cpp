#include "ops/activation/activation.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> activation()
{
    using namespace fusescope::activation;
    static const auto entries = joinEntries({functions(), gates(), dropouts()});
    return entries;
}

} // namespace fusescope::families
