#include "ui/app_state.h"

#include "ui/plan_file.h"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace fusescope {

namespace {

// The nodes of the file that a node stands for; itself where it is one.
std::vector<NodeId> fileNodes(const UnionGraph& all, NodeId node)
{
    const Node* record = all.lastRecord(node);
    return record && !record->origins.empty() ? record->origins : std::vector<NodeId>{node};
}

std::vector<AppState::StepKey> stepKeys(const Timeline& timeline, int count)
{
    std::vector<AppState::StepKey> keys;
    std::map<RewriteKey, int> seen;
    for (int k = 0; k < count; ++k) {
        const Step& step = *timeline.steps[static_cast<std::size_t>(k)];
        RewriteKey key{std::string(step.rule), fileNodes(timeline.unionGraph, step.root)};
        const int occurrence = seen[key]++;
        keys.push_back({std::move(key), occurrence});
    }
    return keys;
}

} // namespace

void AppState::announce()
{
    Q_EMIT sessionChanged();
    Q_EMIT timelineChanged();
    Q_EMIT modeChanged();
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
    m_back.push_back({m_b, m_a, m_selected});
    m_forward.clear();
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
    if (m_back.empty())
        return;
    m_forward.push_back({m_b, m_a, m_selected});
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
    where.keys = stepKeys(*m_timeline, where.b);
    where.selected = m_selected;
    if (m_selected)
        where.origins = fileNodes(all, m_selected);
    return where;
}

// Each step is looked for by what it rewrites; where it is gone, the last one before it counts.
bool AppState::resume()
{
    if (!m_resume)
        return false;
    const UnionGraph& all = m_timeline->unionGraph;
    std::map<StepKey, int> numbers;
    int number = 0;
    for (const StepKey& key : stepKeys(*m_timeline, m_timeline->size()))
        numbers[key] = ++number;
    const auto numberOf = [&](int position) -> std::optional<int> {
        if (position == 0)
            return 0;
        const auto at = numbers.find(m_resume->keys[static_cast<std::size_t>(position - 1)]);
        return at == numbers.end() ? std::nullopt : std::optional(at->second);
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
        && (!all.lifespan(selected) || fileNodes(all, selected) != m_resume->origins)) {
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

QString AppState::planPath() const
{
    return m_planFolder.isEmpty() || !m_session
               ? QString()
               : QDir(m_planFolder)
                     .filePath(QStringLiteral("%1.json").arg(m_session->contentHash(), 16, 16,
                                                             QLatin1Char('0')));
}

Plan AppState::keptPlan() const
{
    if (const QString path = planPath(); !path.isEmpty() && QFile::exists(path)) {
        if (const Result<Plan> plan = readPlanFile(path, *m_session))
            return *plan;
    }
    return m_session->plan();
}

void AppState::keepPlan() const
{
    const QString path = planPath();
    if (path.isEmpty())
        return;
    // A plan that cannot be written is only not there at the next start.
    if (m_plan == Plan{})
        QFile::remove(path);
    else if (QDir().mkpath(m_planFolder))
        static_cast<void>(writePlanFile(path, m_plan, *m_session));
}

} // namespace fusescope
