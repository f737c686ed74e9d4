#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

std::span<const OpEntry> mlVectors()
{
    return {};
}

} // namespace fusescope::sequence
