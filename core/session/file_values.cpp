#include "session/file_values.h"

namespace fusescope {

RuntimeValue runtimeValueOf(const FileValue& value)
{
    switch (value.kind) {
    case FileValue::Kind::tensor:
        return value.tensor;
    case FileValue::Kind::sparse:
        return value.sparse;
    case FileValue::Kind::sequence: {
        SequenceValue sequence;
        sequence.elementType = value.elementType;
        for (const FileValue& element : value.elements)
            sequence.elements.push_back(
                std::make_shared<const RuntimeValue>(runtimeValueOf(element)));
        return sequence;
    }
    case FileValue::Kind::optional: {
        OptionalValue optional;
        optional.elementType = value.elementType;
        if (!value.elements.empty())
            optional.held = std::make_shared<const RuntimeValue>(runtimeValueOf(value.elements[0]));
        return optional;
    }
    case FileValue::Kind::map:
        break;
    }
    MapValue map;
    map.key = value.tensor ? value.tensor->dtype() : DType::int64;
    const auto elementAt = [&value](std::size_t i) -> RuntimeValue {
        return i < value.elements.size() ? runtimeValueOf(value.elements[i]) : RuntimeValue{};
    };
    if (map.key == DType::string) {
        std::map<std::string, RuntimeValue> entries;
        for (std::int64_t i = 0; value.tensor && i < value.tensor->elementCount(); ++i)
            entries[value.tensor->loadString(i)] = elementAt(static_cast<std::size_t>(i));
        map.entries = std::move(entries);
    } else {
        std::map<std::int64_t, RuntimeValue> entries;
        for (std::int64_t i = 0; value.tensor && i < value.tensor->elementCount(); ++i)
            entries[value.tensor->asInt(i)] = elementAt(static_cast<std::size_t>(i));
        map.entries = std::move(entries);
    }
    return map;
}

} // namespace fusescope
