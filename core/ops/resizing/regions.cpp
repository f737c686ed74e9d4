#include "ops/element_map.h"
#include "ops/resizing/resizing.h"
#include "ops/shape_messages.h"

#include <cmath>
#include <numeric>

namespace fusescope::resizing {

namespace {

Result<void> inferRoiAlign(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 4, 4));
    FUSESCOPE_TRY(requireRank(c, 1, 2, 2));
    FUSESCOPE_TRY(requireRank(c, 2, 1, 1));
    Shape shape = c.unknownShape(0, 4);
    if (c.shape(1).hasRank())
        shape.set(0, c.shape(1)[0]);
    if (c.shape(0).hasRank())
        shape.set(1, c.shape(0)[1]);
    shape.set(2, c.attributes().getInt("output_height", 1));
    shape.set(3, c.attributes().getInt("output_width", 1));
    c.setTensor(0, c.dtype(0), std::move(shape));
    return {};
}

// One corner of a bilinear sample.
struct Corner
{
    std::int64_t at = 0;
    double weight = 0.0;
};

// Between which two pixels a coordinate lies, and how near the second one.
struct Line
{
    std::int64_t low = 0, high = 0;
    double part = 0.0;
};

// The lines of a grid over one bin that do not lie outside of the image.
std::vector<Line> linesOf(double start, double bin, std::int64_t count, std::int64_t size)
{
    std::vector<Line> lines;
    if (!std::isfinite(start) || !std::isfinite(bin))
        return lines;
    const auto number = static_cast<double>(count);
    // Of the lines of a wide region few lie in the image: the others need not be looked at.
    std::int64_t first = 0, last = count;
    if (bin != 0.0) {
        const auto lineAt = [&](double v) {
            return std::clamp((v - start) / bin * number - 0.5, -1.0, number);
        };
        const auto [near, far] = std::minmax({lineAt(-1.0), lineAt(static_cast<double>(size))});
        first = std::max<std::int64_t>(0, static_cast<std::int64_t>(near) - 1);
        last = std::min(count, static_cast<std::int64_t>(far) + 2);
    }
    for (std::int64_t i = first; i < last; ++i) {
        double v = start + (static_cast<double>(i) + 0.5) * bin / number;
        if (!(v >= -1.0 && v <= static_cast<double>(size)))
            continue;
        v = std::max(v, 0.0);
        const auto low = static_cast<std::int64_t>(v);
        if (low >= size - 1)
            lines.push_back({size - 1, size - 1, 0.0});
        else
            lines.push_back({low, low + 1, v - static_cast<double>(low)});
    }
    return lines;
}

// How much each pixel of an axis counts in all lines together. Lines come in order, so that a pixel
// is among the last few.
std::vector<Corner> weightsOf(const std::vector<Line>& lines)
{
    std::vector<Corner> weights;
    const auto add = [&weights](std::int64_t at, double weight) {
        constexpr std::size_t back = 3;
        for (std::size_t i = weights.size(); i-- > 0 && i + back >= weights.size();) {
            if (weights[i].at == at) {
                weights[i].weight += weight;
                return;
            }
        }
        weights.push_back({at, weight});
    };
    for (const Line& line : lines) {
        add(line.low, 1.0 - line.part);
        add(line.high, line.part);
    }
    std::erase_if(weights, [](const Corner& corner) { return corner.weight == 0.0; });
    return weights;
}

// Of the lines between the same two pixels the outermost: a product of weights is greatest and least
// at one of those.
std::vector<Line> outermost(const std::vector<Line>& lines)
{
    std::vector<Line> ends;
    for (std::size_t i = 0; i < lines.size();) {
        Line least = lines[i], most = lines[i];
        for (const std::int64_t low = lines[i].low; i < lines.size() && lines[i].low == low; ++i) {
            least = lines[i].part < least.part ? lines[i] : least;
            most = lines[i].part > most.part ? lines[i] : most;
        }
        ends.push_back(least);
        if (most.part != least.part)
            ends.push_back(most);
    }
    return ends;
}

// What one bin reads along one axis.
struct BinLines
{
    std::size_t count = 0;       // of lines in the image
    std::vector<Corner> weights; // for the mean
    std::vector<Line> lines;     // for the maximum
};

BinLines binLines(double start, double bin, std::int64_t grid, std::int64_t size, bool isMax)
{
    const std::vector<Line> lines = linesOf(start, bin, grid, size);
    return {lines.size(), isMax ? std::vector<Corner>() : weightsOf(lines),
            isMax ? outermost(lines) : std::vector<Line>()};
}

