#include "model/graph_maker.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <unordered_map>

namespace fusescope {

namespace {

// Unknown sizes of the file are told apart by value and position; the high bit keeps them apart from
// those that inference makes.
constexpr std::uint64_t fileUnknown = std::uint64_t{1} << 63;

struct Definition
{
    std::size_t position = 0; // 0: input or initializer; i + 1: node i of the body
    ValueId value;
    int previous = -1; // an earlier definition of the same name
};

// The names of one body.
class Scope
{
public:
    // Whether the name is new in this body.
    bool define(std::string_view name, std::size_t position, ValueId value)
    {
        const auto [at, isNew] = m_last.try_emplace(name, -1);
        m_definitions.push_back({position, value, at->second});
        at->second = static_cast<int>(m_definitions.size()) - 1;
        return isNew;
    }
    // The latest definition that stands before `position`.
    ValueId before(std::string_view name, std::size_t position) const
    {
        const auto at = m_last.find(name);
        for (int i = at == m_last.end() ? -1 : at->second; i >= 0;) {
            const Definition& d = m_definitions[static_cast<std::size_t>(i)];
            if (d.position < position)
                return d.value;
            i = d.previous;
        }
        return {};
    }
    ValueId last(std::string_view name) const
    {
        const auto at = m_last.find(name);
        return at == m_last.end() ? ValueId{}
                                  : m_definitions[static_cast<std::size_t>(at->second)].value;
    }
    ValueId first(std::string_view name) const
    {
        const auto at = m_last.find(name);
        if (at == m_last.end())
            return {};
        const Definition* d = &m_definitions[static_cast<std::size_t>(at->second)];
        while (d->previous >= 0)
            d = &m_definitions[static_cast<std::size_t>(d->previous)];
        return d->value;
    }
    void reserve(std::size_t count)
    {
        m_last.reserve(count);
        m_definitions.reserve(count);
    }

private:
    std::unordered_map<std::string_view, int> m_last;
    std::vector<Definition> m_definitions;
};

void giveUnknowns(Type& type, std::uint64_t& key)
{
    for (std::size_t axis = 0; axis < type.shape.rank(); ++axis) {
        if (type.shape[axis].isUnknown())
            type.shape.set(axis, Dim::unknown(key));
        ++key;
    }
    if (type.element) {
        Type element = *type.element;
        giveUnknowns(element, key);
        type.element = std::make_shared<const Type>(std::move(element));
    }
}

std::string textOf(const Node& node)
{
    return node.name.empty() ? node.op.type : node.op.type + " " + node.name;
}

class Maker
{
public:
    explicit Maker(ModelSource source) : m_source(std::move(source)) {}

    Result<MadeGraph> make()
    {
        Header header = m_source.header;
        header.mainBody = declare(m_source.main, {});
        for (BodySource& function : m_source.functions)
            header.functions.push_back(declare(function, {}));
        if (m_error)
            return tl::unexpected(std::move(*m_error));
        FUSESCOPE_TRY(resolve(m_source.main, header.mainBody));
        for (std::size_t i = 0; i < m_source.functions.size(); ++i)
            FUSESCOPE_TRY(resolve(m_source.functions[i], header.functions[i]));
        FUSESCOPE_TRY(sort());
        for (std::size_t i = 0; i < m_values.size(); ++i) {
            std::uint64_t key = fileUnknown | (static_cast<std::uint64_t>(i + 1) << 16);
            giveUnknowns(m_values[i]->type, key);
        }
        MadeGraph made;
        made.graph = Graph::build(std::make_shared<const Header>(std::move(header)),
                                  {m_bodies.begin(), m_bodies.end()},
                                  {m_values.begin(), m_values.end()},
                                  {m_nodes.begin(), m_nodes.end()});
        made.problems = std::move(m_problems);
        made.valueInfos = std::move(m_infos);
        return made;
    }

private:
    template <class Record>
    Record& at(const std::vector<std::shared_ptr<Record>>& list, std::uint32_t id) const
    {
        return *list[id - 1];
    }

