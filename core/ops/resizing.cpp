#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> resizing()
{
    return {};
}

} // namespace fusescope::families
