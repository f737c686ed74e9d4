#include "ops/control_flow/control_flow.h"

namespace fusescope {

namespace {

std::function<Dim(std::size_t)> unknownOf(const InferenceContext& context, std::size_t output,
                                          std::size_t shift = 0)
{
    return [&context, output, shift](std::size_t axis) {
        return context.unknown(output, axis + shift);
    };
}

// A size that an iteration alone knows means nothing outside.
Dim outside(const Dim& dim, const InferenceContext& context, std::size_t output, std::size_t axis)
{
    return dim.hasUnknown() ? context.unknown(output, axis) : dim;
}

bool isTrue(const KnownValue& value)
{
    return value.constant && value.constant->isAvailable() &&
           value.constant->elementCount() == 1 && value.constant->asInt(0) != 0;
}

// A slice's shape with the axis of the iterations put in.
Type stacked(const InferenceContext& context, const Type& slice, std::size_t output,
             std::int64_t axis, const Dim& count)
{
    if (!slice.shape.hasRank())
        return Type::tensor(slice.dtype);
    const auto at = normalizeAxis(axis, slice.shape.rank() + 1);
    std::vector<Dim> dims;
    for (std::size_t i = 0; i < slice.shape.rank(); ++i)
        dims.push_back(outside(slice.shape[i], context, output, i + 1));
    dims.insert(dims.begin() + static_cast<std::ptrdiff_t>(at.value_or(0)), count);
    return Type::tensor(slice.dtype, Shape::of(std::move(dims)));
}

// Infers a body until what goes round has one type: sizes that change become unknown. Gives the
// body's last outputs; `carried` are the inputs from `first` on, made by the outputs from `made` on.
Result<std::vector<KnownValue>> inferRounds(InferenceContext& context, BodyId body,
                                            std::vector<KnownValue>& inputs, std::size_t first,
                                            std::size_t count, std::size_t made)
{
    constexpr int rounds = 6;
    std::vector<KnownValue> outputs;
    for (int round = 0; round < rounds; ++round) {
        FUSESCOPE_ASSIGN(outputs, context.inferBody(body, inputs));
        bool changed = false;
        for (std::size_t i = 0; i < count && made + i < outputs.size(); ++i) {
            Type& type = inputs[first + i].type;
            const Type before = type;
            type = round + 1 < rounds - 1
                       ? commonType(before, outputs[made + i].type, unknownOf(context, i))
                       : Type{};
            if (round + 1 >= rounds - 1 && before == outputs[made + i].type)
                type = before;
            changed = changed || type != before;
        }
        if (!changed)
            break;
    }
    return outputs;
}

} // namespace

Type commonType(const Type& a, const Type& b, const std::function<Dim(std::size_t axis)>& unknown)
{
    if (a.kind != b.kind || a.dtype != b.dtype)
        return {};
    Type result = a;
    if (a.shape.hasRank() && b.shape.hasRank() && a.shape.rank() == b.shape.rank()) {
        for (std::size_t i = 0; i < a.shape.rank(); ++i) {
            if (!provablyEqual(a.shape[i], b.shape[i]))
                result.shape.set(i, unknown(i));
        }
    } else {
        result.shape = Shape::unranked();
    }
    if (a.element && b.element) {
        // The elements of a sequence differ in their sizes: nothing is said of those.
        Type element = commonType(*a.element, *b.element, unknown);
        for (std::size_t i = 0; i < element.shape.rank(); ++i) {
            if (element.shape[i].hasUnknown()) {
                element.shape = Shape::unranked();
                break;
            }
        }
        result.element = std::make_shared<const Type>(std::move(element));
    }
    return result;
}

Result<void> inferIf(InferenceContext& context)
{
    const BodyId thenBody = context.attributes().getBody("then_branch");
    const BodyId elseBody = context.attributes().getBody("else_branch");
    if (!thenBody || !elseBody)
        return context.wrong(missingAttribute(thenBody ? "else_branch" : "then_branch"));
    FUSESCOPE_ASSIGN(const std::vector<KnownValue> whenTrue, context.inferBody(thenBody, {}));
    FUSESCOPE_ASSIGN(const std::vector<KnownValue> whenFalse, context.inferBody(elseBody, {}));
    const ShapeData condition = context.integers(0);
    const auto decided = condition && condition->size() == 1 ? condition->front().constant()
                                                             : std::nullopt;
    for (std::size_t i = 0; i < context.outputCount(); ++i) {
        if (i >= whenTrue.size() || i >= whenFalse.size())
            return context.wrong(
                wrongBodyOutputs(i >= whenTrue.size() ? "then_branch" : "else_branch",
                                 context.outputCount(),
                                 std::min(whenTrue.size(), whenFalse.size())));
        if (decided) {
            const KnownValue& taken = *decided != 0 ? whenTrue[i] : whenFalse[i];
            context.setOutput(i, taken.type);
            if (taken.data)
                context.setData(i, *taken.data);
            continue;
        }
        context.setOutput(i, commonType(whenTrue[i].type, whenFalse[i].type, unknownOf(context, i)));
        if (whenTrue[i].data && whenTrue[i].data == whenFalse[i].data)
            context.setData(i, *whenTrue[i].data);
    }
    return {};
}

Result<void> inferLoop(InferenceContext& context)
{
    const BodyId body = context.attributes().getBody("body");
    if (!body)
        return context.wrong(missingAttribute("body"));
    const std::size_t carried = context.inputCount() > 2 ? context.inputCount() - 2 : 0;
    std::vector<KnownValue> inputs(carried + 2);
    inputs[0].type = Type::tensor(DType::int64, Shape::scalar());
    inputs[1].type = Type::tensor(DType::boolean, Shape::scalar());
    for (std::size_t i = 0; i < carried; ++i)
        inputs[i + 2].type = context.input(i + 2).type;
    FUSESCOPE_ASSIGN(const std::vector<KnownValue> outputs,
                     inferRounds(context, body, inputs, 2, carried, 1));
    const ShapeData trips = context.integers(0);
    const bool always = (!context.hasInput(1) || isTrue(context.input(1))) && !outputs.empty() &&
                        isTrue(outputs.front());
    const Dim count = trips && trips->size() == 1 && always ? max((*trips)[0], Dim(0)) : Dim();
    for (std::size_t i = 0; i < context.outputCount(); ++i) {
        if (i < carried) {
            Type type = inputs[i + 2].type;
            for (std::size_t axis = 0; axis < type.shape.rank(); ++axis) {
                if (i + 1 < outputs.size() && type.shape[axis].hasUnknown() &&
                    !(context.input(i + 2).type.shape.rank() > axis &&
                      context.input(i + 2).type.shape[axis] == type.shape[axis]))
                    type.shape.set(axis, context.unknown(i, axis));
            }
            context.setOutput(i, std::move(type));
        } else if (i + 1 < outputs.size()) {
            const bool known = trips && trips->size() == 1 && always;
            context.setOutput(i, stacked(context, outputs[i + 1].type, i, 0,
                                         known ? count : context.unknown(i, 0)));
        }
    }
    return {};
}

Result<void> inferScan(InferenceContext& context)
{
    const BodyId body = context.attributes().getBody("body");
    if (!body)
        return context.wrong(missingAttribute("body"));
    const bool batched = context.sinceVersion() < 9; // an optional lengths input, a batch axis
    const std::size_t skip = batched ? 1 : 0;
    const std::int64_t scanned = context.attributes().getInt("num_scan_inputs", 0);
    const std::size_t all = context.inputCount() > skip ? context.inputCount() - skip : 0;
    if (scanned < 1 || static_cast<std::size_t>(scanned) > all)
        return context.wrong(wrongAttribute("num_scan_inputs", "1 … " + std::to_string(all),
                                            std::to_string(scanned)));
    const std::size_t states = all - static_cast<std::size_t>(scanned);
    const auto axes = context.attributes().getInts("scan_input_axes").value_or(
        std::vector<std::int64_t>());
    const auto dropAxis = [](Type type, std::size_t axis) {
        if (type.shape.hasRank() && axis < type.shape.rank()) {
            std::vector<Dim> dims = type.shape.dims();
            dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(axis));
            type.shape = Shape::of(std::move(dims));
        }
        return type;
    };
    std::vector<KnownValue> inputs(all);
    std::optional<Dim> length;
    Dim batch = context.unknown(0, 100);
    for (std::size_t i = 0; i < all; ++i) {
        Type type = context.input(i + skip).type;
        if (batched) {
            if (type.shape.hasRank() && type.shape.rank() > 0)
                batch = type.shape[0];
            type = dropAxis(type, 0);
        }
        if (i >= states && type.shape.hasRank()) {
            const std::size_t k = i - states;
            const auto axis = normalizeAxis(k < axes.size() ? axes[k] : 0, type.shape.rank());
            if (!axis && k < axes.size() && type.shape.rank() > 0)
                return context.wrong(Message(
                    "ops.axis", {{"axis", axes[k]},
                                 {"rank", static_cast<std::int64_t>(type.shape.rank())}}));
            if (!axis)
                return context.wrong(wrongRank(i + skip, "≥ 1", type.shape.rank()));
            if (!length || type.shape[*axis].isConstant())
                length = type.shape[*axis];
            type = dropAxis(type, *axis);
        }
        inputs[i].type = std::move(type);
    }
    FUSESCOPE_ASSIGN(const std::vector<KnownValue> outputs,
                     inferRounds(context, body, inputs, 0, states, 0));
    const auto outAxes = context.attributes().getInts("scan_output_axes").value_or(
        std::vector<std::int64_t>());
    for (std::size_t i = 0; i < context.outputCount() && i < outputs.size(); ++i) {
        Type type = i < states ? inputs[i].type : Type();
        if (i >= states) {
            const std::size_t k = i - states;
            type = stacked(context, outputs[i].type, i, k < outAxes.size() ? outAxes[k] : 0,
                           length.value_or(context.unknown(i, 0)));
        }
        if (batched && type.shape.hasRank()) {
            std::vector<Dim> dims = type.shape.dims();
            dims.insert(dims.begin(), batch);
            type.shape = Shape::of(std::move(dims));
        }
        context.setOutput(i, std::move(type));
    }
    return {};
}

Result<void> inferSequenceMap(InferenceContext& context)
{
    const BodyId body = context.attributes().getBody("body");
    if (!body)
        return context.wrong(missingAttribute("body"));
    std::vector<KnownValue> inputs(context.inputCount());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Type& type = context.input(i).type;
        inputs[i].type = type.kind == Type::Kind::sequence && type.element ? *type.element : type;
    }
    FUSESCOPE_ASSIGN(const std::vector<KnownValue> outputs,
                     context.inferBody(body, inputs));
    for (std::size_t i = 0; i < context.outputCount() && i < outputs.size(); ++i) {
        Type element = outputs[i].type;
        for (const Dim& dim : element.shape.dims()) {
            if (dim.hasUnknown()) {
                element.shape = Shape::unranked();
                break;
            }
        }
        context.setOutput(i, Type::sequence(std::move(element)));
    }
    return {};
}

} // namespace fusescope
