#include "app/command_runner.h"

#include "session/candidates.h"
#include "session/catalog.h"
#include "session/pair_story.h"
#include "session/timeline_walk.h"
#include "ui/nearest.h"

#include <set>

namespace fusescope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("CommandExplain", text);
}

QString ruleText(const CommandContext& context, RuleId rule)
{
    return context.sentence(ruleName(rule), nullptr);
}

void printReasons(const CommandContext& context, const Graph& graph,
                  const std::vector<Reason>& reasons)
{
    for (const Reason& reason : reasons) {
        context.print(QStringLiteral("    ✗ %1").arg(context.sentence(reason.message, &graph)));
        const QString unblock = context.sentence(reason.unblock, &graph);
        if (!unblock.isEmpty())
            context.print(QStringLiteral("      %1").arg(unblock));
    }
}

void printConditions(const CommandContext& context, const Graph& graph,
                     const std::vector<ConditionRecord>& conditions)
{
    for (const ConditionRecord& one : conditions) {
        const QString saw = context.sentence(one.saw, &graph);
        context.print(QStringLiteral("    %1 %2%3")
                          .arg(one.holds ? QStringLiteral("✓") : QStringLiteral("✗"),
                               context.sentence(Message(one.name), &graph),
                               saw.isEmpty() ? QString() : QStringLiteral(": ") + saw));
    }
}

QString noSuchNode(const Graph& graph, const QString& name)
{
    return tr("The model has no node \"%1\".").arg(name) + QStringLiteral(" ") +
           insteadOf(name, nodeNames(graph) + valueNames(graph));
}

Result<std::vector<NodeId>> nodesNamed(const Session& session, const Graph& graph,
                                       const QString& name)
{
    std::vector<NodeId> found = session.findNodes(graph, name.toStdString());
    if (found.empty())
        return usageError(noSuchNode(graph, name));
    return found;
}

// The answer for two nodes of the file: as JSON, and printed where that is not asked for.
Json answerFor(const CommandContext& context, const CommandContext::Optimized& done, NodeId a,
               NodeId b)
{
    if (b < a)
        std::swap(a, b); // the same answer in either order
    const bool asJson = context.arguments().json();
    const JsonWriter& json = context.json();
    const Timeline& timeline = *done.timeline;
    const Graph opened = timeline.at(0);
    const PairStory story = pairStory(timeline, a, b);
    const Graph graph = timeline.at(story.state);
    const Explanation& nearest = story.asked.nearest;
    const Json parts = json.explanation(graph, nearest);
    std::string text = json.text(story.message, &graph).get<std::string>();
    if (story.note)
        text += " " + json.text(story.note, &graph).get<std::string>();
    Json answer{{"answer", idOf(story.answer)},
                {"rule", story.rule},
                {"reasons", parts["reasons"]},
                {"conditions", parts["conditions"]},
                {"message", text}};
    if (story.step > 0)
        answer["step"] = story.step;
    if (!asJson) {
        context.print(context.sentence(story.message, &graph));
        if (story.note)
            context.print(context.sentence(story.note, &graph));
        if (nearest.miss)
            printReasons(context, graph, nearest.miss->reasons);
        printConditions(context, graph, nearest.conditions);
    }
    answer["nodes"] = {json.node(opened, a), json.node(opened, b)};
    return answer;
}

// What a name that several nodes have stands for, said before the answers for each pair of them.
void sayAmbiguous(const CommandContext& context, const Graph& graph, const QString& name,
                  const std::vector<NodeId>& nodes)
{
    if (nodes.size() < 2)
        return;
    QStringList ids;
    for (const NodeId id : nodes)
        ids << QStringLiteral("#%1 (%2)")
                   .arg(id.value)
                   .arg(QString::fromStdString(displayName(&graph, id)));
    context.say(tr("%1 nodes have the name \"%2\": %3")
                    .arg(nodes.size())
                    .arg(name, ids.join(QStringLiteral(", "))));
}

ExitStatus between(const CommandContext& context, const CommandContext::Optimized& done)
{
    constexpr std::size_t mostPairs = 100;
    const QStringList names = context.arguments().values(QStringLiteral("between"));
    const Graph opened = done.timeline->at(0);
    const auto first = nodesNamed(*done.session, opened, names[0]);
    const auto second = nodesNamed(*done.session, opened, names[1]);
    if (!first || !second)
        return context.fail(first ? second.error() : first.error());
    std::set<std::pair<NodeId, NodeId>> pairs;
    for (const NodeId a : *first) {
        for (const NodeId b : *second) {
            if (a != b && pairs.size() < mostPairs)
                pairs.insert(std::minmax(a, b));
        }
    }
    if (pairs.empty())
        return context.misused(tr("--between takes the names of two different nodes."));
    sayAmbiguous(context, opened, names[0], *first);
    sayAmbiguous(context, opened, names[1], *second);
    Json document{{"schema", 1}};
    Json all = Json::array();
    for (const auto& [a, b] : pairs) {
        if (context.stop().stop_requested())
            return context.fail(cancelled().value());
        all.push_back(answerFor(context, done, a, b));
    }
    document.update(all.front());
    if (all.size() > 1)
        document["matches"] = all;
    if (context.arguments().json())
        context.print(document);
    return context.blockedStatus(*done.timeline);
}

