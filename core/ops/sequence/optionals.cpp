#include "ops/infer_support.h"
#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

namespace {

Type attributeType(const Attributes& attributes)
{
    const Attribute* attribute = attributes.find("type");
    const Type* type = attribute ? std::get_if<Type>(&attribute->value) : nullptr;
    return type ? *type : Type{};
}

Result<void> inferOptional(InferenceContext& c)
{
    const Type element = c.hasInput(0) ? c.input(0).type : attributeType(c.attributes());
    if (!c.hasInput(0) && !element.isKnown())
        return c.wrong(missingAttribute("type"));
    c.setOutput(0, Type::optional(element));
    return {};
}

Result<void> runOptional(KernelContext& c)
{
    OptionalValue value;
    if (c.hasInput(0)) {
        value.elementType = c.input(0).type();
        value.held = std::make_shared<const RuntimeValue>(c.input(0));
    } else {
        value.elementType = attributeType(c.attributes());
        if (!value.elementType.isKnown())
            return c.wrong(missingAttribute("type"));
    }
    c.setOutput(0, std::move(value));
    return {};
}

// Tensors and sequences stand for optionals that hold them.
Result<void> inferGet(InferenceContext& c)
{
    const Type& type = c.input(0).type;
    if (type.kind == Type::Kind::optional)
        c.setOutput(0, type.element ? *type.element : Type{});
    else
        c.setOutput(0, type);
    return {};
}

Result<void> runGet(KernelContext& c)
{
    if (!c.hasInput(0))
        return c.wrong({"ops.empty-optional"});
    const OptionalValue* optional = c.input(0).optional();
    if (!optional) {
        c.setOutput(0, c.input(0));
        return {};
    }
    if (!optional->held)
        return c.wrong({"ops.empty-optional"});
    c.setOutput(0, *optional->held);
    return {};
}

Result<void> inferHas(InferenceContext& c)
{
    c.setTensor(0, DType::boolean, Shape::scalar());
    const Type::Kind kind = c.input(0).type.kind;
    if (!c.hasInput(0))
        c.setData(0, {Dim(0)});
    else if (kind == Type::Kind::tensor || kind == Type::Kind::sequence)
        c.setData(0, {Dim(1)});
    return {};
}

Result<void> runHas(KernelContext& c)
{
    bool has = c.hasInput(0);
    if (has) {
        const OptionalValue* optional = c.input(0).optional();
        has = !optional || optional->held != nullptr;
    }
    Tensor output = Tensor::allocate(DType::boolean, {});
    output.storeInt(0, has ? 1 : 0);
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Optional", 15, inferOptional, runOptional},
    {"", "OptionalGetElement", 15, inferGet, runGet},
    {"", "OptionalHasElement", 15, inferHas, runHas},
};

} // namespace

std::span<const OpEntry> optionals()
{
    return entries;
}

} // namespace fusescope::sequence
