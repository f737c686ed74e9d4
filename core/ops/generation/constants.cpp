#include "ops/element_copy.h"
#include "ops/element_map.h"
#include "ops/generation/generation.h"

#include <fmt/format.h>

namespace fusescope::generation {

namespace {

// The dense form of a sparse attribute.
Result<Tensor> dense(const KernelContext& c, const SparseTensor& sparse)
{
    if (!sparse.values || !sparse.indices)
        return c.wrong(missingAttribute("sparse_value"));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(sparse.values->dtype(), sparse.shape));
    const std::int64_t count = sparse.values->elementCount();
    const bool linear = sparse.indices->rank() == 1;
    const auto rank = static_cast<std::int64_t>(sparse.shape.size());
    if (sparse.indices->elementCount() != (linear ? count : count * rank))
        return c.wrong(wrongAttribute("sparse_value", shapeText(sparse.shape),
                                      shapeText(sparse.indices->shape())));
    const auto strides = stridesOf(sparse.shape);
    ElementCopy mover(output, *sparse.values);
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t at = 0;
        bool inside = true;
        if (linear) {
            at = sparse.indices->asInt(i);
            inside = at >= 0 && at < output.elementCount();
        }
        for (std::int64_t k = 0; !linear && k < rank; ++k) {
            const auto axis = static_cast<std::size_t>(k);
            const std::int64_t index = sparse.indices->asInt(i * rank + k);
            inside = inside && index >= 0 && index < sparse.shape[axis];
            at += inside ? index * strides[axis] : 0;
        }
        if (!inside)
            return c.wrong(
                {"ops.index-out-of-range", {{"index", at}, {"size", output.elementCount()}}});
        mover.copy(at, i);
    }
    return output;
}

Result<void> inferConstant(InferenceContext& c)
{
    const Attributes& attributes = c.attributes();
    if (const TensorPtr value = constantOf(c.node())) {
        c.setTensor(0, value->dtype(), Shape::ofSizes(value->shape()));
        if (carriesData(value->dtype()) && !isFloatingPoint(value->dtype()) &&
            value->rank() <= 1 && value->elementCount() <= 1024 && value->isAvailable()) {
            const auto ints = value->asInts();
            c.setData(0, {ints.begin(), ints.end()});
        }
    } else if (const Attribute* sparse = attributes.find("sparse_value")) {
        const auto* held = std::get_if<SparseTensorPtr>(&sparse->value);
        if (held && *held && (*held)->values)
            c.setTensor(0, (*held)->values->dtype(), Shape::ofSizes((*held)->shape));
    } else {
        return c.wrong(missingAttribute("value"));
    }
    return {};
}

Result<void> runConstant(KernelContext& c)
{
    const Attributes& attributes = c.attributes();
    if (const TensorPtr value = constantOf(c.node())) {
        if (!value->isAvailable())
            return c.wrong(value->whyUnavailable());
        c.setOutput(0, value);
    } else if (const Attribute* sparse = attributes.find("sparse_value")) {
        const auto* held = std::get_if<SparseTensorPtr>(&sparse->value);
        if (!held || !*held)
            return c.wrong(missingAttribute("sparse_value"));
        FUSESCOPE_ASSIGN(Tensor written, dense(c, **held));
        c.setOutput(0, std::move(written));
    } else {
        return c.wrong(missingAttribute("value"));
    }
    return {};
}

Result<void> inferConstantOfShape(InferenceContext& c)
{
    const TensorPtr value = c.attributes().getTensor("value");
    if (value && value->elementCount() != 1)
        return c.wrong(wrongAttribute("value", "[1]", shapeText(value->shape())));
    const DType type = value ? value->dtype() : DType::float32;
    const ShapeData target = c.integers(0);
    if (!target) {
        const auto rank = knownLength(c, 0);
        c.setTensor(0, type,
                    rank && *rank <= 64 ? c.unknownShape(0, static_cast<std::size_t>(*rank))
                                        : Shape::unranked());
        return {};
    }
    std::vector<Dim> dims;
    for (std::size_t axis = 0; axis < target->size(); ++axis) {
        const Dim& dim = (*target)[axis];
        if (dim.isConstant() && *dim.constant() < 0)
            return c.wrong(wrongValue("shape", ">= 0", dim.text()));
        dims.push_back(sizeFrom(c, dim, 0, axis));
    }
    const auto count = dims.empty()       ? std::optional<std::int64_t>(1)
                       : dims.size() == 1 ? dims[0].constant()
                                          : std::nullopt;
    c.setTensor(0, type, Shape::of(std::move(dims)));
    if (value && isInteger(type) && value->isAvailable() && count && *count <= 64)
        c.setData(0, std::vector<Dim>(static_cast<std::size_t>(*count), Dim(value->asInt(0))));
    return {};
}

