#pragma once

#include "ui/actions.h"

#include <QObject>
#include <QStringList>

namespace fusescope {

class AppState;
class NoticeBar;

// The guided tour: an example, and a bar above the graph that says what to try next. It goes on by
// itself when the person has done it; Next does it for them. Each page brings what it speaks of into
// view.
class GuidedTour final : public QObject
{
    Q_OBJECT

public:
    GuidedTour(AppState& state, NoticeBar& bar, QObject* parent = nullptr);

    void start(); // opens the example
    void stop();
    bool isRunning() const { return m_page >= 0; }
    int page() const { return m_page; }
    static int pageCount();

Q_SIGNALS:
    void exampleRequested(const QString& resource); // opened at once
    void actRequested(fusescope::Act act);
    void panelRequested(const QString& id);

private:
    void show(int page);
    void next();
    void bring(int page);
    void check();
    static QString textOf(int page);

    AppState& m_state;
    NoticeBar& m_bar;
    int m_page = -1;
    bool m_opening = false;
    bool m_waits = false; // for the changes of a step
};

} // namespace fusescope
