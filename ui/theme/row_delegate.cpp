#include "ui/theme/row_delegate.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "ui/text.h"
#include "ui/theme/icons.h"

namespace fusescope {

namespace {

constexpr qreal glyphSide = 14;

QFont textFont(const QModelIndex& index)
{
    const bool bold = index.data(EmphasisRole).toBool() || index.data(CurrentRole).toBool();
    QFont font = index.data(MonoRole).toBool() ? theme().monoFont(TextScale::small, bold)
                                               : theme().font(TextScale::normal, bold);
    font.setStrikeOut(index.data(StrikeRole).toBool());
    return font;
}

QFont pillFont()
{
    return theme().font(TextScale::badge, true);
}

qreal widthOf(const QList<Pill>& pills)
{
    qreal width = 0;
    for (const Pill& pill : pills)
        width += pillSize(pill, pillFont()).width() + (width > 0 ? space::glyph : 0);
    return width;
}

QList<Pill> pillsOf(const QModelIndex& index, RowRole role)
{
    return index.data(role).value<QList<Pill>>();
}

void paintPills(QPainter& painter, QRectF box, const QList<Pill>& pills)
{
    for (const Pill& pill : pills) {
        const QRectF covered = paintPill(painter, box, pill, pillFont());
        box.setLeft(covered.right() + space::glyph);
    }
}

bool hasIcon(const QModelIndex& index)
{
    return index.data(IconRole).isValid() || index.data(CategoryRole).isValid();
}

QRectF square(qreal left, const QRectF& row, qreal side)
{
    return {left, row.center().y() - side / 2, side, side};
}

QColor categoryColor(const QModelIndex& index)
{
    return theme().color(index.data(CategoryRole).value<Category>());
}

} // namespace

RowDelegate::RowDelegate(Row height, QAbstractItemView* view)
    : QStyledItemDelegate(view), m_height(height), m_view(view)
{
    view->setMouseTracking(true);
}

void RowDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->text = text::oneLine(option->text);
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    QStyleOptionViewItem whole = option;
    whole.rect = QRect(0, 0, 1000000, static_cast<int>(m_height));
    const Places at = places(whole, index);
    const QString words = text::oneLine(index.data().toString());
    qreal width = at.text.left() + 2 * space::cell;
    width += QFontMetricsF(textFont(index)).horizontalAdvance(words.left(200));
    for (const QRectF& part : {at.second, at.chips, at.count, at.pills, at.button})
        width += part.width() > 0 ? part.width() + space::control : 0;
    return {static_cast<int>(std::min(width, 4000.0)),
            rowHeight(m_height, QFontMetrics(theme().font()))};
}

RowDelegate::Places RowDelegate::places(const QStyleOptionViewItem& option,
                                        const QModelIndex& index) const
{
    Places at;
    const QRectF row = option.rect;
    const bool tree = m_height == Row::tree;
    qreal left = row.left() + (tree ? 2 : space::cell);
    qreal right = row.right() - (tree ? space::control : space::cell);

    if (const QVariant number = index.data(NumberRole); number.isValid()) {
        const qreal width = QFontMetricsF(theme().monoFont()).horizontalAdvance(u'0') * 4;
        at.number = QRectF(left, row.top(), width, row.height());
        left += width + space::control;
    }
    if (index.data(MarkRole).isValid()) {
        at.mark = square(left, row, glyphSide);
        left += glyphSide + space::control;
    }
    if (hasIcon(index)) {
        at.icon = square(left, row, glyphSide);
        left += glyphSide + space::control;
    }
    if (const QString button = index.data(ButtonRole).toString(); !button.isEmpty()) {
        const QFontMetricsF metrics(theme().font(TextScale::small, true));
        const qreal wanted = metrics.horizontalAdvance(button) + glyphSide + 22;
        at.button = QRectF(left, row.top() + 2, std::min(wanted, right - left), row.height() - 4);
        left = at.button.right() + space::control;
    }
    if (const QList<Pill> pills = pillsOf(index, PillsRole); !pills.isEmpty()) {
        const qreal width = widthOf(pills);
        at.pills = QRectF(right - width, row.top(), width, row.height());
        right -= width + space::control;
    }
    if (const QString count = index.data(CountRole).toString(); !count.isEmpty()) {
        const qreal width = QFontMetricsF(theme().monoFont()).horizontalAdvance(count) + 1;
        at.count = QRectF(right - width, row.top(), width, row.height());
        right -= width + space::control;
    }
    const QString words = option.text.isNull() ? text::oneLine(index.data().toString())
                                               : option.text;
    const qreal wanted = QFontMetricsF(textFont(index)).horizontalAdvance(words) + 1;
    if (index.data(BarsRole).isValid()) {
        const qreal width = std::max<qreal>(0, std::min<qreal>(40, right - left - wanted - 6));
        at.bars = QRectF(left, row.top(), width, row.height());
        left += width + space::control;
    }
    const QList<Pill> chips = pillsOf(index, ChipsRole);
    const qreal chipWidth = chips.isEmpty() ? 0 : widthOf(chips) + space::control;
    const qreal room = std::max<qreal>(0, right - left - chipWidth);
    const qreal textWidth = std::min(wanted, room);
    at.cut = wanted > room;
    at.text = QRectF(left, row.top(), words.isEmpty() ? 0 : textWidth, row.height());
    if (words.isEmpty() || option.displayAlignment & Qt::AlignRight)
        at.text.setWidth(room);
    left = at.text.right() + space::control;
    if (const QString second = index.data(SecondTextRole).toString(); !second.isEmpty()) {
        const qreal all = QFontMetricsF(theme().monoFont()).horizontalAdvance(
                              text::oneLine(second.left(1000))) + 1;
        const qreal rest = std::max<qreal>(0, right - left - chipWidth);
        at.second = QRectF(left, row.top(), std::min(all, rest), row.height());
        at.cut = at.cut || all > rest;
        left = at.second.right() + space::control;
    }
    if (!chips.isEmpty())
        at.chips = QRectF(left, row.top(), std::max<qreal>(0, right - left), row.height());
    return at;
}

