#pragma once

#include "ui/panel.h"

class QStackedWidget;
class QVBoxLayout;

namespace fusescope {

class EmptyState;

// Why not fused? For one selected node or two: the verdict, each condition with what it saw, and
// what would unblock it.
class WhyPanel final : public Panel
{
    Q_OBJECT

public:
    WhyPanel(AppState& state, Actions& actions, QWidget* parent = nullptr);

    // The headline of the first verdict; empty while nothing is answered.
    QString verdict() const { return m_verdict; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void addFusions(); // what m_fusions says
    // Where both stand, nearest to B; -1 if nowhere.
    int stepOf(NodeId a, NodeId b) const;
    void ask(NodeId a, NodeId b, int step);
    int fusedBy(const Explanation& explanation) const; // 0: by no step
    QString fateOf(const Explanation& explanation) const;
    void showPair(const PairExplanation& answer, const Graph& graph);
    void showNode(const std::vector<Explanation>& answers, const Graph& graph);
    void addChip(QChar letter, NodeId node);
    void addVerdict(Mark mark, Tone tone, const QString& headline, const QString& sentence);
    // `whenLegal`: why what is legal is no step yet, where that is known.
    void addExplanation(const Explanation& explanation, const Graph& graph,
                        const QString& whenLegal = {});
    void addFixes(const MissReason& miss, const Graph& graph);
    void addLink(const QString& words, std::function<void()> action);

    EmptyState* m_empty;
    QStackedWidget* m_stack;
    QVBoxLayout* m_layout;
    QString m_verdict;
    std::vector<int> m_fusions; // steps that fused what is selected
    Message m_removal; // says of the one step there that it fused nothing
    int m_step = 0; // whose graph is asked about
    bool m_stale = true;
};

} // namespace fusescope
