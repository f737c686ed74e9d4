#include "ui/app_state.h"

#include <QFile>

namespace fusescope {

namespace {

// What a run is about.
struct RunSubject
{
    std::shared_ptr<Session> session;
    TimelinePtr timeline;
    StepPair pair;
    bool toTheEnd = false; // the last step, whichever that is when the passes have ended

    Result<void> settle(std::stop_token stop, const Progress& progress)
    {
        if (!toTheEnd)
            return {};
        FUSESCOPE_ASSIGN(timeline, session->finish(stop, progress));
        pair.b = timeline->size();
        return {};
    }
};

} // namespace

void AppState::setInputs(InputSpec inputs)
{
    if (inputs == m_inputs)
        return;
    m_inputs = std::move(inputs);
    dropResults();
    Q_EMIT inputsChanged();
}

void AppState::setTolerance(std::optional<double> rtol, std::optional<double> atol)
{
    m_rtol = rtol;
    m_atol = atol;
    dropResults();
    Q_EMIT inputsChanged();
}

void AppState::setThreads(int threads)
{
    m_threads = std::max(1, threads);
}

void AppState::dropResults()
{
    const bool hadCompare = m_compare.has_value();
    const bool hadProfile = m_profile.has_value();
    ++m_resultsOf;
    for (const JobKind kind : {JobKind::compare, JobKind::bisect, JobKind::profile})
        m_jobs->cancel(kind);
    m_compare.reset();
    m_profile.reset();
    if (hadCompare)
        Q_EMIT compareChanged();
    if (hadProfile)
        Q_EMIT profileChanged();
}

void AppState::runAndCompare()
{
    if (!m_session)
        return;
    CompareOptions options;
    options.inputs = m_inputs;
    options.rtol = m_rtol;
    options.atol = m_atol;
    m_jobs->start<CompareResult>(
        JobKind::compare, tr("Running and comparing"),
        [subject = RunSubject{m_session, m_timeline, namedPair(), reachesTheEnd()},
         options](std::stop_token stop, const Progress& progress) mutable -> Result<CompareResult> {
            FUSESCOPE_TRY(subject.settle(stop, progress));
            const StepPair pair = subject.pair;
            FUSESCOPE_ASSIGN(Comparison comparison,
                             subject.session->compare(*subject.timeline, pair.a, pair.b, options,
                                                      stop, progress));
            return CompareResult{pair, std::move(comparison), std::nullopt};
        },
        [this, of = m_resultsOf](Result<CompareResult> result) {
            if (of != m_resultsOf)
                return;
            if (!result) {
                notifyError(result.error());
                return;
            }
            m_compare = std::move(*result);
            Q_EMIT compareChanged();
        });
}

void AppState::findDivergence()
{
    if (!m_session)
        return;
    CompareOptions options;
    options.inputs = m_inputs;
    options.rtol = m_rtol;
    options.atol = m_atol;
    struct Found
    {
        StepPair pair;
        Divergence divergence;
        std::optional<Comparison> comparison; // where none of the pair stood yet
    };
    m_jobs->start<Found>(
        JobKind::bisect, tr("Looking for the first step that differs"),
        [subject = RunSubject{m_session, m_timeline, m_compare ? m_compare->pair : namedPair(),
                              !m_compare && reachesTheEnd()},
         options, compareToo = !m_compare](std::stop_token stop, const Progress& progress) mutable -> Result<Found> {
            FUSESCOPE_TRY(subject.settle(stop, progress));
            const StepPair pair = subject.pair;
            FUSESCOPE_ASSIGN(Divergence divergence,
                             subject.session->bisect(*subject.timeline, pair.a, pair.b, options,
                                                     stop, progress));
            Found found{pair, std::move(divergence), std::nullopt};
            if (compareToo) {
                FUSESCOPE_ASSIGN(Comparison comparison,
                                 subject.session->compare(*subject.timeline, pair.a, pair.b,
                                                          options, stop, progress));
                found.comparison = std::move(comparison);
            }
            return found;
        },
        [this, of = m_resultsOf](Result<Found> result) {
            if (of != m_resultsOf)
                return;
            if (!result) {
                notifyError(result.error());
                return;
            }
            if (result->comparison)
                m_compare = CompareResult{result->pair, std::move(*result->comparison), std::nullopt};
            else if (!m_compare || m_compare->pair != result->pair)
                m_compare = CompareResult{result->pair, {}, std::nullopt};
            const auto step = result->divergence.step;
            m_compare->divergence = std::move(result->divergence);
            const NodeId culprit = m_compare->divergence->cause ? m_compare->divergence->cause->node
                                                                : NodeId{};
            Q_EMIT compareChanged();
            if (step) {
                setB(*step);
                setMode(GraphMode::overlay);
                if (culprit)
                    goTo(culprit);
            }
        });
}

void AppState::profile()
{
    if (!m_session)
        return;
    BenchOptions options;
    options.inputs = m_inputs;
    options.threads = m_threads;
    options.profile = true;
    m_jobs->start<ProfileResult>(
        JobKind::profile, tr("Profiling"),
        [subject = RunSubject{m_session, m_timeline, namedPair(), reachesTheEnd()},
         options](std::stop_token stop, const Progress& progress) mutable -> Result<ProfileResult> {
            FUSESCOPE_TRY(subject.settle(stop, progress));
            BenchOptions wanted = options;
            wanted.a = subject.pair.a;
            wanted.b = subject.pair.b;
            FUSESCOPE_ASSIGN(BenchReport report,
                             subject.session->bench(*subject.timeline, wanted, stop, progress));
            return ProfileResult{subject.pair, std::move(report)};
        },
        [this, of = m_resultsOf](Result<ProfileResult> result) {
            if (of != m_resultsOf)
                return;
            if (!result) {
                notifyError(result.error());
                return;
            }
            m_profile = std::move(*result);
            Q_EMIT profileChanged();
        });
}

void AppState::exportModel(const QString& path, const ExportOptions& options)
{
    if (!m_session)
        return;
    m_jobs->start<ExportResult>(
        JobKind::exportModel, tr("Exporting"),
        [subject = RunSubject{m_session, m_timeline, {}, options.upTo < 0}, options,
         file = QFile::encodeName(path).toStdString()](
            std::stop_token stop, const Progress& progress) mutable -> Result<ExportResult> {
            FUSESCOPE_TRY(subject.settle(stop, progress));
            return subject.session->exportModel(*subject.timeline, file, options, stop, progress);
        },
        [this, path](Result<ExportResult> result) {
            if (result)
                Q_EMIT exported(path, *result);
            else
                notifyError(result.error());
        });
}

} // namespace fusescope
