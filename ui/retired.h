#pragma once

#include <QCoreApplication>
#include <QMetaObject>

#include <functional>

namespace fusescope {

// Gives up, on a thread of its own, what takes long to end: the passes of a model that nobody looks
// at any more, jobs that were stopped. The window goes on, or closes, meanwhile.
void retire(std::function<void()> giveUp);

// Waits for all that was retired; false if that takes longer than `milliseconds`.
bool waitForRetired(int milliseconds);

// Calls `function` in the window's thread when that is idle. Whoever it is for is looked after by
// the caller (a QPointer), since a job may outlive it.
template <class Function>
void inWindowThread(Function&& function)
{
    if (QCoreApplication* application = QCoreApplication::instance())
        QMetaObject::invokeMethod(application, std::forward<Function>(function),
                                  Qt::QueuedConnection);
}

} // namespace fusescope
