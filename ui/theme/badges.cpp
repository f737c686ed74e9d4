#include "ui/theme/badges.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include "ui/theme/icons.h"

namespace fusescope {

namespace {

QPolygonF octagon(const QPointF& centre, qreal side)
{
    const qreal outer = side / 2;
    const qreal inner = outer * std::tan(std::numbers::pi / 8);
    return QPolygonF({QPointF(-inner, -outer), QPointF(inner, -outer), QPointF(outer, -inner),
                      QPointF(outer, inner), QPointF(inner, outer), QPointF(-inner, outer),
                      QPointF(-outer, inner), QPointF(-outer, -inner)})
        .translated(centre);
}

// Strokes + − ~ with a pen of a seventh of the box.
void strokeSign(QPainter& painter, const QRectF& box, Mark mark, const QColor& ink)
{
    const qreal side = std::min(box.width(), box.height());
    const QPointF c = box.center();
    const qreal reach = side * 0.27;
    painter.setPen(
        QPen(ink, std::max<qreal>(1, side * 0.13), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    if (mark == Mark::changed) {
        QPainterPath wave(c + QPointF(-reach * 1.15, reach * 0.35));
        wave.cubicTo(c + QPointF(-reach * 0.8, -reach * 1.1),
                     c + QPointF(-reach * 0.1, -reach * 0.7), c);
        wave.cubicTo(c + QPointF(reach * 0.1, reach * 0.7), c + QPointF(reach * 0.8, reach * 1.1),
                     c + QPointF(reach * 1.15, -reach * 0.35));
        painter.drawPath(wave);
        return;
    }
    painter.drawLine(c - QPointF(reach, 0), c + QPointF(reach, 0));
    if (mark == Mark::added)
        painter.drawLine(c - QPointF(0, reach), c + QPointF(0, reach));
}

bool isSign(Mark mark)
{
    return mark == Mark::added || mark == Mark::removed || mark == Mark::changed;
}

QString iconOf(Mark mark)
{
    switch (mark) {
    case Mark::tick:
        return QStringLiteral("tick");
    case Mark::cross:
    case Mark::failedCondition:
        return QStringLiteral("cross");
    case Mark::current:
        return QStringLiteral("current");
    case Mark::coming:
        return QStringLiteral("coming");
    case Mark::profit:
        return QStringLiteral("profit");
    case Mark::policy:
        return QStringLiteral("policy");
    case Mark::warning:
        return QStringLiteral("warning");
    case Mark::info:
        return QStringLiteral("info");
    case Mark::skipped:
        return QStringLiteral("skip");
    case Mark::predicted:
        return QStringLiteral("why");
    default:
        return {};
    }
}

QColor ownInk(Mark mark)
{
    switch (mark) {
    case Mark::tick:
        return theme().color(Token::added);
    case Mark::cross:
        return theme().color(Token::removed);
    case Mark::failedCondition:
    case Mark::blocked:
        return theme().color(Token::blocked);
    case Mark::current:
    case Mark::info:
        return theme().color(Token::accent);
    case Mark::warning:
        return theme().color(Token::changed);
    default:
        return theme().color(Token::text2);
    }
}

} // namespace

Tone toneOf(Mark mark)
{
    switch (mark) {
    case Mark::added:
    case Mark::tick:
        return Tone::added;
    case Mark::removed:
    case Mark::cross:
        return Tone::removed;
    case Mark::changed:
    case Mark::warning:
        return Tone::changed;
    case Mark::blocked:
    case Mark::failedCondition:
        return Tone::blocked;
    case Mark::current:
    case Mark::info:
        return Tone::accent;
    default:
        return Tone::neutral;
    }
}

void paintBadge(QPainter& painter, const QRectF& box, Mark mark)
{
    if (!isSign(mark))
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().line(toneOf(mark)));
    const qreal corner = box.width() * 0.2;
    painter.drawRoundedRect(box, corner, corner);
    strokeSign(painter, box, mark, theme().color(Token::glyph));
    painter.restore();
}

void paintOctagon(QPainter& painter, const QPointF& centre, qreal side, const QColor& fill,
                  const QColor& bar)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(octagon(centre, side));
    const QSizeF size(side * 0.6, std::max<qreal>(1.4, side * 0.18));
    painter.setBrush(bar);
    painter.drawRect(QRectF(centre - QPointF(size.width() / 2, size.height() / 2), size));
    painter.restore();
}

void paintOctagon(QPainter& painter, const QPointF& centre, qreal side, bool halo)
{
    if (halo) {
        const QColor ground = theme().color(Token::canvas);
        paintOctagon(painter, centre, side + 3, ground, ground);
    }
    paintOctagon(painter, centre, side, theme().color(Token::blocked), theme().color(Token::glyph));
}

void paintGlyph(QPainter& painter, const QRectF& box, Mark mark, const QColor& ink)
{
    if (mark == Mark::blocked) {
        // On the selection of high contrast the ink is the surface's opposite.
        const bool inverse = ink.isValid() && ink == theme().color(Token::onAccentFill);
        paintOctagon(painter, box.center(), std::min(box.width(), box.height()) * 0.86,
                     inverse ? ink : theme().color(Token::blocked),
                     inverse ? theme().color(Token::accentFill) : theme().color(Token::glyph));
    } else if (isSign(mark)) {
        painter.save();
        painter.setRenderHint(QPainter::Antialiasing);
        strokeSign(painter, box, mark, ink);
        painter.restore();
    } else if (mark != Mark::none) {
        paintIcon(painter, box, iconOf(mark), ink);
    }
}

void paintMark(QPainter& painter, const QRectF& box, Mark mark, const QColor& ink)
{
    if (isSign(mark)) {
        const qreal side = std::min(box.width(), box.height()) * 0.86;
        QRectF square(0, 0, side, side);
        square.moveCenter(box.center());
        paintBadge(painter, square, mark);
        return;
    }
    paintGlyph(painter, box, mark, ink.isValid() ? ink : ownInk(mark));
}

QSizeF pillSize(const Pill& pill, const QFont& font)
{
    const QFontMetricsF metrics(font);
    const qreal height = std::max<qreal>(16, metrics.height() + 1);
    qreal width = 2 * 6 + metrics.horizontalAdvance(pill.text);
    if (pill.mark != Mark::none)
        width += 10 + (pill.text.isEmpty() ? 0 : 3);
    return {std::max(width, height), height};
}

QRectF paintPill(QPainter& painter, const QRectF& box, const Pill& pill, const QFont& font)
{
    const QSizeF size = pillSize(pill, font);
    QRectF area(QPointF(box.left(), box.center().y() - size.height() / 2), size);
    area.setWidth(std::min(area.width(), box.width()));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor fill = pill.solid ? theme().line(pill.tone) : theme().fill(pill.tone);
    const QColor ink = pill.solid ? theme().color(Token::glyph) : theme().ink(pill.tone);
    painter.setBrush(fill);
    painter.setPen(theme().highContrast() ? QPen(theme().line(pill.tone), 1) : QPen(Qt::NoPen));
    painter.drawRoundedRect(area, radius::pill, radius::pill);
    QRectF inner = area.adjusted(6, 0, -6, 0);
    if (pill.mark != Mark::none) {
        const QRectF glyph(inner.left() - (pill.text.isEmpty() ? 0 : 1), area.center().y() - 5, 10,
                           10);
        paintGlyph(painter, glyph, pill.mark, ink);
        inner.setLeft(glyph.right() + 3);
    }
    painter.setFont(font);
    painter.setPen(ink);
    const Qt::Alignment align = pill.mark == Mark::none ? Qt::AlignCenter : Qt::AlignLeft;
    painter.drawText(inner, static_cast<int>(align | Qt::AlignVCenter) | Qt::TextSingleLine,
                     QFontMetricsF(font).elidedText(pill.text, Qt::ElideRight, inner.width() + 1));
    painter.restore();
    return area;
}

double logFraction(double value, double least, double most)
{
    if (std::isnan(value))
        return 1;
    const double size = std::abs(value);
    if (size <= least)
        return 0;
    if (size >= most)
        return 1;
    return std::log(size / least) / std::log(most / least);
}

void paintBar(QPainter& painter, const QRectF& track, double fraction, const QColor& color)
{
    if (!(fraction > 0))
        return;
    QRectF bar = track;
    bar.setWidth(std::max<qreal>(1, track.width() * std::min(fraction, 1.0)));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    const qreal corner = std::min<qreal>(1.5, bar.width() / 2);
    painter.drawRoundedRect(bar, corner, corner);
    painter.restore();
}

void paintCompareBars(QPainter& painter, const QRectF& track, double before, double after,
                      double most)
{
    if (!(most > 0))
        return;
    constexpr qreal thick = 5;
    const qreal middle = track.center().y();
    paintBar(painter, QRectF(track.left(), middle - thick - 0.5, track.width(), thick),
             before / most, theme().color(Token::cardLine));
    paintBar(painter, QRectF(track.left(), middle + 0.5, track.width(), thick), after / most,
             theme().color(Token::accent));
}

void paintFocus(QPainter& painter, const QRectF& rect, bool onAccent)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().color(onAccent ? Token::onAccent : Token::accent), 2));
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius::tag, radius::tag);
    painter.restore();
}

