#pragma once

#include "session/session.h"
#include "ui/jobs.h"
#include "ui/step_keys.h"
#include "ui/widgets/notice_bar.h"

#include <QObject>
#include <QStringList>
#include <QUndoStack>

#include <memory>
#include <optional>
#include <vector>

namespace fusescope {

enum class GraphMode { before, after, overlay, split };

// The pair of states that views name: with one thumb the step itself (B−1, B), else A and B.
struct StepPair
{
    int a = 0, b = 0;
    bool operator==(const StepPair&) const = default;
};

// A line of the Messages panel and of the bar above the graph.
struct LogEntry
{
    NoticeLevel level = NoticeLevel::info;
    QString text; // plain
    NodeId node;
    QString actionText; // empty: no button
    std::function<void()> action;
};

// What the window shows: the open session with its timeline, the cursor (A and B), the mode and the
// selection. Panels read it and change it through its functions only; they never call each other.
// All signals come in the window's thread.
class AppState : public QObject
{
    Q_OBJECT

public:
    explicit AppState(QObject* parent = nullptr);
    ~AppState() override;

    Jobs& jobs() { return *m_jobs; }
    QUndoStack& undoStack() { return *m_undo; } // changes of the plan

    // Files. Opening replaces the session when it succeeds; errors become notices.
    void open(const QString& path);
    void openExample(const QString& resource); // a file of :/examples
    void reload();
    void close();

    const std::shared_ptr<Session>& session() const { return m_session; }
    bool hasModel() const { return m_session != nullptr; }
    QString title() const; // the file's name
    TimelinePtr timeline() const { return m_timeline; } // never null
    int stepCount() const { return m_timeline->size(); }
    bool isFinished() const { return m_timeline->finished; }

    // The cursor. Position k is the model after k steps; 0 is the file.
    int b() const { return m_b; }
    std::optional<int> a() const { return m_a; } // nothing: one thumb
    StepPair pair() const;       // what Before and After show
    StepPair namedPair() const;  // what Summary, Compare and Profile name: with one thumb the file
                                 // and B; at step 0 the file and the last step
    void setB(int step);
    void setA(std::optional<int> step);
    void first();
    void last();  // waits for the end of the passes
    void forward();
    void back();
    void runPass(); // to the end of the pass of the next step
    void growRange();
    void shrinkRange();
    bool isWaitingForLast() const { return m_waitingForLast; }

    GraphMode mode() const { return m_mode; }
    void setMode(GraphMode mode);
    // The one kind of change that the list of changes shows; without one it shows all.
    std::optional<ChangeKind> changeFilter() const { return m_changeFilter; }
    void setChangeFilter(std::optional<ChangeKind> kind);
    bool predict() const { return m_predict; }
    void setPredict(bool on);

    // Selection by id; it survives when the node is gone. The second is for Why Not Fused?
    NodeId selected() const { return m_selected; }
    NodeId secondSelected() const { return m_second; }
    ValueId selectedValue() const { return m_selectedValue; }
    void select(NodeId node);
    void selectSecond(NodeId node);
    void selectValue(ValueId value);
    // Selects and asks the graph to show it; goes to the nearest step where it stands if need be.
    void goTo(NodeId node);
    void goTo(NodeId node, int step); // at that step
    void goToStep(int step);          // as setB(), and Previous Place returns
    void goTo(Subject subject);
    // The same, but a node that has gone before B is shown beside what it became: A goes to where it
    // stood last.
    void goToOriginal(NodeId node);
    // What the shown step or range changed; what it removed is shown as it was, at the same step.
    void goToChange(Subject subject);
    // Back and forward through places (Alt+Left, Alt+Right).
    void placeBack();
    void placeForward();

    // A blocked row that is shown in the graph with its culprits.
    std::optional<Blocked> shownBlocked() const { return m_shownBlocked; }
    void showBlocked(std::optional<Blocked> row);

    // The graph at a step, cached for the last few.
    std::shared_ptr<const Graph> graphAt(int step) const;
    // The state in which a node is best shown: at B if it stands there, else where it last stood.
    std::shared_ptr<const Graph> graphOf(NodeId node, int* step = nullptr) const;
    QString nameOf(NodeId node) const;
    QString sentence(const Message& message, const Graph* graph) const; // translated
    std::shared_ptr<const GraphDiff> diff() const { return m_diff; }     // of pair()
    bool isCurrentDiff() const;

    // The plan: each change is one entry of the undo stack.
    const Plan& plan() const { return m_plan; }
    void applyFix(const Fix& fix);
    // The safe fixes of the timeline (session/safe_fixes.h), looked for once in each.
    std::shared_ptr<const std::vector<Fix>> safeFixes() const;
    // A copy to try things in: what is edited there is neither kept nor told to anyone else.
    bool isScratch() const { return m_scratch; }
    void setScratch(bool on) { m_scratch = on; }
    void applyEdit(const Edit& edit); // refused with a notice where it cannot be made
    void skipStep(int step);
    void unskip(const RewriteKey& key);
    void setPinned(NodeId node, bool pinned);
    void markPure(const QString& domainAndType);
    void setDisabled(const std::set<std::string>& ids);
    void changePlan(Plan plan, const QString& name);
    // Where plans are kept by the content of the file, so that they come back; empty: nowhere.
    void setPlanFolder(const QString& folder) { m_planFolder = folder; }

