#include "ui/retired.h"

#include <QThreadPool>

namespace fusescope {

namespace {

QThreadPool& retired()
{
    static QThreadPool pool;
    return pool;
}

} // namespace

void retire(std::function<void()> giveUp)
{
    static const bool waits = [] {
        retired().setMaxThreadCount(64);
        // Results are posted to the application, so it outlives who posts.
        qAddPostRoutine([] { retired().waitForDone(); });
        return true;
    }();
    Q_UNUSED(waits)
    retired().start(std::move(giveUp));
}

bool waitForRetired(int milliseconds)
{
    return retired().waitForDone(milliseconds);
}

} // namespace fusescope
