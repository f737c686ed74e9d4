#include "ui/find_query.h"

#include "session/card.h"
#include "ui/panels/value_text.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace fusescope {

namespace {

constexpr std::size_t mostChains = 64; // from one node: fan-outs multiply

QString str(const std::string& text)
{
    return QString::fromStdString(text);
}

std::vector<NodeId> consumers(const Graph& graph, const Node& node)
{
    std::vector<NodeId> all;
    std::unordered_set<NodeId> taken;
    for (const ValueId output : node.outputs) {
        if (!output)
            continue;
        for (const Use& use : graph.uses(output)) {
            if (use.node && taken.insert(use.node).second)
                all.push_back(use.node);
        }
    }
    return all;
}

} // namespace

FindQuery::FindQuery(const QString& text, bool regex) : m_text(text.trimmed()), m_regex(regex)
{
    if (m_regex) {
        m_expression = QRegularExpression(m_text, QRegularExpression::CaseInsensitiveOption);
        m_broken = !m_expression.isValid();
        return;
    }
    if (!m_text.contains(u'>'))
        return;
    QStringList links = m_text.split(u'>');
    for (QString& link : links)
        link = link.trimmed();
    links.removeAll(QString());
    if (links.size() >= 2)
        m_chain = links;
}

bool FindQuery::contains(const std::string& words) const
{
    if (m_broken || words.empty())
        return false;
    return m_regex ? m_expression.match(str(words)).hasMatch()
                   : str(words).contains(m_text, Qt::CaseInsensitive);
}

bool FindQuery::isOperator(const Node& node, qsizetype link) const
{
    const QString& wanted = m_chain[link];
    if (wanted == QStringLiteral("*"))
        return true;
    // A model has few types: each is compared once.
    const std::string& type = node.region ? node.region->kind : node.op.type;
    auto [known, isNew] = m_types.try_emplace({node.op.domain, type}, m_chain.size(), Answer::open);
    Answer& answer = known->second[static_cast<std::size_t>(link)];
    if (answer == Answer::open) {
        const bool same = str(type).compare(wanted, Qt::CaseInsensitive) == 0 ||
                          (!node.op.isStandard() && str(node.op.domain + "." + node.op.type)
                                                            .compare(wanted, Qt::CaseInsensitive) == 0);
        answer = same ? Answer::yes : Answer::no;
    }
    return answer == Answer::yes;
}

bool FindQuery::matchesNode(const Node& node, const Graph* graph) const
{
    if (isEmpty() || m_broken)
        return false;
    if (isChain())
        return isOperator(node, 0);
    if (contains(node.name) || contains(node.op.type))
        return true;
    if (node.region ? graph && contains(operatorTitle(*graph, node)) : contains(node.op.domain))
        return true;
    if (!graph)
        return false;
    for (const Attribute& attribute : node.attributes) {
        if (contains(attribute.name) ||
            contains(attribute.name + "=" + valueText(attribute, *graph).toStdString()))
            return true;
    }
    return false;
}

bool FindQuery::matches(const Node& node, const Graph& graph) const
{
    if (matchesNode(node, &graph))
        return true;
    if (isChain() || isEmpty() || m_broken)
        return false;
    for (const auto* list : {&node.inputs, &node.outputs}) {
        for (const ValueId id : *list) {
            const Value* value = id ? graph.value(id) : nullptr;
            if (value && contains(value->name))
                return true;
        }
    }
    return false;
}

// Walks forward through readers, but only where the rest of the chain follows: what a node leads to is
// asked once for each link, however many ways lead to the node.
class ChainSearch
{
public:
    ChainSearch(const Graph& graph, const FindQuery& query) : m_graph(graph), m_query(query) {}

    // As FindQuery::chains, at most `most`.
    std::vector<std::vector<NodeId>> from(NodeId first, bool gaps, std::size_t most)
    {
        m_found.clear();
        m_nodes = {first};
        m_most = most;
        const Node* begin = m_graph.node(first);
        if (begin && most > 0 && m_query.isOperator(*begin, 0) && leads({first, 1, gaps}))
            walk({first, 1, gaps});
        return std::move(m_found);
    }
    std::size_t looked() const { return m_looked; }

private:
    // `links` of the chain are found, the last of them at `node` or, across a gap, before it.
    struct Place
    {
        NodeId node;
        qsizetype links;
        bool gap; // is still to come
    };

