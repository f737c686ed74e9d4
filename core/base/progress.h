#pragma once

#include "base/message.h"

#include <functional>
#include <stop_token>

namespace fusescope {

// What a long job says of itself. `report` may be called from any thread and must be cheap;
// `fraction` is 0..1, or negative while the amount of work is not known.
struct Progress
{
    std::function<void(double fraction, const Message& doing)> report;

    void operator()(double fraction, const Message& doing) const
    {
        if (report)
            report(fraction, doing);
    }
};

} // namespace fusescope
