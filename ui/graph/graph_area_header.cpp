#include "ui/graph/graph_area.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QToolButton>

#include "session/card.h"
#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/widgets/breadcrumb.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/segmented_switch.h"

namespace fusescope {

namespace {

constexpr ChangeKind filterKinds[] = {ChangeKind::added, ChangeKind::removed, ChangeKind::changed};

} // namespace

void GraphArea::makeHeader()
{
    m_header = new QWidget(this);
    m_header->setFixedHeight(rowHeight(Row::graphHeader, fontMetrics()) + 2);
    auto* row = new QHBoxLayout(m_header);
    row->setContentsMargins(space::cell, 2, space::cell, 2);
    row->setSpacing(space::control);
    m_path = new Breadcrumb(m_header);
    m_path->setAccessibleName(tr("Where the graph stands"));
    connect(m_path, &Breadcrumb::partClicked, this, &GraphArea::goToPart);
    row->addWidget(m_path, 1);
    const auto button = [&](QToolButton*& tool, const QString& sign, const QString& label, bool check) {
        tool = new QToolButton(m_header);
        tool->setAutoRaise(true);
        tool->setIcon(icon(sign));
        tool->setText(label);
        tool->setToolTip(text::toolTip(label));
        tool->setAccessibleName(label);
        tool->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        tool->setCheckable(check);
        row->addWidget(tool);
    };
    button(m_expandAll, QStringLiteral("expand"), tr("Expand all"), false);
    button(m_equal, QStringLiteral("collapse"), tr("Equal blocks"), true);
    button(m_together, QStringLiteral("sync"), tr("Views move together"), true);
    m_together->setChecked(true);
    connect(m_expandAll, &QToolButton::clicked, m_actions[Act::expandAll], &QAction::trigger);
    connect(m_equal, &QToolButton::clicked, this, [this](bool on) {
        m_options.blocks = on ? BlockMode::equal : BlockMode::none;
        m_options.opened.clear();
        requestDrawing();
    });
    const struct
    {
        Mark mark;
        QString name;
    } chips[] = {{Mark::added, tr("added")},
                 {Mark::removed, tr("removed")},
                 {Mark::changed, tr("changed")},
                 {Mark::blocked, tr("blocked")}};
    for (int i = 0; i < 4; ++i) {
        m_chips[i] = new Chip(Pill{QStringLiteral("0"), toneOf(chips[i].mark), chips[i].mark}, m_header);
        m_chips[i]->setCheckable(i < 3);
        m_chips[i]->setAccessibleName(chips[i].name);
        m_chips[i]->setToolTip(text::toolTip(
            i < 3 ? tr("%1: click for the next one, Ctrl+click to list no others").arg(chips[i].name)
                  : tr("%1: click for the list").arg(chips[i].name)));
        row->addWidget(m_chips[i]);
        connect(m_chips[i], &Chip::activated, this, [this, i] {
            constexpr SceneState states[] = {SceneState::added, SceneState::removed, SceneState::changed};
            if (i < 3)
                jumpToChange(1, states[i]);
            else
                Q_EMIT blockedListRequested();
        });
        connect(m_chips[i], &Chip::filterRequested, this, [this, i] {
            if (i < 3)
                toggleFilter(filterKinds[i]);
            else
                Q_EMIT blockedListRequested();
        });
    }
    connect(&m_state, &AppState::changeFilterChanged, this, [this] {
        for (int i = 0; i < 3; ++i)
            m_chips[i]->setChecked(m_state.changeFilter() == filterKinds[i]);
    });
    m_switch = new SegmentedSwitch(m_header);
    m_switch->setAccessibleName(tr("What the graph shows"));
    for (const QString& name : {tr("Before"), tr("After"), tr("Overlay"), tr("Split")})
        m_switch->addSegment(name);
    connect(m_switch, &SegmentedSwitch::chosen, this,
            [this](int index) { m_state.setMode(static_cast<GraphMode>(index)); });
    row->addWidget(m_switch);
}

// As the list of changes counts them, so that they do not depend on what is drawn.
SceneCounts GraphArea::counts() const
{
    SceneCounts counts = m_scene ? m_scene->counts : SceneCounts{};
    const auto diff = m_state.diff();
    if (m_scene && diff && m_state.isCurrentDiff()) {
        counts.added = diff->count(ChangeKind::added);
        counts.removed = diff->count(ChangeKind::removed);
        counts.changed = diff->count(ChangeKind::changed);
    }
    return counts;
}

void GraphArea::updateHeader()
{
    m_switch->setCurrent(static_cast<int>(m_state.mode()));
    m_header->setEnabled(m_state.hasModel());
    QStringList parts{m_state.hasModel() ? m_state.title() : tr("No model")};
    const std::shared_ptr<const Graph> graph =
        m_state.hasModel() ? m_state.graphAt(m_state.pair().b) : nullptr;
    for (const BodyId id : m_bodies) {
        const Body* body = graph ? graph->body(id) : nullptr;
        if (!body)
            continue;
        QString name = fromUtf8(body->function ? body->function->key.type : body->attributeName);
        if (body->owner && graph->node(body->owner))
            name = m_state.nameOf(body->owner) + QLatin1Char('/') + name;
        parts << name;
    }
    // Below them the scopes of the selected node.
    m_scopes.clear();
    const NodeId selected = m_state.selected();
    const Node* record = graph ? graph->node(selected) : nullptr;
    if (selected && !record)
        record = m_state.timeline()->unionGraph.lastRecord(selected);
    if (record && m_drawing && itemIn(*m_drawing, m_later.get(), selected) >= 0)
        m_scopes = scopeParts(record->name, record->op.type);
    if (!m_scopes.empty())
        m_scopes.pop_back(); // the node itself
    for (const std::string& scope : m_scopes)
        parts << text::oneLine(fromUtf8(scope));
    if (parts != m_path->parts())
        m_path->setParts(parts);
    const bool blocks = m_drawing && m_drawing->hasBlocks;
    m_expandAll->setVisible(blocks);
    m_equal->setVisible(blocks);
    m_equal->setChecked(blocks && m_drawing->blocksClosed);
    m_together->setVisible(m_state.mode() == GraphMode::split);
    const SceneCounts counts = this->counts();
    const int numbers[] = {counts.added, counts.removed, counts.changed, counts.blocked};
    for (int i = 0; i < 4; ++i) {
        Pill pill = m_chips[i]->pill();
        // A step's own change is no secret once it is shown; refusals may still come.
        const bool hidden = m_state.predict() && i == 3 && m_state.b() < m_state.stepCount();
        pill.text = hidden ? QStringLiteral("?") : text::count(numbers[i]);
        m_chips[i]->setPill(pill);
        m_chips[i]->setProperty("count", numbers[i]);
    }
    fitHeader();
}

// The path is read before all else: buttons lose their words, then chips without a count go, then
// all chips. The switch is never cut.
void GraphArea::fitHeader()
{
    const QMargins margins = m_header->layout()->contentsMargins();
    const int room = width() - margins.left() - margins.right();
    const auto arranged = [&](int level) {
        int wanted = level == 0 ? m_path->sizeHint().width() : m_path->minimumSizeHint().width() + 60;
        for (QToolButton* button : {m_expandAll, m_equal, m_together}) {
            button->setToolButtonStyle(level == 0 ? Qt::ToolButtonTextBesideIcon
                                                  : Qt::ToolButtonIconOnly);
            if (button->isVisibleTo(m_header))
                wanted += button->sizeHint().width() + space::control;
        }
        for (Chip* chip : m_chips) {
            const bool shown = level < 2 || (level == 2 && chip->property("count").toInt() > 0);
            chip->setVisible(shown);
            if (shown)
                wanted += chip->sizeHint().width() + space::control;
        }
        return wanted + m_switch->sizeHint().width() + space::control <= room;
    };
    for (int level = 0; level < 4 && !arranged(level); ++level) {
    }
}

// The file shows all of it, a body is gone back to, a scope is framed.
void GraphArea::goToPart(int part)
{
    const int bodies = static_cast<int>(m_bodies.size());
    if (part < bodies) {
        m_bodies.resize(static_cast<std::size_t>(part));
        m_options.root = m_bodies.empty() ? BodyId{} : m_bodies.back();
        requestDrawing();
        return;
    }
    if (part == bodies || !m_drawing) {
        view()->fit();
        return;
    }
    const auto depth = std::min(static_cast<std::size_t>(part - bodies), m_scopes.size());
    const std::shared_ptr<const Graph> graph = m_state.graphAt(m_state.pair().b);
    std::set<NodeId> inside;
    for (const DrawItem& item : m_drawing->items) {
        const Node* record = item.node ? graph->node(item.node) : nullptr;
        if (!record || item.kind != DrawItem::Kind::node)
            continue;
        const std::vector<std::string> scopes = scopeParts(record->name, record->op.type);
        if (scopes.size() >= depth
            && std::equal(scopes.begin(), scopes.begin() + static_cast<std::ptrdiff_t>(depth),
                          m_scopes.begin()))
            inside.insert(item.node);
    }
    GraphMarks marks = view()->marks();
    marks.more = inside;
    view()->setMarks(marks);
    view()->fitSelection();
}

void GraphArea::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitHeader();
}

} // namespace fusescope
