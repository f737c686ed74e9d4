#include "model/attribute.h"

#include <bit>

namespace fusescope {

namespace {

bool same(const TensorPtr& a, const TensorPtr& b)
{
    return a == b || (a && b && a->bitwiseEquals(*b));
}

bool same(const SparseTensorPtr& a, const SparseTensorPtr& b)
{
    return a == b || (a && b && a->shape == b->shape && same(a->values, b->values) &&
                      same(a->indices, b->indices));
}

bool same(float a, float b)
{
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

template <class T>
bool same(const T& a, const T& b)
{
    return a == b;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const T& x, const T& y) { return same(x, y); });
}

template <class T>
const T* valueOf(const Attributes& attributes, std::string_view name)
{
    const Attribute* attribute = attributes.find(name);
    return attribute ? std::get_if<T>(&attribute->value) : nullptr;
}

template <class T>
std::optional<T> copyOf(const Attributes& attributes, std::string_view name)
{
    const T* value = valueOf<T>(attributes, name);
    return value ? std::optional<T>(*value) : std::nullopt;
}

} // namespace

Attribute::Attribute(std::string n, std::int64_t v)
    : name(std::move(n)), type(AttributeType::integer), value(v)
{
}
Attribute::Attribute(std::string n, float v)
    : name(std::move(n)), type(AttributeType::floating), value(v)
{
}
Attribute::Attribute(std::string n, std::string v)
    : name(std::move(n)), type(AttributeType::string), value(std::move(v))
{
}
Attribute::Attribute(std::string n, TensorPtr v)
    : name(std::move(n)), type(AttributeType::tensor), value(std::move(v))
{
}
Attribute::Attribute(std::string n, BodyId v)
    : name(std::move(n)), type(AttributeType::graph), value(v)
{
}
Attribute::Attribute(std::string n, std::vector<std::int64_t> v)
    : name(std::move(n)), type(AttributeType::integers), value(std::move(v))
{
}
Attribute::Attribute(std::string n, std::vector<float> v)
    : name(std::move(n)), type(AttributeType::floats), value(std::move(v))
{
}
Attribute::Attribute(std::string n, std::vector<std::string> v)
    : name(std::move(n)), type(AttributeType::strings), value(std::move(v))
{
}

bool Attribute::operator==(const Attribute& other) const
{
    if (name != other.name || type != other.type || reference != other.reference ||
        docString != other.docString || value.index() != other.value.index())
        return false;
    return std::visit(
        [&other](const auto& mine) {
            return same(mine, std::get<std::decay_t<decltype(mine)>>(other.value));
        },
        value);
}

const Attribute* Attributes::find(std::string_view name) const
{
    for (const Attribute& attribute : m_list) {
        if (attribute.name == name)
            return &attribute;
    }
    return nullptr;
}

std::int64_t Attributes::getInt(std::string_view name, std::int64_t fallback) const
{
    const auto* value = valueOf<std::int64_t>(*this, name);
    return value ? *value : fallback;
}

float Attributes::getFloat(std::string_view name, float fallback) const
{
    const auto* value = valueOf<float>(*this, name);
    return value ? *value : fallback;
}

std::string Attributes::getString(std::string_view name, std::string_view fallback) const
{
    const auto* value = valueOf<std::string>(*this, name);
    return value ? *value : std::string(fallback);
}

std::optional<std::vector<std::int64_t>> Attributes::getInts(std::string_view name) const
{
    return copyOf<std::vector<std::int64_t>>(*this, name);
}

std::optional<std::vector<float>> Attributes::getFloats(std::string_view name) const
{
    return copyOf<std::vector<float>>(*this, name);
}

std::optional<std::vector<std::string>> Attributes::getStrings(std::string_view name) const
{
    return copyOf<std::vector<std::string>>(*this, name);
}

TensorPtr Attributes::getTensor(std::string_view name) const
{
    const auto* value = valueOf<TensorPtr>(*this, name);
    return value ? *value : nullptr;
}

BodyId Attributes::getBody(std::string_view name) const
{
    const auto* value = valueOf<BodyId>(*this, name);
    return value ? *value : BodyId{};
}

void Attributes::set(Attribute attribute)
{
    for (Attribute& existing : m_list) {
        if (existing.name == attribute.name) {
            existing = std::move(attribute);
            return;
        }
    }
    m_list.push_back(std::move(attribute));
}

void Attributes::remove(std::string_view name)
{
    std::erase_if(m_list, [name](const Attribute& a) { return a.name == name; });
}

} // namespace fusescope
