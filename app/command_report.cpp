#include "app/command_runner.h"
#include "session/report.h"

namespace fusescope {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("CommandReport", text);
}

} // namespace

ExitStatus command::report(const CommandContext& context)
{
    const Arguments& arguments = context.arguments();
    const std::string path = arguments.file(QStringLiteral("output"));
    if (path.empty()) {
        return context.misused(tr("report needs -o FILE, ending in .html, .md or .json."));
    }
    const auto format = reportFormatOf(path);
    if (!format)
        return context.fail(Error{ErrorCode::invalidArgument, Message("report.unknown-ending"),
                                  path, {}});
    const auto inputs = arguments.inputs();
    if (!inputs)
        return context.fail(inputs.error());
    const auto done = context.optimize();
    if (!done)
        return context.fail(done.error());
    Session& session = *done->session;
    const Timeline& timeline = *done->timeline;
    const Graph last = timeline.at(timeline.size());
    const bool ownInputs = !(*inputs == InputSpec{});
    CompareOptions options;
    options.inputs = *inputs;
    options.rtol = arguments.real(QStringLiteral("rtol"));
    options.atol = arguments.real(QStringLiteral("atol"));
    options.intermediates = false;
    // Without inputs of one's own the proof chooses its sizes, as it does for an export.
    const auto proof =
        ownInputs || options.rtol || options.atol
            ? session.compare(timeline, 0, timeline.size(), options, context.stop(),
                              context.progress())
            : session.prove(timeline, timeline.size(), inputs->seed, context.stop(),
                            context.progress());
    if (!proof)
        return context.fail(proof.error(), &last);
    Result<ReportData> gathered =
        gatherReport(session, timeline, *proof, context.translate(), context.stop());
    if (!gathered)
        return context.fail(gathered.error(), &last);
    ReportData& data = *gathered;
    data.optimizeMs = done->optimizeMs;
    if (arguments.has(QStringLiteral("threads"))) {
        BenchOptions bench;
        bench.inputs = *inputs;
        bench.threads = arguments.number(QStringLiteral("threads"), 1);
        const auto times = session.bench(timeline, bench, context.stop(), context.progress());
        if (!times)
            return context.fail(times.error(), &last);
        data.plans = times->plans;
    }
    const std::string text = reportText(data, *format, context.translate());
    if (const auto written = writeReport(session, path, text,
                                         arguments.has(QStringLiteral("force")));
        !written)
        return context.fail(written.error(), &last);
    if (arguments.json())
        context.print(Json{{"schema", 1},
                           {"path", path},
                           {"bytes", text.size()},
                           {"verification", textOf(proof->status)}});
    else
        context.say(tr("Written: %1").arg(QString::fromStdString(path)));
    if (proof->status == VerificationStatus::fail)
        return ExitStatus::answerIsNo;
    return context.blockedStatus(timeline);
}

} // namespace fusescope
