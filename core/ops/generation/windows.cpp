#include "ops/generation/generation.h"

namespace fusescope::generation {

std::span<const OpEntry> windows()
{
    return {};
}

} // namespace fusescope::generation
