#pragma once

#include <QPixmap>
#include <QRectF>

#include <vector>

class QPainter;

namespace fusescope {

// Cards on their way from where one drawing has them to where another has them, in the view's
// coordinates; what comes and what goes fades. Two pictures and the rectangles of what both have are
// all that it needs, so a frame costs some copies.
class SceneSlide
{
public:
    struct Card
    {
        QRectF from, to;
        bool inFrame = false; // on a ground other than the canvas
    };

    SceneSlide() = default;
    SceneSlide(QPixmap before, QPixmap after, std::vector<Card> cards, const QRectF& view);

    bool isEmpty() const { return m_after.isNull(); }
    // `progress` from 0 to 1.
    void paint(QPainter& painter, qreal progress) const;

private:
    QPixmap without(const QPixmap& picture, QRectF Card::*place) const;

    QPixmap m_before, m_after;
    QPixmap m_beforeGround, m_afterGround; // without what slides
    std::vector<Card> m_cards;
    QRectF m_view;
};

} // namespace fusescope
