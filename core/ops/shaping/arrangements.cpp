#include "ops/element_copy.h"
#include "ops/infer_support.h"
#include "ops/shaping/shaping.h"
#include "ops/shape_messages.h"

#include <numeric>

namespace fusescope::shaping {

namespace {

template <class C>
Result<std::vector<std::size_t>> permutation(const C& c, std::size_t rank)
{
    std::vector<std::size_t> perm(rank);
    const auto given = c.attributes().getInts("perm");
    if (!given) {
        std::iota(perm.rbegin(), perm.rend(), std::size_t{0});
        return perm;
    }
    if (given->size() != rank)
        return c.wrong(wrongAttribute("perm", std::to_string(rank) + " axes",
                                      std::to_string(given->size())));
    return wantAxes(c, *given, rank);
}

Result<void> inferTranspose(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        const auto perm = c.attributes().getInts("perm");
        c.setTensor(0, c.dtype(0), perm ? c.unknownShape(0, perm->size()) : Shape::unranked());
        return {};
    }
    FUSESCOPE_ASSIGN(const auto perm, permutation(c, input.rank()));
    std::vector<Dim> dims;
    for (const std::size_t axis : perm)
        dims.push_back(input[axis]);
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    passData(c, perm.size());
    return {};
}

// A new tensor that reads the input through these strides.
Result<void> setView(KernelContext& c, const Tensor& input, std::vector<std::int64_t> shape,
                     std::span<const std::int64_t> viewShape, StridedSide side)
{
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input.dtype(), std::move(shape)));
    copyStrided(output, {0, stridesOf(viewShape)}, input, side, viewShape);
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runTranspose(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const auto perm, permutation(c, input->rank()));
    const auto strides = stridesOf(input->shape());
    std::vector<std::int64_t> shape;
    StridedSide side;
    for (const std::size_t axis : perm) {
        shape.push_back(input->shape()[axis]);
        side.strides.push_back(strides[axis]);
    }
    return setView(c, *input, shape, shape, std::move(side));
}

Result<void> inferExpand(InferenceContext& c)
{
    const ShapeData target = c.integers(1);
    if (!target) {
        const auto length = knownLength(c, 1);
        if (length && *length <= 64 && c.shape(0).hasRank())
            c.setTensor(
                0, c.dtype(0),
                c.unknownShape(0, std::max(c.shape(0).rank(), static_cast<std::size_t>(*length))));
        else
            c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    std::vector<Dim> dims;
    for (std::size_t axis = 0; axis < target->size(); ++axis) {
        const Dim& dim = (*target)[axis];
        if (dim.isConstant() && *dim.constant() < 0)
            return c.wrong(wrongValue("shape", ">= 0", dim.text()));
        dims.push_back(sizeFrom(c, dim, 1, axis));
    }
    const Shape wanted = Shape::of(std::move(dims));
    auto shape = broadcast(c.shape(0), wanted,
                           [&c](int axis) { return c.unknown(0, static_cast<std::size_t>(axis)); });
    if (!shape)
        return c.wrong(cannotBroadcast(0, c.shape(0).text(), wanted.text()));
    const Shape result = *std::move(shape);
    c.setTensor(0, c.dtype(0), result);
    const ShapeData data = carriesData(c.dtype(0)) ? c.integers(0) : std::nullopt;
    if (data && result.hasRank() && result.rank() == 1 && result[0].isConstant()) {
        const std::int64_t count = *result[0].constant();
        if (data->size() == 1 && count <= 64)
            c.setData(0, std::vector<Dim>(static_cast<std::size_t>(count), data->front()));
        else if (static_cast<std::int64_t>(data->size()) == count)
            c.setData(0, *data);
    }
    return {};
}

Result<void> runExpand(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const auto target, wantInts(c, 1));
    const auto shape = broadcastSizes(input->shape(), target);
    if (!shape)
        return c.wrong(cannotBroadcast(0, shapeText(input->shape()), shapeText(target)));
    return setView(c, *input, *shape, *shape, {0, broadcastStrides(input->shape(), *shape)});
}

