#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

std::span<const OpEntry> mlScaling()
{
    return {};
}

} // namespace fusescope::sequence
