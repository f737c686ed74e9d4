#include "ops/element_copy.h"
#include "ops/element_map.h"
#include "ops/resizing/resizing.h"

namespace fusescope::resizing {

namespace {

Result<void> inferGridSample(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 3));
    FUSESCOPE_TRY(requireRank(c, 1, 3));
    const Shape& x = c.shape(0);
    const Shape& grid = c.shape(1);
    if (!x.hasRank() && !grid.hasRank()) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    const std::size_t rank = x.hasRank() ? x.rank() : grid.rank();
    if (grid.hasRank() && grid.rank() != rank)
        return c.wrong(wrongRank(1, std::to_string(rank), grid.rank()));
    Shape shape = c.unknownShape(0, rank);
    if (x.hasRank()) {
        shape.set(0, x[0]);
        shape.set(1, x[1]);
    }
    for (std::size_t axis = 2; grid.hasRank() && axis < rank; ++axis)
        shape.set(axis, grid[axis - 1]);
    c.setTensor(0, c.dtype(0), std::move(shape));
    return {};
}

struct GridMode
{
    enum class Padding { zeros, border, reflection };
    std::string mode;
    Padding padding = Padding::zeros;
    bool alignCorners = false;
};

// Mirrors a coordinate at the borders of [low, high].
double reflected(double x, double low, double high)
{
    const double range = high - low;
    if (range <= 0.0)
        return low;
    double offset = std::fmod(std::abs(x - low), 2.0 * range);
    if (offset > range)
        offset = 2.0 * range - offset;
    return low + offset;
}

// A coordinate of the grid, in [-1, 1], as a place on an axis.
double placeOf(double x, std::int64_t size, const GridMode& mode)
{
    const auto n = static_cast<double>(size);
    return mode.alignCorners ? (x + 1.0) / 2.0 * (n - 1.0) : ((x + 1.0) * n - 1.0) / 2.0;
}

// The index that a place reads; -1 reads zero.
std::int64_t indexOf(double at, std::int64_t size, const GridMode& mode)
{
    const auto n = static_cast<double>(size);
    if (!(std::abs(at) < 0x1p52))
        return mode.padding == GridMode::Padding::zeros || std::isnan(at) ? -1
               : at < 0                                                   ? 0
                                                                          : size - 1;
    switch (mode.padding) {
    case GridMode::Padding::zeros:
        return at < 0.0 || at > n - 1.0 ? -1 : static_cast<std::int64_t>(at);
    case GridMode::Padding::border:
        return static_cast<std::int64_t>(std::clamp(at, 0.0, n - 1.0));
    default:
        break;
    }
    const double inside =
        mode.alignCorners ? reflected(at, 0.0, n - 1.0) : reflected(at, -0.5, n - 0.5);
    return static_cast<std::int64_t>(std::clamp(std::nearbyint(inside), 0.0, n - 1.0));
}

// The elements of one axis that a place mixes.
struct Taps
{
    std::int64_t index[4] = {};
    double weight[4] = {};
    int count = 0;
};

Taps tapsOf(double grid, std::int64_t size, const GridMode& mode)
{
    const auto n = static_cast<double>(size);
    double at = placeOf(grid, size, mode);
    if (mode.mode != "cubic") { // whole places are moved in, then mixed
        if (mode.padding == GridMode::Padding::border)
            at = std::clamp(at, 0.0, n - 1.0);
        else if (mode.padding == GridMode::Padding::reflection)
            at = std::clamp(mode.alignCorners ? reflected(at, 0.0, n - 1.0)
                                              : reflected(at, -0.5, n - 0.5),
                            0.0, n - 1.0);
    }
    Taps taps;
    if (mode.mode == "nearest") {
        taps.index[0] = indexOf(std::nearbyint(at), size, mode);
        taps.weight[0] = 1.0;
        taps.count = 1;
        return taps;
    }
    const double base = std::floor(at);
    const double t = at - base;
    if (mode.mode == "linear") {
        taps.count = 2;
        taps.weight[0] = 1.0 - t;
        taps.weight[1] = t;
    } else {
        constexpr double a = -0.75;
        const auto near = [](double x) { return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0; };
        const auto far = [](double x) { return ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a; };
        taps.count = 4;
        taps.weight[0] = far(t + 1.0);
        taps.weight[1] = near(t);
        taps.weight[2] = near(1.0 - t);
        taps.weight[3] = far(2.0 - t);
    }
    const double first = taps.count == 4 ? base - 1.0 : base;
    for (int k = 0; k < taps.count; ++k)
        taps.index[k] = indexOf(first + k, size, mode);
    return taps;
}

