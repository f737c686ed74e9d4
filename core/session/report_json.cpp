#include "session/report_document.h"

#include "session/gains.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace fusescope {

namespace {

using Json = nlohmann::ordered_json;

Json numberOf(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return value;
}

Json figuresOf(const ModelFigures& figures)
{
    return {{"nodes", figures.nodes},           {"initializers", figures.initializers},
            {"parameters", figures.parameters}, {"bytes", figures.bytes},
            {"operators", figures.operators},   {"flops", figures.flops},
            {"activation_bytes", figures.activationBytes}};
}

Json nodeOf(const std::optional<ReportNode>& node)
{
    if (!node)
        return nullptr;
    return {{"id", node->id.value},
            {"name", node->name},
            {"op", node->op},
            {"domain", node->domain},
            {"outputs", node->outputs}};
}

Json reasonsOf(const std::vector<ReportReason>& reasons)
{
    Json result = Json::array();
    for (const ReportReason& reason : reasons)
        result.push_back({{"code", reason.code},
                          {"kind", reason.kind},
                          {"message", reason.message},
                          {"unblock", reason.unblock},
                          {"fix", reason.fix.empty() ? Json(nullptr) : Json(reason.fix)}});
    return result;
}

Json comparisonOf(const TensorComparison& one)
{
    return {{"name", one.name},
            {"status", one.pass ? "pass" : "fail"},
            {"dtype", nameOf(one.dtype)},
            {"shape", one.shape},
            {"max_abs", numberOf(one.maxAbs)},
            {"max_rel", numberOf(one.maxRel)},
            {"max_ulp", numberOf(one.maxUlp)},
            {"cosine", numberOf(one.cosine)},
            {"nan_before", one.nanBefore},
            {"nan_after", one.nanAfter},
            {"inf_before", one.infBefore},
            {"inf_after", one.infAfter},
            {"rtol", one.tolerance.rtol},
            {"atol", one.tolerance.atol}};
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
    Json opsets = Json::object();
    for (const auto& [domain, version] : data.info.opsets)
        opsets[domain == "ai.onnx" ? "" : domain] = version;
    Json document{{"schema", 1},
                  {"model",
                   {{"path", data.info.path},
                    {"ir_version", data.info.irVersion},
                    {"opsets", opsets},
                    {"producer", data.info.producer},
                    {"producer_version", data.info.producerVersion},
                    {"bytes", data.info.fileBytes}}},
                  {"problems", Json::array()},
                  {"before", figuresOf(data.before)},
                  {"after", figuresOf(data.after)},
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
                                     {"root", nodeOf(step.root)},
                                     {"nodes_removed", step.removed},
                                     {"nodes_added", step.added},
                                     {"nodes_changed", step.changed},
                                     {"saves",
                                      {{"nodes", step.saves.nodes},
                                       {"parameters", step.saves.parameters},
                                       {"bytes", step.saves.storedBytes},
                                       {"activation_bytes", step.saves.activationBytes},
                                       {"flops", step.saves.flops}}},
                                     {"remarks", reasonsOf(step.remarks)}});
    for (const ReportBlocked& row : data.blocked)
        document["blocked"].push_back({{"rule", row.rule},
                                       {"root", nodeOf(row.root)},
                                       {"final_at", row.finalAt},
                                       {"reasons", reasonsOf(row.reasons)}});
    Json outputs = Json::array();
    for (const TensorComparison& one : data.verification.outputs)
        outputs.push_back(comparisonOf(one));
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
