#include "ops/patch_builder.h"

#include "ops/patch_state.h"

#include <fmt/format.h>

namespace fusescope {

PatchBuilder::PatchBuilder(const Graph& graph, IdPool& pool, std::string_view rule, NodeId root,
                           std::function<bool(NodeId)> keep,
                           std::function<bool(ValueId)> keepInitializer)
    : m_graph(graph),
      m_state(std::make_shared<State>(graph, pool, rule, root, std::move(keep),
                                      std::move(keepInitializer)))
{
}

const Node* PatchBuilder::node(NodeId id) const
{
    return m_state->node(id);
}

const Value* PatchBuilder::value(ValueId id) const
{
    return m_state->value(id);
}

const Body* PatchBuilder::body(BodyId id) const
{
    return m_state->body(id);
}

NodeId PatchBuilder::producer(ValueId id) const
{
    return m_state->producer(id);
}

std::vector<Use> PatchBuilder::uses(ValueId id) const
{
    return m_state->uses(id);
}

TensorPtr PatchBuilder::constant(ValueId id) const
{
    return m_state->constant(id);
}

std::string PatchBuilder::uniqueName(std::string_view wish)
{
    const std::string base(wish.empty() ? std::string_view("value") : wish);
    const auto isTaken = [this](const std::string& name) {
        return m_state->names.contains(name) || m_state->pool.isNameTaken(m_graph, name);
    };
    const auto numbered = [&base](std::int64_t i) {
        return i == 0 ? base : fmt::format("{}_{}", base, i);
    };
    // The first that is free; of thousands of one name, by ever longer steps and back.
    constexpr std::int64_t oneByOne = 16;
    std::int64_t taken = -1, free = 0;
    while (isTaken(numbered(free))) {
        taken = free;
        free = free < oneByOne ? free + 1 : free * 2;
    }
    while (free - taken > 1) {
        const std::int64_t middle = taken + (free - taken) / 2;
        (isTaken(numbered(middle)) ? taken : free) = middle;
    }
    std::string name = numbered(free);
    m_state->names.insert(name);
    m_state->reserved.insert(name);
    return name;
}

bool PatchBuilder::hasOtherValueNamed(const std::string& name, ValueId except, BodyId gone) const
{
    return m_state->pool.hasValueNamed(m_graph, name, [&](ValueId id) {
        return id != except && !(gone && m_graph.encloses(gone, m_graph.value(id)->body));
    });
}

ValueId PatchBuilder::addConstant(BodyId body, std::string name, Tensor tensor)
{
    return addConstant(body, std::move(name), std::make_shared<const Tensor>(std::move(tensor)));
}

ValueId PatchBuilder::addConstant(BodyId id, std::string name, TensorPtr tensor)
{
    if (!id)
        id = m_graph.mainBody();
    // A region captures nothing: its constants are inputs from the body around it.
    for (const Body* b = body(id); b && b->kind == Body::Kind::region; b = body(id))
        id = node(b->owner)->body;
    const ValueId result = addValue(id, name.empty() ? "constant" : std::move(name));
    auto value = std::make_shared<Value>(*this->value(result));
    value->type = Type::tensor(tensor->dtype(), Shape::ofSizes(tensor->shape()));
    if (m_state->inFunction(id)) {
        m_state->set(result, std::move(value));
        Node constant;
        constant.op.type = "Constant";
        constant.attributes.set(Attribute("value", std::move(tensor)));
        constant.outputs = {result};
        addNode(std::move(constant));
        return result;
    }
    value->constant = std::move(tensor);
    Body& holder = m_state->ownBody(id);
    holder.initializers.push_back(result);
    if (id == m_graph.mainBody() && m_state->header().irVersion <= 3) {
        holder.inputs.push_back(result);
        value->isInput = true;
    }
    m_state->set(result, std::move(value));
    return result;
}

ValueId PatchBuilder::addValue(BodyId body, std::string name)
{
    const ValueId id = m_state->newValue();
    auto value = std::make_shared<Value>();
    if (!name.empty()) {
        if (!m_state->reserved.contains(name))
            name = uniqueName(name);
        m_state->reserved.erase(name);
        m_state->namesOfValues.emplace_back(name, id);
    }
    value->name = std::move(name);
    value->body = body ? body : m_graph.mainBody();
    m_state->set(id, std::move(value));
    return id;
}

NodeId PatchBuilder::addNode(Node node)
{
    return addNodeBefore(m_state->root, std::move(node));
}

NodeId PatchBuilder::addNodeBefore(NodeId anchor, Node node)
{
    const Node* before = m_state->node(anchor);
    if (!before)
        before = m_graph.node(anchor);
    const NodeId id = m_state->newNode();
    node.body = before ? before->body : m_graph.mainBody();
    node.order = before ? before->order : 0;
    m_state->importDomain(node.body, node.op.domain);
    m_state->set(id, std::make_shared<const Node>(std::move(node)));
    if (m_state->anchored[anchor].empty())
        m_state->anchors.push_back(anchor);
    m_state->anchored[anchor].push_back(id);
    m_state->toInfer.push_back(id);
    return id;
}

void PatchBuilder::moveNodeBefore(NodeId anchor, NodeId id)
{
    const Node* at = m_state->node(anchor);
    const Node* moved = m_state->node(id);
    if (!at || !moved)
        return;
    auto next = std::make_shared<Node>(*moved);
    next->body = at->body;
    for (const ValueId output : next->outputs) {
        if (output && m_state->value(output))
            editValue(output, [&next](Value& value) { value.body = next->body; });
    }
    m_state->set(id, std::move(next));
    if (m_state->anchored[anchor].empty())
        m_state->anchors.push_back(anchor);
    m_state->anchored[anchor].push_back(id);
    m_state->toInfer.push_back(id);
}

NodeId PatchBuilder::addNodeAtEnd(BodyId body, Node node)
{
    const NodeId id = m_state->newNode();
    OrderKey last = 0;
    for (const auto& [other, record] : m_state->nodes_) {
        if (record && record->body == body)
            last = std::max(last, record->order);
    }
    node.body = body;
    node.order = last + orderGap;
    m_state->importDomain(body, node.op.domain);
    m_state->set(id, std::make_shared<const Node>(std::move(node)));
    m_state->toInfer.push_back(id);
    return id;
}

BodyId PatchBuilder::addBody(Body body)
{
    const BodyId id = m_state->newBody();
    m_state->set(id, std::make_shared<Body>(std::move(body)));
    return id;
}

ValueId PatchBuilder::addInput(BodyId body, std::string name, Type type)
{
    const ValueId id = addValue(body, std::move(name));
    auto value = std::make_shared<Value>(*m_state->value(id));
    value->type = std::move(type);
    value->isInput = true;
    m_state->set(id, std::move(value));
    auto holder = std::make_shared<Body>(*m_state->body(body));
    holder->inputs.push_back(id);
    m_state->set(body, std::move(holder));
    return id;
}

void PatchBuilder::editNode(NodeId id, const std::function<void(Node&)>& edit)
{
    const Node* before = m_state->node(id);
    if (!before)
        return;
    auto next = std::make_shared<Node>(*before);
    edit(*next);
    m_state->importDomain(next->body, next->op.domain);
    m_state->set(id, std::move(next));
    m_state->toInfer.push_back(id);
}

void PatchBuilder::editValue(ValueId id, const std::function<void(Value&)>& edit)
{
    const Value* before = m_state->value(id);
    if (!before)
        return;
    auto next = std::make_shared<Value>(*before);
    edit(*next);
    if (next->name != before->name && !next->name.empty())
        m_state->namesOfValues.emplace_back(next->name, id);
    m_state->set(id, std::move(next));
    for (const Use& use : m_state->uses(id)) {
        if (use.node)
            m_state->toInfer.push_back(use.node);
    }
}

void PatchBuilder::editBody(BodyId id, const std::function<void(Body&)>& edit)
{
    const Body* before = m_state->body(id);
    if (!before)
        return;
    Body& own = m_state->ownBody(id);
    m_state->link(id, own, false);
    edit(own);
    m_state->link(id, own, true);
}

void PatchBuilder::editHeader(const std::function<void(Header&)>& edit)
{
    auto next = std::make_shared<Header>(m_state->header());
    edit(*next);
    m_state->header_ = std::move(next);
}

void PatchBuilder::removeNode(NodeId id)
{
    if (!m_state->node(id))
        return;
    m_state->set(id, NodePtr());
    m_state->removed.push_back(id);
}

void PatchBuilder::removeInitializer(ValueId id)
{
    const Value* gone = m_state->value(id);
    if (!gone)
        return;
    editBody(gone->body, [id](Body& body) {
        body.initializers.erase(id);
        std::erase(body.inputs, id);
    });
    m_state->set(id, ValuePtr());
}

void PatchBuilder::removeFunction(BodyId id)
{
    m_state->lostBodies.push_back(id);
    editHeader([id](Header& header) { std::erase(header.functions, id); });
}

void PatchBuilder::rewire(ValueId from, ValueId to)
{
    if (from == to)
        return;
    for (const Use& use : m_state->uses(from)) {
        if (use.isBodyOutput()) {
            if (use.body == m_graph.mainBody())
                m_state->error = Error{ErrorCode::failed, Message("ops.output-renamed", {{"value", from}}),
                                       {}, m_state->root};
            editBody(use.body, [&](Body& body) { body.outputs[use.index] = to; });
        } else {
            m_state->setInput(use.node, use.index, to);
            m_state->toInfer.push_back(use.node);
        }
    }
}

void PatchBuilder::takeOver(ValueId from, ValueId to)
{
    const NodeId maker = m_state->producer(to);
    if (!maker || !m_state->value(from)) {
        m_state->error = Error{ErrorCode::failed, Message("ops.no-take-over", {{"value", from}}),
                               {}, m_state->root};
        return;
    }
    if (const Node* old = m_state->node(m_state->producer(from)); old) {
        const NodeId id = m_state->producer(from);
        auto next = std::make_shared<Node>(*old);
        std::ranges::replace(next->outputs, from, ValueId{});
        const bool empty = std::ranges::none_of(next->outputs, [](ValueId v) { return bool(v); });
        if (empty)
            removeNode(id);
        else
            m_state->set(id, std::move(next));
    }
    auto next = std::make_shared<Node>(*m_state->node(maker));
    std::ranges::replace(next->outputs, to, from);
    const Type type = m_state->value(to)->type;
    const ShapeData data = m_state->value(to)->data;
    m_state->set(maker, std::move(next));
    rewire(to, from);
    editValue(from, [&](Value& value) {
        value.type = mergePublic(value.type, type);
        if (data)
            value.data = data;
    });
    m_state->set(to, ValuePtr());
    m_state->toInfer.push_back(maker);
}

Result<GraphPatch> PatchBuilder::finish()
{
    if (m_state->error)
        return tl::unexpected(*m_state->error);
    m_state->removeDead();
    for (const ValueId id : m_state->hidingValues())
        editValue(id, [fresh = uniqueName(value(id)->name)](Value& v) { v.name = fresh; });
    m_state->placeNodes();
    FUSESCOPE_TRY(m_state->infer());
    m_state->fillOrigins();
    for (const auto& [name, id] : m_state->namesOfValues)
        m_state->pool.noteName(name, id);
    return m_state->patch();
}

} // namespace fusescope
