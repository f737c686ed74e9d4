#include "ui/graph/graph_area.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/text.h"
#include "ui/theme/icons.h"
#include "ui/widgets/breadcrumb.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/segmented_switch.h"

namespace fusescope {

namespace {

constexpr int firstWait = 200; // ms that the first drawing waits for the passes

QLabel* sideTitle(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setContentsMargins(space::cell, 0, space::cell, 0);
    label->setFixedHeight(rowHeight(Row::dockTitle, label->fontMetrics()));
    label->setAutoFillBackground(true);
    return label;
}

} // namespace

GraphArea::GraphArea(AppState& state, Actions& actions, QWidget* parent)
    : QWidget(parent), m_state(state), m_actions(actions)
{
    installGraphAccessibility();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeHeader();
    column->addWidget(m_header);
    m_splitter = new QSplitter(Qt::Horizontal, this);
    m_splitter->setChildrenCollapsible(false);
    const auto side = [&](QLabel*& title, GraphCanvas*& view, const QString& name) {
        auto* box = new QWidget(m_splitter);
        auto* rows = new QVBoxLayout(box);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->setSpacing(0);
        title = sideTitle(box);
        view = new GraphCanvas(box);
        view->setAccessibleName(name);
        rows->addWidget(title);
        rows->addWidget(view, 1);
        m_splitter->addWidget(box);
        connectView(view);
        return box;
    };
    m_beforeSide = side(m_beforeTitle, m_before, tr("Graph before"));
    side(m_afterTitle, m_main, tr("Graph"));
    m_beforeSide->hide();
    m_afterTitle->hide();
    column->addWidget(m_splitter, 1);
    setFocusProxy(m_main);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &GraphArea::timelineChanged);
    connectActions();
    setWheelZooms(QSettings().value(QStringLiteral("wheelZooms"), false).toBool());
    connectState();
    reset();
}

void GraphArea::makeHeader()
{
    m_header = new QWidget(this);
    m_header->setFixedHeight(rowHeight(Row::graphHeader, fontMetrics()) + 2);
    auto* row = new QHBoxLayout(m_header);
    row->setContentsMargins(space::cell, 2, space::cell, 2);
    row->setSpacing(space::control);
    m_path = new Breadcrumb(m_header);
    m_path->setAccessibleName(tr("Where the graph stands"));
    connect(m_path, &Breadcrumb::partClicked, this, [this](int part) {
        while (static_cast<int>(m_bodies.size()) > part)
            m_bodies.pop_back();
        m_options.root = m_bodies.empty() ? BodyId{} : m_bodies.back();
        requestDrawing();
    });
    row->addWidget(m_path, 1);
    const auto button = [&](QToolButton*& tool, const QString& sign, const QString& label, bool check) {
        tool = new QToolButton(m_header);
        tool->setAutoRaise(true);
        tool->setIcon(icon(sign));
        tool->setText(label);
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
        m_chips[i]->setAccessibleName(chips[i].name);
        m_chips[i]->setToolTip(text::toolTip(tr("%1: click for the next one").arg(chips[i].name)));
        row->addWidget(m_chips[i]);
        connect(m_chips[i], &Chip::activated, this, [this, i] {
            constexpr SceneState states[] = {SceneState::added, SceneState::removed, SceneState::changed};
            if (i < 3)
                jumpToChange(1, states[i]);
            else
                Q_EMIT blockedListRequested();
        });
        connect(m_chips[i], &Chip::filterRequested, this, [this, i] {
            constexpr ChangeKind kinds[] = {ChangeKind::added, ChangeKind::removed, ChangeKind::changed};
            if (i < 3)
                Q_EMIT changeFilterRequested(kinds[i]);
            else
                Q_EMIT blockedListRequested();
        });
    }
    row->addSpacing(space::section);
    m_switch = new SegmentedSwitch(m_header);
    m_switch->setAccessibleName(tr("What the graph shows"));
    for (const QString& name : {tr("Before"), tr("After"), tr("Overlay"), tr("Split")})
        m_switch->addSegment(name);
    connect(m_switch, &SegmentedSwitch::chosen, this,
            [this](int index) { m_state.setMode(static_cast<GraphMode>(index)); });
    row->addWidget(m_switch);
}

