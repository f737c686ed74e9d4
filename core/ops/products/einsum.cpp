#include "ops/element_map.h"
#include "ops/products/equation.h"
#include "ops/products/products.h"

#include <fmt/format.h>

#include <limits>

namespace fusescope {

namespace {

Message unfitEquation(const std::string& text, const std::vector<std::size_t>& ranks)
{
    std::string found = fmt::format("{}", fmt::join(ranks, ", "));
    return Message("ops.equation", {{"equation", text}, {"found", std::move(found)}});
}

// One operand of a contraction: which label each of its axes has. An axis of size 1 broadcasts.
template <class E>
struct Operand
{
    std::vector<std::size_t> labels;
    Sizes shape;
    AlignedView<E> elements;
};

bool has(const std::vector<std::size_t>& labels, std::size_t label)
{
    return std::ranges::find(labels, label) != labels.end();
}

// put(i, sum) for each element of the result: the products of all operands, summed over every label
// that the result does not have.
template <class E, class Put>
Result<void> contract(const KernelContext& context, const std::vector<Operand<E>>& operands,
                      const std::vector<std::size_t>& result, const Sizes& sizes, Put put)
{
    using Acc = Accumulator<E>;
    // Axes to walk: those of the result, then those that are summed.
    std::vector<std::size_t> order = result;
    for (const Operand<E>& operand : operands) {
        for (const std::size_t label : operand.labels) {
            if (!has(order, label))
                order.push_back(label);
        }
    }
    std::vector<Sizes> steps; // of each operand over `order`
    for (const Operand<E>& operand : operands) {
        Sizes step(order.size(), 0);
        const Sizes strides = stridesOf(operand.shape);
        for (std::size_t axis = 0; axis < operand.shape.size(); ++axis) {
            const auto at = std::ranges::find(order, operand.labels[axis]) - order.begin();
            if (operand.shape[axis] != 1)
                step[static_cast<std::size_t>(at)] += strides[axis];
        }
        steps.push_back(std::move(step));
    }
    Sizes walked;
    for (const std::size_t label : order)
        walked.push_back(sizes[label]);
    const std::int64_t outputs = productOf(std::span(walked).first(result.size()));
    const std::int64_t terms = productOf(std::span(walked).subspan(result.size()));
    Sizes position(order.size(), 0), offsets(operands.size(), 0);
    const auto advance = [&](std::size_t from, std::size_t to) {
        for (std::size_t axis = to; axis-- > from;) {
            const std::int64_t size = sizes[order[axis]];
            ++position[axis];
            for (std::size_t i = 0; i < operands.size(); ++i)
                offsets[i] += steps[i][axis];
            if (position[axis] < size)
                return;
            for (std::size_t i = 0; i < operands.size(); ++i)
                offsets[i] -= steps[i][axis] * size;
            position[axis] = 0;
        }
    };
    std::uint64_t worked = 0;
    for (std::int64_t o = 0; o < outputs; ++o) {
        if ((o & 1023) == 0 && context.stopRequested())
            return cancelled();
        Acc sum = 0;
        for (std::int64_t k = 0; k < terms; ++k) {
            if ((++worked & 0xFFFFF) == 0 && context.stopRequested())
                return cancelled();
            Acc product = 1;
            for (std::size_t i = 0; i < operands.size(); ++i)
                product = wrappingMul(
                    product, static_cast<Acc>(widen(
                                 operands[i].elements[static_cast<std::size_t>(offsets[i])])));
            sum = wrappingAdd(sum, product);
            advance(result.size(), order.size());
        }
        put(o, sum);
        advance(0, result.size());
    }
    return {};
}

template <class Acc, class E>
Result<Operand<Acc>> widened(const KernelContext& context, const Operand<E>& operand)
{
    FUSESCOPE_ASSIGN(Tensor copy, context.allocate(dtypeOf<Acc>(), operand.shape));
    Acc* to = copy.mutableElements<Acc>();
    for (std::int64_t i = 0; i < copy.elementCount(); ++i)
        to[i] = static_cast<Acc>(widen(operand.elements[static_cast<std::size_t>(i)]));
    return Operand<Acc>{operand.labels, operand.shape, copy.aligned<Acc>()};
}

// The labels that stay when a and b of the operands are contracted: those that the result or another
// operand still needs.
template <class Acc>
std::vector<std::size_t> keptLabels(const std::vector<Operand<Acc>>& operands, std::size_t a,
                                    std::size_t b, const std::vector<std::size_t>& result)
{
    std::vector<std::size_t> kept;
    for (const std::size_t i : {a, b}) {
        for (const std::size_t label : operands[i].labels) {
            bool needed = has(result, label);
            for (std::size_t other = 0; other < operands.size() && !needed; ++other)
                needed = other != a && other != b && has(operands[other].labels, label);
            if (needed && !has(kept, label))
                kept.push_back(label);
        }
    }
    return kept;
}

// Contracts two operands at a time, those with the smallest result first, until two are left or
// a result does not fit the run's memory.
template <class Acc>
Result<void> contractPairs(const KernelContext& context, std::vector<Operand<Acc>>& operands,
                           const std::vector<std::size_t>& result, const Sizes& sizes)
{
    while (operands.size() > 2) {
        std::size_t first = 0, second = 1;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t a = 0; a < operands.size(); ++a) {
            for (std::size_t b = a + 1; b < operands.size(); ++b) {
                double size = 1;
                for (const std::size_t label : keptLabels(operands, a, b, result))
                    size *= static_cast<double>(sizes[label]);
                if (size < least) {
                    least = size;
                    first = a;
                    second = b;
                }
            }
        }
        const std::vector<std::size_t> kept = keptLabels(operands, first, second, result);
        // A label that both have with size 1 only broadcasts later.
        Sizes local(sizes.size(), 1), shape;
        for (const std::size_t i : {first, second}) {
            for (std::size_t axis = 0; axis < operands[i].shape.size(); ++axis) {
                std::int64_t& size = local[operands[i].labels[axis]];
                size = size == 1 ? operands[i].shape[axis] : size;
            }
        }
        for (const std::size_t label : kept)
            shape.push_back(local[label]);
        auto made = context.allocate(dtypeOf<Acc>(), shape);
        if (!made)
            return {}; // all at once needs no room
        Acc* to = made->template mutableElements<Acc>();
        FUSESCOPE_TRY(contract(context, std::vector{operands[first], operands[second]}, kept, local,
                               [&](std::int64_t o, Acc sum) { to[o] = sum; }));
        operands[first] = {kept, std::move(shape), made->template aligned<Acc>()};
        operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(second));
    }
    return {};
}

} // namespace

