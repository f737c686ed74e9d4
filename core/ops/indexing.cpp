#include "ops/families.h"

namespace fusescope::families {

std::span<const OpEntry> indexing()
{
    return {};
}

} // namespace fusescope::families
