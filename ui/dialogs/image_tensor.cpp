#include "ui/dialogs/image_tensor.h"

#include <QColor>

namespace fusescope {

namespace {

constexpr std::int64_t mostSide = 16384;

double at(const QList<double>& list, int channel, double fallback)
{
    if (list.isEmpty())
        return fallback;
    return list[std::min<qsizetype>(channel, list.size() - 1)];
}

} // namespace

std::optional<Tensor> imageTensor(const QImage& image, const Type& type, const ImageRecipe& recipe,
                                  int side)
{
    if (image.isNull() || !type.isTensor() || !isFloatingPoint(type.dtype) ||
        type.shape.rank() != 4)
        return std::nullopt;
    const auto size = [&](std::size_t axis, std::int64_t fallback) {
        return type.shape[axis].constant().value_or(fallback);
    };
    const std::int64_t channels = size(1, 3);
    const std::int64_t height = size(2, side);
    const std::int64_t width = size(3, side);
    if (size(0, 1) != 1 || (channels != 1 && channels != 3) || height < 1 || width < 1 ||
        height > mostSide || width > mostSide)
        return std::nullopt;
    const QImage scaled =
        image.scaled(static_cast<int>(width), static_cast<int>(height), Qt::IgnoreAspectRatio,
                     Qt::SmoothTransformation)
            .convertToFormat(QImage::Format_RGB32);
    Tensor tensor = Tensor::allocate(type.dtype, {1, channels, height, width});
    for (int y = 0; y < scaled.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(scaled.constScanLine(y));
        for (int x = 0; x < scaled.width(); ++x) {
            const QRgb pixel = line[x];
            const double parts[3] = {static_cast<double>(qRed(pixel)),
                                     static_cast<double>(qGreen(pixel)),
                                     static_cast<double>(qBlue(pixel))};
            for (int c = 0; c < channels; ++c) {
                const double value = channels == 1 ? qGray(pixel) : parts[c];
                tensor.store((c * height + y) * width + x,
                             (value - at(recipe.mean, c, 0)) * at(recipe.scale, c, 1));
            }
        }
    }
    return tensor;
}

} // namespace fusescope
