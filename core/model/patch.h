#pragma once

#include "model/body.h"
#include "model/node.h"
#include "model/value.h"

#include <memory>
#include <optional>
#include <vector>

namespace fusescope {

// What stood at an id and what stands there now; null is "nothing".
template <class Id, class Record>
struct Slot
{
    Id id;
    std::shared_ptr<const Record> before, after;
};

// A rewrite as data. Each id stands in at most one slot of its list.
struct GraphPatch
{
    std::vector<Slot<NodeId, Node>> nodes;
    std::vector<Slot<ValueId, Value>> values;
    std::vector<Slot<BodyId, Body>> bodies;
    std::optional<std::pair<HeaderPtr, HeaderPtr>> header; // before, after

    bool empty() const;
    GraphPatch inverse() const;
    // This patch followed by `next`; slots that end where they began are dropped.
    GraphPatch then(const GraphPatch& next) const;
};

} // namespace fusescope
