#include "ops/casting/casting.h"
#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> casting()
{
    return fusescope::casting::casts();
}

} // namespace fusescope::families
