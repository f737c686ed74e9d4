#include "app/command_runner.h"

#include "session/value_files.h"

#include <QFileInfo>

#include <algorithm>
#include <filesystem>

namespace fusescope {

namespace {

QString tr(const char* text, int n = -1)
{
    return QCoreApplication::translate("CommandRun", text, nullptr, n);
}

// The state that --step names; an error when there are fewer steps.
Result<int> stateOf(const CommandContext& context, const Timeline& timeline)
{
    const int step = context.arguments().number(QStringLiteral("step"), timeline.size());
    if (step > timeline.size())
        return usageError(tr("There are %1 steps.").arg(timeline.size()));
    return step;
}

// Whether a file is the model or one of the inputs, by whatever path.
bool isRead(const Session& session, const InputSpec& inputs, const std::string& file)
{
    std::vector<std::string> read = inputs.sources;
    for (std::string& source : read) {
        if (const auto equals = source.find('='); equals != std::string::npos)
            source.erase(0, equals + 1);
    }
    read.push_back(session.path());
    return std::ranges::any_of(read, [&file](const std::string& one) {
        std::error_code none; // what is not there is not the same
        return std::filesystem::equivalent(one, file, none);
    });
}

} // namespace

ExitStatus command::run(const CommandContext& context)
{
    const Arguments& arguments = context.arguments();
    const auto inputs = arguments.inputs();
    if (!inputs)
        return context.fail(inputs.error());
    const std::string out = arguments.file(QStringLiteral("output"));
    const bool replace = arguments.has(QStringLiteral("force"));
    if (!out.empty()) {
        if (const auto fits = checkValuesTarget(out, replace); !fits)
            return context.fail(fits.error());
    }
    const auto done = context.optimize();
    if (!done)
        return context.fail(done.error());
    if (!out.empty() && isRead(*done->session, *inputs, out))
        return context.fail(Error{ErrorCode::notWritten, Message("session.is-source"), out, {}});
    const Timeline& timeline = *done->timeline;
    const auto step = stateOf(context, timeline);
    if (!step)
        return context.fail(step.error());
    const Graph graph = timeline.at(*step);
    const bool reference = arguments.value(QStringLiteral("executor")) == QLatin1String("reference");
    const auto report = done->session->run(
        timeline, *step, reference ? RunExecutor::reference : RunExecutor::fused, *inputs,
        arguments.number(QStringLiteral("threads"), 1), context.stop(), context.progress());
    if (!report)
        return context.fail(report.error(), &graph);
    if (!out.empty()) {
        if (const auto written = writeValues(out, report->outputs, replace); !written)
            return context.fail(written.error(), &graph);
        context.say(tr("Written: %1").arg(QString::fromStdString(out)));
    }
    Json document{{"schema", 1},
                  {"executor", reference ? "reference" : "fused"},
                  {"seed", inputs->seed},
                  {"outputs", Json::array()},
                  {"assumed", Json::array()}};
    for (const auto& [symbol, size] : report->assumed) {
        document["assumed"].push_back({{"name", symbol}, {"size", size}});
        context.say(tr("assumed %1 = %2").arg(QString::fromStdString(symbol)).arg(size));
    }
    // Of the inputs that are made and of operators that draw at random.
    context.say(tr("seed %1").arg(inputs->seed));
    for (const auto& [name, value] : report->outputs) {
        const ValueSummary summary = summarize(value);
        Json entry{{"name", name}, {"type", summary.type}, {"values", Json::array()}};
        if (summary.isNumeric) {
            entry["min"] = numberJson(summary.min);
            entry["max"] = numberJson(summary.max);
            entry["mean"] = numberJson(summary.mean);
            entry["nan"] = summary.nan;
            entry["inf"] = summary.inf;
        }
        for (const std::string& element : summary.first)
            entry["values"].push_back(element);
        if (!arguments.json()) {
            QStringList shown;
            for (const std::string& element : summary.first)
                shown << QString::fromStdString(element);
            context.print(QStringLiteral("%1  %2  [%3%4]")
                              .arg(QString::fromStdString(name), QString::fromStdString(summary.type),
                                   shown.join(QStringLiteral(", ")),
                                   summary.truncated ? QStringLiteral(", …") : QString()));
        }
        document["outputs"].push_back(std::move(entry));
    }
    if (arguments.json())
        context.print(document);
    return context.blockedStatus(timeline);
}

ExitStatus command::bench(const CommandContext& context)
{
    const Arguments& arguments = context.arguments();
    const auto inputs = arguments.inputs();
    if (!inputs)
        return context.fail(inputs.error());
    const auto done = context.optimize();
    if (!done)
        return context.fail(done.error());
    const Timeline& timeline = *done->timeline;
    BenchOptions options;
    options.inputs = *inputs;
    options.threads = arguments.number(QStringLiteral("threads"), 1);
    options.repeat = arguments.number(QStringLiteral("repeat"), 20);
    options.profile = arguments.has(QStringLiteral("profile"));
    const Graph last = timeline.at(timeline.size());
    const auto report =
        done->session->bench(timeline, options, context.stop(), context.progress());
    if (!report)
        return context.fail(report.error(), &last);
    if (arguments.json()) {
        Json document{{"schema", 1}, {"threads", options.threads}, {"plans", Json::array()}};
        for (const PlanProfile& plan : report->plans)
            document["plans"].push_back(context.json().profile(last, plan, false));
        document["fused_over_unfused"] = report->fusedOverUnfused;
        if (options.profile && !report->plans.empty())
            document["nodes"] = context.json().profile(last, report->plans.back(), true)["nodes"];
        document["assumed"] = Json::array();
        for (const auto& [symbol, size] : report->assumed)
            document["assumed"].push_back({{"name", symbol}, {"size", size}});
        context.print(document);
        return context.blockedStatus(timeline);
    }
    for (const PlanProfile& plan : report->plans)
        context.print(tr("%1  median %2 ms  min %3 ms  p90 %4 ms  (%5, %6)")
                          .arg(QString::fromStdString(plan.name), -8)
                          .arg(plan.medianMs, 0, 'f', 3)
                          .arg(plan.minMs, 0, 'f', 3)
                          .arg(plan.p90Ms, 0, 'f', 3)
                          .arg(tr("%n run(s)", plan.runs), tr("%n thread(s)", options.threads)));
    context.print(tr("fused / unfused: %1").arg(report->fusedOverUnfused, 0, 'f', 3));
    if (options.profile && !report->plans.empty()) {
        for (const NodeProfile& one : report->plans.back().nodes)
            context.print(QStringLiteral("%1 ms  %2  %3")
                              .arg(one.medianMs, 9, 'f', 4)
                              .arg(QString::fromStdString(one.kernel), -36)
                              .arg(QString::fromStdString(displayName(&last, one.node))));
    }
    return context.blockedStatus(timeline);
}

} // namespace fusescope
