#pragma once

#include "ui/panels/step_formula.h"

#include <QWidget>

class QStandardItemModel;
class QTreeView;
class QVBoxLayout;

namespace fusescope {

class AppState;
class ChannelBars;
class ChoiceBox;
class Formula;
class KernelSlice;
class PlainLabel;

// The formula of a step in general, then with the numbers of a chosen channel or at a chosen x.
class ExplainPage final : public QWidget
{
    Q_OBJECT

public:
    explicit ExplainPage(AppState& state, QWidget* parent = nullptr);

    // The step to explain for a node: the one at B if it concerns the node, else the last one; 0 if
    // there is none.
    int stepFor(NodeId node) const;
    void show(int step);
    // A channel, or which of a function's places.
    void choose(int index);
    int step() const { return m_step; }
    const std::optional<StepFormula>& formula() const { return m_formula; }
    // What stands in the lines with numbers.
    QStringList lines() const;

private:
    void makeParts();
    void refreshNumbers();
    void refreshTensors(const std::vector<FormulaTensor>& tensors);
    void setLines(QVBoxLayout* layout, std::vector<Formula*>& lines,
                  const std::vector<Expression>& expressions, TextScale scale);

    AppState& m_state;
    int m_step = 0;
    int m_generation = -1;
    std::optional<StepFormula> m_formula;
    PlainLabel* m_headline;
    PlainLabel* m_words;
    PlainLabel* m_choiceName;
    ChoiceBox* m_choice;
    PlainLabel* m_of;
    QVBoxLayout* m_generalLayout;
    QVBoxLayout* m_linesLayout;
    std::vector<Formula*> m_general, m_lines; // those that are not needed are hidden
    int m_shownLines = 0;
    PlainLabel* m_note;
    QWidget* m_barsPart;
    PlainLabel* m_barsTitle;
    ChannelBars* m_bars;
    KernelSlice* m_slice;
    QStandardItemModel* m_model;
    QTreeView* m_tensors;
    PlainLabel* m_check;
};

} // namespace fusescope
