#pragma once

#include "base/result.h"
#include "model/attribute.h"
#include "model/type.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fusescope {

// A value as a data file holds it: a tensor, a sequence, an optional (empty: no elements), or a map.
struct FileValue
{
    enum class Kind { tensor, sparse, sequence, optional, map } kind = Kind::tensor;
    std::string name; // as the file says, often empty
    TensorPtr tensor; // also a map's keys
    SparseTensorPtr sparse;
    std::vector<FileValue> elements; // of a sequence or optional; a map's values (one sequence or tensor)
    Type elementType;
};

// .pb: TensorProto, or SequenceProto/OptionalProto when `expected` says so; .npy: one array.
// Sizes are checked against the file before memory is taken.
Result<FileValue> readDataFile(const std::string& path, const Type& expected = {});
// All arrays of an .npz, by name.
Result<std::vector<FileValue>> readNpz(const std::string& path);
Result<void> writeNpy(const std::string& path, const Tensor& tensor);
Result<void> writeNpz(const std::string& path, const std::vector<std::pair<std::string, TensorPtr>>& arrays);
Result<void> writeTensorProto(const std::string& path, const std::string& name, const Tensor& tensor);

// The folders `test_data_set_N` beside a model, in order.
std::vector<std::string> testDataSets(const std::string& modelPath);

} // namespace fusescope
