#include "ui/main_window.h"

#include "ui/dialogs/export_dialog.h"
#include "ui/dialogs/inputs_dialog.h"
#include "ui/dialogs/passes_dialog.h"
#include "ui/dialogs/properties_dialog.h"
#include "ui/dialogs/reasons_dialog.h"
#include "ui/dialogs/settings_dialog.h"
#include "ui/dialogs/shortcuts_dialog.h"
#include "ui/dialogs/tolerance_dialog.h"
#include "ui/export_notice.h"
#include "ui/find_bar.h"
#include "ui/graph/graph_area.h"
#include "ui/graph/graph_picture.h"
#include "ui/panels/blocked_panel.h"
#include "ui/start/start_page.h"
#include "ui/text.h"
#include "ui/widgets/filter_edit.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QTimer>
#include <QUrl>

namespace fusescope {

namespace {

// Dialogs only ask, and the window goes on behind them.
void present(QDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
    dialog->raise();
    dialog->activateWindow();
}

} // namespace

void MainWindow::connectDialogs()
{
    AppState* state = m_state.get();
    const auto on = [this](Act act, auto slot) {
        connect((*m_actions)[act], &QAction::triggered, this, slot);
    };
    on(Act::exportModel, [this, state] { present(new ExportDialog(*state, this)); });
    on(Act::inputs, [this, state] { present(new InputsDialog(*state, this)); });
    on(Act::dimensions, [this, state] { present(new InputsDialog(*state, this)); });
    on(Act::tolerance, [this, state] { present(new ToleranceDialog(*state, this)); });
    on(Act::passes, [this, state] { present(new PassesDialog(*state, this)); });
    on(Act::properties, [this, state] { present(new PropertiesDialog(*state, this)); });
    m_graph->setWheelZooms(SettingsDialog::wheelZooms());
    on(Act::settings, [this, state] {
        auto* dialog = new SettingsDialog(*state, this);
        // The windows go with their dialogs: not before this one has ended.
        connect(dialog, &SettingsDialog::languageChosen, qApp, [] {
            QTimer::singleShot(0, qApp, &MainWindow::speakChosenLanguage);
        });
        present(dialog);
    });
    on(Act::shortcuts, [this] { present(new ShortcutsDialog(*m_actions, this)); });
    on(Act::reasons, [this, state] { present(new ReasonsDialog(*state, this)); });
    connect(m_blocked, &BlockedPanel::helpRequested, this, [this, state](const QString& code) {
        auto* dialog = new ReasonsDialog(*state, this);
        dialog->showPage(code);
        present(dialog);
    });
    on(Act::exportPicture, [this] { exportPicture(); });

    on(Act::find, [this] { showFind(); });
    on(Act::findNext, [this] { m_findBar->next(); });
    on(Act::findPrevious, [this] { m_findBar->previous(); });
    connect(m_findBar, &FindBar::hitsChanged, m_graph, &GraphArea::setHits);
    connect(m_findBar, &FindBar::closed, m_graph, qOverload<>(&QWidget::setFocus));
    connect(state, &AppState::sessionChanged, m_findBar, &FindBar::dismiss);

    connect(state, &AppState::exported, this, [this](const QString& path, const ExportResult& result) {
        m_state->notify(exportNotice(*m_state, path, result));
    });
}

void MainWindow::exportPicture()
{
    const auto scene = m_graph->scene();
    if (!scene)
        return;
    const QString base = QFileInfo(m_state->title()).completeBaseName();
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export Picture"), QDir::home().filePath(base + QStringLiteral(".svg")),
        tr("SVG (*.svg);;PDF (*.pdf);;PNG (*.png)"));
    if (path.isEmpty())
        return;
    writePictureTo(path);
}

void MainWindow::writePictureTo(const QString& path)
{
    m_state->jobs().start<PictureResult>(
        JobKind::picture, tr("Writing the picture"),
        [path, scene = m_graph->scene(), look = PictureLook{}](std::stop_token stop,
                                                               const Progress& progress) {
            return writePicture(path, scene, look, std::move(stop), progress);
        },
        [this, path](Result<PictureResult> written) {
            if (!written) {
                if (written.error().code != ErrorCode::cancelled)
                    m_state->notifyError(written.error());
                return;
            }
            LogEntry entry;
            entry.level = NoticeLevel::success;
            entry.text =
                written->scale < written->asked
                    ? tr("The picture was written at %1 % of the size asked for, the most a PNG can hold.")
                          .arg(qRound(100 * written->scale / written->asked))
                    : tr("The picture was written to %1.").arg(QFileInfo(path).fileName());
            entry.actionText = tr("Show in Folder");
            entry.action = [path] {
                QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(path).absolutePath()));
            };
            m_state->notify(std::move(entry));
        });
}

void MainWindow::showFind(const QString& text)
{
    if (!m_state->hasModel())
        return;
    m_findBar->activate();
    if (!text.isEmpty())
        m_findBar->setText(text);
}

bool MainWindow::closeFind()
{
    if (m_findBar->isHidden())
        return false;
    m_findBar->dismiss();
    m_graph->setFocus();
    return true;
}

} // namespace fusescope
