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

const DivergenceCause* causeOf(const AppState::CompareResult& result)
{
    return result.divergence && result.divergence->step && result.divergence->cause
               ? &*result.divergence->cause
               : nullptr;
}

std::optional<std::pair<double, double>> worstAround(const AppState::CompareResult& result)
{
    if (!result.divergence || !result.divergence->step)
        return std::nullopt;
    const int step = *result.divergence->step;
    // The state that the run started from agrees with itself.
    std::optional<double> before = step - 1 == result.pair.a ? std::optional(0.0) : std::nullopt;
    std::optional<double> after;
    for (const auto& [tested, worst] : result.divergence->tested) {
        if (tested == step - 1)
            before = worst;
        if (tested == step)
            after = worst;
    }
    if (!before || !after)
        return std::nullopt;
    return std::pair(*before, *after);
}

} // namespace fusescope
