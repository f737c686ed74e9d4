#include "passes/transpose_cluster.h"

#include "patterns/proven.h"

#include <algorithm>

namespace fusescope {

namespace {

constexpr std::size_t mostMembers = 32;

bool isTranspose(const Node* node)
{
    return node && node->op.isStandard() && node->is("Transpose") && node->input(0) &&
           node->output(0);
}

class Growth
{
public:
    Growth(const GraphView& view, NodeId transpose)
        : m_view(view), m_body(view.node(transpose)->body)
    {
        addFront(transpose, view.node(transpose));
        for (std::size_t i = 0; i < m_open.size(); ++i) { // grows
            const ValueId value = m_open[i];
            for (const Use& use : m_view.uses(value))
                consider(use.node, value);
        }
    }

    TransposeCluster take() { return std::move(m_cluster); }

private:
    bool addFront(NodeId id, const Node* transpose)
    {
        auto order = orderOf(m_view, *transpose);
        if (!order || isIdentity(*order))
            return false;
        m_cluster.front.push_back(id);
        open(transpose->output(0), *std::move(order));
        return true;
    }

    void open(ValueId value, AxisOrder order)
    {
        m_cluster.orders.emplace(value, std::move(order));
        m_open.push_back(value);
    }

    void consider(NodeId id, ValueId value)
    {
        const Node* node = m_view.node(id);
        if (!node || node->body != m_body || isTranspose(node) || m_cluster.members.contains(id) ||
            m_cluster.members.size() == mostMembers)
            return;
        const AxisOrder order = m_cluster.orders.at(value);
        auto turned = turnedNode(m_view, *node, order);
        if (!turned || !std::ranges::all_of(turned->data, [&](std::size_t input) {
                return fits(node->inputs[input], order);
            }))
            return;
        const auto [member, isNew] =
            m_cluster.members.emplace(id, TransposeCluster::Member{*std::move(turned), order});
        for (std::size_t i = 0; i < node->outputs.size(); ++i) {
            const AxisOrder& made = member->second.turned.outputs[i];
            if (node->outputs[i] && !isIdentity(made))
                open(node->outputs[i], made);
        }
    }

    // Whether a data input can lie in the former order: it does, comes from such a Transpose, or has
    // as many axes and can be turned.
    bool fits(ValueId value, const AxisOrder& order)
    {
        if (const auto known = m_cluster.orders.find(value); known != m_cluster.orders.end())
            return known->second.size() == order.size();
        const NodeId maker = m_view.producer(value);
        const Node* node = m_view.node(maker);
        if (isTranspose(node) && node->body == m_body && orderOf(m_view, *node) == order)
            return addFront(maker, node);
        const Shape shape = provenShape(m_view, value);
        return shape.hasRank() && shape.rank() == order.size();
    }

    const GraphView& m_view;
    BodyId m_body;
    TransposeCluster m_cluster;
    std::vector<ValueId> m_open;
};

class Balancing
{
public:
    Balancing(const GraphView& view, const TransposeCluster& cluster)
        : m_view(view), m_cluster(cluster)
    {
        for (const NodeId id : cluster.front) {
            const Node& transpose = *view.node(id);
            if (!isNeeded(transpose.output(0), transpose.input(0)))
                m_result.spared.push_back(id);
        }
        for (const auto& [id, member] : cluster.members)
            weigh(member);
    }

    TransposeBalance take() { return std::move(m_result); }

private:
    void weigh(const TransposeCluster::Member& member)
    {
        const Node& node = member.turned.node;
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            if (node.outputs[i] && !isIdentity(member.turned.outputs[i]) &&
                isNeeded(node.outputs[i], {}))
                m_result.needed.insert(node.outputs[i]);
        }
        for (const std::size_t input : member.turned.data) {
            const ValueId value = node.inputs[input];
            const auto known = m_cluster.orders.find(value);
            if (known != m_cluster.orders.end() && known->second == member.order)
                continue;
            if (m_result.missing.emplace(value, member.order).second)
                m_result.obstacles.push_back(m_view.producer(value));
        }
    }

