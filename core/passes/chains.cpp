#include "passes/chains.h"

namespace fusescope {

Offer joinOffer(const PassContext& context, NodeId first, NodeId last, ValueId source, bool nothing,
                std::function<Result<void>(PatchBuilder&)> edit)
{
    const ValueId output = context.match.view.node(last)->output(0);
    const bool bypassed = nothing && !cannotBypass(context, output, source);
    Offer offer;
    offer.root = last;
    offer.nodes = {first, last};
    const std::vector<std::pair<std::string, MessageArg>> both = {{"first", first}, {"last", last}};
    offer.title = bypassed ? Message("title.cancel-chain", both) : Message("title.join-chain", both);
    offer.build = [last, output, source, bypassed,
                   edit = std::move(edit)](PatchBuilder& builder) -> Result<void> {
        if (bypassed) {
            bypass(builder, last, output, source);
            return {};
        }
        if (edit)
            FUSESCOPE_TRY(edit(builder));
        builder.editNode(last, [source](Node& node) { node.inputs[0] = source; });
        return {};
    };
    return offer;
}

} // namespace fusescope
