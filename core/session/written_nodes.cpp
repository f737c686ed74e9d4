#include "session/written_nodes.h"

namespace fusescope {

std::size_t writtenNodes(const Graph& graph)
{
    std::size_t count = 0;
    for (const NodeId id : graph.allNodes())
        count += graph.node(id)->region ? 0 : 1;
    return count;
}

} // namespace fusescope
