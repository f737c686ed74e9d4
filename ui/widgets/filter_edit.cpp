#include "ui/widgets/filter_edit.h"

#include <QAction>
#include <QKeyEvent>
#include <QPainter>

#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace fusescope {

FilterEdit::FilterEdit(const QString& placeholder, const QString& iconName, const QString& keyHint,
                       QWidget* parent)
    : QLineEdit(parent), m_placeholder(placeholder), m_keyHint(keyHint)
{
    setPlaceholderText(placeholder);
    setAccessibleName(placeholder);
    addAction(icon(iconName, Token::text2), QLineEdit::LeadingPosition);
    QAction* clear = addAction(icon(QStringLiteral("close"), Token::text2),
                               QLineEdit::TrailingPosition);
    clear->setText(tr("Clear"));
    clear->setToolTip(tr("Clear"));
    clear->setVisible(false);
    connect(clear, &QAction::triggered, this, &QLineEdit::clear);
    connect(this, &QLineEdit::textChanged, clear,
            [clear](const QString& text) { clear->setVisible(!text.isEmpty()); });
}

int FilterEdit::hintWidth() const
{
    const int needed =
        qCeil(QFontMetricsF(theme().font(TextScale::badge)).horizontalAdvance(m_keyHint)) + 10;
    return m_keyHint.isEmpty() || needed > width() / 3 ? 0 : needed;
}

// No word runs under the key's name or out of the field.
void FilterEdit::resizeEvent(QResizeEvent* event)
{
    QLineEdit::resizeEvent(event);
    constexpr int iconAndMargins = 36;
    setPlaceholderText(fontMetrics().elidedText(m_placeholder, Qt::ElideRight,
                                                width() - iconAndMargins - hintWidth()));
    setToolTip(placeholderText() == m_placeholder ? QString() : text::toolTip(m_placeholder));
}

void FilterEdit::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    if (m_keyHint.isEmpty() || !text().isEmpty() || hasFocus())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(theme().font(TextScale::badge));
    const QFontMetricsF metrics(painter.font());
    const int width = hintWidth();
    if (width == 0)
        return;
    const qreal height = metrics.height() + 2;
    const QRectF box(this->width() - width - 6.5, (this->height() - height) / 2, width, height);
    painter.setBrush(theme().color(Token::window));
    painter.setPen(theme().pen(Token::border));
    painter.drawRoundedRect(box, radius::tag, radius::tag);
    painter.setPen(theme().color(Token::text2));
    painter.drawText(box, Qt::AlignCenter, m_keyHint);
}

void FilterEdit::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !text().isEmpty()) {
        clear();
        event->accept();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

} // namespace fusescope
