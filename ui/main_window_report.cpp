#include "ui/main_window.h"

#include "session/report.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QUrl>

namespace fusescope {

// The report tells of all steps, so it waits for the passes, and proves the result.
void MainWindow::exportReport()
{
    const auto session = m_state->session();
    if (!session)
        return;
    const QString base = QFileInfo(m_state->title()).completeBaseName();
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export Report"), QDir::home().filePath(base + QStringLiteral(".html")),
        tr("HTML (*.html);;Markdown (*.md);;JSON (*.json)"));
    if (path.isEmpty())
        return;
    // What the window compared is what the report tells, with its inputs and tolerance.
    std::optional<Comparison> compared;
    if (const auto& result = m_state->compareResult();
        result && m_state->isFinished() && result->pair == StepPair{0, m_state->stepCount()})
        compared = result->comparison;
    m_state->jobs().start<bool>(
        JobKind::report, tr("Writing the report"),
        [session, compared, file = QFile::encodeName(path).toStdString()](
            std::stop_token stop, const Progress& progress) -> Result<bool> {
            const auto format = reportFormatOf(file);
            if (!format)
                return fail(ErrorCode::invalidArgument, Message("report.unknown-ending"), {}, file);
            FUSESCOPE_ASSIGN(const TimelinePtr timeline, session->finish(stop, progress));
            Comparison proof;
            if (compared) {
                proof = *compared;
            } else {
                FUSESCOPE_ASSIGN(proof,
                                 session->prove(*timeline, timeline->size(), 1, stop, progress));
            }
            const Translate translate = [](const char* context, const char* text) {
                return QCoreApplication::translate(context, text).toStdString();
            };
            FUSESCOPE_ASSIGN(const ReportData story,
                             gatherReport(*session, *timeline, proof, translate, stop));
            // The dialog has asked about a file that is there.
            FUSESCOPE_TRY(writeReport(*session, file, reportText(story, *format, translate), true));
            return true;
        },
        [this, path](Result<bool> written) {
            if (!written) {
                m_state->notifyError(written.error());
                return;
            }
            LogEntry entry;
            entry.level = NoticeLevel::success;
            entry.text = tr("The report was written to %1.").arg(QFileInfo(path).fileName());
            entry.actionText = tr("Open");
            entry.action = [path] { QDesktopServices::openUrl(QUrl::fromLocalFile(path)); };
            m_state->notify(std::move(entry));
        });
}

} // namespace fusescope
