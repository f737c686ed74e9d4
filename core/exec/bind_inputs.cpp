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

// Whether all that a value holds is of the declared type, sizes left out.
bool holds(const Type& declared, const RuntimeValue& value)
{
    if (!declared.isKnown() || !value.isPresent())
        return true;
    const Type found = value.type();
    if (declared.kind != found.kind)
        return false;
    if (declared.kind == Type::Kind::tensor || declared.kind == Type::Kind::map) {
        if (declared.dtype != DType::undefined && declared.dtype != found.dtype)
            return false;
    }
    if (!declared.element)
        return true;
    const Type& element = *declared.element;
    if (const SequenceValue* sequence = value.sequence())
        return std::ranges::all_of(sequence->elements,
                                   [&](const auto& part) { return holds(element, *part); });
    if (const OptionalValue* optional = value.optional())
        return !optional->held || holds(element, *optional->held);
    if (const MapValue* map = value.map())
        return std::visit(
            [&](const auto& entries) {
                return std::ranges::all_of(
                    entries, [&](const auto& entry) { return holds(element, entry.second); });
            },
            map->entries);
    return true;
}

// The part that a container holds and its type does not allow; the value itself for a tensor.
const RuntimeValue& misfit(const Type& declared, const RuntimeValue& value)
{
    const RuntimeValue* found = nullptr;
    const auto look = [&](const RuntimeValue& part) {
        if (!found && !holds(*declared.element, part))
            found = &misfit(*declared.element, part);
    };
    if (!declared.element)
        return value;
    if (const SequenceValue* sequence = value.sequence()) {
        for (const auto& part : sequence->elements)
            look(*part);
    } else if (const OptionalValue* optional = value.optional()) {
        if (optional->held)
            look(*optional->held);
    } else if (const MapValue* map = value.map()) {
        std::visit(
            [&](const auto& entries) {
                for (const auto& entry : entries)
                    look(entry.second);
            },
            map->entries);
    }
    return found ? *found : value;
}

// What is found in place of the declared type: where the outer types read alike, with the part that
// does not fit in the place of what its container declares.
std::string foundText(const Type& declared, const RuntimeValue& given)
{
    const std::string own = given.type().text();
    if (own != declared.text() || holds(declared, given))
        return own;
    const Type* inner = &declared;
    while (inner->element)
        inner = inner->element.get();
    std::string text = declared.text();
    const std::string leaf = inner->text();
    if (const auto at = text.rfind(leaf); at != std::string::npos)
        text.replace(at, leaf.size(), misfit(declared, given).type().text());
    return text;
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
                    {{"value", id}, {"expected", value.type.text()}, {"found", foundText(value.type, given)}}));
    };
    if (!value.type.isKnown())
        return {};
    if (!holds(value.type, given))
        return mismatch();
    if (!value.type.isTensor())
        return {};
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

Result<void> checkOutput(ValueId output, const RuntimeValue& made)
{
    if (!made.isPresent())
        return fail(ErrorCode::failed, Message("ops.output-missing", {{"value", output}}));
    if (const Tensor* missing = unavailableIn(made))
        return fail(ErrorCode::unreadable, missing->whyUnavailable());
    return {};
}

} // namespace fusescope
