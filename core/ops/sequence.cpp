#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> sequence()
{
    return {};
}

} // namespace fusescope::families