// Version 1 repeats along one axis; later ones give a count for every axis.
Result<void> inferTile(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    std::vector<Dim> repeats(input.rank(), Dim(1));
    if (c.sinceVersion() < 6) {
        const auto tiles = knownInt(c, 1);
        const auto axis = knownInt(c, 2);
        if (!tiles || !axis) {
            c.setTensor(0, c.dtype(0), c.unknownShape(0, input.rank()));
            return {};
        }
        FUSESCOPE_ASSIGN(const std::size_t a, axisOf(c, *axis, input.rank()));
        repeats[a] = *tiles;
    } else {
        const ShapeData data = c.integers(1);
        if (!data) {
            c.setTensor(0, c.dtype(0), c.unknownShape(0, input.rank()));
            return {};
        }
        if (data->size() != input.rank())
            return c.wrong(
                wrongShape(1, std::to_string(input.rank()), std::to_string(data->size())));
        repeats = *data;
    }
    std::vector<Dim> dims;
    for (std::size_t axis = 0; axis < input.rank(); ++axis) {
        if (repeats[axis].isConstant() && *repeats[axis].constant() < 0)
            return c.wrong(wrongValue("repeats", ">= 0", repeats[axis].text()));
        dims.push_back(provablyNonNegative(repeats[axis]) ? input[axis] * repeats[axis]
                                                          : c.unknown(0, axis));
    }
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    const auto data = carriesData(c.dtype(0)) && input.rank() == 1 ? c.integers(0) : std::nullopt;
    if (data && repeats[0].isConstant() && *repeats[0].constant() <= 64 &&
        *repeats[0].constant() * static_cast<std::int64_t>(data->size()) <= 64) {
        std::vector<Dim> all;
        for (std::int64_t i = 0; i < *repeats[0].constant(); ++i)
            all.insert(all.end(), data->begin(), data->end());
        c.setData(0, std::move(all));
    }
    return {};
}

Result<void> runTile(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    const std::size_t rank = input->rank();
    std::vector<std::int64_t> repeats(rank, 1);
    if (c.sinceVersion() < 6) {
        FUSESCOPE_ASSIGN(const Tensor* tiles, c.tensor(1));
        FUSESCOPE_ASSIGN(const Tensor* axis, c.tensor(2));
        FUSESCOPE_TRY(requireCount(c, tiles, 1, 1));
        FUSESCOPE_TRY(requireCount(c, axis, 2, 1));
        FUSESCOPE_ASSIGN(const std::size_t a, axisOf(c, axis->asInt(0), rank));
        repeats[a] = tiles->asInt(0);
    } else {
        FUSESCOPE_ASSIGN(repeats, wantInts(c, 1));
        if (repeats.size() != rank)
            return c.wrong(wrongShape(1, std::to_string(rank), std::to_string(repeats.size())));
    }
    const auto strides = stridesOf(input->shape());
    std::vector<std::int64_t> shape;
    std::vector<std::int64_t> view;
    StridedSide side;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::int64_t size = input->shape()[axis];
        const std::int64_t most = (std::int64_t{1} << 48) / std::max<std::int64_t>(size, 1);
        if (repeats[axis] < 0)
            return c.wrong(wrongValue("repeats", ">= 0", std::to_string(repeats[axis])));
        if (repeats[axis] > most)
            return c.wrong(
                Message("ops.scaled-too-far",
                        {{"size", size}, {"scale", std::to_string(repeats[axis])}}));
        shape.push_back(size * repeats[axis]);
        view.insert(view.end(), {repeats[axis], size});
        side.strides.insert(side.strides.end(), {0, strides[axis]});
    }
    return setView(c, *input, shape, view, std::move(side));
}

Result<std::int64_t> blockSize(const Attributes& attributes, const auto& c)
{
    const std::int64_t size = attributes.getInt("blocksize", 0);
    if (size < 1 || size > (1 << 20))
        return c.wrong(wrongAttribute("blocksize", "1 … " + std::to_string(1 << 20), std::to_string(size)));
    return size;
}

Result<void> inferDepthToSpace(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 4, 4));
    FUSESCOPE_ASSIGN(const std::int64_t block, blockSize(c.attributes(), c));
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), c.unknownShape(0, 4));
        return {};
    }
    if (provablyDifferent(mod(input[1], block * block), 0))
        return c.wrong(wrongShape(0, "C % (blocksize * blocksize) = 0", input.text()));
    c.setTensor(0, c.dtype(0),
                Shape::of({input[0], floordiv(input[1], block * block), input[2] * Dim(block),
                           input[3] * Dim(block)}));
    return {};
}

Result<void> runDepthToSpace(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *input, 0, 4, 4));
    FUSESCOPE_ASSIGN(const std::int64_t b, blockSize(c.attributes(), c));
    const std::int64_t n = input->shape()[0], h = input->shape()[2], w = input->shape()[3];
    if (input->shape()[1] % (b * b) != 0)
        return c.wrong(wrongShape(0, "C % (blocksize * blocksize) = 0", shapeText(input->shape())));
    const std::int64_t depth = input->shape()[1] / (b * b);
    const bool crd = c.attributes().getString("mode", "DCR") == "CRD";
    const std::int64_t plane = h * w;
    // Axes of the result: n, depth, h, block row, w, block column.
    const std::int64_t depthStep = crd ? b * b * plane : plane;
    const std::int64_t rowStep = crd ? b * plane : b * depth * plane;
    const std::int64_t columnStep = crd ? plane : depth * plane;
    const std::vector<std::int64_t> view{n, depth, h, b, w, b};
    return setView(c, *input, {n, depth, h * b, w * b}, view,
                   {0, {depth * b * b * plane, depthStep, w, rowStep, 1, columnStep}});
}

