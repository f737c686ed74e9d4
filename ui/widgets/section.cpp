#include "ui/widgets/section.h"

#include <QAbstractButton>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/text.h"
#include "ui/theme/icons.h"

namespace fusescope {

class SectionHeading final : public QAbstractButton
{
public:
    explicit SectionHeading(QWidget* parent) : QAbstractButton(parent)
    {
        setFocusPolicy(Qt::TabFocus);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setCheckable(true);
        setChecked(true);
    }

    QString title;
    QString note;
    Pill pill;

    QSize sizeHint() const override
    {
        return {160, rowHeight(Row::table, QFontMetrics(theme().font()))};
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        if (underMouse())
            painter.fillRect(rect(), theme().color(Token::hover));
        const qreal middle = height() / 2.0;
        paintIcon(painter, QRectF(space::section - 2, middle - 6, 12, 12),
                  isChecked() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
                  theme().color(Token::text));
        QRectF room(space::section + 14, 0, width() - space::section * 2 - 14, height());
        if (!pill.text.isEmpty()) {
            const QFont font = theme().font(TextScale::badge, true);
            const qreal wide = pillSize(pill, font).width();
            paintPill(painter, QRectF(room.right() - wide, 0, wide, height()), pill, font);
            room.setRight(room.right() - wide - space::control);
        }
        painter.setFont(theme().font(TextScale::normal, true));
        painter.setPen(theme().color(Token::text));
        QRectF used;
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, title, &used);
        room.setLeft(used.right() + space::control);
        painter.setFont(theme().font());
        painter.setPen(theme().color(Token::text2));
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                         QFontMetricsF(painter.font())
                             .elidedText(text::oneLine(note), Qt::ElideRight, room.width()));
        if (hasFocus())
            paintFocus(painter, rect());
    }

    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::Enter || event->type() == QEvent::Leave)
            update();
        return QAbstractButton::event(event);
    }
};

Section::Section(const QString& title, QWidget* parent)
    : QWidget(parent), m_heading(new SectionHeading(this)), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, space::glyph, 0, space::glyph);
    m_layout->setSpacing(2);
    m_layout->addWidget(m_heading);
    connect(m_heading, &QAbstractButton::clicked, this, [this](bool open) {
        setOpen(open);
        Q_EMIT toggled(open);
    });
    setTitle(title);
}

void Section::setTitle(const QString& title, const QString& note)
{
    m_heading->title = title;
    m_heading->note = note;
    m_heading->setAccessibleName(note.isEmpty() ? title : tr("%1, %2").arg(title, note));
    m_heading->update();
}

void Section::setPill(const Pill& pill)
{
    m_heading->pill = pill;
    m_heading->setAccessibleDescription(pill.text);
    m_heading->update();
}

void Section::setContent(QWidget* content)
{
    delete m_content;
    m_content = content;
    m_layout->addWidget(content);
    content->setVisible(m_open);
}

void Section::setOpen(bool open)
{
    m_open = open;
    m_heading->setChecked(open);
    if (m_content)
        m_content->setVisible(open);
}

} // namespace fusescope