// The mixed elements, each read by `load`.
template <class Load>
auto sampled(const Load& load, std::int64_t base, std::span<const Taps> taps,
             std::span<const std::int64_t> strides) -> decltype(load(base))
{
    if (taps.empty())
        return load(base);
    decltype(load(base)) sum{};
    for (int k = 0; k < taps[0].count; ++k) {
        if (taps[0].index[k] >= 0 && taps[0].weight[k] != 0.0)
            sum += taps[0].weight[k] * sampled(load, base + taps[0].index[k] * strides[0],
                                               taps.subspan(1), strides.subspan(1));
    }
    return sum;
}

// Element `to` of the output, which is zero so far. `mover` is there for the nearest, which is one
// element of any type.
void sampleInto(Tensor& output, std::int64_t to, const Tensor& x, std::int64_t base,
                std::span<const Taps> taps, std::span<const std::int64_t> strides,
                std::optional<ElementCopy>& mover)
{
    if (mover) {
        for (std::size_t axis = 0; axis < taps.size(); ++axis) {
            if (taps[axis].index[0] < 0)
                return;
            base += taps[axis].index[0] * strides[axis];
        }
        mover->copy(to, base);
        return;
    }
    const auto sampleAs = [&]<class T>(T*) {
        const auto load = [&](std::int64_t i) { return std::complex<double>(x.load<T>(i)); };
        output.mutableElements<T>()[to] = static_cast<T>(sampled(load, base, taps, strides));
    };
    if (x.dtype() == DType::complex64)
        sampleAs(static_cast<std::complex<float>*>(nullptr));
    else if (x.dtype() == DType::complex128)
        sampleAs(static_cast<std::complex<double>*>(nullptr));
    else
        output.store(to, sampled([&x](std::int64_t i) { return x.asDouble(i); }, base, taps, strides));
}

Result<void> runGridSample(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* x, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* grid, c.tensor(1));
    FUSESCOPE_TRY(requireRank(c, *x, 0, 3));
    const std::size_t rank = x->rank();
    const std::size_t spatial = rank - 2;
    if (grid->rank() != rank || grid->shape()[0] != x->shape()[0] ||
        grid->shape()[rank - 1] != static_cast<std::int64_t>(spatial))
        return c.wrong(
            wrongShape(1, "[N, …, " + std::to_string(spatial) + "]", shapeText(grid->shape())));
    GridMode mode;
    mode.mode = c.attributes().getString("mode", c.sinceVersion() < 20 ? "bilinear" : "linear");
    if (mode.mode == "bilinear")
        mode.mode = "linear";
    if (mode.mode == "bicubic")
        mode.mode = "cubic";
    const std::string padding = c.attributes().getString("padding_mode", "zeros");
    mode.alignCorners = c.attributes().getInt("align_corners", 0) != 0;
    if (mode.mode != "linear" && mode.mode != "nearest" && mode.mode != "cubic")
        return c.wrong(wrongAttribute("mode", "linear, nearest, cubic", mode.mode));
    if (mode.mode != "nearest" && (x->isString() || x->dtype() == DType::boolean))
        return c.wrong(nearestOnly(x->dtype(), mode.mode));
    if (padding != "zeros" && padding != "border" && padding != "reflection")
        return c.wrong(wrongAttribute("padding_mode", "zeros, border, reflection", padding));
    mode.padding = padding == "zeros"    ? GridMode::Padding::zeros
                   : padding == "border" ? GridMode::Padding::border
                                         : GridMode::Padding::reflection;
    std::vector<std::int64_t> shape{x->shape()[0], x->shape()[1]};
    shape.insert(shape.end(), grid->shape().begin() + 1, grid->shape().end() - 1);
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(x->dtype(), shape));
    const auto strides = stridesOf(x->shape());
    const std::span<const std::int64_t> inStrides = std::span(strides).subspan(2);
    const std::int64_t points = productOf(std::span(shape).subspan(2));
    const std::int64_t channels = shape[1];
    if (output.elementCount() > 0 && x->elementCount() == 0)
        return c.wrong(wrongShape(0, "> 0", shapeText(x->shape())));
    std::vector<Taps> taps(spatial);
    std::optional<ElementCopy> mover;
    if (mode.mode == "nearest")
        mover.emplace(output, *x);
    for (std::int64_t p = 0; output.elementCount() > 0 && p < shape[0] * points; ++p) {
        const std::int64_t n = p / points;
        // The grid names the last axis first.
        for (std::size_t axis = 0; axis < spatial; ++axis)
            taps[axis] = tapsOf(grid->asDouble(p * static_cast<std::int64_t>(spatial) +
                                               static_cast<std::int64_t>(spatial - 1 - axis)),
                                x->shape()[axis + 2], mode);
        for (std::int64_t ch = 0; ch < channels; ++ch)
            sampleInto(output, (n * channels + ch) * points + p % points, *x,
                       n * strides[0] + ch * strides[1], taps, inStrides, mover);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferAffineGrid(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 3, 3));
    const ShapeData size = c.integers(1);
    if (!size) {
        const auto length = knownLength(c, 1);
        c.setTensor(0, c.dtype(0),
                    length && (*length == 4 || *length == 5)
                        ? c.unknownShape(0, static_cast<std::size_t>(*length))
                        : Shape::unranked());
        return {};
    }
    if (size->size() != 4 && size->size() != 5)
        return c.wrong(wrongShape(1, "[4], [5]", std::to_string(size->size())));
    std::vector<Dim> dims{(*size)[0]};
    dims.insert(dims.end(), size->begin() + 2, size->end());
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (!provablyNonNegative(dims[i]))
            dims[i] = c.unknown(0, i);
    }
    dims.push_back(static_cast<std::int64_t>(size->size()) - 2);
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    return {};
}

