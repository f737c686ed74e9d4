#pragma once

#include "session/timeline.h"

#include <map>
#include <optional>
#include <vector>

namespace fusescope {

// A step by rule and file nodes: it holds when the timeline is made anew, where numbers mean other
// steps.
struct StepKey
{
    RewriteKey key;
    int occurrence = 0; // among equal ones: later rounds
    auto operator<=>(const StepKey&) const = default;
};

// The steps of one timeline by what they rewrite. It grows with the timeline and names each step once.
class StepKeys
{
public:
    // Takes in the steps 1 … `count` that are new; those of another generation begin anew.
    void extend(const Timeline& timeline, int count);
    // Of steps 1 …, in their order.
    const std::vector<StepKey>& keys() const { return m_keys; }
    std::optional<int> numberOf(const StepKey& key) const;
    std::size_t named() const { return m_named; } // steps that were named so far, in all generations

private:
    int m_generation = -1;
    std::vector<StepKey> m_keys;
    std::map<StepKey, int> m_numbers;
    std::map<RewriteKey, int> m_seen;
    std::size_t m_named = 0;
};

} // namespace fusescope
