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
using shapes::lineOfText;
using shapes::rounded;

namespace shapes {

QPainterPath rounded(const QRectF& r, qreal topLeft, qreal topRight, qreal bottomRight,
                     qreal bottomLeft)
{
    QPainterPath path;
    path.moveTo(r.left() + topLeft, r.top());
    path.lineTo(r.right() - topRight, r.top());
    if (topRight > 0)
        path.quadTo(r.topRight(), r.topRight() + QPointF(0, topRight));
    path.lineTo(r.right(), r.bottom() - bottomRight);
    if (bottomRight > 0)
        path.quadTo(r.bottomRight(), r.bottomRight() - QPointF(bottomRight, 0));
    path.lineTo(r.left() + bottomLeft, r.bottom());
    if (bottomLeft > 0)
        path.quadTo(r.bottomLeft(), r.bottomLeft() - QPointF(0, bottomLeft));
    path.lineTo(r.left(), r.top() + topLeft);
    if (topLeft > 0)
        path.quadTo(r.topLeft(), r.topLeft() + QPointF(topLeft, 0));
    path.closeSubpath();
    return path;
}

void drawText(QPainter& painter, const QRectF& box, const QFont& font, const QColor& ink,
              const QString& text, Qt::Alignment align, Qt::TextElideMode elide)
{
    if (text.isEmpty() || box.width() < 6)
        return;
    const QFontMetricsF metrics(font);
    const QString shown = metrics.elidedText(text, elide, box.width() + 0.5);
    painter.setFont(font);
    painter.setPen(ink);
    painter.drawText(box, static_cast<int>(align | Qt::AlignVCenter) | Qt::TextSingleLine, shown);
}

QString lineOfText(const std::string& text)
{
    return text::oneLine(fromUtf8(text.size() > 400 ? text.substr(0, 400) : text));
}

QColor inkOf(const CardLook& look, Token token)
{
    return theme().color(look.ghost ? Token::ghostText : token);
}

} // namespace shapes

namespace {

// The stripe stays visible when the drawing is small.
qreal stripeWidth(const CardLook& look)
{
    return std::max(card::stripe, std::min(2.5 / std::max(look.scale, 0.1), 16.0));
}

qreal heaviness(SceneState state)
{
    switch (state) {
    case SceneState::added:
    case SceneState::changed:
        return 2;
    case SceneState::removed:
        return 1.4;
    default:
        return 1;
    }
}

} // namespace

Detail detailAt(qreal zoom)
{
    if (zoom >= 0.7)
        return Detail::full;
    if (zoom >= 0.4)
        return Detail::medium;
    return zoom >= 0.15 ? Detail::small : Detail::dot;
}

Mark markOf(SceneState state)
{
    switch (state) {
    case SceneState::added:
        return Mark::added;
    case SceneState::removed:
        return Mark::removed;
    case SceneState::changed:
        return Mark::changed;
    default:
        return Mark::none;
    }
}

Token lineOf(SceneState state)
{
    switch (state) {
    case SceneState::added:
        return Token::added;
    case SceneState::removed:
        return Token::removed;
    case SceneState::changed:
        return Token::changed;
    default:
        return Token::cardLine;
    }
}

Category categoryOf(OperatorCategory category)
{
    static_assert(static_cast<int>(Category::custom) == static_cast<int>(OperatorCategory::custom));
    return static_cast<Category>(category);
}

void CardPainter::outline(QPainter& painter, const QRectF& box, const CardLook& look,
                          qreal corner) const
{
    Token token = lineOf(look.state);
    if (look.state == SceneState::same && look.hover)
        token = Token::edge;
    qreal width = theme().lineWidth(look.hover && look.state == SceneState::same
                                        ? 1.6
                                        : heaviness(look.state));
    // Lines stay visible when the drawing is small.
    width = std::max(width, width * 0.7 / std::max(look.scale, 0.05));
    QPen pen(theme().color(token), width);
    if (look.state == SceneState::removed && look.ghost) {
        pen.setDashPattern({5 / width * 1.0, 3 / width * 1.0});
        pen.setCapStyle(Qt::FlatCap);
    }
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box, corner, corner);
}

