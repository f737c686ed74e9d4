#include "ui/report_file.h"

#include "session/report.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFile>
#include <QFileInfo>
#include <QUrl>

namespace fusescope {

namespace {

struct ReportFile
{
    Q_DECLARE_TR_FUNCTIONS(ReportFile)
};

// What the report is to say of the outputs, and of the times where they were taken.
struct Proof
{
    std::optional<Comparison> compared; // by the window already
    std::vector<PlanProfile> plans;     // of the profile, unfused and fused
    bool chosen = false;                // inputs or tolerance are not the usual ones
    CompareOptions options;

    Result<Comparison> make(Session& session, const Timeline& timeline, std::stop_token stop,
                            const Progress& progress) const
    {
        if (compared)
            return *compared;
        if (chosen)
            return session.compare(timeline, 0, timeline.size(), options, stop, progress);
        return session.prove(timeline, timeline.size(), options.inputs.seed, stop, progress);
    }
};

Proof proofOf(const AppState& state)
{
    Proof proof;
    if (const auto& result = state.compareResult();
        result && state.isFinished() && result->pair == StepPair{0, state.stepCount()})
        proof.compared = result->comparison;
    if (const auto& result = state.profileResult();
        result && state.isFinished() && result->pair == StepPair{0, state.stepCount()})
        proof.plans = result->report.plans;
    proof.options.inputs = state.inputs();
    proof.options.rtol = state.rtol();
    proof.options.atol = state.atol();
    proof.chosen = state.inputs() != InputSpec{} || state.rtol() || state.atol();
    return proof;
}

std::string translated(const char* context, const char* text)
{
    return QCoreApplication::translate(context, text).toStdString();
}

Result<bool> write(Session& session, const std::string& file, const Proof& proof,
                   std::stop_token stop, const Progress& progress)
{
    const auto format = reportFormatOf(file);
    if (!format)
        return fail(ErrorCode::invalidArgument, Message("report.unknown-ending"), {}, file);
    FUSESCOPE_ASSIGN(const TimelinePtr timeline, session.finish(stop, progress));
    FUSESCOPE_ASSIGN(const Comparison outcome, proof.make(session, *timeline, stop, progress));
    FUSESCOPE_ASSIGN(ReportData story, gatherReport(session, *timeline, outcome, translated, stop));
    story.plans = proof.plans;
    // The dialog has asked about a file that is there.
    FUSESCOPE_TRY(writeReport(session, file, reportText(story, *format, translated), true));
    return true;
}

void tell(AppState& state, const QString& path)
{
    LogEntry entry;
    entry.level = NoticeLevel::success;
    entry.text = ReportFile::tr("The report was written to %1.").arg(QFileInfo(path).fileName());
    entry.actionText = ReportFile::tr("Open");
    entry.action = [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); };
    state.notify(std::move(entry));
}

} // namespace

void writeReportFile(AppState& state, const QString& path)
{
    state.jobs().start<bool>(
        JobKind::report, ReportFile::tr("Writing the report"),
        [session = state.session(), proof = proofOf(state),
         file = QFile::encodeName(path).toStdString()](std::stop_token stop,
                                                       const Progress& progress) {
            return write(*session, file, proof, stop, progress);
        },
        [&state, path](Result<bool> written) {
            if (written)
                tell(state, path);
            else
                state.notifyError(written.error());
        });
}

} // namespace fusescope
