#include "ops/graph_reader.h"
#include "ops/input_checks.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace fusescope {

namespace {

class GraphInference
{
public:
    explicit GraphInference(const Graph& graph)
        : m_graph(graph), m_reader(graph), m_known(graph.valueLimit())
    {
    }

    Result<InferredGraph> run(const std::stop_token& stop)
    {
        for (const BodyId body : m_graph.bodies()) {
            const Body& b = *m_graph.body(body);
            // Inner bodies are inferred with the node that owns them.
            if (b.kind != Body::Kind::main && b.kind != Body::Kind::function)
                continue;
            for (const ValueId initializer : b.initializers)
                note(initializer, knownValue(m_reader, initializer));
            for (const NodeId node : *m_graph.nodes(body)) {
                if (stop.stop_requested())
                    return cancelled();
                infer(node);
            }
        }
        checkTypes();
        InferredGraph result;
        result.problems = std::move(m_problems);
        for (std::uint32_t i = 0; i < m_known.size(); ++i) {
            if (m_known[i])
                addSlot(ValueId{i}, *m_known[i], result);
        }
        std::ranges::stable_sort(result.problems, {}, [](const InferenceProblem& p) {
            return std::pair{p.node, p.value};
        });
        return result;
    }

private:
    KnownValue known(ValueId id) const
    {
        const bool isKnown = id.value < m_known.size() && m_known[id.value];
        return isKnown ? *m_known[id.value] : knownValue(m_reader, id);
    }

    void note(ValueId id, KnownValue found)
    {
        if (id.value < m_known.size())
            m_known[id.value] = std::move(found);
    }

    void infer(NodeId id)
    {
        const Node& node = *m_graph.node(id);
        const auto outputs = inferNode(
            m_reader, id, node, [this](ValueId value) { return known(value); },
            [this](ValueId value, const KnownValue& found) { note(value, found); });
        if (!outputs) {
            const NodeId failed = outputs.error().node ? outputs.error().node : id;
            const Node* at = m_graph.node(failed);
            m_problems.push_back({failed, ValueId{},
                                  withValueName(outputs.error(), at ? *at : node).message});
            return;
        }
        for (std::size_t i = 0; i < node.outputs.size() && i < outputs->size(); ++i) {
            const ValueId output = node.outputs[i];
            const Value* value = m_graph.value(output);
            if (!value)
                continue;
            KnownValue found = (*outputs)[i];
            bool contradiction = false;
            Type inferred = found.type;
            found.type = mergeTypes(value->type, inferred, &contradiction);
            if (contradiction)
                m_problems.push_back({id, output,
                                      Message("ops.declared-contradicts",
                                              {{"value", output},
                                               {"declared", value->type.text()},
                                               {"inferred", inferred.text()}})});
            note(output, std::move(found));
        }
    }

    // What an operator would not take; a node that failed has told already.
    void checkTypes()
    {
        std::set<NodeId> failed;
        for (const InferenceProblem& problem : m_problems)
            failed.insert(problem.node);
        for (const NodeId id : m_graph.allNodes()) {
            const Node& node = *m_graph.node(id);
            if (!failed.contains(id)) {
                checkInputTypesOf(id, node);
                if (auto differ = differingBranches(m_graph, node, [this](ValueId value) {
                        return known(value).type;
                    }))
                    m_problems.push_back({id, ValueId{}, *std::move(differ)});
            }
        }
    }

    void checkInputTypesOf(NodeId id, const Node& node)
    {
        const OpSchema* schema = m_graph.schema(node);
        if (!schema)
            return;
        std::vector<Type> types;
        for (const ValueId input : node.inputs)
            types.push_back(input ? known(input).type : Type());
        if (const auto fits = checkInputTypes(*schema, node, id, types); !fits)
            m_problems.push_back({id, ValueId{}, fits.error().message});
    }

    void addSlot(ValueId id, const KnownValue& known, InferredGraph& result) const
    {
        const ValuePtr& before = m_graph.valuePtr(id);
        if (!before)
            return;
        Type type = isPublicOutput(id) ? mergePublic(before->type, known.type) : known.type;
        if (before->isInput && before->body == m_graph.mainBody())
            type = before->type.isKnown() ? before->type : type;
        const ShapeData data = known.data ? known.data : before->data;
        if (type == before->type && data == before->data)
            return;
        auto after = std::make_shared<Value>(*before);
        after->type = std::move(type);
        after->data = data;
        result.patch.values.push_back({id, before, std::move(after)});
    }

    bool isPublicOutput(ValueId id) const
    {
        const auto uses = m_graph.uses(id);
        return std::ranges::any_of(uses, [this](const Use& use) {
            return use.isBodyOutput() && use.body == m_graph.mainBody();
        });
    }

    const Graph& m_graph;
    const PlainGraphReader m_reader;
    std::vector<std::optional<KnownValue>> m_known; // by value
    std::vector<InferenceProblem> m_problems;
};

} // namespace

Result<InferredGraph> inferGraph(const Graph& graph, std::stop_token stop)
{
    return GraphInference(graph).run(stop);
}

} // namespace fusescope
