#include "exec/inputs.h"

#include "ops/axes.h"
#include "ops/kernel.h"

#include <algorithm>
#include <array>
#include <new>
#include <set>

namespace fusescope {

namespace {

// SplitMix64 (Steele, Lea, Flood 2014): one output for each counter, so the numbers of an input do
// not depend on what was made before it.
class Random
{
public:
    Random(std::uint64_t seed, std::string_view name) : m_state(seed * 0x9E3779B97F4A7C15ULL)
    {
        for (const char c : name)
            m_state = (m_state ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    }

    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; } // [0, 1)
    std::int64_t integer(std::int64_t low, std::int64_t high)
    {
        const auto range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        return range == 0 ? low
                          : static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                                      next() % range);
    }

private:
    std::uint64_t m_state;
};

bool holds(std::string_view text, std::string_view part)
{
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    return std::search(text.begin(), text.end(), part.begin(), part.end(),
                       [&](char a, char b) { return lower(a) == lower(b); }) != text.end();
}

// A size for a symbol that nobody gave, by what its name or place says.
std::int64_t guessSize(std::string_view symbol, std::size_t axis, std::size_t rank,
                       const Type& type)
{
    if (holds(symbol, "batch") || symbol == "N" || symbol == "n" || symbol == "B" || symbol == "b")
        return 1;
    if (holds(symbol, "seq") || holds(symbol, "time") || holds(symbol, "length"))
        return 16;
    if (holds(symbol, "height") || holds(symbol, "width") || symbol == "H" || symbol == "W" ||
        symbol == "h" || symbol == "w")
        return 224;
    if (axis == 0)
        return 1;
    if (rank == 4 && axis >= 2 && isFloatingPoint(type.dtype)) {
        // A known channel count in front says image in NCHW; behind, NHWC.
        return 224;
    }
    if (rank == 2 && isInteger(type.dtype))
        return 16;
    return 1;
}

// A size to try first for a symbol of a proof: none is 1, all are small, and those of images even
// multiples, so that strided networks keep whole sizes.
std::int64_t distinctSize(std::size_t ordinal, std::int64_t guess, int variant)
{
    static constexpr std::array<std::int64_t, 12> small = {2, 3, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15};
    static constexpr std::array<std::int64_t, 12> large = {64,  96,  128, 160, 192, 224,
                                                           256, 288, 320, 352, 384, 416};
    const std::size_t shift = variant * 3U;
    if (guess >= 100)
        return large[(ordinal + shift) % large.size()];
    if (guess >= 10)
        return small[(ordinal + shift + 4) % small.size()] + 8;
    return small[(ordinal + shift) % small.size()];
}

// The number of rows that an integer input indexes, when all that it feeds is lookups (Gather,
// possibly through a Cast, Reshape and their kind).
std::optional<std::int64_t> indexedRows(const Graph& graph, ValueId value, int depth = 0)
{
    std::optional<std::int64_t> rows;
    if (depth > 4)
        return rows;
    for (const Use& use : graph.uses(value)) {
        const Node* node = graph.node(use.node);
        if (!node)
            continue;
        std::optional<std::int64_t> here;
        if ((node->is("Gather") || node->is("GatherElements")) && use.index == 1) {
            const Value* data = graph.value(node->input(0));
            if (!data)
                continue;
            const Shape& shape = data->type.shape;
            if (const auto axis = normalizeAxis(node->attributes.getInt("axis", 0), shape.rank()))
                here = shape[*axis].constant();
        } else if (node->is("Cast") || node->is("Identity") || node->is("Reshape") ||
                   node->is("Unsqueeze") || node->is("Squeeze")) {
            here = indexedRows(graph, node->output(0), depth + 1);
        }
        if (here)
            rows = rows ? std::min(*rows, *here) : *here;
    }
    return rows;
}

// What all inputs together may take.
constexpr std::int64_t bytesLimit = std::int64_t{4} << 30;

tl::unexpected<Error> tooLarge(const Value& value, const std::vector<std::int64_t>& shape)
{
    return fail(ErrorCode::failed,
                Message("inputs.too-large",
                        {{"value", value.name}, {"shape", Shape::ofSizes(shape).text()}}));
}

Result<Tensor> allocated(const Value& value, std::vector<std::int64_t> shape,
                         std::int64_t& bytesLeft)
{
    const DType type = value.type.dtype;
    const auto count = elementCountOf(shape);
    const auto bytes = count ? memoryOf(type, *count) : std::nullopt;
    if (!bytes || *bytes > bytesLeft)
        return tooLarge(value, shape);
    bytesLeft -= *bytes;
    try {
        return Tensor::allocate(type, shape);
    } catch (const std::bad_alloc&) {
        return tooLarge(value, shape);
    }
}

Result<Tensor> fill(const Value& value, std::vector<std::int64_t> shape, const InputRecipe& recipe,
                    std::optional<std::int64_t> rows, std::int64_t& bytesLeft)
{
    FUSESCOPE_ASSIGN(Tensor tensor, allocated(value, std::move(shape), bytesLeft));
    Random random(recipe.seed + static_cast<std::uint64_t>(recipe.variant) * 1000003U, value.name);
    const std::int64_t count = tensor.elementCount();
    if (tensor.isString()) {
        for (std::string& s : tensor.mutableStrings())
            s = "s" + std::to_string(random.integer(0, 100));
        return tensor;
    }
    std::int64_t low = recipe.integerLow;
    std::int64_t high = std::max(recipe.integerHigh, low + 1);
    if (rows && *rows > 0) {
        low = 0;
        high = *rows;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        if (isInteger(value.type.dtype))
            tensor.storeInt(i, random.integer(low, high));
        else if (value.type.dtype == DType::boolean)
            tensor.storeInt(i, static_cast<std::int64_t>(random.next() & 1U));
        else
            tensor.store(i, random.unit() * 2 - 1);
    }
    return tensor;
}

} // namespace

