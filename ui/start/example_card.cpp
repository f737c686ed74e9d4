#include "ui/start/example_card.h"

#include "ui/text.h"
#include "ui/theme/badges.h"

#include <QPainter>
#include <QTextLayout>

#include <array>
#include <utility>

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

// A column of small cards; − is gone, + new, ~ changed, ! blocked at its entry.
void paintPicture(QPainter& painter, const QRectF& area, const QStringList& all)
{
    const QStringList cards = all.mid(0, 5);
    constexpr qreal height = 9, width = 43;
    const qreal pitch = std::min<qreal>(19, (area.height() - height) / std::max<qsizetype>(1, cards.size() - 1));
    qreal y = area.center().y() - (pitch * static_cast<qreal>(cards.size() - 1) + height) / 2;
    for (qsizetype i = 0; i < cards.size(); ++i, y += pitch) {
        QString word = cards[i];
        const QChar sign = word.isEmpty() ? QChar() : word[0];
        const bool marked = sign == u'-' || sign == u'+' || sign == u'~' || sign == u'!';
        if (marked)
            word.remove(0, 1);
        const Category category = categoryOf(word);
        const QRectF box(area.center().x() - width / 2, y, width, height);
        if (i) {
            painter.setPen(theme().pen(Token::edge, 1));
            painter.drawLine(QPointF(box.center().x(), box.top() - pitch + height),
                             QPointF(box.center().x(), box.top()));
        }
        QPen pen(theme().color(category), 1);
        QBrush fill(mix(theme().color(Token::card), theme().color(category), 0.25));
        if (sign == u'-') {
            pen = theme().pen(Token::removed, 1.2);
            pen.setStyle(Qt::DashLine);
            fill = theme().color(Token::removedFill);
        } else if (sign == u'+') {
            pen = theme().pen(Token::added, 1.4);
            fill = theme().color(Token::addedFill);
        } else if (sign == u'~') {
            pen = theme().pen(Token::changed, 1.4);
        }
        painter.setPen(pen);
        painter.setBrush(fill);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        if (sign == u'!')
            paintOctagon(painter, QPointF(box.center().x(), box.top() - (pitch - height) / 2), 11, true);
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
