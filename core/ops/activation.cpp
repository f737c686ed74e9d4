#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> activation()
{
    return {};
}

} // namespace fusescope::families
