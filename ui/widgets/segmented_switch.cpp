#include "ui/widgets/segmented_switch.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QStyle>
#include <QToolButton>

#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

namespace fusescope {

SegmentedSwitch::SegmentedSwitch(QWidget* parent) : QWidget(parent), m_group(new QButtonGroup(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_group->setExclusive(true);
    connect(m_group, &QButtonGroup::idClicked, this, &SegmentedSwitch::chosen);
}

int SegmentedSwitch::addSegment(const QString& text, const QString& iconName)
{
    auto* button = new QToolButton(this);
    button->setCheckable(true);
    button->setAutoRaise(false);
    button->setFocusPolicy(Qt::StrongFocus);
    button->installEventFilter(this);
    if (!iconName.isEmpty()) {
        button->setIcon(icon(iconName, Token::text, Token::onAccent));
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
    const int index = count();
    m_buttons.append(button);
    m_group->addButton(button, index);
    layout()->addWidget(button);
    setSegmentText(index, text);
    if (index == 0)
        button->setChecked(true);
    shape();
    return index;
}

void SegmentedSwitch::setSegmentText(int index, const QString& text)
{
    m_buttons[index]->setText(text::label(text));
    m_buttons[index]->setAccessibleName(text);
    // The one that is on is bold, and must not be cut.
    m_buttons[index]->setMinimumWidth(
        QFontMetrics(theme().font(TextScale::normal, true)).horizontalAdvance(text) + 28
        + (m_buttons[index]->icon().isNull() ? 0 : m_buttons[index]->iconSize().width() + 4));
}

void SegmentedSwitch::setSegmentEnabled(int index, bool enabled, const QString& why)
{
    m_buttons[index]->setEnabled(enabled);
    m_buttons[index]->setToolTip(text::toolTip(enabled ? QString() : why));
}

void SegmentedSwitch::setCurrent(int index)
{
    if (QToolButton* button = m_buttons.value(index))
        button->setChecked(true);
}

bool SegmentedSwitch::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int turn = isRightToLeft() ? -1 : 1;
        const int move = key == Qt::Key_Right ? turn : key == Qt::Key_Left ? -turn : 0;
        if (move != 0) {
            int next =
                static_cast<int>(m_buttons.indexOf(static_cast<QToolButton*>(watched))) + move;
            while (next >= 0 && next < count() && !m_buttons[next]->isEnabled())
                next += move;
            if (next >= 0 && next < count()) {
                m_buttons[next]->setFocus(Qt::OtherFocusReason);
                m_buttons[next]->setChecked(true);
                Q_EMIT chosen(next);
            }
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void SegmentedSwitch::shape()
{
    for (int i = 0; i < count(); ++i) {
        const bool first = i == 0;
        const bool last = i == count() - 1;
        const char* place = first && last ? "only" : first ? "first" : last ? "last" : "middle";
        m_buttons[i]->setProperty("segment", QString::fromLatin1(place));
        m_buttons[i]->style()->unpolish(m_buttons[i]);
        m_buttons[i]->style()->polish(m_buttons[i]);
    }
}

} // namespace fusescope
