#include "session/json_parts.h"

#include "report/node_names.h"
#include "report/render.h"

#include <cmath>

namespace fusescope {

Json numberJson(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value > 0 ? "inf" : "-inf";
    return value;
}

Json modelJson(const ModelInfo& info)
{
    Json opsets = Json::object();
    for (const auto& [domain, version] : info.opsets)
        opsets[domain == "ai.onnx" ? "" : domain] = version;
    return {{"path", info.path},
            {"ir_version", info.irVersion},
            {"opsets", std::move(opsets)},
            {"producer", info.producer},
            {"producer_version", info.producerVersion},
            {"bytes", info.fileBytes}};
}

Json figuresJson(const ModelFigures& figures)
{
    return {{"nodes", figures.nodes},
            {"initializers", figures.initializers},
            {"parameters", figures.parameters},
            {"bytes", figures.bytes},
            {"operators", figures.operators},
            {"flops", figures.flops},
            {"activation_bytes", figures.activationBytes}};
}

Json costJson(const Cost& cost)
{
    return {{"nodes", cost.nodes},
            {"parameters", cost.parameters},
            {"bytes", cost.storedBytes},
            {"activation_bytes", cost.activationBytes},
            {"flops", cost.flops}};
}

Json comparisonJson(const TensorComparison& one, const std::string& why)
{
    Json worst = nullptr;
    if (one.worstIndex)
        worst = {{"index", *one.worstIndex},
                 {"before", numberJson(one.worstBefore)},
                 {"after", numberJson(one.worstAfter)}};
    Json result{{"name", one.name},
                {"status", one.pass ? "pass" : "fail"},
                {"dtype", nameOf(one.dtype)},
                {"shape", one.shape},
                {"max_abs", numberJson(one.maxAbs)},
                {"max_rel", numberJson(one.maxRel)},
                {"max_ulp", numberJson(one.maxUlp)},
                {"cosine", numberJson(one.cosine)},
                {"worst", std::move(worst)},
                {"nan_before", one.nanBefore},
                {"nan_after", one.nanAfter},
                {"inf_before", one.infBefore},
                {"inf_after", one.infAfter},
                {"rtol", one.tolerance.rtol},
                {"atol", one.tolerance.atol}};
    if (!one.nameAfter.empty())
        result["name_after"] = one.nameAfter;
    if (!why.empty())
        result["why"] = why;
    return result;
}

Json nodeJson(const std::optional<ReportNode>& node)
{
    if (!node)
        return nullptr;
    Json result{{"id", node->id.value},
                {"name", node->name},
                {"op", node->op},
                {"domain", node->domain},
                {"outputs", node->outputs}};
    if (!node->scope.empty())
        result["scope"] = node->scope;
    return result;
}

Json culpritJson(const ReportCulprit& culprit)
{
    if (culprit.node)
        return nodeJson(culprit.node);
    if (culprit.value.empty())
        return nullptr;
    if (culprit.scope.empty())
        return culprit.value;
    return {{"name", culprit.value}, {"scope", culprit.scope}};
}

Json reasonJson(const ReportReason& reason)
{
    Json result{{"code", reason.code}, {"kind", reason.kind}, {"culprits", Json::array()}};
    for (const ReportCulprit& culprit : reason.culprits)
        result["culprits"].push_back(culpritJson(culprit));
    result["message"] = reason.message;
    result["unblock"] = reason.unblock;
    result["fix"] = nullptr;
    if (!reason.fix.empty()) {
        result["fix"] = reason.fix;
        result["fix_changes_meaning"] = reason.fixChangesMeaning;
        result["fix_changes_interface"] = reason.fixChangesInterface;
    }
    return result;
}

std::string scopeOf(const Graph& graph, BodyId id)
{
    std::string scope;
    while (const Body* body = graph.body(id)) {
        std::string part;
        if (body->function) {
            const OpKey& key = body->function->key;
            part = "function " + (key.domain.empty() ? key.type : key.domain + "." + key.type);
        } else if (const Node* owner = graph.node(body->owner)) {
            part = reachableName(graph, body->owner) +
                   (body->attributeName.empty() ? "" : "." + body->attributeName);
            id = owner->body;
        } else {
            break;
        }
        scope = scope.empty() ? part : part + "/" + scope;
        if (body->function)
            break;
    }
    return scope;
}

} // namespace fusescope
