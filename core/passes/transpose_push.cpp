#include "passes/rule_support.h"
#include "passes/rules.h"
#include "passes/transpose_cluster.h"

#include "patterns/conditions.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

constexpr std::string_view roots[] = {"Transpose"};

// before:  a = Transpose{p}(x); b = Transpose{p}(z); c = Add(a, b); y = Transpose{p⁻¹}(c)
// after:   y = Add(x, z)
//
// What stands behind a Transpose works on the data as they lie in front of it, and the Transpose
// stands behind all that, where anybody still needs it. Only where fewer are left than there were.
class PushTranspose final : public Pass
{
public:
    RuleId rule() const override { return "push-transpose"; }
    Stage stage() const override { return Stage::deadCode; }
    std::span<const std::string_view> rootTypes() const override { return roots; }
    PassAnswer examine(const PassContext& context, NodeId root) const override;
};

class Rewriter
{
public:
    Rewriter(PatchBuilder& builder, const TransposeCluster& cluster, const TransposeBalance& balance)
        : m_builder(builder), m_cluster(cluster), m_balance(balance)
    {
    }

    void run()
    {
        for (const NodeId id : m_cluster.front) {
            const Node& transpose = *m_builder.node(id);
            m_turned[{transpose.output(0), m_cluster.orders.at(transpose.output(0))}] =
                transpose.input(0);
        }
        std::vector<std::pair<OrderKey, NodeId>> members;
        for (const auto& [id, member] : m_cluster.members)
            members.emplace_back(m_builder.node(id)->order, id);
        std::ranges::sort(members);
        for (const auto& [order, id] : members)
            turn(id, m_cluster.members.at(id));
        // Who gives its name to what stands for it comes last: that value is then another.
        std::vector<NodeId> behind;
        for (const auto& [id, reading] : m_balance.behind)
            behind.push_back(id);
        std::ranges::stable_partition(
            behind, [this](NodeId id) { return !isOutput(m_builder.node(id)->output(0)); });
        for (const NodeId id : behind)
            join(id, m_balance.behind.at(id));
    }

private:
    using Turned = std::pair<ValueId, AxisOrder>;

    NodeId addTranspose(NodeId anchor, ValueId input, ValueId output, const AxisOrder& order)
    {
        Node node;
        node.op.type = "Transpose";
        node.name = m_builder.uniqueName("transpose");
        node.inputs = {input};
        node.outputs = {output};
        node.attributes.set({"perm", permOf(order)});
        return m_builder.addNodeBefore(anchor, std::move(node));
    }

    // The value as it lies in the former order; made before the anchor where nothing gives it.
    ValueId turnedValue(NodeId anchor, ValueId value, const AxisOrder& order)
    {
        const auto known = m_turned.find({value, order});
        if (known != m_turned.end())
            return known->second;
        const ValueId made =
            m_builder.addValue(m_builder.node(anchor)->body, m_builder.value(value)->name);
        addTranspose(anchor, value, made, inverseOf(order));
        m_turned[{value, order}] = made;
        return made;
    }

    bool isOutput(ValueId value) const
    {
        return std::ranges::any_of(m_builder.uses(value),
                                   [](const Use& use) { return use.isBodyOutput(); });
    }

    void turn(NodeId id, const TransposeCluster::Member& member)
    {
        const Node old = *m_builder.node(id);
        Node node = member.turned.node;
        for (const std::size_t input : member.turned.data)
            node.inputs[input] = turnedValue(id, old.inputs[input], member.order);
        for (const std::size_t input : member.turned.operands)
            node.inputs[input] = m_builder.addConstant(
                old.body, m_builder.value(old.inputs[input])->name,
                turnedConstant(*m_builder.constant(old.inputs[input]), member.order));
        for (const auto& [input, tensor] : member.turned.integers) {
            node.inputs.resize(std::max(node.inputs.size(), input + 1));
            node.inputs[input] = m_builder.addConstant(old.body, "axes", tensor);
        }
        node.origins = old.origins.empty() ? std::vector<NodeId>{id} : old.origins;
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            const ValueId output = old.outputs[i];
            const AxisOrder& order = member.turned.outputs[i];
            if (!output || isIdentity(order))
                continue; // made as it was
            node.outputs[i] = m_builder.addValue(old.body, m_builder.value(output)->name);
            m_turned[{output, order}] = node.outputs[i];
        }
        const std::vector<ValueId> made = node.outputs;
        m_builder.addNodeBefore(id, std::move(node));
        for (std::size_t i = 0; i < made.size(); ++i) {
            if (m_balance.needed.contains(old.outputs[i]))
                addTranspose(id, made[i], old.outputs[i], member.turned.outputs[i]);
        }
        m_builder.removeNode(id);
    }

    void join(NodeId id, const TransposeBalance::Behind& behind)
    {
        ValueId& source = m_turned.at({behind.reads, m_cluster.orders.at(behind.reads)});
        if (behind.vanishes) {
            const ValueId output = m_builder.node(id)->output(0);
            const bool isNamed = isOutput(output);
            m_builder.removeNode(id);
            replaceBy(m_builder, output, source);
            source = isNamed ? output : source;
            return;
        }
        m_builder.editNode(id, [&](Node& node) {
            node.inputs[0] = source;
            node.attributes.set({"perm", permOf(behind.order)});
        });
    }

    PatchBuilder& m_builder;
    const TransposeCluster& m_cluster;
    const TransposeBalance& m_balance;
    std::map<Turned, ValueId> m_turned;
};

