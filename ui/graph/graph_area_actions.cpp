#include "ui/graph/graph_area.h"

#include <algorithm>
#include <cmath>

#include <QMenu>
#include <QToolButton>

#include "report/render.h"
#include "ui/graph/error_scale.h"
#include "ui/models/blocked_model.h"
#include "ui/text.h"
#include "ui/verdict.h"

namespace fusescope {

void GraphArea::connectActions()
{
    m_actions.addTo(this, KeyScope::graph);
    m_actions.addTo(this, KeyScope::graphAndSteps);
    for (const Act act : {Act::attributes, Act::weights, Act::names})
        m_actions[act]->setChecked(true);
    m_actions[Act::moveTogether]->setChecked(true);
    const auto on = [this](Act act, auto&& slot) {
        connect(m_actions[act], &QAction::triggered, this, slot);
    };
    on(Act::zoomIn, [this] { view()->zoomIn(); });
    on(Act::zoomOut, [this] { view()->zoomOut(); });
    on(Act::actualSize, [this] { view()->actualSize(); });
    on(Act::fit, [this] { view()->fit(); });
    on(Act::fitSelection, [this] { view()->fitSelection(); });
    const auto show = [this] {
        m_options.cards.attributes = m_actions[Act::attributes]->isChecked();
        m_options.cards.weights = m_actions[Act::weights]->isChecked();
        m_options.cards.names = m_actions[Act::names]->isChecked();
        m_options.layout.direction = m_actions[Act::leftToRight]->isChecked()
                                         ? LayoutDirection::leftToRight
                                         : LayoutDirection::topToBottom;
        requestDrawing();
    };
    for (const Act act : {Act::attributes, Act::weights, Act::names, Act::leftToRight})
        on(act, show);
    on(Act::arrangeAlone, [this] { requestDrawing(); });
    on(Act::expand, [this] {
        const int item = m_scene ? m_scene->visibleItem(m_state.selected()) : -1;
        if (item >= 0) {
            const DrawItem& one = m_drawing->items[static_cast<std::size_t>(item)];
            if (!one.key.empty() && !one.open)
                setOpened(fromUtf8(one.key), true);
        }
    });
    on(Act::collapse, [this] {
        int item = m_scene ? m_scene->visibleItem(m_state.selected()) : -1;
        while (item >= 0) {
            const DrawItem& one = m_drawing->items[static_cast<std::size_t>(item)];
            if (!one.key.empty() && one.open) {
                setOpened(fromUtf8(one.key), false);
                return;
            }
            item = one.parent;
        }
    });
    on(Act::expandAll, [this] {
        m_options.blocks = BlockMode::none;
        if (m_drawing) {
            for (const DrawItem& item : m_drawing->items) {
                if (!item.key.empty() && item.kind != DrawItem::Kind::block)
                    m_options.opened.insert(item.key);
            }
        }
        requestDrawing();
    });
    on(Act::collapseAll, [this] {
        m_options.blocks = BlockMode::equal;
        m_options.opened.clear();
        requestDrawing();
    });
    on(Act::leaveBody, [this] { leaveBody(); });
    on(Act::trace, [this](bool checked) {
        m_main->setTrace(checked);
        m_before->setTrace(checked);
    });
    on(Act::moveTogether, [this](bool checked) { m_together->setChecked(checked); });
    connect(m_together, &QToolButton::toggled, m_actions[Act::moveTogether], &QAction::setChecked);
    on(Act::nextChange, [this] { jumpToChange(1); });
    on(Act::previousChange, [this] { jumpToChange(-1); });
}

void GraphArea::setWheelZooms(bool on)
{
    m_main->setWheelZooms(on);
    m_before->setWheelZooms(on);
}

void GraphArea::setOpened(const QString& key, bool open)
{
    const std::string name = key.toStdString();
    if (open)
        m_options.opened.insert(name);
    else
        m_options.opened.erase(name);
    // What stays closed must not open because of the size of what was opened.
    if (m_drawing && m_options.blocks == BlockMode::automatic)
        m_options.blocks = m_drawing->blocksClosed ? BlockMode::equal : BlockMode::none;
    requestDrawing();
}

void GraphArea::enterBody(BodyId body)
{
    m_bodies.push_back(body);
    m_options.root = body;
    requestDrawing();
}

bool GraphArea::leaveBody()
{
    if (m_bodies.empty())
        return false;
    m_bodies.pop_back();
    m_options.root = m_bodies.empty() ? BodyId{} : m_bodies.back();
    requestDrawing();
    return true;
}

// Opens the closed items around a node and shows it when it is drawn.
void GraphArea::openAround(NodeId node)
{
    m_pendingGoTo = node;
    const int item = m_drawing ? itemIn(*m_drawing, m_later.get(), node) : -1;
    if (item >= 0) {
        const DrawItem& one = m_drawing->items[static_cast<std::size_t>(item)];
        if (!one.key.empty() && one.node != node && !one.open) {
            setOpened(fromUtf8(one.key), true);
            return;
        }
    }
    // In a body that is not drawn: its owners open; else the body is entered.
    const std::shared_ptr<const Graph> graph = m_state.graphOf(node);
    const Node* record = graph ? graph->node(node) : nullptr;
    if (!record) {
        m_pendingGoTo = {};
        return;
    }
    BodyId body = record->body;
    const BodyId root = m_drawing ? m_drawing->root : BodyId{};
    for (int depth = 0; depth < 1000; ++depth) {
        const Body* inner = graph->body(body);
        if (!inner || body == root)
            break;
        if (inner->kind == Body::Kind::function || inner->kind == Body::Kind::main) {
            m_bodies.clear();
            m_options.root = {};
            if (inner->kind == Body::Kind::function) {
                m_bodies.push_back(body);
                m_options.root = body;
            }
            break;
        }
        const Node* owner = graph->node(inner->owner);
        if (!owner)
            break;
        m_options.opened.insert("node:" + std::to_string(inner->owner.value));
        body = owner->body;
    }
    requestDrawing();
}

void GraphArea::goTo(NodeId node)
{
    if (!m_drawing) {
        m_pendingGoTo = node;
        return;
    }
    const int item = m_scene ? m_scene->visibleItem(node) : -1;
    const bool itself = item >= 0 && itemIn(*m_drawing, m_later.get(), node) == item
                        && (m_drawing->items[static_cast<std::size_t>(item)].kind == DrawItem::Kind::node);
    if (itself) {
        view()->goTo(node);
        return;
    }
    const bool gone = item >= 0 && m_drawing->items[static_cast<std::size_t>(item)].region;
    if (gone)
        view()->goTo(m_scene->nodeOf(item));
    else
        openAround(node);
}

void GraphArea::setHits(const std::set<NodeId>& hits, NodeId current)
{
    m_hits = hits;
    m_hit = current;
    updateMarks();
    if (current)
        goTo(current);
}

void GraphArea::updateMarks()
{
    if (!m_scene)
        return;
    GraphMarks marks;
    marks.selected = m_state.selected();
    marks.second = m_state.secondSelected();
    marks.value = m_state.selectedValue();
    marks.hits = m_hits;
    marks.hit = m_hit;
    const StepPair pair = m_state.pair();
    if (marks.selected && !standsIn(*m_scene->b, marks.selected)) {
        for (const NodeId heir :
             m_state.timeline()->unionGraph.standsForAt(marks.selected, pair.b))
            marks.successors.insert(heir);
    }
    if (const auto row = m_state.shownBlocked(); row && !row->miss.reasons.empty()) {
        const Reason& reason = row->miss.reasons.front();
        for (const Reason& one : row->miss.reasons) {
            for (const Subject& culprit : one.culprits) {
                if (const NodeId* node = std::get_if<NodeId>(&culprit))
                    marks.culprits.insert(*node);
                else
                    marks.culpritValues.insert(std::get<ValueId>(culprit));
            }
        }
        marks.candidate = row->miss.nodes;
        if (row->miss.nodes.size() > 1)
            marks.candidateText = tr("would become one node");
        if (kindOfRow(*row) != ReasonKind::legality)
            marks.blockedInk = Token::text2;
        const auto& all = m_state.timeline()->blocked;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].miss.root == row->miss.root && all[i].miss.rule == row->miss.rule)
                marks.blockedRow = static_cast<int>(i);
        }
        marks.blockedTag =
            m_state.sentence(tagOf(reason.headline ? reason.headline : reason.message),
                             m_state.graphOf(row->miss.root).get());
    }
    if (const auto* result = currentComparison(m_state)) {
        double largest = 0;
        const auto add = [&](const TensorComparison& one) {
            const NodeId maker = m_scene->b->producer(one.value);
            if (!maker)
                return;
            const bool bad = one.nanBefore != one.nanAfter || one.infBefore != one.infAfter;
            const double error = bad ? std::nan("") : one.maxAbs;
            auto [position, isNew] = marks.errors.try_emplace(maker, error);
            if (!isNew && !(position->second >= error))
                position->second = error;
            // Integers are compared exactly and say nothing of the scale.
            largest = std::max({largest, one.tolerance.atol, one.tolerance.rtol});
        };
        std::ranges::for_each(result->comparison.outputs, add);
        std::ranges::for_each(result->comparison.intermediates, add);
        if (largest > 0)
            marks.tolerance = largest;
        if (const DivergenceCause* cause = causeOf(*result)) {
            marks.divergence = cause->node;
            marks.divergenceTag = tr("first divergence, step %1").arg(*result->divergence->step);
            if (const auto moved = worstAround(*result))
                marks.divergenceNote = tr("max |Δ| %1 → %2").arg(text::scientific(moved->first),
                                                                 text::scientific(moved->second));
        }
    }
    m_errorScale->setVisible(!marks.errors.empty());
    m_errorScale->setTolerance(marks.tolerance);
    m_main->setMarks(marks);
    // What became the selected one, in the view where it still stands.
    if (const auto diff = m_state.diff(); marks.selected && diff && m_state.isCurrentDiff()) {
        for (const NodeChange& change : diff->nodes) {
            if (change.kind == ChangeKind::removed
                && std::ranges::find(change.related, marks.selected) != change.related.end())
                marks.successors.insert(change.node);
        }
    }
    m_before->setMarks(std::move(marks));
}

