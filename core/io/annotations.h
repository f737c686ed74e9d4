#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace fusescope {

// The quantization annotations of a graph's message (TensorAnnotation), in file order.
std::vector<std::string_view> annotationsOf(std::string_view graph);

// The tensor that one annotates, and the other tensors that it names (scale, zero point).
std::vector<std::string_view> annotatedTensor(std::string_view annotation);
std::vector<std::string_view> parametersOf(std::string_view annotation);

// Whether the tensor, its scale and its zero point all have a name among these: an annotation goes
// with what it names.
bool namesAreAmong(std::string_view annotation, const std::unordered_set<std::string>& names);

} // namespace fusescope
