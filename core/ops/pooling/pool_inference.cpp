#include "ops/pooling/pool.h"

namespace fusescope {

Result<void> inferPool(InferenceContext& context)
{
    const bool indices = context.node().op.type == "MaxPool";
    FUSESCOPE_TRY(requireRank(context, 0, 3));
    const Shape& x = context.shape(0);
    const auto kernel = context.attributes().getInts("kernel_shape");
    if (!kernel || kernel->empty())
        return context.wrong(missingAttribute("kernel_shape"));
    Shape result = context.unknownShape(0, kernel->size() + 2);
    if (x.hasRank()) {
        if (x.rank() != kernel->size() + 2)
            return context.wrong(wrongAttribute("kernel_shape",
                                                std::to_string(x.rank() - 2) + " numbers",
                                                std::to_string(kernel->size())));
        auto window = readWindow(context.attributes(), *kernel);
        if (!window)
            return context.wrong(window.error().message);
        result.set(0, x[0]);
        result.set(1, x[1]);
        for (std::size_t i = 0; i < kernel->size(); ++i) {
            Dim size = windowOutput(*window, i, x[i + 2]);
            const auto number = size.constant();
            if (number && *number < 0)
                return context.wrong(Message("ops.window-too-large", {{"shape", x.text()}}));
            result.set(i + 2, std::move(size));
        }
    }
    if (indices)
        context.setTensor(1, DType::int64, result);
    context.setTensor(0, context.dtype(0), std::move(result));
    return {};
}

Result<void> inferGlobalPool(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 2));
    const Shape& x = context.shape(0);
    if (!x.hasRank()) {
        context.setTensor(0, context.dtype(0), Shape());
        return {};
    }
    std::vector<Dim> dims(x.rank(), Dim(1));
    dims[0] = x[0];
    dims[1] = x[1];
    context.setTensor(0, context.dtype(0), Shape::of(std::move(dims)));
    return {};
}

Result<void> inferMaxUnpool(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 3));
    const Shape& x = context.shape(0);
    const auto kernel = context.attributes().getInts("kernel_shape");
    if (!kernel)
        return context.wrong(missingAttribute("kernel_shape"));
    if (context.hasInput(2)) {
        const ShapeData sizes = context.integers(2);
        context.setTensor(0, context.dtype(0),
                          sizes ? Shape::of(*sizes) : context.unknownShape(0, kernel->size() + 2));
        return {};
    }
    Shape result = context.unknownShape(0, kernel->size() + 2);
    if (x.hasRank() && x.rank() == kernel->size() + 2) {
        auto window = readWindow(context.attributes(), *kernel);
        if (!window)
            return context.wrong(window.error().message);
        result.set(0, x[0]);
        result.set(1, x[1]);
        for (std::size_t i = 0; i < kernel->size(); ++i)
            result.set(i + 2, (x[i + 2] - Dim(1)) * Dim(window->strides[i]) +
                                  Dim(window->kernel[i] - window->padBegin[i] - window->padEnd[i]));
    }
    context.setTensor(0, context.dtype(0), std::move(result));
    return {};
}

Result<void> inferMaxRoiPool(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 4, 4));
    FUSESCOPE_TRY(requireRank(context, 1, 2, 2));
    const auto pooled = context.attributes().getInts("pooled_shape");
    if (!pooled || pooled->size() != 2)
        return context.wrong(missingAttribute("pooled_shape"));
    const Shape& x = context.shape(0);
    const Shape& rois = context.shape(1);
    context.setTensor(0, context.dtype(0),
                      Shape::of({rois.hasRank() ? rois[0] : context.unknown(0, 0),
                                 x.hasRank() ? x[1] : context.unknown(0, 1), Dim((*pooled)[0]),
                                 Dim((*pooled)[1])}));
    return {};
}

} // namespace fusescope
