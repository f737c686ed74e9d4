#pragma once

#include "passes/pass.h"

#include <set>

namespace fusescope {

// What a Gradient (ai.onnx.preview.training since version 1) takes by name and not as an operand: its
// attributes xs, zs and y name values, and it differentiates the nodes between them as they stand.
// No rewrite may rename these values or change these nodes, as if each was pinned.
class Differentiated
{
public:
    explicit Differentiated(const Graph& graph);

    // The policy with these pinned too.
    Policy pinnedBeside(Policy asked) const;
    // Puts the true reason where a rule says "pinned" of what nobody pinned.
    PassAnswer told(PassAnswer answer, const Policy& asked) const;

private:
    void add(const Graph& graph, const Node& gradient);

    std::set<NodeId> m_nodes;
    std::set<ValueId> m_values;
};

} // namespace fusescope