// Lists the changes of one kind, or all of them again.
void GraphArea::toggleFilter(ChangeKind kind)
{
    const bool on = m_state.changeFilter() == kind;
    m_state.setChangeFilter(on ? std::nullopt : std::optional(kind));
    if (!on)
        Q_EMIT changesRequested();
}

void GraphArea::jumpToChange(int direction, std::optional<SceneState> only)
{
    if (!m_scene)
        return;
    // Those that are drawn in their order, then the others and the initializers.
    std::vector<Subject> list;
    std::set<NodeId> known;
    for (const NodeId node : m_scene->changes) {
        const bool inA = standsIn(*m_scene->a, node);
        const bool inB = standsIn(*m_scene->b, node);
        const SceneState state = inA && inB ? SceneState::changed
                                 : inA      ? SceneState::removed
                                            : SceneState::added;
        if ((!only || state == *only) && known.insert(node).second)
            list.emplace_back(node);
    }
    if (const auto diff = m_state.diff(); diff && m_state.isCurrentDiff()) {
        const auto wanted = [only](ChangeKind kind) {
            return !only
                   || *only == (kind == ChangeKind::added     ? SceneState::added
                                : kind == ChangeKind::removed ? SceneState::removed
                                                              : SceneState::changed);
        };
        for (const NodeChange& change : diff->nodes) {
            if (wanted(change.kind) && known.insert(change.node).second)
                list.emplace_back(change.node);
        }
        for (const ValueChange& change : diff->values) {
            if (wanted(change.kind) && change.isInitializer())
                list.emplace_back(change.value);
        }
    }
    if (list.empty())
        return;
    auto at = std::ranges::find(list, m_state.selectedValue() ? Subject(m_state.selectedValue())
                                                              : Subject(m_state.selected()));
    std::size_t next = direction > 0 ? 0 : list.size() - 1;
    if (at != list.end()) {
        const auto index = static_cast<std::size_t>(at - list.begin());
        next = direction > 0 ? (index + 1) % list.size() : (index + list.size() - 1) % list.size();
    }
    if (const NodeId* node = std::get_if<NodeId>(&list[next])) {
        m_state.select(*node);
        goTo(*node);
    } else {
        m_state.goTo(list[next]);
    }
}

void GraphArea::showMenu(NodeId node, ValueId value, const QPoint& global)
{
    if (node)
        m_state.select(node);
    else if (value)
        m_state.selectValue(value);
    QMenu menu(this);
    const auto add = [&](std::initializer_list<Act> acts) {
        for (const Act act : acts)
            menu.addAction(m_actions[act]);
        menu.addSeparator();
    };
    if (node) {
        add({Act::why, Act::history, Act::showInputs, Act::showOutputs});
        add({Act::expand, Act::collapse, Act::trace, Act::fitSelection});
        add({Act::skip, Act::pin, Act::markPure});
        add({Act::copyName, Act::copyText, Act::selectAllOfType});
    } else {
        add({Act::fit, Act::actualSize, Act::expandAll, Act::collapseAll});
        add({Act::leftToRight, Act::attributes, Act::weights, Act::names});
        add({Act::exportPicture});
    }
    menu.exec(global);
}

} // namespace fusescope
