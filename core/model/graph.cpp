#include "model/graph.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace fusescope {

namespace {

struct OpKeyHash
{
    std::size_t operator()(const OpKey& key) const
    {
        const std::hash<std::string> hash;
        return (hash(key.type) * 31 + hash(key.domain)) * 31 + hash(key.overload);
    }
};

using FunctionTable = std::unordered_map<OpKey, BodyId, OpKeyHash>;

// Null where there are none.
template <class BodyOf>
std::shared_ptr<const FunctionTable> functionsOf(const Header& header, const BodyOf& bodyOf)
{
    if (header.functions.empty())
        return nullptr;
    auto table = std::make_shared<FunctionTable>();
    for (const BodyId id : header.functions) {
        const Body* body = bodyOf(id);
        if (body && body->function)
            table->emplace(body->function->key, id); // of two of one key the first
    }
    return table;
}

// Whether patched headers and bodies may have given a function a key that it did not have.
bool bringsFunctions(const GraphPatch& patch)
{
    for (const auto& slot : patch.bodies) {
        const bool after = slot.after && slot.after->function;
        const bool before = slot.before && slot.before->function;
        if (after && (!before || slot.before->function->key != slot.after->function->key))
            return true;
    }
    if (!patch.header)
        return false;
    // Some of the old ones in their order bring nothing.
    const std::vector<BodyId>& after = patch.header->second->functions;
    auto next = after.begin();
    for (const BodyId id : patch.header->first->functions)
        next += next != after.end() && *next == id ? 1 : 0;
    return next != after.end();
}

} // namespace

// The order of the main graph, made when it is asked for: it is long, and most changes are there.
// And the functions by key, made with the graph; they may still name some that are gone.
struct Graph::MainOrder
{
    std::mutex mutex;
    std::shared_ptr<const std::vector<NodeId>> list;
    std::shared_ptr<const FunctionTable> functions;

    static std::shared_ptr<MainOrder> of(std::shared_ptr<const FunctionTable> functions)
    {
        auto order = std::make_shared<MainOrder>();
        order->functions = std::move(functions);
        return order;
    }
};

Graph::Graph() : m_header(std::make_shared<const Header>()), m_order(std::make_shared<MainOrder>())
{
}

Graph Graph::build(HeaderPtr header, const std::vector<BodyPtr>& bodies,
                   const std::vector<ValuePtr>& values, const std::vector<NodePtr>& nodes)
{
    Graph graph;
    graph.m_header = std::move(header);
    // Bodies first: readings without a node sort before those by nodes.
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
        graph.m_bodies.edit(i + 1) = bodies[i];
        graph.link(BodyId{i + 1}, *bodies[i], true);
    }
    for (std::uint32_t i = 0; i < values.size(); ++i)
        graph.m_values.edit(i + 1) = values[i];
    std::vector<std::vector<std::pair<OrderKey, NodeId>>> lists(bodies.size() + 1);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        graph.m_nodes.edit(i + 1) = nodes[i];
        graph.link(NodeId{i + 1}, *nodes[i], true);
        const Body* b = graph.body(nodes[i]->body);
        graph.m_nodeCount += b && b->kind == Body::Kind::region ? 0 : 1;
        if (b)
            lists[nodes[i]->body.value].emplace_back(nodes[i]->order, NodeId{i + 1});
    }
    for (std::uint32_t i = 1; i < lists.size(); ++i) {
        std::sort(lists[i].begin(), lists[i].end());
        auto sorted = std::make_shared<std::vector<NodeId>>();
        sorted->reserve(lists[i].size());
        for (const auto& [key, id] : lists[i])
            sorted->push_back(id);
        if (BodyId{i} == graph.mainBody())
            graph.m_order->list = std::move(sorted);
        else
            graph.m_members.edit(i) = std::move(sorted);
    }
    graph.m_order->functions =
        functionsOf(*graph.m_header, [&graph](BodyId id) { return graph.body(id); });
    return graph;
}

std::span<const Use> Graph::uses(ValueId id) const
{
    const auto& list = m_index.get(id.value).uses;
    return list ? std::span<const Use>(*list) : std::span<const Use>();
}

