#include "ops/element_copy.h"
#include "ops/infer_support.h"
#include "ops/sequence/sequence.h"
#include "ops/shape_messages.h"

namespace fusescope::sequence {

namespace {

// What holds for elements of both types: an unknown size would say that all elements share it.
Type commonElement(const Type& a, const Type& b)
{
    if (a.isTensor() && b.isTensor() && a.dtype == b.dtype)
        return provablyEqual(a.shape, b.shape) ? a : Type::tensor(a.dtype);
    return a.isKnown() ? a : b;
}

Result<const SequenceValue*> wantSequence(const KernelContext& c, std::size_t input)
{
    const SequenceValue* value = input < c.inputCount() ? c.input(input).sequence() : nullptr;
    if (!value)
        return c.wrong(
            wrongType(input, "seq", input < c.inputCount() ? c.input(input).type().text() : "?"));
    return value;
}

std::shared_ptr<const RuntimeValue> shared(RuntimeValue value)
{
    return std::make_shared<const RuntimeValue>(std::move(value));
}

// The element type that a sequence input is known to have; undefined when nothing is known.
Type elementOfInput(const InferenceContext& c, std::size_t input)
{
    const Type& type = c.input(input).type;
    return type.kind == Type::Kind::sequence && type.element ? *type.element : Type{};
}

Result<void> inferConstruct(InferenceContext& c)
{
    Type element = c.input(0).type;
    for (std::size_t i = 1; i < c.inputCount(); ++i) {
        if (element.isTensor() && c.input(i).type.isTensor() && c.dtype(i) != element.dtype &&
            c.dtype(i) != DType::undefined && element.dtype != DType::undefined)
            return c.wrong(
                wrongType(i, std::string(nameOf(element.dtype)), std::string(nameOf(c.dtype(i)))));
        element = commonElement(element, c.input(i).type);
    }
    c.setOutput(0, Type::sequence(std::move(element)));
    return {};
}

Result<void> runConstruct(KernelContext& c)
{
    SequenceValue value;
    for (std::size_t i = 0; i < c.inputCount(); ++i) {
        FUSESCOPE_ASSIGN(const Tensor* tensor, c.tensor(i));
        const Type type = Type::tensor(tensor->dtype(), Shape::ofSizes(tensor->shape()));
        value.elementType = i == 0 ? type : commonElement(value.elementType, type);
        value.elements.push_back(shared(c.input(i)));
    }
    c.setOutput(0, std::move(value));
    return {};
}

Result<void> inferEmpty(InferenceContext& c)
{
    c.setOutput(
        0, Type::sequence(Type::tensor(dtypeAttribute(c.attributes(), "dtype", DType::float32))));
    return {};
}

Result<void> runEmpty(KernelContext& c)
{
    SequenceValue value;
    value.elementType = Type::tensor(dtypeAttribute(c.attributes(), "dtype", DType::float32));
    c.setOutput(0, std::move(value));
    return {};
}

Result<void> inferAt(InferenceContext& c)
{
    c.setOutput(0, elementOfInput(c, 0));
    return {};
}

// A position in a sequence, negative ones from its end; `slack` is 1 where the end itself is one.
Result<std::size_t> wantPosition(const KernelContext& c, std::size_t input, std::size_t size,
                                 std::int64_t slack)
{
    FUSESCOPE_ASSIGN(std::int64_t at, wantInt(c, input));
    const auto count = static_cast<std::int64_t>(size);
    if (at < -count || at >= count + slack)
        return c.wrong(indexOutOfRange(input, at, count));
    return static_cast<std::size_t>(fromFront(at, count));
}

Result<void> runAt(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const SequenceValue* value, wantSequence(c, 0));
    FUSESCOPE_ASSIGN(const std::size_t at, wantPosition(c, 1, value->elements.size(), 0));
    c.setOutput(0, *value->elements[at]);
    return {};
}

Result<void> inferInsert(InferenceContext& c)
{
    c.setOutput(0, Type::sequence(commonElement(elementOfInput(c, 0), c.input(1).type)));
    return {};
}

Result<void> runInsert(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const SequenceValue* value, wantSequence(c, 0));
    FUSESCOPE_ASSIGN(const Tensor* tensor, c.tensor(1));
    std::size_t at = value->elements.size();
    if (c.hasInput(2)) {
        FUSESCOPE_ASSIGN(at, wantPosition(c, 2, value->elements.size(), 1));
    }
    const Type& held = value->elementType;
    if (held.isKnown() && !held.isTensor())
        return c.wrong(wrongType(1, held.text(), c.input(1).type().text()));
    if (held.dtype != DType::undefined && held.dtype != tensor->dtype())
        return c.wrong(wrongType(1, std::string(nameOf(held.dtype)),
                                 std::string(nameOf(tensor->dtype()))));
    SequenceValue result = *value;
    const Type type = Type::tensor(tensor->dtype(), Shape::ofSizes(tensor->shape()));
    result.elementType = result.elements.empty() ? type : commonElement(result.elementType, type);
    result.elements.insert(result.elements.begin() + static_cast<std::ptrdiff_t>(at),
                           shared(c.input(1)));
    c.setOutput(0, std::move(result));
    return {};
}

