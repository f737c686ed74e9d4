#include "ui/panels/inspector_history_page.h"

#include "ui/app_state.h"
#include "ui/names.h"
#include "ui/panels/panel_parts.h"
#include "ui/theme/row_delegate.h"

#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace fusescope {

namespace {

enum HistoryRole : int { StepOfRow = Qt::UserRole + 0x600, NodeOfRow };

} // namespace

HistoryPage::HistoryPage(AppState& state, QWidget* parent)
    : QWidget(parent), m_state(state), m_model(new QStandardItemModel(this))
{
    const parts::Rows rows =
        parts::makeRows(m_model, false, tr("What happened to the selected node"), this);
    m_view = rows.view;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, space::glyph, 0, 0);
    layout->addWidget(m_view);
    connect(m_view, &QTreeView::activated, this, &HistoryPage::activate);
    connect(m_view, &QTreeView::clicked, this, &HistoryPage::activate);
}

std::set<NodeId> HistoryPage::family(NodeId id) const
{
    const UnionGraph& all = m_state.timeline()->unionGraph;
    std::set<NodeId> members{id};
    const auto addOrigins = [&](NodeId of) {
        const std::vector<NodeId> originals = parts::standsFor(m_state, of);
        members.insert(originals.begin(), originals.end());
    };
    addOrigins(id);
    // While Predict is on, nobody is told what the node will be joined with.
    for (const NodeId heir : all.standsForAt(id, parts::lastTold(m_state))) {
        members.insert(heir);
        addOrigins(heir);
    }
    return members;
}

bool HistoryPage::hasContent(NodeId node) const
{
    return node && m_state.timeline()->unionGraph.lifespan(node);
}

void HistoryPage::show(NodeId id)
{
    m_model->clear();
    const Timeline& timeline = *m_state.timeline();
    const UnionGraph& all = timeline.unionGraph;
    const std::set<NodeId> members = family(id);
    const auto add = [&](int step, Mark mark, const QString& words, NodeId node) {
        QStandardItem* row = parts::item(words);
        row->setData(step >= 0 ? QString::number(step) : QString(), NumberRole);
        row->setData(QVariant::fromValue(mark), MarkRole);
        row->setData(step, StepOfRow);
        row->setData(node.value, NodeOfRow);
        row->setData(words, WholeTextRole);
        row->setData(step == m_state.b(), CurrentRole);
        row->setData(step > m_state.b(), MutedRole);
        m_model->appendRow(row);
    };
    for (const NodeId member : members) {
        const Lifespan* life = all.lifespan(member);
        if (life && life->first == 0)
            add(0, Mark::none, tr("%1 %2 in the file").arg(parts::operatorName(m_state, member),
                                                         names::besideOperator(m_state, member)),
                member);
    }
    for (int number = 1; number <= parts::lastTold(m_state); ++number) {
        const Step& step = *timeline.steps[static_cast<std::size_t>(number - 1)];
        Mark mark = Mark::none;
        NodeId node;
        for (const NodeId member : members) {
            const Lifespan* life = all.lifespan(member);
            if (!life)
                continue;
            const bool made = life->first == number;
            const bool gone = life->last >= 0 && life->last + 1 == number;
            const bool changed = std::find(life->changedAt.begin(), life->changedAt.end(), number)
                                 != life->changedAt.end();
            if (!made && !gone && !changed)
                continue;
            // Of several, what appeared says most.
            if (made || mark == Mark::none) {
                mark = made ? Mark::added : gone ? Mark::removed : Mark::changed;
                node = member;
            }
        }
        if (mark != Mark::none)
            add(number, mark, m_state.sentence(step.title, m_state.graphAt(number - 1).get()), node);
    }
    const Lifespan* life = all.lifespan(id);
    if (life && life->last >= 0 && parts::lastTold(m_state) == timeline.size()) {
        for (const NodeId heir : all.standsForAt(id, timeline.size()))
            add(timeline.size(), Mark::current,
                tr("in the end: %1 %2").arg(parts::operatorName(m_state, heir),
                                            names::besideOperator(m_state, heir)),
                heir);
    }
}

void HistoryPage::activate(const QModelIndex& index)
{
    const int step = index.data(StepOfRow).toInt();
    const NodeId node{index.data(NodeOfRow).toUInt()};
    if (step < 0)
        return;
    if (step == 0) {
        m_state.goToOriginal(node);
        return;
    }
    m_state.goTo(node, step);
}

} // namespace fusescope