void GraphArea::setNoticeBar(QWidget* bar)
{
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, bar);
}

GraphCanvas* GraphArea::view() const
{
    return m_before->hasFocus() && m_before->isVisible() ? m_before : m_main;
}

qreal GraphArea::zoom() const
{
    return view()->zoom();
}

void GraphArea::setZoom(qreal zoom)
{
    view()->setZoom(zoom, view()->rect().center());
}

void GraphArea::connectView(GraphCanvas* view)
{
    connect(view, &GraphCanvas::nodeSelected, &m_state, &AppState::select);
    connect(view, &GraphCanvas::secondSelected, &m_state, &AppState::selectSecond);
    connect(view, &GraphCanvas::valueSelected, &m_state, &AppState::selectValue);
    connect(view, &GraphCanvas::nodesSelected, this, [this, view](const std::vector<NodeId>& nodes) {
        m_state.select(nodes.empty() ? NodeId{} : nodes.front());
        GraphMarks marks = view->marks();
        marks.more = std::set<NodeId>(nodes.begin(), nodes.end());
        view->setMarks(marks);
    });
    connect(view, &GraphCanvas::openRequested, this, &GraphArea::setOpened);
    connect(view, &GraphCanvas::enterRequested, this, [this](NodeId node) {
        const std::shared_ptr<const Graph> graph = m_state.graphOf(node);
        const Node* record = graph ? graph->node(node) : nullptr;
        if (!record)
            return;
        const BodyId body = record->bodies.empty() ? graph->functionOf(record->op)
                                                   : record->bodies.front();
        if (body)
            enterBody(body);
    });
    connect(view, &GraphCanvas::successorRequested, this, [this](NodeId node) {
        const auto heirs =
            m_state.timeline()->unionGraph.standsForAt(node, m_state.pair().b);
        if (!heirs.empty())
            m_state.goTo(heirs.front());
    });
    connect(view, &GraphCanvas::menuRequested, this, &GraphArea::showMenu);
    connect(view, &GraphCanvas::placeChanged, this, [this, view] {
        Q_EMIT zoomChanged(view->zoom());
        if (m_linking || !m_together->isChecked() || !m_before->isVisible())
            return;
        m_linking = true;
        (view == m_main ? m_before : m_main)->setPlace(view->zoom(), view->origin());
        m_linking = false;
    });
    view->setItemDescription([this](NodeId node) -> QString {
        const TimelinePtr timeline = m_state.timeline();
        if (m_state.predict() || !timeline->finished)
            return {};
        for (const Blocked& row : timeline->blocked) {
            if (row.miss.root != node || row.miss.reasons.empty())
                continue;
            const Reason& reason = row.miss.reasons.front();
            const auto graph = m_state.graphOf(node);
            return tr("blocked: %1").arg(
                m_state.sentence(reason.headline ? reason.headline : reason.message, graph.get()));
        }
        return {};
    });
}

void GraphArea::connectState()
{
    connect(&m_state, &AppState::sessionChanged, this, &GraphArea::reset);
    connect(&m_state, &AppState::timelineChanged, this, &GraphArea::timelineChanged);
    connect(&m_state, &AppState::cursorChanged, this, [this] {
        if (m_alone >= 0 && m_alone != m_state.pair().b)
            requestDrawing();
        updateScene();
    });
    connect(&m_state, &AppState::modeChanged, this, &GraphArea::updateScene);
    connect(&m_state, &AppState::predictChanged, this, &GraphArea::updateScene);
    connect(&m_state, &AppState::selectionChanged, this, &GraphArea::updateMarks);
    connect(&m_state, &AppState::shownBlockedChanged, this, [this] {
        updateMarks();
        const auto row = m_state.shownBlocked();
        if (!row || row->miss.reasons.empty())
            return;
        for (const Subject& culprit : row->miss.reasons.front().culprits) {
            if (const NodeId* node = std::get_if<NodeId>(&culprit)) {
                goTo(*node);
                return;
            }
        }
        goTo(row->miss.root);
    });
    connect(&m_state, &AppState::compareChanged, this, &GraphArea::updateMarks);
    connect(&m_state, &AppState::goToRequested, this, &GraphArea::goTo);
}

