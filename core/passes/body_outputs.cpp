#include "passes/body_outputs.h"

#include <algorithm>

namespace fusescope {

void BodyOutputs::connect(ValueId output, ValueId given, bool own)
{
    if (!output)
        return;
    const auto taken = m_taken.find(given);
    const bool first = taken == m_taken.end();
    if (own && first) {
        m_taken.emplace(given, output);
        m_builder.takeOver(output, given);
        return;
    }
    const ValueId source = first ? given : taken->second;
    const std::vector<Use> uses = m_builder.uses(output);
    const bool isPublic = std::any_of(uses.begin(), uses.end(),
                                      [](const Use& use) { return use.isBodyOutput(); });
    if (!isPublic) {
        m_builder.rewire(output, source);
        return;
    }
    m_builder.editNode(m_owner, [output](Node& node) {
        std::replace(node.outputs.begin(), node.outputs.end(), output, ValueId{});
    });
    Node identity;
    identity.op.type = "Identity";
    identity.inputs = {source};
    identity.outputs = {output};
    m_builder.addNodeBefore(m_owner, std::move(identity));
}

} // namespace fusescope
