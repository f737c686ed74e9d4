#include "ops/convolution/conv.h"
#include "ops/window.h"

namespace fusescope {

namespace {

// The kernel's sizes in terms: as the attribute says, else those of the weights.
std::optional<std::vector<Dim>> kernelOf(const InferenceContext& context, std::size_t weights)
{
    const auto given = context.attributes().getInts("kernel_shape");
    const Shape& w = context.shape(weights);
    std::optional<std::vector<Dim>> kernel;
    if (w.hasRank() && w.rank() >= 3)
        kernel = std::vector<Dim>(w.dims().begin() + 2, w.dims().end());
    if (!given || given->empty())
        return kernel;
    if (!kernel || kernel->size() != given->size())
        return std::vector<Dim>(given->begin(), given->end());
    // Numbers of the weights win: windowOf() finds what the attribute says against them.
    for (std::size_t i = 0; i < given->size(); ++i) {
        if (!(*kernel)[i].isConstant())
            (*kernel)[i] = (*given)[i];
    }
    return kernel;
}

// The window of a kernel; a size that is no number counts as 1 in it.
Result<Window> windowOf(const InferenceContext& context, const std::vector<Dim>& kernel)
{
    Sizes sizes;
    for (const Dim& size : kernel)
        sizes.push_back(size.constant().value_or(1));
    auto window = readWindow(context.attributes(), std::move(sizes));
    if (!window)
        return context.wrong(window.error().message);
    return window;
}

Dim extentOf(const Window& window, std::size_t axis, const Dim& kernel)
{
    return Dim(window.dilations[axis]) * (kernel - Dim(1)) + Dim(1);
}

Result<void> checkChannels(const InferenceContext& context, const Dim& channels, const Dim& perGroup)
{
    const Dim groups = context.attributes().getInt("group", 1);
    if (provablyDifferent(channels, perGroup * groups))
        return context.wrong(Message("ops.conv-channels", {{"channels", channels.text()},
                                                           {"weights", context.shape(1).text()},
                                                           {"groups", groups.text()}}));
    return {};
}

} // namespace

Result<Shape> convShape(const InferenceContext& context, std::size_t xi, std::size_t wi)
{
    const Shape& x = context.shape(xi);
    const Shape& w = context.shape(wi);
    FUSESCOPE_TRY(requireRank(context, xi, 3));
    FUSESCOPE_TRY(requireRank(context, wi, 3));
    if (x.hasRank() && w.hasRank()) {
        if (x.rank() != w.rank())
            return context.wrong(wrongRank(wi, std::to_string(x.rank()), w.rank()));
        FUSESCOPE_TRY(checkChannels(context, x[1], w[1]));
    }
    if (!x.hasRank() && !w.hasRank())
        return Shape::unranked();
    const std::size_t rank = x.hasRank() ? x.rank() : w.rank();
    const auto kernel = kernelOf(context, wi);
    if (!kernel || !x.hasRank()) {
        Shape result = context.unknownShape(0, rank);
        if (x.hasRank())
            result.set(0, x[0]);
        if (w.hasRank())
            result.set(1, w[0]);
        return result;
    }
    if (kernel->size() + 2 != rank)
        return context.wrong(wrongAttribute("kernel_shape", std::to_string(rank - 2) + " numbers",
                                            std::to_string(kernel->size())));
    FUSESCOPE_ASSIGN(const Window window, windowOf(context, *kernel));
    Shape result = Shape::of(std::vector<Dim>(rank));
    result.set(0, x[0]);
    result.set(1, w.hasRank() ? w[0] : context.unknown(0, 1));
    for (std::size_t i = 0; i < kernel->size(); ++i) {
        Dim size = windowOutput(window, i, x[i + 2], extentOf(window, i, (*kernel)[i]));
        const auto number = size.constant();
        if (number && *number < 0)
            return context.wrong(Message("ops.window-too-large", {{"shape", x.text()}}));
        result.set(i + 2, std::move(size));
    }
    return result;
}

Result<void> inferConv(InferenceContext& context)
{
    FUSESCOPE_ASSIGN(Shape shape, convShape(context, 0, 1));
    if (context.hasInput(2)) {
        FUSESCOPE_TRY(requireRank(context, 2, 1, 1));
        const Shape& bias = context.shape(2);
        const Shape& w = context.shape(1);
        if (bias.hasRank() && w.hasRank() && provablyDifferent(bias[0], w[0]))
            return context.wrong(wrongShape(2, "[" + w[0].text() + "]", bias.text()));
    }
    context.setTensor(0, context.dtype(0), std::move(shape));
    return {};
}

Result<void> inferConvInteger(InferenceContext& context)
{
    FUSESCOPE_ASSIGN(Shape shape, convShape(context, 0, 1));
    context.setTensor(0, DType::int32, std::move(shape));
    return {};
}

Result<void> inferConvTranspose(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 3));
    FUSESCOPE_TRY(requireRank(context, 1, 3));
    const Shape& x = context.shape(0);
    const Shape& w = context.shape(1);
    if (!x.hasRank()) {
        context.setTensor(0, context.dtype(0),
                          w.hasRank() ? context.unknownShape(0, w.rank()) : Shape());
        return {};
    }
    Shape result = context.unknownShape(0, x.rank());
    result.set(0, x[0]);
    if (w.hasRank()) {
        if (w.rank() != x.rank())
            return context.wrong(wrongRank(1, std::to_string(x.rank()), w.rank()));
        if (provablyDifferent(x[1], w[0]))
            return context.wrong(wrongShape(1, "[" + x[1].text() + ", …]", w.text()));
        result.set(1, w[1] * Dim(context.attributes().getInt("group", 1)));
    }
    const auto outputShape = context.attributes().getInts("output_shape");
    const auto kernel = kernelOf(context, 1);
    if (outputShape && outputShape->size() + 2 >= x.rank()) {
        const std::size_t skip = outputShape->size() + 2 - x.rank();
        for (std::size_t i = 2; i < x.rank(); ++i)
            result.set(i, Dim((*outputShape)[skip + i - 2]));
    } else if (kernel && kernel->size() + 2 == x.rank()) {
        FUSESCOPE_ASSIGN(const Window window, windowOf(context, *kernel));
        const auto extra = context.attributes().getInts("output_padding");
        if (const auto most = extra ? mostOutputPadding(window, *extra) : std::nullopt)
            return context.wrong(wrongAttribute("output_padding", "<= " + std::to_string(*most),
                                                shapeText(*extra)));
        for (std::size_t i = 0; i < kernel->size(); ++i) {
            const Dim stride = window.strides[i];
            const Dim more = extra && i < extra->size() ? Dim((*extra)[i]) : Dim(0);
            const bool same = window.autoPad == Window::AutoPad::sameUpper ||
                              window.autoPad == Window::AutoPad::sameLower;
            result.set(i + 2, same ? x[i + 2] * stride
                                   : stride * (x[i + 2] - Dim(1)) + more +
                                         extentOf(window, i, (*kernel)[i]) -
                                         Dim(window.padBegin[i] + window.padEnd[i]));
        }
    }
    context.setTensor(0, context.dtype(0), std::move(result));
    return {};
}

