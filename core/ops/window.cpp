#include "ops/window.h"

namespace fusescope {

namespace {

// Beyond this, products of a hostile file's numbers might not fit 63 bits.
constexpr std::int64_t largest = std::int64_t{1} << 31;

Result<std::vector<std::int64_t>> list(const Attributes& attributes, const char* name,
                                       std::size_t length, std::int64_t fallback, std::int64_t low)
{
    auto given = attributes.getInts(name);
    if (!given || given->empty())
        return std::vector<std::int64_t>(length, fallback);
    if (given->size() != length)
        return fail(ErrorCode::invalidModel,
                    wrongAttribute(name, std::to_string(length) + " numbers",
                                   std::to_string(given->size())));
    for (const std::int64_t value : *given) {
        if (value < low || value >= largest)
            return fail(ErrorCode::invalidModel,
                        wrongAttribute(name,
                                       std::to_string(low) + " … " + std::to_string(largest - 1),
                                       std::to_string(value)));
    }
    return *std::move(given);
}

std::int64_t floorDiv(std::int64_t a, std::int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

} // namespace

Result<Window> readWindow(const Attributes& attributes, std::vector<std::int64_t> kernel)
{
    Window window;
    const std::size_t rank = kernel.size();
    for (const std::int64_t size : kernel) {
        if (size < 1 || size >= largest)
            return fail(ErrorCode::invalidModel,
                        wrongAttribute("kernel_shape", "1 … " + std::to_string(largest - 1),
                                       std::to_string(size)));
    }
    if (const auto given = attributes.getInts("kernel_shape");
        given && !given->empty() && *given != kernel)
        return fail(ErrorCode::invalidModel,
                    wrongAttribute("kernel_shape", shapeText(kernel), shapeText(*given)));
    window.kernel = std::move(kernel);
    FUSESCOPE_ASSIGN(window.strides, list(attributes, "strides", rank, 1, 1));
    FUSESCOPE_ASSIGN(window.dilations, list(attributes, "dilations", rank, 1, 1));
    FUSESCOPE_ASSIGN(const auto pads, list(attributes, "pads", 2 * rank, 0, -largest));
    window.padBegin.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(rank));
    window.padEnd.assign(pads.begin() + static_cast<std::ptrdiff_t>(rank), pads.end());
    const std::string autoPad = attributes.getString("auto_pad", "NOTSET");
    if (autoPad == "SAME_UPPER")
        window.autoPad = Window::AutoPad::sameUpper;
    else if (autoPad == "SAME_LOWER")
        window.autoPad = Window::AutoPad::sameLower;
    else if (autoPad == "VALID")
        window.autoPad = Window::AutoPad::valid;
    else if (!autoPad.empty() && autoPad != "NOTSET")
        return fail(ErrorCode::invalidModel,
                    wrongAttribute("auto_pad", "NOTSET, SAME_UPPER, SAME_LOWER or VALID", autoPad));
    if (window.autoPad != Window::AutoPad::explicitPads) {
        window.padBegin.assign(rank, 0);
        window.padEnd.assign(rank, 0);
    }
    window.ceilMode = attributes.getInt("ceil_mode", 0) != 0;
    return window;
}

Dim windowOutput(const Window& window, std::size_t axis, const Dim& input)
{
    return windowOutput(window, axis, input, Dim(window.extent(axis)));
}

Dim windowOutput(const Window& window, std::size_t axis, const Dim& input, const Dim& extent)
{
    const Dim stride = window.strides[axis];
    if (window.autoPad == Window::AutoPad::sameUpper ||
        window.autoPad == Window::AutoPad::sameLower)
        return ceildiv(input, stride);
    const Dim room = input + Dim(window.padBegin[axis] + window.padEnd[axis]) - extent;
    if (!window.ceilMode)
        return floordiv(room, stride) + Dim(1);
    // A window that would begin beyond the input and its leading pads is left out.
    return min(ceildiv(room, stride) + Dim(1),
               ceildiv(input + Dim(window.padBegin[axis]), stride));
}

std::optional<std::vector<std::int64_t>> resolveWindow(Window& window,
                                                       std::span<const std::int64_t> input)
{
    std::vector<std::int64_t> output;
    for (std::size_t axis = 0; axis < window.rank(); ++axis) {
        const auto size = windowOutput(window, axis, Dim(input[axis])).constant();
        if (!size || *size < 0)
            return std::nullopt;
        output.push_back(*size);
        const bool upper = window.autoPad == Window::AutoPad::sameUpper;
        if (upper || window.autoPad == Window::AutoPad::sameLower) {
            const std::int64_t total =
                std::max<std::int64_t>(0, (*size - 1) * window.strides[axis] +
                                              window.extent(axis) - input[axis]);
            window.padBegin[axis] = upper ? total / 2 : total - total / 2;
            window.padEnd[axis] = total - window.padBegin[axis];
        }
    }
    return output;
}

TapRange tapRange(std::int64_t shift, std::int64_t stride, std::int64_t size, std::int64_t count)
{
    const std::int64_t first = std::max<std::int64_t>(0, -floorDiv(shift, stride));
    const std::int64_t last = std::min(count, floorDiv(size - 1 - shift, stride) + 1);
    return {first, std::max(first, last)};
}

std::optional<std::int64_t> mostOutputPadding(const Window& window,
                                              std::span<const std::int64_t> padding)
{
    for (std::size_t i = 0; i < std::min(padding.size(), window.rank()); ++i) {
        const std::int64_t most = std::max(window.strides[i], window.dilations[i]) - 1;
        if (padding[i] > std::max<std::int64_t>(0, most))
            return most;
    }
    return std::nullopt;
}

} // namespace fusescope