Result<void> runConstantOfShape(KernelContext& c)
{
    FUSESCOPE_ASSIGN(auto shape, wantInts(c, 0));
    if (std::ranges::any_of(shape, [](std::int64_t size) { return size < 0; }))
        return c.wrong(wrongValue("shape", ">= 0", shapeText(shape)));
    if (!elementCountOf(shape))
        return c.wrong(Message("ops.too-many-elements", {{"shape", shapeText(shape)}}));
    const TensorPtr value = c.attributes().getTensor("value");
    if (!value) {
        const float zero = 0.0F;
        c.setOutput(0, Tensor::splat(DType::float32, std::move(shape), &zero));
        return {};
    }
    if (value->elementCount() != 1 || !value->isAvailable())
        return c.wrong(wrongAttribute("value", "[1]", shapeText(value->shape())));
    if (!value->isString() && bitsOf(value->dtype()) >= 8) {
        const Tensor one = value->isSplat() ? value->materialized() : *value;
        c.setOutput(0, Tensor::splat(value->dtype(), std::move(shape), one.data()));
        return {};
    }
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(value->dtype(), std::move(shape)));
    ElementCopy(output, *value).fill(0, 0, output.elementCount());
    c.setOutput(0, std::move(output));
    return {};
}

// The length of start, start + delta, … below (or, going down, above) limit.
std::optional<Dim> rangeLength(const Dim& start, const Dim& limit, std::int64_t delta)
{
    if (delta == 0 || delta == std::numeric_limits<std::int64_t>::min())
        return std::nullopt;
    const Dim span = delta > 0 ? limit - start : start - limit;
    const Dim steps = ceildiv(span, std::abs(delta));
    return provablyNonNegative(steps) ? steps : max(steps, Dim(0));
}

// The number of elements in floating point; nothing when it is none or too large.
std::optional<std::int64_t> rangeCount(double start, double limit, double delta)
{
    constexpr double limitCount = 0x1p40;
    const double count = std::max(std::ceil((limit - start) / delta), 0.0);
    return count < limitCount ? std::optional(static_cast<std::int64_t>(count)) : std::nullopt;
}

// The same where the three operands are constants in floating point.
std::optional<Dim> constantRangeLength(const InferenceContext& c)
{
    double values[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        const Tensor* constant = c.input(i).constant.get();
        if (!constant || !constant->isAvailable() || constant->elementCount() != 1 ||
            !isFloatingPoint(constant->dtype()))
            return std::nullopt;
        values[i] = constant->asDouble(0);
    }
    const auto count = rangeCount(values[0], values[1], values[2]);
    return count ? std::optional(Dim(*count)) : std::nullopt;
}

Result<void> inferRange(InferenceContext& c)
{
    DType type = c.dtype(0);
    for (std::size_t i = 1; i < 3; ++i)
        type = type == DType::undefined ? c.dtype(i) : type;
    const ShapeData start = wholeNumbers(c, 0);
    const ShapeData limit = wholeNumbers(c, 1);
    const ShapeData delta = wholeNumbers(c, 2);
    std::optional<Dim> length = constantRangeLength(c);
    if (!length && start && limit && delta && start->size() == 1 && limit->size() == 1 && delta->size() == 1 &&
        (*delta)[0].isConstant()) {
        if ((*delta)[0] == Dim(0))
            return c.wrong(wrongValue("delta", "!= 0", "0"));
        length = rangeLength((*start)[0], (*limit)[0], *(*delta)[0].constant());
    }
    c.setTensor(0, type, Shape::of({length ? *length : c.unknown(0, 0)}));
    if (length && length->isConstant() && *length->constant() <= 64 && carriesData(type) && start &&
        delta) {
        std::vector<Dim> data;
        for (std::int64_t i = 0; i < *length->constant(); ++i)
            data.push_back((*start)[0] + (*delta)[0] * Dim(i));
        c.setData(0, std::move(data));
    }
    return {};
}

