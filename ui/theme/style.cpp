#include "ui/theme/style.h"

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

} // namespace fusescope
