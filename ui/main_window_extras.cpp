#include "ui/main_window.h"

#include "session/value_files.h"
#include "ui/graph/graph_area.h"
#include "ui/guided_tour.h"
#include "ui/names.h"
#include "ui/skips.h"
#include "ui/start/start_page.h"
#include "ui/text.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QSysInfo>

namespace fusescope {

void MainWindow::connectExtras()
{
    const auto on = [this](Act act, auto slot) {
        connect((*m_actions)[act], &QAction::triggered, this, slot);
    };
    m_tour = new GuidedTour(*m_state, *m_bar, this);
    connect(m_tour, &GuidedTour::exampleRequested, this, &MainWindow::openExample);
    connect(m_tour, &GuidedTour::actRequested, this, [this](Act act) { (*m_actions)[act]->trigger(); });
    connect(m_tour, &GuidedTour::panelRequested, this, &MainWindow::showPanel);
    on(Act::tour, [this] { m_tour->start(); });
    on(Act::scratch, [this] { openScratchCopy(); });
    on(Act::exportValues, [this] { exportValues(); });
    on(Act::exportReport, [this] { exportReport(); });
    connect(m_start, &StartPage::commandLineHelpRequested, this, [this] {
        m_state->notify({NoticeLevel::success,
                         tr("In a terminal, \"fusescope --help\" lists the commands: optimize, explain, "
                            "compare, report and more."),
                         {}, {}, {}});
    });
    on(Act::reportProblem, [this] {
        QApplication::clipboard()->setText(
            QStringLiteral("Fusescope %1\nQt %2\n%3, %4")
                .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion()),
                     QSysInfo::prettyProductName(), QSysInfo::currentCpuArchitecture()));
        m_state->notify({NoticeLevel::success,
                         tr("Version and system were copied: paste them into your report, with the model "
                            "and the steps that lead to the problem."),
                         {}, {}, {}});
    });
}

// A window of its own with the same model and plan, in which the open row's fix, or the removal of
// what is selected, can be tried without touching this one.
void MainWindow::openScratchCopy()
{
    const auto session = m_state->session();
    if (!session)
        return;
    const QString path = QFile::decodeName(QByteArray::fromStdString(session->path()));
    if (m_example.isEmpty() && !QFileInfo::exists(path))
        return;
    Plan plan = m_state->plan();
    if (const auto shown = m_state->shownBlocked()) {
        for (const Reason& reason : shown->miss.reasons) {
            if (reason.fix && std::find(plan.fixes.begin(), plan.fixes.end(), *reason.fix) == plan.fixes.end()) {
                addFix(plan, *reason.fix);
                break;
            }
        }
    }
    auto* window = new MainWindow;
    window->state().setScratch(true);
    window->state().setPlanFolder({}); // what is tried there is not kept
    window->show();
    connect(&window->state(), &AppState::sessionChanged, window, [window, plan] {
        if (!window->state().hasModel())
            return;
        window->state().changePlan(plan, tr("Scratch Copy"));
        LogEntry how;
        how.level = NoticeLevel::info;
        how.text = tr("A scratch copy to try things in: select a node and change an attribute or an "
                      "input under What if in the Inspector; Blocked shows at once what that does. "
                      "Nothing of it is kept.");
        how.actionText = tr("Show Inspector");
        how.action = [window] { window->showPanel(QStringLiteral("inspector")); };
        window->state().notify(std::move(how));
    }, Qt::SingleShotConnection);
    if (m_example.isEmpty())
        window->openFiles({path});
    else
        window->openExample(m_example);
}

void MainWindow::openExample(const QString& resource)
{
    m_example = resource;
    m_state->openExample(resource);
}

// What a run at B reads and makes, as two .npz files.
void MainWindow::exportValues()
{
    const auto session = m_state->session();
    if (!session)
        return;
    // Another model may be opened while the dialog asks.
    const auto timeline = m_state->timeline();
    const int step = m_state->b();
    const InputSpec inputs = m_state->inputs();
    const QString name = QFileInfo(m_state->title()).completeBaseName();
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Export Inputs and Outputs"));
    if (folder.isEmpty())
        return;
    const QString base = folder + QLatin1Char('/') + name;
    const auto file = [&](const char* ending) {
        return QFile::encodeName(base + QLatin1String(ending)).toStdString();
    };
    m_state->jobs().start<QString>(
        JobKind::values, tr("Running for inputs and outputs"),
        [session, timeline, step, inputs, folder,
         readFile = file("-inputs.npz"), madeFile = file("-outputs.npz")](
            std::stop_token stop, const Progress& progress) -> Result<QString> {
            auto report = session->run(*timeline, step, RunExecutor::reference, inputs, 1, stop, progress);
            if (!report)
                return tl::unexpected(report.error());
            FUSESCOPE_TRY(writeValues(readFile, report->inputs, false));
            FUSESCOPE_TRY(writeValues(madeFile, report->outputs, false));
            return folder;
        },
        [this](Result<QString> written) {
            if (!written) {
                m_state->notifyError(written.error());
                return;
            }
            m_state->notify({NoticeLevel::success, tr("Inputs and outputs were written to %1.").arg(*written),
                             {}, {}, {}});
        });
}

} // namespace fusescope