Result<void> runErase(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const SequenceValue* value, wantSequence(c, 0));
    if (value->elements.empty())
        return c.wrong(
            {"ops.index-out-of-range", {{"index", std::int64_t{-1}}, {"size", std::int64_t{0}}}});
    std::size_t at = value->elements.size() - 1;
    if (c.hasInput(1)) {
        FUSESCOPE_ASSIGN(at, wantPosition(c, 1, value->elements.size(), 0));
    }
    SequenceValue result = *value;
    result.elements.erase(result.elements.begin() + static_cast<std::ptrdiff_t>(at));
    c.setOutput(0, std::move(result));
    return {};
}

Result<void> inferLength(InferenceContext& c)
{
    c.setTensor(0, DType::int64, Shape::scalar());
    return {};
}

Result<void> runLength(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const SequenceValue* value, wantSequence(c, 0));
    c.setOutput(0, Tensor::scalar<std::int64_t>(static_cast<std::int64_t>(value->elements.size())));
    return {};
}

Result<void> inferConcat(InferenceContext& c)
{
    const Type element = elementOfInput(c, 0);
    const bool newAxis = c.attributes().getInt("new_axis", 0) != 0;
    if (!element.isTensor() || !element.shape.hasRank()) {
        c.setTensor(0, element.dtype, Shape::unranked());
        return {};
    }
    std::vector<Dim> dims = element.shape.dims();
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), dims.size() + (newAxis ? 1 : 0)));
    if (newAxis)
        dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(axis), c.unknown(0, axis));
    else
        dims[axis] = c.unknown(0, axis);
    c.setTensor(0, element.dtype, Shape::of(std::move(dims)));
    return {};
}

Result<void> runConcat(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const SequenceValue* value, wantSequence(c, 0));
    const bool newAxis = c.attributes().getInt("new_axis", 0) != 0;
    if (value->elements.empty())
        return c.wrong({"ops.empty-sequence"});
    std::vector<Tensor> parts;
    for (const auto& element : value->elements) {
        const Tensor* tensor = element->tensor();
        if (!tensor)
            return c.wrong(wrongType(0, "seq(tensor)", value->elementType.text()));
        if (!parts.empty() && tensor->dtype() != parts[0].dtype())
            return c.wrong(wrongType(0, "seq(" + std::string(nameOf(parts[0].dtype())) + ")",
                                     element->type().text()));
        parts.push_back(*tensor);
    }
    const std::size_t rank = parts[0].rank() + (newAxis ? 1 : 0);
    FUSESCOPE_ASSIGN(const std::size_t axis, axisOf(c, c.attributes().getInt("axis", 0), rank));
    if (newAxis) {
        for (Tensor& part : parts) {
            std::vector<std::int64_t> shape = part.shape();
            const auto& first = value->elements[0]->tensor()->shape();
            if (shape != first)
                return c.wrong(wrongShape(0, shapeText(first), shapeText(shape)));
            shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
            part = part.reshaped(std::move(shape));
        }
    }
    std::vector<std::int64_t> shape = parts[0].shape();
    shape[axis] = 0;
    for (const Tensor& part : parts) {
        bool fits = part.rank() == rank;
        for (std::size_t a = 0; fits && a < rank; ++a)
            fits = a == axis || part.shape()[a] == shape[a];
        if (!fits)
            return c.wrong(wrongShape(0, shapeText(parts[0].shape()), shapeText(part.shape())));
        shape[axis] += part.shape()[axis];
    }
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(parts[0].dtype(), shape));
    const auto strides = stridesOf(shape);
    std::int64_t at = 0;
    for (const Tensor& part : parts) {
        copyStrided(output, {at * strides[axis], strides}, part, {0, stridesOf(part.shape())},
                    part.shape());
        at += part.shape()[axis];
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferSplitTo(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setOutput(0, Type::sequence(Type::tensor(c.dtype(0))));
        return {};
    }
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), input.rank()));
    std::vector<Dim> dims = input.dims();
    if (!c.hasInput(1)) {
        if (c.attributes().getInt("keepdims", 1) != 0)
            dims[axis] = 1;
        else
            dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
        c.setOutput(0, Type::sequence(Type::tensor(c.dtype(0), Shape::of(std::move(dims)))));
        return {};
    }
    // The parts have a common shape only when their lengths are known to be equal.
    const auto lengths = knownInts(c, 1);
    Type element = Type::tensor(c.dtype(0));
    if (lengths && !lengths->empty()) {
        const bool scalar = c.shape(1).hasRank() && c.shape(1).rank() == 0;
        const bool equal =
            std::ranges::all_of(*lengths, [&](auto n) { return n == (*lengths)[0]; });
        const std::int64_t length = lengths->front();
        if (scalar ? length > 0 && provablyEqual(mod(dims[axis], length), 0)
                   : equal && length >= 0) {
            dims[axis] = length;
            element.shape = Shape::of(std::move(dims));
        }
    }
    c.setOutput(0, Type::sequence(std::move(element)));
    return {};
}

