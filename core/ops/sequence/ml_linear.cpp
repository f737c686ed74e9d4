#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

std::span<const OpEntry> mlLinear()
{
    return {};
}

} // namespace fusescope::sequence
