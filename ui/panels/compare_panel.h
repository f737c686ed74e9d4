#pragma once

#include "ui/panel.h"

class QPushButton;
class QStackedWidget;
class QStandardItemModel;
class QTreeView;

namespace fusescope {

class EmptyState;
class LogChart;
class ElidedLabel;
class PlainLabel;
class VerdictStrip;

// Outputs and intermediates before and after on the same inputs, worst first, and where they first
// came apart.
class ComparePanel final : public Panel
{
    Q_OBJECT

public:
    ComparePanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

    // Whether a verdict is shown: only for its own pair.
    bool showsResult() const;
    QStandardItemModel* model() const { return m_model; }
    QString headline() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitColumns();
    QWidget* makeStrip();
    void refresh();
    void refreshStrip(const AppState::CompareResult& result);
    void refreshTable(const AppState::CompareResult& result);
    void addGroup(const QString& title, std::vector<TensorComparison> tensors);
    void activate(const QModelIndex& index);

    EmptyState* m_empty;
    QStackedWidget* m_stack;
    VerdictStrip* m_strip;
    PlainLabel* m_headline;
    PlainLabel* m_sentence;
    ElidedLabel* m_terms;
    QPushButton* m_run;
    QPushButton* m_find;
    QPushButton* m_open;
    QPushButton* m_skip;
    QPushButton* m_set;
    LogChart* m_chart;
    QStandardItemModel* m_model;
    QTreeView* m_table;
    bool m_compareAgain = false; // when the passes have ended
    StepPair m_againPair;
    bool m_againAtEnd = false; // up to the last step, whatever its number is then
};

} // namespace fusescope
