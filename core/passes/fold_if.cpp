#include "passes/body_outputs.h"
#include "passes/rule_support.h"
#include "passes/rules.h"

#include "patterns/reasons.h"

#include <unordered_set>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"If"};

// before:  y = If(true) {then: t = Op(x), t; else: …}      after:  y = Op(x)
//
// The nodes, initializers and inner bodies of the branch that a constant condition chooses move to
// where the If stood and keep their ids; a name that stands elsewhere in the model is made unique.
// An output that the branch does not compute itself (an initializer, a value from outside, a second
// name for one value) gets an Identity where its name is public.
class FoldIf final : public Pass
{
public:
    RuleId rule() const override { return "fold-if"; }
    Stage stage() const override { return Stage::folding; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

// The values that the nodes of a body make or the body holds.
std::vector<ValueId> valuesOf(const Graph& graph, BodyId branch)
{
    std::vector<ValueId> values = graph.body(branch)->initializers.toVector();
    for (const NodeId id : *graph.nodes(branch)) {
        for (const ValueId output : graph.node(id)->outputs) {
            if (output)
                values.push_back(output);
        }
    }
    return values;
}

// Names that another value of the model has too are replaced. `gone` is the branch that goes.
void keepNamesApart(PatchBuilder& builder, BodyId gone, const std::vector<ValueId>& moved)
{
    for (const ValueId id : moved) {
        const std::string& name = builder.graph().value(id)->name;
        if (!name.empty() && builder.hasOtherValueNamed(name, id, gone))
            builder.editValue(id, [fresh = builder.uniqueName(name)](Value& v) { v.name = fresh; });
    }
}

// The branch's initializers become those of the outer body; Constant nodes in a function.
void moveInitializers(PatchBuilder& builder, NodeId root, BodyId outer,
                      const IdList& initializers)
{
    const Body& target = *builder.body(outer);
    const bool asNodes = target.kind == Body::Kind::function;
    const bool listed =
        target.kind == Body::Kind::main && builder.graph().header().irVersion <= 3;
    for (const ValueId id : initializers) {
        if (asNodes) {
            const Value value = *builder.value(id);
            Node constant;
            constant.op.type = "Constant";
            if (value.constant) {
                constant.attributes.set({"value", value.constant});
            } else {
                Attribute sparse;
                sparse.name = "sparse_value";
                sparse.type = AttributeType::sparseTensor;
                sparse.value = value.sparse;
                constant.attributes.set(std::move(sparse));
            }
            constant.outputs = {id};
            builder.editValue(id, [outer](Value& v) {
                v.constant = nullptr;
                v.sparse = nullptr;
                v.body = outer;
            });
            builder.addNodeBefore(root, std::move(constant));
            continue;
        }
        builder.editValue(id, [outer, listed](Value& v) {
            v.body = outer;
            v.isInput = listed;
        });
        builder.editBody(outer, [id, listed](Body& body) {
            body.initializers.push_back(id);
            if (listed)
                body.inputs.push_back(id);
        });
    }
}

Result<void> open(PatchBuilder& builder, NodeId root, BodyId branch, BodyId other)
{
    const Graph& graph = builder.graph();
    const Node node = *graph.node(root);
    const Body body = *graph.body(branch);
    const std::vector<NodeId> nodes = *graph.nodes(branch);
    keepNamesApart(builder, other, valuesOf(graph, branch));
    moveInitializers(builder, root, node.body, body.initializers);
    builder.editBody(branch, [](Body& b) {
        b.outputs.clear();
        b.initializers.clear();
    });
    for (const NodeId id : nodes)
        builder.moveNodeBefore(root, id);
    std::unordered_set<ValueId> own;
    for (const NodeId id : nodes)
        own.insert(graph.node(id)->outputs.begin(), graph.node(id)->outputs.end());
    BodyOutputs outputs(builder, root);
    for (std::size_t i = 0; i < node.outputs.size(); ++i)
        outputs.connect(node.outputs[i], body.outputs[i], own.contains(body.outputs[i]));
    builder.removeNode(root);
    return {};
}

PassAnswer FoldIf::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* node = view.node(root);
    if (!node->is("If") || !node->input(0))
        return {};
    const bool overridable = view.graph().isOverridable(node->input(0));
    const TensorPtr condition = view.constant(node->input(0));
    const bool known = condition && condition->isAvailable() && condition->elementCount() == 1 &&
                       condition->dtype() == DType::boolean;
    if (!known && !overridable)
        return {};
    std::vector<Reason> reasons;
    if (overridable)
        reasons.push_back(reasons::overridable({node->input(0)}));
    // A pin inside counts too, whichever branch it is in.
    if (isPinned(context, root))
        reasons.push_back(reasons::pinned(root));
    if (!reasons.empty()) {
        MissReason miss = missAt(rule(), root, std::move(reasons.front()));
        miss.reasons.insert(miss.reasons.end(), reasons.begin() + 1, reasons.end());
        return miss;
    }
    const bool taken = condition->asInt(0) != 0;
    const BodyId branch = branchOf(view.graph(), *node, taken ? "then_branch" : "else_branch");
    const BodyId other = branchOf(view.graph(), *node, taken ? "else_branch" : "then_branch");
    const Body* body = view.graph().body(branch);
    if (!body || !body->inputs.empty() || body->outputs.size() != node->outputs.size() ||
        std::find(body->outputs.begin(), body->outputs.end(), ValueId{}) != body->outputs.end())
        return {};
    // What stands in the branch is part of the answer.
    for (const NodeId id : *view.graph().nodes(branch))
        view.node(id);
    for (const ValueId output : body->outputs)
        view.value(output);
    Offer offer;
    offer.root = root;
    offer.title = taken ? Message("title.fold-if.then", {{"node", root}})
                        : Message("title.fold-if.else", {{"node", root}});
    offer.nodes = {root};
    offer.build = [root, branch, other](PatchBuilder& builder) {
        return open(builder, root, branch, other);
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> foldIfRule()
{
    return std::make_unique<FoldIf>();
}

} // namespace fusescope
