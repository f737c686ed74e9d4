#include "ui/jobs.h"

#include "ui/retired.h"
#include "ui/run_turns.h"

#include <QPointer>
#include <QThreadPool>

namespace fusescope {

struct Jobs::Running
{
    std::stop_source stop;
    bool quiet = false;
    bool superseded = false; // window's thread only
};

struct Jobs::Shared
{
    QThreadPool models; // they take turns
    QThreadPool others;
};

namespace {

bool runsModels(JobKind kind)
{
    return kind == JobKind::compare || kind == JobKind::bisect || kind == JobKind::profile ||
           kind == JobKind::exportModel || kind == JobKind::values;
}

} // namespace

Jobs::Jobs(QObject* parent) : QObject(parent), m_shared(std::make_shared<Shared>())
{
    m_shared->models.setMaxThreadCount(8); // more than there are kinds: each waits in its own
    m_shared->others.setMaxThreadCount(4);
}

Jobs::~Jobs()
{
    for (auto& [kind, job] : m_running)
        job->stop.request_stop();
    m_shared->models.clear();
    m_shared->others.clear();
    // Nobody waits for what takes long to stop.
    if (m_shared->models.activeThreadCount() > 0 || m_shared->others.activeThreadCount() > 0)
        retire([shared = std::move(m_shared)]() mutable {
            shared->models.waitForDone();
            shared->others.waitForDone();
            shared.reset();
        });
}

void Jobs::run(JobKind kind, const QString& text, bool quiet, Work work)
{
    if (const auto older = m_running.find(kind); older != m_running.end()) {
        older->second->superseded = true;
        older->second->stop.request_stop();
    }
    auto job = std::make_shared<Running>();
    job->quiet = quiet;
    m_running[kind] = job;
    if (!quiet)
        Q_EMIT started(kind, text);
    auto& pool = runsModels(kind) ? m_shared->models : m_shared->others;
    auto place = runsModels(kind) ? RunTurns::ofProcess().queue() : nullptr;
    pool.start([jobs = QPointer<Jobs>(this), kind, job, place = std::move(place),
                work = std::move(work)]() mutable {
        const Progress progress{[&](double fraction, const Message& doing) {
            if (job->quiet)
                return;
            inWindowThread([jobs, kind, job, fraction, doing] {
                if (jobs && !job->superseded)
                    Q_EMIT jobs->progressed(kind, fraction, doing);
            });
        }};
        if (place && !place->isFirst())
            progress(-1, Message("session.waiting-for-run"));
        if (place)
            place->wait(job->stop.get_token());
        std::function<void()> deliver = work(job->stop.get_token(), progress);
        inWindowThread([jobs, kind, job, deliver = std::move(deliver)] {
            if (!jobs || job->superseded)
                return;
            jobs->m_running.erase(kind);
            deliver();
            // What was delivered may have started the same again.
            if (jobs && !job->quiet && !jobs->isRunning(kind))
                Q_EMIT jobs->finished(kind);
        });
        place.reset(); // the next one tells later
    });
}

bool Jobs::isRunning(JobKind kind) const
{
    return m_running.count(kind) > 0;
}

bool Jobs::anyRunning() const
{
    for (const auto& [kind, job] : m_running) {
        if (!job->quiet)
            return true;
    }
    return false;
}

void Jobs::cancel(JobKind kind)
{
    if (const auto job = m_running.find(kind); job != m_running.end())
        job->second->stop.request_stop();
}

void Jobs::forget(JobKind kind)
{
    const auto job = m_running.find(kind);
    if (job == m_running.end())
        return;
    job->second->superseded = true;
    job->second->stop.request_stop();
    const bool quiet = job->second->quiet;
    m_running.erase(job);
    if (!quiet)
        Q_EMIT finished(kind);
}

void Jobs::cancelAll()
{
    for (auto& [kind, job] : m_running) {
        if (!job->quiet)
            job->stop.request_stop();
    }
}

} // namespace fusescope
