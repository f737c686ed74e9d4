#include "app/command_runner.h"

#include <sys/resource.h>

namespace fusescope {

namespace {

QString tr(const char* text, int n = -1)
{
    return QCoreApplication::translate("CommandOptimize", text, nullptr, n);
}

std::int64_t peakBytes()
{
    struct rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
}

ExportOptions exportOptions(const Arguments& arguments, InputSpec inputs)
{
    ExportOptions options;
    const QString form = arguments.value(QStringLiteral("form"));
    if (form == QLatin1String("functions"))
        options.form = ExportForm::functions;
    else if (form == QLatin1String("contrib"))
        options.form = ExportForm::contrib;
    const QString external = arguments.value(QStringLiteral("external-data"));
    if (external == QLatin1String("always"))
        options.externalData = ExportOptions::ExternalData::always;
    else if (external == QLatin1String("never"))
        options.externalData = ExportOptions::ExternalData::never;
    options.overwrite = arguments.has(QStringLiteral("force"));
    options.verify = !arguments.has(QStringLiteral("no-verify"));
    options.inputs = std::move(inputs);
    options.rtol = arguments.real(QStringLiteral("rtol"));
    options.atol = arguments.real(QStringLiteral("atol"));
    return options;
}

Result<void> printSteps(const CommandContext& context, const Timeline& timeline)
{
    TimelineWalk walk(timeline);
    while (walk.next()) {
        if (context.stop().stop_requested())
            return cancelled();
        const Step& step = walk.step();
        const QString state = step.state == StepState::skipped ? tr(" (skipped)") : QString();
        context.print(QStringLiteral("%1  %2%3")
                          .arg(step.number, 5)
                          .arg(context.sentence(step.title, &walk.before()), state));
    }
    return {};
}

} // namespace

ExitStatus command::optimize(const CommandContext& context)
{
    const Arguments& arguments = context.arguments();
    if (!arguments.has(QStringLiteral("output"))) {
        return context.misused(tr("optimize needs -o FILE: the source is never written."));
    }
    const auto inputs = arguments.inputs();
    if (!inputs)
        return context.fail(inputs.error());
    const auto done = context.optimize();
    if (!done)
        return context.fail(done.error());
    Session& session = *done->session;
    const Timeline& timeline = *done->timeline;
    const Graph last = timeline.at(timeline.size());
    const auto written =
        session.exportModel(timeline, arguments.file(QStringLiteral("output")),
                            exportOptions(arguments, *inputs), context.stop(),
                            context.progress());
    if (!written)
        return context.fail(written.error(), &last);
    const Comparison& proof = written->verification;
    const bool failed = proof.status == VerificationStatus::fail;
    if (arguments.json()) {
        const JsonWriter& json = context.json();
        Json document{{"schema", 1},
                      {"model", modelJson(session.info())},
                      {"before", figuresJson(session.figures(timeline, 0))},
                      {"after", figuresJson(session.figures(timeline, timeline.size()))},
                      {"sizes", Json::object()},
                      {"steps", Json::array()},
                      {"blocked", Json::array()}};
        for (const auto& [symbol, size] : timeline.sizes)
            document["sizes"][symbol] = size;
        TimelineWalk walk(timeline);
        while (!context.stop().stop_requested() && walk.next())
            document["steps"].push_back(json.step(walk));
        for (const Blocked& row : timeline.blocked) {
            if (context.stop().stop_requested())
                return context.fail(cancelled().value());
            document["blocked"].push_back(json.blocked(last, row));
        }
        if (context.stop().stop_requested())
            return context.fail(cancelled().value());
        document["verification"] = json.verification(session.opened(), proof);
        document["output"] = Json(nullptr);
        if (!failed)
            document["output"] = {{"path", written->path},
                                  {"bytes", written->bytes},
                                  {"form", arguments.has("form") ? arguments.value("form").toStdString()
                                                                 : std::string("standard")},
                                  {"nodes", written->nodes}};
        document["milliseconds"] = {{"load", session.info().loadMs},
                                    {"optimize", done->optimizeMs},
                                    {"verify", written->milliseconds.at("verify")},
                                    {"export", written->milliseconds.at("export")}};
        document["peak_bytes"] = peakBytes();
        context.print(document);
    } else if (!arguments.quiet()) {
        if (const auto printed = printSteps(context, timeline); !printed)
            return context.fail(printed.error());
        context.print(tr("%n step(s), ", timeline.size()) +
                      tr("%1 → %2 nodes").arg(session.opened().nodeCount()).arg(last.nodeCount()) +
                      tr(", %n blocked", static_cast<int>(timeline.blocked.size())));
    }
    const QString why = context.sentence(proof.why, &session.opened());
    if (failed) {
        context.warn(tr("Not written: the outputs differ. %1").arg(why));
        return ExitStatus::answerIsNo;
    }
    double largest = 0;
    for (const TensorComparison& one : proof.outputs)
        largest = std::max(largest, one.maxAbs);
    if (proof.status == VerificationStatus::pass)
        context.say(tr("Written and checked: %1, %n node(s)", static_cast<int>(written->nodes))
                        .arg(QString::fromStdString(written->path)) +
                    tr(", outputs agree, max |Δ| %1").arg(largest, 0, 'g', 2) +
                    (why.isEmpty() ? QString() : QStringLiteral(". ") + why));
    else
        context.warn(tr("Written: %1. Not fully proved: %2")
                         .arg(QString::fromStdString(written->path), why));
    if (const int wrong = session.info().errorCount(); wrong > 0)
        context.warn(tr("The source has %n problem(s), and so has the written file: `fusescope info` "
                        "names them.", wrong));
    return context.blockedStatus(timeline);
}

} // namespace fusescope
