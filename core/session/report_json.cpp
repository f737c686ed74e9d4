#include "session/report_document.h"

#include "session/gains.h"
#include "session/json_parts.h"

namespace fusescope {

namespace {

Json reasonsOf(const std::vector<ReportReason>& reasons)
{
    Json result = Json::array();
    for (const ReportReason& reason : reasons)
        result.push_back(reasonJson(reason));
    return result;
}

} // namespace

const char* textOf(VerificationStatus status)
{
    switch (status) {
    case VerificationStatus::pass:
        return "pass";
    case VerificationStatus::partial:
        return "partial";
    case VerificationStatus::fail:
        return "fail";
    case VerificationStatus::notRun:
        break;
    }
    return "not-run";
}

std::string reportJson(const ReportData& data)
{
    Json document{{"schema", 1},
                  {"model", modelJson(data.info)},
                  {"problems", Json::array()},
                  {"before", figuresJson(data.before)},
                  {"after", figuresJson(data.after)},
                  {"sizes", Json::object()},
                  {"steps", Json::array()},
                  {"blocked", Json::array()}};
    for (const ReportProblem& problem : data.problems)
        document["problems"].push_back(
            {{"severity", problem.severity}, {"message", problem.message}});
    for (const auto& [symbol, size] : data.sizes)
        document["sizes"][symbol] = size;
    for (const ReportStep& step : data.steps)
        document["steps"].push_back({{"index", step.number},
                                     {"stage", idOf(step.stage)},
                                     {"round", step.round},
                                     {"state", step.applied ? "applied" : "skipped"},
                                     {"rule", step.rule},
                                     {"title", step.title},
                                     {"root", nodeJson(step.root)},
                                     {"nodes_removed", step.removed},
                                     {"nodes_added", step.added},
                                     {"nodes_changed", step.changed},
                                     {"saves", costJson(step.saves)},
                                     {"remarks", reasonsOf(step.remarks)}});
    for (const ReportBlocked& row : data.blocked)
        document["blocked"].push_back({{"rule", row.rule},
                                       {"root", nodeJson(row.root)},
                                       {"final_at", row.finalAt},
                                       {"reasons", reasonsOf(row.reasons)}});
    Json outputs = Json::array();
    for (std::size_t i = 0; i < data.verification.outputs.size(); ++i)
        outputs.push_back(
            comparisonJson(data.verification.outputs[i],
                           i < data.whyOfOutputs.size() ? data.whyOfOutputs[i] : std::string()));
    document["verification"] = {{"status", textOf(data.verification.status)},
                                {"why", data.why},
                                {"cut", data.cut},
                                {"seed", data.verification.seed},
                                {"executor", data.verification.executor},
                                {"outputs", std::move(outputs)}};
    document["milliseconds"] = {{"load", data.info.loadMs}, {"optimize", data.optimizeMs}};
    for (const PlanProfile& plan : data.plans)
        document["milliseconds"][plan.name] = plan.medianMs;
    document["gains"] = Json::array();
    for (const Gain& gain : gainsOf(data.before, data.after, mediansOf(data))) {
        const char* what = gain.what == Gain::What::size     ? "size"
                           : gain.what == Gain::What::memory ? "memory"
                                                             : "speed";
        document["gains"].push_back({{"what", what},
                                     {"expected_from", gain.from},
                                     {"expected_to", gain.to},
                                     {"measured", gain.measured ? Json(*gain.measured) : Json()}});
    }
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace fusescope
