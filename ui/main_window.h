#pragma once

#include "ui/actions.h"
#include "ui/app_state.h"

#include <QMainWindow>

class QStackedWidget;
class QLabel;

namespace fusescope {

class GraphArea;
class Panel;
class StartPage;
class StatusProgress;
class NoticeBar;
class StepsPanel;

// The one window: docks around the graph, menus, toolbar, status bar. It owns the state and wires
// actions to it; what a part shows is the part's own affair.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    AppState& state() { return *m_state; }
    Actions& actions() { return *m_actions; }
    GraphArea& graphArea() { return *m_graph; }
    void openFiles(const QStringList& paths); // the first here, the rest in new windows

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Dock
    {
        QString id;
        const char* title;
        Panel* panel = nullptr;
        QDockWidget* widget = nullptr;
    };

    void makePanels();
    void makeMenus();
    void makeToolBar();
    void makeStatusBar();
    void connectActions();
    void connectState();
    void resetLayout();
    void restoreLayout();
    void addRecent(const QString& path);
    void fillRecent();
    void updateActions();
    void updateTitle();
    void updateStatus();
    void showPanel(const QString& id);
    void showLog(const LogEntry& entry);
    void chooseAndOpen();
    void chooseAndExport();
    void escape();
    QString dockTitle(const Dock& dock) const;

    std::unique_ptr<AppState> m_state;
    Actions* m_actions;
    QStackedWidget* m_center = nullptr;
    GraphArea* m_graph = nullptr;
    StartPage* m_start = nullptr;
    NoticeBar* m_bar = nullptr;
    std::vector<Dock> m_docks;
    QMenu* m_recentMenu = nullptr;
    QLabel* m_statusText = nullptr;
    QLabel* m_statusNodes = nullptr;
    QLabel* m_statusVerdict = nullptr;
    QLabel* m_statusZoom = nullptr;
    StatusProgress* m_progress = nullptr;
    QByteArray m_layoutBeforeReset;
    std::map<QString, std::function<void()>> m_logActions;
    int m_nextLogAction = 0;
};

} // namespace fusescope
