#pragma once

#include "ui/graph/scene_painter.h"
#include "ui/graph/scene_slide.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QVariantAnimation;
class QRubberBand;

namespace fusescope {

// A scene on the screen: pan, zoom, hover and keys. It changes nothing by itself: what a person
// chose is said by signals, and comes back through setMarks() and setScene().
class GraphCanvas final : public QWidget
{
    Q_OBJECT

public:
    explicit GraphCanvas(QWidget* parent = nullptr);
    ~GraphCanvas() override;

    // A scene of the same drawing keeps the place and fades over; of another one the selected node,
    // else the middle, stays where it is and the rest slides to its place.
    void setScene(std::shared_ptr<const GraphScene> scene, std::shared_ptr<const SceneIndex> index);
    const GraphScene* scene() const { return m_painter.scene(); }
    // What stands in the middle while there is no scene.
    void setWords(const QString& words);
    const QString& words() const { return m_words; }
    bool isSliding() const;
    void setMarks(GraphMarks marks);
    const GraphMarks& marks() const { return m_marks; }
    // All but ancestors and descendants of the selected node are dimmed.
    void setTrace(bool on);
    bool trace() const { return m_trace; }

    qreal zoom() const { return m_zoom; }
    QPointF origin() const { return m_origin; } // of the drawing, at the view's top left
    QPointF toView(const QPointF& point) const { return (point - m_origin) * m_zoom; }
    QPointF toDrawing(const QPointF& point) const { return point / m_zoom + m_origin; }
    QRectF visibleArea() const; // of the drawing
    void setPlace(qreal zoom, const QPointF& origin);
    void showMiddle(qreal zoom, const QPointF& centre); // a point of the drawing
    // The point of the drawing under `anchor` stays there.
    void setZoom(qreal zoom, const QPointF& anchor);
    void zoomIn() { setZoom(m_zoom * 1.25, rect().center()); }
    void zoomOut() { setZoom(m_zoom / 1.25, rect().center()); }
    void actualSize();
    void fit();
    void fitSelection();
    // Where a drawing is shown first: all of it, or its width from the top.
    void showStart();
    void setWheelZooms(bool on) { m_wheelZooms = on; }
    // Whether all of it fits in the view as it stands.
    bool isFitted() const { return m_zoom <= std::min(wholeZoom(), 1.0) * 1.0001; }
    // Two views that move together have no minimaps: they would cover what is compared.
    void setMapped(bool on);

    // Centres and pulses; false if the node is not drawn.
    bool goTo(NodeId node, bool animated = true);
    int itemAt(const QPointF& drawingPoint) const;
    int wireAt(const QPointF& drawingPoint) const;
    QString toolTipAt(const QPointF& drawingPoint);
    QPoint toolTipPlace(const QPoint& at) const; // on the screen, for a point of the view
    // "Conv conv1, changed at step 12, selected, blocked: second reader".
    QString accessibleNameOf(int item);
    void setItemDescription(std::function<QString(NodeId)> more) { m_describe = std::move(more); }
    // Visible cards in the order of the drawing, for screen readers.
    const std::vector<int>& readingOrder() const { return m_order; }

    QRectF minimapRect() const; // empty where there is none
    QRectF stripRect() const;
    QSize sizeHint() const override { return QSize(800, 600); }
    QSize minimumSizeHint() const override { return QSize(320, 240); }

    // What a key or click does, as functions for actions.
    void selectNeighbour(Qt::Key key); // arrows
    void openSelected();               // Enter

Q_SIGNALS:
    void nodeSelected(fusescope::NodeId node);
    void secondSelected(fusescope::NodeId node);
    void valueSelected(fusescope::ValueId value);
    void nodesSelected(const std::vector<fusescope::NodeId>& nodes);
    void openRequested(const QString& key, bool open);
    void enterRequested(fusescope::NodeId node); // a body or function on its own
    void successorRequested(fusescope::NodeId node);
    void menuRequested(fusescope::NodeId node, fusescope::ValueId value, const QPoint& global);
    void placeChanged(); // zoom or pan, by a person or by goTo

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { none, pan, select, zoom, minimap, strip };

    void paintGraph(QPainter& painter);
    QPixmap picture(); // of the graph as it stands
    void stopMotion();
    struct LostPlace
    {
        NodeId node;
        QPointF onScreen;
        QPointF origin; // of the view, by which a move is known
        qreal zoom = 1;
    };
    std::optional<QPointF> wayOfPlace(const GraphScene& next) const;
    std::optional<QPointF> wayOfLost(const GraphScene& next) const;
    bool isLost(NodeId node) const;
    std::optional<LostPlace> lostPlace(const GraphScene& next) const;
    void slideFrom(const GraphScene& former, const QPixmap& frame, const QPointF& kept);
    void paintMinimap(QPainter& painter);
    void paintStrip(QPainter& painter);
    QTransform overviewTransform(const QRectF& box) const;
    void moveTo(const QPointF& drawingPoint); // centre
    void animateTo(const QPointF& origin);
    void clampPlace();
    void setHover(const QPointF& point);
    void updateTrace();
    void themeChanged();
    void activate(int item);
    void finishDrag(const QPoint& at);
    QRectF drawingRect() const;
    qreal wholeZoom() const; // at which all of the drawing is in view; 1 where there is none
    qreal boundedZoom(qreal zoom) const;
    NodeId nodeAt(int item) const;
    void sayFocus();

    ScenePainter m_painter;
    std::shared_ptr<const GraphScene> m_scene;
    std::shared_ptr<const SceneIndex> m_index;
    QString m_words; // while there is no scene
    std::vector<int> m_order;
    GraphMarks m_marks;
    HoverState m_hover;
    qreal m_zoom = 1;
    QPointF m_origin;
    std::optional<LostPlace> m_lost; // of the selected node while it is not drawn
    bool m_placed = false;
    bool m_trace = false;
    bool m_wheelZooms = false;
    bool m_mapped = true;
    std::function<QString(NodeId)> m_describe;

    Drag m_drag = Drag::none;
    bool m_moved = false;
    QPoint m_press;
    QPointF m_pressOrigin;
    QRubberBand* m_band = nullptr;

    QVariantAnimation* m_pan;
    QVariantAnimation* m_fade;
    QVariantAnimation* m_pulse;
    QVariantAnimation* m_sliding;
    QPixmap m_fadeFrom;
    SceneSlide m_slide;
    NodeId m_pulsed;
    QElapsedTimer m_sinceScene;
    mutable QPixmap m_minimap, m_strip;
};

// Makes screen readers see the cards of graph views; once per program.
void installGraphAccessibility();

} // namespace fusescope
