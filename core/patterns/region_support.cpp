#include "patterns/region_support.h"

#include "patterns/activation.h"
#include "patterns/walk.h"

namespace fusescope {

std::optional<MainOperator> mainOperator(const GraphView& view, NodeId id)
{
    const Node* node = view.node(id);
    if (!node)
        return std::nullopt;
    MainOperator result;
    result.holder = id;
    result.main = id;
    if (!node->region)
        return result;
    result.isRegion = true;
    result.main = node->region->nodeOf(Role::main);
    if (!result.main || !view.node(result.main) || node->outputs.size() != 1)
        return std::nullopt;
    result.residual = node->region->nodeOf(Role::residual);
    result.activation = node->region->nodeOf(Role::activation);
    result.concat = node->region->nodeOf(Role::concat);
    return result;
}

std::vector<std::pair<NodeId, Role>> rolesOf(const GraphView& view, NodeId id, Role plain)
{
    const Node* node = view.node(id);
    if (!node)
        return {};
    if (!node->region)
        return {{id, plain}};
    if (!isActivationRegion(*node))
        return node->region->roles;
    std::vector<std::pair<NodeId, Role>> roles;
    const NodeId last = view.producer(insideRegion(view, node->output(0)));
    for (const auto& [inner, role] : node->region->roles)
        roles.emplace_back(inner, inner == last ? plain : Role::part);
    return roles;
}

} // namespace fusescope
