#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> products()
{
    return {};
}

} // namespace fusescope::families
