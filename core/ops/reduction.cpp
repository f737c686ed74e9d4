#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> reduction()
{
    return {};
}

} // namespace fusescope::families
