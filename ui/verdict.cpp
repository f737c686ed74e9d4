#include "ui/verdict.h"

namespace fusescope {

const AppState::CompareResult* currentComparison(const AppState& state)
{
    const auto& result = state.compareResult();
    if (!result)
        return nullptr;
    const bool gone = result->divergence && result->divergence->step == state.b();
    return result->pair == state.namedPair() || gone ? &*result : nullptr;
}

} // namespace fusescope
