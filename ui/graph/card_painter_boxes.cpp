#include "ui/graph/card_painter.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include "ui/graph/card_shapes.h"
#include "ui/text.h"
#include "ui/theme/icons.h"

namespace fusescope {

using shapes::drawText;
using shapes::inkOf;
using shapes::rounded;

void CardPainter::frame(QPainter& painter, const QRectF& box, qreal strip, const QString& title,
                        const QString& count, const CardLook& look, bool dotted) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal corner = radius::region;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(Token::base));
    painter.drawRoundedRect(box, corner, corner);
    painter.setBrush(theme().color(Token::head));
    painter.drawPath(rounded(QRectF(box.left(), box.top(), box.width(), strip), corner, corner, 0, 0));
    QPen pen(theme().color(look.state == SceneState::same ? Token::edge : lineOf(look.state)),
             theme().lineWidth(1.3));
    if (dotted)
        pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, corner, corner);
    painter.setPen(QPen(theme().color(Token::border), 1));
    painter.drawLine(QPointF(box.left(), box.top() + strip), QPointF(box.right(), box.top() + strip));
    if (look.detail == Detail::dot || look.detail == Detail::small)
        return;
    const qreal left =
        std::clamp(look.textLeft, box.left(), std::max(box.left(), box.right() - 160));
    paintIcon(painter, QRectF(left + 8, box.top() + (strip - 13) / 2, 13, 13),
              QStringLiteral("collapse"), theme().color(Token::text2));
    const QString shown = text::oneLine(title.left(200));
    drawText(painter, QRectF(left + 28, box.top(), (box.right() - left) - 40, strip), m_fonts.title,
             theme().color(Token::text), shown, Qt::AlignLeft, Qt::ElideMiddle);
    const qreal used = QFontMetricsF(m_fonts.title).horizontalAdvance(shown) + 44;
    drawText(painter, QRectF(left + used, box.top(), (box.right() - left) - used - 10, strip),
             m_fonts.name, theme().color(Token::text2), count, Qt::AlignLeft, Qt::ElideRight);
}

void CardPainter::block(QPainter& painter, const QRectF& box, const QString& title,
                        const QString& count, const CardLook& look, const SceneCounts& inside) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor fill = mix(theme().color(Token::card), theme().color(Token::text), 0.04);
    const qreal corner = radius::card;
    painter.setBrush(fill);
    painter.setPen(QPen(theme().color(Token::cardLine), 1));
    painter.drawRoundedRect(box.translated(3, 3), corner, corner);
    painter.setPen(Qt::NoPen);
    painter.drawRoundedRect(box, corner, corner);
    outline(painter, box, look, corner);
    if (look.detail == Detail::dot || look.detail == Detail::small)
        return;
    paintIcon(painter, QRectF(box.left() + 8, box.center().y() - 6.5, 13, 13),
              QStringLiteral("expand"), theme().color(Token::text2));
    qreal right = box.right() - 16; // an octagon may sit on the edge
    const struct
    {
        int count;
        Tone tone;
        const char* sign;
    } chips[] = {{inside.changed, Tone::changed, "~"},
                 {inside.removed, Tone::removed, "\u2212"},
                 {inside.added, Tone::added, "+"}};
    for (const auto& chip : chips) {
        if (chip.count == 0)
            continue;
        const QString label = QString::fromUtf8(chip.sign) + QString::number(chip.count);
        const qreal width = QFontMetricsF(m_fonts.key).horizontalAdvance(label) + 2;
        drawText(painter, QRectF(right - width, box.top(), width, box.height()), m_fonts.key,
                 theme().ink(chip.tone), label, Qt::AlignRight, Qt::ElideRight);
        right -= width + 6;
    }
    const QString shown = text::oneLine(title.left(200));
    const qreal left = box.left() + 28;
    drawText(painter, QRectF(left, box.top(), right - left, box.height()), m_fonts.title,
             theme().color(Token::text), shown, Qt::AlignLeft, Qt::ElideMiddle);
    const qreal used = left + QFontMetricsF(m_fonts.title).horizontalAdvance(shown) + 8;
    drawText(painter, QRectF(used, box.top(), right - used, box.height()), m_fonts.name,
             theme().color(Token::text2), count, Qt::AlignLeft, Qt::ElideRight);
}

void CardPainter::folded(QPainter& painter, const QRectF& box, const QString& label,
                         const CardLook& look) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal corner = radius::pill;
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(theme().color(Token::canvas), theme().color(Token::text), 0.05));
    painter.drawRoundedRect(box, corner, corner);
    if (look.ghost) {
        painter.setBrush(theme().hatch(theme().color(Token::removed),
                                       painter.device()->devicePixelRatioF()));
        painter.drawRoundedRect(box, corner, corner);
    }
    outline(painter, box, look, corner);
    if (look.detail == Detail::dot || look.detail == Detail::small)
        return;
    paintIcon(painter, QRectF(box.left() + 8, box.center().y() - 6, 12, 12), QStringLiteral("expand"),
              inkOf(look, Token::text2));
    drawText(painter, QRectF(box.left() + 26, box.top(), box.width() - 34, box.height()),
             theme().font(TextScale::small), inkOf(look, Token::text2), label, Qt::AlignLeft,
             Qt::ElideRight);
}

