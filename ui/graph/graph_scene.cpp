#include "ui/graph/graph_scene.h"

#include "diff/node_compare.h"

#include <algorithm>
#include <unordered_map>

namespace fusescope {

namespace {

bool changedBetween(const Graph& a, const Graph& b, NodeId id)
{
    const NodePtr& before = a.nodePtr(id);
    const NodePtr& after = b.nodePtr(id);
    if (before != after && diff::differs(*before, *after))
        return true;
    for (const ValueId input : after->inputs) {
        const ValuePtr& old = a.valuePtr(input);
        const ValuePtr& now = b.valuePtr(input);
        if (old != now && old && now && old->constant != now->constant && diff::differs(*old, *now))
            return true;
    }
    return false;
}

SceneState stateOf(bool inA, bool inB)
{
    if (inA && inB)
        return SceneState::same;
    return inA ? SceneState::removed : inB ? SceneState::added : SceneState::hidden;
}

bool isRead(const Graph& graph, const DrawUse& use)
{
    if (graph.producer(use.value) != use.from)
        return false;
    if (!use.to) {
        const Body* body = graph.body(use.body);
        return body && use.index < body->outputs.size() && body->outputs[use.index] == use.value;
    }
    const Node* reader = graph.node(use.to);
    return reader && reader->input(use.index) == use.value && standsIn(graph, use.to);
}

class Maker
{
public:
    explicit Maker(const SceneRequest& request) : m_request(request), m_drawing(*request.drawing)
    {
        m_scene.drawing = request.drawing;
        m_scene.later = request.later;
        m_scene.a = request.a;
        m_scene.b = request.b;
        m_scene.stepA = request.stepA;
        m_scene.stepB = request.stepB;
        m_scene.mode = request.mode;
        m_scene.marks = request.marks;
        m_scene.hidesFates = request.hidesFates;
    }

    GraphScene run()
    {
        nodes();
        frames();
        wires();
        blocked();
        return std::move(m_scene);
    }

private:
    SceneState nodeState(NodeId id) const
    {
        const bool inA = standsIn(*m_request.a, id);
        const bool inB = standsIn(*m_request.b, id);
        if (inA && inB && m_request.a != m_request.b
            && changedBetween(*m_request.a, *m_request.b, id))
            return SceneState::changed;
        return stateOf(inA, inB);
    }

    void count(SceneState state, NodeId node, SceneCounts& counts)
    {
        if (state == SceneState::hidden || state == SceneState::same)
            return;
        m_scene.changes.push_back(node);
        for (SceneCounts* one : {&m_scene.counts, &counts}) {
            one->added += state == SceneState::added ? 1 : 0;
            one->removed += state == SceneState::removed ? 1 : 0;
            one->changed += state == SceneState::changed ? 1 : 0;
        }
    }

    SceneState inMode(SceneState state) const
    {
        const bool lacks =
            (m_request.mode == SceneMode::before && state == SceneState::added)
            || (m_request.mode == SceneMode::after && state == SceneState::removed);
        return lacks ? SceneState::hidden : state;
    }

    void nodes()
    {
        m_scene.items.assign(m_drawing.items.size(), SceneState::hidden);
        m_scene.inside.assign(m_drawing.items.size(), {});
        for (std::size_t i = 0; i < m_drawing.items.size(); ++i) {
            const DrawItem& item = m_drawing.items[i];
            SceneState& state = m_scene.items[i];
            switch (item.kind) {
            case DrawItem::Kind::node: {
                state = nodeState(item.node);
                count(state, item.node, m_scene.inside[i]);
                for (const NodeId old : othersAt(m_drawing, m_request.later.get(), static_cast<int>(i))) {
                    const SceneState other = nodeState(old);
                    count(other, old, m_scene.inside[i]);
                    if (state == SceneState::hidden)
                        state = other;
                    else if (state != other && other != SceneState::hidden
                             && (state == SceneState::added || other == SceneState::added))
                        state = m_request.mode == SceneMode::before ? SceneState::removed
                                                                    : SceneState::added;
                }
                break;
            }
            case DrawItem::Kind::block:
            case DrawItem::Kind::folded: {
                bool inA = false;
                bool inB = false;
                for (const NodeId node : item.nodes) {
                    const SceneState inner = nodeState(node);
                    inA = inA || (inner != SceneState::hidden && inner != SceneState::added);
                    inB = inB || (inner != SceneState::hidden && inner != SceneState::removed);
                    if (!item.open)
                        count(inner, node, m_scene.inside[i]);
                }
                state = stateOf(inA, inB);
                break;
            }
            default:
                state = SceneState::same;
                break;
            }
            state = inMode(state);
        }
        std::ranges::stable_sort(m_scene.changes, {}, [this](NodeId id) { return m_scene.itemOf(id); });
    }

