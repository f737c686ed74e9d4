#include "io/npy.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace fusescope {

namespace {

struct Header
{
    std::string descr;
    bool fortran = false;
    std::vector<std::int64_t> shape;
};

// The value of a key in the header's Python dictionary; nothing where it is not there.
std::optional<std::string_view> valueOf(std::string_view text, std::string_view key)
{
    for (const char quote : {'\'', '"'}) {
        const std::string wanted = fmt::format("{}{}{}", quote, key, quote);
        const auto at = text.find(wanted);
        if (at == std::string_view::npos)
            continue;
        auto rest = text.substr(at + wanted.size());
        const auto colon = rest.find_first_not_of(" \t");
        if (colon == std::string_view::npos || rest[colon] != ':')
            return std::nullopt;
        rest.remove_prefix(colon + 1);
        const auto start = rest.find_first_not_of(" \t");
        return start == std::string_view::npos ? std::nullopt : std::optional(rest.substr(start));
    }
    return std::nullopt;
}

std::optional<std::vector<std::int64_t>> shapeOf(std::string_view text)
{
    if (!text.starts_with('('))
        return std::nullopt;
    std::vector<std::int64_t> shape;
    const char* at = text.data() + 1;
    const char* end = text.data() + text.size();
    while (at != end && *at != ')') {
        if (*at == ' ' || *at == ',' || *at == 'L') {
            ++at;
            continue;
        }
        std::int64_t size = 0;
        const auto [next, error] = std::from_chars(at, end, size);
        if (error != std::errc() || size < 0)
            return std::nullopt;
        shape.push_back(size);
        at = next;
    }
    return at == end ? std::nullopt : std::optional(shape);
}

std::optional<Header> headerOf(std::string_view text)
{
    Header header;
    const auto descr = valueOf(text, "descr");
    const auto fortran = valueOf(text, "fortran_order");
    const auto shape = valueOf(text, "shape");
    if (!descr || !fortran || !shape || descr->size() < 4 ||
        ((*descr)[0] != '\'' && (*descr)[0] != '"'))
        return std::nullopt;
    const auto end = descr->find((*descr)[0], 1);
    auto sizes = shapeOf(*shape);
    if (end == std::string_view::npos || !sizes)
        return std::nullopt;
    header.descr = descr->substr(1, end - 1);
    header.fortran = fortran->starts_with("True");
    header.shape = *std::move(sizes);
    return header;
}

DType dtypeOf(std::string_view code, DType expected)
{
    struct Row
    {
        std::string_view code;
        DType type;
    };
    constexpr Row rows[] = {
        {"f4", DType::float32}, {"f8", DType::float64},    {"f2", DType::float16},
        {"i1", DType::int8},    {"i2", DType::int16},      {"i4", DType::int32},
        {"i8", DType::int64},   {"u1", DType::uint8},      {"u2", DType::uint16},
        {"u4", DType::uint32},  {"u8", DType::uint64},     {"b1", DType::boolean},
        {"c8", DType::complex64}, {"c16", DType::complex128},
    };
    for (const Row& row : rows) {
        if (row.code == code)
            return row.type;
    }
    const bool fits = (code == "V1" && bitsOf(expected) == 8) ||
                      (code == "V2" && bitsOf(expected) == 16);
    return fits ? expected : DType::undefined;
}

void swapBytes(Tensor& tensor)
{
    const bool complex = tensor.dtype() == DType::complex64 || tensor.dtype() == DType::complex128;
    const std::int64_t size = bitsOf(tensor.dtype()) / 8 / (complex ? 2 : 1);
    std::byte* at = tensor.mutableData();
    for (std::int64_t i = 0; i + size <= tensor.byteSize(); i += size)
        std::reverse(at + i, at + i + size);
}

// From column-major to row-major.
Tensor inRowOrder(const Tensor& source)
{
    Tensor result = Tensor::allocate(source.dtype(), source.shape());
    const auto& shape = source.shape();
    const auto size = static_cast<std::size_t>(bitsOf(source.dtype())) / 8;
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t axis = 1; axis < shape.size(); ++axis)
        strides[axis] = strides[axis - 1] * shape[axis - 1];
    std::vector<std::int64_t> index(shape.size(), 0);
    std::int64_t from = 0;
    for (std::int64_t to = 0; to < source.elementCount(); ++to) {
        std::memcpy(result.mutableData() + static_cast<std::size_t>(to) * size,
                    source.data() + static_cast<std::size_t>(from) * size, size);
        for (std::size_t axis = shape.size(); axis-- > 0;) {
            from += strides[axis];
            if (++index[axis] < shape[axis])
                break;
            from -= strides[axis] * shape[axis];
            index[axis] = 0;
        }
    }
    return result;
}