    // Whether anybody reads the value as it is now. Transposes that could read another one are taken
    // down: `source`, or what the member makes then.
    bool isNeeded(ValueId value, ValueId source)
    {
        bool needed = false;
        bool takesName = static_cast<bool>(source);
        const AxisOrder& order = m_cluster.orders.at(value);
        for (const Use& use : m_view.uses(value)) {
            const Node* reader = use.node ? m_view.node(use.node) : nullptr;
            const auto member = m_cluster.members.find(use.node);
            if (reader && member != m_cluster.members.end()) {
                needed = needed || member->second.order != order ||
                         !readsTurned(*reader, member->second, value);
            } else if (!reader || !isBehind(use.node, *reader, value) ||
                       !addBehind(use.node, *reader, value, order, takesName)) {
                needed = true;
                if (use.node)
                    m_result.obstacles.push_back(use.node);
            }
        }
        return needed;
    }

    static bool readsTurned(const Node& node, const TransposeCluster::Member& member, ValueId value)
    {
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (node.inputs[i] == value &&
                std::ranges::find(member.turned.data, i) == member.turned.data.end())
                return false;
        }
        return true;
    }

    bool isBehind(NodeId id, const Node& node, ValueId value) const
    {
        return isTranspose(&node) && node.body == m_view.node(m_cluster.front.front())->body &&
               node.input(0) == value &&
               std::ranges::find(m_cluster.front, id) == m_cluster.front.end();
    }

    // One Transpose that makes an output of its body can give its name to what stands for it, unless
    // that has a name of its own to keep.
    bool addBehind(NodeId id, const Node& node, ValueId value, const AxisOrder& order,
                   bool& takesName)
    {
        const auto own = orderOf(m_view, node);
        TransposeBalance::Behind behind{value, {}, false};
        for (std::size_t i = 0; own && i < own->size() && own->size() == order.size(); ++i)
            behind.order.push_back(order[(*own)[i]]);
        if (!own || behind.order.size() != order.size())
            return false; // it cannot run
        const bool isNamed = isOutput(node.output(0));
        behind.vanishes = isIdentity(behind.order) && !(isNamed && takesName);
        takesName = takesName || isNamed;
        m_result.behind.emplace(id, std::move(behind));
        return true;
    }

    bool isOutput(ValueId value) const
    {
        return std::ranges::any_of(m_view.uses(value),
                                   [](const Use& use) { return use.isBodyOutput(); });
    }

    const GraphView& m_view;
    const TransposeCluster& m_cluster;
    TransposeBalance m_result;
};

// Whether nothing reads what the member makes as it would be turned.
bool isLast(const GraphView& view, const TransposeCluster& cluster,
            const TransposeCluster::Member& member)
{
    return std::ranges::none_of(member.turned.node.outputs, [&](ValueId output) {
        return cluster.orders.contains(output) &&
               std::ranges::any_of(view.uses(output), [&](const Use& use) {
                   return use.node && (cluster.members.contains(use.node) ||
                                       isTranspose(view.node(use.node)));
               });
    });
}

} // namespace

std::int64_t TransposeBalance::gone() const
{
    return static_cast<std::int64_t>(spared.size()) +
           std::ranges::count_if(behind, [](const auto& entry) { return entry.second.vanishes; });
}

TransposeBalance balanceOf(const GraphView& view, const TransposeCluster& cluster)
{
    return Balancing(view, cluster).take();
}

TransposeCluster findCluster(const GraphView& view, NodeId transpose)
{
    return Growth(view, transpose).take();
}

void prune(const GraphView& view, TransposeCluster& cluster)
{
    for (bool again = true; again;) {
        again = false;
        const std::int64_t fewer = balanceOf(view, cluster).fewer();
        std::vector<NodeId> last;
        for (const auto& [id, member] : cluster.members) {
            if (isLast(view, cluster, member))
                last.push_back(id);
        }
        for (const NodeId id : last) {
            TransposeCluster without = cluster;
            for (const ValueId output : cluster.members.at(id).turned.node.outputs)
                without.orders.erase(output);
            without.members.erase(id);
            if (balanceOf(view, without).fewer() < fewer)
                continue;
            cluster = std::move(without);
            again = true;
            break;
        }
    }
}

} // namespace fusescope