    // Frames go with what they hold; what a closed region replaces shows only as a ghost, or where
    // the region does not stand.
    void frames()
    {
        for (std::size_t i = 0; i < m_drawing.items.size(); ++i) {
            const int parent = m_drawing.items[i].parent;
            if (parent < 0)
                continue;
            const DrawItem& frame = m_drawing.items[static_cast<std::size_t>(parent)];
            const SceneState around = m_scene.items[static_cast<std::size_t>(parent)];
            const bool port = m_drawing.items[i].kind == DrawItem::Kind::input
                              || m_drawing.items[i].kind == DrawItem::Kind::output
                              || m_drawing.items[i].kind == DrawItem::Kind::body;
            if (frame.region) {
                if (m_scene.items[i] == SceneState::hidden && !m_drawing.items[i].region
                    && isOpened(parent))
                    m_scene.items[i] = SceneState::same; // the body, read in the region
            } else if (port) {
                m_scene.items[i] =
                    around == SceneState::hidden ? SceneState::hidden : SceneState::same;
            }
        }
    }

    // Whether a region at `item` or around it stands and is opened.
    bool isOpened(int item) const
    {
        for (; item >= 0; item = m_drawing.items[static_cast<std::size_t>(item)].parent) {
            const DrawItem& frame = m_drawing.items[static_cast<std::size_t>(item)];
            if (!frame.region)
                return false;
            if (frame.open && m_scene.isVisible(item))
                return true;
        }
        return false;
    }

    // Of a new wire: one that has gone, from and to the same or what stands in them. Outside the box
    // of a region that reads what its nodes read nothing changed.
    int coveredWire(int index, const std::vector<std::uint8_t>& in,
                    const std::vector<std::vector<int>>& bundles) const
    {
        const DrawWire& wire = m_drawing.wires[static_cast<std::size_t>(index)];
        const auto isRegion = [this](int item) {
            return m_drawing.items[static_cast<std::size_t>(item)].region;
        };
        if (in[static_cast<std::size_t>(index)] != 2 || wire.bundle < 0
            || (!isRegion(wire.from) && !isRegion(wire.to)))
            return -1;
        for (const int other : bundles[static_cast<std::size_t>(wire.bundle)]) {
            const DrawWire& old = m_drawing.wires[static_cast<std::size_t>(other)];
            if (in[static_cast<std::size_t>(other)] == 1 && old.value == wire.value
                && m_drawing.holds(wire.from, old.from) && m_drawing.holds(wire.to, old.to))
                return other;
        }
        return -1;
    }

    void wires()
    {
        m_scene.wires.assign(m_drawing.wires.size(), SceneState::hidden);
        std::vector<std::uint8_t> in(m_drawing.wires.size(), 0);
        for (const DrawUse& use : m_drawing.uses) {
            std::uint8_t& flags = in[static_cast<std::size_t>(use.wire)];
            if (flags == 3)
                continue;
            flags |= isRead(*m_request.a, use) ? 1 : 0;
            flags |= isRead(*m_request.b, use) ? 2 : 0;
        }
        std::size_t most = 0;
        for (const DrawWire& wire : m_drawing.wires)
            most = std::max(most, static_cast<std::size_t>(wire.bundle + 1));
        std::vector<std::vector<int>> bundles(most);
        for (std::size_t i = 0; i < in.size(); ++i) {
            if (in[i] == 1 && m_drawing.wires[i].bundle >= 0)
                bundles[static_cast<std::size_t>(m_drawing.wires[i].bundle)].push_back(
                    static_cast<int>(i));
        }
        m_scene.coveredBy.assign(in.size(), -1);
        for (std::size_t i = 0; i < in.size(); ++i) {
            const DrawWire& wire = m_drawing.wires[i];
            SceneState state = stateOf((in[i] & 1) != 0, (in[i] & 2) != 0);
            const int covered = coveredWire(static_cast<int>(i), in, bundles);
            if (covered >= 0) {
                state = SceneState::same;
                if (m_request.mode != SceneMode::before)
                    m_scene.coveredBy[static_cast<std::size_t>(covered)] = static_cast<int>(i);
            }
            // Inside an opened region its body is drawn.
            const int around = m_drawing.items[static_cast<std::size_t>(wire.from)].parent;
            if (state != SceneState::same && in[i] != 3 && around >= 0 && isOpened(around)
                && isOpened(m_drawing.items[static_cast<std::size_t>(wire.to)].parent)
                && m_scene.items[static_cast<std::size_t>(wire.from)] == SceneState::same
                && m_scene.items[static_cast<std::size_t>(wire.to)] == SceneState::same)
                state = SceneState::same;
            if (state == SceneState::same) {
                const ValuePtr& before = m_request.a->valuePtr(wire.value);
                const ValuePtr& after = m_request.b->valuePtr(wire.value);
                // Sizes that are not known have other names in each state: what is read counts.
                if (before != after && before && after && !(before->type == after->type)
                    && typeLabel(before->type) != typeLabel(after->type))
                    state = SceneState::changed;
            }
            m_scene.wires[i] = inMode(state);
            if (covered >= 0 && m_request.mode == SceneMode::before)
                m_scene.wires[i] = SceneState::hidden;
        }
    }

