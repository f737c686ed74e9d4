#include "ui/export_notice.h"

#include "ui/text.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFileInfo>
#include <QUrl>

#include <algorithm>

namespace fusescope {

namespace {

QString tr(const char* text, int n = -1)
{
    return QCoreApplication::translate("ExportNotice", text, nullptr, n);
}

QString whatWasWritten(const AppState& state, const ExportResult& result)
{
    QString words;
    if (result.fusedNodes < result.nodes)
        words += QLatin1Char(' ') +
                 tr("A fused node counts as one here (%1 nodes), in the file with all its operators "
                    "(%2).")
                     .arg(text::count(static_cast<qint64>(result.fusedNodes)),
                          text::count(static_cast<qint64>(result.nodes)));
    if (const int wrong = state.session()->info().errorCount(); wrong > 0)
        words += QLatin1Char(' ') +
                 tr("The opened file has %n problem(s), and so has this one: see Messages.", wrong);
    return words;
}

} // namespace

LogEntry exportNotice(const AppState& state, const QString& path, const ExportResult& result)
{
    const Comparison& proof = result.verification;
    const QString file = QFileInfo(path).fileName();
    const QString why = state.sentence(proof.why, &state.session()->opened());
    const int nodes = static_cast<int>(result.nodes);
    LogEntry entry;
    if (proof.status == VerificationStatus::fail) {
        entry.level = NoticeLevel::error;
        entry.text = tr("%1 was not written: the outputs differ. %2").arg(file, why);
        return entry;
    }
    if (proof.status == VerificationStatus::pass) {
        double most = 0;
        for (const TensorComparison& tensor : proof.outputs)
            most = std::max(most, tensor.maxAbs);
        entry.level = NoticeLevel::success;
        entry.text = tr("Exported %1 and checked: %n node(s), outputs agree, max |Δ| %2.", nodes)
                         .arg(file, text::scientific(most));
    } else {
        entry.level = NoticeLevel::warning;
        entry.text =
            tr("Exported %1: %n node(s), not fully proved: %2", nodes).arg(file, why);
    }
    entry.text += whatWasWritten(state, result);
    entry.actionText = tr("Show in Folder");
    entry.action = [path] {
        QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath()));
    };
    return entry;
}

} // namespace fusescope
