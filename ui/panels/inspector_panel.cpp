#include "ui/panels/inspector_panel.h"

#include "session/card.h"
#include "ui/names.h"
#include "ui/panels/inspector_explain_page.h"
#include "ui/panels/inspector_history_page.h"
#include "ui/panels/inspector_node_page.h"
#include "ui/panels/inspector_tensors_page.h"
#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segmented_switch.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace fusescope {

using parts::str;

namespace {

constexpr int patience = 200;
constexpr int roomForStep = 400;

// What the compared pair says of a node.
Pill statePill(const AppState& state, NodeId node)
{
    const Lifespan* life = state.timeline()->unionGraph.lifespan(node);
    if (!life)
        return {};
    if (life->last >= 0 && life->last < state.b())
        return {AppState::tr("removed at step %1").arg(life->last + 1), Tone::removed,
                Mark::removed, false};
    if (life->first > state.b())
        return {AppState::tr("added at step %1").arg(life->first), Tone::neutral, Mark::coming,
                false};
    int changed = 0;
    for (const int step : life->changedAt) {
        if (step <= state.b())
            changed = step;
    }
    if (changed > 0)
        return {AppState::tr("changed at step %1").arg(changed), Tone::changed, Mark::changed,
                false};
    if (life->first > 0)
        return {AppState::tr("added at step %1").arg(life->first), Tone::added, Mark::added,
                false};
    return {};
}

// What a node that has gone by B became; none for one that stands, or left nothing or many.
NodeId heirOf(const AppState& state, NodeId node)
{
    const Lifespan* life = node ? state.timeline()->unionGraph.lifespan(node) : nullptr;
    if (!life || life->last < 0 || life->last >= state.b())
        return {};
    const auto heirs = state.timeline()->unionGraph.standsForAt(node, state.b());
    return heirs.size() == 1 ? heirs.front() : NodeId{};
}

} // namespace

InspectorPanel::InspectorPanel(AppState& state, Actions& actions, QWidget* parent)
    : Panel(state, actions, parent), m_sign(new QLabel(this)),
      m_title(new ElidedLabel({}, this)),
      m_state(new PillLabel(this)), m_name(new ElidedLabel({}, this)),
      m_became(new LinkLabel({}, false, this)),
      m_pages(new QWidget(this)), m_switch(nullptr), m_stack(new QStackedWidget(this)),
      m_nodePage(new NodePage(state)), m_tensorsPage(new TensorsPage(state)),
      m_explainPage(new ExplainPage(state)), m_historyPage(new HistoryPage(state))
{
    setAccessibleName(tr("Inspector"));
    m_title->setLook(TextScale::title, true, false);
    m_name->setLook(TextScale::small, false, true);
    m_name->setToken(Token::text2);
    auto* copy = new QToolButton(this);
    copy->setAutoRaise(true);
    copy->setIcon(icon(QStringLiteral("copy"), Token::text2));
    copy->setIconSize({14, 14});
    copy->setToolTip(text::toolTip(tr("Copy Name")));
    copy->setAccessibleName(tr("Copy Name"));
    connect(copy, &QToolButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_wholeName); });
    m_copy = copy;

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    m_head = new QWidget(this);
    auto* head = new QVBoxLayout(m_head);
    head->setContentsMargins(0, space::cell, 0, 0);
    head->setSpacing(2);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(space::section, 0, space::section, 0);
    top->addWidget(m_sign);
    top->addWidget(m_title, 1);
    top->addWidget(m_state);
    head->addLayout(top);
    auto* second = new QHBoxLayout;
    second->setContentsMargins(space::section, 0, space::control, 0);
    second->addWidget(m_name, 1);
    second->addWidget(copy);
    head->addLayout(second);
    connect(m_became, &LinkLabel::clicked, this, [this] {
        if (const NodeId heir = heirOf(this->state(), this->state().selected()))
            this->state().goTo(heir);
    });
    auto* third = new QHBoxLayout;
    third->setContentsMargins(space::section, 0, space::control, 0);
    third->addWidget(m_became, 1);
    head->addLayout(third);
    auto* pages = new QHBoxLayout(m_pages);
    pages->setContentsMargins(space::section, 2, space::section, space::control);
    head->addWidget(m_pages);
    head->addWidget(new Rule(this));
    layout->addWidget(m_head);
    layout->addWidget(m_stack, 1);
    m_stack->addWidget(parts::scroll(m_nodePage, this));
    m_stack->addWidget(parts::scroll(m_tensorsPage, this));
    m_stack->addWidget(parts::scroll(m_explainPage, this));
    m_stack->addWidget(m_historyPage);
    m_empty = new EmptyState(this);
    m_empty->setContent(QStringLiteral("find"), tr("No model"),
                        tr("Open one, then click a node, an edge or a tensor to read all about "
                           "it."));
    m_stack->addWidget(m_empty);

    connect(m_nodePage, &NodePage::formulaRequested, this, [this](NodeId folded) {
        const int step = parts::stepThatRemoved(this->state(), folded);
        if (step > 0) {
            showPage(explain);
            m_explainPage->show(step);
        }
    });
    for (const auto signal : {&AppState::sessionChanged, &AppState::cursorChanged,
                              &AppState::selectionChanged, &AppState::profileChanged,
                              &AppState::compareChanged, &AppState::predictChanged})
        connect(&state, signal, this, &InspectorPanel::refresh);
    m_late.setSingleShot(true);
    m_late.setInterval(patience);
    connect(&m_late, &QTimer::timeout, this, &InspectorPanel::refresh);
    connect(&state, &AppState::timelineChanged, this, [this] {
        if (!m_late.isActive())
            m_late.start();
    });
    connect(&theme(), &Theme::changed, this, &InspectorPanel::refresh);
    connect(actions[Act::history], &QAction::triggered, this, [this] {
        showPage(history);
        Q_EMIT showRequested();
    });
    refresh();
}

