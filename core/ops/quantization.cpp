#include "ops/families.h"
#include "ops/infer_support.h"
#include "ops/quantization/quantization.h"

namespace fusescope::families {

std::span<const OpEntry> quantization()
{
    using namespace fusescope::quantization;
    static const auto entries = joinEntries({linear(), products()});
    return entries;
}

} // namespace fusescope::families
