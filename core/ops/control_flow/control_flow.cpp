#include "ops/control_flow/control_flow.h"

#include "ops/families.h"

#include <cstring>

namespace fusescope {

namespace {

Result<bool> condition(const KernelContext& context, const RuntimeValue& value)
{
    const Tensor* tensor = value.tensor();
    if (!tensor || tensor->elementCount() != 1 || tensor->dtype() != DType::boolean)
        return context.wrong(Message("ops.condition", {{"found", value.type().text()}}));
    return tensor->asInt(0) != 0;
}

constexpr OpEntry table[] = {
    {"", "If", 1, inferIf, runIf},
    {"", "Loop", 1, inferLoop, runLoop},
    {"", "Scan", 8, inferScan, runScan},
    {"", "SequenceMap", 17, inferSequenceMap, runSequenceMap},
};

} // namespace

Result<void> runIf(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const bool taken, condition(context, context.input(0)));
    for (const char* name : {"then_branch", "else_branch"}) {
        if (!context.attributes().getBody(name))
            return context.wrong(missingAttribute(name));
    }
    const BodyId body = context.attributes().getBody(taken ? "then_branch" : "else_branch");
    FUSESCOPE_ASSIGN(std::vector<RuntimeValue> outputs, context.runBody(body, {}));
    for (std::size_t i = 0; i < outputs.size(); ++i)
        context.setOutput(i, std::move(outputs[i]));
    return {};
}

Result<void> runLoop(KernelContext& context)
{
    const BodyId body = context.attributes().getBody("body");
    if (!body)
        return context.wrong(missingAttribute("body"));
    std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    if (const Tensor* trips = context.optionalTensor(0)) {
        if (trips->elementCount() != 1)
            return context.wrong(wrongShape(0, "[]", shapeText(trips->shape())));
        limit = trips->asInt(0);
    }
    bool running = true;
    if (context.hasInput(1)) {
        FUSESCOPE_ASSIGN(running, condition(context, context.input(1)));
    }
    const std::size_t carried = context.inputCount() > 2 ? context.inputCount() - 2 : 0;
    std::vector<RuntimeValue> state;
    for (std::size_t i = 0; i < carried; ++i)
        state.push_back(context.input(i + 2));
    const std::size_t scans = context.outputCount() > carried ? context.outputCount() - carried : 0;
    SliceStacks slices(context, scans);
    for (std::int64_t trip = 0; running && trip < limit; ++trip) {
        if (context.stopRequested())
            return cancelled();
        if (trip >= context.maxTrips())
            return context.wrong(Message("ops.too-many-trips", {{"limit", context.maxTrips()}}));
        std::vector<RuntimeValue> arguments = {
            Tensor::scalar<std::int64_t>(trip), Tensor::scalar<bool>(running)};
        std::move(state.begin(), state.end(), std::back_inserter(arguments));
        FUSESCOPE_ASSIGN(std::vector<RuntimeValue> outputs, context.runBody(body, arguments));
        if (outputs.size() < carried + scans + 1)
            return context.wrong(Message("ops.scan-output"));
        FUSESCOPE_ASSIGN(running, condition(context, outputs[0]));
        state.clear();
        for (std::size_t i = 0; i < carried; ++i)
            state.push_back(std::move(outputs[i + 1]));
        for (std::size_t i = 0; i < scans; ++i) {
            FUSESCOPE_TRY(slices.push(i, outputs[carried + 1 + i]));
        }
    }
    for (std::size_t i = 0; i < carried; ++i)
        context.setOutput(i, std::move(state[i]));
    for (std::size_t i = 0; i < scans; ++i) {
        auto joined = slices.of(i).empty() ? emptyStack(context, body, carried + 1 + i, 0)
                                           : stackSlices(context, slices.of(i), 0);
        FUSESCOPE_ASSIGN(Tensor result, std::move(joined));
        context.setOutput(carried + i, std::move(result));
    }
    return {};
}

Result<void> SliceStacks::push(std::size_t stack, const RuntimeValue& made)
{
    TensorPtr slice = made.tensorPtr();
    if (!slice)
        return m_context.wrong(Message("ops.scan-output"));
    FUSESCOPE_TRY(take(*slice, static_cast<std::int64_t>(m_stacks[stack].size()) + 1));
    m_stacks[stack].push_back(std::move(slice));
    return {};
}

Result<void> SliceStacks::take(const Tensor& slice, std::int64_t count)
{
    constexpr std::int64_t overhead = 128; // of a tensor without elements
    const std::int64_t bytes = slice.byteSize();
    if (bytes > m_left - overhead) {
        std::vector<std::int64_t> shape = slice.shape();
        shape.insert(shape.begin(), count);
        return m_context.wrong(Message("ops.memory-limit",
                                       {{"type", std::string(nameOf(slice.dtype()))},
                                        {"shape", shapeText(shape)},
                                        {"available", m_context.memoryLeft()}}));
    }
    m_left -= bytes + overhead;
    return {};
}

