#pragma once

#include "ui/panel.h"

class QStackedWidget;
class QStandardItemModel;
class QTreeView;

namespace fusescope {

class EmptyState;
class PillLabel;
class PlainLabel;

// How long each node takes before and after, by which kernel, and whether it is fused.
class ProfilePanel final : public Panel
{
    Q_OBJECT

public:
    ProfilePanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

    QStandardItemModel* model() const { return m_model; }

private:
    void refresh();
    void fill(const PlanProfile& before, const PlanProfile& after, int step);

    EmptyState* m_empty;
    QStackedWidget* m_stack;
    PlainLabel* m_before;
    PlainLabel* m_after;
    PillLabel* m_ratio;
    PlainLabel* m_how;
    QStandardItemModel* m_model;
    QTreeView* m_table;
};

} // namespace fusescope
