#pragma once

#include "ui/panel.h"

#include <QTimer>

class QLabel;
class QStackedWidget;

namespace fusescope {

class ElidedLabel;
class LinkLabel;
class ExplainPage;
class HistoryPage;
class EmptyState;
class NodePage;
class PillLabel;
class SegmentedSwitch;
class TensorsPage;

// What is selected: the operator with all that belongs to it, its tensors, what its fusion computes
// and what happened to it. With nothing selected, the model.
class InspectorPanel final : public Panel
{
    Q_OBJECT

public:
    enum Page { node, tensors, explain, history };

    InspectorPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

    void showPage(Page page);
    Page page() const { return m_page; }
    bool hasPage(Page page) const;
    // The formula was asked for: it wants a wider panel.
    bool isTeaching() const { return m_wanted == explain; }

Q_SIGNALS:
    void teachingChanged(bool on);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void choosePage();

    QWidget* m_head = nullptr;
    EmptyState* m_empty = nullptr; // without a model
    QLabel* m_sign;
    ElidedLabel* m_title;
    PillLabel* m_state;
    ElidedLabel* m_name;
    LinkLabel* m_became;
    QWidget* m_copy;
    QWidget* m_pages;
    SegmentedSwitch* m_switch;
    QStackedWidget* m_stack;
    NodePage* m_nodePage;
    TensorsPage* m_tensorsPage;
    ExplainPage* m_explainPage;
    HistoryPage* m_historyPage;
    Page m_page = node;   // on show
    Page m_wanted = node; // what was chosen last, kept from node to node
    std::vector<Page> m_segments;
    QString m_wholeName;
    QTimer m_late; // while steps are added, many timelines come a second
};

} // namespace fusescope
