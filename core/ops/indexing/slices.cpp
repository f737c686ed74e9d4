#include "ops/element_copy.h"
#include "ops/indexing/indexing.h"
#include "ops/infer_support.h"
#include "ops/slice_lists.h"

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
    SliceLists lists = sliceLists(
        c.node(), c.sinceVersion(), [&c](std::size_t input) { return c.hasInput(input); },
        [&c](std::size_t input) { return knownInts(c, input); });
    const bool asInputs = c.sinceVersion() >= 10;
    SliceTerms terms;
    terms.starts = asInputs ? c.integers(1) : asTerms(lists.starts);
    terms.ends = asInputs ? c.integers(2) : asTerms(lists.ends);
    if (const auto length = asInputs ? knownLength(c, 1) : std::nullopt)
        lists.fillDefaults(static_cast<std::size_t>(std::clamp<std::int64_t>(*length, 0, 1024)));
    else if (terms.starts)
        lists.fillDefaults(terms.starts->size());
    terms.axes = std::move(lists.axes);
    terms.steps = std::move(lists.steps);
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
    const SliceRun run = sliceRun(*(*terms.starts)[0].constant(),
                                  *(*terms.ends)[0].constant(), step, size);
    std::vector<Dim> result;
    if (step > 0) {
        for (std::int64_t i = run.first; i < run.last; i += std::min(step, size))
            result.push_back((*data)[static_cast<std::size_t>(i)]);
    } else {
        for (std::int64_t i = run.first; i > run.last; i += std::max(step, -size - 1))
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

Result<SliceLists> wantLists(const KernelContext& c)
{
    Result<void> read;
    SliceLists lists = sliceLists(
        c.node(), c.sinceVersion(), [&c](std::size_t input) { return c.hasInput(input); },
        [&](std::size_t input) -> std::optional<SliceLists::Ints> {
            auto ints = wantInts(c, input);
            if (!ints && read)
                read = tl::unexpected(ints.error());
            return ints ? std::optional(*std::move(ints)) : std::nullopt;
        });
    FUSESCOPE_TRY(read);
    return lists;
}

Result<void> runSlice(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    const std::size_t rank = input->rank();
    FUSESCOPE_ASSIGN(SliceLists lists, wantLists(c));
    const auto starts = lists.starts.value_or(SliceLists::Ints{});
    const auto ends = lists.ends.value_or(SliceLists::Ints{});
    lists.fillDefaults(starts.size());
    const auto axes = lists.axes.value_or(SliceLists::Ints{});
    auto steps = lists.steps.value_or(SliceLists::Ints{});
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
        const auto [first, last] = sliceRun(starts[i], ends[i], step, size);
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