Result<void> inferEinsum(InferenceContext& context)
{
    const std::string text = context.attributes().getString("equation", "");
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        if (!context.shape(i).hasRank()) {
            context.setTensor(0, context.dtype(0), Shape());
            return {};
        }
        ranks.push_back(context.shape(i).rank());
    }
    const auto equation = parseEquation(text, ranks);
    if (!equation)
        return context.wrong(unfitEquation(text, ranks));
    std::vector<std::optional<Dim>> sizes(equation->labels);
    std::vector<bool> isOpen(equation->labels); // two names, either of which may be 1
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        for (std::size_t axis = 0; axis < ranks[i]; ++axis) {
            const std::size_t label = equation->inputs[i][axis];
            auto& size = sizes[label];
            const Dim& next = context.shape(i)[axis];
            if (size && !size->isConstant() && !next.isConstant() && next != *size)
                isOpen[label] = true;
            // A size of 1 broadcasts; of two that must be equal a number says more.
            if (!size || *size == Dim(1) || (next.isConstant() && next != Dim(1)))
                size = next;
        }
    }
    std::vector<Dim> dims;
    for (std::size_t i = 0; i < equation->output.size(); ++i) {
        const std::size_t label = equation->output[i];
        const Dim size = sizes[label].value_or(Dim(1));
        dims.push_back(isOpen[label] && !size.isConstant() ? context.unknown(0, i) : size);
    }
    context.setTensor(0, context.dtype(0), Shape::of(std::move(dims)));
    return {};
}

Result<void> runEinsum(KernelContext& context)
{
    const std::string text = context.attributes().getString("equation", "");
    std::vector<const Tensor*> inputs;
    std::vector<std::size_t> ranks;
    for (std::size_t i = 0; i < context.inputCount(); ++i) {
        FUSESCOPE_ASSIGN(const Tensor* tensor, context.tensor(i));
        inputs.push_back(tensor);
        ranks.push_back(tensor->rank());
    }
    const auto equation = parseEquation(text, ranks);
    if (!equation || inputs.empty())
        return context.wrong(unfitEquation(text, ranks));
    Sizes sizes(equation->labels, 1);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        for (std::size_t axis = 0; axis < ranks[i]; ++axis) {
            std::int64_t& size = sizes[equation->inputs[i][axis]];
            const std::int64_t next = inputs[i]->shape()[axis];
            if (size != 1 && next != 1 && size != next)
                return context.wrong(wrongSize(i, axis, std::to_string(size),
                                               shapeText(inputs[i]->shape())));
            size = size == 1 ? next : size;
        }
    }
    Sizes outputShape;
    for (const std::size_t label : equation->output)
        outputShape.push_back(sizes[label]);
    const DType type = inputs[0]->dtype();
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(type, outputShape));
    FUSESCOPE_TRY(dispatch(context, NumericTypes{}, type, [&]<class T>() -> Result<void> {
        using Acc = Accumulator<T>;
        std::vector<Operand<T>> operands;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            if (inputs[i]->dtype() != type)
                return context.wrong(unsupportedType(context, inputs[i]->dtype()));
            operands.push_back(
                {equation->inputs[i], inputs[i]->shape(), inputs[i]->aligned<T>()});
        }
        const auto put = [&](std::int64_t o, Acc sum) {
            y.mutableElements<T>()[o] = narrow<T>(sum);
        };
        if (operands.size() < 3)
            return contract(context, operands, equation->output, sizes, put);
        std::vector<Operand<Acc>> left;
        for (const Operand<T>& operand : operands) {
            FUSESCOPE_ASSIGN(Operand<Acc> wide, widened<Acc>(context, operand));
            left.push_back(std::move(wide));
        }
        if (auto paired = contractPairs(context, left, equation->output, sizes); !paired)
            return paired;
        return contract(context, left, equation->output, sizes, put);
    }));
    context.setOutput(0, std::move(y));
    return {};
}

} // namespace fusescope
