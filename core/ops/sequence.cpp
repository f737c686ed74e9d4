#include "ops/sequence/sequence.h"
#include "ops/families.h"
#include "ops/infer_support.h"

namespace fusescope::families {

std::span<const OpEntry> sequence()
{
    namespace parts = fusescope::sequence;
    static const auto entries =
        joinEntries({parts::sequences(), parts::optionals(), parts::strings(), parts::ngrams(),
                     parts::mlLabels(), parts::mlMaps(), parts::mlScaling(), parts::mlLinear(),
                     parts::mlVectors(), parts::mlTrees()});
    return entries;
}

} // namespace fusescope::families
