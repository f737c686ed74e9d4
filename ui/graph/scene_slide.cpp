#include "ui/graph/scene_slide.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace fusescope {

namespace {

constexpr qreal around = 9; // badges and rings stand out that far

} // namespace

SceneSlide::SceneSlide(QPixmap before, QPixmap after, std::vector<Card> cards, const QRectF& view)
    : m_before(std::move(before)), m_after(std::move(after)), m_view(view)
{
    for (Card card : cards) {
        card.from.adjust(-around, -around, around, around);
        card.to.adjust(-around, -around, around, around);
        if (card.from.intersects(view) || card.to.intersects(view))
            m_cards.push_back(card);
    }
    m_beforeGround = without(m_before, &Card::from);
    m_afterGround = without(m_after, &Card::to);
}

QPixmap SceneSlide::without(const QPixmap& picture, QRectF Card::*place) const
{
    QPixmap ground = picture;
    QPainter painter(&ground);
    for (const Card& card : m_cards) {
        if (!card.inFrame)
            painter.fillRect(card.*place, theme().color(Token::canvas));
    }
    return ground;
}

void SceneSlide::paint(QPainter& painter, qreal progress) const
{
    painter.drawPixmap(0, 0, m_beforeGround);
    painter.setOpacity(progress);
    painter.drawPixmap(0, 0, m_afterGround);
    painter.setOpacity(1);
    for (const Card& card : m_cards) {
        // As it will be; what leaves the view, as it was.
        const bool stays = m_view.contains(card.to) || !m_view.contains(card.from);
        const QPixmap& picture = stays ? m_after : m_before;
        const QRectF& source = stays ? card.to : card.from;
        const QPointF at = card.from.topLeft() + (card.to.topLeft() - card.from.topLeft()) * progress;
        const qreal scale = picture.devicePixelRatio();
        painter.drawPixmap(QRectF(at, source.size()), picture,
                           QRectF(source.topLeft() * scale, source.size() * scale));
    }
}

} // namespace fusescope
