#include "model/graph_text_literals.h"

#include "model/graph_text.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace fusescope {

namespace {

// A literal takes memory as it stands in the text; only these forms make much out of little.
constexpr std::int64_t maxMadeBytes = std::int64_t{1} << 33;

Result<Shape> readShape(TextScanner& scanner)
{
    if (!scanner.take('['))
        return Shape::scalar();
    if (scanner.take(']'))
        return Shape::unranked();
    if (scanner.take("...")) {
        FUSESCOPE_TRY(scanner.expect(']'));
        return Shape::unranked();
    }
    std::vector<Dim> dims;
    do {
        const std::size_t start = scanner.position();
        std::string_view text = scanner.until(",]");
        while (!text.empty() && (text.back() == ' ' || text.back() == '\n'))
            text.remove_suffix(1);
        if (text == "?" || text.find('?') != std::string_view::npos) {
            dims.push_back(Dim::unknown(0));
            continue;
        }
        auto dim = Dim::parse(text);
        if (!dim)
            return scanner.wrong(fmt::format("`{}` is no size", text), start);
        dims.push_back(*std::move(dim));
    } while (scanner.take(','));
    FUSESCOPE_TRY(scanner.expect(']'));
    return Shape::of(std::move(dims));
}

Result<std::optional<Type>> readAnyType(TextScanner& scanner, bool required);

Result<Type> readInner(TextScanner& scanner)
{
    FUSESCOPE_ASSIGN(auto type, readAnyType(scanner, true));
    if (!type)
        return scanner.expected("a type");
    return *std::move(type);
}

std::optional<std::int64_t> integerOf(std::string_view text)
{
    if (text == "true")
        return 1;
    if (text == "false")
        return 0;
    if (text.starts_with('+'))
        text.remove_prefix(1);
    const char* end = text.data() + text.size();
    std::int64_t value = 0;
    if (const auto [at, error] = std::from_chars(text.data(), end, value);
        error == std::errc() && at == end)
        return value;
    std::uint64_t large = 0;
    if (const auto [at, error] = std::from_chars(text.data(), end, large);
        error == std::errc() && at == end)
        return static_cast<std::int64_t>(large);
    return std::nullopt;
}

// The number of plain numbers in one element.
std::int64_t partsOf(DType type)
{
    return type == DType::complex64 || type == DType::complex128 ? 2 : 1;
}

void storePart(Tensor& tensor, std::int64_t i, double value)
{
    if (tensor.dtype() == DType::complex64)
        tensor.mutableElements<float>()[i] = static_cast<float>(value);
    else if (tensor.dtype() == DType::complex128)
        tensor.mutableElements<double>()[i] = value;
    else
        tensor.store(i, value);
}

Result<TensorPtr> readStrings(TextScanner& scanner, std::vector<std::int64_t> shape,
                              std::int64_t count)
{
    const std::size_t start = scanner.position();
    std::vector<std::string> elements;
    while (scanner.peek() != '}') {
        if (!elements.empty())
            FUSESCOPE_TRY(scanner.expect(','));
        FUSESCOPE_ASSIGN(std::string element, scanner.quoted());
        elements.push_back(std::move(element));
    }
    if (static_cast<std::int64_t>(elements.size()) != count)
        return scanner.wrong(fmt::format("expected {} elements, found {}", count, elements.size()),
                             start);
    FUSESCOPE_TRY(scanner.expect('}'));
    return std::make_shared<const Tensor>(Tensor::strings(std::move(shape), std::move(elements)));
}

Result<TensorPtr> readElements(TextScanner& scanner, DType type, std::vector<std::int64_t> shape,
                               std::int64_t count)
{
    if (type == DType::string)
        return readStrings(scanner, std::move(shape), count);
    const std::size_t start = scanner.position();
    std::vector<std::string> elements;
    while (scanner.peek() != '}') {
        if (!elements.empty())
            FUSESCOPE_TRY(scanner.expect(','));
        FUSESCOPE_ASSIGN(std::string element, scanner.number());
        elements.push_back(std::move(element));
    }
    const std::int64_t wanted = count * partsOf(type);
    if (static_cast<std::int64_t>(elements.size()) != wanted)
        return scanner.wrong(fmt::format("expected {} elements, found {}", wanted, elements.size()),
                             start);
    FUSESCOPE_TRY(scanner.expect('}'));
    Tensor tensor = Tensor::allocate(type, std::move(shape));
    const bool whole = isInteger(type) || type == DType::boolean;
    for (std::int64_t i = 0; i < wanted; ++i) {
        const std::string& text = elements[static_cast<std::size_t>(i)];
        const auto integer = integerOf(text);
        if (whole && integer) {
            tensor.storeInt(i, *integer);
            continue;
        }
        const auto number = numberOf(text); // first: it tells -0 from 0
        const auto value = !number && integer ? std::optional<double>(*integer) : number;
        if (!value || whole)
            return scanner.wrong(fmt::format("`{}` is no {}", text, nameOf(type)), start);
        storePart(tensor, i, *value);
    }
    return std::make_shared<const Tensor>(std::move(tensor));
}

Result<double> readDouble(TextScanner& scanner)
{
    const std::size_t start = scanner.position();
    FUSESCOPE_ASSIGN(const std::string text, scanner.number());
    const auto value = numberOf(text);
    if (!value)
        return scanner.wrong(fmt::format("`{}` is no number", text), start);
    return *value;
}

Result<TensorPtr> readRandom(TextScanner& scanner, DType type, std::vector<std::int64_t> shape)
{
    FUSESCOPE_TRY(scanner.expect('('));
    FUSESCOPE_ASSIGN(const std::int64_t seed, scanner.integer());
    double low = -1;
    double high = 1;
    if (scanner.take(',')) {
        FUSESCOPE_ASSIGN(low, readDouble(scanner));
        FUSESCOPE_TRY(scanner.expect(','));
        FUSESCOPE_ASSIGN(high, readDouble(scanner));
    }
    FUSESCOPE_TRY(scanner.expect(')'));
    return std::make_shared<const Tensor>(
        randomTensor(type, std::move(shape), static_cast<std::uint64_t>(seed), low, high));
}

Result<TensorPtr> readFill(TextScanner& scanner, DType type, std::vector<std::int64_t> shape)
{
    FUSESCOPE_TRY(scanner.expect('('));
    const std::size_t start = scanner.position();
    FUSESCOPE_ASSIGN(const std::string text, scanner.number());
    FUSESCOPE_TRY(scanner.expect(')'));
    Tensor one = Tensor::allocate(type, {1});
    const auto integer = integerOf(text);
    const auto value = numberOf(text);
    if (integer && (isInteger(type) || type == DType::boolean))
        one.storeInt(0, *integer);
    else if (value)
        one.store(0, *value);
    else
        return scanner.wrong(fmt::format("`{}` is no number", text), start);
    if (bitsOf(type) >= 8)
        return std::make_shared<const Tensor>(Tensor::splat(type, std::move(shape), one.data()));
    Tensor tensor = Tensor::allocate(type, std::move(shape));
    for (std::int64_t i = 0; i < tensor.elementCount(); ++i)
        tensor.store(i, one.asDouble(0));
    return std::make_shared<const Tensor>(std::move(tensor));
}

} // namespace