bool Graph::isBodyOutput(ValueId id) const
{
    // Readings by bodies have no node, so they sort first.
    const auto list = uses(id);
    return !list.empty() && list.front().isBodyOutput();
}

std::shared_ptr<const std::vector<NodeId>> Graph::nodes(BodyId wanted) const
{
    if (wanted != mainBody()) {
        static const auto none = std::make_shared<const std::vector<NodeId>>();
        const auto& members = m_members.get(wanted.value);
        return members ? members : none;
    }
    const std::scoped_lock lock(m_order->mutex);
    if (m_order->list)
        return m_order->list;
    std::vector<std::pair<OrderKey, NodeId>> found;
    for (std::uint32_t i = 1; i < nodeLimit(); ++i) {
        const Node* n = node(NodeId{i});
        if (n && n->body == wanted)
            found.emplace_back(n->order, NodeId{i});
    }
    std::sort(found.begin(), found.end());
    auto sorted = std::make_shared<std::vector<NodeId>>();
    sorted->reserve(found.size());
    for (const auto& [key, id] : found)
        sorted->push_back(id);
    m_order->list = std::move(sorted);
    return m_order->list;
}

void Graph::moveMember(NodeId id, const Node* before, const Node* after)
{
    const auto listOf = [this](BodyId bodyId) -> std::vector<NodeId>* {
        if (bodyId == mainBody()) {
            // Another graph that shares the order may be making its list right now.
            if (!isOnlyOwner(m_order) || m_order->list)
                m_order = MainOrder::of(m_order->functions);
            return nullptr;
        }
        return &ownCopy(m_members.edit(bodyId.value));
    };
    // The record of the node itself is set after it was taken out and before it is put in.
    const auto placeOf = [this, id](std::vector<NodeId>& members, OrderKey order) {
        return std::lower_bound(members.begin(), members.end(), std::pair(order, id),
                                [this](NodeId member, const std::pair<OrderKey, NodeId>& wanted) {
                                    return std::pair(node(member)->order, member) < wanted;
                                });
    };
    if (before) {
        if (auto* members = listOf(before->body)) {
            const auto place = placeOf(*members, before->order);
            if (place != members->end() && *place == id)
                members->erase(place);
        }
    }
    if (after) {
        if (auto* members = listOf(after->body))
            members->insert(placeOf(*members, after->order), id);
    }
}

std::vector<BodyId> Graph::bodies() const
{
    std::vector<BodyId> result;
    if (body(mainBody()))
        result.push_back(mainBody());
    for (std::uint32_t i = 1; i < bodyLimit(); ++i) {
        if (body(BodyId{i}) && BodyId{i} != mainBody())
            result.push_back(BodyId{i});
    }
    return result;
}

std::vector<NodeId> Graph::allNodes() const
{
    std::vector<NodeId> result;
    for (std::uint32_t i = 1; i < nodeLimit(); ++i) {
        if (node(NodeId{i}))
            result.push_back(NodeId{i});
    }
    return result;
}

BodyId Graph::functionOf(const OpKey& key) const
{
    const FunctionTable* table = m_order->functions.get();
    if (!table)
        return {};
    const auto found = table->find(key);
    return found != table->end() && body(found->second) ? found->second : BodyId{};
}

std::int64_t Graph::opset(BodyId id, std::string_view domain) const
{
    while (const Body* b = body(id)) {
        if (b->function)
            return opsetIn(b->function->opsets, domain);
        const Node* owner = node(b->owner);
        if (!owner)
            break;
        id = owner->body;
    }
    return m_header->opset(domain);
}

const OpSchema* Graph::schema(const Node& n) const
{
    const std::int64_t version = opset(n.body, n.op.domain);
    if (version <= 0)
        return nullptr;
    return findSchema(n.op.domain, n.op.type, static_cast<int>(std::min<std::int64_t>(version, 9999)));
}

