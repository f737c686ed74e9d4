#include "io/tensor_message.h"

#include <fmt/format.h>

namespace fusescope {

namespace {

// Field numbers of TensorProto.
enum : std::uint32_t {
    dimsField = 1,
    typeField = 2,
    floatField = 4,
    int32Field = 5,
    stringField = 6,
    int64Field = 7,
    nameField = 8,
    rawField = 9,
    doubleField = 10,
    uint64Field = 11,
    docField = 12,
    externalField = 13,
    locationField = 14,
};

struct Contents
{
    std::vector<std::uint64_t> dims;
    std::uint64_t type = 0;
    std::optional<std::string_view> raw;
    std::vector<std::string_view> floats, doubles; // chunks of packed numbers
    std::vector<std::uint64_t> int32s, int64s, uint64s;
    std::vector<std::string_view> strings;
    ExternalReference external;
    std::uint64_t location = 0;
};

// False where the message is damaged.
bool keyAndValue(std::string_view message, std::pair<std::string_view, std::string_view>& result)
{
    WireReader reader(message);
    for (WireField f; reader.next(f);) {
        if (f.isBytes(1))
            result.first = f.bytes;
        else if (f.isBytes(2))
            result.second = f.bytes;
    }
    return !reader.isMalformed();
}

bool readContents(std::string_view message, Contents& c, ReadTensor& into)
{
    WireReader reader(message);
    bool sound = true;
    for (WireField f; sound && reader.next(f);) {
        switch (f.number) {
        case dimsField:
            sound = appendVarints(f, c.dims);
            break;
        case typeField:
            c.type = f.type == WireType::varint ? f.value : c.type;
            break;
        case floatField:
            c.floats.push_back(fixedBytes(f));
            break;
        case doubleField:
            c.doubles.push_back(fixedBytes(f));
            break;
        case int32Field:
            sound = appendVarints(f, c.int32s);
            break;
        case int64Field:
            sound = appendVarints(f, c.int64s);
            break;
        case uint64Field:
            sound = appendVarints(f, c.uint64s);
            break;
        case stringField:
            c.strings.push_back(f.bytes);
            break;
        case nameField:
            into.name = f.bytes;
            break;
        case docField:
            into.docString = f.bytes;
            break;
        case rawField:
            if (f.type == WireType::bytes)
                c.raw = f.bytes;
            break;
        case externalField: {
            std::pair<std::string_view, std::string_view> entry;
            sound = keyAndValue(f.bytes, entry);
            const auto& [key, value] = entry;
            if (key == "location")
                c.external.location = value;
            else if (key == "offset")
                c.external.offset = value;
            else if (key == "length")
                c.external.length = value;
            break;
        }
        case locationField:
            c.location = f.value;
            break;
        default:
            break;
        }
    }
    return sound && !reader.isMalformed();
}

// The numbers of the one typed field that goes with an element type, narrowed.
std::optional<Tensor> ofVarints(DType type, const std::vector<std::int64_t>& shape,
                                std::int64_t count, const std::vector<std::uint64_t>& values)
{
    // Elements under eight bits come packed in bytes.
    const bool packed = bitsOf(type) < 8;
    const std::int64_t wanted = packed ? *bytesOf(type, count) : count;
    if (static_cast<std::int64_t>(values.size()) != wanted)
        return std::nullopt;
    Tensor tensor = Tensor::allocate(type, shape);
    const std::size_t size = packed ? 1 : static_cast<std::size_t>(bitsOf(type)) / 8;
    std::byte* out = tensor.mutableData();
    for (const std::uint64_t value : values) {
        std::memcpy(out, &value, size); // little-endian: the low bytes
        out += size;
    }
    return tensor;
}

std::optional<Tensor> ofChunks(DType type, const std::vector<std::int64_t>& shape,
                               const std::vector<std::string_view>& chunks,
                               const TensorContext& context, std::int64_t size)
{
    std::size_t total = 0;
    for (const std::string_view chunk : chunks)
        total += chunk.size();
    if (static_cast<std::int64_t>(total) != size)
        return std::nullopt;
    if (chunks.size() == 1)
        return Tensor::mapped(type, shape, reinterpret_cast<const std::byte*>(chunks[0].data()),
                              context.owner);
    Tensor tensor = Tensor::allocate(type, shape);
    std::byte* out = tensor.mutableData();
    for (const std::string_view chunk : chunks) {
        std::memcpy(out, chunk.data(), chunk.size());
        out += chunk.size();
    }
    return tensor;
}

std::int64_t storedCount(const Contents& c)
{
    std::size_t bytes = 0;
    for (const auto& chunk : c.floats)
        bytes += chunk.size() / 4;
    for (const auto& chunk : c.doubles)
        bytes += chunk.size() / 8;
    return static_cast<std::int64_t>(bytes + c.int32s.size() + c.int64s.size() + c.uint64s.size() +
                                     c.strings.size());
}

// The contents, or why they cannot be used.
tl::expected<Tensor, Message> makeTensor(const Contents& c, DType type,
                                         const std::vector<std::int64_t>& shape, std::int64_t count,
                                         const TensorContext& context, bool isExternal)
{
    const auto bytes = bytesOf(type, count);
    if (!bytes)
        return tl::unexpected(Message("io.tensor-too-large"));
    if (isExternal) {
        if (!context.external || type == DType::string)
            return tl::unexpected(Message("io.external-not-allowed"));
        auto range = context.external->find(c.external, *bytes);
        if (!range)
            return tl::unexpected(range.error().message);
        return Tensor::mapped(type, shape,
                              reinterpret_cast<const std::byte*>(range->bytes.data()), range->file);
    }
    if (type == DType::string) {
        if (static_cast<std::int64_t>(c.strings.size()) == count)
            return Tensor::strings(shape, {c.strings.begin(), c.strings.end()});
    } else if (c.raw && (!c.raw->empty() || storedCount(c) == 0)) {
        if (static_cast<std::int64_t>(c.raw->size()) != *bytes)
            return tl::unexpected(
                Message("io.wrong-size", {{"expected", *bytes},
                                          {"found", static_cast<std::int64_t>(c.raw->size())}}));
        return Tensor::mapped(type, shape, reinterpret_cast<const std::byte*>(c.raw->data()),
                              context.owner);
    }
    std::optional<Tensor> tensor;
    switch (type) {
    case DType::string:
        break;
    case DType::float32:
    case DType::complex64:
        tensor = ofChunks(type, shape, c.floats, context, *bytes);
        break;
    case DType::float64:
    case DType::complex128:
        tensor = ofChunks(type, shape, c.doubles, context, *bytes);
        break;
    case DType::int64:
        tensor = ofVarints(type, shape, count, c.int64s);
        break;
    case DType::uint32:
    case DType::uint64:
        tensor = ofVarints(type, shape, count, c.uint64s);
        break;
    default:
        tensor = ofVarints(type, shape, count, c.int32s);
        break;
    }
    if (tensor)
        return *std::move(tensor);
    if (storedCount(c) == 0)
        return tl::unexpected(Message("io.no-contents"));
    return tl::unexpected(
        Message("io.wrong-count", {{"expected", count}, {"found", storedCount(c)}}));
}

} // namespace

std::optional<ReadTensor> readTensorMessage(std::string_view message, const TensorContext& context)
{
    ReadTensor result;
    Contents c;
    if (!readContents(message, c, result))
        return std::nullopt;
    result.isExternal = c.location == 1;
    const bool known = c.type < 0x7FFFFFFF && isKnown(static_cast<DType>(c.type));
    const DType type = known ? static_cast<DType>(c.type) : DType::undefined;
    std::vector<std::int64_t> shape(c.dims.begin(), c.dims.end());
    const auto count = elementCountOf(shape);
    const auto unusable = [&](Message why) {
        why.args.emplace_back("tensor", result.name);
        if (context.problem)
            context.problem(why);
        result.tensor = std::make_shared<const Tensor>(
            Tensor::unavailable(type, count ? shape : std::vector<std::int64_t>{0}, why));
        return result;
    };
    if (!known)
        return unusable(
            Message("io.unknown-dtype", {{"dtype", static_cast<std::int64_t>(c.type)}}));
    if (!count)
        return unusable(Message("io.bad-shape"));
    auto tensor = makeTensor(c, type, shape, *count, context, result.isExternal);
    if (!tensor)
        return unusable(tensor.error());
    result.tensor = std::make_shared<const Tensor>(*std::move(tensor));
    return result;
}

std::optional<ReadSparse> readSparseMessage(std::string_view message, const TensorContext& context)
{
    ReadSparse result;
    auto sparse = std::make_shared<SparseTensor>();
    std::vector<std::uint64_t> dims;
    WireReader reader(message);
    for (WireField f; reader.next(f);) {
        if (f.isBytes(1) || f.isBytes(2)) {
            auto part = readTensorMessage(f.bytes, context);
            if (!part)
                return std::nullopt;
            (f.number == 1 ? sparse->values : sparse->indices) = part->tensor;
            if (f.number == 1)
                result.name = part->name;
        } else if (f.number == 3 && !appendVarints(f, dims)) {
            return std::nullopt;
        }
    }
    if (reader.isMalformed())
        return std::nullopt;
    sparse->shape.assign(dims.begin(), dims.end());
    const auto none = [] {
        return std::make_shared<const Tensor>(
            Tensor::unavailable(DType::undefined, {0}, Message("io.no-contents")));
    };
    if (!sparse->values)
        sparse->values = none();
    if (!sparse->indices)
        sparse->indices = none();
    result.tensor = std::move(sparse);
    return result;
}

namespace {

void addContents(WireMessage& message, const Tensor& tensor)
{
    if (tensor.isString()) {
        for (std::int64_t i = 0; i < tensor.elementCount(); ++i)
            message.bytes(stringField, tensor.loadString(i));
    } else if (tensor.isSplat()) {
        message.keptBytes(rawField,
                          {static_cast<const char*>(tensor.splatElement()),
                           static_cast<std::size_t>(bitsOf(tensor.dtype())) / 8},
                          static_cast<std::uint64_t>(tensor.elementCount()));
    } else if (tensor.data()) {
        message.keptBytes(rawField, {reinterpret_cast<const char*>(tensor.data()),
                                     static_cast<std::size_t>(tensor.byteSize())});
    }
}

void addHead(WireMessage& message, const Tensor& tensor, std::string_view name)
{
    for (const std::int64_t size : tensor.shape())
        message.varint(dimsField, static_cast<std::uint64_t>(size));
    message.varint(typeField, static_cast<std::uint64_t>(tensor.dtype()));
    message.bytes(nameField, name);
}

bool isContents(std::uint32_t number)
{
    return (number >= floatField && number <= int64Field) ||
           (number >= rawField && number <= uint64Field) || number == externalField ||
           number == locationField;
}

// The original without its contents.
WireMessage stripped(std::string_view original)
{
    WireMessage message;
    WireReader reader(original);
    for (WireField f; reader.next(f);) {
        if (!isContents(f.number))
            message.kept(f.whole);
    }
    return message;
}

} // namespace

WireMessage tensorMessage(const Tensor& tensor, std::string_view name)
{
    WireMessage message;
    addHead(message, tensor, name);
    addContents(message, tensor);
    return message;
}

WireMessage sparseMessage(const SparseTensor& tensor, std::string_view name)
{
    WireMessage message;
    if (tensor.values)
        message.message(1, tensorMessage(*tensor.values, name));
    if (tensor.indices)
        message.message(2, tensorMessage(*tensor.indices, ""));
    for (const std::int64_t size : tensor.shape)
        message.varint(3, static_cast<std::uint64_t>(size));
    return message;
}

WireMessage inlinedMessage(std::string_view original, const Tensor& tensor)
{
    WireMessage message = stripped(original);
    addContents(message, tensor);
    return message;
}

WireMessage externalMessage(std::string_view original, const Tensor& tensor, std::string_view name,
                            std::string_view location, std::uint64_t offset, std::uint64_t length)
{
    WireMessage message = stripped(original);
    if (original.empty())
        addHead(message, tensor, name);
    const auto entry = [&message](std::string_view key, std::string_view value) {
        WireMessage pair;
        pair.bytes(1, key);
        pair.bytes(2, value);
        message.message(externalField, std::move(pair));
    };
    entry("location", location);
    entry("offset", fmt::format("{}", offset));
    entry("length", fmt::format("{}", length));
    message.varint(locationField, 1);
    return message;
}

} // namespace fusescope
