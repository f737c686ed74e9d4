#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

std::span<const OpEntry> mlMaps()
{
    return {};
}

} // namespace fusescope::sequence
