#include "ops/infer_support.h"

namespace fusescope {

std::vector<OpEntry> joinEntries(std::initializer_list<std::span<const OpEntry>> lists)
{
    std::vector<OpEntry> all;
    for (const auto list : lists)
        all.insert(all.end(), list.begin(), list.end());
    return all;
}

Result<void> inferBroadcastOf(InferenceContext& c, DType type)
{
    FUSESCOPE_ASSIGN(Shape shape, broadcastInputs(c, 0, c.inputCount()));
    if (type == DType::undefined) {
        for (std::size_t i = 0; i < c.inputCount() && type == DType::undefined; ++i)
            type = c.dtype(i);
    }
    c.setTensor(0, type, std::move(shape));
    return {};
}

std::optional<std::vector<std::int64_t>> knownInts(const InferenceContext& c, std::size_t input)
{
    const ShapeData data = c.integers(input);
    if (!data)
        return std::nullopt;
    std::vector<std::int64_t> values;
    for (const Dim& dim : *data) {
        if (!dim.isConstant())
            return std::nullopt;
        values.push_back(*dim.constant());
    }
    return values;
}

std::optional<std::int64_t> knownInt(const InferenceContext& c, std::size_t input)
{
    const auto values = knownInts(c, input);
    return values && values->size() == 1 ? std::optional(values->front()) : std::nullopt;
}

std::optional<std::int64_t> knownLength(const InferenceContext& c, std::size_t input)
{
    const Shape& shape = c.shape(input);
    return shape.hasRank() && shape.rank() == 1 ? shape[0].constant() : std::nullopt;
}

AxesArgument axesArgument(const InferenceContext& c, bool asInput, std::size_t input,
                          const char* attribute)
{
    if (!asInput) {
        auto values = c.attributes().getInts(attribute);
        const bool given = values.has_value();
        return {given, std::move(values)};
    }
    if (!c.hasInput(input))
        return {};
    return {true, knownInts(c, input)};
}

std::optional<Dim> meet(const Dim& a, const Dim& b)
{
    if (provablyDifferent(a, b))
        return std::nullopt;
    if (b.isConstant() || (a.isUnknown() && !b.isUnknown()))
        return b;
    return a;
}

Result<Dim> wantMeet(const InferenceContext& c, const Dim& a, const Dim& b, std::size_t axis)
{
    if (auto both = meet(a, b))
        return *std::move(both);
    return c.wrong(
        {"ops.sizes-differ",
         {{"axis", static_cast<std::int64_t>(axis)}, {"first", a.text()}, {"second", b.text()}}});
}

bool carriesData(DType type)
{
    return type == DType::int64 || type == DType::int32 || type == DType::float32 ||
           type == DType::float64 || type == DType::boolean;
}

ShapeData wholeNumbers(const InferenceContext& c, std::size_t i)
{
    const Tensor* constant = c.input(i).constant.get();
    if (!isFloatingPoint(c.dtype(i)) || !constant)
        return c.integers(i);
    if (!constant->isAvailable() || constant->rank() > 1 || constant->elementCount() > 64)
        return std::nullopt;
    std::vector<Dim> values;
    for (std::int64_t k = 0; k < constant->elementCount(); ++k) {
        const double value = constant->asDouble(k);
        if (!(std::abs(value) < 0x1p31) || value != std::floor(value))
            return std::nullopt;
        values.push_back(static_cast<std::int64_t>(value));
    }
    return values;
}

void propagateBinary(InferenceContext& c,
                     const std::function<std::optional<Dim>(const Dim&, const Dim&)>& f)
{
    if (!carriesData(c.dtype(0)) || c.inputCount() != 2)
        return;
    const ShapeData a = wholeNumbers(c, 0);
    const ShapeData b = wholeNumbers(c, 1);
    if (!a || !b)
        return;
    const std::size_t size = a->size() == 1 ? b->size() : a->size();
    if ((a->size() != size && a->size() != 1) || (b->size() != size && b->size() != 1))
        return;
    std::vector<Dim> result;
    for (std::size_t i = 0; i < size; ++i) {
        auto value = f((*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]);
        result.push_back(value ? *std::move(value) : c.unknownElement(0, i));
    }
    c.setData(0, std::move(result));
}

void passData(InferenceContext& c, std::size_t outputRank)
{
    if (outputRank > 1 || !carriesData(c.dtype(0)))
        return;
    if (ShapeData data = wholeNumbers(c, 0))
        c.setData(0, *std::move(data));
}

Dim sizeFrom(const InferenceContext& c, const Dim& data, std::size_t output, std::size_t axis)
{
    return !data.hasUnknown() || provablyNonNegative(data) ? data : c.unknown(output, axis);
}

DType dtypeAttribute(const Attributes& attributes, const char* name, DType fallback)
{
    const auto number = attributes.getInt(name, static_cast<std::int64_t>(fallback));
    const auto type = static_cast<DType>(number);
    return number > 0 && number < 1000 && isKnown(type) ? type : fallback;
}

Result<std::vector<std::int64_t>> wantInts(const KernelContext& c, std::size_t input)
{
    FUSESCOPE_ASSIGN(const Tensor* tensor, c.tensor(input));
    if (!isInteger(tensor->dtype()))
        return c.wrong(wrongType(input, "int64", std::string(nameOf(tensor->dtype()))));
    return tensor->asInts();
}

Result<std::int64_t> wantInt(const KernelContext& c, std::size_t input)
{
    FUSESCOPE_ASSIGN(const auto values, wantInts(c, input));
    if (values.size() != 1)
        return c.wrong(wrongShape(input, "1", std::to_string(values.size())));
    return values.front();
}

Result<std::optional<std::vector<std::int64_t>>>
kernelAxes(const KernelContext& c, bool asInput, std::size_t input, const char* attribute)
{
    if (!asInput)
        return c.attributes().getInts(attribute);
    if (!c.hasInput(input))
        return std::optional<std::vector<std::int64_t>>{};
    FUSESCOPE_ASSIGN(auto values, wantInts(c, input));
    return std::optional(std::move(values));
}

std::vector<std::int64_t> intsOr(const Attributes& attributes, const char* name,
                                 std::vector<std::int64_t> fallback)
{
    auto values = attributes.getInts(name);
    return values ? *std::move(values) : std::move(fallback);
}

} // namespace fusescope