Result<void> runRange(KernelContext& c)
{
    const Tensor* operands[3] = {};
    for (std::size_t i = 0; i < 3; ++i) {
        FUSESCOPE_ASSIGN(operands[i], c.tensor(i));
        if (operands[i]->elementCount() != 1)
            return c.wrong(wrongShape(i, "[]", shapeText(operands[i]->shape())));
        if (operands[i]->dtype() != operands[0]->dtype())
            return c.wrong(wrongType(i, std::string(nameOf(operands[0]->dtype())),
                                     std::string(nameOf(operands[i]->dtype()))));
    }
    const DType type = operands[0]->dtype();
    constexpr double limitCount = 0x1p40;
    if (isFloatingPoint(type)) {
        const double start = operands[0]->asDouble(0);
        const double delta = operands[2]->asDouble(0);
        const double limit = operands[1]->asDouble(0);
        if (!(delta != 0.0))
            return c.wrong(wrongValue("delta", "!= 0", std::to_string(delta)));
        if (!std::isfinite(start) || !std::isfinite(limit))
            return c.wrong(wrongValue(std::isfinite(start) ? "limit" : "start", "finite",
                                      std::to_string(std::isfinite(start) ? limit : start)));
        const auto count = rangeCount(start, limit, delta);
        if (!count)
            return c.wrong(wrongValue("(limit - start) / delta", "< 2^40",
                                      fmt::format("{:g}", std::ceil((limit - start) / delta))));
        FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, {*count}));
        for (std::int64_t i = 0; i < output.elementCount(); ++i)
            output.store(i, start + static_cast<double>(i) * delta);
        c.setOutput(0, std::move(output));
        return {};
    }
    const std::int64_t start = operands[0]->asInt(0);
    const std::int64_t limit = operands[1]->asInt(0);
    const std::int64_t delta = operands[2]->asInt(0);
    if (delta == 0)
        return c.wrong(wrongValue("delta", "!= 0", "0"));
    std::uint64_t count = 0;
    if (delta > 0 ? limit > start : limit < start) {
        const auto u = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
        const std::uint64_t span = delta > 0 ? u(limit) - u(start) : u(start) - u(limit);
        count = (span - 1) / (delta > 0 ? u(delta) : 0 - u(delta)) + 1;
    }
    if (static_cast<double>(count) >= limitCount)
        return c.wrong(wrongValue("(limit - start) / delta", "< 2^40", std::to_string(count)));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, {static_cast<std::int64_t>(count)}));
    for (std::int64_t i = 0; i < output.elementCount(); ++i)
        output.storeInt(i, wrappingAdd(start, wrappingMul(i, delta)));
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferEyeLike(InferenceContext& c)
{
    FUSESCOPE_TRY(requireRank(c, 0, 2, 2));
    c.setTensor(0, dtypeAttribute(c.attributes(), "dtype", c.dtype(0)), c.shape(0));
    return {};
}

Result<void> runEyeLike(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *input, 0, 2, 2));
    const DType type = dtypeAttribute(c.attributes(), "dtype", input->dtype());
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, input->shape()));
    const std::int64_t rows = input->shape()[0];
    const std::int64_t columns = input->shape()[1];
    const std::int64_t k = std::clamp(c.attributes().getInt("k", 0), -rows, columns);
    for (std::int64_t row = 0; output.elementCount() > 0 && row < rows; ++row) {
        if (row + k >= 0 && row + k < columns)
            output.store(row * columns + row + k, 1.0);
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Constant", 1, inferConstant, runConstant},
    {"", "ConstantOfShape", 9, inferConstantOfShape, runConstantOfShape},
    {"", "Range", 11, inferRange, runRange},
    {"", "EyeLike", 9, inferEyeLike, runEyeLike},
};

} // namespace

std::span<const OpEntry> constants()
{
    return entries;
}

} // namespace fusescope::generation
