#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> convolution()
{
    return {};
}

} // namespace fusescope::families
