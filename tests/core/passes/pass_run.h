#pragma once

#include "passes/optimizer.h"
#include "support/rewrite_check.h"

#include <string>
#include <string_view>
#include <vector>

namespace fusescope::test {

// All passes of a plan over one model, with the graph checked after every step.
struct PassRun
{
    Graph opened, graph;
    std::vector<Step> steps;
    std::vector<Blocked> blocked;
    std::vector<Lifted> lifted;
    std::string problem; // the first thing that is wrong; empty when nothing is

    // The rules of the applied steps, separated by blanks.
    std::string rules() const;
    // "code [culprit]" of each reason of a rule's refusals, separated by blanks.
    std::string refusals(std::string_view rule) const;
    // Number, rule and title of every step, one a line: equal for equal runs.
    std::string log() const;
};

PassRun runPasses(const Graph& opened, Plan plan = {});
PassRun runPasses(std::string_view text, Plan plan = {});

// A plan without the fusion stage.
Plan withoutFusion();

// The operators of the main body once all steps are done; "problem: …" when a step broke the graph
// or the outputs differ on seeded inputs.
std::string optimized(std::string_view text, Plan plan = withoutFusion());

} // namespace fusescope::test
