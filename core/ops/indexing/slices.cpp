#include "ops/element_copy.h"
#include "ops/indexing/indexing.h"
#include "ops/infer_support.h"

#include <numeric>

namespace fusescope::indexing {

namespace {

constexpr std::int64_t farAway = std::numeric_limits<std::int32_t>::max();

// What is wrong with lists that must all have as many entries: the first that has others.
std::optional<Message> unequalLists(std::size_t expected,
                                    std::initializer_list<std::pair<const char*, std::size_t>> lists)
{
    for (const auto& [name, size] : lists) {
        if (size != expected)
            return wrongLength(name, expected, size);
    }
    return std::nullopt;
}

// An end of a slice in terms, clamped into [low, high]; nothing when its sign is not known.
std::optional<Dim> clampedEnd(const Dim& at, const Dim& size, const Dim& low, const Dim& high)
{
    if (at.isConstant() && *at.constant() >= farAway)
        return high;
    if (at.isConstant() && *at.constant() <= -farAway)
        return low;
    if (provablyNonNegative(at))
        return min(at, high);
    const auto upper = at.upperBound();
    if (upper && *upper < 0)
        return max(at + size, low);
    return std::nullopt;
}

// The length of a slice of a known step; nothing when an end is not known.
std::optional<Dim> sliceLength(const Dim& size, const Dim& start, const Dim& end, std::int64_t step)
{
    const Dim low = step > 0 ? Dim(0) : Dim(-1);
    const Dim high = step > 0 ? size : size - Dim(1);
    auto first = clampedEnd(start, size, Dim(0), high);
    const auto last = clampedEnd(end, size, low, high);
    if (!first || !last)
        return std::nullopt;
    if (step < 0 && !provablyNonNegative(high)) // an empty axis has no element 0 to begin with
        first = start == Dim(-1) ? high : min(*std::move(first), high);
    // A start past the end leaves nothing in any case: it need not be clamped.
    const bool plainStart = step > 0 && provablyNonNegative(start);
    const Dim span = step > 0 ? *last - (plainStart ? start : *first) : *first - *last;
    const Dim positive = provablyNonNegative(span) ? span : max(span, Dim(0));
    const std::int64_t stride = std::abs(step);
    return stride == 1 ? positive : ceildiv(positive, stride);
}

struct SliceTerms
{
    ShapeData starts, ends;
    std::optional<std::vector<std::int64_t>> axes; // nothing: not known
    std::optional<std::vector<std::int64_t>> steps;
};

ShapeData asTerms(const std::optional<std::vector<std::int64_t>>& ints)
{
    return ints ? ShapeData(std::vector<Dim>(ints->begin(), ints->end())) : std::nullopt;
}

SliceTerms readTerms(const InferenceContext& c)
{
    SliceTerms terms;
    std::optional<std::size_t> count;
    if (c.sinceVersion() < 10) {
        terms.starts = asTerms(c.attributes().getInts("starts"));
        terms.ends = asTerms(c.attributes().getInts("ends"));
        terms.axes = c.attributes().getInts("axes");
        count = terms.starts ? std::optional(terms.starts->size()) : std::nullopt;
    } else {
        terms.starts = c.integers(1);
        terms.ends = c.integers(2);
        if (const auto length = knownLength(c, 1))
            count = static_cast<std::size_t>(std::clamp<std::int64_t>(*length, 0, 1024));
        else if (terms.starts)
            count = terms.starts->size();
        if (c.hasInput(3))
            terms.axes = knownInts(c, 3);
        if (c.hasInput(4))
            terms.steps = knownInts(c, 4);
    }
    const bool axesGiven = c.sinceVersion() < 10 ? terms.axes.has_value() : c.hasInput(3);
    if (!axesGiven && count) {
        terms.axes.emplace(*count);
        std::iota(terms.axes->begin(), terms.axes->end(), std::int64_t{0});
    }
    if (!(c.sinceVersion() >= 10 && c.hasInput(4)) && count)
        terms.steps.emplace(*count, 1);
    return terms;
}

void sliceData(InferenceContext& c, const SliceTerms& terms)
{
    const ShapeData data = c.integers(0);
    if (!data || c.shape(0).rank() != 1 || terms.axes->size() != 1 || !carriesData(c.dtype(0)) ||
        !(*terms.starts)[0].isConstant() || !(*terms.ends)[0].isConstant())
        return;
    const auto size = static_cast<std::int64_t>(data->size());
    const std::int64_t step = (*terms.steps)[0];
    const auto clampTo = [size](std::int64_t at, std::int64_t low, std::int64_t high) {
        return std::clamp(at < 0 ? std::max(at, -farAway) + size : at, low, high);
    };
    const std::int64_t start = *(*terms.starts)[0].constant();
    const std::int64_t end = *(*terms.ends)[0].constant();
    std::vector<Dim> result;
    if (step > 0) {
        for (std::int64_t i = clampTo(start, 0, size); i < clampTo(end, 0, size);
             i += std::min(step, size))
            result.push_back((*data)[static_cast<std::size_t>(i)]);
    } else {
        for (std::int64_t i = clampTo(start, std::min<std::int64_t>(0, size - 1), size - 1); i > clampTo(end, -1, size - 1);
             i += std::max(step, -size - 1))
            result.push_back((*data)[static_cast<std::size_t>(i)]);
    }
    c.setData(0, std::move(result));
}

Result<void> inferSlice(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    const SliceTerms terms = readTerms(c);
    if (!terms.axes) {
        c.setTensor(0, c.dtype(0), c.unknownShape(0, input.rank()));
        return {};
    }
    const bool known = terms.starts && terms.ends && terms.steps;
    if (known) {
        if (auto wrong = unequalLists(terms.axes->size(), {{"starts", terms.starts->size()},
                                                    {"ends", terms.ends->size()},
                                                    {"steps", terms.steps->size()}}))
            return c.wrong(std::move(*wrong));
    }
    FUSESCOPE_ASSIGN(const auto axes, wantAxes(c, *terms.axes, input.rank()));
    Shape shape = input;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        std::optional<Dim> length;
        if (known) {
            const std::int64_t step = (*terms.steps)[i];
            if (step == 0)
                return c.wrong(wrongValue("steps", "!= 0", "0"));
            length = sliceLength(input[axes[i]], (*terms.starts)[i], (*terms.ends)[i],
                                 std::clamp(step, -farAway, farAway));
        }
        shape.set(axes[i], length ? *std::move(length) : c.unknown(0, axes[i]));
    }
    c.setTensor(0, c.dtype(0), std::move(shape));
    if (known)
        sliceData(c, terms);
    return {};
}

Result<void> runSlice(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    const std::size_t rank = input->rank();
    std::vector<std::int64_t> starts, ends, axes, steps;
    bool axesGiven = false;
    if (c.sinceVersion() < 10) {
        starts = intsOr(c.attributes(), "starts", {});
        ends = intsOr(c.attributes(), "ends", {});
        axesGiven = c.attributes().has("axes");
        axes = intsOr(c.attributes(), "axes", {});
    } else {
        FUSESCOPE_ASSIGN(starts, wantInts(c, 1));
        FUSESCOPE_ASSIGN(ends, wantInts(c, 2));
        axesGiven = c.hasInput(3);
        if (axesGiven) {
            FUSESCOPE_ASSIGN(axes, wantInts(c, 3));
        }
        if (c.hasInput(4)) {
            FUSESCOPE_ASSIGN(steps, wantInts(c, 4));
        }
    }
    if (!axesGiven) {
        axes.resize(starts.size());
        std::iota(axes.begin(), axes.end(), std::int64_t{0});
    }
    if (steps.empty())
        steps.assign(starts.size(), 1);
    if (auto wrong = unequalLists(starts.size(), {{"ends", ends.size()},
                                                  {"axes", axes.size()},
                                                  {"steps", steps.size()}}))
        return c.wrong(std::move(*wrong));
    FUSESCOPE_ASSIGN(const auto list, wantAxes(c, axes, rank));
    std::vector<std::int64_t> shape = input->shape();
    StridedSide side{0, stridesOf(input->shape())};
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::int64_t size = input->shape()[list[i]];
        const std::int64_t step = steps[i];
        if (step == 0)
            return c.wrong(wrongValue("steps", "!= 0", "0"));
        const std::int64_t low = step > 0 ? 0 : -1;
        const std::int64_t high = step > 0 ? size : size - 1;
        const auto place = [&](std::int64_t at, std::int64_t least) {
            return std::clamp(at < 0 ? at + size : at, std::min(least, high), high);
        };
        const std::int64_t first = place(starts[i], step > 0 ? 0 : std::min<std::int64_t>(0, high));
        const std::int64_t last = place(ends[i], low);
        const std::int64_t span = step > 0 ? last - first : first - last;
        const std::uint64_t stride =
            step > 0 ? static_cast<std::uint64_t>(step) : 0 - static_cast<std::uint64_t>(step);
        shape[list[i]] =
            span <= 0
                ? 0
                : static_cast<std::int64_t>((static_cast<std::uint64_t>(span) - 1) / stride) + 1;
        side.offset += first * side.strides[list[i]];
        // A step past the end takes one element only.
        side.strides[list[i]] *= shape[list[i]] > 1 ? step : 1;
    }
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), shape));
    copyStrided(output, {0, stridesOf(shape)}, *input, side, shape);
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Slice", 1, inferSlice, runSlice},
};

} // namespace

std::span<const OpEntry> slices()
{
    return entries;
}

} // namespace fusescope::indexing