QColor RowDelegate::inkOf(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const bool selected = option.state & QStyle::State_Selected || index.data(CurrentRole).toBool();
    if (!(option.state & QStyle::State_Enabled))
        return theme().color(Token::text3);
    if (selected && theme().highContrast())
        return theme().color(Token::onAccentFill);
    if (index.data(ToneRole).isValid())
        return theme().ink(index.data(ToneRole).value<Tone>());
    if (index.data(LinkRole).toBool())
        return theme().color(Token::link);
    if (index.data(MutedRole).toBool() || index.data(StrikeRole).toBool())
        return theme().color(Token::text2);
    return theme().color(selected ? Token::onAccentFill : Token::text);
}

void RowDelegate::paintBackground(QPainter& painter, const QStyleOptionViewItem& option,
                                  const QModelIndex& index) const
{
    QRect band = option.rect;
    if (m_height == Row::tree && index.column() == 0)
        band.setLeft(0);
    const bool current = index.data(CurrentRole).toBool();
    if (option.state & QStyle::State_Selected || current)
        painter.fillRect(band, theme().color(Token::accentFill));
    else if (option.state & QStyle::State_MouseOver)
        painter.fillRect(option.rect, theme().color(Token::hover));
    else if (option.features & QStyleOptionViewItem::Alternate)
        painter.fillRect(option.rect, theme().color(Token::alt));
    if (index.column() != 0)
        return;
    if (current)
        painter.fillRect(QRect(0, band.top(), 4, band.height()), theme().color(Token::accent));
    else if (index.data(RangeRole).toBool())
        painter.fillRect(QRect(0, band.top(), 4, band.height()),
                         mix(theme().color(Token::base), theme().color(Token::accent), 0.5));
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const
{
    QStyleOptionViewItem filled = option;
    initStyleOption(&filled, index);
    painter->save();
    paintBackground(*painter, filled, index);
    const Places at = places(filled, index);
    const QColor ink = inkOf(filled, index);
    const bool selected = filled.state & QStyle::State_Selected || index.data(CurrentRole).toBool();
    const QColor secondInk = theme().highContrast() && selected
                                 ? theme().color(Token::onAccentFill)
                                 : theme().color(Token::text2);
    constexpr int line = Qt::AlignVCenter | Qt::TextSingleLine;

    painter->setFont(theme().monoFont());
    painter->setPen(selected ? ink : secondInk);
    if (!at.number.isNull())
        painter->drawText(at.number, line | Qt::AlignRight, index.data(NumberRole).toString());
    if (!at.mark.isNull())
        paintMark(*painter, at.mark, index.data(MarkRole).value<Mark>(),
                  selected && theme().highContrast() ? ink : QColor());
    if (!at.icon.isNull()) {
        if (const QString name = index.data(IconRole).toString(); !name.isEmpty())
            paintIcon(*painter, at.icon, name, ink);
        else
            paintIcon(*painter, at.icon,
                      index.data(FusedRole).toBool()
                          ? QStringLiteral("category-fused")
                          : iconName(index.data(CategoryRole).value<Category>()),
                      categoryColor(index));
    }
    if (at.bars.width() > 4) {
        const auto bars = index.data(BarsRole).value<RowBars>();
        if (bars.compare)
            paintCompareBars(*painter, at.bars, bars.first, bars.second, 1);
        else
            paintBar(*painter, at.bars.adjusted(0, at.bars.height() / 2 - 4.5, 0,
                                                4.5 - at.bars.height() / 2),
                     bars.first, bars.color.isValid() ? bars.color : theme().color(Token::accent));
    }
    if (!at.button.isNull()) {
        const QString words = index.data(ButtonRole).toString();
        const QRectF frame = at.button.adjusted(0.5, 0.5, -0.5, -0.5);
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(theme().color(Token::blocked), theme().lineWidth(1)));
        painter->setBrush(theme().color(Token::raised));
        painter->drawRoundedRect(frame, radius::control, radius::control);
        paintIcon(*painter, square(frame.left() + 7, frame, 12), QStringLiteral("wrench"),
                  theme().color(Token::blocked));
        painter->setFont(theme().font(TextScale::small, true));
        const QRectF inner = frame.adjusted(24, 0, -6, 0);
        painter->drawText(inner, line | Qt::AlignLeft,
                          QFontMetricsF(painter->font()).elidedText(words, Qt::ElideRight,
                                                                    inner.width()));
    }
    QFont font = textFont(index);
    painter->setFont(font);
    painter->setPen(ink);
    if (at.text.width() > 0 && !filled.text.isEmpty()) {
        const bool middle = index.data(LinkRole).toBool() || index.data(MonoRole).toBool();
        const QFontMetrics metrics(font);
        const int width = static_cast<int>(at.text.width()) + 1;
        const QString words = middle ? text::elideMiddle(filled.text, metrics, width)
                                     : metrics.elidedText(filled.text.left(2000), Qt::ElideRight,
                                                          width);
        painter->drawText(at.text.adjusted(0, 0, 1, 0),
                          line | static_cast<int>(filled.displayAlignment & Qt::AlignRight
                                                      ? Qt::AlignRight
                                                      : Qt::AlignLeft),
                          words);
    }
    painter->setFont(theme().monoFont());
    painter->setPen(secondInk);
    if (at.second.width() > 0)
        painter->drawText(at.second.adjusted(0, 0, 1, 0), line | Qt::AlignLeft,
                          text::elideMiddle(index.data(SecondTextRole).toString(),
                                            QFontMetrics(painter->font()),
                                            static_cast<int>(at.second.width()) + 1));
    if (!at.chips.isNull())
        paintPills(*painter, at.chips, pillsOf(index, ChipsRole));
    painter->setFont(theme().monoFont());
    painter->setPen(selected ? ink : secondInk);
    if (!at.count.isNull())
        painter->drawText(at.count, line | Qt::AlignRight, index.data(CountRole).toString());
    if (!at.pills.isNull())
        paintPills(*painter, at.pills, pillsOf(index, PillsRole));
    if (filled.state & QStyle::State_HasFocus)
        paintFocus(*painter, filled.rect, theme().highContrast() && selected);
    painter->restore();
}