    void blocked()
    {
        std::unordered_map<NodeId, std::vector<std::size_t>> into;
        if (!m_request.blocked || m_request.blocked->empty())
            return;
        const std::vector<Blocked>& rows = *m_request.blocked;
        for (std::size_t i = 0; i < m_drawing.uses.size(); ++i)
            into[m_drawing.uses[i].to].push_back(i);
        const Graph& graph = m_request.mode == SceneMode::before ? *m_request.a : *m_request.b;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const MissReason& miss = rows[row].miss;
            if (miss.reasons.empty() || miss.reasons.front().kind() != ReasonKind::legality)
                continue;
            ++m_scene.counts.blocked;
            if (!standsIn(graph, miss.root))
                continue;
            const int item = m_scene.itemOf(miss.root);
            if (item < 0)
                continue;
            BlockedMark mark{static_cast<int>(row), -1, item, miss.reasons.front().headline};
            for (const std::size_t at : into[miss.root]) {
                const DrawUse& use = m_drawing.uses[at];
                const bool bound = std::ranges::find(miss.nodes, use.from) != miss.nodes.end();
                if (bound && m_scene.wires[static_cast<std::size_t>(use.wire)] != SceneState::hidden) {
                    mark.wire = use.wire;
                    break;
                }
            }
            const bool closed = m_drawing.items[static_cast<std::size_t>(item)].kind
                                != DrawItem::Kind::node;
            if (closed)
                mark.wire = -1;
            if (mark.wire < 0)
                m_scene.blockedItems.push_back(item);
            ++m_scene.inside[static_cast<std::size_t>(item)].blocked;
            m_scene.blocked.push_back(std::move(mark));
        }
        std::ranges::sort(m_scene.blockedItems);
        m_scene.blockedItems.erase(
            std::unique(m_scene.blockedItems.begin(), m_scene.blockedItems.end()),
            m_scene.blockedItems.end());
    }

    const SceneRequest& m_request;
    const Drawing& m_drawing;
    GraphScene m_scene;
};

} // namespace

bool standsIn(const Graph& graph, NodeId id)
{
    const Node* node = graph.node(id);
    if (!node)
        return false;
    const Body* body = graph.body(node->body);
    return body && body->kind != Body::Kind::region;
}

GraphScene makeScene(const SceneRequest& request)
{
    return Maker(request).run();
}

NodeId GraphScene::nodeOf(int index) const
{
    const DrawItem& item = drawing->items[static_cast<std::size_t>(index)];
    if (item.older.empty() && !later)
        return item.node;
    const std::vector<NodeId> others = othersAt(*drawing, later.get(), index);
    for (const Graph* graph : {mode == SceneMode::before ? a.get() : b.get(), a.get()}) {
        if (standsIn(*graph, item.node))
            return item.node;
        for (const NodeId id : others) {
            if (standsIn(*graph, id))
                return id;
        }
    }
    return item.node;
}

const Graph& GraphScene::graphOf(int index) const
{
    const NodeId node = nodeOf(index);
    if (mode == SceneMode::before)
        return *a;
    return b->node(node) ? *b : *a;
}