Result<void> runSplitTo(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(c, c.attributes().getInt("axis", 0), input->rank()));
    const std::int64_t size = input->shape()[axis];
    std::vector<std::int64_t> lengths;
    const Tensor* split = c.optionalTensor(1);
    if (!split || split->rank() == 0) {
        const std::int64_t length = split ? split->asInt(0) : 1;
        if (length < 1)
            return c.wrong(wrongValue("split", ">= 1", std::to_string(length)));
        FUSESCOPE_TRY(c.allocate(DType::int64, {size / length})); // the number of parts
        for (std::int64_t at = 0; at < size; at += std::min(length, size))
            lengths.push_back(std::min(length, size - at));
    } else {
        lengths = split->asInts();
        std::int64_t total = 0;
        for (const std::int64_t length : lengths) {
            if (length < 0 || length > size - total)
                return c.wrong({"ops.split-sum",
                                {{"sum", shapeText(lengths)}, {"size", std::to_string(size)}}});
            total += length;
        }
        if (total != size)
            return c.wrong(
                {"ops.split-sum", {{"sum", shapeText(lengths)}, {"size", std::to_string(size)}}});
    }
    const bool keep = split || c.attributes().getInt("keepdims", 1) != 0;
    SequenceValue result;
    result.elementType = Type::tensor(input->dtype());
    const auto strides = stridesOf(input->shape());
    std::int64_t at = 0;
    for (const std::int64_t length : lengths) {
        std::vector<std::int64_t> shape = input->shape();
        shape[axis] = length;
        FUSESCOPE_ASSIGN(Tensor part, c.allocate(input->dtype(), shape));
        copyStrided(part, {0, stridesOf(shape)}, *input, {at * strides[axis], strides}, shape);
        at += length;
        if (!keep) {
            shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
            part = part.reshaped(std::move(shape));
        }
        const Type type = Type::tensor(part.dtype(), Shape::ofSizes(part.shape()));
        result.elementType =
            result.elements.empty() ? type : commonElement(result.elementType, type);
        result.elements.push_back(shared(std::move(part)));
    }
    c.setOutput(0, std::move(result));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "SequenceConstruct", 11, inferConstruct, runConstruct},
    {"", "SequenceEmpty", 11, inferEmpty, runEmpty},
    {"", "SequenceAt", 11, inferAt, runAt},
    {"", "SequenceInsert", 11, inferInsert, runInsert},
    {"", "SequenceErase", 11, inferSame, runErase},
    {"", "SequenceLength", 11, inferLength, runLength},
    {"", "ConcatFromSequence", 11, inferConcat, runConcat},
    {"", "SplitToSequence", 11, inferSplitTo, runSplitTo},
};

} // namespace

std::span<const OpEntry> sequences()
{
    return entries;
}

} // namespace fusescope::sequence