void appendUtf8(std::string& text, std::uint32_t c)
{
    if (c < 0x80) {
        text += static_cast<char>(c);
    } else if (c < 0x800) {
        text += static_cast<char>(0xC0 | (c >> 6));
        text += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        text += static_cast<char>(0xE0 | (c >> 12));
        text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        text += static_cast<char>(0xF0 | ((c >> 18) & 0x07));
        text += static_cast<char>(0x80 | ((c >> 12) & 0x3F));
        text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
    }
}

// Strings of a fixed length, S in bytes or U in UTF-32, filled up with zeros.
std::optional<Tensor> stringsOf(const Header& header, std::string_view data)
{
    const bool wide = header.descr[1] == 'U';
    std::int64_t length = 0;
    const char* end = header.descr.data() + header.descr.size();
    const auto [at, error] = std::from_chars(header.descr.data() + 2, end, length);
    const auto count = elementCountOf(header.shape);
    const std::int64_t unit = wide ? 4 : 1;
    if (error != std::errc() || at != end || length < 0 || length > (1 << 28) || !count)
        return std::nullopt;
    const std::int64_t size = length * unit;
    // No more strings than there are bytes, or a damaged header could ask for any number of them.
    if (size == 0 ? *count > (1 << 20)
                  : static_cast<std::int64_t>(data.size()) / size != *count ||
                        static_cast<std::int64_t>(data.size()) % size != 0)
        return std::nullopt;
    std::vector<std::string> elements(static_cast<std::size_t>(*count));
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto part =
            data.substr(i * static_cast<std::size_t>(size), static_cast<std::size_t>(size));
        if (!wide) {
            elements[i] = part;
            elements[i].resize(elements[i].find_last_not_of('\0') + 1);
            continue;
        }
        for (std::size_t c = 0; c + 4 <= part.size(); c += 4) {
            std::uint32_t code = 0;
            std::memcpy(&code, part.data() + c, 4);
            code = header.descr[0] == '>' ? __builtin_bswap32(code) : code;
            if (code == 0 || code > 0x10FFFF)
                break;
            appendUtf8(elements[i], code);
        }
    }
    return Tensor::strings(header.shape, std::move(elements));
}

} // namespace

Result<TensorPtr> readNpy(std::string_view bytes, const std::shared_ptr<const void>& owner,
                          const std::string& path, DType expected)
{
    const auto wrong = [&](TextId text) {
        return fail(ErrorCode::unreadable,
                    Message(text, {{"file", path}, {"format", std::string(".npy")}}), {}, path);
    };
    if (!bytes.starts_with(npyMagic) || bytes.size() < 10)
        return wrong("io.data-unknown");
    const auto byteAt = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const bool isLong = byteAt(6) >= 2;
    const std::size_t start = isLong ? 12 : 10;
    std::uint64_t length = byteAt(8) | (static_cast<std::uint64_t>(byteAt(9)) << 8);
    if (isLong && bytes.size() >= 12)
        length |= (static_cast<std::uint64_t>(byteAt(10)) << 16) |
                  (static_cast<std::uint64_t>(byteAt(11)) << 24);
    if (bytes.size() < start || length > bytes.size() - start)
        return wrong("io.data-truncated");
    const auto header = headerOf(bytes.substr(start, length));
    if (!header || header->descr.size() < 3)
        return wrong("io.data-truncated");
    const std::string_view data = bytes.substr(start + length);
    if (header->descr[1] == 'U' || header->descr[1] == 'S') {
        auto strings = stringsOf(*header, data);
        if (!strings)
            return wrong("io.data-unusable");
        if (header->fortran && header->shape.size() > 1)
            return wrong("io.data-unusable");
        return std::make_shared<const Tensor>(*std::move(strings));
    }
    const DType type = dtypeOf(std::string_view(header->descr).substr(1), expected);
    if (type == DType::undefined)
        return fail(ErrorCode::unreadable,
                    Message("io.data-unsupported", {{"file", path}, {"type", header->descr}}), {},
                    path);
    const auto count = elementCountOf(header->shape);
    const auto size = count ? bytesOf(type, *count) : std::nullopt;
    if (!size || static_cast<std::int64_t>(data.size()) < *size)
        return wrong("io.data-truncated");
    const Tensor mapped =
        Tensor::mapped(type, header->shape, reinterpret_cast<const std::byte*>(data.data()), owner);
    const bool bigEndian = header->descr[0] == '>' && bitsOf(type) > 8;
    const bool permute = header->fortran && header->shape.size() > 1;
    if (!bigEndian && !permute)
        return std::make_shared<const Tensor>(mapped);
    Tensor tensor = permute ? inRowOrder(mapped) : mapped.materialized();
    if (bigEndian)
        swapBytes(tensor);
    return std::make_shared<const Tensor>(std::move(tensor));
}