void CardPainter::header(QPainter& painter, const QRectF& whole, const CardFace& face,
                         const CardLook& look) const
{
    QRectF box = whole;
    if (look.textLeft > box.left())
        box.setLeft(std::min(look.textLeft, std::max(box.left(), box.right() - 160)));
    const CardContent& content = face.content;
    const Category category = categoryOf(content.category);
    const QRectF icon(box.left() + card::iconX, box.top() + (card::header - card::iconSide) / 2,
                      card::iconSide, card::iconSide);
    if (look.detail == Detail::full || look.detail == Detail::medium) {
        const QString name = content.fused ? QStringLiteral("category-fused") : iconName(category);
        paintIcon(painter, icon, name,
                  look.ghost ? theme().color(Token::ghostText) : theme().color(category));
    }
    QFont title = m_fonts.title;
    title.setStrikeOut(look.ghost);
    const qreal right = box.right() - card::right;
    qreal keyWidth = 0;
    const QString key = look.detail == Detail::full ? lineOfText(content.key) : QString();
    if (!key.isEmpty()) {
        const qreal room = right - (box.left() + card::textX);
        const qreal titleWidth = QFontMetricsF(m_fonts.title).horizontalAdvance(lineOfText(content.title));
        keyWidth = std::min(QFontMetricsF(m_fonts.key).horizontalAdvance(key) + 1,
                            std::max(room * 0.3, room - titleWidth - 12));
        drawText(painter, QRectF(right - keyWidth, box.top(), keyWidth, card::header), m_fonts.key,
                 inkOf(look, Token::text2), key, Qt::AlignRight, Qt::ElideMiddle);
        keyWidth += 10;
    }
    drawText(painter,
             QRectF(box.left() + card::textX, box.top(),
                    right - keyWidth - box.left() - card::textX, card::header),
             title, inkOf(look, Token::text), lineOfText(content.title), Qt::AlignLeft,
             Qt::ElideRight);
    if (look.detail == Detail::full && !content.name.empty()) {
        QFont name = m_fonts.name;
        name.setItalic(content.nameless);
        drawText(painter,
                 QRectF(box.left() + card::rowX, box.top() + card::header - 2,
                        box.width() - card::rowX - card::right, card::line),
                 name, inkOf(look, Token::text2), lineOfText(content.name), Qt::AlignLeft,
                 Qt::ElideMiddle);
    }
}

// Centred and larger, so that it reads from afar.
void CardPainter::largeHeader(QPainter& painter, const QRectF& box, const CardFace& face,
                              const CardLook& look) const
{
    const qreal grow = std::min(1.5, 0.85 / std::max(look.scale, 0.4));
    CardLook inner = look;
    inner.textLeft = (look.textLeft - box.left()) / grow;
    painter.save();
    painter.translate(box.left(), box.center().y() - card::header * grow / 2);
    painter.scale(grow, grow);
    header(painter, QRectF(0, 0, box.width() / grow, card::header), face, inner);
    painter.restore();
}

void CardPainter::rows(QPainter& painter, const QRectF& box, qreal top, const CardFace& face,
                       const CardLook& look) const
{
    const qreal room = box.bottom() - top;
    const int fit = std::max(0, static_cast<int>((room + 1) / card::line));
    const int count = static_cast<int>(face.content.rows.size());
    const int shown = std::min(count, fit);
    qreal y = top;
    for (int i = 0; i < shown; ++i, y += card::line) {
        const CardRow& row = face.content.rows[static_cast<std::size_t>(i)];
        const SceneState state = static_cast<std::size_t>(i) < face.rows.size()
                                     ? face.rows[static_cast<std::size_t>(i)]
                                     : SceneState::same;
        const QRectF line(box.left() + card::stripe + 1, y, box.width() - card::stripe - 2, card::line);
        QColor label = inkOf(look, Token::text2);
        QColor value = inkOf(look, Token::text);
        qreal left = box.left() + card::rowX;
        if (state != SceneState::same) {
            const Tone tone = toneOf(markOf(state));
            painter.fillRect(line.adjusted(0, 0.5, 0, 0.5), theme().fill(tone));
            label = value = theme().ink(tone);
            paintGlyph(painter, QRectF(left - 1, y + 3.5, 10, 10), markOf(state), label);
            left += 13;
        }
        QFont labelFont = m_fonts.rows;
        labelFont.setBold(state != SceneState::same);
        const QString labelText = lineOfText(row.label);
        const qreal labelWidth =
            std::min(QFontMetricsF(labelFont).horizontalAdvance(labelText) + 1, box.width() * 0.55);
        drawText(painter, QRectF(left, y, labelWidth, card::line), labelFont, label, labelText,
                 Qt::AlignLeft, Qt::ElideRight);
        const qreal from = left + labelWidth + 8;
        drawText(painter, QRectF(from, y, box.right() - card::right - from, card::line), m_fonts.rows,
                 value, lineOfText(row.text), Qt::AlignRight, Qt::ElideMiddle);
    }
    const int rest = count - shown + face.content.moreRows;
    if (rest > 0 && shown < fit) {
        const QString more = QCoreApplication::translate("GraphCanvas", "+%1 more").arg(rest);
        drawText(painter, QRectF(box.left() + card::rowX, y, box.width() - 20, card::line),
                 m_fonts.small, inkOf(look, Token::text2), more, Qt::AlignLeft, Qt::ElideRight);
        y += card::line;
    }
    // The body: an operator a line where the region's box has room, else all in one.
    const auto members = static_cast<qreal>(face.members.size());
    if (members > 0 && y + card::line * members + 4 <= box.bottom()) {
        for (const CardFace::Member& member : face.members) {
            const Category category = categoryOf(member.category);
            paintIcon(painter, QRectF(box.left() + card::rowX, y + 3, 11, 11), iconName(category),
                      look.ghost ? theme().color(Token::ghostText) : theme().color(category));
            const QString type = lineOfText(member.type);
            const qreal left = box.left() + card::rowX + 18;
            const qreal wide = std::min(QFontMetricsF(m_fonts.rows).horizontalAdvance(type) + 1,
                                        box.width() * 0.5);
            drawText(painter, QRectF(left, y, wide, card::line), m_fonts.rows,
                     inkOf(look, Token::text), type, Qt::AlignLeft, Qt::ElideRight);
            drawText(painter,
                     QRectF(left + wide + 8, y, box.right() - card::right - left - wide - 8, card::line),
                     m_fonts.rows, inkOf(look, Token::text2), lineOfText(member.name), Qt::AlignRight,
                     Qt::ElideMiddle);
            y += card::line;
        }
    } else if (!face.body.empty() && y + card::line <= box.bottom() + 1) {
        const QString body =
            QCoreApplication::translate("GraphCanvas", "body: %1").arg(lineOfText(face.body));
        drawText(painter, QRectF(box.left() + card::rowX, y, box.width() - 20, card::line),
                 m_fonts.rows, inkOf(look, Token::text2), body, Qt::AlignLeft, Qt::ElideRight);
    }
}

