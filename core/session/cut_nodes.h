#pragma once

#include "exec/inputs.h"

#include <set>
#include <unordered_map>

namespace fusescope {

// The sizes that these inputs give to the symbols, and to the unnamed sizes, of the graph's inputs.
std::map<Dim, std::int64_t> symbolSizes(const Graph& graph, const MadeInputs& inputs);
// The same as people read them: "N", or "x[0]" where the size has no name.
std::vector<std::pair<std::string, std::int64_t>> namedSizes(const Graph& graph,
                                                             const MadeInputs& inputs);

// Seeded values for the outputs of nodes that cannot run, as far as types and shapes are known. A
// node in a body is an error: nothing can stand in for it.
Result<std::unordered_map<ValueId, RuntimeValue>>
standIns(const Graph& graph, const std::vector<NodeId>& cut, const MadeInputs& inputs,
         std::uint64_t seed);

// The outputs of a node of which nothing is known but what it reads: like its first operand.
Result<std::vector<RuntimeValue>> likeFirstOperand(const Graph& graph, NodeId id,
                                                   const std::vector<RuntimeValue>& operands,
                                                   std::uint64_t seed);

// A node that cannot run and whose results nobody reads changes no output: the graph without those.
Result<Graph> withoutUnread(const Graph& graph, const std::vector<NodeId>& cut);

// The value of another model that a value of this one corresponds to: the same id for two states of
// one model, the same name for two files.
class Counterparts
{
public:
    Counterparts(const Graph& before, const Graph& after, bool byName);

    // No id where there is none.
    ValueId of(ValueId id) const;

private:
    const Graph& m_before;
    bool m_byName;
    std::unordered_map<std::string, ValueId> m_names;
};

} // namespace fusescope
