#include "ops/infer_support.h"
#include "ops/shaping/shaping.h"

namespace fusescope::shaping {

namespace {

Result<void> inferShape(InferenceContext& c)
{
    const Shape& shape = c.shape(0);
    if (!shape.hasRank()) {
        c.setTensor(0, DType::int64, c.unknownShape(0, 1));
        return {};
    }
    const auto [start, end] = shapeRange(c.attributes(), shape.rank());
    std::vector<Dim> data(shape.dims().begin() + static_cast<std::ptrdiff_t>(start),
                          shape.dims().begin() + static_cast<std::ptrdiff_t>(end));
    c.setTensor(0, DType::int64, Shape::of({Dim(static_cast<std::int64_t>(data.size()))}));
    c.setData(0, std::move(data));
    return {};
}

Result<void> runShape(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    const auto [start, end] = shapeRange(c.attributes(), input->rank());
    c.setOutput(0, Tensor::vector({input->shape().begin() + static_cast<std::ptrdiff_t>(start),
                                   input->shape().begin() + static_cast<std::ptrdiff_t>(end)}));
    return {};
}

Result<void> inferSize(InferenceContext& c)
{
    c.setTensor(0, DType::int64, Shape::scalar());
    if (auto count = c.shape(0).elementCount())
        c.setData(0, {*std::move(count)});
    return {};
}

Result<void> runSize(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    c.setOutput(0, Tensor::scalar<std::int64_t>(input->elementCount()));
    return {};
}

// What Reshape asks for: from the attribute of version 1, else from input 1.
ShapeData reshapeTarget(const InferenceContext& c)
{
    if (c.sinceVersion() >= 5)
        return c.integers(1);
    const auto values = c.attributes().getInts("shape");
    return values ? ShapeData(std::vector<Dim>(values->begin(), values->end())) : std::nullopt;
}

Result<void> inferReshape(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    const ShapeData target = reshapeTarget(c);
    if (!target) {
        const auto rank = c.sinceVersion() >= 5 ? knownLength(c, 1) : std::nullopt;
        c.setTensor(0, c.dtype(0),
                    rank && *rank <= 64 ? c.unknownShape(0, static_cast<std::size_t>(*rank))
                                        : Shape::unranked());
        return {};
    }
    const bool allowZero = c.attributes().getInt("allowzero", 0) != 0;
    std::vector<Dim> dims;
    std::optional<std::size_t> rest;
    bool exact = true; // all sizes but the one of -1 are known
    Dim product = 1;
    for (std::size_t axis = 0; axis < target->size(); ++axis) {
        Dim dim = (*target)[axis];
        if (dim == Dim(0) && !allowZero) {
            if (input.hasRank() && axis >= input.rank())
                return c.wrong(wrongRank(0, "> " + std::to_string(axis), input.rank()));
            if (input.hasRank())
                dim = input[axis];
            else {
                dim = c.unknown(0, axis);
                exact = false;
            }
        } else if (dim == Dim(-1)) {
            if (rest)
                return c.wrong(
                    {"ops.reshape-two-unknown", {{"axis", static_cast<std::int64_t>(axis)}}});
            rest = axis;
            dims.push_back(1);
            continue;
        } else if (!provablyNonNegative(dim)) {
            if (dim.isConstant())
                return c.wrong(wrongValue("shape", ">= -1", dim.text()));
            dim = c.unknown(0, axis);
            exact = false;
        }
        product = product * dim;
        dims.push_back(std::move(dim));
    }
    const auto total = input.elementCount();
    if (rest) {
        if (exact && product == Dim(0)) // any size would do
            return c.wrong({"ops.reshape-does-not-fit",
                            {{"input", input.text()}, {"target", Shape::of(*target).text()}}});
        Dim size = exact && total ? floordiv(*total, product) : c.unknown(0, *rest);
        if (size.isConstant() && total && total->isConstant() && !(size * product == *total))
            return c.wrong({"ops.reshape-does-not-fit",
                            {{"input", input.text()}, {"target", Shape::of(*target).text()}}});
        dims[*rest] = provablyNonNegative(size) ? std::move(size) : c.unknown(0, *rest);
    } else if (exact && total && provablyDifferent(*total, product)) {
        return c.wrong({"ops.reshape-does-not-fit",
                        {{"input", input.text()}, {"target", Shape::of(dims).text()}}});
    }
    const std::size_t rank = dims.size();
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    passData(c, rank);
    return {};
}

// The same elements in another shape.
Result<void> setReshaped(KernelContext& c, const Tensor& input, std::vector<std::int64_t> shape)
{
    if (elementCountOf(shape) != input.elementCount())
        return c.wrong({"ops.reshape-does-not-fit",
                        {{"input", shapeText(input.shape())}, {"target", shapeText(shape)}}});
    c.setOutput(0, input.reshaped(std::move(shape)));
    return {};
}

Result<void> runReshape(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    std::vector<std::int64_t> shape;
    if (c.sinceVersion() >= 5) {
        FUSESCOPE_ASSIGN(shape, wantInts(c, 1));
    } else {
        shape = intsOr(c.attributes(), "shape", {});
    }
    const bool allowZero = c.attributes().getInt("allowzero", 0) != 0;
    std::optional<std::size_t> rest;
    std::vector<std::int64_t> others;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        if (shape[axis] == -1) {
            if (rest)
                return c.wrong(
                    {"ops.reshape-two-unknown", {{"axis", static_cast<std::int64_t>(axis)}}});
            rest = axis;
            continue;
        }
        if (shape[axis] < 0)
            return c.wrong(wrongValue("shape", ">= -1", std::to_string(shape[axis])));
        if (shape[axis] == 0 && !allowZero) {
            if (axis >= input->rank())
                return c.wrong(wrongRank(0, "> " + std::to_string(axis), input->rank()));
            shape[axis] = input->shape()[axis];
        }
        others.push_back(shape[axis]);
    }
    if (rest) {
        const auto product = elementCountOf(others);
        if (!product || *product == 0 || input->elementCount() % *product != 0)
            return c.wrong({"ops.reshape-does-not-fit",
                            {{"input", shapeText(input->shape())}, {"target", shapeText(shape)}}});
        shape[*rest] = input->elementCount() / *product;
    }
    return setReshaped(c, *input, std::move(shape));
}

// The rank itself is an axis too; negative ones count from it.
template <class C>
Result<std::size_t> flattenAxis(const C& c, std::size_t rank)
{
    const std::int64_t axis = c.attributes().getInt("axis", 1);
    if (axis == static_cast<std::int64_t>(rank))
        return rank;
    return axisOf(c, axis, rank);
}

Result<void> inferFlatten(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), c.unknownShape(0, 2));
        return {};
    }
    FUSESCOPE_ASSIGN(const std::size_t axis, flattenAxis(c, input.rank()));
    Dim before = 1;
    Dim after = 1;
    for (std::size_t i = 0; i < input.rank(); ++i) {
        Dim& side = i < axis ? before : after;
        side = side * input[i];
    }
    c.setTensor(0, c.dtype(0), Shape::of({before, after}));
    return {};
}

