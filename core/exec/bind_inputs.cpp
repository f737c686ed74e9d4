#include "exec/bind_inputs.h"

#include <algorithm>

namespace fusescope {

namespace {

// A tensor without contents anywhere in a value.
const Tensor* unavailableIn(const RuntimeValue& value)
{
    if (const Tensor* tensor = value.tensor())
        return tensor->isAvailable() ? nullptr : tensor;
    const Tensor* found = nullptr;
    const auto look = [&found](const RuntimeValue& part) {
        found = found ? found : unavailableIn(part);
    };
    if (const SequenceValue* sequence = value.sequence()) {
        for (const auto& element : sequence->elements)
            look(*element);
    } else if (const OptionalValue* optional = value.optional(); optional && optional->held) {
        look(*optional->held);
    } else if (const MapValue* map = value.map()) {
        std::visit(
            [&look](const auto& entries) {
                for (const auto& [key, entry] : entries)
                    look(entry);
            },
            map->entries);
    }
    return found;
}

Result<void> checkInput(const Graph& graph, ValueId id, const RuntimeValue& given)
{
    if (const Tensor* missing = unavailableIn(given); missing && !given.tensor())
        return fail(ErrorCode::invalidArgument, Message("ops.input-missing", {{"value", id}}));
    const Value& value = *graph.value(id);
    const Type found = given.type();
    const auto mismatch = [&] {
        return fail(
            ErrorCode::invalidArgument,
            Message("ops.input-type",
                    {{"value", id}, {"expected", value.type.text()}, {"found", found.text()}}));
    };
    if (!value.type.isKnown())
        return {};
    if (value.type.kind != found.kind)
        return mismatch();
    if (!value.type.isTensor())
        return {};
    if (value.type.dtype != DType::undefined && value.type.dtype != found.dtype)
        return mismatch();
    const Shape& declared = value.type.shape;
    if (!declared.hasRank())
        return {};
    if (declared.rank() != found.shape.rank())
        return mismatch();
    for (std::size_t i = 0; i < declared.rank(); ++i) {
        if (declared[i].isConstant() && declared[i] != found.shape[i])
            return mismatch();
    }
    return {};
}

} // namespace

Result<std::vector<RuntimeValue>> bindInputs(const Graph& graph, const RunInputs& inputs,
                                             const RunOptions& options)
{
    const Body* main = graph.body(graph.mainBody());
    if (!main)
        return fail(ErrorCode::invalidModel, Message("model.no-body"));
    std::vector<RuntimeValue> arguments(main->inputs.size());
    std::size_t used = 0;
    for (std::size_t i = 0; i < main->inputs.size(); ++i) {
        const ValueId id = main->inputs[i];
        const Value& value = *graph.value(id);
        if (const auto cut = options.given.find(id); cut != options.given.end()) {
            arguments[i] = cut->second;
            continue;
        }
        const auto found = inputs.find(value.name);
        if (found == inputs.end() || !found->second.isPresent()) {
            if (value.isInitializer() || value.type.kind == Type::Kind::optional)
                continue;
            return fail(ErrorCode::invalidArgument, Message("ops.input-missing", {{"value", id}}));
        }
        FUSESCOPE_TRY(checkInput(graph, id, found->second));
        arguments[i] = found->second;
        ++used;
    }
    if (used < inputs.size()) {
        for (const auto& [name, value] : inputs) {
            const bool known = std::ranges::any_of(main->inputs, [&, &wanted = name](ValueId id) {
                return graph.value(id)->name == wanted;
            });
            if (!known)
                return fail(ErrorCode::invalidArgument,
                            Message("ops.input-unknown", {{"name", name}}));
        }
    }
    return arguments;
}

} // namespace fusescope
