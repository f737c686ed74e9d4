#include "passes/references.h"

#include "ops/graph_reader.h"
#include "patterns/reasons.h"

#include <algorithm>

namespace fusescope {

namespace {

constexpr std::string_view carriers[] = {
    "inline-function",  "remove-dead",        "remove-unused",  "remove-identity",
    "merge-duplicates", "merge-initializers", "hoist-invariant",
    // Regions of nodes as they stand, whatever the numbers are.
    "conv-activation",  "conv-add-activation", "add-activation", "gemm-activation",
    "elementwise-chain",
};

const Attribute* firstReference(const Node& node)
{
    const auto found = std::ranges::find_if(
        node.attributes, [](const Attribute& a) { return !a.reference.empty(); });
    return found == node.attributes.end() ? nullptr : &*found;
}

} // namespace

std::span<const std::string_view> referenceCarriers()
{
    return carriers;
}

PassAnswer withoutReferences(const Pass& pass, const Graph& graph, NodeId root, const ReadSet& reads,
                             PassAnswer answer)
{
    const auto* offer = std::get_if<Offer>(&answer);
    const auto* miss = std::get_if<MissReason>(&answer);
    if ((!offer && !miss) || std::ranges::find(carriers, pass.rule()) != std::end(carriers))
        return answer;
    const auto refers = [&](NodeId id) {
        const Node* node = graph.node(id);
        return node && hasReferences(*node);
    };
    NodeId culprit;
    if (refers(root))
        culprit = root;
    for (std::size_t i = 0; i < reads.nodes.size() && !culprit; ++i) {
        if (refers(reads.nodes[i]))
            culprit = reads.nodes[i];
    }
    if (!culprit)
        return answer;
    MissReason refused;
    if (miss)
        refused = *miss;
    refused.rule = pass.rule();
    refused.root = offer ? offer->root : miss->root;
    if (offer)
        refused.nodes = offer->nodes;
    refused.reasons = {
        reasons::attributeOfCall(culprit, std::string(firstReference(*graph.node(culprit))->name))};
    return refused;
}

} // namespace fusescope
