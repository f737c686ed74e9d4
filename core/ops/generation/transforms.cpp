#include "ops/generation/generation.h"

namespace fusescope::generation {

std::span<const OpEntry> transforms()
{
    return {};
}

} // namespace fusescope::generation
