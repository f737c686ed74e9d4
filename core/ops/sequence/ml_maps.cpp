#include "ops/casting/casting.h"
#include "ops/element_copy.h"
#include "ops/sequence/ml_support.h"
#include "ops/sequence/sequence.h"

namespace fusescope::sequence {

namespace {

Result<const MapValue*> wantMap(const KernelContext& c)
{
    const MapValue* map = c.inputCount() > 0 ? c.input(0).map() : nullptr;
    if (!map)
        return c.wrong(wrongType(0, "map", c.inputCount() > 0 ? c.input(0).type().text() : "?"));
    return map;
}

// The entries by their keys as texts or numbers, each holding one element.
template <class K>
const Tensor* elementAt(const std::map<K, RuntimeValue>& entries, const K& key)
{
    const auto found = entries.find(key);
    const Tensor* tensor = found == entries.end() ? nullptr : found->second.tensor();
    return tensor && tensor->elementCount() == 1 ? tensor : nullptr;
}

Result<void> inferDictVectorizer(InferenceContext& c)
{
    const Labels words = labelsOf(c.attributes(), "int64_vocabulary", "string_vocabulary");
    const Type& type = c.input(0).type;
    const DType element =
        type.kind == Type::Kind::map && type.element ? type.element->dtype : DType::undefined;
    c.setTensor(0, element, Shape::of({1, static_cast<std::int64_t>(words.size())}));
    return {};
}

Result<void> runDictVectorizer(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const MapValue* map, wantMap(c));
    const Labels words = labelsOf(c.attributes(), "int64_vocabulary", "string_vocabulary");
    const auto* byText = std::get_if<std::map<std::string, RuntimeValue>>(&map->entries);
    const auto* byNumber = std::get_if<std::map<std::int64_t, RuntimeValue>>(&map->entries);
    if ((byText != nullptr) != words.areStrings())
        return c.wrong(wrongType(0, words.areStrings() ? "map(string)" : "map(int64)",
                                 c.input(0).type().text()));
    DType type = DType::float32;
    std::visit(
        [&type](const auto& entries) {
            const Tensor* any = entries.empty() ? nullptr : entries.begin()->second.tensor();
            type = any ? any->dtype() : type;
        },
        map->entries);
    std::vector<const Tensor*> elements;
    for (std::size_t i = 0; i < words.size(); ++i) {
        elements.push_back(byText ? elementAt(*byText, words.strings[i])
                                  : elementAt(*byNumber, words.ints[i]));
        type = elements.back() ? elements.back()->dtype() : type;
    }
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, {1, static_cast<std::int64_t>(words.size())}));
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (elements[i] && elements[i]->dtype() == type)
            ElementCopy(output, *elements[i]).copy(static_cast<std::int64_t>(i), 0);
    }
    c.setOutput(0, std::move(output));
    return {};
}

DType castTarget(const Attributes& attributes)
{
    const std::string to = attributes.getString("cast_to", "TO_FLOAT");
    return to == "TO_STRING" ? DType::string : to == "TO_INT64" ? DType::int64 : DType::float32;
}

Result<void> inferCastMap(InferenceContext& c)
{
    const bool sparse = c.attributes().getString("map_form", "DENSE") == "SPARSE";
    c.setTensor(
        0, castTarget(c.attributes()),
        Shape::of({1, sparse ? Dim(c.attributes().getInt("max_map", 1)) : c.unknown(0, 1)}));
    return {};
}

// The values in the order of their keys; the sparse form puts each at the place of its key.
Result<void> runCastMap(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const MapValue* map, wantMap(c));
    const auto* entriesOf = std::get_if<std::map<std::int64_t, RuntimeValue>>(&map->entries);
    if (!entriesOf)
        return c.wrong(wrongType(0, "map(int64)", c.input(0).type().text()));
    const bool sparse = c.attributes().getString("map_form", "DENSE") == "SPARSE";
    const auto width =
        sparse ? c.attributes().getInt("max_map", 1) : static_cast<std::int64_t>(entriesOf->size());
    if (width < 0)
        return c.wrong(wrongAttribute("max_map", ">= 0", std::to_string(width)));
    const DType type = castTarget(c.attributes());
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(type, {1, width}));
    std::int64_t next = 0;
    for (const auto& [key, value] : *entriesOf) {
        const std::int64_t at = sparse ? key : next++;
        const Tensor* tensor = value.tensor();
        if (!tensor || tensor->elementCount() != 1)
            return c.wrong(wrongType(0, "map(int64, scalar)", c.input(0).type().text()));
        if (at < 0 || at >= width)
            return c.wrong({"ops.index-out-of-range", {{"index", at}, {"size", width}}});
        FUSESCOPE_ASSIGN(const Tensor cast, casting::castTensor(c, *tensor, type));
        ElementCopy(output, cast).copy(at, 0);
    }
    c.setOutput(0, std::move(output));
    return {};
}

Type zipElement(const Labels& labels)
{
    return Type::map(labels.dtype(), Type::tensor(DType::float32, Shape::scalar()));
}

Result<void> inferZipMap(InferenceContext& c)
{
    c.setOutput(0, Type::sequence(zipElement(
                       labelsOf(c.attributes(), "classlabels_int64s", "classlabels_strings"))));
    return {};
}

Result<void> runZipMap(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Rows rows, wantRows(c, 0));
    const Labels labels = labelsOf(c.attributes(), "classlabels_int64s", "classlabels_strings");
    if (static_cast<std::int64_t>(labels.size()) != rows.width)
        return c.wrong(wrongShape(0, "[N, " + std::to_string(labels.size()) + "]",
                                  shapeText(rows.tensor->shape())));
    SequenceValue result;
    result.elementType = zipElement(labels);
    for (std::int64_t row = 0; row < rows.count; ++row) {
        MapValue map;
        map.key = labels.dtype();
        std::map<std::string, RuntimeValue> byText;
        std::map<std::int64_t, RuntimeValue> byNumber;
        for (std::int64_t k = 0; k < rows.width; ++k) {
            const auto value = static_cast<float>(rows.at(row, k));
            const auto i = static_cast<std::size_t>(k);
            if (labels.areStrings())
                byText.insert_or_assign(labels.strings[i],
                                        RuntimeValue(Tensor::scalar<float>(value)));
            else
                byNumber.insert_or_assign(labels.ints[i],
                                          RuntimeValue(Tensor::scalar<float>(value)));
        }
        if (labels.areStrings())
            map.entries = std::move(byText);
        else
            map.entries = std::move(byNumber);
        result.elements.push_back(std::make_shared<const RuntimeValue>(std::move(map)));
    }
    c.setOutput(0, std::move(result));
    return {};
}

constexpr OpEntry entries[] = {
    {mlDomain, "DictVectorizer", 1, inferDictVectorizer, runDictVectorizer},
    {mlDomain, "CastMap", 1, inferCastMap, runCastMap},
    {mlDomain, "ZipMap", 1, inferZipMap, runZipMap},
};

} // namespace

std::span<const OpEntry> mlMaps()
{
    return entries;
}

} // namespace fusescope::sequence
