#include "ui/widgets/breadcrumb.h"

#include <algorithm>

#include <QEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace fusescope {

Breadcrumb::Breadcrumb(QWidget* parent)
    : QWidget(parent), m_home(new QToolButton(this)), m_rest(new QToolButton(this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_home->setIcon(icon(QStringLiteral("home"), Token::text2));
    m_home->setToolTip(tr("Whole model"));
    m_home->setAccessibleName(tr("Whole model"));
    m_home->setFocusPolicy(Qt::TabFocus);
    connect(m_home, &QToolButton::clicked, this, [this] {
        if (!m_parts.isEmpty())
            Q_EMIT partClicked(0);
    });
    m_rest->setText(QStringLiteral("…"));
    m_rest->setAccessibleName(tr("Outer parts"));
    m_rest->setFocusPolicy(Qt::TabFocus);
    m_rest->setPopupMode(QToolButton::InstantPopup);
    m_rest->setMenu(new QMenu(m_rest));
    m_rest->hide();
    connect(m_rest->menu(), &QMenu::aboutToShow, this, [this] {
        m_rest->menu()->clear();
        for (int part = 0; part < m_hidden; ++part)
            m_rest->menu()->addAction(text::label(m_parts[part].left(200)), this,
                                      [this, part] { Q_EMIT partClicked(part); });
    });
    setAccessibleName(tr("Place in the model"));
    connect(&theme(), &Theme::changed, this, &Breadcrumb::arrange);
}

void Breadcrumb::setParts(const QStringList& parts)
{
    if (parts == m_parts)
        return;
    m_parts = parts;
    qDeleteAll(m_buttons);
    m_buttons.clear();
    for (int part = 0; part < parts.size(); ++part) {
        auto* button = new QToolButton(this);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(parts[part].left(200));
        QFont font = theme().font(TextScale::normal, part == parts.size() - 1);
        button->setFont(font);
        button->show();
        connect(button, &QToolButton::clicked, this, [this, part] { Q_EMIT partClicked(part); });
        m_buttons.append(button);
    }
    updateGeometry();
    arrange();
}

int Breadcrumb::separatorWidth() const
{
    return 14;
}

void Breadcrumb::arrange()
{
    if (m_buttons.isEmpty())
        return;
    constexpr int widest = 260;
    QList<int> widths;
    for (int part = 0; part < m_buttons.size(); ++part) {
        QToolButton* button = m_buttons[part];
        const QFontMetrics metrics(button->font());
        const QString words = text::elideMiddle(m_parts[part], metrics, widest);
        button->setText(QString(words).replace(u'&', QLatin1String("&&")));
        button->setToolTip(words == m_parts[part] ? QString() : text::toolTip(m_parts[part]));
        widths.append(button->sizeHint().width());
    }
    const int gap = separatorWidth();
    const int homeWidth = m_home->sizeHint().width();
    const int restWidth = m_rest->sizeHint().width() + gap;
    int total = homeWidth + gap * (static_cast<int>(widths.size()) - 1);
    for (const int width : widths)
        total += width;
    m_wholeWidth = total;
    m_hidden = 0;
    const auto last = static_cast<int>(widths.size()) - 1;
    while (m_hidden < last && total + (m_hidden > 0 ? restWidth : 0) > width()) {
        total -= widths[m_hidden] + gap;
        ++m_hidden;
    }
    int x = 0;
    const auto place = [&](QToolButton* button, int width) {
        const int high = std::min(height(), button->sizeHint().height());
        button->setGeometry(x, (height() - high) / 2, width, high);
        x += width;
    };
    m_separators.clear();
    place(m_home, homeWidth);
    m_rest->setVisible(m_hidden > 0);
    if (m_hidden > 0) {
        place(m_rest, restWidth - gap);
        m_separators.append(x);
        x += gap;
    }
    for (int part = 0; part < m_buttons.size(); ++part) {
        m_buttons[part]->setVisible(part >= m_hidden);
        if (part < m_hidden)
            continue;
        int room = widths[part];
        if (part == last && x + room > width()) {
            // The last part alone does not fit: it is cut, never dropped.
            room = std::max(40, width() - x);
            const QFontMetrics metrics(m_buttons[part]->font());
            const int frame = widths[part] - metrics.horizontalAdvance(
                                                 text::elideMiddle(m_parts[part], metrics, widest));
            m_buttons[part]->setText(
                text::label(text::elideMiddle(m_parts[part], metrics, room - frame)));
            m_buttons[part]->setToolTip(text::toolTip(m_parts[part]));
        }
        place(m_buttons[part], room);
        if (part < last) {
            m_separators.append(x);
            x += gap;
        }
    }
    update();
}

void Breadcrumb::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    for (const int x : m_separators)
        paintIcon(painter, QRectF(x + 1, (height() - 12) / 2.0, 12, 12),
                  isRightToLeft() ? QStringLiteral("chevron-left")
                                  : QStringLiteral("chevron-right"),
                  theme().color(Token::text2));
}

void Breadcrumb::resizeEvent(QResizeEvent*)
{
    arrange();
}

void Breadcrumb::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        arrange();
    QWidget::changeEvent(event);
}

QSize Breadcrumb::sizeHint() const
{
    return {m_wholeWidth, rowHeight(Row::table, QFontMetrics(theme().font()))};
}

QSize Breadcrumb::minimumSizeHint() const
{
    return {m_home->sizeHint().width() + 40, sizeHint().height()};
}

} // namespace fusescope
