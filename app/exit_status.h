#pragma once

#include "base/result.h"

namespace fusescope {

// What a command ends with; scripts rely on it.
enum class ExitStatus {
    allRight = 0,
    answerIsNo = 1, // outputs differ, a conformance test fails, --fail-on-blocked
    wrongUsage = 2,
    unreadable = 3,    // a model or data file cannot be read or is not valid
    cannotBeDone = 4,  // an operator without a kernel, a form that cannot express the graph
    notWritten = 5,
    cancelled = 130
};

inline ExitStatus statusOf(ErrorCode code)
{
    switch (code) {
    case ErrorCode::invalidArgument:
        return ExitStatus::wrongUsage;
    case ErrorCode::unreadable:
    case ErrorCode::invalidModel:
        return ExitStatus::unreadable;
    case ErrorCode::notWritten:
        return ExitStatus::notWritten;
    case ErrorCode::cancelled:
        return ExitStatus::cancelled;
    case ErrorCode::unsupported:
    case ErrorCode::failed:
        break;
    }
    return ExitStatus::cannotBeDone;
}

} // namespace fusescope
