#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> casting()
{
    return {};
}

} // namespace fusescope::families
