#pragma once

#include "model/graph.h"

#include <memory>
#include <optional>
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
    // Appends a patch that the caller applied already: `after` is the state it led to. The history
    // then keeps no newest state of its own, which would have to be copied as the caller's changes.
    void append(std::shared_ptr<const GraphPatch> patch, const Graph& after);
    // A copy that keeps `newest`, the state after all patches.
    History withLatest(Graph newest) const;

    std::size_t size() const { return m_patches.size(); }
    const GraphPatch& patch(std::size_t step) const { return *m_patches[step]; }
    // The newest state; not after patches that the caller applied, but for a copy that was given it.
    const Graph& latest() const { return *m_latest; }
    // The state after `step` patches, 0 … size().
    Graph at(std::size_t step) const;

private:
    static constexpr std::size_t interval = 64;
    std::vector<std::shared_ptr<const GraphPatch>> m_patches; // copies of a History share them
    std::vector<Graph> m_checkpoints; // [k] is the state after k·interval patches
    std::optional<Graph> m_latest;
};

} // namespace fusescope
