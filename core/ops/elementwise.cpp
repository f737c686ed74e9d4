#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> elementwise()
{
    return {};
}

} // namespace fusescope::families