Result<void> inferSpaceToDepth(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 4, 4));
    FUSESCOPE_ASSIGN(const std::int64_t block, blockSize(c.attributes(), c));
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), c.unknownShape(0, 4));
        return {};
    }
    for (const std::size_t axis : {std::size_t{2}, std::size_t{3}}) {
        if (provablyDifferent(mod(input[axis], block), 0))
            return c.wrong(wrongShape(0, "H, W % blocksize = 0", input.text()));
    }
    c.setTensor(0, c.dtype(0),
                Shape::of({input[0], input[1] * Dim(block * block), floordiv(input[2], block),
                           floordiv(input[3], block)}));
    return {};
}

Result<void> runSpaceToDepth(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *input, 0, 4, 4));
    FUSESCOPE_ASSIGN(const std::int64_t b, blockSize(c.attributes(), c));
    const auto& in = input->shape();
    if (in[2] % b != 0 || in[3] % b != 0)
        return c.wrong(wrongShape(0, "H, W % blocksize = 0", shapeText(in)));
    const std::int64_t h = in[2] / b, w = in[3] / b, plane = in[2] * in[3];
    const std::int64_t batch = in[1] * plane, rowStep = in[3], deep = b * in[3];
    std::vector<std::int64_t> result{in[0], in[1] * b * b, h, w};
    if (c.attributes().getString("mode", "DCR") == "CRD") {
        const std::vector<std::int64_t> view{in[0], in[1], b, b, h, w};
        return setView(c, *input, result, view, {0, {batch, plane, rowStep, 1, deep, b}});
    }
    const std::vector<std::int64_t> view{in[0], b, b, in[1], h, w};
    return setView(c, *input, result, view, {0, {batch, rowStep, 1, plane, deep, b}});
}

Result<void> inferReverseSequence(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 2));
    FUSESCOPE_TRY(requireRank(c, 1, 1, 1));
    return inferSame(c);
}

Result<void> runReverseSequence(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *input, 0, 2));
    FUSESCOPE_ASSIGN(const auto lengths, wantInts(c, 1));
    const std::int64_t timeAxis = c.attributes().getInt("time_axis", 0);
    const std::int64_t batchAxis = c.attributes().getInt("batch_axis", 1);
    if (timeAxis < 0 || timeAxis > 1)
        return c.wrong(wrongAttribute("time_axis", "0, 1", std::to_string(timeAxis)));
    if (batchAxis != 1 - timeAxis)
        return c.wrong(wrongAttribute("batch_axis", std::to_string(1 - timeAxis),
                                      std::to_string(batchAxis)));
    const std::int64_t times = input->shape()[static_cast<std::size_t>(timeAxis)];
    const std::int64_t batches = input->shape()[static_cast<std::size_t>(batchAxis)];
    if (static_cast<std::int64_t>(lengths.size()) != batches)
        return c.wrong(wrongShape(1, std::to_string(batches), std::to_string(lengths.size())));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), input->shape()));
    const std::int64_t inner = productOf(std::span(input->shape()).subspan(2));
    const std::int64_t timeStep = timeAxis == 0 ? batches * inner : inner;
    const std::int64_t batchStep = timeAxis == 0 ? inner : times * inner;
    ElementCopy mover(output, *input);
    for (std::int64_t b = 0; output.elementCount() > 0 && b < batches; ++b) {
        const std::int64_t length = lengths[static_cast<std::size_t>(b)];
        if (length < 0 || length > times)
            return c.wrong(wrongValue("sequence_lens", "0 … " + std::to_string(times),
                                      std::to_string(length)));
        for (std::int64_t t = 0; t < times; ++t) {
            const std::int64_t from = t < length ? length - 1 - t : t;
            mover.copy(b * batchStep + t * timeStep, b * batchStep + from * timeStep, inner);
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Transpose", 1, inferTranspose, runTranspose},
    {"", "Expand", 8, inferExpand, runExpand},
    {"", "Tile", 1, inferTile, runTile},
    {"", "DepthToSpace", 1, inferDepthToSpace, runDepthToSpace},
    {"", "SpaceToDepth", 1, inferSpaceToDepth, runSpaceToDepth},
    {"", "ReverseSequence", 10, inferReverseSequence, runReverseSequence},
};

} // namespace

std::span<const OpEntry> arrangements()
{
    return entries;
}

} // namespace fusescope::shaping
