#include "app/json.h"

#include "session/report.h"

namespace fusescope {

Json JsonWriter::text(const Message& message, const Graph* graph) const
{
    return render(message, graph, m_translate);
}

Json JsonWriter::node(const Graph& graph, NodeId id) const
{
    return nodeJson(reportNode(graph, id));
}

Json JsonWriter::value(const Graph& graph, ValueId id) const
{
    return culpritJson(reportCulprit(graph, id));
}

Json JsonWriter::reason(const Graph& graph, const Reason& reason) const
{
    return reasonJson(reportReason(graph, reason, m_translate));
}

Json JsonWriter::condition(const Graph& graph, const ConditionRecord& condition) const
{
    return {{"id", condition.name.key},
            {"name", text(Message(condition.name), &graph)},
            {"holds", condition.holds},
            {"saw", text(condition.saw, &graph)}};
}

Json JsonWriter::step(const TimelineWalk& walk) const
{
    const Step& step = walk.step();
    const Graph& before = walk.before();
    const Graph& after = walk.after();
    const Graph& named = walk.named();
    Json result{{"index", step.number},
                {"stage", idOf(step.stage)},
                {"round", step.round},
                {"state", step.state == StepState::applied ? "applied" : "skipped"},
                {"rule", step.rule},
                {"title", text(step.title, &named)},
                {"root", named.node(step.root) ? node(named, step.root) : Json(nullptr)}};
    Json removed = Json::array(), added = Json::array(), changed = Json::array();
    Json values = Json::array();
    const GraphDiff diff = walk.diff();
    for (const NodeChange& change : diff.nodes) {
        if (change.kind == ChangeKind::removed)
            removed.push_back(node(before, change.node));
        else
            (change.kind == ChangeKind::added ? added : changed).push_back(node(after, change.node));
    }
    for (const ValueChange& change : diff.values)
        values.push_back(value(change.after ? after : before, change.value));
    result["removed"] = std::move(removed);
    result["added"] = std::move(added);
    result["changed"] = std::move(changed);
    result["values"] = std::move(values);
    result["saves"] = costJson(step.cost);
    if (!step.remarks.empty()) {
        result["remarks"] = Json::array();
        for (const Remark& remark : step.remarks)
            result["remarks"].push_back(reason(named, remark.reason));
    }
    return result;
}

Json JsonWriter::blocked(const Graph& graph, const Blocked& row) const
{
    Json result{{"rule", row.miss.rule},
                {"root", node(graph, row.miss.root)},
                {"final_at", row.finalAt},
                {"reasons", Json::array()}};
    for (const Reason& one : row.miss.reasons)
        result["reasons"].push_back(reason(graph, one));
    return result;
}

Json JsonWriter::comparison(const Graph& graph, const TensorComparison& one) const
{
    return comparisonJson(one, one.why ? text(one.why, &graph).get<std::string>() : std::string());
}

Json JsonWriter::verification(const Graph& graph, const Comparison& comparison) const
{
    Json result{{"status", textOf(comparison.status)},
                {"why", text(comparison.why, &graph)},
                {"cut", Json::array()},
                {"seed", comparison.seed},
                {"executor", comparison.executor},
                {"outputs", Json::array()}};
    for (const NodeId id : comparison.cut)
        result["cut"].push_back(node(graph, id));
    for (const TensorComparison& one : comparison.outputs)
        result["outputs"].push_back(this->comparison(graph, one));
    if (comparison.samples > 1)
        result["samples"] = comparison.samples;
    if (comparison.top1Agreement >= 0) {
        result["top1_agreement"] = comparison.top1Agreement;
        result["top5_agreement"] = comparison.top5Agreement;
    }
    result["assumed"] = Json::array();
    for (const auto& [symbol, size] : comparison.assumedDims)
        result["assumed"].push_back({{"name", symbol}, {"size", size}});
    return result;
}

Json JsonWriter::profile(const Graph& graph, const PlanProfile& profile, bool withNodes) const
{
    Json result{{"name", profile.name},          {"runs", profile.runs},
                {"min_ms", profile.minMs},       {"median_ms", profile.medianMs},
                {"p90_ms", profile.p90Ms},       {"arena_bytes", profile.arenaBytes},
                {"weight_bytes", profile.weightBytes}};
    if (!withNodes)
        return result;
    result["nodes"] = Json::array();
    for (const NodeProfile& one : profile.nodes) {
        Json entry{{"node", node(graph, one.node)},
                   {"kernel", one.kernel},
                   {"layout", one.layout},
                   {"median_ms", one.medianMs},
                   {"gflops", one.medianMs > 0 ? one.flops / one.medianMs / 1e6 : 0},
                   {"gbytes_per_s", one.medianMs > 0 ? one.bytes / one.medianMs / 1e6 : 0},
                   {"originals", Json::array()},
                   {"why_not_faster", text(one.whyNotFaster, &graph)}};
        for (const NodeId id : one.originals)
            entry["originals"].push_back(id.value);
        result["nodes"].push_back(std::move(entry));
    }
    return result;
}

Json JsonWriter::explanation(const Graph& graph, const Explanation& explanation) const
{
    static constexpr const char* names[] = {"blocked", "applied", "disabled", "no-candidate"};
    Json result{{"rule", explanation.rule},
                {"root", node(graph, explanation.root)},
                {"status", names[static_cast<int>(explanation.status)]},
                {"conditions", Json::array()},
                {"reasons", Json::array()}};
    for (const ConditionRecord& one : explanation.conditions)
        result["conditions"].push_back(condition(graph, one));
    if (explanation.miss) {
        for (const Reason& one : explanation.miss->reasons)
            result["reasons"].push_back(reason(graph, one));
    }
    return result;
}

} // namespace fusescope