    ValueId addValue(BodyId body, std::string_view name, std::size_t position, NodeId node)
    {
        auto value = std::make_shared<Value>();
        if (!m_source.numbersAreNoNames || !name.starts_with('%'))
            value->name = name;
        value->body = body;
        m_values.push_back(std::move(value));
        m_makers.push_back(node);
        const ValueId id{static_cast<std::uint32_t>(m_values.size())};
        if (name.empty())
            return id;
        const ValueId before = m_scopes[body.value - 1].last(name);
        if (m_scopes[body.value - 1].define(name, position, id))
            return id;
        if (node && !m_error)
            m_error = assignedTwice(name, m_makers[before.value - 1], node);
        m_problems.push_back({node, Message("model.duplicate-name", {{"name", std::string(name)}})});
        return id;
    }

    // Two inputs or initializers of one name can be told apart, since readers mean the later one. A
    // node that writes a name which stands already makes a graph of two meanings.
    Error assignedTwice(std::string_view name, NodeId first, NodeId second) const
    {
        const auto text = [this](NodeId id) {
            const Node& node = at(m_nodes, id.value);
            const std::size_t number = m_indices[id.value - 1] + 1;
            return node.op.type + (node.name.empty() ? " #" + std::to_string(number) : " " + node.name);
        };
        const std::string value(name);
        Message message =
            first == second
                ? Message("model.written-twice-by-one", {{"name", value}, {"node", text(second)}})
            : first ? Message("model.written-twice",
                              {{"name", value}, {"first", text(first)}, {"second", text(second)}})
                    : Message("model.given-and-written", {{"name", value}, {"node", text(second)}});
        return {ErrorCode::invalidModel, std::move(message), {}, {}};
    }

    // Ids for a body and all that stands in it.
    BodyId declare(BodySource& source, NodeId owner)
    {
        m_bodies.push_back(std::make_shared<Body>(std::move(source.body)));
        m_scopes.emplace_back();
        m_infos.emplace_back();
        const BodyId id{static_cast<std::uint32_t>(m_bodies.size())};
        at(m_bodies, id.value).owner = owner;
        m_scopes.back().reserve(source.inputs.size() + source.initializers.size() +
                                source.nodes.size());
        std::vector<ValueId> inputs, initializers;
        for (const ValueSource& input : source.inputs) {
            inputs.push_back(addValue(id, input.name, 0, {}));
            Value& value = at(m_values, inputs.back().value);
            value.isInput = true;
            value.type = input.type;
            value.docString = input.docString;
        }
        for (const InitializerSource& initializer : source.initializers) {
            ValueId of = m_scopes[id.value - 1].first(initializer.name);
            if (!of || at(m_values, of.value).isInitializer())
                of = addValue(id, initializer.name, 0, {});
            Value& value = at(m_values, of.value);
            value.constant = initializer.tensor;
            value.sparse = initializer.sparse;
            if (value.docString.empty())
                value.docString = initializer.docString;
            initializers.push_back(of);
        }
        Body& body = at(m_bodies, id.value);
        body.inputs = std::move(inputs);
        body.initializers = std::move(initializers);
        // Not in steps of a body: a model may have very many of them.
        if (m_nodes.capacity() < m_nodes.size() + source.nodes.size())
            m_nodes.reserve(std::max(m_nodes.size() * 2, m_nodes.size() + source.nodes.size()));
        for (std::size_t i = 0; i < source.nodes.size(); ++i)
            declare(source.nodes[i], id, i);
        describe(source, id);
        return id;
    }

