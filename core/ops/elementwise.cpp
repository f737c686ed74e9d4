#include "ops/elementwise/elementwise.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> elementwise()
{
    using namespace fusescope::elementwise;
    static const auto entries = joinEntries({unary(), binary(), variadic(), optimizers()});
    return entries;
}

} // namespace fusescope::families