Result<RuntimeValue> makeValue(const Value& value, std::vector<std::int64_t> shape,
                               const InputRecipe& recipe)
{
    std::int64_t bytesLeft = bytesLimit;
    FUSESCOPE_ASSIGN(Tensor made, fill(value, std::move(shape), recipe, std::nullopt, bytesLeft));
    return RuntimeValue(std::move(made));
}

Result<MadeInputs> makeInputs(const Graph& graph, const InputRecipe& recipe, const RunInputs& given)
{
    MadeInputs made;
    made.inputs = given;
    std::int64_t bytesLeft = bytesLimit;
    std::map<std::string, std::int64_t> sizes = recipe.dims;
    const Body& main = *graph.body(graph.mainBody());
    // What is given settles the symbols of its shape.
    for (const ValueId id : main.inputs) {
        const Value& value = *graph.value(id);
        const auto found = given.find(value.name);
        const Tensor* tensor = found == given.end() ? nullptr : found->second.tensor();
        if (!tensor || !value.type.shape.hasRank() || value.type.shape.rank() != tensor->rank())
            continue;
        for (std::size_t axis = 0; axis < tensor->rank(); ++axis) {
            const Dim& dim = value.type.shape.dims()[axis];
            if (dim.isSymbol())
                sizes.emplace(std::string(dim.symbolName()), tensor->shape()[axis]);
        }
    }
    std::size_t ordinal = 0;
    for (const ValueId id : main.inputs) {
        const Value& value = *graph.value(id);
        if (made.inputs.count(value.name) > 0 || value.isInitializer())
            continue;
        if (value.type.kind == Type::Kind::optional) {
            made.inputs[value.name] = OptionalValue{value.type.element ? *value.type.element : Type{},
                                                    nullptr};
            continue;
        }
        if (value.type.kind == Type::Kind::sequence) {
            made.inputs[value.name] = SequenceValue{value.type.element ? *value.type.element : Type{},
                                                    {}};
            continue;
        }
        if (!value.type.isTensor() || value.type.dtype == DType::undefined)
            return fail(ErrorCode::invalidArgument, Message("inputs.unknown-type", {{"value", id}}));
        std::vector<std::int64_t> shape;
        const auto fixed = recipe.shapes.find(value.name);
        if (fixed != recipe.shapes.end()) {
            shape = fixed->second;
        } else if (!value.type.shape.hasRank()) {
            return fail(ErrorCode::invalidArgument, Message("inputs.unknown-shape", {{"value", id}}));
        } else {
            const std::size_t rank = value.type.shape.rank();
            for (std::size_t axis = 0; axis < rank; ++axis) {
                const Dim& dim = value.type.shape.dims()[axis];
                if (const auto number = dim.constant()) {
                    shape.push_back(*number);
                    continue;
                }
                const std::string symbol =
                    dim.isSymbol() ? std::string(dim.symbolName())
                                   : value.name + "[" + std::to_string(axis) + "]";
                auto at = sizes.find(symbol);
                if (at == sizes.end()) {
                    const std::int64_t guess = guessSize(symbol, axis, rank, value.type);
                    std::int64_t size = guess;
                    if (recipe.distinctDims) {
                        size = distinctSize(ordinal++, guess, recipe.variant);
                        const auto taken = [&](const auto& entry) { return entry.second == size; };
                        while (std::ranges::any_of(sizes, taken))
                            size += guess >= 100 ? 32 : 1;
                    }
                    at = sizes.emplace(symbol, size).first;
                    made.assumed.emplace_back(symbol, size);
                }
                shape.push_back(at->second);
            }
        }
        if (recipe.onlySizes) {
            made.inputs[value.name] =
                Tensor::unavailable(value.type.dtype, std::move(shape), Message());
            continue;
        }
        FUSESCOPE_ASSIGN(Tensor tensor,
                         fill(value, std::move(shape), recipe,
                              isInteger(value.type.dtype) ? indexedRows(graph, id) : std::nullopt,
                              bytesLeft));
        made.inputs[value.name] = std::move(tensor);
    }
    return made;
}

} // namespace fusescope
