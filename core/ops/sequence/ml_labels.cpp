#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

std::span<const OpEntry> mlLabels()
{
    return {};
}

} // namespace fusescope::sequence
