#include "app/command_runner.h"

#include "session/report.h"
#include "session/two_files.h"

#include <algorithm>
#include <map>

namespace fusescope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("CommandCompare", text);
}

QString number(double value)
{
    return QString::number(value, 'g', 3);
}

void printRow(const CommandContext& context, const Graph& graph, const TensorComparison& one)
{
    QString line = QStringLiteral("%1 %2  max |Δ| %3  %4 %5  cos %6")
                       .arg(one.pass ? QStringLiteral("✓") : QStringLiteral("✗"),
                            QString::fromStdString(one.nameAfter.empty()
                                                       ? one.name
                                                       : one.name + " ↔ " + one.nameAfter),
                            number(one.maxAbs), tr("relative"),
                            number(one.maxRel), number(one.cosine));
    if (one.nanBefore != 0 || one.nanAfter != 0)
        line += QStringLiteral("  ") +
                tr("NaN: %1 before, %2 after").arg(one.nanBefore).arg(one.nanAfter);
    if (!one.pass && one.why)
        line += QStringLiteral("  ") + context.sentence(one.why, &graph);
    context.print(line);
}

void printComparison(const CommandContext& context, const Graph& graph, const Comparison& result)
{
    for (const auto& [symbol, size] : result.assumedDims)
        context.say(tr("assumed %1 = %2").arg(QString::fromStdString(symbol)).arg(size));
    context.say(tr("seed %1").arg(result.seed));
    for (const TensorComparison& one : result.outputs)
        printRow(context, graph, one);
    int differing = 0;
    for (const TensorComparison& one : result.intermediates)
        differing += one.pass ? 0 : 1;
    if (!result.intermediates.empty())
        context.print(tr("%1 intermediate values compared, %2 differ")
                          .arg(result.intermediates.size())
                          .arg(differing));
    if (result.top1Agreement >= 0)
        context.print(tr("%1 inputs: top-1 agrees in %2 %, top-5 in %3 %")
                          .arg(result.samples)
                          .arg(result.top1Agreement * 100, 0, 'f', 1)
                          .arg(result.top5Agreement * 100, 0, 'f', 1));
    const QString why = context.sentence(result.why, &graph);
    context.print(QString::fromStdString(textOf(result.status)) +
                  (why.isEmpty() ? QString() : QStringLiteral(": ") + why));
}

Json documentOf(const CommandContext& context, const Graph& graph, const Comparison& result)
{
    Json document{{"schema", 1}};
    const Json parts = context.json().verification(graph, result);
    for (const auto& [key, value] : parts.items())
        document[key] = value;
    document["intermediates"] = Json::array();
    for (const TensorComparison& one : result.intermediates)
        document["intermediates"].push_back(context.json().comparison(graph, one));
    document["first_divergence"] = nullptr;
    return document;
}

ExitStatus statusFor(const Comparison& result)
{
    switch (result.status) {
    case VerificationStatus::fail: return ExitStatus::answerIsNo;
    case VerificationStatus::notRun: return ExitStatus::cannotBeDone;
    default: return ExitStatus::allRight;
    }
}

// As documentOf, with how each was matched.
Json documentOfFiles(const CommandContext& context, const Graph& graph, const Comparison& result,
                     const std::vector<ValueMatch>& between)
{
    std::map<ValueId, FileMatch::How> ways;
    for (const ValueMatch& match : between)
        ways.emplace(match.a, match.how);
    Json document = documentOf(context, graph, result);
    bool allByName = true;
    for (std::size_t i = 0; i < result.outputs.size(); ++i) {
        const bool byName = result.outputs[i].nameAfter.empty();
        document["outputs"][i]["matched_by"] = byName ? "name" : "order";
        allByName = allByName && byName;
    }
    for (std::size_t i = 0; i < result.intermediates.size(); ++i) {
        const auto way = ways.find(result.intermediates[i].value);
        const bool byName = way == ways.end() || way->second == FileMatch::How::name;
        document["intermediates"][i]["matched_by"] = byName ? "name" : "structure";
    }
    document["matched_by"] = allByName ? "name" : "name, then order";
    return document;
}

ExitStatus twoFiles(const CommandContext& context, const CompareOptions& options)
{
    for (const char* group : {"passes", "compare"}) {
        const QString unfit = context.arguments().firstOf(QLatin1String(group));
        if (!unfit.isEmpty())
            return context.misused(
                tr("--%1 is for one model: between two files no rules run.").arg(unfit));
    }
    const auto a = context.open(0);
    if (!a)
        return context.fail(a.error());
    if (const auto known = context.arguments().checkInputs(**a); !known)
        return context.fail(known.error());
    const auto b = context.open(1);
    if (!b)
        return context.fail(b.error());
    const Graph& before = (*a)->opened();
    const Graph& after = (*b)->opened();
    const auto between = matchComputed(before, after, diffFiles(before, after));
    const auto result =
        compareFiles(**a, **b, options, between, context.stop(), context.progress());
    if (!result)
        return context.fail(result.error(), &before);
    if (context.arguments().json()) {
        context.print(documentOfFiles(context, before, *result, between));
        return statusFor(*result);
    }
    printComparison(context, before, *result);
    const auto byName = std::ranges::count_if(
        between, [](const ValueMatch& match) { return match.how == FileMatch::How::name; });
    context.say(tr("values in between: %1 matched by name, %2 by operator and neighbours")
                    .arg(byName)
                    .arg(qsizetype(between.size()) - byName));
    return statusFor(*result);
}

} // namespace

ExitStatus command::compare(const CommandContext& context)
{
    const Arguments& arguments = context.arguments();
    const auto inputs = arguments.inputs();
    if (!inputs)
        return context.fail(inputs.error());
    CompareOptions options;
    options.inputs = *inputs;
    options.rtol = arguments.real(QStringLiteral("rtol"));
    options.atol = arguments.real(QStringLiteral("atol"));
    if (arguments.operands().size() == 2)
        return twoFiles(context, options);
    const auto done = context.optimize();
    if (!done)
        return context.fail(done.error());
    const Timeline& timeline = *done->timeline;
    const Graph opened = timeline.at(0);
    const auto result = done->session->compare(timeline, 0, timeline.size(), options,
                                               context.stop(), context.progress());
    if (!result)
        return context.fail(result.error(), &opened);
    if (!arguments.json())
        printComparison(context, opened, *result);
    std::optional<Divergence> divergence;
    if (arguments.has(QStringLiteral("bisect")) && result->status == VerificationStatus::fail) {
        auto found = done->session->bisect(timeline, 0, timeline.size(), options, context.stop(),
                                           context.progress());
        if (!found)
            return context.fail(found.error(), &opened);
        divergence = std::move(*found);
    }
    if (arguments.json()) {
        Json document = documentOf(context, opened, *result);
        if (divergence) {
            if (divergence->step)
                document["first_divergence"] = *divergence->step;
            document["tested"] = Json::array();
            for (const auto& [step, difference] : divergence->tested)
                document["tested"].push_back({{"step", step}, {"max_abs", numberJson(difference)}});
        }
        context.print(document);
    } else if (divergence && divergence->step) {
        const auto& step = *timeline.steps[static_cast<std::size_t>(*divergence->step - 1)];
        const Graph before = timeline.at(*divergence->step - 1);
        context.print(tr("The outputs differ from step %1 on: %2")
                          .arg(*divergence->step)
                          .arg(context.sentence(step.title, &before)));
    }
    const ExitStatus status = statusFor(*result);
    return status == ExitStatus::allRight ? context.blockedStatus(timeline) : status;
}

} // namespace fusescope
