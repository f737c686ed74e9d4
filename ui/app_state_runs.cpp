#include "ui/app_state.h"

#include <QFile>

namespace fusescope {

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
    const StepPair pair = namedPair();
    CompareOptions options;
    options.inputs = m_inputs;
    options.rtol = m_rtol;
    options.atol = m_atol;
    m_jobs->start<Comparison>(
        JobKind::compare, tr("Running and comparing"),
        [session = m_session, timeline = m_timeline, pair, options](std::stop_token stop,
                                                                    const Progress& progress) {
            return session->compare(*timeline, pair.a, pair.b, options, stop, progress);
        },
        [this, pair, of = m_resultsOf](Result<Comparison> result) {
            if (of != m_resultsOf)
                return;
            if (!result) {
                notifyError(result.error());
                return;
            }
            m_compare = CompareResult{pair, std::move(*result), std::nullopt};
            Q_EMIT compareChanged();
        });
}

void AppState::findDivergence()
{
    if (!m_session)
        return;
    const StepPair pair = m_compare ? m_compare->pair : namedPair();
    CompareOptions options;
    options.inputs = m_inputs;
    options.rtol = m_rtol;
    options.atol = m_atol;
    m_jobs->start<Divergence>(
        JobKind::bisect, tr("Looking for the first step that differs"),
        [session = m_session, timeline = m_timeline, pair, options](std::stop_token stop,
                                                                    const Progress& progress) {
            return session->bisect(*timeline, pair.a, pair.b, options, stop, progress);
        },
        [this, pair, of = m_resultsOf](Result<Divergence> result) {
            if (of != m_resultsOf)
                return;
            if (!result) {
                notifyError(result.error());
                return;
            }
            if (!m_compare || m_compare->pair != pair)
                m_compare = CompareResult{pair, {}, std::nullopt};
            const auto step = result->step;
            m_compare->divergence = std::move(*result);
            Q_EMIT compareChanged();
            if (step) {
                setB(*step);
                setMode(GraphMode::overlay);
            }
        });
}

void AppState::profile()
{
    if (!m_session)
        return;
    const StepPair pair = namedPair();
    BenchOptions options;
    options.inputs = m_inputs;
    options.threads = m_threads;
    options.profile = true;
    options.a = pair.a;
    options.b = pair.b;
    m_jobs->start<BenchReport>(
        JobKind::profile, tr("Profiling"),
        [session = m_session, timeline = m_timeline, options](std::stop_token stop,
                                                              const Progress& progress) {
            return session->bench(*timeline, options, stop, progress);
        },
        [this, pair, of = m_resultsOf](Result<BenchReport> result) {
            if (of != m_resultsOf)
                return;
            if (!result) {
                notifyError(result.error());
                return;
            }
            m_profile = ProfileResult{pair, std::move(*result)};
            Q_EMIT profileChanged();
        });
}

void AppState::exportModel(const QString& path, const ExportOptions& options)
{
    if (!m_session)
        return;
    m_jobs->start<ExportResult>(
        JobKind::exportModel, tr("Exporting"),
        [session = m_session, timeline = m_timeline, options,
         file = QFile::encodeName(path).toStdString()](std::stop_token stop,
                                                       const Progress& progress) {
            return session->exportModel(*timeline, file, options, stop, progress);
        },
        [this, path](Result<ExportResult> result) {
            if (result)
                Q_EMIT exported(path, *result);
            else
                notifyError(result.error());
        });
}

} // namespace fusescope
