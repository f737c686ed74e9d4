#include "exec/kernels/target.h"

#include "exec/kernels/hwytargets.h"

#include <chrono>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/target.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

int lanes()
{
    return static_cast<int>(hn::Lanes(hn::ScalableTag<float>()));
}

// Does `rounds` times twelve independent multiply-adds on full vectors; the sum keeps them alive.
// The chains start differently: equal ones would be computed once.
float multiplyAdds(long rounds, float factor)
{
    const hn::ScalableTag<float> d;
    const auto m = hn::Set(d, factor);
    const auto a = hn::Set(d, 1e-3F);
    const auto start = [&](float value) HWY_ATTR { return hn::Set(d, factor * value); };
    auto s0 = start(1), s1 = start(2), s2 = start(3), s3 = start(4), s4 = start(5), s5 = start(6);
    auto s6 = start(7), s7 = start(8), s8 = start(9), s9 = start(10), s10 = start(11),
         s11 = start(12);
    for (long i = 0; i < rounds; ++i) {
        s0 = hn::MulAdd(s0, m, a);
        s1 = hn::MulAdd(s1, m, a);
        s2 = hn::MulAdd(s2, m, a);
        s3 = hn::MulAdd(s3, m, a);
        s4 = hn::MulAdd(s4, m, a);
        s5 = hn::MulAdd(s5, m, a);
        s6 = hn::MulAdd(s6, m, a);
        s7 = hn::MulAdd(s7, m, a);
        s8 = hn::MulAdd(s8, m, a);
        s9 = hn::MulAdd(s9, m, a);
        s10 = hn::MulAdd(s10, m, a);
        s11 = hn::MulAdd(s11, m, a);
    }
    s0 = hn::Add(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)), hn::Add(hn::Add(s4, s5), s6));
    s7 = hn::Add(hn::Add(hn::Add(s7, s8), s9), hn::Add(s10, s11));
    return hn::GetLane(hn::Add(s0, s7));
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(lanes);
HWY_EXPORT(multiplyAdds);

int blockLanes()
{
    return HWY_DYNAMIC_DISPATCH(lanes)();
}

namespace {

// What this build has and the machine runs, without the restriction of useTarget().
std::vector<std::int64_t> runnableTargets()
{
    static const std::vector<std::int64_t> targets = [] {
        std::vector<std::int64_t> found = hwy::SupportedAndGeneratedTargets();
        // The baseline is not reported by the processor's feature bits.
        const std::int64_t baseline = HWY_STATIC_TARGET;
        if (found.empty() || found.back() != baseline)
            found.push_back(baseline);
        return found;
    }();
    return targets;
}

std::int64_t g_target = 0;

} // namespace

std::string targetName()
{
    return hwy::TargetName(g_target != 0 ? g_target : runnableTargets().front());
}

std::vector<std::string> availableTargets()
{
    std::vector<std::string> names;
    for (const std::int64_t target : runnableTargets())
        names.emplace_back(hwy::TargetName(target));
    return names;
}

bool useTarget(const std::string& name)
{
    std::int64_t chosen = 0;
    for (const std::int64_t target : runnableTargets())
        if (!name.empty() && name == hwy::TargetName(target))
            chosen = target;
    if (chosen == 0 && !name.empty())
        return false;
    g_target = chosen;
    hwy::SetSupportedTargetsForTest(chosen);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    return true;
}

double measureFmaRate(double seconds)
{
    using Clock = std::chrono::steady_clock;
    constexpr long kRounds = 20000;
    const double work = 2.0 * 12 * kRounds * blockLanes();
    volatile float factor = 0.5F;
    double best = 0;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    do {
        const auto start = Clock::now();
        const volatile float sum = HWY_DYNAMIC_DISPATCH(multiplyAdds)(kRounds, factor);
        static_cast<void>(sum);
        best = std::max(best, work / std::chrono::duration<double>(Clock::now() - start).count());
    } while (Clock::now() < end);
    return best;
}

} // namespace fusescope::kernels
#endif
