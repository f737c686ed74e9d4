#include "patterns/nearby.h"

namespace fusescope {

bool isNearby(const GraphView& view, const Found& found)
{
    switch (found.kind) {
    case BetweenKind::shape: {
        const Node* between = view.node(found.between);
        return found.length == 1 && between && between->outputs.size() == 1;
    }
    case BetweenKind::noop:
    case BetweenKind::cast:
    case BetweenKind::quantize:
        return true;
    case BetweenKind::activation:
    case BetweenKind::sideEffect:
    case BetweenKind::none:
        break;
    }
    return false;
}

void checkDirect(Conditions& conditions, const Found& found, NodeId root)
{
    std::optional<Reason> apart;
    if (!found.isDirect())
        apart = betweenReason(conditions.context(), found, root);
    conditions.check("condition.partner", std::move(apart), [&] {
        return Message("saw.partner", {{"root", root}, {"node", found.node}});
    });
}

MatchResult missBehind(Conditions&& conditions, bool apart, std::vector<NodeId> nodes)
{
    MissReason miss = std::move(conditions).miss(2, std::move(nodes));
    return apart && miss.reasons.size() > 1 ? MatchResult(NotCandidate{}) : std::move(miss);
}

} // namespace fusescope