bool RowDelegate::editorEvent(QEvent* event, QAbstractItemModel* model,
                              const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::MouseMove && event->type() != QEvent::MouseButtonRelease)
        return QStyledItemDelegate::editorEvent(event, model, option, index);
    const auto* mouse = static_cast<QMouseEvent*>(event);
    QStyleOptionViewItem filled = option;
    initStyleOption(&filled, index);
    const Places at = places(filled, index);
    const bool onButton = at.button.contains(mouse->position());
    const bool onLink = index.data(LinkRole).toBool() && at.text.contains(mouse->position());
    if (event->type() == QEvent::MouseMove) {
        if (onButton || onLink)
            m_view->viewport()->setCursor(Qt::PointingHandCursor);
        else
            m_view->viewport()->unsetCursor();
        return false;
    }
    if (mouse->button() == Qt::LeftButton && onButton) {
        Q_EMIT buttonActivated(index);
        return true;
    }
    if (mouse->button() == Qt::LeftButton && onLink) {
        Q_EMIT linkActivated(index);
        return true;
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
}

bool RowDelegate::helpEvent(QHelpEvent* event, QAbstractItemView* view,
                            const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::ToolTip || !index.isValid())
        return QStyledItemDelegate::helpEvent(event, view, option, index);
    QStyleOptionViewItem filled = option;
    initStyleOption(&filled, index);
    QString tip = index.data(Qt::ToolTipRole).toString();
    if (tip.isEmpty() && places(filled, index).cut) {
        tip = index.data(WholeTextRole).toString();
        if (tip.isEmpty())
            tip = index.data().toString();
    }
    QToolTip::showText(event->globalPos(), text::toolTip(tip), view, option.rect);
    return true;
}

} // namespace fusescope
