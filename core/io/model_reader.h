#pragma once

#include "io/document.h"
#include "io/external_data.h"
#include "io/wire.h"
#include "model/graph_maker.h"

namespace fusescope {

// Where the messages of a model's records lie in its file.
struct BodyRecord
{
    std::string_view message; // GraphProto or FunctionProto
    std::vector<std::string_view> inputs, outputs, initializers, valueInfos; // as the body lists them
    std::vector<bool> isExternal; // by initializer
};

struct ModelRecords
{
    std::string_view model;
    std::vector<std::string_view> nodes;  // by id; [0] is empty
    std::vector<bool> nodeHasExternal;    // by id: a tensor of an attribute lies in another file
    std::vector<BodyRecord> bodies;       // by id
};

struct ReadModel
{
    ModelSource source;
    ModelRecords records; // ids as makeGraph() will give them
    std::vector<Problem> problems;
};

// Reads a ModelProto; tensors keep `file` alive. Errors are invalidModel, or unreadable where the
// bytes are no such message.
Result<ReadModel> readModel(const std::shared_ptr<const MappedFile>& file, ExternalData& external,
                            const LoadLimits& limits, std::stop_token stop,
                            const Progress& progress);

} // namespace fusescope