TensorPtr constantOf(const Node& n)
{
    if (!n.is("Constant"))
        return nullptr;
    for (const Attribute& a : n.attributes) {
        if (!a.reference.empty())
            return nullptr;
        if (const auto* tensor = std::get_if<TensorPtr>(&a.value))
            return *tensor;
        if (const auto* f = std::get_if<float>(&a.value))
            return std::make_shared<const Tensor>(Tensor::scalar(*f));
        if (const auto* i = std::get_if<std::int64_t>(&a.value))
            return std::make_shared<const Tensor>(Tensor::scalar(*i));
        if (const auto* s = std::get_if<std::string>(&a.value))
            return std::make_shared<const Tensor>(Tensor::strings({}, {*s}));
        if (const auto* floats = std::get_if<std::vector<float>>(&a.value))
            return std::make_shared<const Tensor>(
                Tensor::of<float>({static_cast<std::int64_t>(floats->size())}, *floats));
        if (const auto* ints = std::get_if<std::vector<std::int64_t>>(&a.value))
            return std::make_shared<const Tensor>(Tensor::vector(*ints));
        if (const auto* strings = std::get_if<std::vector<std::string>>(&a.value))
            return std::make_shared<const Tensor>(
                Tensor::strings({static_cast<std::int64_t>(strings->size())}, *strings));
    }
    return nullptr;
}

TensorPtr Graph::constant(ValueId id) const
{
    const Value* v = value(id);
    if (!v)
        return nullptr;
    if (v->constant) {
        const bool listed = v->isInput && (v->body != mainBody() || m_header->irVersion >= 4);
        return listed ? nullptr : v->constant;
    }
    const Node* n = node(producer(id));
    return n ? constantOf(*n) : nullptr;
}

bool Graph::isOverridable(ValueId id) const
{
    const Value* v = value(id);
    return v && v->isInitializer() && v->isInput && v->body == mainBody() &&
           m_header->irVersion >= 4;
}

bool Graph::encloses(BodyId outer, BodyId inner) const
{
    while (inner) {
        if (inner == outer)
            return true;
        const Body* b = body(inner);
        const Node* owner = b ? node(b->owner) : nullptr;
        inner = owner ? owner->body : BodyId{};
    }
    return false;
}

void Graph::addUse(ValueId id, Use use)
{
    Index& index = m_index.edit(id.value);
    auto& list = ownCopy(index.uses);
    list.insert(std::upper_bound(list.begin(), list.end(), use), use);
}

void Graph::removeUse(ValueId id, Use use)
{
    Index& index = m_index.edit(id.value);
    if (!index.uses)
        return;
    auto& list = ownCopy(index.uses);
    const auto at = std::lower_bound(list.begin(), list.end(), use);
    if (at != list.end() && *at == use)
        list.erase(at);
}

void Graph::link(NodeId id, const Node& n, bool add)
{
    for (std::uint32_t i = 0; i < n.inputs.size(); ++i) {
        if (!n.inputs[i])
            continue;
        const Use use{id, BodyId{}, i};
        add ? addUse(n.inputs[i], use) : removeUse(n.inputs[i], use);
    }
    for (std::uint32_t i = 0; i < n.outputs.size(); ++i) {
        if (!n.outputs[i])
            continue;
        Index& index = m_index.edit(n.outputs[i].value);
        if (add) {
            index.producer = id;
            index.output = i;
        } else if (index.producer == id) {
            index.producer = {};
            index.output = 0;
        }
    }
}

void Graph::link(BodyId id, const Body& b, bool add)
{
    for (std::uint32_t i = 0; i < b.outputs.size(); ++i) {
        if (!b.outputs[i])
            continue;
        const Use use{NodeId{}, id, i};
        add ? addUse(b.outputs[i], use) : removeUse(b.outputs[i], use);
    }
}

namespace {

tl::unexpected<Error> stale(NodeId node = {})
{
    return fail(ErrorCode::failed, Message("model.stale-patch"), node);
}

} // namespace

