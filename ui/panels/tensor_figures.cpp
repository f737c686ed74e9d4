#include "ui/panels/tensor_figures.h"

#include <algorithm>
#include <cmath>

namespace fusescope {

std::optional<TensorFigures> tensorFigures(const Tensor& tensor, std::stop_token stop)
{
    if (!tensor.isAvailable() || tensor.isString())
        return std::nullopt;
    TensorFigures figures;
    const std::int64_t count = tensor.isSplat() ? std::min<std::int64_t>(1, tensor.elementCount())
                                                : tensor.elementCount();
    const std::int64_t weight = tensor.isSplat() && count > 0 ? tensor.elementCount() : 1;
    constexpr std::int64_t askEvery = 1 << 16;
    double sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        if (i % askEvery == 0 && stop.stop_requested())
            return std::nullopt;
        const double value = tensor.asDouble(i);
        if (std::isnan(value)) {
            figures.nan += weight;
        } else if (std::isinf(value)) {
            figures.inf += weight;
        } else {
            figures.least = figures.finite == 0 ? value : std::min(figures.least, value);
            figures.most = figures.finite == 0 ? value : std::max(figures.most, value);
            figures.zeros += value == 0 ? weight : 0;
            figures.finite += weight;
            sum += value * static_cast<double>(weight);
        }
    }
    if (figures.finite == 0)
        return figures;
    figures.mean = sum / static_cast<double>(figures.finite);
    figures.bins.assign(histogramBins, 0);
    const double width = figures.most - figures.least;
    double squares = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        if (i % askEvery == 0 && stop.stop_requested())
            return std::nullopt;
        const double value = tensor.asDouble(i);
        if (!std::isfinite(value))
            continue;
        const double apart = value - figures.mean;
        squares += apart * apart * static_cast<double>(weight);
        const double place = std::isfinite(width) && width > 0
                                 ? (value - figures.least) / width * histogramBins
                                 : 0;
        const auto bin = std::min(histogramBins - 1, static_cast<std::size_t>(place));
        figures.bins[bin] += weight;
    }
    figures.deviation = std::sqrt(squares / static_cast<double>(figures.finite));
    return figures;
}

} // namespace fusescope
