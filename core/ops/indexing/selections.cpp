#include "ops/element_copy.h"
#include "ops/indexing/indexing.h"
#include "ops/infer_support.h"

namespace fusescope::indexing {

namespace {

Result<void> inferWhere(InferenceContext& c)
{
    if (c.dtype(1) != DType::undefined && c.dtype(2) != DType::undefined &&
        c.dtype(1) != c.dtype(2))
        return c.wrong(
            wrongType(2, std::string(nameOf(c.dtype(1))), std::string(nameOf(c.dtype(2)))));
    FUSESCOPE_TRY(inferBroadcastOf(c, c.dtype(1) == DType::undefined ? c.dtype(2) : c.dtype(1)));
    if (!carriesData(c.dtype(1)))
        return {};
    const ShapeData yes = c.integers(1);
    const ShapeData no = c.integers(2);
    const ShapeData condition = c.integers(0);
    if (!yes || !no || !condition)
        return {};
    std::size_t size = std::max({yes->size(), no->size(), condition->size()});
    if (yes->empty() || no->empty() || condition->empty())
        size = 0;
    std::vector<Dim> result;
    const auto at = [](const std::vector<Dim>& data, std::size_t i) {
        return data.size() == 1 ? data[0] : i < data.size() ? data[i] : Dim(0);
    };
    for (std::size_t i = 0; i < size; ++i) {
        const Dim when = at(*condition, i);
        const Dim a = at(*yes, i);
        const Dim b = at(*no, i);
        if (when.isConstant())
            result.push_back(*when.constant() != 0 ? a : b);
        else
            result.push_back(provablyEqual(a, b) ? a : c.unknownElement(0, i));
    }
    c.setData(0, std::move(result));
    return {};
}

Result<void> runWhere(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* condition, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* yes, c.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* no, c.tensor(2));
    if (condition->dtype() != DType::boolean)
        return c.wrong(wrongType(0, "bool", std::string(nameOf(condition->dtype()))));
    if (yes->dtype() != no->dtype())
        return c.wrong(
            wrongType(2, std::string(nameOf(yes->dtype())), std::string(nameOf(no->dtype()))));
    const Tensor* const tensors[] = {condition, yes, no};
    FUSESCOPE_ASSIGN(const Sizes shape, broadcastTensors(c, tensors));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(yes->dtype(), shape));
    ElementCopy fromYes(output, *yes);
    ElementCopy fromNo(output, *no);
    forEachRun<3>(shape,
                  {broadcastStrides(condition->shape(), shape),
                   broadcastStrides(yes->shape(), shape), broadcastStrides(no->shape(), shape)},
                  [&](std::int64_t first, std::int64_t count, const auto& at, const auto& step) {
                      for (std::int64_t j = 0; j < count; ++j) {
                          if (condition->load<std::uint8_t>(at[0] + j * step[0]) != 0)
                              fromYes.copy(first + j, at[1] + j * step[1]);
                          else
                              fromNo.copy(first + j, at[2] + j * step[2]);
                      }
                  });
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferCompress(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 1));
    FUSESCOPE_TRY(requireRank(c, 1, 1, 1));
    std::optional<Dim> count;
    if (const TensorPtr condition = c.input(1).constant) {
        std::int64_t selected = 0;
        for (std::int64_t i = 0; i < condition->elementCount(); ++i)
            selected += condition->asInt(i) != 0 ? 1 : 0;
        count = Dim(selected);
    }
    if (!c.attributes().has("axis")) {
        c.setTensor(0, c.dtype(0), Shape::of({count ? *count : c.unknown(0, 0)}));
        return {};
    }
    Shape shape = c.shape(0);
    if (shape.hasRank()) {
        FUSESCOPE_ASSIGN(const std::size_t axis,
                         axisOf(c, c.attributes().getInt("axis", 0), shape.rank()));
        shape.set(axis, count ? *count : c.unknown(0, axis));
    }
    c.setTensor(0, c.dtype(0), std::move(shape));
    return {};
}

