#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> logic()
{
    return {};
}

} // namespace fusescope::families
