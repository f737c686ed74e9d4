#include "ops/element_copy.h"
#include "ops/indexing/indexing.h"
#include "ops/infer_support.h"
#include "ops/shape_messages.h"

namespace fusescope::indexing {

namespace {

Result<void> inferGather(InferenceContext& c)
{
    const Shape& data = c.shape(0);
    const Shape& indices = c.shape(1);
    if (!data.hasRank() || !indices.hasRank()) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    FUSESCOPE_TRY(requireRank(c, 0, 1));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), data.rank()));
    std::vector<Dim> dims(data.dims().begin(),
                          data.dims().begin() + static_cast<std::ptrdiff_t>(axis));
    dims.insert(dims.end(), indices.dims().begin(), indices.dims().end());
    dims.insert(dims.end(), data.dims().begin() + static_cast<std::ptrdiff_t>(axis) + 1,
                data.dims().end());
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    const ShapeData contents =
        carriesData(c.dtype(0)) && data.rank() == 1 ? c.integers(0) : std::nullopt;
    const auto at = indices.rank() <= 1 ? knownInts(c, 1) : std::nullopt;
    if (!contents || !at)
        return {};
    std::vector<Dim> result;
    const auto size = static_cast<std::int64_t>(contents->size());
    for (const std::int64_t i : *at) {
        if (i < -size || i >= size)
            return c.wrong(indexOutOfRange(1, i, size));
        result.push_back((*contents)[static_cast<std::size_t>(fromFront(i, size))]);
    }
    c.setData(0, std::move(result));
    return {};
}

// Indices counted from the front, all within the axis.
Result<std::vector<std::int64_t>> wantIndices(const KernelContext& c, std::size_t input,
                                              std::int64_t size)
{
    FUSESCOPE_ASSIGN(auto indices, wantInts(c, input));
    for (std::int64_t& i : indices) {
        if (i < -size || i >= size)
            return c.wrong(indexOutOfRange(input, i, size));
        if (i < 0)
            i += size;
    }
    return indices;
}

Result<void> runGather(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* data, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* indexTensor, c.tensor(1));
    FUSESCOPE_TRY(requireRank(c, *data, 0, 1));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), data->rank()));
    const std::int64_t size = data->shape()[axis];
    FUSESCOPE_ASSIGN(const auto indices, wantIndices(c, 1, size));
    const std::span<const std::int64_t> in = data->shape();
    std::vector<std::int64_t> shape(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(axis));
    shape.insert(shape.end(), indexTensor->shape().begin(), indexTensor->shape().end());
    shape.insert(shape.end(), in.begin() + static_cast<std::ptrdiff_t>(axis) + 1, in.end());
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(data->dtype(), shape));
    const std::int64_t outer = productOf(in.first(axis));
    const std::int64_t inner = productOf(in.subspan(axis + 1));
    ElementCopy mover(output, *data);
    std::int64_t at = 0;
    for (std::int64_t o = 0; output.elementCount() > 0 && o < outer; ++o) {
        for (const std::int64_t i : indices) {
            mover.copy(at, (o * size + i) * inner, inner);
            at += inner;
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferGatherElements(InferenceContext& c)
{
    if (c.shape(0).hasRank() && c.shape(1).hasRank() && c.shape(0).rank() != c.shape(1).rank())
        return c.wrong(wrongRank(1, std::to_string(c.shape(0).rank()), c.shape(1).rank()));
    if (c.shape(0).hasRank()) {
        FUSESCOPE_TRY(axisOf(c, c.attributes().getInt("axis", 0), c.shape(0).rank()));
    }
    c.setTensor(0, c.dtype(0), c.shape(1));
    return {};
}

Result<void> runGatherElements(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* data, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* indexTensor, c.tensor(1));
    if (data->rank() != indexTensor->rank())
        return c.wrong(wrongRank(1, std::to_string(data->rank()), indexTensor->rank()));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), data->rank()));
    FUSESCOPE_ASSIGN(const auto indices, wantIndices(c, 1, data->shape()[axis]));
    for (std::size_t a = 0; a < data->rank(); ++a) {
        if (a != axis && indexTensor->shape()[a] > data->shape()[a])
            return c.wrong(
                wrongShape(1, "<= " + shapeText(data->shape()), shapeText(indexTensor->shape())));
    }
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(data->dtype(), indexTensor->shape()));
    const auto strides = stridesOf(data->shape());
    ElementCopy mover(output, *data);
    forEachIndex(output.shape(), [&](std::int64_t to, const std::vector<std::int64_t>& index) {
        std::int64_t from = 0;
        for (std::size_t a = 0; a < index.size(); ++a)
            from += (a == axis ? indices[static_cast<std::size_t>(to)] : index[a]) * strides[a];
        mover.copy(to, from);
    });
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferGatherND(InferenceContext& c)
{
    const Shape& data = c.shape(0);
    const Shape& indices = c.shape(1);
    FUSESCOPE_TRY(requireRank(c, 0, 1));
    FUSESCOPE_TRY(requireRank(c, 1, 1));
    const std::int64_t batch = c.attributes().getInt("batch_dims", 0);
    const auto depth = indices.hasRank() ? indices[indices.rank() - 1].constant() : std::nullopt;
    if (!data.hasRank() || !depth) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    if (batch < 0 || batch >= static_cast<std::int64_t>(std::min(data.rank(), indices.rank())))
        return c.wrong(wrongAttribute("batch_dims",
                                      "0 … " + std::to_string(std::min(data.rank(), indices.rank()) - 1),
                                      std::to_string(batch)));
    if (*depth < 1 || *depth > static_cast<std::int64_t>(data.rank()) - batch)
        return c.wrong(
            wrongShape(1,
                       "[…, 1 … " + std::to_string(static_cast<std::int64_t>(data.rank()) - batch) +
                           "]",
                       indices.text()));
    std::vector<Dim> dims(indices.dims().begin(), indices.dims().end() - 1);
    dims.insert(dims.end(), data.dims().begin() + batch + *depth, data.dims().end());
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    return {};
}