Tensor randomTensor(DType type, std::vector<std::int64_t> shape, std::uint64_t seed, double low,
                    double high)
{
    Tensor tensor = Tensor::allocate(type, std::move(shape));
    const std::int64_t count = tensor.elementCount() * partsOf(type);
    std::uint64_t state = seed;
    for (std::int64_t i = 0; i < count; ++i) {
        // SplitMix64 (Steele, Lea and Flood 2014).
        state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        z ^= z >> 31;
        const double value = low + (high - low) * (static_cast<double>(z >> 11) * 0x1p-53);
        if (isInteger(type) || type == DType::boolean)
            tensor.storeInt(i, static_cast<std::int64_t>(std::floor(value)));
        else if (type != DType::string)
            storePart(tensor, i, value);
    }
    return tensor;
}

std::optional<double> numberOf(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    // Beyond the range: infinity or zero, as the text says to the nearest.
    if (error == std::errc::result_out_of_range && at == end) {
        const bool negative = text.starts_with('-');
        const std::string_view digits = text.substr(negative ? 1 : 0);
        const bool tiny = text.find("e-") != text.npos || text.find("E-") != text.npos ||
                          digits.starts_with("0.") || digits.starts_with('.');
        value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
        return negative ? -value : value;
    }
    if (error != std::errc() || at != end)
        return std::nullopt;
    return value;
}