void CardPainter::port(QPainter& painter, const QRectF& box, const QString& name,
                       const QString& type, const CardLook& look, bool output) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal corner = box.height() / 2;
    painter.setPen(QPen(theme().color(look.hover ? Token::text2 : Token::edge),
                        theme().lineWidth(output ? 1.6 : 1)));
    painter.setBrush(theme().color(Token::head));
    painter.drawRoundedRect(box, corner, corner);
    if (look.detail == Detail::dot || look.detail == Detail::small)
        return;
    const qreal left = box.left() + 12;
    const qreal right = box.right() - 12;
    const QString shown = text::oneLine(name.left(200));
    const qreal typeWidth =
        look.detail == Detail::full
            ? std::min(QFontMetricsF(m_fonts.key).horizontalAdvance(type) + 1, (right - left) * 0.6)
            : 0;
    drawText(painter, QRectF(left, box.top(), right - left - typeWidth - 8, box.height()),
             m_fonts.title, theme().color(Token::text), shown, Qt::AlignLeft, Qt::ElideMiddle);
    if (typeWidth > 0)
        drawText(painter, QRectF(right - typeWidth, box.top(), typeWidth, box.height()), m_fonts.key,
                 theme().color(Token::text2), type, Qt::AlignRight, Qt::ElideMiddle);
}

void CardPainter::pill(QPainter& painter, const QRectF& box, const QString& name,
                       const CardLook& look, bool lit) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal corner = box.height() / 2;
    painter.setPen(QPen(theme().color(lit ? Token::accent : Token::edge),
                        theme().lineWidth(lit ? 2 : 1.3)));
    painter.setBrush(theme().color(lit ? Token::accentFill : Token::card));
    painter.drawRoundedRect(box, corner, corner);
    if (look.detail == Detail::dot || look.detail == Detail::small)
        return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(lit ? Token::accent : Token::edge));
    painter.drawEllipse(QPointF(box.left() + 10, box.center().y()), 2.5, 2.5);
    drawText(painter, QRectF(box.left() + 17, box.top(), box.width() - 23, box.height()),
             m_fonts.small, theme().color(lit ? Token::link : Token::text2),
             text::oneLine(name.left(80)), Qt::AlignLeft, Qt::ElideMiddle);
}

void CardPainter::ring(QPainter& painter, const QRectF& box, Token token, qreal gap,
                       bool dashed) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal width = theme().lineWidth(2.5);
    QPen pen(theme().color(token), width);
    if (dashed)
        pen.setDashPattern({3, 2});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const qreal out = gap + width / 2;
    painter.drawRoundedRect(box.adjusted(-out, -out, out, out), radius::card + gap,
                            radius::card + gap);
}

void CardPainter::hitRing(QPainter& painter, const QRectF& box, bool current) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme().color(Token::hit));
    painter.setPen(QPen(theme().color(Token::text), current ? 2 : 1));
    painter.drawRoundedRect(box.adjusted(-5, -5, 5, 5), radius::card + 4, radius::card + 4);
}

void CardPainter::badge(QPainter& painter, const QRectF& box, SceneState state, qreal scale) const
{
    if (markOf(state) == Mark::none)
        return;
    const qreal side = badgeSide * std::max(1.0, 0.62 / std::max(scale, 0.1));
    paintBadge(painter, QRectF(box.left() - side / 2, box.top() - side / 2, side, side),
               markOf(state));
}

QRectF CardPainter::errorPillRect(const QRectF& box, bool compact)
{
    const QSizeF size(58, 16);
    if (compact)
        return {QPointF(box.right() + 8, box.center().y() - size.height() / 2), size};
    return {QPointF(box.right() - size.width() - 8, box.bottom() - card::foot), size};
}

void CardPainter::errorPill(QPainter& painter, const QRectF& pill, double error,
                            double tolerance) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const bool finite = std::isfinite(error);
    const int level = Theme::heatLevel(error, tolerance);
    painter.setPen(QPen(theme().color(Token::card), 1));
    painter.setBrush(finite ? theme().heat(level) : theme().color(Token::removed));
    painter.drawRoundedRect(pill, 8, 8);
    QFont font = m_fonts.key;
    font.setBold(true);
    drawText(painter, pill, font, finite ? theme().heatText(level) : theme().color(Token::glyph),
             text::scientific(error), Qt::AlignHCenter, Qt::ElideRight);
}

QRectF CardPainter::tagRect(const QPointF& left, const QString& label) const
{
    QFont font = m_fonts.small;
    font.setBold(true);
    const qreal width = std::ceil(QFontMetricsF(font).horizontalAdvance(label)) + 12;
    return QRectF(left.x(), left.y() - 8, width, 16);
}

void CardPainter::tag(QPainter& painter, const QPointF& left, const QString& label, Token fill) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = tagRect(left, label);
    painter.setPen(QPen(theme().color(Token::canvas), 1));
    painter.setBrush(theme().color(fill));
    painter.drawRoundedRect(box, radius::tag, radius::tag);
    QFont font = m_fonts.small;
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(theme().color(Token::glyph));
    painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, label);
}

} // namespace fusescope
