#pragma once

#include "base/message.h"
#include "model/body.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fusescope {

struct ModelProblem
{
    enum class Severity { note, warning, error } severity = Severity::warning;
    NodeId node;
    Message message;
};

// Whole-model figures of one state. nodes counts every graph, bodies too, a region as one node.
struct ModelFigures
{
    std::size_t nodes = 0;
    std::size_t initializers = 0;
    std::int64_t parameters = 0; // elements of all float constants
    std::int64_t bytes = 0;      // stored bytes of all constants
    std::map<std::string, int> operators; // "Conv", "com.acme.Op", a region by its kind
    double flops = 0;            // 0 when shapes are not known
    std::int64_t activationBytes = 0; // of all values that a run writes
    bool approximate = false;    // symbols were assumed
};

struct ModelPort
{
    std::string name;
    std::string type; // "float[N, 3, 224, 224]"
    bool hasDefault = false;
};

struct ModelInfo
{
    std::string path;
    std::int64_t fileBytes = 0;
    std::int64_t irVersion = 0;
    OpsetImports opsets;
    std::string producer, producerVersion;
    Metadata metadata;
    std::vector<ModelPort> inputs, outputs;
    std::vector<std::string> functions;
    std::vector<std::string> externalFiles;
    std::vector<ModelProblem> problems;
    double loadMs = 0;

    // Those that make the file invalid; whatever is written of it has them too.
    int errorCount() const
    {
        return static_cast<int>(std::ranges::count(problems, ModelProblem::Severity::error,
                                                   &ModelProblem::severity));
    }
};

} // namespace fusescope
