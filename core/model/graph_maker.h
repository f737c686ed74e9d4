#pragma once

#include "model/graph.h"

#include <string>
#include <vector>

namespace fusescope {

// A model as a file spells it: values are names, and bodies stand inside their nodes. Unknown sizes
// in types may all be Dim::unknown(0): makeGraph() gives each its own.
struct ValueSource
{
    std::string name;
    Type type;
    std::string docString;
};

struct InitializerSource
{
    std::string name;
    TensorPtr tensor; // exactly one of the two
    SparseTensorPtr sparse;
    std::string docString;
};

struct BodySource;

struct NodeSource
{
    // Without body, order, inputs, outputs and bodies. BodyId{k} in a graph attribute stands for
    // bodies[k - 1].
    Node node;
    std::vector<std::string> inputs, outputs; // empty: absent
    std::vector<BodySource> bodies;
    std::vector<Role> regionRoles; // of a region: by the place of its body's nodes
};

struct BodySource
{
    Body body; // kind, name, attributeName, function, docString, metadata
    std::vector<ValueSource> inputs, outputs;
    std::vector<InitializerSource> initializers; // also of a name among the inputs: overridable
    std::vector<ValueSource> valueInfos;
    std::vector<NodeSource> nodes;
};

struct ModelSource
{
    Header header; // without mainBody and functions
    BodySource main;
    std::vector<BodySource> functions;
    bool numbersAreNoNames = false; // `%7` refers to a value, which has no name
};

// Something odd in the source that did not stand in the way.
struct MakeProblem
{
    NodeId node;
    Message message;
};

struct MadeGraph
{
    Graph graph;
    std::vector<MakeProblem> problems;
    // By body id: the value that each entry of valueInfos describes, absent where none has its name.
    std::vector<std::vector<ValueId>> valueInfos;
};

// Gives ids in file order (an inner body right after its owner, functions last), resolves names by
// scope, and sorts what is not sorted, stably. A name means the latest definition before its reader,
// in the innermost body that has one; only where there is none it means a later definition. A name
// that is defined twice in a body is a problem; one that nothing defines, or a cycle, is an error.
Result<MadeGraph> makeGraph(ModelSource source);

} // namespace fusescope