    // Runs. Inputs and tolerance are the window's; results stand until the pair, the plan or the
    // inputs change.
    InputSpec inputs() const { return m_inputs; }
    void setInputs(InputSpec inputs);
    std::optional<double> rtol() const { return m_rtol; }
    std::optional<double> atol() const { return m_atol; }
    void setTolerance(std::optional<double> rtol, std::optional<double> atol);
    int threads() const { return m_threads; }
    void setThreads(int threads);
    // Where the pair reaches to the last step and that is not known, they wait for it.
    void runAndCompare();
    void findDivergence();
    void profile();
    struct CompareResult
    {
        StepPair pair;
        Comparison comparison;
        std::optional<Divergence> divergence;
    };
    const std::optional<CompareResult>& compareResult() const { return m_compare; }
    struct ProfileResult
    {
        StepPair pair;
        BenchReport report;
    };
    const std::optional<ProfileResult>& profileResult() const { return m_profile; }
    void exportModel(const QString& path, const ExportOptions& options);

    // Tells all that there is to who came later.
    void announce();

    const std::vector<LogEntry>& log() const { return m_log; }
    void notify(LogEntry entry);
    void notifyError(const Error& error);

Q_SIGNALS:
    void sessionChanged();             // opened, reloaded or closed
    void timelineChanged();            // more steps, finished, or a new generation
    void cursorChanged();              // A or B
    void modeChanged();
    void changeFilterChanged();
    void predictChanged();
    void selectionChanged();
    void goToRequested(fusescope::NodeId node);
    void shownBlockedChanged();
    void diffChanged();
    void planChanged();
    void inputsChanged();
    void compareChanged();
    void profileChanged();
    void exported(const QString& path, const fusescope::ExportResult& result);
    void logged(const fusescope::LogEntry& entry);
    void logCleared();

private:
    struct Place
    {
        int b = 0;
        std::optional<int> a;
        NodeId node;

        bool operator==(const Place&) const = default;
    };

    // Where A, B and the selection stand.
    struct Resume
    {
        std::vector<StepKey> keys; // of steps 1 … b
        StepKeys now;              // of the new timeline, as far as it is there
        int b = 0;
        std::optional<int> a;
        NodeId selected;
        std::vector<NodeId> origins; // of the selected one, in the file
    };

    void take(std::shared_ptr<Session> session);
    void leaveSession();
    Resume whereItStands() const;
    bool resume();       // true where the cursor moved
    QString planPath() const; // empty where none is kept
    Plan keptPlan(QString& problem); // and what is to be said of one that cannot be read
    void keepPlan(); // says once of a file where that fails
    QString moveOtherPlan(const QString& path);
    QString writePlan(const QString& path) const;
    void takeTimeline(TimelinePtr timeline);
    void setPlan(Plan plan);
    void tellFix();
    void updateDiff();
    void arriveAt(NodeId node);
    void rememberPlace();
    void goToPlace(const Place& place);
    void dropResults();
    bool reachesTheEnd() const { return !m_a && m_b == 0 && !isFinished(); }

    std::unique_ptr<QUndoStack> m_undo;
    std::unique_ptr<Jobs> m_jobs;
    std::shared_ptr<Session> m_session;
    TimelinePtr m_timeline;
    Plan m_plan;
    QString m_planFolder;
    QByteArray m_keptBytes; // of the plan's file, as this window last read or wrote it
    std::optional<Resume> m_resume; // until the new timeline shows where that is
    int m_b = 0;
    std::optional<int> m_a;
    bool m_waitingForLast = false;
    GraphMode m_mode = GraphMode::after;
    std::optional<ChangeKind> m_changeFilter;
    struct AppliedFix
    {
        Fix fix;
        std::size_t blockedBefore = 0;
    };
    std::optional<AppliedFix> m_applied; // until the passes have ended after it
    bool m_predict = false;
    bool m_scratch = false;
    NodeId m_selected, m_second;
    ValueId m_selectedValue;
    std::optional<Blocked> m_shownBlocked;
    std::shared_ptr<const GraphDiff> m_diff;
    std::optional<StepPair> m_diffPair;
    InputSpec m_inputs;
    std::optional<double> m_rtol, m_atol;
    int m_threads = 1;
    std::optional<CompareResult> m_compare;
    std::optional<ProfileResult> m_profile;
    int m_resultsOf = 0; // counts plans, files, inputs and tolerances: results of an older one are dropped
    std::vector<LogEntry> m_log;
    std::vector<Place> m_back, m_forward;
    mutable std::map<int, std::shared_ptr<const Graph>> m_graphs;
    mutable int m_graphsOf = -1; // generation
    mutable TimelinePtr m_safeFixesOf;
    mutable std::shared_ptr<const std::vector<Fix>> m_safeFixes;
};

} // namespace fusescope
