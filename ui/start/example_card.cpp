#include "ui/start/example_card.h"

#include "ui/text.h"
#include "ui/theme/badges.h"

#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace fusescope {

namespace {

constexpr int pictureHeight = 76;

struct Word
{
    const char* word;
    Category category;
};
constexpr std::array<Word, 9> words = {{{"conv", Category::conv},
                                        {"norm", Category::normalization},
                                        {"act", Category::activation},
                                        {"pool", Category::pooling},
                                        {"shape", Category::shape},
                                        {"add", Category::elementwise},
                                        {"reduce", Category::reduction},
                                        {"if", Category::controlFlow},
                                        {"custom", Category::custom}}};

Category categoryOf(const QString& word)
{
    for (const Word& row : words) {
        if (word == QLatin1String(row.word))
            return row.category;
    }
    return Category::custom;
}

struct Card
{
    Category category;
    QChar sign; // − is gone, + new, ~ changed, ! blocked at its entry
    QRectF box;
};
using Cards = std::vector<Card>;

constexpr qreal cardHeight = 9, cardWidth = 43, pitchOfRows = 19;

Card cardOf(QString word)
{
    const QChar sign = word.isEmpty() ? QChar() : word[0];
    const bool marked = sign == u'-' || sign == u'+' || sign == u'~' || sign == u'!';
    if (marked)
        word.remove(0, 1);
    return {categoryOf(word), marked ? sign : QChar(), {}};
}

// Rows from the top, each in the middle of `area`.
std::vector<Cards> rowsOf(const QStringList& layout, const QRectF& area)
{
    std::vector<Cards> rows;
    for (const QString& row : layout.mid(0, 5)) {
        Cards cards;
        for (const QString& word : row.split(u'|'))
            cards.push_back(cardOf(word));
        rows.push_back(std::move(cards));
    }
    const auto gaps = static_cast<qreal>(std::max<std::size_t>(1, rows.size() - 1));
    const qreal pitch = std::min(pitchOfRows, (area.height() - cardHeight) / gaps);
    qreal y = area.center().y() - (pitch * static_cast<qreal>(rows.size() - 1) + cardHeight) / 2;
    for (Cards& cards : rows) {
        const auto count = static_cast<qreal>(cards.size());
        const qreal width = cards.size() > 1 ? 32 : cardWidth;
        const qreal step = width + 12;
        qreal x = area.center().x() - (step * (count - 1) + width) / 2;
        for (Card& card : cards) {
            card.box = QRectF(x, y, width, cardHeight);
            x += step;
        }
        y += pitch;
    }
    return rows;
}

void paintEdge(QPainter& painter, const QPointF& from, const QPointF& to, bool across)
{
    painter.setPen(theme().pen(Token::edge, 1));
    painter.setBrush(Qt::NoBrush);
    QPainterPath path(from);
    const QPointF bend = across ? QPointF((to.x() - from.x()) / 2, 0) : QPointF(0, (to.y() - from.y()) / 2);
    path.cubicTo(from + bend, to - bend, to);
    painter.drawPath(path);
}

void paintCard(QPainter& painter, const Card& card)
{
    QPen pen(theme().color(card.category), 1);
    QBrush fill(mix(theme().color(Token::card), theme().color(card.category), 0.25));
    if (card.sign == u'-') {
        pen = theme().pen(Token::removed, 1.2);
        pen.setStyle(Qt::DashLine);
        fill = theme().color(Token::removedFill);
    } else if (card.sign == u'+') {
        pen = theme().pen(Token::added, 1.4);
        fill = theme().color(Token::addedFill);
    } else if (card.sign == u'~') {
        pen = theme().pen(Token::changed, 1.4);
    }
    const QRectF box = card.box.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(pen);
    painter.setBrush(fill);
    painter.drawRoundedRect(box, 2, 2);
    if (card.sign != u'-')
        return;
    QColor hatch = theme().color(Token::removed);
    hatch.setAlphaF(0.35f);
    painter.setPen(QPen(hatch, 0.8));
    for (qreal x = box.left() + 3; x + box.height() < box.right(); x += 4)
        painter.drawLine(QPointF(x, box.bottom() - 1), QPointF(x + box.height() - 2, box.top() + 1));
}

// A small graph. Where several go and one comes, they stand beside it.
void paintPicture(QPainter& painter, const QRectF& area, const QStringList& layout)
{
    const auto isNew = [](const QString& word) { return word.startsWith(u'+'); };
    const auto isGone = [](const QString& word) { return word.startsWith(u'-'); };
    const bool beside = layout.size() > 1 && isNew(layout.last())
                        && std::all_of(layout.begin(), layout.end() - 1, isGone);
    constexpr qreal shift = 38;
    std::vector<Cards> rows = beside ? rowsOf(layout.mid(0, layout.size() - 1), area.translated(-shift, 0))
                                     : rowsOf(layout, area);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        const Cards& above = rows[i - 1];
        const Cards& below = rows[i];
        for (std::size_t a = 0; a < above.size(); ++a) {
            for (std::size_t b = 0; b < below.size(); ++b) {
                if (a == b || above.size() == 1 || below.size() == 1)
                    paintEdge(painter, QPointF(above[a].box.center().x(), above[a].box.bottom()),
                              QPointF(below[b].box.center().x(), below[b].box.top()), false);
            }
        }
    }
    if (beside) {
        const Cards made = rowsOf({layout.last()}, area.translated(shift, 0)).front();
        paintEdge(painter, QPointF(area.center().x() - shift + cardWidth / 2, area.center().y()),
                  QPointF(made.front().box.left(), area.center().y()), true);
        rows.push_back(made);
    }
    for (const Cards& cards : rows) {
        for (const Card& card : cards)
            paintCard(painter, card);
    }
    for (const Cards& cards : rows) {
        for (const Card& card : cards) {
            if (card.sign == u'!')
                paintOctagon(painter, QPointF(card.box.center().x(), card.box.top() - 5), 11, true);
        }
    }
}

} // namespace