Result<void> runFlatten(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const std::size_t axis, flattenAxis(c, input->rank()));
    const std::span<const std::int64_t> sizes = input->shape();
    return setReshaped(c, *input, {productOf(sizes.first(axis)), productOf(sizes.subspan(axis))});
}

Result<void> inferSqueeze(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    const AxesArgument axes = axesArgument(c, c.sinceVersion() >= 13);
    if (!input.hasRank() || (axes.given && !axes.values)) {
        const auto count = c.sinceVersion() >= 13 ? knownLength(c, 1) : std::nullopt;
        if (input.hasRank() && count && *count >= 0 &&
            *count <= static_cast<std::int64_t>(input.rank()))
            c.setTensor(0, c.dtype(0),
                        c.unknownShape(0, input.rank() - static_cast<std::size_t>(*count)));
        else
            c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    std::vector<bool> removed(input.rank());
    if (axes.given) {
        FUSESCOPE_ASSIGN(const auto list, wantAxes(c, *axes.values, input.rank()));
        for (const std::size_t axis : list) {
            if (provablyDifferent(input[axis], 1))
                return c.wrong(
                    {"ops.squeeze-not-one",
                     {{"axis", static_cast<std::int64_t>(axis)}, {"size", input[axis].text()}}});
            removed[axis] = true;
        }
    } else {
        for (std::size_t axis = 0; axis < input.rank(); ++axis) {
            removed[axis] = input[axis] == Dim(1);
            if (!removed[axis] && !provablyDifferent(input[axis], 1)) {
                c.setTensor(0, c.dtype(0), Shape::unranked());
                return {};
            }
        }
    }
    std::vector<Dim> dims;
    for (std::size_t axis = 0; axis < input.rank(); ++axis) {
        if (!removed[axis])
            dims.push_back(input[axis]);
    }
    const std::size_t rank = dims.size();
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    passData(c, rank);
    return {};
}

Result<void> runSqueeze(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const auto axes, kernelAxes(c, c.sinceVersion() >= 13));
    std::vector<bool> removed(input->rank());
    if (axes) {
        FUSESCOPE_ASSIGN(const auto list, wantAxes(c, *axes, input->rank()));
        for (const std::size_t axis : list) {
            if (input->shape()[axis] != 1)
                return c.wrong({"ops.squeeze-not-one",
                                {{"axis", static_cast<std::int64_t>(axis)},
                                 {"size", std::to_string(input->shape()[axis])}}});
            removed[axis] = true;
        }
    } else {
        for (std::size_t axis = 0; axis < input->rank(); ++axis)
            removed[axis] = input->shape()[axis] == 1;
    }
    std::vector<std::int64_t> shape;
    for (std::size_t axis = 0; axis < input->rank(); ++axis) {
        if (!removed[axis])
            shape.push_back(input->shape()[axis]);
    }
    return setReshaped(c, *input, std::move(shape));
}

