#include "io/type_message.h"

#include "io/attribute_message.h"

namespace fusescope {

namespace {

std::optional<Shape> readShape(std::string_view message)
{
    std::vector<Dim> dims;
    WireReader reader(message);
    for (WireField f; reader.next(f);) {
        if (!f.isBytes(1))
            continue;
        Dim dim = Dim::unknown(0);
        WireReader inner(f.bytes);
        for (WireField d; inner.next(d);) {
            const auto value = static_cast<std::int64_t>(d.value);
            if (d.is(1, WireType::varint))
                dim = value < 0 ? Dim::unknown(0) : Dim(value);
            else if (d.isBytes(2) && !d.bytes.empty())
                dim = Dim::fromFile(d.bytes);
        }
        if (inner.isMalformed())
            return std::nullopt;
        dims.push_back(std::move(dim));
    }
    if (reader.isMalformed())
        return std::nullopt;
    return Shape::of(std::move(dims));
}

DType dtypeOfNumber(std::uint64_t number)
{
    return number < 0x7FFFFFFF && isKnown(static_cast<DType>(number)) ? static_cast<DType>(number)
                                                                      : DType::undefined;
}

// The message of TypeProto's own kinds: an element type and, for tensors, a shape.
std::optional<Type> readKind(std::uint32_t kind, std::string_view message, int depth)
{
    Type type;
    WireReader reader(message);
    for (WireField f; reader.next(f);) {
        const bool isTensor = kind == 1 || kind == 8;
        if (f.is(1, WireType::varint)) {
            type.dtype = dtypeOfNumber(f.value);
        } else if (isTensor && f.isBytes(2)) {
            auto shape = readShape(f.bytes);
            if (!shape)
                return std::nullopt;
            type.shape = *std::move(shape);
        } else if (!isTensor && f.isBytes(kind == 5 ? 2 : 1)) {
            auto element = readTypeMessage(f.bytes, depth - 1);
            if (!element)
                return std::nullopt;
            type.element = std::make_shared<const Type>(*std::move(element));
        }
    }
    if (reader.isMalformed())
        return std::nullopt;
    switch (kind) {
    case 1:
        type.kind = Type::Kind::tensor;
        break;
    case 4:
        type.kind = Type::Kind::sequence;
        break;
    case 5:
        type.kind = Type::Kind::map;
        break;
    case 8:
        type.kind = Type::Kind::sparseTensor;
        break;
    case 9:
        type.kind = Type::Kind::optional;
        break;
    default:
        type.kind = Type::Kind::opaque;
        break;
    }
    if (!type.element && kind != 1 && kind != 8 && kind != 7)
        type.element = std::make_shared<const Type>();
    return type;
}

} // namespace

std::optional<Type> readTypeMessage(std::string_view message, int depth)
{
    if (depth < 0)
        return std::nullopt;
    Type type;
    WireReader reader(message);
    for (WireField f; reader.next(f);) {
        const bool isKind = f.number == 1 || f.number == 4 || f.number == 5 || f.number == 7 ||
                            f.number == 8 || f.number == 9;
        if (!isKind || f.type != WireType::bytes)
            continue;
        auto kind = readKind(f.number, f.bytes, depth);
        if (!kind)
            return std::nullopt;
        type = *std::move(kind);
    }
    if (reader.isMalformed())
        return std::nullopt;
    return type;
}

WireMessage typeMessage(const Type& type)
{
    WireMessage message;
    WireMessage inner;
    const auto shape = [&inner](const Shape& s) {
        if (!s.hasRank())
            return;
        WireMessage dims;
        for (const Dim& dim : s.dims()) {
            WireMessage size;
            if (const auto number = dim.constant())
                size.varint(1, static_cast<std::uint64_t>(*number));
            else if (dim.isSymbol())
                size.bytes(2, dim.symbolName());
            else if (!dim.hasUnknown())
                size.bytes(2, dim.text());
            dims.message(1, std::move(size));
        }
        inner.message(2, std::move(dims));
    };
    switch (type.kind) {
    case Type::Kind::tensor:
    case Type::Kind::sparseTensor:
        inner.varint(1, static_cast<std::uint64_t>(type.dtype));
        shape(type.shape);
        message.message(type.kind == Type::Kind::tensor ? 1 : 8, std::move(inner));
        break;
    case Type::Kind::sequence:
    case Type::Kind::optional:
        inner.message(1, typeMessage(*type.element));
        message.message(type.kind == Type::Kind::sequence ? 4 : 9, std::move(inner));
        break;
    case Type::Kind::map:
        inner.varint(1, static_cast<std::uint64_t>(type.dtype));
        inner.message(2, typeMessage(*type.element));
        message.message(5, std::move(inner));
        break;
    case Type::Kind::opaque:
    case Type::Kind::undefined:
        break;
    }
    return message;
}

WireMessage valueInfoMessage(std::string_view original, const std::string& name, const Type& type,
                             bool keepType, const std::string& doc)
{
    WireMessage message;
    std::vector<std::uint32_t> replaced{1};
    if (!keepType)
        replaced.push_back(2);
    rewrite(message, original, replaced, [&](std::uint32_t number) {
        if (number == 1)
            message.bytes(1, name);
        else if (number == 2 && type.isKnown())
            message.message(2, typeMessage(type));
    });
    if (original.empty() && !doc.empty())
        message.bytes(3, doc);
    return message;
}

bool contradict(const Type& a, const Type& b)
{
    if (!a.isKnown() || !b.isKnown())
        return false;
    if (a.kind != b.kind || (a.dtype != b.dtype && a.dtype != DType::undefined &&
                             b.dtype != DType::undefined))
        return true;
    if (a.shape.hasRank() && b.shape.hasRank()) {
        if (a.shape.rank() != b.shape.rank())
            return true;
        for (std::size_t axis = 0; axis < a.shape.rank(); ++axis) {
            if (provablyDifferent(a.shape[axis], b.shape[axis]))
                return true;
        }
    }
    return a.element && b.element && contradict(*a.element, *b.element);
}

} // namespace fusescope
