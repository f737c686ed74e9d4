#pragma once

#include "exec/executor.h"

#include <string>

// The data sets of ONNX's own test folders: input_0.pb, input_1.pb, … and output_0.pb, ….
namespace fusescope {

// The file of one value; `name` is "input" or "output". The first that is missing ends them.
std::string officialFile(const std::string& set, const char* name, std::size_t i);

Result<RuntimeValue> readOfficialValue(const std::string& file, const Type& declared);

// All inputs of a data set. Some folders hold an input of another shape than the model declares: the
// file decides, as with ONNX's own runner, and the declaration is changed.
Result<RunInputs> readOfficialInputs(Graph& graph, const std::string& set);

} // namespace fusescope