void GraphArea::reset()
{
    m_bodies.clear();
    m_options = DrawingOptions{};
    m_options.layout.rankGap = 32;
    m_options.cards.attributes = m_actions[Act::attributes]->isChecked();
    m_options.cards.weights = m_actions[Act::weights]->isChecked();
    m_options.cards.names = m_actions[Act::names]->isChecked();
    m_options.layout.direction = m_actions[Act::leftToRight]->isChecked()
                                     ? LayoutDirection::leftToRight
                                     : LayoutDirection::topToBottom;
    m_drawing = nullptr;
    m_scene = m_beforeScene = nullptr;
    m_index = nullptr;
    m_hits.clear();
    m_hit = m_pendingGoTo = {};
    m_requested = m_offered = false;
    m_alone = -1;
    m_main->setScene(nullptr, nullptr);
    m_before->setScene(nullptr, nullptr);
    m_sinceOpened.start();
    if (m_state.hasModel())
        m_patience.start(firstWait);
    timelineChanged();
    updateHeader();
}

void GraphArea::timelineChanged()
{
    if (!m_state.hasModel())
        return;
    const TimelinePtr timeline = m_state.timeline();
    if (!timeline->history)
        return;
    const bool ended = timeline->finished || timeline->failed;
    if (!m_drawing) {
        if (!m_requested && (ended || m_sinceOpened.elapsed() >= firstWait))
            requestDrawing();
        return;
    }
    if (timeline->generation != m_drawing->generation) {
        // A new plan: its steps are other ones.
        if (ended)
            requestDrawing();
        return;
    }
    if (timeline->size() > m_drawing->steps && m_alone < 0) {
        m_drawing = withLaterSteps(m_drawing, *timeline);
        if (ended && !m_offered) {
            m_offered = true;
            LogEntry entry;
            entry.text = tr("The graph was drawn before all steps were known.");
            entry.actionText = tr("Arrange Anew");
            entry.action = [this] { requestDrawing(); };
            m_state.notify(entry);
        }
    }
    updateScene();
}

void GraphArea::requestDrawing()
{
    if (!m_state.hasModel() || !m_state.timeline()->history)
        return;
    m_requested = true;
    const TimelinePtr timeline = m_state.timeline();
    const MeasureCard measure = cardMeasure(CardFonts::current());
    const DrawingOptions options = m_options;
    const bool alone = m_actions[Act::arrangeAlone]->isChecked();
    const int step = m_state.pair().b;
    using Made = std::pair<DrawingPtr, std::shared_ptr<const SceneIndex>>;
    m_state.jobs().start<Made>(
        JobKind::drawing, tr("Laying out the graph"),
        [timeline, measure, options, alone, step](std::stop_token stop,
                                                  const Progress& progress) -> Result<Made> {
            auto drawing = alone ? makeDrawing(timeline->at(step), options, measure, stop, progress)
                                 : makeDrawing(*timeline, options, measure, stop, progress);
            if (!drawing)
                return tl::unexpected(drawing.error());
            if (alone) {
                auto own = std::make_shared<Drawing>(**drawing);
                own->generation = timeline->generation;
                own->steps = timeline->size();
                *drawing = own;
            }
            return Made{*drawing, std::make_shared<const SceneIndex>(*drawing)};
        },
        [this, alone, step](Result<Made> made) {
            m_requested = false;
            if (!made) {
                if (made.error().code != ErrorCode::cancelled)
                    m_state.notifyError(made.error());
                return;
            }
            m_alone = alone ? step : -1;
            takeDrawing(made->first, made->second);
        },
        true);
}

