#include "ui/main_window.h"

#include "ui/dock_chrome.h"
#include "ui/graph/graph_area.h"
#include "ui/language.h"
#include "ui/recent_files.h"
#include "ui/text_field_keys.h"
#include "ui/theme/icons.h"

#include <QApplication>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMimeData>
#include <QSettings>
#include <QStackedWidget>

namespace fusescope {

namespace {

QStringList modelsOf(const QMimeData* data)
{
    QStringList paths;
    if (data && data->hasUrls()) {
        for (const QUrl& url : data->urls()) {
            if (url.isLocalFile() && QFileInfo(url.toLocalFile()).isFile())
                paths << url.toLocalFile();
        }
    }
    return paths;
}

} // namespace

MainWindow::MainWindow() : MainWindow(std::make_unique<AppState>())
{
}

MainWindow::MainWindow(std::unique_ptr<AppState> state)
    : m_state(std::move(state)), m_actions(new Actions(this)), m_recent(new RecentFiles(this)),
      m_chrome(new DockChrome(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    m_state->setPlanFolder(QFileInfo(QSettings().fileName()).dir().filePath(QStringLiteral("plans")));
    setAcceptDrops(true);
    setWindowIcon(applicationIcon());
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setDocumentMode(true);
    makeCenter();
    makePanels();
    makeMenus();
    makeToolBar();
    makeStatusBar();
    connectState();
    connectActions();
    connectDialogs();
    connectExtras();
    new TextFieldKeys(this);
    resize(1440, 900);
    restoreLayout();
    updateActions();
    updateTitle();
    updateStatus();
}

MainWindow::~MainWindow()
{
    // Panels and dialogs refer to the state: they go first.
    disconnect(m_state.get(), nullptr, this, nullptr);
    if (m_handOver) {
        for (const JobKind kind : {JobKind::figures, JobKind::drawing, JobKind::explain,
                                   JobKind::picture, JobKind::report, JobKind::conditions,
                                   JobKind::tensors, JobKind::values})
            m_state->jobs().forget(kind);
    } else {
        m_state->jobs().cancelAll();
    }
    for (const Dock& dock : m_docks)
        delete dock.widget;
    m_docks.clear();
    delete takeCentralWidget();
    if (m_handOver)
        *m_handOver = std::move(m_state);
}

void MainWindow::speakChosenLanguage()
{
    installTranslations(chosenLanguage());
    const bool quits = QGuiApplication::quitOnLastWindowClosed();
    QGuiApplication::setQuitOnLastWindowClosed(false);
    std::vector<MainWindow*> windows;
    for (QWidget* widget : QApplication::topLevelWidgets()) {
        if (auto* window = qobject_cast<MainWindow*>(widget))
            windows.push_back(window);
    }
    for (MainWindow* old : windows) {
        const QByteArray geometry = old->saveGeometry();
        const QByteArray layout = old->saveState(layoutVersion);
        const qreal zoom = old->m_graph->zoom();
        const QPointF middle = old->m_graph->mainView()->visibleArea().center();
        const QString example = old->m_example;
        std::unique_ptr<AppState> state;
        old->m_handOver = &state;
        delete old;
        auto* fresh = new MainWindow(std::move(state));
        fresh->m_example = example;
        fresh->restoreGeometry(geometry);
        fresh->m_placed = fresh->restoreState(layout, layoutVersion);
        fresh->show();
        connect(fresh->m_graph, &GraphArea::drawn, fresh, [fresh, zoom, middle] {
            fresh->m_graph->mainView()->showMiddle(zoom, middle);
        }, Qt::SingleShotConnection);
        fresh->m_state->announce();
    }
    QGuiApplication::setQuitOnLastWindowClosed(quits);
}

void MainWindow::openFiles(const QStringList& paths)
{
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const QString path = QFileInfo(paths[i]).absoluteFilePath();
        // A scratch copy is of one model for good.
        if (!i && !(m_state->isScratch() && m_state->hasModel())) {
            m_example.clear();
            m_state->open(path);
            continue;
        }
        auto* window = new MainWindow;
        window->show();
        window->openFiles({path});
    }
}

void MainWindow::chooseAndOpen()
{
    QSettings settings;
    const QString folder = settings.value(QStringLiteral("folder")).toString();
    const QStringList paths = QFileDialog::getOpenFileNames(
        this, tr("Open Model"), folder, tr("ONNX models (*.onnx);;All files (*)"));
    if (paths.isEmpty())
        return;
    settings.setValue(QStringLiteral("folder"), QFileInfo(paths.front()).absolutePath());
    openFiles(paths);
}

QDockWidget* MainWindow::dock(const QString& id) const
{
    for (const Dock& dock : m_docks) {
        if (dock.id == id)
            return dock.widget;
    }
    return nullptr;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    saveLayout();
    m_state->jobs().cancelAll();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!modelsOf(event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QStringList paths = modelsOf(event->mimeData());
    if (paths.isEmpty())
        return;
    event->acceptProposedAction();
    openFiles(paths);
}

void MainWindow::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier) {
        escape();
        return;
    }
    QMainWindow::keyPressEvent(event);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    setToolBarTexts();
}

} // namespace fusescope
