#include "pass_run.h"

#include "report/node_names.h"
#include "report/render.h"
#include "support/sentences.h"

#include <fmt/format.h>

namespace fusescope::test {

namespace {

// The first sentence of a run that is not whole, or a rewrite that the program refused itself.
std::string toldProblem(const PassRun& run)
{
    std::vector<std::string> problems;
    for (const Step& step : run.steps) {
        problems.push_back(sentenceProblem(step.title));
        for (const Remark& remark : step.remarks)
            problems.push_back(sentenceProblem(remark.reason));
    }
    for (const Blocked& row : run.blocked) {
        problems.push_back(sentenceProblem(row.miss.reasons));
        for (const Reason& reason : row.miss.reasons) {
            if (reason.headline.text.key == "headline.rewrite-refused")
                problems.push_back(fmt::format("{}: {}", row.miss.rule,
                                               render(reason.message, &run.graph)));
        }
    }
    for (const Lifted& row : run.lifted)
        problems.push_back(sentenceProblem(row.miss.reasons));
    for (std::string& problem : problems) {
        if (!problem.empty())
            return std::move(problem);
    }
    return {};
}

} // namespace

std::string PassRun::rules() const
{
    std::string text;
    for (const Step& step : steps) {
        if (step.state == StepState::applied)
            text += (text.empty() ? "" : " ") + std::string(step.rule);
    }
    return text;
}

std::string PassRun::refusals(std::string_view rule) const
{
    std::string text;
    for (const Blocked& row : blocked) {
        if (row.miss.rule != rule)
            continue;
        for (const Reason& reason : row.miss.reasons) {
            text += text.empty() ? "" : " ";
            text += idOf(reason.code);
            if (!reason.culprits.empty())
                text += std::visit(
                    [this](auto id) { return " [" + reachableName(graph, id) + "]"; },
                    reason.culprits.front());
        }
    }
    return text;
}

std::string PassRun::log() const
{
    std::string text;
    for (std::size_t i = 0; i < steps.size(); ++i)
        text += fmt::format("{} {} {} {} {}\n", steps[i].number,
                            steps[i].state == StepState::applied ? "applied" : "skipped",
                            steps[i].rule, steps[i].root.value, render(steps[i].title, &opened));
    return text;
}

PassRun runPasses(const Graph& opened, Plan plan)
{
    PassRun run;
    run.opened = opened;
    Optimizer optimizer(opened, std::move(plan));
    for (;;) {
        auto step = optimizer.next();
        if (!step) {
            run.problem = "step: " + render(step.error().message, &optimizer.graph());
            break;
        }
        if (!*step)
            break;
        run.steps.push_back(std::move(**step));
        const auto checked = optimizer.graph().check();
        if (!checked) {
            run.problem = fmt::format("after {} {}: {}", run.steps.size(), run.steps.back().rule,
                                      render(checked.error().message, &optimizer.graph()));
            break;
        }
    }
    run.graph = optimizer.graph();
    run.blocked = optimizer.blocked();
    run.lifted = optimizer.lifted();
    if (run.problem.empty())
        run.problem = toldProblem(run);
    return run;
}

PassRun runPasses(std::string_view text, Plan plan)
{
    return runPasses(graphOf(text), std::move(plan));
}

Plan withoutFusion()
{
    Plan plan;
    plan.policy.disabled = {"fusion"};
    return plan;
}

std::string optimized(std::string_view text, Plan plan)
{
    const PassRun run = runPasses(text, std::move(plan));
    if (!run.problem.empty())
        return "problem: " + run.problem;
    const std::string differs = runProblem(run.opened, run.graph, 0);
    return differs.empty() ? operatorsOf(run.graph) : "problem: " + differs;
}

} // namespace fusescope::test