bool isFloatText(std::string_view text)
{
    return !integerOf(text) && numberOf(text);
}

namespace {

Result<std::optional<Type>> readAnyType(TextScanner& scanner, bool required)
{
    const char next = scanner.peek();
    const std::size_t start = scanner.position();
    if (next == '"' || !scanner.isNameNext())
        return std::nullopt;
    const auto word = scanner.identifier();
    if (!word) {
        scanner.seek(start);
        return std::nullopt;
    }
    const char after = scanner.peek();
    const auto inner = [&](Type (*wrap)(Type)) -> Result<std::optional<Type>> {
        FUSESCOPE_TRY(scanner.expect('('));
        FUSESCOPE_ASSIGN(Type element, readInner(scanner));
        FUSESCOPE_TRY(scanner.expect(')'));
        return wrap(std::move(element));
    };
    if (after == '(' && *word == "seq")
        return inner(&Type::sequence);
    if (after == '(' && *word == "optional")
        return inner(&Type::optional);
    if (after == '(' && *word == "sparse_tensor")
        return inner(+[](Type type) {
            type.kind = Type::Kind::sparseTensor;
            return type;
        });
    if (after == '(' && *word == "map") {
        FUSESCOPE_TRY(scanner.expect('('));
        FUSESCOPE_ASSIGN(const Type key, readInner(scanner));
        FUSESCOPE_TRY(scanner.expect(','));
        FUSESCOPE_ASSIGN(Type element, readInner(scanner));
        FUSESCOPE_TRY(scanner.expect(')'));
        return Type::map(key.dtype, std::move(element));
    }
    const auto dtype = dtypeFromName(*word);
    const bool isName = after == ',' || after == ')' || after == '=' || after == '.' || after == '>';
    if (!dtype || (isName && !required)) {
        scanner.seek(start);
        return std::nullopt;
    }
    FUSESCOPE_ASSIGN(Shape shape, readShape(scanner));
    return Type::tensor(*dtype, std::move(shape));
}

} // namespace

Result<std::optional<Type>> readType(TextScanner& scanner)
{
    return readAnyType(scanner, false);
}

std::string typeText(const Type& type)
{
    switch (type.kind) {
    case Type::Kind::tensor: {
        const std::string element(nameOf(type.dtype));
        if (!type.shape.hasRank())
            return element + "[]";
        return type.shape.rank() == 0 ? element : element + type.shape.text();
    }
    case Type::Kind::sparseTensor: {
        Type dense = type;
        dense.kind = Type::Kind::tensor;
        return "sparse_tensor(" + typeText(dense) + ")";
    }
    case Type::Kind::sequence:
        return "seq(" + typeText(*type.element) + ")";
    case Type::Kind::optional:
        return "optional(" + typeText(*type.element) + ")";
    case Type::Kind::map:
        return "map(" + std::string(nameOf(type.dtype)) + ", " + typeText(*type.element) + ")";
    case Type::Kind::opaque:
    case Type::Kind::undefined:
        break;
    }
    return {};
}

Result<TensorPtr> readContents(TextScanner& scanner, const Type& type)
{
    const std::size_t start = scanner.position();
    auto shape = type.shape.staticDims();
    const auto count = shape ? elementCountOf(*shape) : std::nullopt;
    if (!type.isTensor() || !count)
        return scanner.wrong("contents need a type with a fixed shape", start);
    scanner.take('=');
    if (scanner.take('{'))
        return readElements(scanner, type.dtype, std::move(*shape), *count);
    if (scanner.take("missing"))
        return std::make_shared<const Tensor>(
            Tensor::unavailable(type.dtype, std::move(*shape), Message("model.text-missing")));
    const bool random = scanner.take("random");
    if (!random && !scanner.take("fill"))
        return scanner.expected("`{`, `random`, `fill` or `missing`");
    if (type.dtype == DType::string ||
        bytesOf(type.dtype, *count).value_or(maxMadeBytes) >= maxMadeBytes)
        return scanner.wrong("this cannot be made", start);
    return random ? readRandom(scanner, type.dtype, std::move(*shape))
                  : readFill(scanner, type.dtype, std::move(*shape));
}