std::array<Corner, 4> cornersOf(const Line& y, const Line& x, std::int64_t width)
{
    return {Corner{y.low * width + x.low, (1.0 - y.part) * (1.0 - x.part)},
            Corner{y.low * width + x.high, (1.0 - y.part) * x.part},
            Corner{y.high * width + x.low, y.part * (1.0 - x.part)},
            Corner{y.high * width + x.high, y.part * x.part}};
}

Result<void> runRoiAlign(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* x, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* rois, c.tensor(1));
    FUSESCOPE_TRY(requireRank(c, *x, 0, 4, 4));
    FUSESCOPE_ASSIGN(const auto batches, wantInts(c, 2));
    const auto count = static_cast<std::int64_t>(batches.size());
    if (rois->shape() != std::vector<std::int64_t>{count, 4})
        return c.wrong(
            wrongShape(1, "[" + std::to_string(count) + ", 4]", shapeText(rois->shape())));
    const Attributes& attributes = c.attributes();
    const std::int64_t rows = attributes.getInt("output_height", 1);
    const std::int64_t columns = attributes.getInt("output_width", 1);
    const std::int64_t ratio = attributes.getInt("sampling_ratio", 0);
    const auto scale = static_cast<double>(attributes.getFloat("spatial_scale", 1.0F));
    const bool isMax = attributes.getString("mode", "avg") == "max";
    const bool half =
        c.sinceVersion() >= 16 &&
        attributes.getString("coordinate_transformation_mode", "half_pixel") == "half_pixel";
    const std::int64_t channels = x->shape()[1], height = x->shape()[2], width = x->shape()[3];
    if (height < 1 || width < 1)
        return c.wrong(wrongShape(0, "[N, C, H >= 1, W >= 1]", shapeText(x->shape())));
    if (rows < 1 || columns < 1)
        return c.wrong(rows < 1 ? wrongAttribute("output_height", ">= 1", std::to_string(rows))
                                : wrongAttribute("output_width", ">= 1", std::to_string(columns)));
    if (ratio < 0 || ratio > 4096)
        return c.wrong(wrongAttribute("sampling_ratio", "0 to 4096", std::to_string(ratio)));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(x->dtype(), {count, channels, rows, columns}));
    for (std::int64_t r = 0; output.elementCount() > 0 && r < count; ++r) {
        const std::int64_t batch = batches[static_cast<std::size_t>(r)];
        if (batch < 0 || batch >= x->shape()[0])
            return c.wrong(indexOutOfRange(2, batch, x->shape()[0]));
        const double offset = half ? 0.5 : 0.0;
        const double x0 = rois->asDouble(r * 4) * scale - offset;
        const double y0 = rois->asDouble(r * 4 + 1) * scale - offset;
        double w = rois->asDouble(r * 4 + 2) * scale - offset - x0;
        double h = rois->asDouble(r * 4 + 3) * scale - offset - y0;
        if (!half) { // regions are at least one pixel wide
            w = std::max(w, 1.0);
            h = std::max(h, 1.0);
        }
        const double binH = h / static_cast<double>(rows);
        const double binW = w / static_cast<double>(columns);
        const auto gridOf = [ratio](double bin) {
            if (ratio > 0)
                return ratio;
            return bin > 0.0 ? static_cast<std::int64_t>(std::min(std::ceil(bin), 4096.0)) : 0;
        };
        const std::int64_t gridH = gridOf(binH);
        const std::int64_t gridW = gridOf(binW);
        const auto points = static_cast<double>(gridH * gridW);
        std::vector<BinLines> across;
        for (std::int64_t column = 0; column < columns; ++column) {
            if (c.stopRequested())
                return cancelled();
            across.push_back(
                binLines(x0 + static_cast<double>(column) * binW, binW, gridW, width, isMax));
        }
        for (std::int64_t bin = 0; bin < rows * columns; bin += columns) {
            const BinLines ys = binLines(y0 + static_cast<double>(bin / columns) * binH, binH,
                                         gridH, height, isMax);
            for (std::int64_t ch = 0; ch < channels; ++ch) {
                if (c.stopRequested())
                    return cancelled();
                const std::int64_t base = (batch * channels + ch) * height * width;
                for (std::int64_t column = 0; column < columns; ++column) {
                    const BinLines& xs = across[static_cast<std::size_t>(column)];
                    const bool someOutside =
                        static_cast<double>(ys.count) * static_cast<double>(xs.count) < points;
                    // The mean takes each pixel once, with the sum of its weights.
                    double sum = 0.0;
                    for (const Corner& y : ys.weights) {
                        for (const Corner& at : xs.weights)
                            sum += y.weight * at.weight * x->asDouble(base + y.at * width + at.at);
                    }
                    double greatest = someOutside ? 0.0 : -std::numeric_limits<double>::infinity();
                    for (const Line& y : ys.lines) {
                        for (const Line& at : xs.lines) {
                            for (const Corner& corner : cornersOf(y, at, width))
                                greatest = std::max(
                                    greatest, corner.weight == 0.0
                                                  ? 0.0
                                                  : corner.weight * x->asDouble(base + corner.at));
                        }
                    }
                    const double value = points == 0.0 ? 0.0 : isMax ? greatest : sum / points;
                    output.store((r * channels + ch) * rows * columns + bin + column, value);
                }
            }
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferNonMaxSuppression(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 3, 3));
    FUSESCOPE_TRY(requireRank(c, 1, 3, 3));
    c.setTensor(0, DType::int64, Shape::of({c.unknown(0, 0), 3}));
    return {};
}