    void declare(NodeSource& source, BodyId body, std::size_t index)
    {
        auto node = std::make_shared<Node>(std::move(source.node));
        m_nodes.push_back(node);
        m_indices.push_back(index);
        const NodeId id{static_cast<std::uint32_t>(m_nodes.size())};
        node->body = body;
        node->order = (index + 1) * orderGap;
        node->outputs.reserve(source.outputs.size());
        for (const std::string& name : source.outputs)
            node->outputs.push_back(name.empty() ? ValueId{} : addValue(body, name, index + 1, id));
        for (BodySource& inner : source.bodies)
            node->bodies.push_back(declare(inner, id));
        if (node->bodies.empty())
            return;
        for (std::uint32_t i = id.value + 1; node->region && i <= m_nodes.size(); ++i) {
            const std::size_t place = m_indices[i - 1];
            if (m_nodes[i - 1]->body == node->bodies[0] && place < source.regionRoles.size())
                node->region->roles.emplace_back(NodeId{i}, source.regionRoles[place]);
        }
        const auto bodyOf = [&node](BodyId k) {
            return k.value >= 1 && k.value <= node->bodies.size() ? node->bodies[k.value - 1]
                                                                  : BodyId{};
        };
        for (Attribute attribute : Attributes(node->attributes)) {
            if (auto* one = std::get_if<BodyId>(&attribute.value))
                *one = bodyOf(*one);
            else if (auto* many = std::get_if<std::vector<BodyId>>(&attribute.value))
                for (BodyId& each : *many)
                    each = bodyOf(each);
            else
                continue;
            node->attributes.set(std::move(attribute));
        }
    }

    // Types that the body declares: of its outputs, then of what stands between.
    void describe(const BodySource& source, BodyId id)
    {
        const Scope& scope = m_scopes[id.value - 1];
        const auto apply = [&](const ValueSource& info, ValueId of) {
            if (!of)
                return;
            Value& value = at(m_values, of.value);
            if (!value.type.isKnown())
                value.type = info.type;
            if (value.docString.empty())
                value.docString = info.docString;
        };
        for (const ValueSource& output : source.outputs)
            apply(output, scope.last(output.name));
        auto& described = m_infos[id.value - 1];
        for (const ValueSource& info : source.valueInfos) {
            described.push_back(scope.last(info.name));
            apply(info, described.back());
        }
        for (const ValueId initializer : at(m_bodies, id.value).initializers) {
            Value& value = at(m_values, initializer.value);
            if (value.type.isKnown())
                continue;
            if (value.constant)
                value.type = Type::tensor(value.constant->dtype(),
                                          Shape::ofSizes(value.constant->shape()));
            else if (value.sparse && value.sparse->values) {
                value.type = Type::tensor(value.sparse->values->dtype(),
                                          Shape::ofSizes(value.sparse->shape));
                value.type.kind = Type::Kind::sparseTensor;
            }
        }
    }

    ValueId find(std::string_view name) const
    {
        for (auto level = m_stack.rbegin(); level != m_stack.rend(); ++level) {
            if (const ValueId id = m_scopes[level->first.value - 1].before(name, level->second))
                return id;
        }
        for (auto level = m_stack.rbegin(); level != m_stack.rend(); ++level) {
            if (const ValueId id = m_scopes[level->first.value - 1].first(name))
                return id;
        }
        return {};
    }

    Result<void> resolve(const BodySource& source, BodyId id)
    {
        m_stack.emplace_back(id, 0);
        // The nodes of a body have rising ids, with those of inner bodies between.
        for (const NodeSource& nodeSource : source.nodes) {
            Node& node = *m_nodes[m_next];
            const NodeId nodeId{static_cast<std::uint32_t>(++m_next)};
            m_stack.back().second = m_indices[nodeId.value - 1] + 1;
            node.inputs.reserve(nodeSource.inputs.size());
            for (const std::string& name : nodeSource.inputs) {
                const ValueId input = name.empty() ? ValueId{} : find(name);
                if (!input && !name.empty())
                    return fail(
                        ErrorCode::invalidModel,
                        Message("model.undefined-name", {{"name", name}, {"reader", textOf(node)}}),
                        nodeId);
                node.inputs.push_back(input);
            }
            for (std::size_t i = 0; i < nodeSource.bodies.size(); ++i)
                FUSESCOPE_TRY(resolve(nodeSource.bodies[i], node.bodies[i]));
        }
        m_stack.back().second = source.nodes.size() + 1;
        Body& body = at(m_bodies, id.value);
        for (const ValueSource& output : source.outputs) {
            const ValueId value = output.name.empty() ? ValueId{} : find(output.name);
            if (!value && !output.name.empty())
                return fail(ErrorCode::invalidModel,
                            Message("model.undefined-graph-output",
                                    {{"name", output.name}, {"graph", body.name}}));
            body.outputs.push_back(value);
        }
        m_stack.pop_back();
        return {};
    }

