#include "ui/guided_tour.h"

#include "ui/app_state.h"
#include "ui/examples.h"
#include "ui/widgets/notice_bar.h"

#include <algorithm>
#include <utility>

namespace fusescope {

namespace {

constexpr QLatin1String noticeId("tour");
constexpr QLatin1String nextId("next");
constexpr QLatin1String endId("end");

} // namespace

GuidedTour::GuidedTour(AppState& state, NoticeBar& bar, QObject* parent)
    : QObject(parent), m_state(state), m_bar(bar)
{
    connect(&bar, &NoticeBar::actionTriggered, this, [this](const QString& notice, const QString& action) {
        if (notice != noticeId)
            return;
        if (action == nextId && m_page + 1 < pageCount())
            next();
        else
            stop();
    });
    connect(&bar, &NoticeBar::closed, this, [this](const QString& notice) {
        if (notice == noticeId)
            m_page = -1;
    });
    connect(&state, &AppState::sessionChanged, this, [this] {
        if (m_opening) {
            m_opening = false;
            show(0);
        } else if (isRunning()) {
            stop(); // another model: the tour speaks of the example
        }
    });
    connect(&state, &AppState::cursorChanged, this, &GuidedTour::check);
    connect(&state, &AppState::diffChanged, this, [this] {
        if (std::exchange(m_waits, false))
            bring(m_page);
    });
    connect(&state, &AppState::modeChanged, this, &GuidedTour::check);
    connect(&state, &AppState::shownBlockedChanged, this, &GuidedTour::check);
    connect(&state, &AppState::compareChanged, this, &GuidedTour::check);
}

int GuidedTour::pageCount()
{
    return 6;
}

QString GuidedTour::textOf(int page)
{
    switch (page) {
    case 0:
        return tr("This is the model as it stands in its file. Press n, or Right in the Steps tree, to "
                  "apply the first rewrite.");
    case 1:
        return tr("Press 3 for Overlay: what the step added has a plus, what it removed a minus, what it "
                  "changed a tilde.");
    case 2:
        return tr("Hold n, or press Ctrl+End, to apply all that follow.");
    case 3:
        return tr("Click a row of Blocked: the culprit is ringed in the graph, and the conditions say "
                  "what they saw.");
    case 4:
        return tr("Press F9 to run the model before and after on the same inputs.");
    default:
        return tr("Ctrl+E exports the result; the source file is never written. F1 lists all keys.");
    }
}

void GuidedTour::start()
{
    if (examples().isEmpty())
        return;
    m_opening = true;
    Q_EMIT exampleRequested(examples().front().resource);
    m_opening = false;
}

void GuidedTour::stop()
{
    m_page = -1;
    m_bar.withdraw(noticeId);
}

void GuidedTour::show(int page)
{
    m_page = page;
    Notice notice;
    notice.id = noticeId;
    notice.level = NoticeLevel::info;
    notice.text = tr("%1 of %2: %3").arg(page + 1).arg(pageCount()).arg(textOf(page));
    const bool last = page + 1 == pageCount();
    notice.actions << NoticeAction{last ? QString(endId) : QString(nextId), last ? tr("Done") : tr("Next")};
    if (!last)
        notice.actions << NoticeAction{endId, tr("End Tour")};
    m_bar.post(notice);
    bring(page);
}

void GuidedTour::next()
{
    const int page = m_page;
    switch (page) {
    case 0:
        if (m_state.b() == 0)
            Q_EMIT actRequested(Act::forward);
        break;
    case 1:
        m_state.setMode(GraphMode::overlay);
        break;
    case 2:
        Q_EMIT actRequested(Act::last);
        break;
    case 3: {
        const auto& rows = m_state.timeline()->blocked;
        const auto row = std::ranges::find_if(rows, [](const Blocked& one) {
            return !one.miss.reasons.empty() && one.miss.reasons.front().kind() == ReasonKind::legality;
        });
        if (row != rows.end())
            m_state.showBlocked(*row);
        break;
    }
    case 4:
        Q_EMIT actRequested(Act::compare);
        break;
    default:
        break;
    }
    if (m_page == page)
        show(page + 1);
}

void GuidedTour::bring(int page)
{
    switch (page) {
    case 1:
    case 2: {
        // What the step changed: of nodes that stand, the first.
        const auto diff = m_state.diff();
        m_waits = !diff || !m_state.isCurrentDiff();
        if (m_waits)
            return;
        const auto stands = std::ranges::find_if(diff->nodes, [](const NodeChange& change) {
            return change.kind != ChangeKind::removed;
        });
        if (stands != diff->nodes.end())
            m_state.goTo(stands->node);
        break;
    }
    case 3:
        Q_EMIT panelRequested(QStringLiteral("blocked"));
        break;
    case 5:
        if (m_state.compareResult())
            Q_EMIT panelRequested(QStringLiteral("compare"));
        break;
    default:
        break;
    }
}

void GuidedTour::check()
{
    const int b = m_state.b();
    const bool done = (m_page == 0 && b > 0) || (m_page == 1 && m_state.mode() == GraphMode::overlay) ||
                      (m_page == 2 && m_state.isFinished() && b == m_state.stepCount()) ||
                      (m_page == 3 && m_state.shownBlocked()) || (m_page == 4 && m_state.compareResult());
    if (done)
        show(m_page + 1);
}

} // namespace fusescope
