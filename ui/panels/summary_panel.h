#pragma once

#include "ui/panel.h"

#include <QTimer>

class QStackedWidget;
class QStandardItemModel;
class QTreeView;

namespace fusescope {

class EmptyState;

// Operator counts and whole-model figures before, after and their change.
class SummaryPanel final : public Panel
{
    Q_OBJECT

public:
    SummaryPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

    QStandardItemModel* operators() const { return m_operators; }
    QStandardItemModel* figures() const { return m_figures; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Pair
    {
        ModelFigures before, after;
    };
    void request();
    bool isHidden(StepPair steps) const; // by Predict
    void sayWhyEmpty();
    void fill(StepPair steps, const Pair& pair);
    void fillOperators(const Pair& pair);
    void fillFigures(StepPair steps, const Pair& pair);
    void addFigure(const QString& name, const QString& before, const QString& after,
                   const QString& change);

    EmptyState* m_empty;
    QStackedWidget* m_stack;
    QStandardItemModel* m_operators;
    QStandardItemModel* m_figures;
    QTreeView* m_operatorView;
    QTreeView* m_figureView;
    QTimer m_late; // held keys move the cursor faster than figures are counted
    std::map<int, ModelFigures> m_known; // by step
    int m_generation = -1;
};

} // namespace fusescope