int GraphScene::visibleItem(NodeId node) const
{
    int item = itemOf(node);
    while (item >= 0 && !isVisible(item))
        item = drawing->items[static_cast<std::size_t>(item)].parent;
    return item;
}

bool GraphScene::isGhost(int item) const
{
    return mode == SceneMode::overlay
           && items[static_cast<std::size_t>(item)] == SceneState::removed;
}

bool GraphScene::isFrame(int index) const
{
    const DrawItem& item = drawing->items[static_cast<std::size_t>(index)];
    if (!item.frame || !item.region)
        return item.frame;
    return item.open
           || (mode == SceneMode::overlay
               && items[static_cast<std::size_t>(index)] == SceneState::added);
}

CardFace faceOf(const GraphScene& scene, int index)
{
    const DrawItem& item = scene.drawing->items[static_cast<std::size_t>(index)];
    CardFace face;
    const NodeId id = scene.nodeOf(index);
    const bool ghost = scene.items[static_cast<std::size_t>(index)] == SceneState::removed;
    const Graph& graph = ghost ? *scene.a : scene.graphOf(index);
    const Node* shown = graph.node(id);
    const CardOptions options = scene.drawing->cardsIn(shown ? shown->body : BodyId{});
    face.content = cardContent(graph, id, options);
    if (face.content.fused) {
        if (id == item.node && !item.title.empty() && !face.content.name.empty())
            face.content.name = item.title;
        const Node* region = graph.node(id);
        const auto members = graph.nodes(region->bodies.empty() ? BodyId{} : region->bodies.front());
        int count = 0;
        for (const NodeId member : *members) {
            const Node& one = *graph.node(member);
            if (++count <= 6)
                face.body += (face.body.empty() ? "" : " · ") + one.op.type;
            face.members.push_back({categoryOf(graph, one), one.op.type,
                                    nameInScope(one.name, options.scope, one.op.type)});
        }
        if (count > 6)
            face.body += " …";
    }
    // A region that grew into another one has one line for its title.
    const bool grown = item.region && item.parent >= 0
                       && scene.drawing->items[static_cast<std::size_t>(item.parent)].region;
    if (item.compact || (grown && scene.isFrame(index))) {
        face.content = compactCard(std::move(face.content));
        return face;
    }
    face.rows.assign(face.content.rows.size(), SceneState::same);
    if (scene.items[static_cast<std::size_t>(index)] != SceneState::changed)
        return face;
    // Rows are told apart by what they are called.
    const bool before = scene.mode == SceneMode::before;
    const CardContent other = cardContent(before ? *scene.b : *scene.a, id, options);
    for (std::size_t i = 0; i < face.content.rows.size(); ++i) {
        const CardRow& row = face.content.rows[i];
        const auto same = std::ranges::find(other.rows, row.label, &CardRow::label);
        if (same == other.rows.end()) {
            face.rows[i] = before ? SceneState::removed : SceneState::added;
            continue;
        }
        const ValuePtr old = scene.a->valuePtr(before ? row.value : same->value);
        const ValuePtr now = scene.b->valuePtr(before ? same->value : row.value);
        const bool constant = old && now && (old != now && diff::differs(*old, *now));
        if (row.text != same->text || row.value != same->value || constant)
            face.rows[i] = SceneState::changed;
    }
    if (scene.mode == SceneMode::overlay) {
        for (const CardRow& row : other.rows) {
            if (std::ranges::find(face.content.rows, row.label, &CardRow::label)
                    == face.content.rows.end()
                && static_cast<int>(face.content.rows.size()) < maxCardRows) {
                face.content.rows.push_back(row);
                face.rows.push_back(SceneState::removed);
            }
        }
    }
    return face;
}

std::string wireLabel(const GraphScene& scene, int index)
{
    const DrawWire& wire = scene.drawing->wires[static_cast<std::size_t>(index)];
    const Value* before = scene.a->value(wire.value);
    const Value* after = scene.b->value(wire.value);
    const bool changed = scene.wires[static_cast<std::size_t>(index)] == SceneState::changed;
    if (changed && before && after && scene.mode == SceneMode::overlay) {
        const std::string old = typeLabel(before->type);
        const std::string now = typeLabel(after->type);
        if (old != now)
            return (old.empty() ? "?" : old) + " → " + (now.empty() ? "?" : now);
    }
    const Value* value = scene.mode == SceneMode::before ? before : after ? after : before;
    return value ? typeLabel(value->type) : std::string();
}

} // namespace fusescope