Result<void> runAffineGrid(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* theta, c.tensor(0));
    FUSESCOPE_ASSIGN(const auto size, wantInts(c, 1));
    if (size.size() != 4 && size.size() != 5)
        return c.wrong(wrongShape(1, "[4], [5]", std::to_string(size.size())));
    const std::size_t spatial = size.size() - 2;
    const auto d = static_cast<std::int64_t>(spatial);
    if (theta->shape() != std::vector<std::int64_t>{size[0], d, d + 1})
        return c.wrong(wrongShape(0, shapeText(std::vector<std::int64_t>{size[0], d, d + 1}),
                                  shapeText(theta->shape())));
    const bool align = c.attributes().getInt("align_corners", 0) != 0;
    std::vector<std::int64_t> shape{size[0]};
    shape.insert(shape.end(), size.begin() + 2, size.end());
    shape.push_back(d);
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(theta->dtype(), shape));
    const auto coordinate = [align](std::int64_t i, std::int64_t n) {
        const auto count = static_cast<double>(n);
        const auto at = static_cast<double>(i);
        if (align)
            return n == 1 ? -1.0 : -1.0 + 2.0 * at / (count - 1.0);
        return -1.0 + (2.0 * at + 1.0) / count;
    };
    const std::span<const std::int64_t> volume = std::span(shape).subspan(1, spatial);
    const std::int64_t points = productOf(volume);
    const auto strides = stridesOf(volume);
    for (std::int64_t p = 0; output.elementCount() > 0 && p < size[0] * points; ++p) {
        const std::int64_t n = p / points;
        for (std::int64_t row = 0; row < d; ++row) {
            double sum = theta->asDouble((n * d + row) * (d + 1) + d);
            // The columns of theta go with the axes from the last to the first.
            for (std::int64_t k = 0; k < d; ++k) {
                const auto axis = static_cast<std::size_t>(d - 1 - k);
                const std::int64_t i = p % points / strides[axis] % volume[axis];
                sum += theta->asDouble((n * d + row) * (d + 1) + k) * coordinate(i, volume[axis]);
            }
            output.store(p * d + row, sum);
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "GridSample", 16, inferGridSample, runGridSample},
    {"", "AffineGrid", 20, inferAffineGrid, runAffineGrid},
};

} // namespace

std::span<const OpEntry> grids()
{
    return entries;
}

} // namespace fusescope::resizing