namespace {

// The scalar values of well-formed UTF-8; nothing for other bytes.
std::optional<std::u32string> decoded(std::string_view text)
{
    std::u32string result;
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || i + length > text.size())
            return std::nullopt;
        char32_t c = length == 1 ? lead : lead & (0xFFU >> (length + 1));
        for (std::size_t k = 1; k < length; ++k) {
            const auto byte = static_cast<unsigned char>(text[i + k]);
            if ((byte & 0xC0) != 0x80)
                return std::nullopt;
            c = (c << 6) | (byte & 0x3F);
        }
        result += c;
        i += length;
    }
    return result;
}

std::string stringContents(const Tensor& tensor, std::string& descr)
{
    std::vector<std::u32string> wide;
    std::size_t longest = 1;
    std::size_t longestBytes = 1;
    bool isText = true;
    for (std::int64_t i = 0; i < tensor.elementCount(); ++i) {
        const std::string& element = tensor.loadString(i);
        auto characters = decoded(element);
        isText = isText && characters;
        wide.push_back(characters ? *std::move(characters) : std::u32string());
        longest = std::max(longest, wide.back().size());
        longestBytes = std::max(longestBytes, element.size());
    }
    std::string contents;
    for (std::size_t i = 0; i < wide.size(); ++i) {
        if (isText) {
            wide[i].resize(longest);
            contents.append(reinterpret_cast<const char*>(wide[i].data()), longest * 4);
        } else {
            std::string element = tensor.loadString(static_cast<std::int64_t>(i));
            element.resize(longestBytes);
            contents += element;
        }
    }
    descr = isText ? fmt::format("<U{}", longest) : fmt::format("|S{}", longestBytes);
    return contents;
}

std::string_view codeOf(DType type)
{
    switch (type) {
    case DType::float64:
        return "<f8";
    case DType::float16:
        return "<f2";
    case DType::int8:
    case DType::int4:
    case DType::int2:
        return "|i1";
    case DType::int16:
        return "<i2";
    case DType::int32:
        return "<i4";
    case DType::int64:
        return "<i8";
    case DType::uint8:
    case DType::uint4:
    case DType::uint2:
        return "|u1";
    case DType::uint16:
        return "<u2";
    case DType::uint32:
        return "<u4";
    case DType::uint64:
        return "<u8";
    case DType::boolean:
        return "|b1";
    case DType::complex64:
        return "<c8";
    case DType::complex128:
        return "<c16";
    default:
        return "<f4";
    }
}

} // namespace

std::string npyBytes(const Tensor& tensor)
{
    std::string descr(codeOf(tensor.dtype()));
    std::string contents;
    if (tensor.isString()) {
        contents = stringContents(tensor, descr);
    } else {
        Tensor whole = tensor.materialized();
        const bool narrowFloat = isFloatingPoint(tensor.dtype()) &&
                                 tensor.dtype() != DType::float32 &&
                                 tensor.dtype() != DType::float64 &&
                                 tensor.dtype() != DType::float16;
        const bool packed = isInteger(tensor.dtype()) && bitsOf(tensor.dtype()) < 8;
        if (narrowFloat || packed) {
            const DType wider = narrowFloat               ? DType::float32
                                : isSigned(tensor.dtype()) ? DType::int8
                                                           : DType::uint8;
            whole = Tensor::allocate(wider, tensor.shape());
            const Tensor plain = tensor.materialized();
            for (std::int64_t i = 0; i < tensor.elementCount(); ++i)
                whole.store(i, plain.asDouble(i));
        }
        contents.assign(reinterpret_cast<const char*>(whole.data()),
                        static_cast<std::size_t>(whole.byteSize()));
    }
    std::string shape = "(";
    for (const std::int64_t size : tensor.shape())
        shape += fmt::format("{},{}", size, tensor.rank() > 1 ? " " : "");
    if (tensor.rank() > 1)
        shape.resize(shape.size() - 2);
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}), }}",
                                     descr, shape);
    // The contents begin at a multiple of 64.
    const std::size_t prefix = npyMagic.size() + 2 + (header.size() > 65000 ? 4 : 2);
    header.append(63 - (prefix + header.size()) % 64, ' ');
    header += '\n';
    std::string result(npyMagic);
    result += header.size() > 65500 ? '\x02' : '\x01';
    result += '\0';
    const auto length = static_cast<std::uint32_t>(header.size());
    result.append(reinterpret_cast<const char*>(&length), header.size() > 65500 ? 4 : 2);
    return result + header + contents;
}

} // namespace fusescope
