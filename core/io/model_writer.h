#pragma once

#include "io/model_reader.h"

namespace fusescope {

// What a file was when it was opened.
struct OpenedModel
{
    Graph graph;
    ModelRecords records;
    std::vector<std::vector<ValueId>> valueInfos; // by body id
};

// A tensor that is to be written into the data file.
struct ExternalTensor
{
    TensorPtr tensor;
    std::uint64_t offset = 0;
};

struct WrittenModel
{
    WireMessage message;
    std::vector<ExternalTensor> external; // by offset
    std::uint64_t externalBytes = 0;
};

// A state of the model as a ModelProto: records that are unchanged are kept as they lie in the
// file. Contents of other files are taken in. `dataFile`, when given, takes the contents of all
// initializers of 1 KiB and more instead. The graph and the opened model must outlive the result.
// Fails on regions: they are lowered before.
Result<WrittenModel> writeModel(const OpenedModel& opened, const Graph& graph,
                                const std::string& dataFile, std::stop_token stop = {});

} // namespace fusescope