void GraphArea::takeDrawing(DrawingPtr drawing, std::shared_ptr<const SceneIndex> index)
{
    if (!m_state.hasModel())
        return;
    m_drawing = std::move(drawing);
    m_index = std::move(index);
    if (m_drawing->deadlineMissed) {
        LogEntry entry;
        entry.level = NoticeLevel::warning;
        entry.text = tr("Layout took longer than %1 s. A simpler drawing is shown.")
                         .arg(m_options.layout.deadline.count() / 1000);
        entry.actionText = tr("Try Again Longer");
        entry.action = [this] {
            m_options.layout.deadline *= 4;
            requestDrawing();
        };
        m_state.notify(entry);
    }
    if (m_state.timeline()->size() > m_drawing->steps)
        m_drawing = withLaterSteps(m_drawing, *m_state.timeline());
    updateScene();
    updateHeader();
    Q_EMIT drawn();
    if (m_pendingGoTo) {
        const NodeId node = std::exchange(m_pendingGoTo, NodeId{});
        view()->goTo(node);
    }
}

void GraphArea::updateScene()
{
    if (!m_drawing || !m_state.hasModel()) {
        updateHeader();
        return;
    }
    const TimelinePtr timeline = m_state.timeline();
    const StepPair pair = m_state.pair();
    SceneRequest request;
    request.drawing = m_drawing;
    request.a = m_state.graphAt(pair.a);
    request.b = m_state.graphAt(pair.b);
    request.stepA = pair.a;
    request.stepB = pair.b;
    if (!request.a || !request.b)
        return;
    if (timeline->finished && !m_state.predict())
        request.blocked = timeline->blocked;
    const bool split = m_state.mode() == GraphMode::split;
    request.mode = m_state.mode() == GraphMode::before    ? SceneMode::before
                   : m_state.mode() == GraphMode::overlay ? SceneMode::overlay
                                                          : SceneMode::after;
    m_scene = std::make_shared<const GraphScene>(makeScene(request));
    m_main->setScene(m_scene, m_index);
    m_beforeSide->setVisible(split);
    m_afterTitle->setVisible(split);
    if (split) {
        request.mode = SceneMode::before;
        m_beforeScene = std::make_shared<const GraphScene>(makeScene(request));
        const bool fresh = !m_before->scene();
        m_before->setScene(m_beforeScene, m_index);
        if (fresh)
            m_before->setPlace(m_main->zoom(), m_main->origin());
        const auto nodes = [&](int step) {
            const auto& counts = timeline->nodeCounts;
            return static_cast<std::size_t>(step) < counts.size()
                       ? static_cast<int>(counts[static_cast<std::size_t>(step)])
                       : 0;
        };
        m_beforeTitle->setText(tr("Before   step %1 · %n node(s)", nullptr, nodes(pair.a)).arg(pair.a));
        m_afterTitle->setText(tr("After   step %1 · %n node(s)", nullptr, nodes(pair.b)).arg(pair.b));
    }
    updateMarks();
    updateHeader();
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
    if (parts != m_path->parts())
        m_path->setParts(parts);
    const bool blocks = m_drawing && m_drawing->hasBlocks;
    m_expandAll->setVisible(blocks);
    m_equal->setVisible(blocks);
    m_equal->setChecked(blocks && m_drawing->blocksClosed);
    m_together->setVisible(m_state.mode() == GraphMode::split);
    const SceneCounts counts = m_scene ? m_scene->counts : SceneCounts{};
    const int numbers[] = {counts.added, counts.removed, counts.changed, counts.blocked};
    for (int i = 0; i < 4; ++i) {
        Pill pill = m_chips[i]->pill();
        pill.text = m_state.predict() ? QStringLiteral("?") : text::count(numbers[i]);
        m_chips[i]->setPill(pill);
    }
}

QString GraphArea::layoutText() const
{
    if (!m_drawing)
        return {};
    return tr("Layout of %n node(s) in %1", nullptr, static_cast<int>(m_drawing->itemOf.size()))
        .arg(text::milliseconds(m_drawing->milliseconds));
}

void GraphArea::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const bool narrow = width() < 760;
    for (QToolButton* button : {m_expandAll, m_equal, m_together})
        button->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
}

} // namespace fusescope
