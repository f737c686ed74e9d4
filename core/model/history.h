#pragma once

#include "model/graph.h"

#include <memory>
#include <vector>

namespace fusescope {

// The model as opened and after each patch. A checkpoint every 64 patches, so any state costs one
// copy and at most 63 patches (forward or back from the nearer checkpoint).
class History
{
public:
    explicit History(Graph initial);

    // Appends; the patch must apply to the newest state.
    Result<void> append(std::shared_ptr<const GraphPatch> patch);

    std::size_t size() const { return m_patches.size(); }
    const GraphPatch& patch(std::size_t step) const { return *m_patches[step]; }
    const Graph& latest() const { return m_latest; }
    // The state after `step` patches, 0 … size().
    Graph at(std::size_t step) const;

private:
    static constexpr std::size_t interval = 64;
    std::vector<std::shared_ptr<const GraphPatch>> m_patches; // copies of a History share them
    std::vector<Graph> m_checkpoints; // [k] is the state after k·interval patches
    Graph m_latest;
};

} // namespace fusescope
