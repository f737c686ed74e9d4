#include "io/annotations.h"

#include "io/wire.h"

#include <algorithm>

namespace fusescope {

namespace {

std::vector<std::string_view> fieldsOf(std::string_view message, std::uint32_t number)
{
    std::vector<std::string_view> result;
    WireReader reader(message);
    for (WireField f; reader.next(f);) {
        if (f.isBytes(number))
            result.push_back(f.bytes);
    }
    return result;
}

} // namespace

std::vector<std::string_view> annotationsOf(std::string_view graph)
{
    return fieldsOf(graph, 14);
}

std::vector<std::string_view> annotatedTensor(std::string_view annotation)
{
    return fieldsOf(annotation, 1);
}

std::vector<std::string_view> parametersOf(std::string_view annotation)
{
    std::vector<std::string_view> all;
    for (const std::string_view parameter : fieldsOf(annotation, 2)) {
        const auto values = fieldsOf(parameter, 2);
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

bool namesAreAmong(std::string_view annotation, const std::unordered_set<std::string>& names)
{
    std::vector<std::string_view> all = annotatedTensor(annotation);
    for (const std::string_view parameter : parametersOf(annotation))
        all.push_back(parameter);
    return std::all_of(all.begin(), all.end(), [&names](std::string_view name) {
        return names.contains(std::string(name));
    });
}

} // namespace fusescope
