#include "ui/graph/card_painter.h"

#include <algorithm>
#include <cmath>

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include "ui/text.h"
#include "ui/theme/icons.h"

namespace fusescope {

namespace {

// A rectangle whose four corners may be round or not.
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

void CardPainter::header(QPainter& painter, const QRectF& box, const CardFace& face,
                         const CardLook& look) const
{
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
    if (!face.body.empty() && y + card::line <= box.bottom() + 1) {
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
    const QRectF stripe(box.left(), box.top(), card::stripe, box.height());
    painter.setBrush(look.ghost ? mix(theme().color(category), theme().color(Token::removedFill), 0.5)
                                : theme().color(category));
    if (category == Category::custom && !look.ghost && look.detail == Detail::full) {
        painter.setBrush(theme().color(Token::card));
        painter.drawPath(rounded(stripe, corner, 0, 0, corner));
        painter.setBrush(QBrush(theme().color(category), Qt::BDiagPattern));
    }
    painter.drawPath(rounded(stripe, corner, 0, 0, corner));

    if (look.detail == Detail::full || look.detail == Detail::medium) {
        if (look.detail == Detail::medium) {
            // Centred, larger, so that it reads from afar.
            const qreal grow = std::min(1.5, 0.85 / std::max(look.scale, 0.4));
            painter.save();
            painter.translate(box.left(), box.center().y() - card::header * grow / 2);
            painter.scale(grow, grow);
            header(painter, QRectF(0, 0, box.width() / grow, card::header), face, look);
            painter.restore();
        } else {
            header(painter, box, face, look);
        }
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
    const Category category = categoryOf(face.content.category);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(look.state == SceneState::added ? Token::addedFill : Token::card));
    painter.drawRoundedRect(box, corner, corner);
    const QRectF head(box.left(), box.top(), box.width(), std::min(strip, box.height()));
    painter.setBrush(theme().tint(category));
    painter.drawPath(rounded(head, corner, corner, 0, 0));
    painter.setBrush(theme().color(category));
    painter.drawPath(rounded(QRectF(box.left(), box.top(), card::stripe, box.height()), corner, 0, 0,
                             corner));
    if (look.detail == Detail::full || look.detail == Detail::medium)
        header(painter, head, face, look);
    outline(painter, box, look, corner);
}

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
    paintIcon(painter, QRectF(box.left() + 8, box.top() + (strip - 13) / 2, 13, 13),
              QStringLiteral("collapse"), theme().color(Token::text2));
    const QString shown = text::oneLine(title.left(200));
    drawText(painter, QRectF(box.left() + 28, box.top(), box.width() - 40, strip), m_fonts.title,
             theme().color(Token::text), shown, Qt::AlignLeft, Qt::ElideMiddle);
    const qreal used = QFontMetricsF(m_fonts.title).horizontalAdvance(shown) + 44;
    drawText(painter, QRectF(box.left() + used, box.top(), box.width() - used - 10, strip),
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
    CardLook line = look;
    if (line.state == SceneState::same && inside.changed + inside.added + inside.removed > 0)
        line.state = SceneState::changed;
    outline(painter, box, line, corner);
    if (look.detail == Detail::dot || look.detail == Detail::small)
        return;
    paintIcon(painter, QRectF(box.left() + 8, box.center().y() - 6.5, 13, 13),
              QStringLiteral("expand"), theme().color(Token::text2));
    qreal right = box.right() - 8;
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

void CardPainter::errorPill(QPainter& painter, const QRectF& box, double error,
                            double tolerance) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF pill(box.right() - 66, box.bottom() - 8, 58, 16);
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
    const qreal width = QFontMetricsF(m_fonts.small).horizontalAdvance(label) + 12;
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
