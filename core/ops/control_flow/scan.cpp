#include "ops/control_flow/control_flow.h"

namespace fusescope {

namespace {

struct ScanCall
{
    BodyId body;
    std::size_t states = 0, scans = 0, outputs = 0;
    std::vector<std::int64_t> inputAxes, inputDirections, outputAxes, outputDirections;
};

std::int64_t entry(const std::vector<std::int64_t>& list, std::size_t i)
{
    return i < list.size() ? list[i] : 0;
}

struct ScanResult
{
    std::vector<RuntimeValue> states;
    SliceStacks slices;
};

// Runs the body `length` times over the slices of `scanned`.
Result<ScanResult> scanOnce(KernelContext& context, const ScanCall& call,
                            std::vector<RuntimeValue> states, const std::vector<TensorPtr>& scanned,
                            const std::vector<std::size_t>& axes, std::int64_t length)
{
    ScanResult result{std::move(states), SliceStacks(context, call.outputs)};
    for (std::int64_t t = 0; t < length; ++t) {
        if (context.stopRequested())
            return cancelled();
        std::vector<RuntimeValue> arguments = std::move(result.states);
        for (std::size_t k = 0; k < scanned.size(); ++k) {
            const bool reversed = entry(call.inputDirections, k) != 0;
            FUSESCOPE_ASSIGN(Tensor slice, takeSlice(context, *scanned[k], axes[k],
                                                     reversed ? length - 1 - t : t));
            arguments.emplace_back(std::move(slice));
        }
        FUSESCOPE_ASSIGN(std::vector<RuntimeValue> outputs, context.runBody(call.body, arguments));
        if (outputs.size() < call.states + call.outputs)
            return context.wrong(Message("ops.scan-output"));
        result.states.assign(outputs.begin(),
                             outputs.begin() + static_cast<std::ptrdiff_t>(call.states));
        for (std::size_t k = 0; k < call.outputs; ++k) {
            FUSESCOPE_TRY(result.slices.push(k, outputs[call.states + k]));
        }
    }
    for (std::size_t k = 0; k < call.outputs; ++k) {
        if (entry(call.outputDirections, k) != 0)
            result.slices.reverse(k);
    }
    return result;
}

Result<Tensor> joined(const KernelContext& context, const ScanCall& call, const ScanResult& result,
                      std::size_t k)
{
    const std::int64_t wanted = entry(call.outputAxes, k);
    const std::vector<TensorPtr>& slices = result.slices.of(k);
    if (slices.empty()) {
        const Type type = context.bodyOutputType(call.body, call.states + k);
        return emptyStack(context, call.body, call.states + k,
                          normalizeAxis(wanted, type.shape.rank() + 1).value_or(0));
    }
    FUSESCOPE_ASSIGN(const std::size_t axis,
                     axisOf(context, wanted, slices.front()->rank() + 1));
    return stackSlices(context, slices, axis);
}

// 0 is forward, 1 is backward.
Result<std::vector<std::int64_t>> directionsOf(const KernelContext& context, const char* name)
{
    auto directions = context.attributes().getInts(name).value_or(std::vector<std::int64_t>());
    for (const std::int64_t direction : directions) {
        if (direction != 0 && direction != 1)
            return context.wrong(wrongAttribute(name, "0 or 1", std::to_string(direction)));
    }
    return directions;
}

// Scan-8: all inputs carry a batch axis in front, each sample may have its own length, and the
// outputs past it are zero.
Result<void> runBatched(KernelContext& context, ScanCall& call)
{
    FUSESCOPE_ASSIGN(call.inputDirections, directionsOf(context, "directions"));
    const Tensor* lengths = context.optionalTensor(0);
    std::int64_t batch = 0, longest = 0;
    for (std::size_t i = 1; i < context.inputCount(); ++i) {
        FUSESCOPE_ASSIGN(const Tensor* t, context.tensor(i));
        const bool scanned = i > call.states;
        FUSESCOPE_TRY(requireRank(context, *t, i, scanned ? 2 : 1));
        if (i > 1 && t->shape()[0] != batch)
            return context.wrong(wrongShape(i, "[" + std::to_string(batch) + ", …]",
                                            shapeText(t->shape())));
        batch = t->shape()[0];
        if (scanned && i > call.states + 1 && t->shape()[1] != longest)
            return context.wrong(wrongShape(i, "[" + std::to_string(batch) + ", " +
                                                   std::to_string(longest) + ", …]",
                                            shapeText(t->shape())));
        longest = scanned ? t->shape()[1] : longest;
    }
    if (lengths && lengths->elementCount() != batch)
        return context.wrong(wrongShape(0, "[" + std::to_string(batch) + "]",
                                        shapeText(lengths->shape())));
    std::vector<std::vector<TensorPtr>> results(call.states + call.outputs);
    for (std::int64_t b = 0; b < batch; ++b) {
        std::vector<RuntimeValue> states;
        std::vector<TensorPtr> scanned;
        for (std::size_t i = 1; i < context.inputCount(); ++i) {
            FUSESCOPE_ASSIGN(Tensor part, takeSlice(context, *context.input(i).tensor(), 0, b));
            if (i <= call.states)
                states.emplace_back(std::move(part));
            else
                scanned.push_back(std::make_shared<const Tensor>(std::move(part)));
        }
        const std::int64_t length = lengths ? lengths->asInt(b) : longest;
        if (length < 0 || length > longest)
            return context.wrong(wrongElement(0, "0 … " + std::to_string(longest), length));
        FUSESCOPE_ASSIGN(ScanResult one,
                         scanOnce(context, call, std::move(states), scanned,
                                  std::vector<std::size_t>(scanned.size(), 0), length));
        for (std::size_t i = 0; i < call.states; ++i)
            results[i].push_back(one.states[i].tensorPtr());
        for (std::size_t k = 0; k < call.outputs; ++k) {
            FUSESCOPE_ASSIGN(Tensor part, joined(context, call, one, k));
            if (length < longest && part.rank() > 0) {
                std::vector<std::int64_t> sizes = part.shape();
                sizes[0] = longest;
                FUSESCOPE_ASSIGN(Tensor padded, context.allocate(part.dtype(), std::move(sizes)));
                copyElements(part, 0, padded, 0, part.elementCount());
                part = std::move(padded);
            }
            results[call.states + k].push_back(std::make_shared<const Tensor>(std::move(part)));
        }
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].empty() || !results[i].front())
            return context.wrong(Message("ops.scan-output"));
        FUSESCOPE_ASSIGN(Tensor all, stackSlices(context, results[i], 0));
        context.setOutput(i, std::move(all));
    }
    return {};
}

} // namespace

