#pragma once

#include "base/out_of_memory.h"
#include "base/progress.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>
#include <stop_token>

namespace fusescope {

// What a job does; a new job of a kind stops the older one of that kind, whose result is dropped.
enum class JobKind {
    open, figures, diff, drawing, explain, compare, bisect, profile, exportModel, picture,
    report, conditions, tensors, values
};

// Runs the slow calls of Session on threads and brings their results back into the window's thread.
// Runs of models (compare, bisect, profile, export) queue one after the other, in all windows of the
// process, and say that they wait; the rest starts at once.
class Jobs : public QObject
{
    Q_OBJECT

public:
    explicit Jobs(QObject* parent = nullptr);
    ~Jobs() override;

    // `work` runs on a thread; `done` in the window's thread, unless the job was superseded. `text`
    // says what is done ("Comparing…"). A quiet job shows no progress.
    template <class T>
    void start(JobKind kind, const QString& text,
               std::function<Result<T>(std::stop_token, const Progress&)> work,
               std::function<void(Result<T>)> done, bool quiet = false)
    {
        run(kind, text, quiet,
            [work = std::move(work), done = std::move(done)](
                std::stop_token stop, const Progress& progress) -> std::function<void()> {
                auto result = std::make_shared<Result<T>>(
                    withinMemory([&] { return work(stop, progress); }));
                return [done, result] { done(std::move(*result)); };
            });
    }

    bool isRunning(JobKind kind) const;
    bool anyRunning() const; // quiet ones left out
    // Stops one kind, or all that show progress; their `done` gets the error "cancelled".
    void cancel(JobKind kind);
    void cancelAll();
    // Stops one kind, whose `done` is never called: for whoever that belonged to is gone.
    void forget(JobKind kind);

Q_SIGNALS:
    void started(fusescope::JobKind kind, const QString& text);
    // fraction −1 while the amount of work is not known.
    void progressed(fusescope::JobKind kind, double fraction, const fusescope::Message& doing);
    void finished(fusescope::JobKind kind);

private:
    using Work = std::function<std::function<void()>(std::stop_token, const Progress&)>;
    void run(JobKind kind, const QString& text, bool quiet, Work work);

    struct Running;
    struct Shared;
    std::shared_ptr<Shared> m_shared;
    std::map<JobKind, std::shared_ptr<Running>> m_running;
};

} // namespace fusescope