struct Box
{
    double y0, x0, y1, x1;

    double area() const { return (y1 - y0) * (x1 - x0); }
};

Box boxOf(const Tensor& boxes, std::int64_t at, bool centered)
{
    const double a = boxes.asDouble(at), b = boxes.asDouble(at + 1);
    const double d = boxes.asDouble(at + 2), e = boxes.asDouble(at + 3);
    if (centered)
        return {b - e / 2.0, a - d / 2.0, b + e / 2.0, a + d / 2.0};
    return {std::min(a, d), std::min(b, e), std::max(a, d), std::max(b, e)};
}

// Whether the overlap over the union passes the threshold.
bool overlap(const Box& a, const Box& b, double threshold)
{
    const double h = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
    const double w = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
    if (!(h > 0.0 && w > 0.0))
        return false;
    const double shared = h * w;
    const double whole = a.area() + b.area() - shared;
    return whole > 0.0 && shared / whole > threshold;
}

Result<void> runNonMaxSuppression(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* boxes, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* scores, c.tensor(1));
    FUSESCOPE_TRY(requireRank(c, *boxes, 0, 3, 3));
    FUSESCOPE_TRY(requireRank(c, *scores, 1, 3, 3));
    const std::int64_t batches = boxes->shape()[0], count = boxes->shape()[1];
    const std::int64_t classes = scores->shape()[1];
    if (boxes->shape()[2] != 4)
        return c.wrong(wrongShape(0, "[N, boxes, 4]", shapeText(boxes->shape())));
    if (scores->shape()[0] != batches || scores->shape()[2] != count)
        return c.wrong(
            wrongShape(1, "[" + std::to_string(batches) + ", C, " + std::to_string(count) + "]",
                       shapeText(scores->shape())));
    const auto scalar = [&c](std::size_t i, double fallback) {
        const Tensor* tensor = c.optionalTensor(i);
        return tensor && tensor->elementCount() > 0 ? tensor->asDouble(0) : fallback;
    };
    const Tensor* limit = c.optionalTensor(2);
    const std::int64_t most = limit && limit->elementCount() > 0 ? limit->asInt(0) : 0;
    const double threshold = scalar(3, 0.0);
    const double leastScore = scalar(4, -std::numeric_limits<double>::infinity());
    const bool centered = c.attributes().getInt("center_point_box", 0) != 0;
    std::vector<std::int64_t> selected;
    for (std::int64_t b = 0; scores->elementCount() > 0 && b < batches; ++b) {
        std::vector<Box> all;
        for (std::int64_t i = 0; i < count; ++i)
            all.push_back(boxOf(*boxes, (b * count + i) * 4, centered));
        for (std::int64_t k = 0; k < classes; ++k) {
            if (c.stopRequested())
                return cancelled();
            const auto score = [&](std::int64_t i) {
                return scores->asDouble((b * classes + k) * count + i);
            };
            std::vector<std::int64_t> order;
            for (std::int64_t i = 0; i < count; ++i) {
                if (score(i) > leastScore)
                    order.push_back(i);
            }
            std::ranges::stable_sort(order, [&](auto i, auto j) { return score(i) > score(j); });
            std::vector<std::int64_t> kept;
            for (const std::int64_t i : order) {
                if (static_cast<std::int64_t>(kept.size()) >= most)
                    break;
                const bool hidden = std::ranges::any_of(kept, [&](std::int64_t j) {
                    return overlap(all[static_cast<std::size_t>(i)],
                                   all[static_cast<std::size_t>(j)], threshold);
                });
                if (hidden)
                    continue;
                kept.push_back(i);
                selected.insert(selected.end(), {b, k, i});
            }
        }
    }
    const auto rows = static_cast<std::int64_t>(selected.size()) / 3;
    c.setOutput(0, Tensor::of<std::int64_t>({rows, 3}, selected));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "RoiAlign", 10, inferRoiAlign, runRoiAlign},
    {"", "NonMaxSuppression", 10, inferNonMaxSuppression, runNonMaxSuppression},
};

} // namespace

std::span<const OpEntry> regions()
{
    return entries;
}

} // namespace fusescope::resizing
