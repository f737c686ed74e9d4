#include "diff/graph_diff.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace fusescope {

namespace {

// Matches the nodes of two graphs, first by what names say, then by what stands around them.
class Matcher
{
public:
    Matcher(const Graph& a, const Graph& b) : m_a(a), m_b(b)
    {
        m_nodesA = a.allNodes();
        m_nodesB = b.allNodes();
    }

    FileDiff run()
    {
        byName();
        while (around()) {
        }
        return finish();
    }

private:
    static std::string opText(const Node& node)
    {
        return node.op.domain + '\0' + node.op.type + '\0' + node.op.overload;
    }
    bool inA(NodeId id) const { return m_toB.contains(id); }
    bool inB(NodeId id) const { return m_toA.contains(id); }

    void match(NodeId a, NodeId b, FileMatch::How how)
    {
        m_toB.emplace(a, b);
        m_toA.emplace(b, a);
        m_matches.push_back({a, b, how});
    }

    template <class Key>
    void pairUnique(const Key& keyOf, FileMatch::How how)
    {
        std::map<std::string, std::pair<std::vector<NodeId>, std::vector<NodeId>>> groups;
        for (const NodeId id : m_nodesA) {
            if (!inA(id)) {
                if (std::string key = keyOf(m_a, id, true); !key.empty())
                    groups[std::move(key)].first.push_back(id);
            }
        }
        for (const NodeId id : m_nodesB) {
            if (!inB(id)) {
                if (std::string key = keyOf(m_b, id, false); !key.empty())
                    groups[std::move(key)].second.push_back(id);
            }
        }
        for (const auto& [key, group] : groups) {
            // Equals that stand around the same nodes are taken in the order of the files.
            const bool alike = how == FileMatch::How::structure || group.first.size() == 1;
            if (!alike || group.first.size() != group.second.size())
                continue;
            for (std::size_t i = 0; i < group.first.size(); ++i)
                match(group.first[i], group.second[i], how);
        }
    }

    void byName()
    {
        const auto named = [](const Graph& graph, NodeId id, bool) {
            return graph.node(id)->name;
        };
        pairUnique(named, FileMatch::How::name);
        const auto output = [](const Graph& graph, NodeId id, bool) {
            const Value* value = graph.value(graph.node(id)->output(0));
            return value && !value->name.empty() ? opText(*graph.node(id)) + '\0' + value->name
                                                 : std::string();
        };
        pairUnique(output, FileMatch::How::name);
    }

    // What a value is, in words that mean the same in both graphs; empty while not known.
    std::string identity(const Graph& graph, ValueId id, bool isA) const
    {
        if (!id)
            return "-";
        const Value* value = graph.value(id);
        if (const NodeId maker = graph.producer(id)) {
            const NodeId known = isA ? maker : lookup(m_toA, maker);
            if (!known || (isA && !inA(maker)))
                return {};
            return "n" + std::to_string(known.value) + "." + std::to_string(graph.producerOutput(id));
        }
        if (value && value->constant)
            return "c" + std::to_string(value->constant->hash());
        return value && value->isInput ? "i" + value->name : "?";
    }

    static NodeId lookup(const std::unordered_map<NodeId, NodeId>& map, NodeId id)
    {
        const auto found = map.find(id);
        return found == map.end() ? NodeId{} : found->second;
    }

    bool around()
    {
        const std::size_t before = m_matches.size();
        const auto fromInputs = [this](const Graph& graph, NodeId id, bool isA) {
            const Node& node = *graph.node(id);
            std::string key = opText(node);
            for (const ValueId input : node.inputs) {
                const std::string part = identity(graph, input, isA);
                if (part.empty())
                    return std::string();
                key += '|' + part;
            }
            return key;
        };
        pairUnique(fromInputs, FileMatch::How::structure);
        const auto fromReaders = [this](const Graph& graph, NodeId id, bool isA) {
            const Node& node = *graph.node(id);
            std::string key = opText(node);
            bool any = false;
            for (std::size_t i = 0; i < node.outputs.size(); ++i) {
                std::vector<std::string> readers;
                for (const Use& use : graph.uses(node.outputs[i])) {
                    const NodeId reader = use.isBodyOutput() || isA ? use.node
                                                                    : lookup(m_toA, use.node);
                    if (!use.isBodyOutput() && (!reader || (isA && !inA(reader))))
                        return std::string();
                    readers.push_back(std::to_string(reader.value) + "." +
                                      std::to_string(use.index));
                    any = true;
                }
                std::ranges::sort(readers);
                for (const std::string& reader : readers)
                    key += '|' + reader;
                key += '/';
            }
            return any ? key : std::string();
        };
        pairUnique(fromReaders, FileMatch::How::structure);
        return m_matches.size() != before;
    }

    bool changed(const FileMatch& pair) const
    {
        const Node& a = *m_a.node(pair.a);
        const Node& b = *m_b.node(pair.b);
        if (a.op != b.op || a.inputs.size() != b.inputs.size()
            || a.attributes.size() != b.attributes.size())
            return true;
        for (const Attribute& attribute : a.attributes) {
            const Attribute* other = b.attributes.find(attribute.name);
            if (!other)
                return true;
            const bool holdsBodies = attribute.type == AttributeType::graph
                                     || attribute.type == AttributeType::graphs;
            if (!holdsBodies && !(*other == attribute))
                return true;
        }
        for (std::size_t i = 0; i < a.inputs.size(); ++i) {
            if (!sameOperand(a.inputs[i], b.inputs[i]))
                return true;
        }
        return false;
    }

    bool sameOperand(ValueId a, ValueId b) const
    {
        const TensorPtr left = a ? m_a.constant(a) : nullptr;
        const TensorPtr right = b ? m_b.constant(b) : nullptr;
        if (left || right)
            return left && right && left->bitwiseEquals(*right);
        const std::string known = identity(m_a, a, true);
        return !known.empty() && known == identity(m_b, b, false);
    }

    FileDiff finish()
    {
        FileDiff result;
        std::ranges::sort(m_matches, {}, &FileMatch::a);
        for (const FileMatch& pair : m_matches) {
            if (changed(pair))
                result.changed.push_back(pair);
        }
        result.matched = std::move(m_matches);
        for (const NodeId id : m_nodesA) {
            if (!inA(id))
                result.onlyA.push_back(id);
        }
        for (const NodeId id : m_nodesB) {
            if (!inB(id))
                result.onlyB.push_back(id);
        }
        return result;
    }

    const Graph& m_a;
    const Graph& m_b;
    std::vector<NodeId> m_nodesA, m_nodesB;
    std::unordered_map<NodeId, NodeId> m_toB, m_toA;
    std::vector<FileMatch> m_matches;
};

} // namespace

FileDiff diffFiles(const Graph& a, const Graph& b)
{
    return Matcher(a, b).run();
}

} // namespace fusescope
