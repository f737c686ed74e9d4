#include "exec/executor.h"

#include <algorithm>

namespace fusescope {

namespace {

struct Spread
{
    double min = 0, median = 0, p90 = 0;
};

Spread spreadOf(std::vector<double> samples)
{
    Spread spread;
    if (samples.empty())
        return spread;
    std::ranges::sort(samples);
    const std::size_t count = samples.size();
    spread.min = samples.front();
    spread.median =
        count % 2 == 1 ? samples[count / 2] : (samples[count / 2 - 1] + samples[count / 2]) / 2;
    // The smallest sample that at least nine tenths do not pass.
    spread.p90 = samples[(count * 9 + 9) / 10 - 1];
    return spread;
}

// All samples of one plan: of the whole, and of each step.
struct Samples
{
    PlanProfile last;
    std::vector<double> whole;
    std::vector<std::vector<double>> steps;

    void add(PlanProfile profile)
    {
        whole.push_back(profile.medianMs);
        if (steps.size() != profile.nodes.size())
            steps.assign(profile.nodes.size(), {});
        for (std::size_t i = 0; i < profile.nodes.size(); ++i)
            steps[i].push_back(profile.nodes[i].medianMs);
        last = std::move(profile);
    }
    PlanProfile summary(std::string name) &&
    {
        last.name = std::move(name);
        last.runs = static_cast<int>(whole.size());
        const Spread all = spreadOf(std::move(whole));
        last.minMs = all.min;
        last.medianMs = all.median;
        last.p90Ms = all.p90;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Spread one = spreadOf(std::move(steps[i]));
            last.nodes[i].minMs = one.min;
            last.nodes[i].medianMs = one.median;
            last.nodes[i].p90Ms = one.p90;
        }
        return std::move(last);
    }
};

} // namespace

Result<std::vector<PlanProfile>>
benchInterleaved(std::vector<std::pair<std::string, FusedExecutor*>> plans, const RunInputs& inputs,
                 int repeat, std::stop_token stop, const Progress& progress)
{
    constexpr int warmUps = 2;
    RunOptions options;
    options.stop = stop;
    std::vector<Samples> samples(plans.size());
    const int rounds = warmUps + std::max(1, repeat);
    for (int round = 0; round < rounds; ++round) {
        progress(static_cast<double>(round) / rounds,
                 Message("exec.timing",
                         {{"round", std::int64_t{round + 1}}, {"rounds", std::int64_t{rounds}}}));
        for (std::size_t k = 0; k < plans.size(); ++k) {
            // Every other round goes the other way, so that no plan always runs after the same one.
            const std::size_t index = round % 2 == 0 ? k : plans.size() - 1 - k;
            FUSESCOPE_ASSIGN(RunResult result, plans[index].second->run(inputs, options));
            if (round >= warmUps)
                samples[index].add(std::move(result.profile));
        }
    }
    std::vector<PlanProfile> profiles;
    for (std::size_t k = 0; k < plans.size(); ++k)
        profiles.push_back(std::move(samples[k]).summary(plans[k].first));
    return profiles;
}

} // namespace fusescope
