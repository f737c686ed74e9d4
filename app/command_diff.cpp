#include "app/command_runner.h"
#include "diff/value_match.h"
#include "report/node_names.h"

#include <QRegularExpression>

namespace fusescope {

namespace {

QString tr(const char* text, int n = -1)
{
    return QCoreApplication::translate("CommandDiff", text, nullptr, n);
}

QString nodeText(const Graph& graph, NodeId id)
{
    return QString::fromStdString(operatorAndName(graph, id));
}

ExitStatus steps(const CommandContext& context)
{
    static const QRegularExpression form(QStringLiteral("^(\\d+)\\.\\.(\\d+)$"));
    const auto match = form.match(context.arguments().value(QStringLiteral("steps")));
    if (!match.hasMatch())
        return context.misused(tr("--steps takes I..J, two numbers of steps."));
    const auto done = context.optimize();
    if (!done)
        return context.fail(done.error());
    const Timeline& timeline = *done->timeline;
    bool numbers[2] = {};
    const int a = match.captured(1).toInt(&numbers[0]);
    const int b = match.captured(2).toInt(&numbers[1]);
    if (numbers[0] && numbers[1] && a > b)
        return context.misused(
            tr("--steps takes the earlier step first: %1..%2.").arg(b).arg(a));
    if (!numbers[0] || !numbers[1] || b > timeline.size())
        return context.misused(
            tr("There are %n step(s): --steps takes numbers from 0 to %n.", timeline.size()));
    const Graph before = timeline.at(a);
    const Graph after = timeline.at(b);
    const GraphDiff diff = done->session->diff(timeline, a, b);
    const JsonWriter& json = context.json();
    Json document{{"schema", 1},          {"from", a},
                  {"to", b},              {"added", Json::array()},
                  {"removed", Json::array()}, {"changed", Json::array()},
                  {"values", Json::array()},  {"came_and_went", diff.cameAndWent}};
    for (const NodeChange& change : diff.nodes) {
        const bool removed = change.kind == ChangeKind::removed;
        const Graph& graph = removed ? before : after;
        const char* list = removed                             ? "removed"
                           : change.kind == ChangeKind::added ? "added"
                                                               : "changed";
        document[list].push_back(json.node(graph, change.node));
        if (!context.arguments().json())
            context.print(QStringLiteral("%1 %2").arg(
                removed                             ? QStringLiteral("−")
                : change.kind == ChangeKind::added ? QStringLiteral("+")
                                                    : QStringLiteral("~"),
                nodeText(graph, change.node)));
    }
    for (const ValueChange& change : diff.values)
        document["values"].push_back(json.value(change.after ? after : before, change.value));
    if (context.arguments().json())
        context.print(document);
    else if (diff.empty())
        context.print(tr("No change between step %1 and step %2.").arg(a).arg(b));
    return context.blockedStatus(timeline);
}

ExitStatus files(const CommandContext& context)
{
    if (const QString unfit = context.arguments().firstOf(QStringLiteral("passes")); !unfit.isEmpty())
        return context.misused(tr("--%1 is for one model: between two files no rules run.").arg(unfit));
    const auto a = context.open(0);
    if (!a)
        return context.fail(a.error());
    const auto b = context.open(1);
    if (!b)
        return context.fail(b.error());
    const Graph& before = (*a)->opened();
    const Graph& after = (*b)->opened();
    const FileDiff diff = diffFiles(before, after);
    const JsonWriter& json = context.json();
    Json document{{"schema", 1},
                  {"added", Json::array()},
                  {"removed", Json::array()},
                  {"changed", Json::array()},
                  {"values", Json::array()},
                  {"matched", Json::object()}};
    int byName = 0;
    for (const FileMatch& match : diff.matched)
        byName += match.how == FileMatch::How::name ? 1 : 0;
    document["matched"] = {{"by_name", byName},
                           {"by_structure", int(diff.matched.size()) - byName}};
    for (const NodeId id : diff.onlyB)
        document["added"].push_back(json.node(after, id));
    for (const NodeId id : diff.onlyA)
        document["removed"].push_back(json.node(before, id));
    for (const FileMatch& match : diff.changed) {
        Json entry = json.node(after, match.b);
        entry["before"] = json.node(before, match.a);
        entry["matched_by"] = match.how == FileMatch::How::name ? "name" : "structure";
        document["changed"].push_back(std::move(entry));
    }
    for (const FileValueChange& change : changedValues(before, after, diff))
        document["values"].push_back(change.b ? json.value(after, change.b)
                                              : json.value(before, change.a));
    if (context.arguments().json()) {
        context.print(document);
        return ExitStatus::allRight;
    }
    for (const NodeId id : diff.onlyA)
        context.print(QStringLiteral("− %1").arg(nodeText(before, id)));
    for (const NodeId id : diff.onlyB)
        context.print(QStringLiteral("+ %1").arg(nodeText(after, id)));
    for (const FileMatch& match : diff.changed)
        context.print(QStringLiteral("~ %1").arg(nodeText(after, match.b)));
    context.print(tr("%1 nodes matched, %2 of them by name").arg(diff.matched.size()).arg(byName));
    return ExitStatus::allRight;
}

} // namespace

ExitStatus command::diff(const CommandContext& context)
{
    const bool two = context.arguments().operands().size() == 2;
    const bool range = context.arguments().has(QStringLiteral("steps"));
    if (two == range) {
        return context.misused(tr("diff takes MODEL --steps I..J, or two models."));
    }
    return two ? files(context) : steps(context);
}

} // namespace fusescope
