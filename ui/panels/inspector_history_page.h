#pragma once

#include "base/ids.h"

#include <QWidget>

#include <set>

class QStandardItemModel;
class QTreeView;

namespace fusescope {

class AppState;

// What happened to a node over all steps: the nodes of the file that it stands for, each rewrite
// that touched it, and what stands for it now.
class HistoryPage final : public QWidget
{
    Q_OBJECT

public:
    explicit HistoryPage(AppState& state, QWidget* parent = nullptr);

    bool hasContent(NodeId node) const;
    void show(NodeId node);

private:
    // The node, what it stands for and what stands for it.
    std::set<NodeId> family(NodeId node) const;
    void activate(const QModelIndex& index);

    AppState& m_state;
    QStandardItemModel* m_model;
    QTreeView* m_view;
};

} // namespace fusescope
