#include "patterns/pattern_list.h"

namespace fusescope {

std::span<const FusionPattern* const> allPatterns()
{
    return {};
}

const FusionPattern* findPattern(RuleId rule)
{
    for (const FusionPattern* pattern : allPatterns()) {
        if (pattern->rule() == rule)
            return pattern;
    }
    return nullptr;
}

} // namespace fusescope
