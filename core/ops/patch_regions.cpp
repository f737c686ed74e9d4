#include "ops/patch_state.h"

#include <set>

namespace fusescope {

NodeId PatchBuilder::makeRegion(std::string kind, const std::vector<NodeId>& nodes,
                                const std::vector<std::pair<NodeId, Role>>& roles)
{
    State& s = *m_state;
    std::map<NodeId, Role> roleOf;
    std::vector<NodeId> members;
    for (const NodeId id : nodes) {
        const Node* n = s.node(id);
        if (!n)
            continue;
        if (n->region) {
            for (const auto& [member, role] : n->region->roles)
                roleOf.emplace(member, role);
            const auto inner = dissolveRegion(id);
            members.insert(members.end(), inner.begin(), inner.end());
        } else {
            members.push_back(id);
        }
    }
    for (const auto& [member, role] : roles)
        roleOf[member] = role;
    std::ranges::sort(members, {}, [&](NodeId id) { return std::pair{s.node(id)->order, id}; });
    if (members.empty()) {
        s.error = Error{ErrorCode::failed, Message("ops.empty-region"), {}, s.root};
        return {};
    }
    const std::set<NodeId> inside(members.begin(), members.end());
    const BodyId outer = s.node(members.front())->body;

    const NodeId regionId = s.newNode();
    const BodyId bodyId = s.newBody();
    Body body;
    body.kind = Body::Kind::region;
    body.owner = regionId;
    body.attributeName = "body";
    Node region;
    region.op = {std::string(regionDomain), kind, {}};
    region.name = s.node(members.back())->name;
    region.body = outer;
    region.order = s.node(members.back())->order;
    region.bodies = {bodyId};
    region.region = Region{std::move(kind), {}};

    std::map<ValueId, ValueId> innerOf;      // of what the region reads
    std::map<ValueId, ValueId> innerResult;  // of what is read outside
    std::vector<NodePtr> moved;
    std::vector<ValueId> kept; // values that move with their nodes
    for (const NodeId id : members) {
        auto next = std::make_shared<Node>(*s.node(id));
        for (ValueId& input : next->inputs) {
            if (!input)
                continue;
            if (const auto result = innerResult.find(input); result != innerResult.end()) {
                input = result->second;
                continue;
            }
            if (inside.contains(s.producer(input)))
                continue;
            const auto [at, isNew] = innerOf.try_emplace(input);
            if (isNew) {
                at->second = s.newValue();
                auto value = std::make_shared<Value>();
                value->type = s.value(input)->type;
                value->data = s.value(input)->data;
                if (value->type.kind == Type::Kind::undefined && s.value(input)->constant)
                    value->type = knownValue(s, input).type;
                value->body = bodyId;
                value->isInput = true;
                s.set(at->second, std::move(value));
                region.inputs.push_back(input);
                body.inputs.push_back(at->second);
            }
            input = at->second;
        }
        for (ValueId& output : next->outputs) {
            if (!output)
                continue;
            const auto readers = s.uses(output);
            const bool outside = std::ranges::any_of(
                readers, [&](const Use& use) { return !inside.contains(use.node); });
            if (!outside) {
                kept.push_back(output);
                continue;
            }
            const ValueId result = s.newValue();
            auto value = std::make_shared<Value>();
            value->type = s.value(output)->type;
            value->data = s.value(output)->data;
            value->body = bodyId;
            s.set(result, std::move(value));
            region.outputs.push_back(output);
            body.outputs.push_back(result);
            innerResult.emplace(output, result);
            output = result;
        }
        next->body = bodyId;
        moved.push_back(std::move(next));
        const auto role = roleOf.find(id);
        region.region->roles.emplace_back(id, role != roleOf.end() ? role->second : Role::part);
        const auto& origins = s.node(id)->origins;
        if (origins.empty())
            region.origins.push_back(id);
        else
            region.origins.insert(region.origins.end(), origins.begin(), origins.end());
    }
    std::ranges::sort(region.origins);
    region.origins.erase(std::unique(region.origins.begin(), region.origins.end()),
                         region.origins.end());
    for (std::size_t i = 0; i < members.size(); ++i)
        s.set(members[i], moved[i]);
    for (const ValueId id : kept) {
        auto value = std::make_shared<Value>(*s.value(id));
        value->body = bodyId;
        s.set(id, std::move(value));
    }
    s.set(bodyId, std::make_shared<Body>(std::move(body)));
    s.set(regionId, std::make_shared<const Node>(std::move(region)));
    s.toInfer.push_back(regionId);
    return regionId;
}

std::vector<NodeId> PatchBuilder::dissolveRegion(NodeId id)
{
    State& s = *m_state;
    const Node* found = s.node(id);
    if (!found || !found->region || found->bodies.empty())
        return {};
    const Node region = *found;
    const BodyId bodyId = region.bodies.front();
    const Body body = *s.body(bodyId);
    const std::vector<NodeId> members = s.nodes(bodyId);

    std::map<ValueId, ValueId> outer;
    for (std::size_t i = 0; i < body.inputs.size() && i < region.inputs.size(); ++i)
        outer[body.inputs[i]] = region.inputs[i];
    // An inner value may be several results; one name is enough, the others read it.
    std::vector<std::pair<ValueId, ValueId>> copies;
    for (std::size_t i = 0; i < body.outputs.size() && i < region.outputs.size(); ++i) {
        if (!region.outputs[i])
            continue;
        const auto [at, isNew] = outer.try_emplace(body.outputs[i], region.outputs[i]);
        if (!isNew)
            copies.emplace_back(region.outputs[i], at->second);
    }
    s.set(id, NodePtr());
    s.set(bodyId, BodyPtr());
    for (const auto& [inner, value] : outer)
        s.set(inner, ValuePtr());
    const auto rename = [&outer](std::vector<ValueId>& ids) {
        for (ValueId& value : ids) {
            if (const auto at = outer.find(value); at != outer.end())
                value = at->second;
        }
    };
    bool fits = true;
    for (const NodeId member : members) {
        auto next = std::make_shared<Node>(*s.node(member));
        rename(next->inputs);
        rename(next->outputs);
        next->body = region.body;
        for (const ValueId output : next->outputs) {
            const Value* value = s.value(output);
            if (!output || !value || value->body == region.body)
                continue;
            auto back = std::make_shared<Value>(*value);
            back->body = region.body;
            s.set(output, std::move(back));
        }
        fits = fits && next->order <= region.order;
        s.set(member, std::move(next));
    }
    for (const auto& [from, to] : copies) {
        rewire(from, to);
        s.set(from, ValuePtr());
    }
    // Nodes keep the places they had before they were swallowed, unless what they read stands later
    // by now.
    const std::unordered_set<NodeId> none;
    for (const NodeId member : members)
        fits = fits && s.earliest(member, none) < s.node(member)->order;
    if (!fits) {
        if (s.anchored[id].empty())
            s.anchors.push_back(id);
        s.anchored[id].insert(s.anchored[id].end(), members.begin(), members.end());
    }
    return members;
}

} // namespace fusescope
