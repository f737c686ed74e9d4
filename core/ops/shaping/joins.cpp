#include "ops/element_copy.h"
#include "ops/infer_support.h"
#include "ops/shaping/shaping.h"

#include <algorithm>

namespace fusescope::shaping {

namespace {

// Version 1 of Concat has axis 1 where none is given.
constexpr std::int64_t concatDefaultAxis = 1;

Result<void> inferConcat(InferenceContext& c)
{
    if (c.sinceVersion() >= 4 && !c.attributes().has("axis"))
        return c.wrong(missingAttribute("axis"));
    DType type = c.dtype(0);
    std::size_t rank = 0;
    bool ranked = false;
    bool allRanked = true;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        const Shape& shape = c.shape(i);
        if (type == DType::undefined)
            type = c.dtype(i);
        if (c.dtype(i) != DType::undefined && c.dtype(i) != type)
            return c.wrong(
                wrongType(i, std::string(nameOf(type)), std::string(nameOf(c.dtype(i)))));
        if (!shape.hasRank()) {
            allRanked = false;
            continue;
        }
        if (ranked && shape.rank() != rank)
            return c.wrong(wrongRank(i, std::to_string(rank), shape.rank()));
        rank = shape.rank();
        ranked = true;
    }
    if (!ranked) {
        c.setTensor(0, type, Shape::unranked());
        return {};
    }
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", concatDefaultAxis), rank));
    std::vector<Dim> dims(rank);
    bool first = true;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        const Shape& shape = c.shape(i);
        if (!shape.hasRank())
            continue;
        for (std::size_t a = 0; a < rank; ++a) {
            if (a == axis)
                dims[a] = dims[a] + shape[a];
            else if (first)
                dims[a] = shape[a];
            else {
                FUSESCOPE_ASSIGN(dims[a], wantMeet(c, dims[a], shape[a], a));
            }
        }
        first = false;
    }
    if (!allRanked)
        dims[axis] = c.unknown(0, axis);
    c.setTensor(0, type, Shape::of(std::move(dims)));
    if (rank != 1 || !carriesData(type) || !allRanked)
        return {};
    std::vector<Dim> data;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        const ShapeData part = c.integers(i);
        const auto length = c.shape(i)[0].constant();
        if (!length || *length > 64)
            return {};
        for (std::int64_t k = 0; k < *length; ++k)
            data.push_back(part && static_cast<std::int64_t>(part->size()) == *length
                               ? (*part)[static_cast<std::size_t>(k)]
                               : c.unknownElement(0, data.size()));
    }
    c.setData(0, std::move(data));
    return {};
}

Result<void> runConcat(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* first, c.tensor(0));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", concatDefaultAxis), first->rank()));
    std::vector<std::int64_t> shape = first->shape();
    shape[axis] = 0;
    std::vector<const Tensor*> parts;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        FUSESCOPE_ASSIGN(const Tensor* part, c.tensor(i));
        if (part->dtype() != first->dtype())
            return c.wrong(wrongType(i, std::string(nameOf(first->dtype())),
                                     std::string(nameOf(part->dtype()))));
        bool fits = part->rank() == first->rank();
        for (std::size_t a = 0; fits && a < shape.size(); ++a)
            fits = a == axis || part->shape()[a] == shape[a];
        if (!fits)
            return c.wrong(wrongShape(i, shapeText(first->shape()), shapeText(part->shape())));
        shape[axis] += part->shape()[axis];
        parts.push_back(part);
    }
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(first->dtype(), shape));
    const auto strides = stridesOf(shape);
    std::int64_t at = 0;
    for (const Tensor* part : parts) {
        copyStrided(output, {at * strides[axis], strides}, *part, {0, stridesOf(part->shape())},
                    part->shape());
        at += part->shape()[axis];
    }
    c.setOutput(0, std::move(output));
    return {};
}

// The sizes that the node asks for: an input in versions 1 and from 13 on, or an attribute.
bool splitIsInput(int since)
{
    return since < 2 || since >= 13;
}