Result<void> Graph::fits(const GraphPatch& patch) const
{
    for (const auto& slot : patch.nodes) {
        if (nodePtr(slot.id) != slot.before)
            return stale(slot.id);
    }
    for (const auto& slot : patch.values) {
        if (valuePtr(slot.id) != slot.before)
            return stale();
    }
    for (const auto& slot : patch.bodies) {
        if (bodyPtr(slot.id) != slot.before)
            return stale();
    }
    if (patch.header && patch.header->first != m_header)
        return stale();
    // Each value is made once: by one of the patch's nodes, or by a node that the patch leaves.
    std::vector<NodeId> touched;
    for (const auto& slot : patch.nodes)
        touched.push_back(slot.id);
    std::sort(touched.begin(), touched.end());
    if (std::adjacent_find(touched.begin(), touched.end()) != touched.end())
        return stale();
    std::vector<std::pair<ValueId, NodeId>> made;
    for (const auto& slot : patch.nodes) {
        if (!slot.after)
            continue;
        for (const ValueId output : slot.after->outputs) {
            const NodeId maker = producer(output);
            if (output && maker && !std::binary_search(touched.begin(), touched.end(), maker))
                return fail(ErrorCode::failed, Message("model.assigned-twice"), slot.id);
            if (output)
                made.emplace_back(output, slot.id);
        }
    }
    std::sort(made.begin(), made.end());
    const auto twice = std::adjacent_find(
        made.begin(), made.end(), [](const auto& a, const auto& b) { return a.first == b.first; });
    if (twice != made.end())
        return fail(ErrorCode::failed, Message("model.assigned-twice"), (twice + 1)->second);
    return {};
}

void Graph::put(const GraphPatch& patch)
{
    const auto counts = [this](const Node& n) {
        const Body* b = body(n.body);
        return b && b->kind == Body::Kind::region ? 0U : 1U;
    };
    // Nodes are taken out while the bodies they counted in still stand, and put in after.
    std::vector<const Slot<NodeId, Node>*> moved;
    for (const auto& slot : patch.nodes) {
        if (slot.before) {
            link(slot.id, *slot.before, false);
            m_nodeCount -= counts(*slot.before);
        }
        if (!slot.before || !slot.after || slot.before->body != slot.after->body ||
            slot.before->order != slot.after->order)
            moved.push_back(&slot);
    }
    for (const auto* slot : moved) {
        if (slot->before)
            moveMember(slot->id, slot->before.get(), nullptr);
    }
    for (const auto& slot : patch.bodies) {
        if (slot.before)
            link(slot.id, *slot.before, false);
        m_bodies.edit(slot.id.value) = slot.after;
        if (slot.after)
            link(slot.id, *slot.after, true);
    }
    for (const auto& slot : patch.values)
        m_values.edit(slot.id.value) = slot.after;
    for (const auto& slot : patch.nodes) {
        m_nodes.edit(slot.id.value) = slot.after;
        if (slot.after) {
            link(slot.id, *slot.after, true);
            m_nodeCount += counts(*slot.after);
        }
    }
    if (patch.header)
        m_header = patch.header->second;
    if (bringsFunctions(patch))
        m_order = MainOrder::of(functionsOf(*m_header, [this](BodyId id) { return body(id); }));
    for (const auto* slot : moved) {
        if (slot->after)
            moveMember(slot->id, nullptr, slot->after.get());
    }
    // A body that ceases to be a region, or becomes one, is counted anew, but for the nodes above.
    for (const auto& slot : patch.bodies) {
        if (!slot.before || !slot.after)
            continue;
        const bool was = slot.before->kind == Body::Kind::region;
        const bool is = slot.after->kind == Body::Kind::region;
        if (was == is)
            continue;
        for (const NodeId member : *nodes(slot.id)) {
            const bool counted =
                std::any_of(patch.nodes.begin(), patch.nodes.end(),
                            [member](const auto& node) { return node.id == member; });
            if (!counted)
                m_nodeCount += was ? std::size_t{1} : std::size_t(-1);
        }
    }
}

Result<void> Graph::apply(const GraphPatch& patch)
{
    FUSESCOPE_TRY(fits(patch));
    put(patch);
    const Result<void> verified = verify(patch);
    if (!verified)
        put(patch.inverse());
    return verified;
}

} // namespace fusescope