bool InspectorPanel::hasPage(Page page) const
{
    const NodeId selected = state().selected();
    switch (page) {
    case node:
        return true;
    case tensors:
        return m_tensorsPage->hasContent(selected, state().selectedValue());
    case explain:
        return m_explainPage->stepFor(selected) > 0;
    case history:
        return m_historyPage->hasContent(selected);
    }
    return false;
}

void InspectorPanel::showPage(Page page)
{
    const bool taught = isTeaching();
    m_wanted = page;
    refresh();
    if (taught != isTeaching())
        Q_EMIT teachingChanged(isTeaching());
}

void InspectorPanel::resizeEvent(QResizeEvent* event)
{
    Panel::resizeEvent(event);
    if ((event->oldSize().width() < roomForStep) != (width() < roomForStep) && m_switch
        && state().hasModel())
        choosePage();
}

void InspectorPanel::choosePage()
{
    m_page = hasPage(m_wanted) ? m_wanted : node;
    std::vector<Page> segments;
    for (const Page page : {node, tensors, explain, history}) {
        if (hasPage(page))
            segments.push_back(page);
    }
    // Beside the others its number has room only where the panel is wide.
    const QString explainText =
        width() < roomForStep ? tr("Explain")
                              : tr("Explain step %1").arg(m_explainPage->stepFor(state().selected()));
    if (segments != m_segments || !m_switch) {
        m_segments = segments;
        if (m_switch)
            m_switch->deleteLater();
        m_switch = new SegmentedSwitch(m_pages);
        m_switch->setAccessibleName(tr("Pages of the Inspector"));
        for (const Page page : segments)
            m_switch->addSegment(page == node      ? tr("Node")
                                 : page == tensors ? tr("Tensors")
                                 : page == explain ? explainText
                                                   : tr("History"),
                                 page == explain ? QStringLiteral("predict") : QString());
        auto* row = static_cast<QHBoxLayout*>(m_pages->layout());
        parts::clear(row);
        row->addWidget(m_switch);
        row->addStretch(1);
        connect(m_switch, &SegmentedSwitch::chosen, this,
                [this](int index) { showPage(m_segments[static_cast<std::size_t>(index)]); });
    }
    for (std::size_t i = 0; i < segments.size(); ++i) {
        if (segments[i] == explain)
            m_switch->setSegmentText(static_cast<int>(i), explainText);
        if (segments[i] == m_page)
            m_switch->setCurrent(static_cast<int>(i));
    }
    m_pages->setVisible(segments.size() > 1);
    m_stack->setCurrentIndex(m_page);
}

void InspectorPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    refresh();
}

void InspectorPanel::refresh()
{
    if (!isVisible())
        return;
    m_head->setVisible(state().hasModel());
    if (!state().hasModel()) {
        m_stack->setCurrentWidget(m_empty);
        return;
    }
    const NodeId selected = state().selected();
    const auto graph = state().graphOf(selected);
    const Node* record = selected ? graph->node(selected) : nullptr;
    if (selected && !record)
        record = state().timeline()->unionGraph.lastRecord(selected);
    if (record) {
        const auto category = static_cast<Category>(categoryOf(*graph, *record));
        m_sign->setPixmap((record->region ? fusedIcon(category) : icon(category))
                              .pixmap(QSize(18, 18), devicePixelRatioF()));
        m_title->setText(text::oneLine(str(operatorTitle(*graph, *record))));
        m_wholeName = record->name.empty() ? state().nameOf(selected) : str(record->name);
        m_state->setPill(statePill(state(), selected));
    } else {
        m_sign->setPixmap(icon(QStringLiteral("file")).pixmap(QSize(18, 18), devicePixelRatioF()));
        m_title->setText(text::oneLine(state().title()));
        m_wholeName = str(state().session()->path());
        m_state->setPill({});
    }
    m_name->setText(m_wholeName);
    const NodeId heir = heirOf(state(), selected);
    if (heir)
        m_became->setLinkText(tr("became %1 %2").arg(names::operatorOf(state(), heir),
                                                     names::besideOperator(state(), heir)));
    m_became->setVisible(static_cast<bool>(heir));
    m_copy->setVisible(!m_wholeName.isEmpty());
    choosePage();
    switch (m_page) {
    case node:
        m_nodePage->show(selected);
        break;
    case tensors:
        m_tensorsPage->show(selected, state().selectedValue());
        break;
    case explain:
        m_explainPage->show(m_explainPage->stepFor(selected));
        break;
    case history:
        m_historyPage->show(selected);
        break;
    }
}

} // namespace fusescope
