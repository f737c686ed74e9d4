#include "session/drawing.h"

#include "session/drawing_builder.h"

#include <algorithm>

namespace fusescope {

bool DrawingOptions::operator==(const DrawingOptions& other) const
{
    return root == other.root && opened == other.opened && blocks == other.blocks
           && cards == other.cards && layout.direction == other.layout.direction
           && layout.deadline == other.layout.deadline
           && layout.useGraphviz == other.layout.useGraphviz;
}

Result<DrawingPtr> makeDrawing(const Timeline& timeline, const DrawingOptions& options,
                               const MeasureCard& measure, std::stop_token stop,
                               const Progress& progress)
{
    const Graph first = timeline.at(0);
    drawing::Union all(first, options.root ? options.root : first.mainBody());
    for (std::size_t i = 0; i < timeline.history->size(); ++i) {
        if (i % 256 == 0 && stop.stop_requested())
            return cancelled();
        all.take(timeline.history->patch(i));
    }
    const Graph newest = timeline.history->at(timeline.history->size());
    auto made = drawing::Builder(all, first, newest, options, measure).run(stop, progress);
    if (!made)
        return made;
    auto result = std::make_shared<Drawing>(**made);
    result->generation = timeline.generation;
    result->steps = timeline.size();
    return result;
}

Result<DrawingPtr> makeDrawing(const Graph& graph, const DrawingOptions& options,
                               const MeasureCard& measure, std::stop_token stop,
                               const Progress& progress)
{
    const drawing::Union all(graph, options.root ? options.root : graph.mainBody());
    return drawing::Builder(all, graph, graph, options, measure).run(stop, progress);
}

int itemIn(const Drawing& drawing, const LaterNodes* later, NodeId node)
{
    if (const int own = drawing.item(node); own >= 0 || !later)
        return own;
    const auto found = later->itemOf.find(node);
    return found == later->itemOf.end() ? -1 : found->second;
}

std::vector<NodeId> othersAt(const Drawing& drawing, const LaterNodes* later, int item)
{
    std::vector<NodeId> all = drawing.items[static_cast<std::size_t>(item)].older;
    if (!later)
        return all;
    if (const auto found = later->at.find(item); found != later->at.end())
        all.insert(all.end(), found->second.begin(), found->second.end());
    return all;
}

LaterNodesPtr laterNodes(const Drawing& drawing, const Timeline& timeline, LaterNodesPtr known)
{
    const int from = known ? known->steps : drawing.steps;
    if (timeline.generation != drawing.generation || timeline.size() <= from)
        return known;
    auto result = known ? std::make_shared<LaterNodes>(*known) : std::make_shared<LaterNodes>();
    for (int step = from; step < timeline.size(); ++step) {
        const GraphPatch& patch = timeline.history->patch(static_cast<std::size_t>(step));
        for (const auto& slot : patch.nodes) {
            if (!slot.after || slot.before || itemIn(drawing, result.get(), slot.id) >= 0)
                continue;
            int place = itemIn(drawing, result.get(),
                               timeline.steps[static_cast<std::size_t>(step)]->root);
            for (const NodeId origin : slot.after->origins)
                place = place < 0 ? itemIn(drawing, result.get(), origin) : place;
            if (place < 0)
                continue;
            result->itemOf.emplace(slot.id, place);
            result->at[place].push_back(slot.id);
        }
    }
    result->steps = timeline.size();
    return result;
}

namespace drawing {

namespace {

constexpr std::uint32_t outputMark = 0x80000000u;

} // namespace

// The item that shows a node: itself, or the closed one around it.
int Builder::endOf(NodeId node) const
{
    for (int depth = 0; node && depth < 1000; ++depth) {
        if (const auto found = m_drawing->itemOf.find(node); found != m_drawing->itemOf.end())
            return found->second;
        const Record* record = m_all.record(node);
        if (!record || isHiddenConstant(*record))
            return -1;
        node = m_all.ownerOf(record->last->body);
    }
    return -1;
}

int Builder::regionAround(int item) const
{
    for (;;) {
        const int parent = m_drawing->items[static_cast<std::size_t>(item)].parent;
        if (parent < 0 || !m_drawing->items[static_cast<std::size_t>(parent)].region)
            return item;
        item = parent;
    }
}

bool Builder::isAncestor(int outer, int item) const
{
    while (item >= 0) {
        if (item == outer)
            return true;
        item = m_drawing->items[static_cast<std::size_t>(item)].parent;
    }
    return false;
}

// The line of the layout between two boxes; lines into a region or a closed block are one for each
// value.
int Builder::pathBetween(int from, int to, ValueId value, std::uint32_t port)
{
    const DrawItem& target = m_drawing->items[static_cast<std::size_t>(to)];
    if (target.region || target.kind == DrawItem::Kind::block
        || target.kind == DrawItem::Kind::folded) {
        const auto [number, fresh] = m_regionPort.try_emplace({to, value.value}, 0);
        if (fresh)
            number->second = m_regionPorts[static_cast<std::size_t>(to)]++;
        port = number->second;
    }
    const auto [position, isNew] =
        m_pathAt.try_emplace({from, to, value.value, port}, static_cast<int>(m_edges.size()));
    if (isNew) {
        const auto [number, freshPort] =
            m_portOf.try_emplace({from, value.value}, m_portCount[static_cast<std::size_t>(from)]);
        if (freshPort)
            ++m_portCount[static_cast<std::size_t>(from)];
        LayoutEdge edge;
        edge.from = from;
        edge.to = to;
        edge.fromPort = number->second;
        edge.toPort = static_cast<int>(port & ~outputMark);
        const Value* record = m_last.value(value) ? m_last.value(value) : m_first.value(value);
        const std::size_t letters = record ? std::min<std::size_t>(record->name.size(), 14) : 4;
        edge.stubWidth = std::clamp(static_cast<double>(letters) * 7 + 26, 48.0, 120.0);
        m_edges.push_back(edge);
    }
    return position->second;
}

void Builder::makeWires()
{
    Drawing& drawing = *m_drawing;
    m_portCount.assign(drawing.items.size(), 0);
    m_regionPorts.assign(drawing.items.size(), 0);
    std::map<std::tuple<int, int, int, std::uint32_t, std::uint32_t>, int> wireAt;
    // By value, from and to around regions: the line of the nodes that a region replaces.
    std::map<std::tuple<std::uint32_t, int, int>, int> plainWire;

    const auto isRegion = [&](NodeId id) {
        const Record* record = m_all.record(id);
        return record && record->last->region.has_value();
    };
    const auto add = [&](const Reading& r, const DrawWire& wire, std::uint32_t port) {
        const auto [position, isNew] =
            wireAt.try_emplace({wire.path, wire.from, wire.to, wire.value.value,
                                wire.path < 0 ? port : 0},
                               static_cast<int>(drawing.wires.size()));
        if (isNew)
            drawing.wires.push_back(wire);
        drawing.uses.push_back({r.value, r.from, r.to, r.body, r.index, position->second});
        return position->second;
    };
    std::vector<std::pair<const Reading*, DrawWire>> ofRegions;
    for (const Reading& reading : m_all.readings()) {
        DrawWire wire;
        wire.value = reading.value;
        if (reading.from) {
            wire.from = endOf(reading.from);
        } else if (const auto input = m_inputItem.find(reading.value); input != m_inputItem.end()) {
            wire.from = input->second;
        }
        if (reading.to) {
            wire.to = endOf(reading.to);
            const Record* maker = m_all.record(reading.from);
            const Record* reader = m_all.record(reading.to);
            const Value* value = m_first.value(reading.value);
            const BodyId home = maker ? maker->last->body : value ? value->body : BodyId{};
            wire.captured = reader && home && reader->last->body != home;
        } else if (const auto output = m_outputItem.find({reading.body.value, reading.index});
                   output != m_outputItem.end()) {
            wire.to = output->second;
        }
        if (wire.from < 0 || wire.to < 0 || wire.from == wire.to || isAncestor(wire.from, wire.to)
            || isAncestor(wire.to, wire.from))
            continue;
        if (isRegion(reading.from) || isRegion(reading.to)) {
            ofRegions.emplace_back(&reading, wire);
            continue;
        }
        const std::uint32_t port = reading.to ? reading.index : reading.index | outputMark;
        const int from = regionAround(wire.from);
        const int to = regionAround(wire.to);
        if (from != to)
            wire.path = pathBetween(from, to, reading.value, port);
        const int at = add(reading, wire, port);
        plainWire.try_emplace({reading.value.value, from, to}, at);
    }
    for (auto& [reading, wire] : ofRegions) {
        const std::uint32_t port = reading->to ? reading->index : reading->index | outputMark;
        const int from = regionAround(wire.from);
        const int to = regionAround(wire.to);
        const auto pair = plainWire.find({reading->value.value, from, to});
        if (from == to)
            wire.path = -1;
        else if (pair != plainWire.end())
            wire.path = drawing.wires[static_cast<std::size_t>(pair->second)].path;
        else
            wire.path = pathBetween(from, to, reading->value, port);
        add(*reading, wire, port);
    }
    // By value and region: those that run inside it.
    std::map<std::pair<std::uint32_t, int>, int> inside;
    for (DrawWire& wire : drawing.wires) {
        wire.bundle = wire.path;
        if (wire.path < 0)
            wire.bundle = inside.try_emplace({wire.value.value, wire.from},
                                             static_cast<int>(m_edges.size() + inside.size()))
                              .first->second;
    }
}

LayoutGraph Builder::layoutInput()
{
    LayoutGraph graph;
    graph.boxes.reserve(m_drawing->items.size());
    m_boxOf.assign(m_drawing->items.size(), -1);
    for (std::size_t i = 0; i < m_drawing->items.size(); ++i) {
        const DrawItem& item = m_drawing->items[i];
        const int around = regionAround(static_cast<int>(i));
        if (around != static_cast<int>(i)) {
            m_boxOf[i] = m_boxOf[static_cast<std::size_t>(around)];
            continue;
        }
        m_boxOf[i] = static_cast<int>(graph.boxes.size());
        const bool frame = item.frame && !item.region;
        graph.boxes.push_back({m_sizes[i].width, frame ? item.strip : m_sizes[i].height,
                               item.parent < 0 ? -1 : m_boxOf[static_cast<std::size_t>(item.parent)],
                               m_boxOf[i]});
    }
    graph.edges = m_edges;
    for (LayoutEdge& edge : graph.edges) {
        edge.from = m_boxOf[static_cast<std::size_t>(edge.from)];
        edge.to = m_boxOf[static_cast<std::size_t>(edge.to)];
    }
    return graph;
}

Result<DrawingPtr> Builder::run(std::stop_token stop, const Progress& progress)
{
    findScopes();
    findRegions();
    findFolded();
    makeItems();
    if (stop.stop_requested())
        return cancelled();
    makeWires();
    LayoutOptions options = m_options.layout;
    if (m_drawing->blocksClosed)
        options.stubReach = std::min(options.stubReach, 6);
    FUSESCOPE_ASSIGN(LayoutResult placed, layoutGraph(layoutInput(), options, stop, progress));
    Drawing& drawing = *m_drawing;
    for (std::size_t i = 0; i < drawing.items.size(); ++i)
        drawing.items[i].rect = placed.boxes[static_cast<std::size_t>(m_boxOf[i])];
    placeMembers();
    drawing.paths = std::move(placed.edges);
    for (DrawWire& wire : drawing.wires) {
        const bool inner = wire.path < 0;
        if (!inner && !isMember(wire.from) && !isMember(wire.to))
            continue;
        LayoutPath path = inner ? innerPath(wire)
                                : outerPath(wire, drawing.paths[static_cast<std::size_t>(wire.path)]);
        wire.path = static_cast<int>(drawing.paths.size());
        drawing.paths.push_back(std::move(path));
    }
    drawing.width = placed.width;
    drawing.height = placed.height;
    drawing.engine = placed.engine;
    drawing.milliseconds = placed.milliseconds;
    drawing.deadlineMissed = placed.deadlineMissed;
    drawing.root = m_all.root();
    return DrawingPtr(m_drawing);
}

} // namespace drawing
} // namespace fusescope