Result<TensorPtr> readTensor(TextScanner& scanner)
{
    FUSESCOPE_ASSIGN(const Type type, readInner(scanner));
    return readContents(scanner, type);
}

Result<SparseTensorPtr> readSparse(TextScanner& scanner)
{
    SparseTensor sparse;
    FUSESCOPE_TRY(scanner.expect('('));
    FUSESCOPE_TRY(scanner.expect('['));
    while (scanner.peek() != ']') {
        if (!sparse.shape.empty())
            FUSESCOPE_TRY(scanner.expect(','));
        FUSESCOPE_ASSIGN(const std::int64_t size, scanner.integer());
        sparse.shape.push_back(size);
    }
    FUSESCOPE_TRY(scanner.expect(']'));
    FUSESCOPE_TRY(scanner.expect(','));
    FUSESCOPE_ASSIGN(sparse.values, readTensor(scanner));
    FUSESCOPE_TRY(scanner.expect(','));
    FUSESCOPE_ASSIGN(sparse.indices, readTensor(scanner));
    FUSESCOPE_TRY(scanner.expect(')'));
    return std::make_shared<const SparseTensor>(std::move(sparse));
}

std::string floatText(float value)
{
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos)
        text += ".0";
    return text;
}

namespace {

std::string elementText(const Tensor& tensor, std::int64_t i)
{
    switch (tensor.dtype()) {
    case DType::string:
        return quotedText(tensor.loadString(i));
    case DType::boolean:
        return tensor.asInt(i) != 0 ? "true" : "false";
    case DType::uint64:
        return fmt::format("{}", tensor.load<std::uint64_t>(i));
    case DType::float32:
        return fmt::format("{}", tensor.load<float>(i));
    case DType::complex64: {
        const auto value = tensor.load<std::complex<float>>(i);
        return fmt::format("{}, {}", value.real(), value.imag());
    }
    case DType::complex128: {
        const auto value = tensor.load<std::complex<double>>(i);
        return fmt::format("{}, {}", value.real(), value.imag());
    }
    default:
        break;
    }
    if (isInteger(tensor.dtype()))
        return fmt::format("{}", tensor.asInt(i));
    return bitsOf(tensor.dtype()) > 32 ? fmt::format("{}", tensor.asDouble(i))
                                       : fmt::format("{}", static_cast<float>(tensor.asDouble(i)));
}

} // namespace

std::string contentsText(const Tensor& tensor, std::int64_t maxElements)
{
    if (!tensor.isAvailable())
        return "missing";
    const std::int64_t count = tensor.elementCount();
    if (tensor.isSplat() && count > 0 && partsOf(tensor.dtype()) == 1)
        return "fill(" + elementText(tensor, 0) + ")";
    const bool whole = maxElements < 0 || count <= maxElements;
    const std::int64_t shown = whole ? count : std::min<std::int64_t>(maxElements, 4);
    std::string text = "{";
    for (std::int64_t i = 0; i < shown; ++i)
        text += (i == 0 ? "" : ", ") + elementText(tensor, i);
    if (!whole)
        text += fmt::format("{}... {} in all", shown == 0 ? "" : ", ", count);
    return text + "}";
}

std::string tensorText(const Tensor& tensor, std::int64_t maxElements)
{
    const Type type = Type::tensor(tensor.dtype(), Shape::ofSizes(tensor.shape()));
    const std::string contents = contentsText(tensor, maxElements);
    return typeText(type) + (contents.starts_with('{') ? " " : " = ") + contents;
}

std::string sparseText(const SparseTensor& tensor, std::int64_t maxElements)
{
    std::string text = "sparse([";
    for (std::size_t i = 0; i < tensor.shape.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", tensor.shape[i]);
    text += "]";
    for (const TensorPtr& part : {tensor.values, tensor.indices})
        text += ", " + (part ? tensorText(*part, maxElements) : "float[0] {}");
    return text + ")";
}

} // namespace fusescope
