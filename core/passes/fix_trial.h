#pragma once

#include "passes/optimizer.h"

namespace fusescope {

// Whether the fixes of a refusal lift it: they are applied to a copy of the graph, and the rule is
// asked again. What the file lets a caller override is read by no condition, so that a weight that
// does not fit shows only once it is frozen.
class FixTrial
{
public:
    // `calls` of the model as opened; `grown` bytes were added by the steps so far. All that is given
    // by reference must outlive the trial.
    FixTrial(const Graph& graph, const Plan& plan, const CallSizes& calls, std::int64_t grown);

    // Obstacles that show behind those that the fixes lift are added to the refusal, which keeps its
    // fixes only where they lift all.
    void examine(const Pass& pass, MissReason& miss);

    // How often other fixes had to be made than those before: each time takes as long as the model is
    // large.
    int preparations() const { return m_preparations; }

private:
    struct Outcome
    {
        bool applied = true; // each fix could be
        PassAnswer answer;
    };
    Outcome outcome(const Pass& pass, const MissReason& miss);
    // The scratch with these fixes and no others; false where one cannot be applied. Refusals in a
    // row often have the same fixes, which are then left in place.
    bool prepare(std::vector<Fix> fixes);

    const Graph& m_graph;
    const Plan& m_plan;
    const CallSizes& m_calls;
    std::int64_t m_grown;
    // Made when a fix is first tried.
    struct Scratch
    {
        Graph graph;
        IdPool pool;
        std::vector<Fix> fixes; // applied; empty where one could not be
        std::vector<GraphPatch> patches;
    };
    std::optional<Scratch> m_scratch;
    int m_preparations = 0;
};

} // namespace fusescope