Result<void> inferDeformConv(InferenceContext& context)
{
    FUSESCOPE_ASSIGN(Shape shape, convShape(context, 0, 1));
    context.setTensor(0, context.dtype(0), std::move(shape));
    return {};
}

Result<void> inferCol2Im(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 3, 3));
    const Shape& x = context.shape(0);
    const ShapeData image = context.integers(1);
    const ShapeData block = context.integers(2);
    if (!x.hasRank() || !image || !block || image->size() != block->size()) {
        const auto known = image ? image->size() : context.shape(1).hasRank() &&
                                                           context.shape(1).rank() == 1
                                                       ? context.shape(1)[0].constant()
                                                       : std::nullopt;
        context.setTensor(0, context.dtype(0),
                          known ? context.unknownShape(0, static_cast<std::size_t>(*known) + 2)
                                : Shape());
        return {};
    }
    Dim taps = 1;
    for (const Dim& size : *block)
        taps = taps * size;
    std::vector<Dim> dims = {x[0], floordiv(x[1], taps)};
    dims.insert(dims.end(), image->begin(), image->end());
    context.setTensor(0, context.dtype(0), Shape::of(std::move(dims)));
    return {};
}

Result<void> inferCausalConv(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 3, 3));
    FUSESCOPE_TRY(requireRank(context, 1, 3, 3));
    const Shape& x = context.shape(0);
    const Shape& w = context.shape(1);
    context.setOutput(0, context.input(0).type);
    if (x.hasRank() && w.hasRank())
        context.setTensor(1, context.dtype(0), Shape::of({x[0], x[1], w[2] - Dim(1)}));
    else
        context.setTensor(1, context.dtype(0), context.unknownShape(1, 3));
    return {};
}

} // namespace fusescope
