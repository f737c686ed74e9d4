#pragma once

#include "ui/panels/explain_batchnorm.h"

#include <QWidget>

class QSpinBox;
class QStandardItemModel;
class QTreeView;

namespace fusescope {

class AppState;
class ChannelBars;
class Formula;
class KernelSlice;
class PlainLabel;

// How a BatchNormalization disappears into a convolution: the formula in general, then with the
// numbers of a chosen channel.
class ExplainPage final : public QWidget
{
    Q_OBJECT

public:
    explicit ExplainPage(AppState& state, QWidget* parent = nullptr);

    // The step to explain for a node: the one at B if it concerns the node, else the last one; 0 if
    // there is none.
    int stepFor(NodeId node) const;
    // Explains the step that took `node` away.
    void show(int step);
    void setChannel(int channel);
    int step() const { return m_step; }
    const std::optional<BatchnormFold>& fold() const { return m_fold; }

private:
    void makeParts();
    void refreshChannel();
    void refreshTensors();

    AppState& m_state;
    int m_step = 0;
    int m_generation = -1;
    std::optional<BatchnormFold> m_fold;
    PlainLabel* m_headline;
    PlainLabel* m_words;
    QSpinBox* m_channel;
    PlainLabel* m_of;
    Formula* m_weightFormula;
    Formula* m_biasFormula;
    Formula* m_scaleLine;
    Formula* m_weightLine;
    Formula* m_biasLine;
    PlainLabel* m_note;
    ChannelBars* m_bars;
    KernelSlice* m_slice;
    QStandardItemModel* m_model;
    QTreeView* m_tensors;
    PlainLabel* m_check;
};

} // namespace fusescope