    // The node of the value's body that reads it: the reader, or what the reader stands in.
    NodeId readerIn(BodyId body, NodeId reader) const
    {
        while (reader && at(m_nodes, reader.value).body != body)
            reader = at(m_bodies, at(m_nodes, reader.value).body.value).owner;
        return reader;
    }

    template <class Visit>
    void eachDependency(Visit visit) const
    {
        const auto reading = [&](ValueId value, NodeId reader) {
            const NodeId maker = value ? m_makers[value.value - 1] : NodeId{};
            if (!maker)
                return;
            const NodeId after = readerIn(at(m_values, value.value).body, reader);
            if (after)
                visit(maker, after);
        };
        for (std::uint32_t i = 1; i <= m_nodes.size(); ++i) {
            for (const ValueId input : m_nodes[i - 1]->inputs)
                reading(input, NodeId{i});
        }
        for (const auto& body : m_bodies) {
            for (const ValueId output : body->outputs)
                reading(output, body->owner);
        }
    }

    Result<void> sort()
    {
        std::unordered_map<BodyId, NodeId> unsorted; // and the first reader that comes too early
        eachDependency([&](NodeId maker, NodeId reader) {
            if (m_indices[maker.value - 1] >= m_indices[reader.value - 1])
                unsorted.emplace(at(m_nodes, reader.value).body, reader);
        });
        if (unsorted.empty())
            return {};
        std::vector<std::vector<NodeId>> readers(m_nodes.size());
        std::vector<std::uint32_t> waits(m_nodes.size(), 0);
        eachDependency([&](NodeId maker, NodeId reader) {
            readers[maker.value - 1].push_back(reader);
            ++waits[reader.value - 1];
        });
        for (std::uint32_t b = 1; b <= m_bodies.size(); ++b) {
            const auto found = unsorted.find(BodyId{b});
            if (found == unsorted.end())
                continue;
            m_problems.push_back({found->second, Message("model.unsorted")});
            FUSESCOPE_TRY(sort(BodyId{b}, readers, waits));
        }
        return {};
    }

    Result<void> sort(BodyId body, const std::vector<std::vector<NodeId>>& readers,
                      std::vector<std::uint32_t>& waits)
    {
        // By file order among those that are ready.
        std::priority_queue<NodeId, std::vector<NodeId>, std::greater<>> ready;
        std::size_t left = 0;
        for (std::uint32_t i = 1; i <= m_nodes.size(); ++i) {
            if (m_nodes[i - 1]->body != body)
                continue;
            ++left;
            if (waits[i - 1] == 0)
                ready.push(NodeId{i});
        }
        OrderKey order = 0;
        for (; !ready.empty(); --left) {
            const NodeId id = ready.top();
            ready.pop();
            at(m_nodes, id.value).order = order += orderGap;
            for (const NodeId reader : readers[id.value - 1]) {
                if (--waits[reader.value - 1] == 0)
                    ready.push(reader);
            }
        }
        if (left == 0)
            return {};
        for (std::uint32_t i = 1; i <= m_nodes.size(); ++i) {
            if (m_nodes[i - 1]->body == body && waits[i - 1] != 0)
                return fail(ErrorCode::invalidModel,
                            Message("model.cycle", {{"reader", textOf(*m_nodes[i - 1])}}),
                            NodeId{i});
        }
        return {};
    }

    ModelSource m_source;
    std::vector<std::shared_ptr<Node>> m_nodes; // id − 1
    std::vector<std::shared_ptr<Value>> m_values;
    std::vector<std::shared_ptr<Body>> m_bodies;
    std::vector<Scope> m_scopes;                // by body
    std::vector<std::vector<ValueId>> m_infos;  // by body
    std::vector<NodeId> m_makers;               // by value
    std::vector<std::size_t> m_indices;         // by node: its place in its body
    std::vector<std::pair<BodyId, std::size_t>> m_stack;
    std::size_t m_next = 0;
    std::vector<MakeProblem> m_problems;
    std::optional<Error> m_error; // the first
};

} // namespace

Result<MadeGraph> makeGraph(ModelSource source)
{
    return Maker(std::move(source)).make();
}

} // namespace fusescope
