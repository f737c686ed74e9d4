#pragma once

#include "model/id_list.h"
#include "model/node.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace fusescope {

using OpsetImports = std::vector<std::pair<std::string, std::int64_t>>; // domain, version; file order

// What a model-local function adds to its body.
struct FunctionInfo
{
    OpKey key;
    std::vector<std::string> attributes;  // names that a call must give
    Attributes defaults;                  // those with a default
    OpsetImports opsets;
    std::string docString;
    Metadata metadata;
};

// A graph: the main one, one of an If, Loop, Scan or SequenceMap, a function's, or a region's.
struct Body
{
    enum class Kind { main, inner, function, region };

    Kind kind = Kind::main;
    std::string name;
    NodeId owner;              // inner and region
    std::string attributeName; // inner: "then_branch", "body", …
    std::vector<ValueId> inputs, outputs;
    IdList initializers; // in file order; a new one is appended
    std::shared_ptr<const FunctionInfo> function;
    std::string docString;
    Metadata metadata;
};
using BodyPtr = std::shared_ptr<const Body>;

// What belongs to the model and not to one graph.
struct Header
{
    std::int64_t irVersion = 0;
    OpsetImports opsets;
    std::string producerName, producerVersion, domain, docString;
    std::int64_t modelVersion = 0;
    Metadata metadata;
    BodyId mainBody;
    std::vector<BodyId> functions;

    // The version of a domain that the model imports ("ai.onnx" counts as ""); 0 if none.
    std::int64_t opset(std::string_view opDomain) const;
};
using HeaderPtr = std::shared_ptr<const Header>;

std::int64_t opsetIn(const OpsetImports& imports, std::string_view domain);

} // namespace fusescope
