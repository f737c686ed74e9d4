#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> pooling()
{
    return {};
}

} // namespace fusescope::families
