#include "ops/runtime_value.h"

namespace fusescope {

namespace {

template <class P>
auto get(const RuntimeValue& v) -> decltype(std::declval<P>().get())
{
    const auto* held = std::get_if<P>(&v.value);
    return held ? held->get() : nullptr;
}

} // namespace

const Tensor* RuntimeValue::tensor() const
{
    return get<TensorPtr>(*this);
}

TensorPtr RuntimeValue::tensorPtr() const
{
    const auto* held = std::get_if<TensorPtr>(&value);
    return held ? *held : nullptr;
}

const SequenceValue* RuntimeValue::sequence() const
{
    return get<std::shared_ptr<const SequenceValue>>(*this);
}

const OptionalValue* RuntimeValue::optional() const
{
    return get<std::shared_ptr<const OptionalValue>>(*this);
}

const MapValue* RuntimeValue::map() const
{
    return get<std::shared_ptr<const MapValue>>(*this);
}

const SparseTensor* RuntimeValue::sparse() const
{
    return get<SparseTensorPtr>(*this);
}

Type RuntimeValue::type() const
{
    if (const Tensor* t = tensor())
        return Type::tensor(t->dtype(), Shape::ofSizes(t->shape()));
    if (const SparseTensor* s = sparse()) {
        Type type = Type::tensor(s->values ? s->values->dtype() : DType::undefined,
                                 Shape::ofSizes(s->shape));
        type.kind = Type::Kind::sparseTensor;
        return type;
    }
    if (const SequenceValue* s = sequence())
        return Type::sequence(s->elementType);
    if (const OptionalValue* o = optional())
        return Type::optional(o->elementType);
    if (const MapValue* m = map()) {
        return std::visit(
            [m](const auto& entries) {
                return Type::map(m->key, entries.empty() ? Type{} : entries.begin()->second.type());
            },
            m->entries);
    }
    return {};
}

} // namespace fusescope