ExampleCard::ExampleCard(Example example, QWidget* parent)
    : QAbstractButton(parent), m_example(std::move(example))
{
    setAccessibleName(m_example.title);
    setAccessibleDescription(m_example.text);
    setToolTip(text::toolTip(m_example.title + QLatin1Char('\n') + m_example.text));
    setCursor(Qt::PointingHandCursor);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    connect(&theme(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

QSize ExampleCard::sizeHint() const
{
    return {186, pictureHeight + 12 + 3 * QFontMetrics(theme().font()).lineSpacing()};
}

void ExampleCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(theme().pen(underMouse() ? Token::accent : Token::border, 1));
    painter.setBrush(theme().color(underMouse() ? Token::hover : Token::base));
    painter.drawRoundedRect(card, radius::card, radius::card);
    const QRectF picture(card.left() + 1, card.top() + 1, card.width() - 2, pictureHeight);
    painter.fillRect(picture.adjusted(2, 2, -2, 0), theme().color(Token::canvas));
    painter.setPen(theme().pen(Token::border, 1));
    painter.drawLine(picture.bottomLeft(), picture.bottomRight());
    paintPicture(painter, picture.adjusted(0, 6, 0, -6), m_example.cards);

    const QFont bold = theme().font(TextScale::normal, true);
    QRectF line(card.left() + space::section, picture.bottom() + 4, card.width() - 2 * space::section,
                QFontMetricsF(bold).lineSpacing());
    painter.setPen(theme().color(Token::text));
    painter.setFont(bold);
    if (!m_example.fuses) {
        paintOctagon(painter, QPointF(line.left() + 6, line.center().y()), 12);
        line.setLeft(line.left() + 18);
    }
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     QFontMetrics(bold).elidedText(m_example.title, Qt::ElideRight,
                                                   static_cast<int>(line.width())));
    const QFont font = theme().font(TextScale::small);
    const QFontMetrics metrics(font);
    painter.setFont(font);
    painter.setPen(theme().color(Token::text2));
    QTextLayout layout(m_example.text, font);
    layout.beginLayout();
    qreal y = line.bottom() + 1;
    const qreal left = card.left() + space::section;
    const qreal width = card.width() - 2 * space::section;
    for (int i = 0; i < 2; ++i, y += metrics.lineSpacing()) {
        QTextLine row = layout.createLine();
        if (!row.isValid())
            break;
        row.setLineWidth(width);
        const QString words = i ? m_example.text.mid(row.textStart())
                                : m_example.text.mid(row.textStart(), row.textLength());
        painter.drawText(QRectF(left, y, width, metrics.lineSpacing()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         metrics.elidedText(words.trimmed(), Qt::ElideRight, static_cast<int>(width)));
    }
    layout.endLayout();
    if (hasFocus())
        paintFocus(painter, rect());
}

} // namespace fusescope
