#pragma once

#include "ui/actions.h"
#include "ui/app_state.h"
#include "ui/graph/graph_canvas.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <set>

class QSplitter;
class QToolButton;

namespace fusescope {

class Breadcrumb;
class Chip;
class SegmentedSwitch;
class ErrorScale;
class SideTitle;

// The centre of the window: header, notices, and one view of the graph or two that move together.
// It makes drawings and scenes from the state. Of the actions it serves those that look at the graph
// (zoom, fit, direction, what cards show, expand, collapse, trace, next change); the rest is the
// window's.
class GraphArea final : public QWidget
{
    Q_OBJECT

public:
    GraphArea(AppState& state, Actions& actions, QWidget* parent = nullptr);

    // A bar of notices between the header and the graph.
    void setNoticeBar(QWidget* bar);
    // The view that has the focus, or the one of After.
    GraphCanvas* view() const;
    GraphCanvas* beforeView() const { return m_before; }
    GraphCanvas* mainView() const { return m_main; }
    std::shared_ptr<const GraphScene> scene() const { return m_scene; } // of the main view
    qreal zoom() const;
    bool isFitted() const; // and smaller than its actual size
    void setZoom(qreal zoom);

    // Marks what Find found; the current one is shown. Closed blocks around it open.
    void setHits(const std::set<NodeId>& hits, NodeId current);
    void goTo(NodeId node);
    void setOpened(const QString& key, bool open);
    void enterBody(BodyId body);
    bool leaveBody(); // false in the main graph
    void setWheelZooms(bool on);
    bool hasDrawing() const { return m_drawing != nullptr; }

Q_SIGNALS:
    void zoomChanged(qreal zoom);
    void drawn(); // a new drawing is shown
    void blockedListRequested();
    void changesRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeHeader();
    void connectState();
    void connectView(GraphCanvas* view);
    void connectActions();
    void reset();
    void timelineChanged();
    void requestDrawing();
    bool takeLater(const Timeline& timeline);
    void takeDrawing(DrawingPtr drawing, std::shared_ptr<const SceneIndex> index);
    void updateScene();
    void updateMarks();
    void updateHeader();
    void updateCounts(); // of chips and titles
    void toggleFilter(ChangeKind kind);
    SceneCounts counts() const;
    void fitHeader();
    void goToPart(int part); // of the path in the header
    void jumpToChange(int direction, std::optional<SceneState> only = std::nullopt);
    void openAround(NodeId node);
    void showMenu(NodeId node, ValueId value, const QPoint& global);

    AppState& m_state;
    Actions& m_actions;
    QWidget* m_header = nullptr;
    Breadcrumb* m_path = nullptr;
    QToolButton* m_expandAll = nullptr;
    QToolButton* m_equal = nullptr;
    QToolButton* m_together = nullptr;
    Chip* m_chips[4] = {};
    SegmentedSwitch* m_switch = nullptr;
    QSplitter* m_splitter = nullptr;
    QWidget* m_beforeSide = nullptr;
    SideTitle* m_beforeTitle = nullptr;
    SideTitle* m_afterTitle = nullptr;
    GraphCanvas* m_before = nullptr;
    GraphCanvas* m_main = nullptr;
    ErrorScale* m_errorScale = nullptr;
    bool m_linking = false;

    DrawingOptions m_options;
    std::vector<BodyId> m_bodies; // entered, outermost first
    std::vector<std::string> m_scopes; // of the selected node
    DrawingPtr m_drawing;
    LaterNodesPtr m_later; // of steps after the drawing; null: none
    std::shared_ptr<const SceneIndex> m_index;
    std::shared_ptr<const GraphScene> m_scene, m_beforeScene;
    QElapsedTimer m_sinceOpened;
    QTimer m_patience;
    NodeId m_pendingGoTo;
    std::set<NodeId> m_hits;
    NodeId m_hit;
    bool m_requested = false;
    bool m_offered = false;
    int m_alone = -1; // step that is arranged alone
};

} // namespace fusescope