void CardPainter::card(QPainter& painter, const QRectF& box, const CardFace& face,
                       const CardLook& look) const
{
    const CardContent& content = face.content;
    const Category category = categoryOf(content.category);
    const qreal corner = radius::card;
    const qreal headHeight =
        std::min(box.height(), card::header + (content.name.empty() ? 0 : card::line));
    const bool plainHeader = box.height() - headHeight < 2 || look.detail != Detail::full;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (look.ghost) {
        painter.setBrush(theme().highContrast() ? theme().color(Token::card)
                                                : theme().color(Token::removedFill));
        painter.drawRoundedRect(box, corner, corner);
        if (look.detail != Detail::small) {
            painter.setBrush(theme().hatch(theme().color(Token::removed),
                                           painter.device()->devicePixelRatioF()));
            painter.drawRoundedRect(box, corner, corner);
        }
    } else {
        const QColor tint = theme().tint(category);
        QColor lower = theme().color(Token::card);
        if (look.state == SceneState::added && content.fused)
            lower = theme().color(Token::addedFill);
        painter.setBrush(plainHeader ? tint : lower);
        painter.drawRoundedRect(box, corner, corner);
        if (!plainHeader) {
            painter.setBrush(tint);
            painter.drawPath(rounded(QRectF(box.left(), box.top(), box.width(), headHeight), corner,
                                     corner, 0, 0));
        }
    }
    const QRectF stripe(box.left(), box.top(), stripeWidth(look), box.height());
    painter.setBrush(look.ghost ? mix(theme().color(category), theme().color(Token::removedFill), 0.5)
                                : theme().color(category));
    if (category == Category::custom && !look.ghost && look.detail == Detail::full) {
        painter.setBrush(theme().color(Token::card));
        painter.drawPath(rounded(stripe, corner, 0, 0, corner));
        painter.setBrush(QBrush(theme().color(category), Qt::BDiagPattern));
    }
    painter.drawPath(rounded(stripe, corner, 0, 0, corner));

    if (look.detail == Detail::full || look.detail == Detail::medium) {
        if (look.detail == Detail::medium)
            largeHeader(painter, box, face, look);
        else
            header(painter, box, face, look);
    }
    if (look.detail == Detail::full && !look.compact && (!content.rows.empty() || content.fused))
        rows(painter, box, box.top() + headHeight + (content.fused && content.rows.empty() ? 2 : 1),
             face, look);
    outline(painter, box, look, corner);
}

void CardPainter::region(QPainter& painter, const QRectF& box, qreal strip, const CardFace& face,
                         const CardLook& look) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal corner = radius::region;
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(look.state == SceneState::added ? Token::addedFill : Token::card));
    painter.drawRoundedRect(box, corner, corner);
    CardPainter::strip(painter, box, strip, face, look);
}

void CardPainter::strip(QPainter& painter, const QRectF& box, qreal height, const CardFace& face,
                        const CardLook& look) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal corner = radius::region;
    const Category category = categoryOf(face.content.category);
    const QRectF head(box.left(), box.top(), box.width(), std::min(height, box.height()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().tint(category));
    painter.drawPath(rounded(head, corner, corner, 0, 0));
    painter.setBrush(theme().color(category));
    painter.drawPath(rounded(QRectF(box.left(), box.top(), stripeWidth(look), box.height()), corner, 0,
                             0, corner));
    if (look.detail == Detail::full)
        header(painter, head, face, look);
    else if (look.detail == Detail::medium)
        largeHeader(painter, head, face, look);
    outline(painter, box, look, corner);
}

} // namespace fusescope
