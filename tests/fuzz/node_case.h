#pragma once

#include "exec/executor.h"
#include "model/graph.h"
#include "model/schema.h"

#include <optional>
#include <string>

namespace fusescope::test {

// A graph of one node: what is a tensor is an initializer, other values are inputs of the graph.
struct NodeCase
{
    Graph graph;
    RunInputs inputs;
    bool tame = false;  // nothing odd was taken
    bool plain = false; // all numbers are small: what computes it in another order gives the same
};

// A random node of an operator as it is from one version on, the same for the same seed: attributes,
// element types, shapes and contents that are as a rule right and now and then anything at all.
// Nothing where the nodes cannot be put into a graph.
std::optional<NodeCase> randomNode(const OpSchema& schema, std::uint64_t seed);

// The graph as text, to be read again.
std::string textOf(const NodeCase& nodeCase);

} // namespace fusescope::test
