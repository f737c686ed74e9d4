#include "app/command_runner.h"

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
    return ExitStatus::allRight;
}

// One candidate of the whole run.
struct Candidate
{
    RuleId rule;
    NodeId root;
    std::string status; // applied, skipped, blocked, disabled
    const Graph* graph;
    std::vector<Reason> reasons;
    std::vector<ConditionRecord> conditions;
    std::vector<NodeId> nodes;
    int step = 0;
};

bool takesPart(const Candidate& candidate, const std::vector<NodeId>& asked)
{
    return asked.empty() || std::any_of(asked.begin(), asked.end(), [&](NodeId id) {
               return std::find(candidate.nodes.begin(), candidate.nodes.end(), id) !=
                      candidate.nodes.end();
           });
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
    const Graph opened = timeline.at(0);
    const Graph last = timeline.at(timeline.size());
    std::vector<NodeId> asked;
    if (arguments.has(QStringLiteral("node"))) {
        const QString name = arguments.value(QStringLiteral("node"));
        asked = done->session->findNodes(opened, name.toStdString());
        const auto later = done->session->findNodes(last, name.toStdString());
        asked.insert(asked.end(), later.begin(), later.end());
        if (asked.empty())
            return context.misused(noSuchNode(opened, name));
    }
    std::vector<Candidate> candidates;
    for (const auto& step : timeline.steps) {
        Candidate one{step->rule, step->root,
                      step->state == StepState::applied ? "applied" : "skipped",
                      nullptr, {}, {}, {step->root}, step->number};
        for (const auto& slot : step->patch.nodes)
            one.nodes.push_back(slot.id);
        candidates.push_back(std::move(one));
    }
    for (const Blocked& row : timeline.blocked) {
        Candidate one{row.miss.rule, row.miss.root, "blocked", &last, row.miss.reasons, {},
                      row.miss.nodes};
        one.nodes.push_back(row.miss.root);
        candidates.push_back(std::move(one));
    }
    std::erase_if(candidates, [&asked](const Candidate& c) { return !takesPart(c, asked); });
    for (const NodeId id : asked) {
        if (context.stop().stop_requested())
            return context.fail(cancelled().value());
        if (!last.node(id))
            continue;
        for (Explanation& one : done->session->explain(timeline, timeline.size(), id)) {
            for (Candidate& candidate : candidates) {
                if (candidate.rule == one.rule && candidate.root == one.root)
                    candidate.conditions = one.conditions;
            }
            if (one.status == Explanation::Status::disabled)
                candidates.push_back({one.rule, one.root, "disabled", &last, {},
                                      std::move(one.conditions), {id}});
        }
    }
    Json document{{"schema", 1}, {"candidates", Json::array()}};
    TimelineWalk walk(timeline); // candidates that are steps stand first, in their order
    int walked = 0;
    for (const Candidate& one : candidates) {
        if (context.stop().stop_requested())
            return context.fail(cancelled().value());
        for (; walked < one.step; ++walked)
            walk.next();
        const Graph& graph = one.step > 0 ? walk.before() : last;
        if (arguments.json()) {
            Json entry{{"rule", one.rule}, {"root", context.json().node(graph, one.root)},
                       {"status", one.status}, {"conditions", Json::array()},
                       {"reasons", Json::array()}};
            if (one.step > 0)
                entry["step"] = one.step;
            for (const ConditionRecord& condition : one.conditions)
                entry["conditions"].push_back(context.json().condition(graph, condition));
            for (const Reason& reason : one.reasons)
                entry["reasons"].push_back(context.json().reason(graph, reason));
            document["candidates"].push_back(std::move(entry));
            continue;
        }
        const QString mark = one.status == "applied"   ? QStringLiteral("✓")
                             : one.status == "blocked" ? QStringLiteral("⛔")
                                                       : QStringLiteral("–");
        const QString step = one.step > 0 ? tr(" (step %1)").arg(one.step) : QString();
        context.print(QStringLiteral("%1 %2: %3%4")
                          .arg(mark, ruleText(context, one.rule),
                               QString::fromStdString(displayName(&graph, one.root)), step));
        printReasons(context, graph, one.reasons);
        printConditions(context, graph, one.conditions);
    }
    if (arguments.json())
        context.print(document);
    return context.blockedStatus(timeline);
}

} // namespace fusescope
