#pragma once

#include "ui/graph/card_painter.h"
#include "ui/graph/graph_marks.h"
#include "ui/graph/scene_index.h"

#include <QRectF>

#include <functional>
#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace fusescope {

struct HoverState
{
    int item = -1;
    int wire = -1;
    ValueId stub; // all stubs of it are lit
};

// Paints a part of a scene, with a painter whose coordinates are the drawing's. Faces of cards are
// kept until the scene changes.
class ScenePainter
{
public:
    explicit ScenePainter(const CardFonts& fonts) : m_cards(fonts) {}

    void setScene(std::shared_ptr<const GraphScene> scene, std::shared_ptr<const SceneIndex> index);
    const GraphScene* scene() const { return m_scene.get(); }
    const SceneIndex* index() const { return m_index.get(); }
    void setFonts(const CardFonts& fonts);

    // `scale`: pixels of the device's own coordinates to one of the drawing.
    void paint(QPainter& painter, const QRectF& exposed, qreal scale, const GraphMarks& marks,
               const HoverState& hover);
    // Asked now and then while it paints, with how much is done; painting ends where it says no.
    void setWatch(std::function<bool(double)> watch) { m_watch = std::move(watch); }
    // As at less than 15 %: rectangles of at least `least` device pixels; the painter's coordinates
    // are the device's.
    void paintDots(QPainter& painter, const QRectF& exposed, const QPointF& origin, qreal scale,
                   const GraphMarks& marks, qreal least) const;

    const CardFace& face(int item);
    const CardPainter& cards() const { return m_cards; }
    QString countText(int item) const; // "28 nodes, 3 changed"
    QString titleText(int item) const;

private:
    struct Pass;
    void frameItem(Pass& pass, int item);
    void stripItem(Pass& pass, int item);
    void boxItem(Pass& pass, int item);
    void wire(Pass& pass, int wire);
    // Where a wire goes round what is hidden now: the straight way, if nothing stands in it. The
    // drawing is one for all states, and what has gone left a place there.
    const std::optional<QLineF>& straightWay(int wire);
    std::optional<QLineF> findStraightWay(int wire) const;
    bool isAlone(int wire) const;
    QPainterPath pathOf(int wire, const QRectF& exposed);
    QPointF middleOf(int wire);
    void wireLabels(Pass& pass, const std::vector<int>& wires);
    void ties(Pass& pass, int item);
    void rings(Pass& pass, int item);
    void culpritRing(Pass& pass, const QRectF& box, qreal gap);
    void culpritRow(Pass& pass, int item, const QRectF& box);
    void blockedTag(Pass& pass, const QPointF& octagon, qreal side);
    void placeTag(Pass& pass, QPointF left, const QString& label, Token ink);
    void divergenceTag(Pass& pass);
    void candidate(Pass& pass);
    void octagons(Pass& pass, const std::vector<int>& items);
    void prepareDots() const;

    CardPainter m_cards;
    std::function<bool(double)> m_watch;
    std::shared_ptr<const GraphScene> m_scene;
    std::shared_ptr<const SceneIndex> m_index;
    std::unordered_map<int, CardFace> m_faces;
    std::unordered_map<int, std::string> m_labels;
    std::unordered_map<int, std::optional<QLineF>> m_straight;
    mutable std::vector<int> m_leaving, m_reaching; // visible wires of each item
    // Of each item: the category of its card, one past the last for grey; and the node it shows.
    mutable std::vector<std::pair<std::uint8_t, NodeId>> m_dots;
    std::unordered_set<ValueId> m_inputs; // drawn on their own
};

} // namespace fusescope