Result<void> inferSplit(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    const std::size_t parts = c.outputCount();
    if (!input.hasRank()) {
        for (std::size_t i = 0; i < parts; ++i)
            c.setTensor(i, c.dtype(0), Shape::unranked());
        return {};
    }
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), input.rank()));
    ShapeData sizes;
    const bool given = (splitIsInput(c.sinceVersion()) && c.hasInput(1)) ||
                       (c.sinceVersion() < 13 && c.attributes().has("split"));
    if (splitIsInput(c.sinceVersion()) && c.hasInput(1)) {
        sizes = c.integers(1);
    } else if (c.sinceVersion() < 13) {
        if (const auto ints = c.attributes().getInts("split"))
            sizes = std::vector<Dim>(ints->begin(), ints->end());
    }
    const auto count = c.sinceVersion() >= 18
                           ? c.attributes().getInt("num_outputs", static_cast<std::int64_t>(parts))
                           : static_cast<std::int64_t>(parts);
    if (!given && (count < static_cast<std::int64_t>(parts) || count < 1))
        return c.wrong(wrongAttribute("num_outputs",
                                      ">= " + std::to_string(std::max<std::size_t>(1, parts)),
                                      std::to_string(count)));
    if (sizes) {
        if (sizes->size() < parts)
            return c.wrong(wrongShape(1, std::to_string(parts), std::to_string(sizes->size())));
        Dim total = 0;
        for (const Dim& size : *sizes)
            total = total + size;
        if (provablyDifferent(total, input[axis]))
            return c.wrong(
                {"ops.split-sum", {{"sum", total.text()}, {"size", input[axis].text()}}});
    }
    if (!given && c.sinceVersion() < 18 && provablyDifferent(mod(input[axis], count), 0))
        return c.wrong({"ops.split-uneven", {{"count", count}, {"size", input[axis].text()}}});
    for (std::size_t i = 0; i < parts; ++i) {
        Shape shape = input;
        if (sizes) {
            shape.set(axis, sizeFrom(c, (*sizes)[i], i, axis));
        } else if (given) {
            shape.set(axis, c.unknown(i, axis));
        } else if (c.sinceVersion() < 18) {
            shape.set(axis, floordiv(input[axis], count));
        } else {
            // The last part is what is left.
            const Dim chunk = ceildiv(input[axis], count);
            const Dim left = input[axis] - chunk * Dim(static_cast<std::int64_t>(i));
            shape.set(axis, static_cast<std::int64_t>(i) + 1 < count ? min(chunk, max(left, 0))
                                                                     : max(left, 0));
        }
        c.setTensor(i, c.dtype(0), std::move(shape));
    }
    const auto data = input.rank() == 1 && carriesData(c.dtype(0)) ? c.integers(0) : std::nullopt;
    std::size_t at = 0;
    for (std::size_t i = 0; data && i < parts; ++i) {
        const auto length = c.outputs()[i].type.shape[0].constant();
        if (!length || at + static_cast<std::size_t>(*length) > data->size())
            break;
        const auto from = data->begin() + static_cast<std::ptrdiff_t>(at);
        c.setData(i, {from, from + static_cast<std::ptrdiff_t>(*length)});
        at += static_cast<std::size_t>(*length);
    }
    return {};
}

// The sizes that are given must use up the axis, those beyond the outputs too.
Result<std::vector<std::int64_t>> givenSizes(const KernelContext& c, std::int64_t size,
                                             std::vector<std::int64_t> sizes)
{
    if (sizes.size() < c.outputCount())
        return c.wrong(
            wrongShape(1, std::to_string(c.outputCount()), std::to_string(sizes.size())));
    if (std::ranges::any_of(sizes, [](std::int64_t part) { return part < 0; }))
        return c.wrong(wrongValue("split", ">= 0", shapeText(sizes)));
    std::int64_t left = size;
    for (const std::int64_t part : sizes)
        left = part < 0 || part > left ? -1 : left - part;
    if (left != 0)
        return c.wrong(
            {"ops.split-sum", {{"sum", shapeText(sizes)}, {"size", std::to_string(size)}}});
    return sizes;
}

Result<std::vector<std::int64_t>> splitSizes(KernelContext& c, std::int64_t size)
{
    if (splitIsInput(c.sinceVersion()) && c.hasInput(1)) {
        if (c.sinceVersion() >= 2) {
            FUSESCOPE_ASSIGN(auto sizes, wantInts(c, 1));
            return givenSizes(c, size, std::move(sizes));
        }
        FUSESCOPE_ASSIGN(const Tensor* split, c.tensor(1));
        return givenSizes(c, size, split->asInts());
    }
    if (c.sinceVersion() < 13) {
        if (auto ints = c.attributes().getInts("split"))
            return givenSizes(c, size, *std::move(ints));
    }
    const auto outputs = static_cast<std::int64_t>(c.outputCount());
    const std::int64_t count =
        c.sinceVersion() >= 18 ? c.attributes().getInt("num_outputs", outputs) : outputs;
    if (count < outputs || count < 1)
        return c.wrong(
            wrongAttribute("num_outputs",
                           ">= " + std::to_string(std::max<std::int64_t>(1, outputs)),
                           std::to_string(count)));
    if (c.sinceVersion() < 18 && size % count != 0)
        return c.wrong({"ops.split-uneven", {{"count", count}, {"size", std::to_string(size)}}});
    const std::int64_t chunk = size / count + (size % count != 0 ? 1 : 0);
    std::vector<std::int64_t> sizes;
    for (std::int64_t i = 0; i < outputs; ++i) {
        sizes.push_back(std::clamp<std::int64_t>(size, 0, chunk));
        size -= sizes.back();
    }
    return sizes;
}

Result<void> runSplit(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), input->rank()));
    const std::int64_t size = input->shape()[axis];
    FUSESCOPE_ASSIGN(const auto sizes, splitSizes(c, size));
    const auto strides = stridesOf(input->shape());
    std::int64_t at = 0;
    for (std::size_t i = 0; i < c.outputCount(); ++i) {
        std::vector<std::int64_t> shape = input->shape();
        shape[axis] = sizes[i];
        FUSESCOPE_ASSIGN(Tensor part, c.allocate(input->dtype(), shape));
        copyStrided(part, {0, stridesOf(shape)}, *input, {at * strides[axis], strides}, shape);
        c.setOutput(i, std::move(part));
        at += sizes[i];
    }
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Concat", 1, inferConcat, runConcat},
    {"", "Split", 1, inferSplit, runSplit},
};

} // namespace

std::span<const OpEntry> joins()
{
    return entries;
}

} // namespace fusescope::shaping
