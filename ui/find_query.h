#pragma once

#include "model/graph.h"

#include <QRegularExpression>
#include <QString>
#include <QStringList>

#include <optional>
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

private:
    bool contains(const std::string& words) const;
    bool isOperator(const Node& node, qsizetype link) const;

    QString m_text;
    bool m_regex = false;
    bool m_broken = false;
    QRegularExpression m_expression;
    QStringList m_chain;
};

// All that a query finds in one state.
struct Found
{
    std::vector<std::vector<NodeId>> hits; // each: the node, or the nodes of a chain
    std::size_t near = 0;                  // of them the last ones are near misses
};
// A node inside a region is found as the region that holds it.
Found findIn(const Graph& graph, const FindQuery& query, std::size_t most = 10000);

} // namespace fusescope
