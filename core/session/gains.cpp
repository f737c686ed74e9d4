#include "session/gains.h"

namespace fusescope {

namespace {

std::optional<double> changeOf(double before, double after)
{
    if (!(before > 0))
        return std::nullopt;
    return (after - before) / before * 100;
}

} // namespace

bool Gain::isReached() const
{
    if (!measured)
        return false;
    return what == What::speed ? *measured >= from : *measured <= from;
}

std::vector<Gain> gainsOf(const ModelFigures& before, const ModelFigures& after,
                          std::optional<std::pair<double, double>> medians)
{
    Gain size{Gain::What::size, -20, -50,
              changeOf(static_cast<double>(before.bytes), static_cast<double>(after.bytes))};
    Gain memory{Gain::What::memory, -15, -40,
                changeOf(static_cast<double>(before.activationBytes),
                         static_cast<double>(after.activationBytes))};
    Gain speed{Gain::What::speed, 10, 30, std::nullopt};
    // Twice as fast is +100 %.
    if (medians && medians->first > 0 && medians->second > 0)
        speed.measured = (medians->first / medians->second - 1) * 100;
    return {size, memory, speed};
}

} // namespace fusescope
