#include "ops/broadcast.h"
#include "ops/pooling/pool.h"
#include "ops/shape_messages.h"

#include <cmath>

namespace fusescope {

// The indices count over the whole tensor that MaxPool read: one of the size that the window gives,
// whatever larger size `output_shape` asks for.
Result<void> runMaxUnpool(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* indices, context.tensor(1));
    const Tensor* wanted = context.optionalTensor(2);
    FUSESCOPE_TRY(requireRank(context, *x, 0, 3));
    auto kernel = context.attributes().getInts("kernel_shape");
    if (!kernel || kernel->size() + 2 != x->rank())
        return context.wrong(wrongAttribute("kernel_shape",
                                            std::to_string(x->rank() - 2) + " numbers",
                                            std::to_string(kernel ? kernel->size() : 0)));
    if (indices->shape() != x->shape())
        return context.wrong(wrongShape(1, shapeText(x->shape()), shapeText(indices->shape())));
    FUSESCOPE_ASSIGN(const Window window, readWindow(context.attributes(), *kernel));
    Sizes pooled = {x->shape()[0], x->shape()[1]};
    for (std::size_t i = 0; i < window.rank(); ++i)
        pooled.push_back((x->shape()[i + 2] - 1) * window.strides[i] + window.kernel[i] -
                         window.padBegin[i] - window.padEnd[i]);
    Sizes sizes = pooled;
    if (wanted) {
        sizes = wanted->asInts();
        if (sizes.size() != pooled.size())
            return context.wrong(wrongShape(2, "[" + std::to_string(pooled.size()) + "]",
                                            shapeText(wanted->shape())));
    }
    if (!elementCountOf(pooled) || !elementCountOf(sizes))
        return context.wrong(Message("ops.window-too-large", {{"shape", shapeText(pooled)}}));
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(), sizes));
    const Sizes strides = stridesOf(sizes);
    const std::int64_t limit = productOf(pooled);
    for (std::int64_t i = 0; i < x->elementCount(); ++i) {
        const std::int64_t index = indices->asInt(i);
        if (index < 0 || index >= limit)
            return context.wrong(indexOutOfRange(1, index, limit));
        std::int64_t rest = index, at = 0;
        for (std::size_t axis = pooled.size(); axis-- > 0;) {
            const std::int64_t position = rest % pooled[axis];
            rest /= pooled[axis];
            if (position >= sizes[axis])
                return context.wrong(wrongValue("output_shape[" + std::to_string(axis) + "]",
                                                ">= " + std::to_string(position + 1),
                                                std::to_string(sizes[axis])));
            at += position * strides[axis];
        }
        y.store(at, x->asDouble(i));
    }
    context.setOutput(0, std::move(y));
    return {};
}

Result<void> runMaxRoiPool(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const Tensor* x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* rois, context.tensor(1));
    FUSESCOPE_TRY(requireRank(context, *x, 0, 4, 4));
    FUSESCOPE_TRY(requireRank(context, *rois, 1, 2, 2));
    const auto pooled = context.attributes().getInts("pooled_shape");
    if (!pooled || pooled->size() != 2)
        return context.wrong(wrongAttribute("pooled_shape", "2 numbers",
                                            std::to_string(pooled ? pooled->size() : 0)));
    if (rois->shape()[1] != 5)
        return context.wrong(wrongShape(1, "[regions, 5]", shapeText(rois->shape())));
    const double scale = context.attributes().getFloat("spatial_scale", 1.0F);
    const std::int64_t channels = x->shape()[1], height = x->shape()[2], width = x->shape()[3];
    const std::int64_t rows = (*pooled)[0], columns = (*pooled)[1];
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(x->dtype(),
                                                {rois->shape()[0], channels, rows, columns}));
    const auto clamp = [](double v, std::int64_t high) {
        return v > 0.0 ? static_cast<std::int64_t>(std::min(v, static_cast<double>(high)))
                       : std::int64_t{0}; // also for no number
    };
    for (std::int64_t r = 0; r < rois->shape()[0]; ++r) {
        const std::int64_t batch = rois->asInt(r * 5);
        if (batch < 0 || batch >= x->shape()[0])
            return context.wrong(indexOutOfRange(1, batch, x->shape()[0]));
        double corner[4];
        for (std::int64_t i = 0; i < 4; ++i)
            corner[i] = std::round(rois->asDouble(r * 5 + 1 + i) * scale);
        const double binHeight = std::max(corner[3] - corner[1] + 1, 1.0) / static_cast<double>(rows);
        const double binWidth = std::max(corner[2] - corner[0] + 1, 1.0) / static_cast<double>(columns);
        for (std::int64_t c = 0; c < channels; ++c) {
            if (context.stopRequested())
                return cancelled();
            for (std::int64_t i = 0; i < rows * columns; ++i) {
                const auto row = static_cast<double>(i / columns);
                const auto column = static_cast<double>(i % columns);
                const std::int64_t top = clamp(std::floor(row * binHeight) + corner[1], height);
                const std::int64_t bottom = clamp(std::ceil((row + 1) * binHeight) + corner[1], height);
                const std::int64_t left = clamp(std::floor(column * binWidth) + corner[0], width);
                const std::int64_t right = clamp(std::ceil((column + 1) * binWidth) + corner[0], width);
                double best = bottom > top && right > left
                                  ? -std::numeric_limits<double>::infinity()
                                  : 0;
                for (std::int64_t h = top; h < bottom; ++h) {
                    for (std::int64_t w = left; w < right; ++w)
                        best = std::max(
                            best, x->asDouble(((batch * channels + c) * height + h) * width + w));
                }
                y.store((r * channels + c) * rows * columns + i, best);
            }
        }
    }
    context.setOutput(0, std::move(y));
    return {};
}

} // namespace fusescope
