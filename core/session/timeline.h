#pragma once

#include "diff/union_graph.h"
#include "model/history.h"
#include "model/origins.h"
#include "passes/optimizer.h"
#include "report/step.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fusescope {

// The passes run to the end, or as far as they are: an immutable value, published again and again
// while steps are added. Within a generation steps only grow.
struct Timeline
{
    int generation = 0;
    Plan plan;
    bool finished = false; // blocked, lifted and remarks are final only then
    bool failed = false;
    Error error;
    std::shared_ptr<const History> history;          // step 0 is the model after its first inference
    std::vector<std::shared_ptr<const Step>> steps;  // steps[k − 1] leads to state k
    std::vector<Blocked> blocked;
    std::vector<Lifted> lifted;
    std::vector<Remark> remarks;
    UnionGraph unionGraph;
    std::vector<std::size_t> nodeCounts; // [k]: nodes of state k
    // The sizes at which the costs of the steps are counted, those of a run: by symbol, or "x[0]".
    std::vector<std::pair<std::string, std::int64_t>> sizes;

    int size() const { return static_cast<int>(steps.size()); }
    // How the plan names the rewrite of a step, so that it can be skipped.
    RewriteKey rewriteOf(int number) const
    {
        const Step& step = *steps[static_cast<std::size_t>(number - 1)];
        return {std::string(step.rule), originsOf(step.root, at(number - 1).node(step.root))};
    }
    // The model after k steps, 0 … size().
    Graph at(int k) const { return history->at(static_cast<std::size_t>(k)); }
};
using TimelinePtr = std::shared_ptr<const Timeline>;

} // namespace fusescope
