#include "ui/skips.h"

#include <algorithm>

namespace fusescope {

namespace {

template <class T>
int placeOf(const std::vector<T>& list, const T& value)
{
    const auto found = std::find(list.begin(), list.end(), value);
    return found == list.end() ? 0 : static_cast<int>(found - list.begin()) + 1;
}

} // namespace

void addFix(Plan& plan, const Fix& fix)
{
    if (const int number = placeOf(plan.fixes, fix)) {
        plan.skipNumbers.erase(number);
        return;
    }
    // What follows it has the next number, and is skipped as before.
    const int place = static_cast<int>(plan.fixes.size());
    std::set<int> numbers;
    for (const int number : plan.skipNumbers)
        numbers.insert(number > place ? number + 1 : number);
    plan.skipNumbers = std::move(numbers);
    plan.fixes.push_back(fix);
}

int numberIn(const Plan& plan, const Plan& shown, int number)
{
    const auto at = static_cast<std::size_t>(number - 1);
    if (number < 1)
        return 0;
    if (at < shown.fixes.size())
        return placeOf(plan.fixes, shown.fixes[at]);
    const std::size_t edit = at - shown.fixes.size();
    if (edit >= shown.edits.size())
        return 0;
    const int place = placeOf(plan.edits, shown.edits[edit]);
    return place ? static_cast<int>(plan.fixes.size()) + place : 0;
}

bool isSkipped(const AppState& state, int number)
{
    return number >= 1 && number <= state.stepCount() &&
           state.timeline()->steps[static_cast<std::size_t>(number - 1)]->state == StepState::skipped;
}

void applyAgain(AppState& state, int number)
{
    if (number < 1 || number > state.stepCount())
        return;
    const Step& step = *state.timeline()->steps[static_cast<std::size_t>(number - 1)];
    if (step.stage != Stage::fixes) {
        state.unskip(state.timeline()->rewriteOf(number));
        return;
    }
    Plan plan = state.plan();
    plan.skipNumbers.erase(numberIn(plan, state.timeline()->plan, number));
    state.changePlan(std::move(plan), AppState::tr("Apply Again"));
}

} // namespace fusescope
