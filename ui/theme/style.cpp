#include "ui/theme/style.h"

#include <algorithm>

#include <QComboBox>
#include <QPainter>
#include <QPushButton>
#include <QStyleOption>
#include <QToolButton>

#include "ui/theme/badges.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace fusescope {

Style::Style() : QProxyStyle(QStringLiteral("fusion"))
{
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* data) const
{
    switch (hint) {
    case SH_ToolTip_WakeUpDelay:
        return 400;
    case SH_ItemView_ShowDecorationSelected:
        return 1;
    case SH_DialogButtonBox_ButtonsHaveIcons:
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const
{
    if (element == PE_FrameFocusRect) {
        // These show it by their own border.
        if (qobject_cast<const QPushButton*>(widget) || qobject_cast<const QToolButton*>(widget)
            || qobject_cast<const QComboBox*>(widget))
            return;
        paintFocus(*painter, option->rect);
        return;
    }
    if (element == PE_IndicatorCheckBox || element == PE_IndicatorItemViewItemCheck
        || element == PE_IndicatorRadioButton) {
        drawCheck(option, painter, element == PE_IndicatorRadioButton);
        return;
    }
    if (element == PE_IndicatorBranch) {
        if (!(option->state & State_Children))
            return;
        // At the far side, which leaves the gutter of the outermost level to the range bar.
        const QRect box = QStyle::alignedRect(option->direction, Qt::AlignRight | Qt::AlignVCenter,
                                              QSize(12, 12), option->rect);
        const auto name = option->state & State_Open ? QStringLiteral("chevron-down")
                          : option->direction == Qt::RightToLeft ? QStringLiteral("chevron-left")
                                                                 : QStringLiteral("chevron-right");
        icon(name, Token::text2).paint(painter, box);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const
{
    const auto* button = element == CE_ToolButtonLabel
                             ? qstyleoption_cast<const QStyleOptionToolButton*>(option)
                             : nullptr;
    if (button && button->toolButtonStyle == Qt::ToolButtonTextBesideIcon && !button->icon.isNull()
        && !button->text.isEmpty()) {
        // Qt leaves two pixels between sign and words; a thin space more reads better.
        QStyleOptionToolButton apart(*button);
        apart.text.prepend(QChar(0x2009));
        QProxyStyle::drawControl(element, &apart, painter, widget);
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

// With an outline that is seen in every theme.
void Style::drawCheck(const QStyleOption* option, QPainter* painter, bool round) const
{
    const bool enabled = option->state & State_Enabled;
    const bool set = option->state & (State_On | State_NoChange);
    const int side = std::min({option->rect.width(), option->rect.height(), 14});
    const QRectF box = QRectF(QStyle::alignedRect(option->direction, Qt::AlignCenter,
                                                  QSize(side, side), option->rect))
                           .adjusted(0.5, 0.5, -0.5, -0.5);
    const Token fill = !set ? Token::base : enabled ? Token::accent : Token::control;
    const Token line = option->state & State_HasFocus ? Token::accent
                       : set                          ? fill
                       : enabled                      ? Token::control
                                                      : Token::text3;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(theme().pen(line));
    painter->setBrush(theme().color(fill));
    const qreal corner = round ? box.width() / 2 : radius::tag;
    painter->drawRoundedRect(box, corner, corner);
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme().color(Token::onAccent));
    if (set && round)
        painter->drawEllipse(box.center(), side * 0.2, side * 0.2);
    else if (option->state & State_NoChange)
        painter->drawRect(QRectF(box.left() + 3, box.center().y() - 1, box.width() - 6, 2));
    else if (set)
        paintIcon(*painter, box.adjusted(1, 1, -1, -1), QStringLiteral("tick"),
                  theme().color(Token::onAccent));
    painter->restore();
}

} // namespace fusescope
