#pragma once

#include "ui/actions.h"
#include "ui/app_state.h"
#include "ui/theme/roles.h"

#include <QMainWindow>
#include <QPointer>

class QComboBox;
class QLabel;
class QStackedWidget;
class QToolBar;
class QToolButton;
class QVBoxLayout;

namespace fusescope {

class BlockedPanel;
class DockChrome;
class FilterEdit;
class FindBar;
class GraphArea;
class GuidedTour;
class InspectorPanel;
class NoticeBar;
class Panel;
class RecentFiles;
class StartPage;
class StatusProgress;
class StepsPanel;

// The one window: docks around the graph, menus, toolbar, status bar. It owns the state and wires
// actions to it; what a part shows is the part's own affair.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    MainWindow();
    // Around a state that another window had.
    explicit MainWindow(std::unique_ptr<AppState> state);
    ~MainWindow() override;

    // Makes all windows anew in the language of the settings; files, steps, results and the plan
    // stay as they are.
    static void speakChosenLanguage();

    AppState& state() { return *m_state; }
    Actions& actions() { return *m_actions; }
    GraphArea& graphArea() { return *m_graph; }
    StepsPanel& stepsPanel() { return *m_steps; }
    BlockedPanel& blockedPanel() { return *m_blocked; }
    StartPage& startPage() { return *m_start; }
    NoticeBar& noticeBar() { return *m_bar; }

    void openFiles(const QStringList& paths); // the first here, the rest in new windows
    void openExample(const QString& resource); // of :/examples
    void showPanel(const QString& id);        // "steps", "changes", "inspector", "why", "blocked", …
    QDockWidget* dock(const QString& id) const;
    // As on the first start; at 1024×768 or less the right docks join the bottom ones.
    void resetLayout();
    QString statusText() const;

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    static constexpr int layoutVersion = 1; // of saved docks

    struct Dock
    {
        QString id;
        const char* title;
        Panel* panel = nullptr;
        QDockWidget* widget = nullptr;
    };

    // main_window_docks.cpp
    void makeCenter();
    void makePanels();
    void addDock(const QString& id, const char* title, Panel* panel);
    void placeDocks();
    void sizeDocks();
    void saveLayout();
    void restoreLayout();
    void resetLayoutUndoably();
    void setFullScreen(bool on);
    void setTeaching(bool on);
    bool isProfileBeside() const;
    void setProfileBeside(bool on);
    bool isSmall() const;

    // main_window_menus.cpp
    void makeMenus();
    void makeToolBar();
    void fillRecent();
    void fillExamples();
    void fillThreads(QMenu* menu);
    void fillTheme(QMenu* menu);
    void setToolBarTexts();

    // main_window_status.cpp
    void makeStatusBar();
    void connectState();
    void connectJobs();
    void updateTitle();
    void updateStatus();
    void updateVerdict();
    void showLog(const LogEntry& entry);
    void showZoom(double zoom);
    void rememberVerdicts();

    // main_window_actions.cpp
    void connectActions();
    void connectGraphKeys();
    void updateActions();
    void updateUndo();
    void chooseAndOpen();
    void copyName(bool whole);
    void selectAllOfType();
    void markPure();
    void togglePin();
    void showNeighbours(bool inputs);
    void skipOrUnskip();
    void escape();
    void about();
    void exportPicture();
    void writePictureTo(const QString& path);

    // main_window_dialogs.cpp
    void connectDialogs();
    void showFind(const QString& text = {});
    bool closeFind(); // false when it is not open

    // main_window_extras.cpp
    void connectExtras();
    void openScratchCopy();
    void exportValues();

    // main_window_report.cpp
    void exportReport();

    std::unique_ptr<AppState> m_state;
    Actions* m_actions;
    RecentFiles* m_recent;
    DockChrome* m_chrome;
    QStackedWidget* m_center = nullptr;
    GraphArea* m_graph = nullptr;
    StartPage* m_start = nullptr;
    QVBoxLayout* m_startLayout = nullptr;
    NoticeBar* m_bar = nullptr;
    StepsPanel* m_steps = nullptr;
    InspectorPanel* m_inspector = nullptr;
    BlockedPanel* m_blocked = nullptr;
    FindBar* m_findBar = nullptr;
    GuidedTour* m_tour = nullptr;
    std::vector<Dock> m_docks;
    QToolBar* m_toolBar = nullptr;
    QList<QToolButton*> m_wordyButtons;
    QComboBox* m_zoomBox = nullptr;
    FilterEdit* m_findBox = nullptr;
    QMenu* m_recentMenu = nullptr;
    QMenu* m_exampleMenu = nullptr;
    QList<QAction*> m_recentActions;
    QLabel* m_statusText = nullptr;
    QToolButton* m_undoReset = nullptr;
    QLabel* m_statusNodes = nullptr;
    QLabel* m_statusVerdict = nullptr;
    QLabel* m_statusZoom = nullptr;
    StatusProgress* m_progress = nullptr;
    std::vector<std::pair<JobKind, QString>> m_running;
    QByteArray m_layoutBeforeReset;
    QByteArray m_layoutBeforeFullScreen;
    std::map<QString, std::function<void()>> m_noticeActions;
    int m_nextNotice = 0;
    QString m_example; // the resource that is open, if it is one
    bool m_placed = false;
    std::unique_ptr<AppState>* m_handOver = nullptr; // who takes the state when this window goes
    bool m_wasMaximized = false;
};

} // namespace fusescope
