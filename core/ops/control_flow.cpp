#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> controlFlow()
{
    return {};
}

} // namespace fusescope::families
