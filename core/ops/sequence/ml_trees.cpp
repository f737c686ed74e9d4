#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

std::span<const OpEntry> mlTrees()
{
    return {};
}

} // namespace fusescope::sequence