Result<void> runCompress(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* condition, c.tensor(1));
    std::vector<std::int64_t> shape = input->shape();
    std::size_t axis = 0;
    if (c.attributes().has("axis")) {
        FUSESCOPE_ASSIGN(axis, axisOf(c, c.attributes().getInt("axis", 0), input->rank()));
    } else {
        shape = {input->elementCount()};
    }
    std::vector<std::int64_t> selected;
    for (std::int64_t i = 0; i < condition->elementCount(); ++i) {
        if (condition->asInt(i) == 0)
            continue;
        if (i >= shape[axis])
            return c.wrong({"ops.condition-too-long",
                            {{"input", std::int64_t{2}}, {"index", i}, {"size", shape[axis]}}});
        selected.push_back(i);
    }
    const std::int64_t size = shape[axis];
    const std::int64_t outer = productOf(std::span(shape).first(axis));
    const std::int64_t inner = productOf(std::span(shape).subspan(axis + 1));
    shape[axis] = static_cast<std::int64_t>(selected.size());
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), shape));
    ElementCopy mover(output, *input);
    std::int64_t at = 0;
    for (std::int64_t o = 0; output.elementCount() > 0 && o < outer; ++o) {
        for (const std::int64_t i : selected) {
            mover.copy(at, (o * size + i) * inner, inner);
            at += inner;
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferNonZero(InferenceContext& c)
{
    const Shape& shape = c.shape(0);
    c.setTensor(
        0, DType::int64,
        Shape::of({shape.hasRank() ? Dim(static_cast<std::int64_t>(shape.rank())) : c.unknown(0, 0),
                   c.unknown(0, 1)}));
    return {};
}

bool isNonZero(const Tensor& tensor, std::int64_t i)
{
    switch (tensor.dtype()) {
    case DType::string:
        return !tensor.loadString(i).empty();
    case DType::complex64:
        return tensor.load<std::complex<float>>(i) != std::complex<float>();
    case DType::complex128:
        return tensor.load<std::complex<double>>(i) != std::complex<double>();
    default:
        return isFloatingPoint(tensor.dtype()) ? tensor.asDouble(i) != 0.0 : tensor.asInt(i) != 0;
    }
}

Result<void> runNonZero(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    std::vector<std::int64_t> found;
    for (std::int64_t i = 0; i < input->elementCount(); ++i) {
        if ((i & 0xFFFFF) == 0 && c.stopRequested())
            return cancelled();
        if (isNonZero(*input, i))
            found.push_back(i);
    }
    const std::size_t rank = input->rank();
    const auto count = static_cast<std::int64_t>(found.size());
    FUSESCOPE_ASSIGN(Tensor output,
                     c.allocate(DType::int64, {static_cast<std::int64_t>(rank), count}));
    const auto strides = stridesOf(input->shape());
    auto* out = output.mutableElements<std::int64_t>();
    for (std::size_t axis = 0; axis < rank; ++axis) {
        for (std::int64_t i = 0; i < count; ++i)
            out[static_cast<std::int64_t>(axis) * count + i] =
                found[static_cast<std::size_t>(i)] / strides[axis] % input->shape()[axis];
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferOneHot(InferenceContext& c)
{
    const Shape& indices = c.shape(0);
    if (!indices.hasRank()) {
        c.setTensor(0, c.dtype(2), Shape::unranked());
        return {};
    }
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", -1), indices.rank() + 1));
    Dim depth = c.unknown(0, axis);
    if (const TensorPtr constant = c.input(1).constant; constant && constant->elementCount() == 1)
        depth = std::max<std::int64_t>(constant->asInt(0), 0);
    else if (const ShapeData data = c.integers(1);
             data && data->size() == 1 && provablyNonNegative(data->front()))
        depth = data->front();
    std::vector<Dim> dims = indices.dims();
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    c.setTensor(0, c.dtype(2), Shape::of(std::move(dims)));
    return {};
}

Result<void> runOneHot(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* indices, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* depthTensor, c.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* values, c.tensor(2));
    if (depthTensor->elementCount() != 1)
        return c.wrong(wrongShape(1, "1", shapeText(depthTensor->shape())));
    if (values->elementCount() != 2)
        return c.wrong(wrongShape(2, "[2]", shapeText(values->shape())));
    const std::int64_t depth = depthTensor->asInt(0);
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", -1), indices->rank() + 1));
    std::vector<std::int64_t> shape = indices->shape();
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), depth);
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(values->dtype(), shape));
    const std::int64_t inner = productOf(std::span(shape).subspan(axis + 1));
    ElementCopy mover(output, *values);
    mover.fill(0, 0, output.elementCount());
    for (std::int64_t i = 0; i < indices->elementCount(); ++i) {
        const std::int64_t hot = indices->asInt(i);
        if (hot < -depth || hot >= depth)
            continue;
        mover.copy((i / inner * depth + fromFront(hot, depth)) * inner + i % inner, 1);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferTrilu(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 2));
    return inferSame(c);
}

Result<void> runTrilu(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *input, 0, 2));
    std::int64_t k = 0;
    if (c.hasInput(1)) {
        FUSESCOPE_ASSIGN(k, wantInt(c, 1));
    }
    const bool upper = c.attributes().getInt("upper", 1) != 0;
    const std::int64_t rows = input->shape()[input->rank() - 2];
    const std::int64_t columns = input->shape()[input->rank() - 1];
    k = std::clamp(k, -rows - 1, columns + 1);
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), input->shape()));
    ElementCopy mover(output, *input);
    const std::int64_t count = columns == 0 ? 0 : input->elementCount() / columns;
    for (std::int64_t line = 0; line < count; ++line) {
        const std::int64_t row = line % rows;
        const std::int64_t first = upper ? std::clamp<std::int64_t>(row + k, 0, columns) : 0;
        const std::int64_t last =
            upper ? columns : std::clamp<std::int64_t>(row + k + 1, 0, columns);
        mover.copy(line * columns + first, line * columns + first, last - first);
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Where", 9, inferWhere, runWhere},       {"", "Compress", 9, inferCompress, runCompress},
    {"", "NonZero", 9, inferNonZero, runNonZero}, {"", "OneHot", 9, inferOneHot, runOneHot},
    {"", "Trilu", 14, inferTrilu, runTrilu},
};

} // namespace

std::span<const OpEntry> selections()
{
    return entries;
}

} // namespace fusescope::indexing
