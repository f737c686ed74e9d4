// Wall and CPU time from an edit in a scratch copy to the list of what is blocked then: the first
// edits that can be made, a reader dropped or an input replaced, one after the other.
// usage: what_if_bench MODEL [EDITS]
#include "bench/bench_support.h"
#include "session/session.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/core.h>

using namespace fusescope;
using namespace fusescope::bench;

namespace {

// The reader goes; or it reads what its first input was made of.
std::vector<Edit> editsOf(const Graph& graph, NodeId id)
{
    Edit drop;
    drop.kind = EditKind::reader;
    drop.node = id;
    std::vector<Edit> edits{drop};
    const Node& node = *graph.node(id);
    const Node* producer =
        node.inputs.empty() ? nullptr : graph.node(graph.producer(node.inputs[0]));
    if (producer && !producer->inputs.empty()) {
        Edit around = drop;
        around.kind = EditKind::input;
        around.value = producer->inputs[0];
        edits.push_back(around);
    }
    return edits;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2)
        return 2;
    const int wanted = argc > 2 ? std::atoi(argv[2]) : 10;
    const auto session = must(Session::open(argv[1]));
    const TimelinePtr first = must(session->finish());
    fmt::print("{} nodes, {} steps, {} blocked\n", session->opened().nodeCount(), first->size(),
               first->blocked.size());
    std::vector<double> walls, cpus;
    for (const NodeId id : session->opened().allNodes()) {
        if (static_cast<int>(walls.size()) == wanted)
            break;
        const std::vector<Edit> edits = editsOf(session->opened(), id);
        const auto edit = std::find_if(edits.begin(), edits.end(), [&](const Edit& e) {
            return session->check(*first, e).has_value();
        });
        if (edit == edits.end())
            continue;
        Plan plan = first->plan;
        plan.edits.push_back(*edit);
        const double wall = wallSeconds(), cpu = cpuSeconds();
        session->setPlan(plan);
        const TimelinePtr then = must(session->finish());
        walls.push_back((wallSeconds() - wall) * 1000);
        cpus.push_back((cpuSeconds() - cpu) * 1000);
        fmt::print("{:6.1f} ms wall {:6.1f} ms cpu, {} steps, {} blocked\n", walls.back(),
                   cpus.back(), then->size(), then->blocked.size());
    }
    std::sort(walls.begin(), walls.end());
    std::sort(cpus.begin(), cpus.end());
    if (!walls.empty())
        fmt::print("median {:.1f} ms wall, {:.1f} ms cpu\n", walls[walls.size() / 2],
                   cpus[cpus.size() / 2]);
}
