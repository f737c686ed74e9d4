#include "model/element_text.h"
#include "ops/element_copy.h"
#include "ops/sequence/ml_support.h"
#include "ops/sequence/sequence.h"

#include <map>
#include <variant>

namespace fusescope::sequence {

namespace {

// A key of any of the types; all NaN are one.
using Key = std::variant<std::int64_t, double, std::string>;

Key keyOf(const Tensor& tensor, std::int64_t i)
{
    if (tensor.isString())
        return tensor.loadString(i);
    if (!isFloatingPoint(tensor.dtype()))
        return tensor.asInt(i);
    const double value = tensor.asDouble(i);
    return std::isnan(value) ? Key(std::string("nan")) : Key(value == 0.0 ? 0.0 : value);
}

Tensor tensorOf(std::vector<std::string> values)
{
    const auto count = static_cast<std::int64_t>(values.size());
    return Tensor::strings({count}, std::move(values));
}

// The 1-D tensor that one of four attributes gives: prefix_tensor, _strings, _int64s or _floats.
std::optional<Tensor> listOf(const Attributes& attributes, const std::string& prefix)
{
    if (const TensorPtr tensor = attributes.getTensor(prefix + "_tensor");
        tensor && tensor->isAvailable())
        return *tensor;
    if (auto strings = attributes.getStrings(prefix + "_strings"))
        return tensorOf(*std::move(strings));
    if (const auto ints = attributes.getInts(prefix + "_int64s"))
        return Tensor::vector(*ints);
    if (const auto floats = attributes.getFloats(prefix + "_floats"))
        return Tensor::of<float>({static_cast<std::int64_t>(floats->size())}, *floats);
    return std::nullopt;
}

struct Mapping
{
    Tensor keys, values;
    Tensor fallback; // one element of the type of the values
};

Tensor fallbackOf(const Attributes& attributes, DType type)
{
    if (const TensorPtr tensor = attributes.getTensor("default_tensor");
        tensor && tensor->dtype() == type && tensor->elementCount() == 1 && tensor->isAvailable())
        return *tensor;
    if (type == DType::string)
        return tensorOf({attributes.getString("default_string", "_Unused")});
    Tensor value = Tensor::allocate(type, {1});
    if (isFloatingPoint(type))
        value.store(0, static_cast<double>(attributes.getFloat("default_float", -0.0F)));
    else
        value.storeInt(0, attributes.getInt("default_int64", -1));
    return value;
}

// Version 1 of LabelEncoder, and CategoryMapper: strings to their numbers and back.
std::optional<Mapping> numberedMapping(const Attributes& attributes, bool fromStrings,
                                       const char* strings, const char* ints)
{
    auto names = attributes.getStrings(strings);
    if (!names)
        return std::nullopt;
    std::vector<std::int64_t> numbers = intsOr(attributes, ints, {});
    for (std::size_t i = numbers.size(); i < names->size(); ++i)
        numbers.push_back(static_cast<std::int64_t>(i));
    numbers.resize(names->size());
    Mapping mapping;
    mapping.keys = fromStrings ? tensorOf(*names) : Tensor::vector(numbers);
    mapping.values = fromStrings ? Tensor::vector(numbers) : tensorOf(*names);
    mapping.fallback = fallbackOf(attributes, mapping.values.dtype());
    return mapping;
}

std::optional<Mapping> mappingOf(const Node& node, int since, bool fromStrings)
{
    const Attributes& attributes = node.attributes;
    if (node.op.type == "CategoryMapper")
        return numberedMapping(attributes, fromStrings, "cats_strings", "cats_int64s");
    if (since < 2)
        return numberedMapping(attributes, fromStrings, "classes_strings", "");
    auto keys = listOf(attributes, "keys");
    auto values = listOf(attributes, "values");
    if (!keys || !values || keys->elementCount() != values->elementCount())
        return std::nullopt;
    Mapping mapping{*std::move(keys), *std::move(values), {}};
    mapping.fallback = fallbackOf(attributes, mapping.values.dtype());
    return mapping;
}

// Only one list of keys and one of values may be set.
std::optional<Message> severalLists(const Node& node)
{
    for (const std::string prefix : {"keys", "values"}) {
        const auto isSet = [&](const char* kind) { return node.attributes.has(prefix + kind); };
        constexpr const char* kinds[] = {"_tensor", "_strings", "_int64s", "_floats"};
        if (std::ranges::count_if(kinds, isSet) > 1)
            return Message("ops.several-lists", {{"name", prefix + "_*"}});
    }
    return std::nullopt;
}

// Keys are compared with elements of their own type.
template <class C>
Result<void> checkKeys(const C& c, const Mapping& mapping, DType input)
{
    if (auto several = severalLists(c.node()))
        return c.wrong(*std::move(several));
    const DType keys = mapping.keys.dtype();
    if (input != DType::undefined && input != keys && c.node().op.type == "LabelEncoder" &&
        c.sinceVersion() >= 2)
        return c.wrong(wrongType(0, std::string(nameOf(keys)), std::string(nameOf(input))));
    return {};
}

Result<void> inferMapped(InferenceContext& c)
{
    const bool known = c.dtype(0) != DType::undefined;
    const auto mapping = mappingOf(c.node(), c.sinceVersion(), c.dtype(0) == DType::string);
    if (!mapping)
        return c.wrong({"ops.bad-model-data",
                        {{"operator", c.node().op.type}, {"attribute", "keys, values"}}});
    FUSESCOPE_TRY(checkKeys(c, *mapping, c.dtype(0)));
    const bool typeFollowsInput = c.sinceVersion() < 2;
    c.setTensor(0, known || !typeFollowsInput ? mapping->values.dtype() : DType::undefined,
                c.shape(0));
    return {};
}

Result<void> runMapped(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    const auto mapping = mappingOf(c.node(), c.sinceVersion(), input->isString());
    if (!mapping)
        return c.wrong({"ops.bad-model-data",
                        {{"operator", c.node().op.type}, {"attribute", "keys, values"}}});
    FUSESCOPE_TRY(checkKeys(c, *mapping, input->dtype()));
    std::map<Key, std::int64_t> places; // of a repeated key the last one counts
    for (std::int64_t i = 0; i < mapping->keys.elementCount(); ++i)
        places[keyOf(mapping->keys, i)] = i;
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(mapping->values.dtype(), input->shape()));
    ElementCopy values(output, mapping->values);
    ElementCopy fallback(output, mapping->fallback);
    for (std::int64_t i = 0; i < input->elementCount(); ++i) {
        if (const auto found = places.find(keyOf(*input, i)); found != places.end())
            values.copy(i, found->second);
        else
            fallback.copy(i, 0);
    }
    c.setOutput(0, std::move(output));
    return {};
}

std::string elementText(const Tensor& tensor, std::int64_t i)
{
    if (tensor.isString())
        return "`" + tensor.loadString(i) + "`";
    return isInteger(tensor.dtype()) ? integerText(tensor, i)
                                     : fmt::format("{}", tensor.asDouble(i));
}

Result<void> inferOneHot(InferenceContext& c)
{
    const Labels categories = labelsOf(c.attributes(), "cats_int64s", "cats_strings");
    const Shape& input = c.shape(0);
    Shape shape = Shape::unranked();
    if (input.hasRank()) {
        std::vector<Dim> dims = input.dims();
        dims.push_back(static_cast<std::int64_t>(categories.size()));
        shape = Shape::of(std::move(dims));
    }
    c.setTensor(0, DType::float32, std::move(shape));
    return {};
}

Result<void> runOneHot(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    const Labels categories = labelsOf(c.attributes(), "cats_int64s", "cats_strings");
    if (input->isString() != categories.areStrings())
        return c.wrong(wrongType(0, std::string(nameOf(categories.dtype())),
                                 std::string(nameOf(input->dtype()))));
    std::map<Key, std::int64_t> places;
    for (std::size_t i = 0; i < categories.size(); ++i)
        places[categories.areStrings() ? Key(categories.strings[i]) : Key(categories.ints[i])] =
            static_cast<std::int64_t>(i);
    const auto width = static_cast<std::int64_t>(categories.size());
    std::vector<std::int64_t> shape = input->shape();
    shape.push_back(width);
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(DType::float32, shape));
    const bool zeros = c.attributes().getInt("zeros", 1) != 0;
    for (std::int64_t i = 0; i < input->elementCount(); ++i) {
        const Key key = input->isString() ? Key(input->loadString(i)) : Key(input->asInt(i));
        if (const auto found = places.find(key); found != places.end())
            output.store(i * width + found->second, 1.0);
        else if (!zeros)
            return c.wrong({"ops.unknown-category",
                            {{"input", std::int64_t{1}}, {"found", elementText(*input, i)}}});
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferExtractor(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    FUSESCOPE_TRY(requireRank(c, 0, 1));
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    std::vector<Dim> dims = input.dims();
    const auto count = c.shape(1).elementCount();
    dims.back() = count ? *count : c.unknown(0, input.rank() - 1);
    if (input.rank() == 1)
        dims.insert(dims.begin(), 1);
    c.setTensor(0, c.dtype(0), Shape::of(std::move(dims)));
    return {};
}

Result<void> runExtractor(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_TRY(requireRank(c, *input, 0, 1));
    FUSESCOPE_ASSIGN(const auto indices, wantInts(c, 1));
    const std::int64_t width = input->shape().back();
    const std::int64_t rows = productOf(std::span(input->shape()).first(input->rank() - 1));
    std::vector<std::int64_t> shape = input->shape();
    shape.back() = static_cast<std::int64_t>(indices.size());
    if (input->rank() == 1)
        shape.insert(shape.begin(), 1);
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), shape));
    ElementCopy mover(output, *input);
    std::int64_t to = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (const std::int64_t i : indices) {
            if (i < 0 || i >= width)
                return c.wrong({"ops.index-out-of-range", {{"index", i}, {"size", width}}});
            mover.copy(to++, row * width + i);
        }
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {mlDomain, "LabelEncoder", 1, inferMapped, runMapped},
    {mlDomain, "CategoryMapper", 1, inferMapped, runMapped},
    {mlDomain, "OneHotEncoder", 1, inferOneHot, runOneHot},
    {mlDomain, "ArrayFeatureExtractor", 1, inferExtractor, runExtractor},
};

} // namespace

std::span<const OpEntry> mlLabels()
{
    return entries;
}

} // namespace fusescope::sequence