Result<void> runSequenceMap(KernelContext& context)
{
    const BodyId body = context.attributes().getBody("body");
    if (!body)
        return context.wrong(missingAttribute("body"));
    const SequenceValue* first = context.input(0).sequence();
    if (!first)
        return context.wrong(wrongType(0, "sequence", context.input(0).type().text()));
    std::vector<SequenceValue> results(context.outputCount());
    SliceStacks memory(context, 0);
    for (std::size_t i = 0; i < first->elements.size(); ++i) {
        if (context.stopRequested())
            return cancelled();
        std::vector<RuntimeValue> arguments;
        for (std::size_t k = 0; k < context.inputCount(); ++k) {
            const SequenceValue* sequence = context.input(k).sequence();
            if (sequence && sequence->elements.size() != first->elements.size())
                return context.wrong(Message(
                    "ops.sequence-lengths",
                    {{"input", static_cast<std::int64_t>(k) + 1},
                     {"expected", static_cast<std::int64_t>(first->elements.size())},
                     {"found", static_cast<std::int64_t>(sequence->elements.size())}}));
            arguments.push_back(sequence ? *sequence->elements[i] : context.input(k));
        }
        FUSESCOPE_ASSIGN(std::vector<RuntimeValue> outputs, context.runBody(body, arguments));
        for (std::size_t k = 0; k < results.size() && k < outputs.size(); ++k) {
            if (const Tensor* tensor = outputs[k].tensor()) {
                FUSESCOPE_TRY(memory.take(*tensor, static_cast<std::int64_t>(i) + 1));
            }
            results[k].elementType = outputs[k].type();
            results[k].elements.push_back(
                std::make_shared<const RuntimeValue>(std::move(outputs[k])));
        }
    }
    for (std::size_t k = 0; k < results.size(); ++k) {
        const Type declared = context.bodyOutputType(body, k);
        // What is declared says more of an empty sequence; its sizes may be terms.
        if (results[k].elements.empty() || declared.isKnown())
            results[k].elementType =
                declared.isTensor() ? Type::tensor(declared.dtype) : declared;
        context.setOutput(k, std::move(results[k]));
    }
    return {};
}

void copyElements(const Tensor& from, std::int64_t first, Tensor& to, std::int64_t at,
                  std::int64_t count)
{
    if (from.isString()) {
        for (std::int64_t i = 0; i < count; ++i)
            to.mutableStrings()[static_cast<std::size_t>(at + i)] = from.loadString(first + i);
        return;
    }
    const int bits = bitsOf(from.dtype());
    if (bits >= 8 && from.data()) {
        const std::int64_t size = bits / 8;
        std::memcpy(to.mutableData() + at * size, from.data() + first * size,
                    static_cast<std::size_t>(count * size));
        return;
    }
    if (bits >= 8) {
        const std::int64_t size = bits / 8;
        for (std::int64_t i = 0; i < count; ++i)
            std::memcpy(to.mutableData() + (at + i) * size, from.splatElement(),
                        static_cast<std::size_t>(size));
        return;
    }
    for (std::int64_t i = 0; i < count; ++i)
        to.store(at + i, from.asDouble(first + i));
}

Result<Tensor> takeSlice(const KernelContext& context, const Tensor& tensor, std::size_t axis,
                         std::int64_t index)
{
    const std::span<const std::int64_t> shape = tensor.shape();
    std::vector<std::int64_t> sizes(shape.begin(), shape.end());
    sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(axis));
    FUSESCOPE_ASSIGN(Tensor result, context.allocate(tensor.dtype(), std::move(sizes)));
    const std::int64_t inner = productOf(shape.subspan(axis + 1));
    for (std::int64_t o = 0; o < productOf(shape.first(axis)); ++o)
        copyElements(tensor, (o * shape[axis] + index) * inner, result, o * inner, inner);
    return result;
}

Result<Tensor> stackSlices(const KernelContext& context, const std::vector<TensorPtr>& slices,
                           std::size_t axis)
{
    const Tensor& first = *slices.front();
    std::vector<std::int64_t> sizes = first.shape();
    const auto count = static_cast<std::int64_t>(slices.size());
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(axis), count);
    FUSESCOPE_ASSIGN(Tensor result, context.allocate(first.dtype(), std::move(sizes)));
    const std::span<const std::int64_t> shape = first.shape();
    const std::int64_t outer = productOf(shape.first(axis)), inner = productOf(shape.subspan(axis));
    for (std::int64_t k = 0; k < count; ++k) {
        const Tensor& slice = *slices[static_cast<std::size_t>(k)];
        if (slice.shape() != first.shape() || slice.dtype() != first.dtype())
            return context.wrong(Message("ops.slices-differ",
                                         {{"first", RuntimeValue(first).type().text()},
                                          {"later", RuntimeValue(slice).type().text()}}));
        for (std::int64_t o = 0; o < outer; ++o)
            copyElements(slice, o * inner, result, (o * count + k) * inner, inner);
    }
    return result;
}

Result<Tensor> emptyStack(const KernelContext& context, BodyId body, std::size_t output,
                          std::size_t axis)
{
    const Type type = context.bodyOutputType(body, output);
    std::vector<std::int64_t> sizes;
    for (const Dim& dim : type.shape.dims())
        sizes.push_back(std::max<std::int64_t>(0, dim.constant().value_or(0)));
    sizes.insert(sizes.begin() + static_cast<std::ptrdiff_t>(std::min(axis, sizes.size())), 0);
    return context.allocate(type.dtype == DType::undefined ? DType::float32 : type.dtype,
                            std::move(sizes));
}

namespace families {

std::span<const OpEntry> controlFlow()
{
    return table;
}

} // namespace families

} // namespace fusescope
