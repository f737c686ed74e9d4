#include "exec/kernels/copy.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace fusescope::kernels {

namespace {

constexpr int kMaxAxes = 16;
constexpr std::int64_t kChunkBytes = 32 * 1024;

struct Axis
{
    std::int64_t length, from, to; // strides in elements
};

// Axes of a copy, outermost first, those that lie behind each other merged.
struct Axes
{
    int count = 0;
    std::array<Axis, kMaxAxes> axis{};

    void add(Axis next)
    {
        if (next.length == 1)
            return;
        if (count > 0) {
            Axis& last = axis[static_cast<std::size_t>(count - 1)];
            if (last.from == next.from * next.length && last.to == next.to * next.length) {
                last = {last.length * next.length, next.from, next.to};
                return;
            }
        }
        axis[static_cast<std::size_t>(count++)] = next;
    }
};

template <class T>
void copyRun(const T* from, std::int64_t fromStep, T* to, std::int64_t toStep, std::int64_t count)
{
    if (fromStep == 1 && toStep == 1)
        std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
    else if (fromStep == 0 && toStep == 1)
        std::fill_n(to, count, *from);
    else
        for (std::int64_t i = 0; i < count; ++i)
            to[i * toStep] = from[i * fromStep];
}

// Rows of one axis against rows of another, in squares that stay in the first cache.
template <class T>
void copyPlane(const T* from, T* to, const Axis& slow, const Axis& fast)
{
    constexpr std::int64_t kSide = 16;
    for (std::int64_t i0 = 0; i0 < slow.length; i0 += kSide)
        for (std::int64_t j0 = 0; j0 < fast.length; j0 += kSide) {
            const std::int64_t iEnd = std::min(slow.length, i0 + kSide);
            const std::int64_t jEnd = std::min(fast.length, j0 + kSide);
            for (std::int64_t i = i0; i < iEnd; ++i)
                for (std::int64_t j = j0; j < jEnd; ++j)
                    to[i * slow.to + j * fast.to] = from[i * slow.from + j * fast.from];
        }
}

// Copies everything below the outer axes; index counts through those.
template <class T>
bool copyBox(const Axes& axes, const void* input, void* output, ThreadPool& pool)
{
    const T* const in = static_cast<const T*>(input);
    T* const out = static_cast<T*>(output);
    if (axes.count == 0) {
        *out = *in;
        return true;
    }
    std::array<Axis, kMaxAxes> axis = axes.axis;
    int count = axes.count;
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const Axis inner = axis[at(count - 1)];
    const bool runs = inner.from == 1 || inner.from == 0 || count == 1;
    // Where the innermost axis strides through the input, the axis that does not goes with it.
    int partner = -1;
    if (!runs) {
        partner = count - 2;
        for (int i = 0; i < count - 1; ++i)
            if (axis[at(i)].from == 1)
                partner = i;
    }
    const Axis slow = partner >= 0 ? axis[at(partner)] : Axis{1, 0, 0};
    std::array<Axis, kMaxAxes> outer{};
    int outers = 0;
    std::int64_t total = 1;
    for (int i = 0; i < count - 1; ++i)
        if (i != partner) {
            outer[at(outers++)] = axis[at(i)];
            total *= axis[at(i)].length;
        }
    const std::int64_t bytes = slow.length * inner.length * static_cast<std::int64_t>(sizeof(T));
    // Many small pieces make a chunk, or a big one is cut.
    const std::int64_t together = std::max<std::int64_t>(1, kChunkBytes / bytes);
    const std::int64_t cut = partner >= 0 ? slow.length : inner.length;
    const std::int64_t cuts =
        together > 1 ? 1 : std::clamp<std::int64_t>(bytes / kChunkBytes, 1, cut);
    const std::int64_t groups = (total + together - 1) / together;
    return pool.parallelFor(groups * cuts, [&](std::int64_t chunk, int) {
        const std::int64_t part = chunk % cuts;
        const std::int64_t first = chunk / cuts * together;
        for (std::int64_t index = first; index < std::min(total, first + together); ++index) {
            const T* from = in;
            T* to = out;
            std::int64_t rest = index;
            for (int i = outers; i-- > 0;) {
                const std::int64_t k = rest % outer[at(i)].length;
                rest /= outer[at(i)].length;
                from += k * outer[at(i)].from;
                to += k * outer[at(i)].to;
            }
            const std::int64_t begin = cut * part / cuts;
            const std::int64_t length = cut * (part + 1) / cuts - begin;
            if (partner < 0)
                copyRun(from + begin * inner.from, inner.from, to + begin * inner.to, inner.to,
                        length);
            else
                copyPlane(from + begin * slow.from, to + begin * slow.to,
                          Axis{length, slow.from, slow.to}, inner);
        }
    });
}

bool copyAxes(const Axes& axes, int elementBytes, const void* input, void* output, ThreadPool& pool)
{
    switch (elementBytes) {
    case 1:
        return copyBox<std::uint8_t>(axes, input, output, pool);
    case 2:
        return copyBox<std::uint16_t>(axes, input, output, pool);
    case 4:
        return copyBox<std::uint32_t>(axes, input, output, pool);
    default:
        assert(elementBytes == 8);
        return copyBox<std::uint64_t>(axes, input, output, pool);
    }
}

bool isEmpty(std::span<const std::int64_t> shape)
{
    return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

} // namespace

bool runTranspose(std::span<const std::int64_t> inputShape, std::span<const int> permutation,
                  int elementBytes, const void* input, void* output, ThreadPool& pool)
{
    if (isEmpty(inputShape))
        return !pool.stopped();
    const std::size_t rank = inputShape.size();
    assert(rank <= kMaxAxes && permutation.size() == rank);
    std::array<std::int64_t, kMaxAxes> from{};
    std::array<std::int64_t, kMaxAxes> to{};
    std::int64_t fromStride = 1;
    std::int64_t toStride = 1;
    for (std::size_t i = rank; i-- > 0;) {
        from[i] = fromStride;
        fromStride *= inputShape[i];
        to[i] = toStride;
        toStride *= inputShape[static_cast<std::size_t>(permutation[i])];
    }
    Axes axes;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto source = static_cast<std::size_t>(permutation[i]);
        axes.add({inputShape[source], from[source], to[i]});
    }
    return copyAxes(axes, elementBytes, input, output, pool);
}

bool runStridedCopy(std::span<const std::int64_t> shape, std::span<const std::int64_t> inputStrides,
                    std::span<const std::int64_t> outputStrides, int elementBytes,
                    const void* input, void* output, ThreadPool& pool)
{
    if (isEmpty(shape))
        return !pool.stopped();
    assert(shape.size() <= kMaxAxes);
    Axes axes;
    for (std::size_t i = 0; i < shape.size(); ++i)
        axes.add({shape[i], inputStrides[i], outputStrides[i]});
    return copyAxes(axes, elementBytes, input, output, pool);
}

bool runConcat(std::int64_t outer, std::span<const ConcatSource> sources, void* output,
               ThreadPool& pool)
{
    std::int64_t row = 0;
    for (const ConcatSource& source : sources)
        row += source.bytes;
    std::int64_t at = 0;
    for (const ConcatSource& source : sources) {
        const std::array<std::int64_t, 2> shape{outer, source.bytes};
        const std::array<std::int64_t, 2> from{source.bytes, 1};
        const std::array<std::int64_t, 2> to{row, 1};
        if (!runStridedCopy(shape, from, to, 1, source.data, static_cast<std::byte*>(output) + at,
                            pool))
            return false;
        at += source.bytes;
    }
    return !pool.stopped();
}

} // namespace fusescope::kernels
