#include "report/make_reason.h"

#include <algorithm>

#include <fmt/format.h>

namespace fusescope {

Reason makeReason(ReasonCode code, std::vector<Subject> culprits, TextId headline, TextId message,
                  TextId unblock, ReasonArgs args, ReasonArgs unblockArgs)
{
    Message way(unblock, unblockArgs.empty() ? args : std::move(unblockArgs));
    return makeReason(code, std::move(culprits), Message(headline),
                      Message(message, std::move(args)), std::move(way));
}

Reason makeReason(ReasonCode code, std::vector<Subject> culprits, Message headline, Message message,
                  Message unblock)
{
    Reason reason;
    reason.code = code;
    reason.culprits = std::move(culprits);
    reason.headline = std::move(headline);
    reason.message = std::move(message);
    reason.unblock = std::move(unblock);
    return reason;
}

std::string bytesText(std::int64_t bytes)
{
    if (bytes < 10'000)
        return fmt::format("{} B", bytes);
    if (bytes < 10'000'000)
        return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
    return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

void keepFixesThatUnblock(std::vector<Reason>& reasons)
{
    const bool mendable = std::all_of(reasons.begin(), reasons.end(),
                                      [](const Reason& r) { return r.fix.has_value(); });
    for (Reason& reason : reasons) {
        if (!mendable)
            reason.fix.reset();
    }
}

} // namespace fusescope
