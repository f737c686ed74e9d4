#include "ui/app_state.h"

#include "model/origins.h"
#include "ui/plan_file.h"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace fusescope {

namespace {

std::vector<NodeId> originsIn(const UnionGraph& all, NodeId node)
{
    return originsOf(node, all.lastRecord(node));
}

// Puts a file aside, beside where it was, with what it is ("unreadable") in its name; its new path,
// empty where that cannot be done.
QString putAside(const QString& path, QLatin1StringView what)
{
    for (int i = 1; i < 1000; ++i) {
        const QString aside = i == 1 ? QStringLiteral("%1.%2").arg(path, what)
                                     : QStringLiteral("%1.%2-%3").arg(path, what).arg(i);
        if (!QFile::exists(aside))
            return QFile::rename(path, aside) ? aside : QString();
    }
    return {};
}

} // namespace

void AppState::announce()
{
    Q_EMIT sessionChanged();
    Q_EMIT timelineChanged();
    Q_EMIT modeChanged();
    Q_EMIT changeFilterChanged();
    Q_EMIT cursorChanged();
    Q_EMIT selectionChanged();
    Q_EMIT shownBlockedChanged();
    Q_EMIT diffChanged();
    Q_EMIT planChanged();
    Q_EMIT predictChanged();
    Q_EMIT inputsChanged();
    Q_EMIT compareChanged();
    Q_EMIT profileChanged();
    for (const LogEntry& entry : std::vector<LogEntry>(m_log))
        Q_EMIT logged(entry);
}

void AppState::rememberPlace()
{
    m_forward.clear();
    const Place here{m_b, m_a, m_selected};
    if (!m_back.empty() && m_back.back() == here)
        return;
    m_back.push_back(here);
    if (m_back.size() > 100)
        m_back.erase(m_back.begin());
}

void AppState::goToPlace(const Place& place)
{
    m_a.reset();
    setB(place.b);
    setA(place.a);
    select(place.node);
    if (place.node)
        Q_EMIT goToRequested(place.node);
}

void AppState::placeBack()
{
    const Place here{m_b, m_a, m_selected};
    while (!m_back.empty() && m_back.back() == here)
        m_back.pop_back(); // where a way led to where it began
    if (m_back.empty())
        return;
    m_forward.push_back(here);
    const Place place = m_back.back();
    m_back.pop_back();
    goToPlace(place);
}

void AppState::placeForward()
{
    if (m_forward.empty())
        return;
    m_back.push_back({m_b, m_a, m_selected});
    const Place place = m_forward.back();
    m_forward.pop_back();
    goToPlace(place);
}

AppState::Resume AppState::whereItStands() const
{
    Resume where;
    const int size = m_timeline->size();
    where.b = std::min(m_b, size);
    if (m_a)
        where.a = std::min(*m_a, size);
    const UnionGraph& all = m_timeline->unionGraph;
    StepKeys keys;
    keys.extend(*m_timeline, where.b);
    where.keys = keys.keys();
    where.selected = m_selected;
    if (m_selected)
        where.origins = originsIn(all, m_selected);
    return where;
}

// Each step is looked for by what it rewrites; where it is gone, the last one before it counts.
bool AppState::resume()
{
    if (!m_resume)
        return false;
    const UnionGraph& all = m_timeline->unionGraph;
    m_resume->now.extend(*m_timeline, m_timeline->size());
    const auto numberOf = [&](int position) -> std::optional<int> {
        if (position == 0)
            return 0;
        return m_resume->now.numberOf(m_resume->keys[static_cast<std::size_t>(position - 1)]);
    };
    // While steps are still coming, only the very step counts.
    if (!numberOf(m_resume->b) && !m_timeline->finished)
        return false;
    const auto nearest = [&](int position) {
        while (!numberOf(position))
            --position;
        return *numberOf(position);
    };
    const int b = nearest(m_resume->b);
    std::optional<int> a;
    if (m_resume->a)
        a = nearest(*m_resume->a);
    if (a && *a >= b)
        a.reset();
    NodeId selected = m_selected ? m_selected : m_resume->selected;
    if (selected == m_resume->selected && selected
        && (!all.lifespan(selected) || originsIn(all, selected) != m_resume->origins)) {
        selected = {};
        for (const NodeId origin : m_resume->origins) {
            if (!selected && all.lifespan(origin))
                selected = origin;
        }
    }
    m_resume.reset();
    const bool moved = b != m_b || a != m_a;
    m_b = b;
    m_a = a;
    if (selected != m_selected) {
        m_selected = selected;
        Q_EMIT selectionChanged();
    }
    return moved;
}

namespace {

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return !path.isEmpty() && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

QString AppState::planPath() const
{
    return m_planFolder.isEmpty() || !m_session
               ? QString()
               : QDir(m_planFolder)
                     .filePath(QStringLiteral("%1.json").arg(m_session->contentHash(), 16, 16,
                                                             QLatin1Char('0')));
}

Plan AppState::keptPlan(QString& problem)
{
    const QString path = planPath();
    m_keptBytes = contentsOf(path);
    if (path.isEmpty() || !QFile::exists(path))
        return m_session->plan();
    if (Result<Plan> plan = readPlanFile(path, *m_session)) {
        return std::move(*plan);
    } else {
        // The next change of the plan would write over it.
        const QString aside = putAside(path, QLatin1StringView("unreadable"));
        const QString why = sentence(plan.error().message, &m_session->opened());
        problem = aside.isEmpty()
                      ? tr("The plan kept for this model cannot be read: %1").arg(why)
                      : tr("The plan kept for this model cannot be read: %1 It is now in %2.")
                            .arg(why, QDir::toNativeSeparators(aside));
    }
    return m_session->plan();
}

// What another window keeps of the same model is moved before this one's is written; why it cannot be.
QString AppState::moveOtherPlan(const QString& path)
{
    const QByteArray there = contentsOf(path);
    if (there.isEmpty() || there == m_keptBytes)
        return {};
    const QString aside = putAside(path, QLatin1StringView("other"));
    if (aside.isEmpty())
        return tr("Another window keeps one, which cannot be moved.");
    notify({NoticeLevel::warning,
            tr("Another window kept another plan of this model. It is now in %1.")
                .arg(QDir::toNativeSeparators(aside)),
            {}, {}, {}});
    return {};
}

// Why the plan could not be written; empty where it was.
QString AppState::writePlan(const QString& path) const
{
    if (!QDir().mkpath(m_planFolder))
        return tr("The folder %1 cannot be made.").arg(QDir::toNativeSeparators(m_planFolder));
    const Result<void> written = writePlanFile(path, m_plan, *m_session);
    return written ? QString() : sentence(written.error().message, &m_session->opened());
}

void AppState::keepPlan()
{
    const QString path = planPath();
    if (path.isEmpty())
        return;
    QString why = moveOtherPlan(path);
    if (why.isEmpty() && m_plan != Plan{})
        why = writePlan(path);
    else if (why.isEmpty())
        QFile::remove(path);
    if (why.isEmpty())
        m_keptBytes = contentsOf(path);
    if (why.isEmpty())
        return;
    const QString text = tr("The plan is not kept for the next start: %1").arg(why);
    if (std::ranges::none_of(m_log, [&](const LogEntry& entry) { return entry.text == text; }))
        notify({NoticeLevel::warning, text, {}, {}, {}});
}

} // namespace fusescope
