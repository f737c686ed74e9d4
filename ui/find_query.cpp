#include "ui/find_query.h"

#include "session/card.h"
#include "ui/panels/value_text.h"

#include <algorithm>
#include <set>

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
    for (const ValueId output : node.outputs) {
        if (!output)
            continue;
        for (const Use& use : graph.uses(output)) {
            if (use.node && std::find(all.begin(), all.end(), use.node) == all.end())
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
    const QString type = str(node.region ? node.region->kind : node.op.type);
    return type.compare(wanted, Qt::CaseInsensitive) == 0 ||
           (!node.op.isStandard() &&
            str(node.op.domain + "." + node.op.type).compare(wanted, Qt::CaseInsensitive) == 0);
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

std::vector<std::vector<NodeId>> FindQuery::chains(const Graph& graph, NodeId first,
                                                   bool gaps) const
{
    struct Partial
    {
        std::vector<NodeId> nodes;
        qsizetype links = 1;
        bool gap = false;
    };
    std::vector<std::vector<NodeId>> found;
    const Node* begin = graph.node(first);
    if (!isChain() || !begin || !isOperator(*begin, 0))
        return found;
    std::vector<Partial> open{{{first}, 1, false}};
    std::size_t looked = 0;
    while (!open.empty() && found.size() < mostChains && ++looked < mostChains * 64) {
        const Partial partial = std::move(open.back());
        open.pop_back();
        if (partial.links == m_chain.size()) {
            if (partial.gap == gaps)
                found.push_back(partial.nodes);
            continue;
        }
        const std::vector<NodeId> readers = consumers(graph, *graph.node(partial.nodes.back()));
        for (auto reader = readers.rbegin(); reader != readers.rend(); ++reader) {
            Partial next = partial;
            next.nodes.push_back(*reader);
            if (isOperator(*graph.node(*reader), partial.links)) {
                ++next.links;
                open.push_back(std::move(next));
            } else if (gaps && !partial.gap) {
                next.gap = true;
                open.push_back(std::move(next));
            }
        }
    }
    return found;
}

Found findIn(const Graph& graph, const FindQuery& query, std::size_t most)
{
    Found found;
    if (query.isEmpty() || query.isBroken())
        return found;
    if (query.isChain()) {
        std::vector<std::vector<NodeId>> near;
        for (const NodeId id : graph.allNodes()) {
            if (found.hits.size() >= most)
                break;
            for (auto& chain : query.chains(graph, id, false))
                found.hits.push_back(std::move(chain));
            for (auto& chain : query.chains(graph, id, true)) {
                if (near.size() < most)
                    near.push_back(std::move(chain));
            }
        }
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
        for (const Body* body = graph.body(node.body); body && body->kind == Body::Kind::region;) {
            id = body->owner;
            const Node* owner = graph.node(id);
            body = owner ? graph.body(owner->body) : nullptr;
        }
        if (taken.insert(id).second)
            found.hits.push_back({id});
    }
    return found;
}

} // namespace fusescope