// A shape with ones put in at `axes` of the result.
template <class D>
std::vector<D> withOnes(const std::vector<D>& dims, const std::vector<std::size_t>& axes)
{
    std::vector<D> result(dims.size() + axes.size(), D(1));
    std::vector<bool> isNew(result.size());
    for (const std::size_t axis : axes)
        isNew[axis] = true;
    std::size_t from = 0;
    for (std::size_t axis = 0; axis < result.size(); ++axis) {
        if (!isNew[axis])
            result[axis] = dims[from++];
    }
    return result;
}

Result<void> inferUnsqueeze(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    const AxesArgument axes = axesArgument(c, c.sinceVersion() >= 13);
    if (!input.hasRank() || !axes.values) {
        const auto count = c.sinceVersion() >= 13 ? knownLength(c, 1) : std::nullopt;
        c.setTensor(0, c.dtype(0),
                    input.hasRank() && count && *count >= 0 && *count <= 64
                        ? c.unknownShape(0, input.rank() + static_cast<std::size_t>(*count))
                        : Shape::unranked());
        return {};
    }
    FUSESCOPE_ASSIGN(const auto list,
                     wantAxes(c, *axes.values, input.rank() + axes.values->size()));
    auto dims = withOnes(input.dims(), list);
    const std::size_t rank = dims.size();
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    passData(c, rank);
    return {};
}

Result<void> runUnsqueeze(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const auto axes, kernelAxes(c, c.sinceVersion() >= 13));
    if (!axes)
        return c.wrong(missingAttribute("axes"));
    FUSESCOPE_ASSIGN(const auto list, wantAxes(c, *axes, input->rank() + axes->size()));
    return setReshaped(c, *input, withOnes(input->shape(), list));
}

constexpr OpEntry entries[] = {
    {"", "Shape", 1, inferShape, runShape},
    {"", "Size", 1, inferSize, runSize},
    {"", "Reshape", 1, inferReshape, runReshape},
    {"", "Flatten", 1, inferFlatten, runFlatten},
    {"", "Squeeze", 1, inferSqueeze, runSqueeze},
    {"", "Unsqueeze", 1, inferUnsqueeze, runUnsqueeze},
};

} // namespace

std::span<const OpEntry> reshapes()
{
    return entries;
}

} // namespace fusescope::shaping
