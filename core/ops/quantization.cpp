#include "ops/quantization/quantization.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> quantization()
{
    static const auto entries =
        joinEntries({fusescope::quantization::linear(), fusescope::quantization::products()});
    return entries;
}

} // namespace fusescope::families
