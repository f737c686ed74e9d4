#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> recurrent()
{
    return {};
}

} // namespace fusescope::families
