#pragma once

#include "session/cut_nodes.h"
#include "session/session_state.h"

#include <vector>

namespace fusescope {

// What the nodes that are cut read, before and after. A node without a kernel computes nothing here:
// the proof of the rewrites around it is that each of its operands is the same on both sides.
class CutOperands
{
public:
    // The nodes of `cut` (of pair.before) and their counterparts: the same node for two states of one
    // model; for two files the node that makes the output of the same name.
    CutOperands(const PairRun& pair, const std::vector<NodeId>& cut,
                const Counterparts& counterparts);

    // The computed values that a run must keep.
    std::set<ValueId> keptBefore() const;
    std::set<ValueId> keptAfter() const;

    // One comparison an operand; those that no rewrite can touch (the model's own inputs, equal
    // constants) only when they differ. A node that is gone though its results are read fails.
    std::vector<TensorComparison> compare(const MadeInputs& inputs, const RunResult& before,
                                          const RunResult& after) const;

private:
    struct Operand
    {
        ValueId before, after; // none: absent
    };

    const PairRun& m_pair;
    std::vector<Operand> m_operands;
    std::vector<NodeId> m_lost;
};

} // namespace fusescope
