#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> generation()
{
    return {};
}

} // namespace fusescope::families
