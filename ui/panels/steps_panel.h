#pragma once

#include "ui/panel.h"

class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace fusescope {

class ElidedLabel;
class EmptyState;
class FilterEdit;
class LinkLabel;
class PredictBox;
class StepsFilter;
class StepsModel;
class StepSlider;
class StepsTree;

// The Steps dock: transport, where one is, the slider and the tree of all rewrites.
class StepsPanel final : public Panel
{
    Q_OBJECT

public:
    StepsPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

    StepsTree& tree() const { return *m_tree; }
    StepsModel& model() const { return *m_model; }
    StepSlider& slider() const { return *m_slider; }
    PredictBox& predictBox() const { return *m_predict; }
    // To the next step; while Predict is on, a guess comes first.
    void forward();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void makeTransport(QHBoxLayout* layout);
    void fitTransport();
    void makeHead(class QVBoxLayout* layout);
    void refreshAll();
    void refreshHead();
    void refreshSlider();
    void refreshTrack();
    void refreshFooter();
    void showCurrent();
    void choose(const QModelIndex& proxyIndex, bool asA);
    void fillMenu(const QPoint& at);
    QString describe(int position) const;
    QString stageCaption() const;

    QHBoxLayout* m_transport = nullptr;
    QList<QToolButton*> m_worded; // of the transport
    StepsModel* m_model;
    StepsFilter* m_filter;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QLabel* m_step;
    QLabel* m_of;
    QLabel* m_comparedWith;
    LinkLabel* m_comparedStep;
    ElidedLabel* m_title;
    ElidedLabel* m_root;
    StepSlider* m_slider;
    PredictBox* m_predict;
    FilterEdit* m_words;
    QToolButton* m_changed;
    StepsTree* m_tree;
    QWidget* m_footer;
    QLabel* m_footerText;
    LinkLabel* m_footerShow;
};

} // namespace fusescope
