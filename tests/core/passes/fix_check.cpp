#include "fix_check.h"

#include "exec/compare.h"
#include "exec/inputs.h"
#include "io/document.h"
#include "ops/inference.h"
#include "report/node_names.h"
#include "report/render.h"

#include <fmt/format.h>

#include <algorithm>

namespace fusescope::test {

namespace {

std::vector<Fix> fixesOf(const MissReason& miss)
{
    std::vector<Fix> fixes;
    for (const Reason& reason : miss.reasons) {
        if (reason.fix && std::find(fixes.begin(), fixes.end(), *reason.fix) == fixes.end())
            fixes.push_back(*reason.fix);
    }
    return fixes;
}

// The outputs that both have, on the same inputs.
std::string outputsDiffer(const Graph& before, const Graph& after)
{
    InputRecipe recipe;
    recipe.seed = 11;
    recipe.distinctDims = true;
    const auto made = makeInputs(before, recipe);
    if (!made)
        return {};
    const auto first = ReferenceExecutor(before).run(made->inputs, {});
    if (!first)
        return {}; // what could not run before proves nothing
    const auto second = ReferenceExecutor(after).run(made->inputs, {});
    if (!second)
        return "after: " + render(second.error().message, &after);
    if (second->outputs.empty())
        return "no outputs";
    for (const auto& [name, value] : second->outputs) {
        const auto same = std::find_if(first->outputs.begin(), first->outputs.end(),
                                       [&name](const auto& o) { return o.first == name; });
        if (same == first->outputs.end())
            return "a new output " + name;
        const DType type = value.tensor() ? value.tensor()->dtype() : DType::float32;
        const double rtol = type == DType::float16 ? 2e-3 : 1e-4;
        if (!compareValues(same->second, value, rtol, 0.0).pass)
            return "output " + name + " differs";
    }
    return {};
}

// A step of the rule at the root, or at what stands for it.
bool happened(const PassRun& run, const MissReason& miss)
{
    return std::any_of(run.steps.begin(), run.steps.end(), [&miss](const Step& step) {
        return step.state == StepState::applied && step.rule == miss.rule &&
               (step.root == miss.root ||
                std::any_of(step.patch.nodes.begin(), step.patch.nodes.end(),
                            [&miss](const auto& slot) { return slot.id == miss.root; }));
    });
}

} // namespace

bool openInferred(const std::string& path, Graph& graph)
{
    const auto document = Document::open(path);
    if (!document)
        return false;
    graph = (*document)->graph();
    const auto inferred = inferGraph(graph);
    return inferred && graph.apply(inferred->patch);
}

FixCheck checkFixes(const Graph& opened, bool run)
{
    FixCheck result;
    const PassRun before = runPasses(opened);
    std::vector<std::pair<std::vector<Fix>, PassRun>> tried;
    for (const Blocked& row : before.blocked) {
        const std::vector<Fix> fixes = fixesOf(row.miss);
        if (fixes.empty())
            continue;
        ++result.rows;
        const std::string where =
            fmt::format("{} at {} by {}: ", row.miss.rule, reachableName(before.graph, row.miss.root),
                        idOf(fixes.front().kind));
        auto known = std::find_if(tried.begin(), tried.end(),
                                  [&fixes](const auto& one) { return one.first == fixes; });
        if (known == tried.end()) {
            Plan plan;
            plan.fixes = fixes;
            tried.emplace_back(fixes, runPasses(opened, plan));
            known = std::prev(tried.end());
            ++result.fixes;
            const PassRun& after = known->second;
            if (!after.problem.empty()) {
                result.problem = where + after.problem;
                return result;
            }
            const bool means = std::any_of(fixes.begin(), fixes.end(),
                                           [](const Fix& fix) { return fix.changesMeaning; });
            Graph base = opened;
            for (std::size_t i = 0; means && i < fixes.size(); ++i) {
                if (!base.apply(after.steps[i].patch)) {
                    result.problem = where + "the fix does not apply alone";
                    return result;
                }
            }
            if (std::string differs = run ? outputsDiffer(base, after.graph) : std::string();
                !differs.empty()) {
                result.problem = where + differs;
                return result;
            }
        }
        const PassRun& after = known->second;
        const bool stays =
            std::any_of(after.blocked.begin(), after.blocked.end(), [&row](const Blocked& other) {
                return other.miss.rule == row.miss.rule && other.miss.root == row.miss.root;
            });
        if (stays || !happened(after, row.miss)) {
            result.problem = where + (stays ? "still refused" : "nothing happens") + ", " +
                             after.refusals(row.miss.rule);
            return result;
        }
    }
    return result;
}

} // namespace fusescope::test
