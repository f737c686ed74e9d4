#include "session/safe_fixes.h"
#include "session/session_state.h"

#include <algorithm>

namespace fusescope {

namespace {

bool hasSymbols(const Graph& graph)
{
    for (const ValueId id : graph.body(graph.mainBody())->inputs) {
        const Value& value = *graph.value(id);
        if (!value.isInitializer() && value.type.isTensor() && !value.type.shape.isStatic())
            return true;
    }
    return false;
}

Result<Comparison> proveOnce(const Session& session, const Graph& base, const Graph& result,
                             const ProofOptions& options, bool distinct, int variant,
                             std::stop_token stop, const Progress& progress)
{
    InputSpec spec = options.inputs;
    spec.useDataSetBesideModel = spec.useDataSetBesideModel && !distinct;
    auto inputs = loadInputs(base, session.path(), spec, distinct, variant);
    if (!inputs) {
        if (!spec.sources.empty())
            return tl::unexpected(inputs.error());
        Comparison notRun;
        notRun.why = inputs.error().message;
        return notRun;
    }
    const PairRun pair{base, result, false, false, options.rtol, options.atol, false};
    return comparePair(pair, *inputs, spec.seed, stop, progress);
}

} // namespace

// Fixes and edits stand first, so it is the state after the last of those that change something.
Result<Graph> proofBase(const Timeline& timeline)
{
    return timeline.at(lastIntendedChange(timeline));
}

Result<Comparison> proveGraph(const Session& session, const Timeline& timeline,
                              const Graph& result, const ProofOptions& options,
                              std::stop_token stop, const Progress& progress)
{
    FUSESCOPE_ASSIGN(const Graph base, proofBase(timeline));
    if (!hasSymbols(base) || !options.inputs.sources.empty())
        return proveOnce(session, base, result, options, false, 0, stop, progress);
    // Sizes that no two symbols share show a frozen or a swapped one. Some models only run at the
    // sizes they were made for: then the usual ones serve.
    std::optional<Comparison> passed;
    int ran = 0;
    for (const int variant : {0, 1}) {
        FUSESCOPE_ASSIGN(Comparison one, proveOnce(session, base, result, options, true, variant,
                                                   stop, progress));
        if (one.status == VerificationStatus::fail)
            return one;
        if (one.status != VerificationStatus::notRun) {
            ++ran;
            if (passed)
                one.assumedDims.insert(one.assumedDims.begin(), passed->assumedDims.begin(),
                                       passed->assumedDims.end());
            passed = std::move(one);
        }
    }
    if (passed) {
        if (ran == 1 && passed->status == VerificationStatus::pass && !passed->why)
            passed->why = Message("session.proved-at-one-size");
        return *passed;
    }
    return proveOnce(session, base, result, options, false, 0, stop, progress);
}

} // namespace fusescope
