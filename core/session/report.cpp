#include "session/report.h"

#include "io/file_writer.h"
#include "report/node_names.h"
#include "session/catalog.h"
#include "session/json_parts.h"
#include "session/report_document.h"
#include "session/timeline_walk.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace fusescope {

std::optional<ReportNode> reportNode(const Graph& graph, NodeId id)
{
    const Node* node = graph.node(id);
    if (!node)
        return std::nullopt;
    ReportNode result{id, node->name, node->region ? node->region->kind : node->op.type,
                      node->op.domain, displayName(&graph, id), {},
                      scopeOf(graph, node->body)};
    for (const ValueId output : node->outputs) {
        const Value* value = graph.value(output);
        result.outputs.push_back(value ? value->name : std::string());
    }
    return result;
}

ReportCulprit reportCulprit(const Graph& graph, const Subject& subject)
{
    ReportCulprit result;
    if (const auto* node = std::get_if<NodeId>(&subject)) {
        result.node = reportNode(graph, *node);
        return result;
    }
    const auto id = std::get<ValueId>(subject);
    if (const Value* value = graph.value(id)) {
        result.value = reachableName(graph, id);
        result.scope = scopeOf(graph, value->body);
    }
    return result;
}

ReportReason reportReason(const Graph& graph, const Reason& reason, const Translate& translate)
{
    ReportReason result;
    result.code = idOf(reason.code);
    result.kind = idOf(reason.kind());
    result.headline = render(reason.headline, &graph, translate);
    result.message = render(reason.message, &graph, translate);
    result.unblock = render(reason.unblock, &graph, translate);
    for (const Subject& culprit : reason.culprits)
        result.culprits.push_back(reportCulprit(graph, culprit));
    if (reason.fix) {
        result.fix = idOf(reason.fix->kind);
        result.fixChangesMeaning = reason.fix->changesMeaning;
        result.fixChangesInterface = reason.fix->changesInterface;
        const std::string target = std::visit(
            [&graph](auto id) { return id ? reachableName(graph, id) : std::string(); },
            reason.fix->target);
        if (!target.empty())
            result.fix += "@" + target;
    }
    return result;
}

const char* idOf(ModelProblem::Severity severity)
{
    switch (severity) {
    case ModelProblem::Severity::note:
        return "note";
    case ModelProblem::Severity::warning:
        return "warning";
    case ModelProblem::Severity::error:
        break;
    }
    return "error";
}

std::optional<ReportFormat> reportFormatOf(std::string_view path)
{
    std::string ending(path.substr(std::min(path.size(), path.rfind('.'))));
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (ending == ".html" || ending == ".htm")
        return ReportFormat::html;
    if (ending == ".md" || ending == ".markdown")
        return ReportFormat::markdown;
    if (ending == ".json")
        return ReportFormat::json;
    return std::nullopt;
}

Result<ReportData> gatherReport(const Session& session, const Timeline& timeline,
                                const Comparison& verification, const Translate& translate,
                                std::stop_token stop)
{
    ReportData data;
    data.info = session.info();
    data.before = session.figures(timeline, 0);
    data.after = session.figures(timeline, timeline.size());
    for (const ModelProblem& problem : data.info.problems)
        data.problems.push_back({idOf(problem.severity),
                                 render(problem.message, &session.opened(), translate)});
    data.sizes = timeline.sizes;
    TimelineWalk walk(timeline);
    while (walk.next()) {
        if (stop.stop_requested())
            return cancelled();
        const Step& step = walk.step();
        const Graph& named = walk.named();
        ReportStep row{step.number, step.round, step.stage,
                       step.state == StepState::applied, std::string(step.rule),
                       render(ruleName(step.rule), nullptr, translate),
                       render(step.title, &named, translate), reportNode(named, step.root),
                       0, 0, 0, step.cost, {}};
        for (const NodeChange& change : walk.diff().nodes) {
            if (change.kind == ChangeKind::removed)
                ++row.removed;
            else
                ++(change.kind == ChangeKind::added ? row.added : row.changed);
        }
        for (const Remark& remark : step.remarks)
            row.remarks.push_back(reportReason(named, remark.reason, translate));
        data.steps.push_back(std::move(row));
    }
    const Graph& last = walk.after();
    for (const Blocked& row : timeline.blocked) {
        if (stop.stop_requested())
            return cancelled();
        ReportBlocked one{std::string(row.miss.rule),
                          render(ruleName(row.miss.rule), nullptr, translate),
                          reportNode(last, row.miss.root), row.finalAt, {}};
        for (const Reason& reason : row.miss.reasons)
            one.reasons.push_back(reportReason(last, reason, translate));
        data.blocked.push_back(std::move(one));
    }
    data.verification = verification;
    data.why = render(verification.why, &session.opened(), translate);
    for (const TensorComparison& one : verification.outputs)
        data.whyOfOutputs.push_back(one.why ? render(one.why, &session.opened(), translate)
                                            : std::string());
    for (const NodeId id : verification.cut)
        data.cut.push_back(displayName(&session.opened(), id));
    return data;
}

std::string reportText(const ReportData& data, ReportFormat format, const Translate& translate)
{
    switch (format) {
    case ReportFormat::html:
        return htmlOf(reportDocument(data, translate));
    case ReportFormat::markdown:
        return markdownOf(reportDocument(data, translate));
    case ReportFormat::json:
        break;
    }
    return reportJson(data);
}

Result<void> writeReport(const Session& session, const std::string& path, const std::string& text,
                         bool overwrite)
{
    FUSESCOPE_ASSIGN(const std::string target, resolveTarget(path, overwrite));
    std::error_code error;
    if (std::filesystem::equivalent(target, session.path(), error))
        return fail(ErrorCode::notWritten, Message("session.is-source"), {}, path);
    return writeFile(target, text);
}

} // namespace fusescope
