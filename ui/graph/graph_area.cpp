#include "ui/graph/graph_area.h"

#include <algorithm>
#include <cmath>

#include <QHBoxLayout>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/graph/error_scale.h"
#include "ui/panels/panel_parts.h"
#include "ui/text.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/segmented_switch.h"

namespace fusescope {

namespace {

constexpr int firstWait = 200; // ms that the first drawing waits for the passes

} // namespace

// Above each view of Split: what it shows, and what will go or is new.
class SideTitle final : public QWidget
{
public:
    explicit SideTitle(QWidget* parent) : QWidget(parent), m_words(new ElidedLabel({}, this))
    {
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(space::cell, 0, space::cell, 0);
        row->setSpacing(space::control);
        row->addWidget(m_words, 1);
        for (PillLabel*& pill : m_pills) {
            pill = new PillLabel(this);
            row->addWidget(pill);
        }
        setFixedHeight(rowHeight(Row::dockTitle, fontMetrics()));
        setAutoFillBackground(true);
    }
    void setWords(const QString& words, const QList<Pill>& pills)
    {
        m_words->setText(words);
        for (qsizetype i = 0; i < 3; ++i)
            m_pills[i]->setPill(pills.value(i));
    }

private:
    ElidedLabel* m_words;
    PillLabel* m_pills[3] = {};
};

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
    const auto side = [&](SideTitle*& title, GraphCanvas*& view, const QString& name) {
        auto* box = new QWidget(m_splitter);
        auto* rows = new QVBoxLayout(box);
        rows->setContentsMargins(0, 0, 0, 0);
        rows->setSpacing(0);
        title = new SideTitle(box);
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
    m_errorScale = new ErrorScale(this);
    m_errorScale->hide();
    column->addWidget(m_errorScale);
    setFocusProxy(m_main);
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &GraphArea::timelineChanged);
    connectActions();
    setWheelZooms(QSettings().value(QStringLiteral("wheelZooms"), false).toBool());
    connectState();
    reset();
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

bool GraphArea::isFitted() const
{
    return m_drawing && view()->zoom() < 1 && view()->isFitted();
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
        (view == m_main ? m_before : m_main)->showMiddle(view->zoom(), view->visibleArea().center());
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
    connect(&m_state, &AppState::selectionChanged, this, [this] {
        updateMarks();
        updateHeader();
    });
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
    connect(&m_state, &AppState::diffChanged, this, [this] {
        updateMarks();
        updateCounts();
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
    m_later = nullptr;
    m_scene = m_beforeScene = nullptr;
    m_index = nullptr;
    m_hits.clear();
    m_hit = m_pendingGoTo = {};
    m_requested = m_offered = false;
    m_alone = -1;
    m_main->setScene(nullptr, nullptr);
    m_before->setScene(nullptr, nullptr);
    m_main->setWords(m_state.hasModel() ? tr("The graph is being laid out…") : QString());
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
    if (takeLater(*timeline)) {
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
                m_main->setWords(tr("The graph was not laid out. File > Reload tries again."));
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
    m_later = nullptr;
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
    const TimelinePtr timeline = m_state.timeline();
    if (m_drawing->generation != timeline->generation) {
        // The plan changed while it was drawn, and its own steps may have ended meanwhile.
        if (timeline->finished || timeline->failed)
            requestDrawing();
    } else {
        takeLater(*timeline);
    }
    updateScene();
    updateHeader();
    Q_EMIT drawn();
    if (m_pendingGoTo) {
        const NodeId node = std::exchange(m_pendingGoTo, NodeId{});
        view()->goTo(node);
    }
}

// Whether the timeline has steps that the drawing does not show yet; now it does.
bool GraphArea::takeLater(const Timeline& timeline)
{
    if (m_alone >= 0 || timeline.size() <= (m_later ? m_later->steps : m_drawing->steps))
        return false;
    m_later = laterNodes(*m_drawing, timeline, m_later);
    return true;
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
    request.later = m_later;
    request.a = m_state.graphAt(pair.a);
    request.b = m_state.graphAt(pair.b);
    request.stepA = pair.a;
    request.stepB = pair.b;
    if (!request.a || !request.b)
        return;
    const bool hides = m_state.predict() && m_state.b() < timeline->size();
    request.hidesFates = hides;
    if (timeline->finished && !hides)
        request.blocked = blockedOf(timeline);
    const bool split = m_state.mode() == GraphMode::split;
    request.mode = m_state.mode() == GraphMode::before    ? SceneMode::before
                   : m_state.mode() == GraphMode::overlay ? SceneMode::overlay
                                                          : SceneMode::after;
    m_scene = std::make_shared<const GraphScene>(makeScene(request));
    m_main->setScene(m_scene, m_index);
    const bool splitNow = split && !m_beforeSide->isVisibleTo(this);
    m_beforeSide->setVisible(split);
    m_afterTitle->setVisible(split);
    m_main->setMapped(!split);
    m_before->setMapped(!split);
    if (split) {
        request.mode = SceneMode::before;
        m_beforeScene = std::make_shared<const GraphScene>(makeScene(request));
        m_before->setScene(m_beforeScene, m_index);
        if (splitNow)
            m_before->showMiddle(m_main->zoom(), m_main->visibleArea().center());
    }
    updateMarks();
    updateCounts();
}

void GraphArea::updateCounts()
{
    updateHeader();
    if (!m_scene || m_state.mode() != GraphMode::split)
        return;
    const TimelinePtr timeline = m_state.timeline();
    const StepPair pair = m_state.pair();
    const auto nodes = [&](int step) {
        const auto& all = timeline->nodeCounts;
        return static_cast<std::size_t>(step) < all.size()
                   ? static_cast<int>(all[static_cast<std::size_t>(step)])
                   : 0;
    };
    const SceneCounts counts = this->counts();
    const auto pill = [&](int count, const QString& words, Mark mark) {
        return count > 0 && !m_state.predict() ? Pill{words, toneOf(mark), mark} : Pill{};
    };
    const Pill changed = pill(counts.changed, text::count(counts.changed), Mark::changed);
    m_beforeTitle->setWords(
        tr("Before   step %1 · %n node(s)", nullptr, nodes(pair.a)).arg(pair.a),
        {pill(counts.removed, tr("%1 will go").arg(counts.removed), Mark::removed), changed});
    m_afterTitle->setWords(
        tr("After   step %1 · %n node(s)", nullptr, nodes(pair.b)).arg(pair.b),
        {pill(counts.added, tr("%1 new").arg(counts.added), Mark::added), changed,
         pill(counts.blocked, text::count(counts.blocked), Mark::blocked)});
}

} // namespace fusescope
