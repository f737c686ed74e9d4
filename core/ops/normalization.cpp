#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> normalization()
{
    return {};
}

} // namespace fusescope::families
