#pragma once

#include "ui/actions.h"
#include "ui/app_state.h"
#include "ui/theme/roles.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QWidget>

namespace fusescope {

// What a panel of a dock is: it shows a part of the state, tells its tab a count, and never calls
// another panel. The state outlives it.
class Panel : public QWidget
{
    Q_OBJECT

public:
    Panel(AppState& state, Actions& actions, QWidget* parent = nullptr)
        : QWidget(parent), m_state(state), m_actions(actions)
    {
    }

Q_SIGNALS:
    // The chip of its tab: "6", "2/2"; empty for none.
    void badgeChanged(const QString& text, fusescope::Tone tone);
    // Asks the window to show this panel.
    void showRequested();

protected:
    // A background role would take the colours of labels away under a style sheet.
    void paintEvent(QPaintEvent*) override
    {
        QPainter(this).fillRect(rect(), theme().color(Token::base));
    }

    AppState& state() const { return m_state; }
    Actions& actions() const { return m_actions; }

private:
    AppState& m_state;
    Actions& m_actions;
};

} // namespace fusescope