    std::optional<Place> next(const Place& from, NodeId reader) const
    {
        if (m_query.isOperator(*m_graph.node(reader), from.links))
            return Place{reader, from.links + 1, from.gap};
        return from.gap ? std::optional(Place{reader, from.links, false}) : std::nullopt;
    }

    bool isWhole(const Place& place) const { return place.links == m_query.links(); }

    // Whether the rest of the chain follows a place. No deeper than the chain and its gap are long.
    bool leads(const Place& place)
    {
        if (isWhole(place))
            return !place.gap;
        const std::uint64_t key = (std::uint64_t{place.node.value} << 32) +
                                  static_cast<std::uint64_t>(place.links) * 2 + (place.gap ? 1 : 0);
        if (const auto known = m_leads.find(key); known != m_leads.end())
            return known->second;
        ++m_looked;
        bool found = false;
        for (const NodeId reader : consumers(m_graph, *m_graph.node(place.node))) {
            const auto on = next(place, reader);
            found = on && leads(*on);
            if (found)
                break;
        }
        m_leads.emplace(key, found);
        return found;
    }

    void walk(const Place& place)
    {
        if (isWhole(place)) {
            m_found.push_back(m_nodes);
            return;
        }
        for (const NodeId reader : consumers(m_graph, *m_graph.node(place.node))) {
            if (m_found.size() >= m_most)
                return;
            const auto on = next(place, reader);
            if (!on || !leads(*on))
                continue;
            m_nodes.push_back(reader);
            walk(*on);
            m_nodes.pop_back();
        }
    }

    const Graph& m_graph;
    const FindQuery& m_query;
    std::unordered_map<std::uint64_t, bool> m_leads;
    std::vector<NodeId> m_nodes;
    std::vector<std::vector<NodeId>> m_found;
    std::size_t m_most = 0;
    std::size_t m_looked = 0;
};

std::vector<std::vector<NodeId>> FindQuery::chains(const Graph& graph, NodeId first,
                                                   bool gaps) const
{
    return isChain() ? ChainSearch(graph, *this).from(first, gaps, mostChains)
                     : std::vector<std::vector<NodeId>>();
}

namespace {

// The node, or the fused one that holds it.
NodeId shownFor(const Graph& graph, NodeId id)
{
    for (const Body* body = graph.body(graph.node(id)->body);
         body && body->kind == Body::Kind::region;) {
        id = body->owner;
        const Node* owner = graph.node(id);
        body = owner ? graph.body(owner->body) : nullptr;
    }
    return id;
}

// The cards that a chain runs through: one where all of it went into one.
std::vector<NodeId> shownFor(const Graph& graph, std::vector<NodeId> chain)
{
    for (NodeId& id : chain)
        id = shownFor(graph, id);
    chain.erase(std::unique(chain.begin(), chain.end()), chain.end());
    return chain;
}

} // namespace

Found findIn(const Graph& graph, const FindQuery& query, std::size_t most)
{
    Found found;
    if (query.isEmpty() || query.isBroken())
        return found;
    if (query.isChain()) {
        std::vector<std::vector<NodeId>> near;
        std::set<std::vector<NodeId>> seen, seenNear;
        ChainSearch search(graph, query);
        for (const NodeId id : graph.allNodes()) {
            if (found.hits.size() >= most)
                break;
            for (auto& chain : search.from(id, false, std::min(mostChains, most - found.hits.size()))) {
                if (auto cards = shownFor(graph, std::move(chain)); seen.insert(cards).second)
                    found.hits.push_back(std::move(cards));
            }
            for (auto& chain : search.from(id, true, std::min(mostChains, most - near.size()))) {
                if (auto cards = shownFor(graph, std::move(chain)); seenNear.insert(cards).second)
                    near.push_back(std::move(cards));
            }
        }
        std::erase_if(near, [&seen](const auto& cards) { return seen.contains(cards); });
        found.looked = search.looked();
        found.near = near.size();
        found.hits.insert(found.hits.end(), near.begin(), near.end());
        return found;
    }
    std::set<NodeId> taken;
    for (NodeId id : graph.allNodes()) {
        if (found.hits.size() >= most)
            break;
        const Node& node = *graph.node(id);
        if (!query.matches(node, graph))
            continue;
        id = shownFor(graph, id);
        if (taken.insert(id).second)
            found.hits.push_back({id});
    }
    return found;
}

} // namespace fusescope