QString markName(Mark mark)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("Mark", text); };
    switch (mark) {
    case Mark::added:
        return tr(QT_TRANSLATE_NOOP("Mark", "added"));
    case Mark::removed:
        return tr(QT_TRANSLATE_NOOP("Mark", "removed"));
    case Mark::changed:
        return tr(QT_TRANSLATE_NOOP("Mark", "changed"));
    case Mark::blocked:
        return tr(QT_TRANSLATE_NOOP("Mark", "blocked"));
    case Mark::tick:
        return tr(QT_TRANSLATE_NOOP("Mark", "passed"));
    case Mark::cross:
    case Mark::failedCondition:
        return tr(QT_TRANSLATE_NOOP("Mark", "failed"));
    case Mark::current:
        return tr(QT_TRANSLATE_NOOP("Mark", "current"));
    case Mark::coming:
        return tr(QT_TRANSLATE_NOOP("Mark", "coming"));
    case Mark::profit:
        return tr(QT_TRANSLATE_NOOP("Mark", "not worthwhile"));
    case Mark::policy:
        return tr(QT_TRANSLATE_NOOP("Mark", "held back by a setting"));
    case Mark::warning:
        return tr(QT_TRANSLATE_NOOP("Mark", "warning"));
    case Mark::info:
        return tr(QT_TRANSLATE_NOOP("Mark", "note"));
    case Mark::skipped:
        return tr(QT_TRANSLATE_NOOP("Mark", "skipped"));
    case Mark::predicted:
        return tr(QT_TRANSLATE_NOOP("Mark", "hidden"));
    case Mark::none:
        break;
    }
    return {};
}

} // namespace fusescope