// What a rewrite touches, in the order of the graph.
std::vector<NodeId> nodesOf(const GraphView& view, const TransposeCluster& cluster,
                            const TransposeBalance& balance)
{
    std::vector<NodeId> nodes = balance.spared;
    for (const auto& [id, member] : cluster.members)
        nodes.push_back(id);
    for (const auto& [id, behind] : balance.behind)
        nodes.push_back(id);
    std::ranges::sort(nodes, {}, [&view](NodeId id) { return std::pair(view.node(id)->order, id); });
    return nodes;
}

std::int64_t copiedBytes(const GraphView& view, const TransposeCluster& cluster)
{
    std::int64_t bytes = 0;
    for (const auto& [id, member] : cluster.members) {
        const std::array readers{id};
        for (const std::size_t input : member.turned.operands)
            bytes += copyBytes(view, member.turned.node.inputs[input], readers);
    }
    return bytes;
}

std::optional<Reason> asMany(const TransposeBalance& balance, NodeId root)
{
    if (balance.fewer() > 0)
        return std::nullopt;
    const auto known = std::ranges::find_if(balance.obstacles, [](NodeId id) { return bool(id); });
    return reasons::asManyTransposes(root, known == balance.obstacles.end() ? root : *known,
                                     balance.gone(), balance.added());
}

PassAnswer PushTranspose::examine(const PassContext& context, NodeId root) const
{
    const GraphView& view = context.match.view;
    const Node* transpose = view.node(root);
    if (!transpose->is("Transpose") || !transpose->input(0) || !transpose->output(0))
        return {};
    TransposeCluster cluster = findCluster(view, root);
    if (cluster.members.empty() && cluster.front.empty())
        return {};
    TransposeBalance balance = balanceOf(view, cluster);
    // One refusal is enough for all the Transposes in front.
    const bool isFirst = std::ranges::none_of(cluster.front, [&](NodeId id) {
        return view.node(id)->order < transpose->order;
    });
    const bool cancels = balance.gone() > static_cast<std::int64_t>(balance.spared.size());
    if (balance.gone() < 2 && balance.fewer() <= 0)
        return {};
    Conditions conditions(context.match, rule(), root);
    TransposeCluster pruned = cluster;
    prune(view, pruned);
    const TransposeBalance left = balanceOf(view, pruned);
    if (left.fewer() > 0) {
        cluster = std::move(pruned);
        balance = left;
    } else if (!cancels || !isFirst) {
        return {};
    }
    conditions.check("condition.fewer-transposes", asMany(balance, root));
    conditions.check("condition.growth",
                     withinGrowth(context.match, root, copiedBytes(view, cluster)));
    const std::vector<NodeId> nodes = nodesOf(view, cluster, balance);
    checkUnpinned(conditions, nodes);
    if (conditions.allHold())
        conditions.check("condition.valid", notValid(view, nodes));
    if (!conditions.allHold())
        return std::move(conditions).miss(2, nodes);
    Offer offer;
    offer.root = root;
    offer.nodes = nodes;
    offer.title = Message("title.push-transpose", {{"count", balance.fewer()}, {"node", root}});
    offer.build = [cluster, balance](PatchBuilder& builder) -> Result<void> {
        Rewriter(builder, cluster, balance).run();
        return {};
    };
    return offer;
}

} // namespace

std::unique_ptr<const Pass> pushTransposeRule()
{
    return std::make_unique<PushTranspose>();
}

} // namespace fusescope
