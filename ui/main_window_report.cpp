#include "ui/main_window.h"

#include "ui/report_file.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace fusescope {

void MainWindow::exportReport()
{
    if (!m_state->hasModel())
        return;
    const QString base = QFileInfo(m_state->title()).completeBaseName();
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export Report"), QDir::home().filePath(base + QStringLiteral(".html")),
        tr("HTML (*.html);;Markdown (*.md);;JSON (*.json)"));
    if (!path.isEmpty())
        writeReportFile(*m_state, path);
}

} // namespace fusescope