std::vector<Reason> reasonsOf(const std::vector<Remark>& remarks)
{
    std::vector<Reason> reasons;
    for (const Remark& one : remarks)
        reasons.push_back(one.reason);
    return reasons;
}

Json candidateJson(const JsonWriter& json, const Graph& graph, const Candidate& one)
{
    const auto list = [&](const std::vector<Reason>& reasons) {
        Json all = Json::array();
        for (const Reason& reason : reasons)
            all.push_back(json.reason(graph, reason));
        return all;
    };
    Json entry{{"rule", one.rule},
               {"root", json.node(graph, one.root)},
               {"status", idOf(one.status)},
               {"conditions", Json::array()},
               {"reasons", list(one.reasons)}};
    if (one.step > 0)
        entry["step"] = one.step;
    for (const ConditionRecord& condition : one.conditions)
        entry["conditions"].push_back(json.condition(graph, condition));
    if (!one.lifted.empty())
        entry["lifted"] = {{"until", one.step}, {"reasons", list(one.lifted)}};
    if (!one.remarks.empty())
        entry["remarks"] = list(reasonsOf(one.remarks));
    return entry;
}

void printCandidate(const CommandContext& context, const Graph& graph, const Candidate& one)
{
    const bool off = one.status == Candidate::Status::disabled;
    const QString mark = one.status == Candidate::Status::applied   ? QStringLiteral("✓")
                         : one.status == Candidate::Status::blocked ? QStringLiteral("⛔")
                                                                    : QStringLiteral("–");
    const QString where = one.step > 0 ? tr(" (step %1)").arg(one.step)
                          : off        ? tr(" (turned off)")
                                       : QString();
    context.print(QStringLiteral("%1 %2: %3%4")
                      .arg(mark, ruleText(context, one.rule),
                           QString::fromStdString(displayName(&graph, one.root)), where));
    printReasons(context, graph, one.reasons);
    printConditions(context, graph, one.conditions);
}

// Candidates that are steps stand first, in their order: the model is walked through once.
Result<void> tell(const CommandContext& context, const Timeline& timeline,
                  const std::vector<Candidate>& candidates, Json& document)
{
    const Graph last = timeline.at(timeline.size());
    TimelineWalk walk(timeline);
    int walked = 0;
    for (const Candidate& one : candidates) {
        if (context.stop().stop_requested())
            return cancelled();
        for (; walked < one.step; ++walked)
            walk.next();
        const Graph& graph = one.step > 0 ? walk.before() : last;
        if (context.arguments().json())
            document["candidates"].push_back(candidateJson(context.json(), graph, one));
        else
            printCandidate(context, graph, one);
    }
    return {};
}

// What was kept though nothing is wrong with it.
void tellRemarks(const CommandContext& context, const Graph& last,
                 const std::vector<Remark>& remarks, Json& document)
{
    for (const Remark& one : remarks) {
        if (context.arguments().json()) {
            Json entry = context.json().reason(last, one.reason);
            entry["rule"] = one.rule;
            entry["node"] = context.json().node(last, one.root);
            document["remarks"].push_back(std::move(entry));
            continue;
        }
        context.print(QStringLiteral("· %1: %2").arg(
            QString::fromStdString(displayName(&last, one.root)),
            context.sentence(one.reason.message, &last)));
    }
}

// Nodes of this name, as the model was opened or as it ends; all candidates where none is asked for.
Result<std::vector<NodeId>> askedNodes(const CommandContext& context, const Session& session,
                                       const Timeline& timeline)
{
    std::vector<NodeId> asked;
    if (!context.arguments().has(QStringLiteral("node")))
        return asked;
    const QString name = context.arguments().value(QStringLiteral("node"));
    const Graph opened = timeline.at(0);
    asked = session.findNodes(opened, name.toStdString());
    const auto later = session.findNodes(timeline.at(timeline.size()), name.toStdString());
    asked.insert(asked.end(), later.begin(), later.end());
    if (asked.empty())
        return usageError(noSuchNode(opened, name));
    return asked;
}

} // namespace

ExitStatus command::explain(const CommandContext& context)
{
    const Arguments& arguments = context.arguments();
    if (arguments.has(QStringLiteral("node")) && arguments.has(QStringLiteral("between")))
        return context.misused(tr("--node and --between ask different questions: take one."));
    if (arguments.has(QStringLiteral("between")) &&
        arguments.values(QStringLiteral("between")).size() != 2)
        return context.misused(tr("--between takes two names."));
    const auto done = context.optimize();
    if (!done)
        return context.fail(done.error());
    if (arguments.has(QStringLiteral("between")))
        return between(context, *done);
    const Timeline& timeline = *done->timeline;
    const auto asked = askedNodes(context, *done->session, timeline);
    if (!asked)
        return context.fail(asked.error());
    // Printed, the conditions of all candidates would bury the reasons.
    const bool withConditions = arguments.json() || !asked->empty();
    const auto candidates = candidatesOf(timeline, *asked, withConditions, context.stop());
    if (!candidates)
        return context.fail(candidates.error());
    Json document{{"schema", 1}, {"candidates", Json::array()}, {"remarks", Json::array()}};
    if (const auto told = tell(context, timeline, *candidates, document); !told)
        return context.fail(told.error());
    tellRemarks(context, timeline.at(timeline.size()), keptRemarks(timeline, *asked), document);
    if (arguments.json())
        context.print(document);
    return context.blockedStatus(timeline);
}

} // namespace fusescope