Result<void> runGatherND(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* data, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* indexTensor, c.tensor(1));
    FUSESCOPE_TRY(requireRank(c, *data, 0, 1));
    FUSESCOPE_TRY(requireRank(c, *indexTensor, 1, 1));
    FUSESCOPE_ASSIGN(const auto indices, wantInts(c, 1));
    const std::int64_t batch = c.attributes().getInt("batch_dims", 0);
    const std::int64_t depth = indexTensor->shape().back();
    const std::span<const std::int64_t> in = data->shape();
    const auto rank = static_cast<std::int64_t>(in.size());
    const std::int64_t batches =
        std::min(rank, static_cast<std::int64_t>(indexTensor->rank())) - 1; // at the most
    if (batch < 0 || batch > batches)
        return c.wrong(wrongAttribute("batch_dims", "0 … " + std::to_string(batches),
                                      std::to_string(batch)));
    if (depth < 1 || depth > rank - batch)
        return c.wrong(wrongShape(1, "[…, 1 … " + std::to_string(rank - batch) + "]",
                                  shapeText(indexTensor->shape())));
    for (std::size_t a = 0; a < static_cast<std::size_t>(batch); ++a) {
        if (in[a] != indexTensor->shape()[a])
            return c.wrong(wrongSize(1, a, std::to_string(in[a]), shapeText(indexTensor->shape())));
    }
    std::vector<std::int64_t> shape(indexTensor->shape().begin(), indexTensor->shape().end() - 1);
    const auto tail = in.subspan(static_cast<std::size_t>(batch + depth));
    shape.insert(shape.end(), tail.begin(), tail.end());
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(data->dtype(), shape));
    const auto strides = stridesOf(in);
    const std::int64_t inner = productOf(tail);
    const std::int64_t groups = productOf(in.first(static_cast<std::size_t>(batch)));
    const std::int64_t tuples = static_cast<std::int64_t>(indices.size()) / depth;
    const std::int64_t perBatch = groups == 0 ? 0 : tuples / groups;
    const std::int64_t batchSize = productOf(in.subspan(static_cast<std::size_t>(batch)));
    ElementCopy mover(output, *data);
    for (std::int64_t t = 0; perBatch > 0 && t < tuples; ++t) {
        std::int64_t from = t / perBatch * batchSize;
        for (std::int64_t k = 0; k < depth; ++k) {
            const auto axis = static_cast<std::size_t>(batch + k);
            const std::int64_t i = indices[static_cast<std::size_t>(t * depth + k)];
            if (i < -in[axis] || i >= in[axis])
                return c.wrong(indexOutOfRange(1, i, in[axis]));
            from += fromFront(i, in[axis]) * strides[axis];
        }
        mover.copy(t * inner, from, inner);
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Gather", 1, inferGather, runGather},
    {"", "GatherElements", 11, inferGatherElements, runGatherElements},
    {"", "GatherND", 11, inferGatherND, runGatherND},
};

} // namespace

std::span<const OpEntry> gathers()
{
    return entries;
}

} // namespace fusescope::indexing
