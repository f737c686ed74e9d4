#pragma once

#include "base/ids.h"

#include <QList>
#include <QWidget>

class QVBoxLayout;

namespace fusescope {

class AppState;
class Graph;
class Section;
struct KeyValue;
struct Node;

// The operator: body and kernel of a fused one, attributes, inputs and outputs, description. For
// no node: the model.
class NodePage final : public QWidget
{
    Q_OBJECT

public:
    explicit NodePage(AppState& state, QWidget* parent = nullptr);

    void show(NodeId node);

Q_SIGNALS:
    // The page that explains what became of this node.
    void formulaRequested(fusescope::NodeId node);

private:
    void showModel();
    void addCause(NodeId id);
    void addNotes(NodeId id);
    void addBody(NodeId id);
    void addKernel(NodeId id, const Node& node);
    void addAttributes(const Graph& graph, const Node& node);
    void addPorts(const Graph& graph, const Node& node);
    void addOperator(const Graph& graph, const Node& node);
    Section* addRows(const QString& title, const QString& note, const QList<KeyValue>& rows);
    void follow(const QString& link);

    AppState& m_state;
    QVBoxLayout* m_layout;
    NodeId m_node;
};

} // namespace fusescope