Result<void> runScan(KernelContext& context)
{
    const bool batched = context.sinceVersion() < 9;
    const std::size_t skip = batched ? 1 : 0;
    ScanCall call;
    call.body = context.attributes().getBody("body");
    if (!call.body)
        return context.wrong(missingAttribute("body"));
    const std::int64_t scans = context.attributes().getInt("num_scan_inputs", 0);
    const std::size_t given = context.inputCount() > skip ? context.inputCount() - skip : 0;
    if (scans < 1 || static_cast<std::size_t>(scans) > given)
        return context.wrong(wrongAttribute("num_scan_inputs", "1 … " + std::to_string(given),
                                            std::to_string(scans)));
    call.scans = static_cast<std::size_t>(scans);
    call.states = given - call.scans;
    if (context.outputCount() < call.states)
        return context.wrong(Message("ops.scan-output"));
    call.outputs = context.outputCount() - call.states;
    if (batched)
        return runBatched(context, call);
    const auto list = [&](const char* name) {
        return context.attributes().getInts(name).value_or(std::vector<std::int64_t>());
    };
    call.inputAxes = list("scan_input_axes");
    FUSESCOPE_ASSIGN(call.inputDirections, directionsOf(context, "scan_input_directions"));
    call.outputAxes = list("scan_output_axes");
    FUSESCOPE_ASSIGN(call.outputDirections, directionsOf(context, "scan_output_directions"));
    std::vector<RuntimeValue> states;
    for (std::size_t i = 0; i < call.states; ++i)
        states.push_back(context.input(i));
    std::vector<TensorPtr> scanned;
    std::vector<std::size_t> axes;
    std::int64_t length = 0;
    for (std::size_t k = 0; k < call.scans; ++k) {
        FUSESCOPE_ASSIGN(const Tensor* t, context.tensor(call.states + k));
        FUSESCOPE_ASSIGN(const std::size_t axis,
                         axisOf(context, entry(call.inputAxes, k), t->rank()));
        if (k > 0 && t->shape()[axis] != length)
            return context.wrong(wrongSize(call.states + k, axis, std::to_string(length),
                                           shapeText(t->shape())));
        length = t->shape()[axis];
        scanned.push_back(context.tensorPtr(call.states + k));
        axes.push_back(axis);
    }
    FUSESCOPE_ASSIGN(ScanResult result,
                     scanOnce(context, call, std::move(states), scanned, axes, length));
    for (std::size_t k = 0; k < call.outputs; ++k) {
        FUSESCOPE_ASSIGN(Tensor all, joined(context, call, result, k));
        context.setOutput(call.states + k, std::move(all));
    }
    for (std::size_t i = 0; i < call.states; ++i)
        context.setOutput(i, std::move(result.states[i]));
    return {};
}

} // namespace fusescope
