#include "ui/step_keys.h"

#include "model/origins.h"

#include <algorithm>

namespace fusescope {

namespace {

// The root as the step found it. Later steps may change its record, and one that was skipped has none.
const Node* rootOf(const Timeline& timeline, const Step& step)
{
    const auto& slots = step.patch.nodes;
    const auto slot = std::lower_bound(slots.begin(), slots.end(), step.root,
                                       [](const auto& one, NodeId id) { return one.id < id; });
    if (slot != slots.end() && slot->id == step.root)
        return slot->before ? slot->before.get() : slot->after.get();
    return timeline.unionGraph.lastRecord(step.root);
}

} // namespace

void StepKeys::extend(const Timeline& timeline, int count)
{
    if (timeline.generation != m_generation) {
        m_generation = timeline.generation;
        m_keys.clear();
        m_numbers.clear();
        m_seen.clear();
    }
    for (int number = static_cast<int>(m_keys.size()) + 1; number <= count; ++number) {
        const Step& step = *timeline.steps[static_cast<std::size_t>(number - 1)];
        RewriteKey key{std::string(step.rule), originsOf(step.root, rootOf(timeline, step))};
        const int occurrence = m_seen[key]++;
        m_keys.push_back({std::move(key), occurrence});
        m_numbers.emplace(m_keys.back(), number);
        ++m_named;
    }
}

std::optional<int> StepKeys::numberOf(const StepKey& key) const
{
    const auto found = m_numbers.find(key);
    return found == m_numbers.end() ? std::nullopt : std::optional(found->second);
}

} // namespace fusescope
