#pragma once

#include "ui/panel.h"

class QLabel;
class QStackedWidget;
class QTreeView;

namespace fusescope {

class ChangesModel;
class EmptyState;
class LinkLabel;

// What the shown step or range changed; a click scrolls the graph to it.
class ChangesPanel final : public Panel
{
    Q_OBJECT

public:
    ChangesPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

    QTreeView& tree() const { return *m_tree; }

private:
    void refresh();
    QString savedBy(int number) const;

    ChangesModel* m_model;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QTreeView* m_tree;
    QLabel* m_cameAndWent;
    LinkLabel* m_showAll;
};

} // namespace fusescope
