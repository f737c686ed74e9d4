#pragma once

#include "ui/graph/card_metrics.h"
#include "ui/graph/graph_scene.h"
#include "ui/theme/badges.h"

#include <QRectF>

class QPainter;

namespace fusescope {

enum class Detail {
    full,   // from 70 %
    medium, // from 40 %: the operator alone
    small,  // from 15 %: bars with badges
    dot
};
Detail detailAt(qreal zoom);

// How a card looks beside what it says.
struct CardLook
{
    SceneState state = SceneState::same;
    bool ghost = false;   // hatched, struck out
    bool compact = false;
    bool hover = false;
    Detail detail = Detail::full;
    qreal textLeft = -1e9; // titles of frames that reach beyond the view begin here
    qreal scale = 1;      // device pixels to one of the drawing, without the device's ratio
};

// Paints cards and the other boxes in the colours of the theme; owns what repeats from card to card.
class CardPainter
{
public:
    explicit CardPainter(const CardFonts& fonts) : m_fonts(fonts) {}

    void card(QPainter& painter, const QRectF& box, const CardFace& face, const CardLook& look) const;
    // A region around the cards that it replaces.
    void region(QPainter& painter, const QRectF& box, qreal strip, const CardFace& face,
                const CardLook& look) const;
    // Its title alone, above lines that cross it.
    void strip(QPainter& painter, const QRectF& box, qreal height, const CardFace& face,
               const CardLook& look) const;
    // A frame with a title strip: an opened block, a body, a node with opened bodies.
    void frame(QPainter& painter, const QRectF& box, qreal strip, const QString& title,
               const QString& count, const CardLook& look, bool dotted) const;
    void block(QPainter& painter, const QRectF& box, const QString& title, const QString& count,
               const CardLook& look, const SceneCounts& inside) const;
    void folded(QPainter& painter, const QRectF& box, const QString& text, const CardLook& look) const;
    void port(QPainter& painter, const QRectF& box, const QString& name, const QString& type,
              const CardLook& look, bool output) const;
    void pill(QPainter& painter, const QRectF& box, const QString& name, const CardLook& look,
              bool lit) const;

    void ring(QPainter& painter, const QRectF& box, Token token, qreal gap, bool dashed) const;
    void hitRing(QPainter& painter, const QRectF& box, bool current) const;
    void badge(QPainter& painter, const QRectF& box, SceneState state, qreal scale) const;
    // On the lower border, beside a card of one line; it covers no text of the card.
    static QRectF errorPillRect(const QRectF& box, bool compact);
    void errorPill(QPainter& painter, const QRectF& pill, double error, double tolerance) const;
    void tag(QPainter& painter, const QPointF& left, const QString& text, Token fill) const;
    QRectF tagRect(const QPointF& left, const QString& text) const;

    const CardFonts& fonts() const { return m_fonts; }

private:
    void header(QPainter& painter, const QRectF& box, const CardFace& face, const CardLook& look) const;
    void largeHeader(QPainter& painter, const QRectF& box, const CardFace& face,
                     const CardLook& look) const;
    void rows(QPainter& painter, const QRectF& box, qreal top, const CardFace& face,
              const CardLook& look) const;
    void outline(QPainter& painter, const QRectF& box, const CardLook& look, qreal corner) const;

    CardFonts m_fonts;
};

Mark markOf(SceneState state);
Token lineOf(SceneState state);
Category categoryOf(OperatorCategory category);

} // namespace fusescope
