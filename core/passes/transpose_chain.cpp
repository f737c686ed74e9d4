#include "passes/chains.h"
#include "passes/rules.h"
#include "passes/turned_node.h"
#include "passes/views.h"

#include "patterns/conditions.h"

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Transpose"};

// before:  a = Transpose{p1}(x); y = Transpose{p2}(a)      after:  y = Transpose{p}(x)
//
// with p[i] = p1[p2[i]]; without perm the axes are reversed. Two that cancel go. Operators on each
// element may stand between the two; they then work on x as it lies.
class TransposeChain final : public Pass
{
public:
    RuleId rule() const override { return "transpose-chain"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// As orderOf(); without perm the other of the two tells how many axes there are.
std::optional<AxisOrder> orderBeside(const GraphView& view, const Node& node, const Node& other)
{
    auto order = orderOf(view, node);
    if (order || node.attributes.has("perm"))
        return order;
    const auto known = orderOf(view, other);
    return known ? std::optional(reversedOrder(known->size())) : std::nullopt;
}

PassAnswer TransposeChain::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* last = view.node(root);
    if (!last->is("Transpose") || !last->input(0) || !last->output(0))
        return {};
    const auto between =
        walkBack(view, *last, [](const Node& node) { return node.is("Transpose"); });
    if (!between)
        return {};
    const NodeId firstId = between->first;
    const Node* first = view.node(firstId);
    const auto p1 = orderBeside(view, *first, *last);
    const auto p2 = orderBeside(view, *last, *first);
    if (!p1 || !p2 || p1->size() != p2->size())
        return {};
    Conditions conditions(context.match, rule(), root);
    const std::vector<NodeId> nodes = checkJoinable(conditions, context.match, *between, root);
    if (!conditions.allHold())
        return std::move(conditions).miss(2, nodes);
    AxisOrder order;
    for (const std::size_t axis : *p2)
        order.push_back((*p1)[axis]);
    const bool identity = isIdentity(order);
    const std::vector<std::int64_t> perm = permOf(order);
    if (!between->steps.empty()) {
        Offer offer;
        offer.root = root;
        offer.nodes = nodes;
        offer.title = Message("title.join-around", {{"first", firstId}, {"last", root}});
        offer.build = [root, between = *between, source = first->input(0), perm, identity,
                       output = last->output(0)](PatchBuilder& builder) -> Result<void> {
            const ValueId made = repeatOn(builder, between, source);
            if (identity) {
                builder.removeNode(root);
                builder.takeOver(output, made);
                return {};
            }
            builder.editNode(root, [&perm, made](Node& node) {
                node.inputs[0] = made;
                node.attributes.set({"perm", perm});
            });
            return {};
        };
        return offer;
    }
    return joinOffer(context, firstId, root, first->input(0), identity,
                     [root, perm](PatchBuilder& builder) -> Result<void> {
                         builder.editNode(root, [&perm](Node& node) {
                             node.attributes.set({"perm", perm});
                         });
                         return {};
                     });
}

} // namespace

std::unique_ptr<const Pass> transposeChainRule()
{
    return std::make_unique<TransposeChain>();
}

} // namespace fusescope
