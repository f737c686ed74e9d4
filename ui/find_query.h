#pragma once

#include "model/graph.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fusescope {

// What was typed into Find: words, a regular expression, or a chain of operators
// ("Conv>BatchNormalization>Relu").
class FindQuery
{
public:
    FindQuery() = default;
    FindQuery(const QString& text, bool regex);

    bool isEmpty() const { return m_text.isEmpty(); }
    // The regular expression is none; it finds nothing.
    bool isBroken() const { return m_broken; }
    bool isChain() const { return !m_chain.isEmpty(); }

    // By name, operator, and attribute ("group", "group=32"); a chain only by its first operator.
    bool matchesNode(const Node& node, const Graph* graph) const;
    // As matchesNode, or by the name of a value that it reads or makes.
    bool matches(const Node& node, const Graph& graph) const;

    // The nodes of each chain that begins at `first`; with `gaps`, those that have exactly one other
    // operator between two of theirs, which is among the nodes.
    std::vector<std::vector<NodeId>> chains(const Graph& graph, NodeId first, bool gaps) const;

    // How many operators a chain has, and whether a node is one of them.
    qsizetype links() const { return m_chain.size(); }
    bool isOperator(const Node& node, qsizetype link) const;

private:
    enum class Answer : char { open, yes, no };
    bool contains(const std::string& words) const;

    QString m_text;
    bool m_regex = false;
    bool m_broken = false;
    QRegularExpression m_expression;
    QStringList m_chain;
    // By domain and type: whether that is the operator of each link.
    mutable std::map<std::pair<std::string, std::string>, std::vector<Answer>> m_types;
};

// All that a query finds in one state.
struct Found
{
    std::vector<std::vector<NodeId>> hits; // each: the node, or the nodes of a chain
    std::size_t near = 0;                  // of them the last ones are near misses
    std::size_t looked = 0;                // chains: places from which the rest was looked for
};
// A node inside a region is found as the region that holds it.
Found findIn(const Graph& graph, const FindQuery& query, std::size_t most = 10000);

} // namespace fusescope
