#include "ui/app_state.h"

#include "report/node_names.h"
#include "report/render.h"
#include "ui/raw_text.h"
#include "ui/retired.h"
#include "ui/text.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QPointer>

#include <utility>

namespace fusescope {

namespace {

constexpr std::size_t keptGraphs = 6;

const TimelinePtr& emptyTimeline()
{
    static const TimelinePtr empty = [] {
        auto timeline = std::make_shared<Timeline>();
        timeline->history = std::make_shared<const History>(Graph());
        timeline->finished = true;
        timeline->nodeCounts = {0};
        return timeline;
    }();
    return empty;
}

} // namespace

AppState::AppState(QObject* parent)
    : QObject(parent), m_undo(std::make_unique<QUndoStack>()), m_jobs(std::make_unique<Jobs>()),
      m_timeline(emptyTimeline())
{
}

AppState::~AppState()
{
    leaveSession();
}

// The passes may still run, and end when they end: nobody waits for that.
void AppState::leaveSession()
{
    if (!m_session)
        return;
    m_session->onTimeline({});
    retire([session = std::move(m_session)]() mutable { session.reset(); });
}

QString AppState::title() const
{
    return m_session ? QFileInfo(QString::fromStdString(m_session->path())).fileName() : QString();
}

void AppState::open(const QString& path)
{
    m_jobs->start<std::shared_ptr<Session>>(
        JobKind::open, tr("Opening %1").arg(QFileInfo(path).fileName()),
        [file = bytesOf(path)](std::stop_token stop,
                                                       const Progress& progress) {
            return Session::open(file, {}, stop, progress);
        },
        [this](Result<std::shared_ptr<Session>> session) {
            if (session)
                take(std::move(*session));
            else
                notifyError(session.error());
        });
}

void AppState::openExample(const QString& resource)
{
    QFile file(resource);
    if (!file.open(QIODevice::ReadOnly)) {
        notify({NoticeLevel::error, file.errorString(), {}, {}, {}});
        return;
    }
    auto session = Session::openBytes(file.readAll().toStdString(),
                                      QFileInfo(resource).fileName().toStdString());
    if (session)
        take(std::move(*session));
    else
        notifyError(session.error());
}

void AppState::reload()
{
    if (m_session && !m_session->path().empty())
        open(QFile::decodeName(QByteArray::fromStdString(m_session->path())));
}

void AppState::close()
{
    take(nullptr);
}

void AppState::take(std::shared_ptr<Session> session)
{
    const bool same = m_session && session && m_session->contentHash() == session->contentHash() &&
                      m_session->path() == session->path();
    m_resume.reset();
    if (same)
        m_resume = whereItStands();
    const GraphMode mode = same ? m_mode : GraphMode::after;
    leaveSession();
    m_jobs->cancelAll();
    m_session = std::move(session);
    m_graphs.clear();
    m_graphsOf = -1;
    m_log.clear();
    Q_EMIT logCleared();
    m_back.clear();
    m_forward.clear();
    m_selected = m_second = {};
    m_selectedValue = {};
    m_shownBlocked.reset();
    m_diff.reset();
    m_diffPair.reset();
    m_waitingForLast = false;
    m_b = 0;
    m_a.reset();
    m_mode = mode;
    m_changeFilter.reset();
    m_timeline = m_session ? m_session->timeline() : emptyTimeline();
    dropResults();
    QString planProblem;
    if (!same) {
        m_undo->clear();
        m_inputs = {};
        m_plan = m_session ? keptPlan(planProblem) : Plan{};
    }
    if (m_session)
        m_session->setPlan(m_plan);
    if (m_session) {
        // One that was queued while another file was opened is none of the new session's.
        m_session->onTimeline([state = QPointer<AppState>(this),
                               of = std::weak_ptr(m_session)](TimelinePtr timeline) {
            inWindowThread([state, of, timeline = std::move(timeline)] {
                if (state && state->m_session && of.lock() == state->m_session)
                    state->takeTimeline(timeline);
            });
        });
    }
    Q_EMIT sessionChanged();
    Q_EMIT timelineChanged();
    Q_EMIT modeChanged();
    Q_EMIT changeFilterChanged();
    Q_EMIT cursorChanged();
    Q_EMIT selectionChanged();
    Q_EMIT shownBlockedChanged();
    updateDiff();
    if (m_session) {
        takeTimeline(m_session->timeline());
        for (const ModelProblem& problem : m_session->info().problems) {
            const auto level = problem.severity == ModelProblem::Severity::error ? NoticeLevel::error
                               : problem.severity == ModelProblem::Severity::warning
                                   ? NoticeLevel::warning
                                   : NoticeLevel::info;
            // Which file, which node, what for.
            const QString cause = sentence(problem.message, &m_session->opened());
            const QString where =
                problem.node ? tr("%1, %2").arg(title(), QString::fromStdString(operatorAndName(
                                                            m_session->opened(), problem.node)))
                             : title();
            m_log.push_back({level, tr("%1: %2", "place, cause").arg(where, cause), problem.node, {}, {}});
            Q_EMIT logged(m_log.back());
        }
        if (!planProblem.isEmpty())
            notify({NoticeLevel::warning, planProblem, {}, {}, {}});
    }
}

void AppState::takeTimeline(TimelinePtr timeline)
{
    // Late ones of an older generation are dropped.
    if (!m_session || timeline->generation < m_timeline->generation ||
        (timeline->generation == m_timeline->generation &&
         timeline->size() < m_timeline->size()) ||
        timeline->history->size() < static_cast<std::size_t>(timeline->size()))
        return;
    const bool newGeneration = timeline->generation != m_timeline->generation;
    if (newGeneration && !m_resume)
        m_resume = whereItStands();
    // A run that was asked for while the first generation was still to begin is one of this plan.
    const bool otherPlan = timeline->plan != m_timeline->plan;
    m_timeline = std::move(timeline);
    if (newGeneration) {
        m_graphs.clear();
        m_diffPair.reset();
        if (otherPlan)
            dropResults();
    }
    const int size = m_timeline->size();
    const bool resumed = resume();
    // Of a timeline that still grows too: resume() goes back there when it has come so far.
    const bool lost = m_b > size || (m_a && *m_a > size);
    if (lost) {
        m_b = std::min(m_b, size);
        if (m_a)
            m_a = std::min(*m_a, size);
        if (m_a && *m_a >= m_b)
            m_a.reset();
    }
    if (m_waitingForLast && m_timeline->finished) {
        m_waitingForLast = false;
        m_b = size;
    }
    Q_EMIT timelineChanged();
    if (lost || resumed || newGeneration || m_timeline->finished) {
        Q_EMIT cursorChanged();
        updateDiff();
    }
    if (m_timeline->failed)
        notifyError(m_timeline->error);
    tellFix();
}

std::shared_ptr<const Graph> AppState::graphAt(int step) const
{
    step = std::clamp(step, 0, stepCount());
    if (m_graphsOf != m_timeline->generation) {
        m_graphs.clear();
        m_graphsOf = m_timeline->generation;
    }
    auto& graph = m_graphs[step];
    if (!graph) {
        graph = std::make_shared<const Graph>(m_timeline->at(step));
        const auto kept = graph;
        while (m_graphs.size() > keptGraphs) {
            const bool dropFirst = step - m_graphs.begin()->first > m_graphs.rbegin()->first - step;
            m_graphs.erase(dropFirst ? m_graphs.begin() : std::prev(m_graphs.end()));
        }
        return kept;
    }
    return graph;
}

std::shared_ptr<const Graph> AppState::graphOf(NodeId node, int* step) const
{
    int at = m_b;
    if (const Lifespan* life = m_timeline->unionGraph.lifespan(node); life && !life->aliveAt(m_b))
        at = m_b < life->first ? life->first : std::max(0, life->last);
    if (step)
        *step = at;
    return graphAt(at);
}

QString AppState::nameOf(NodeId node) const
{
    return QString::fromStdString(displayName(graphOf(node).get(), node));
}

QString AppState::sentence(const Message& message, const Graph* graph) const
{
    return QString::fromStdString(
        render(
            message, graph,
            [](const char* context, const char* text) {
                return QCoreApplication::translate(context, text).toStdString();
            },
            NameMarks::quotes));
}

bool AppState::isCurrentDiff() const
{
    return m_diffPair == pair();
}

void AppState::updateDiff()
{
    if (!m_session) {
        m_diff = std::make_shared<const GraphDiff>();
        m_diffPair = pair();
        Q_EMIT diffChanged();
        return;
    }
    const StepPair wanted = pair();
    if (m_diffPair == wanted)
        return;
    // One step is cheap enough to be had at once; a range is not.
    if (wanted.b - wanted.a <= 1) {
        m_diff = std::make_shared<const GraphDiff>(
            m_session->diff(*m_timeline, wanted.a, wanted.b));
        m_diffPair = wanted;
        Q_EMIT diffChanged();
        return;
    }
    m_jobs->start<GraphDiff>(
        JobKind::diff, {},
        [session = m_session, timeline = m_timeline, wanted](std::stop_token, const Progress&) {
            return Result<GraphDiff>(session->diff(*timeline, wanted.a, wanted.b));
        },
        [this, wanted](Result<GraphDiff> diff) {
            if (!diff || wanted != pair())
                return;
            m_diff = std::make_shared<const GraphDiff>(std::move(*diff));
            m_diffPair = wanted;
            Q_EMIT diffChanged();
        },
        true);
}

void AppState::notify(LogEntry entry)
{
    m_log.push_back(entry);
    Q_EMIT logged(entry);
}

void AppState::notifyError(const Error& error)
{
    if (error.code == ErrorCode::cancelled)
        return;
    const Graph* graph = m_session ? &m_session->opened() : nullptr;
    QString text = sentence(error.message, graph);
    if (!error.file.empty())
        text = QStringLiteral("%1: %2").arg(
            QFileInfo(QFile::decodeName(QByteArray::fromStdString(error.file))).fileName(), text);
    notify({NoticeLevel::error, text, error.node, {}, {}});
}

} // namespace fusescope
