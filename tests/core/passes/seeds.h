#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <string>

namespace fusescope::test {

struct Seeds
{
    std::uint64_t first = 1, last = 0;
    bool asked = false;
};

// The first `count`, or those asked for: FUSESCOPE_SEEDS=1000-20999.
inline Seeds seeds(std::uint64_t count)
{
    const QStringList asked = qEnvironmentVariable("FUSESCOPE_SEEDS").split(u'-');
    bool first = false, last = false;
    if (asked.size() == 2) {
        const Seeds range{asked[0].toULongLong(&first), asked[1].toULongLong(&last), true};
        if (first && last)
            return range;
    }
    return {1, count, false};
}

// A value that is rounded to half precision (to = 10) may fall to the next one for an error in its
// last place, which is a thousand times as large.
inline double toleranceFor(const std::string& text)
{
    return text.find("to = 10>") == std::string::npos ? 1e-4 : 2e-3;
}

} // namespace fusescope::test
