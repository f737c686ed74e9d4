#include "ui/main_window.h"

#include "ui/dock_chrome.h"
#include "ui/recent_files.h"
#include "ui/theme/icons.h"

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

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), m_state(std::make_unique<AppState>()), m_actions(new Actions(this)),
      m_recent(new RecentFiles(this)), m_chrome(new DockChrome(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
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
    m_state->jobs().cancelAll();
    for (const Dock& dock : m_docks)
        delete dock.widget;
    m_docks.clear();
    delete takeCentralWidget();
}

void MainWindow::openFiles(const QStringList& paths)
{
    for (qsizetype i = 0; i < paths.size(); ++i) {
        const QString path = QFileInfo(paths[i]).absoluteFilePath();
        if (!i) {
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
