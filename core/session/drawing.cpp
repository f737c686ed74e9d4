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
    auto made = drawing::Builder(all, first, timeline.history->latest(), options, measure)
                    .run(stop, progress);
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

DrawingPtr withLaterSteps(const DrawingPtr& drawing, const Timeline& timeline)
{
    if (timeline.generation != drawing->generation || timeline.size() <= drawing->steps)
        return drawing;
    auto result = std::make_shared<Drawing>(*drawing);
    for (int step = drawing->steps; step < timeline.size(); ++step) {
        const GraphPatch& patch = timeline.history->patch(static_cast<std::size_t>(step));
        for (const auto& slot : patch.nodes) {
            if (!slot.after || slot.before || result->itemOf.contains(slot.id))
                continue;
            int place = result->item(timeline.steps[static_cast<std::size_t>(step)]->root);
            for (const NodeId origin : slot.after->origins)
                place = place < 0 ? result->item(origin) : place;
            if (place < 0)
                continue;
            result->itemOf.emplace(slot.id, place);
            result->items[static_cast<std::size_t>(place)].older.push_back(slot.id);
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
    const int parent = m_drawing->items[static_cast<std::size_t>(item)].parent;
    return parent >= 0 && m_drawing->items[static_cast<std::size_t>(parent)].region ? parent : item;
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

int Builder::pathBetween(int from, int to, ValueId value, std::uint32_t port)
{
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
    std::map<std::tuple<int, int, int, int>, int> wireAt; // path, clips, captured
    // By value, from and to around regions: the line of the nodes that a region replaces.
    std::map<std::tuple<std::uint32_t, int, int>, int> plainWire;

    struct End
    {
        const Reading* reading;
        int from, to;
        bool captured;
    };
    std::vector<End> ends;
    for (const Reading& reading : m_all.readings()) {
        int from = -1;
        if (reading.from) {
            from = endOf(reading.from);
        } else if (const auto input = m_inputItem.find(reading.value); input != m_inputItem.end()) {
            from = input->second;
        }
        int to = -1;
        bool captured = false;
        if (reading.to) {
            to = endOf(reading.to);
            const Record* maker = m_all.record(reading.from);
            const Record* reader = m_all.record(reading.to);
            const Value* value = m_first.value(reading.value);
            const BodyId home = maker ? maker->last->body : value ? value->body : BodyId{};
            captured = reader && home && reader->last->body != home;
        } else if (const auto output = m_outputItem.find({reading.body.value, reading.index});
                   output != m_outputItem.end()) {
            to = output->second;
        }
        if (from < 0 || to < 0 || from == to || isAncestor(from, to) || isAncestor(to, from))
            continue;
        ends.push_back({&reading, from, to, captured});
    }
    const auto isRegion = [&](NodeId id) {
        const Record* record = m_all.record(id);
        return record && record->last->region.has_value();
    };
    const auto add = [&](const End& end, DrawWire wire) {
        const auto [position, isNew] =
            wireAt.try_emplace({wire.path, wire.clipFrom, wire.clipTo, wire.captured ? 1 : 0},
                               static_cast<int>(drawing.wires.size()));
        if (isNew)
            drawing.wires.push_back(wire);
        const Reading& r = *end.reading;
        drawing.uses.push_back({r.value, r.from, r.to, r.body, r.index, position->second});
        return position->second;
    };
    const auto portOf = [](const Reading& r) { return r.to ? r.index : r.index | outputMark; };
    for (const End& end : ends) {
        if (isRegion(end.reading->from) || isRegion(end.reading->to))
            continue;
        DrawWire wire{end.reading->value, end.from, end.to, -1, -1, -1, -1, end.captured};
        wire.path = pathBetween(end.from, end.to, end.reading->value, portOf(*end.reading));
        const int at = add(end, wire);
        plainWire.try_emplace({end.reading->value.value, regionAround(end.from),
                               regionAround(end.to)}, at);
    }
    for (const End& end : ends) {
        if (!isRegion(end.reading->from) && !isRegion(end.reading->to))
            continue;
        DrawWire wire{end.reading->value, end.from, end.to, -1, -1, -1, -1, end.captured};
        const auto pair = plainWire.find(
            {end.reading->value.value, regionAround(end.from), regionAround(end.to)});
        if (pair != plainWire.end()) {
            const DrawWire& base = drawing.wires[static_cast<std::size_t>(pair->second)];
            wire.path = base.path;
            wire.pairedWith = pair->second;
            if (base.from != end.from)
                wire.clipFrom = end.from;
            if (base.to != end.to)
                wire.clipTo = end.to;
        } else {
            wire.path = pathBetween(end.from, end.to, end.reading->value, portOf(*end.reading));
        }
        add(end, wire);
    }
}

LayoutGraph Builder::layoutInput() const
{
    LayoutGraph graph;
    graph.boxes.reserve(m_drawing->items.size());
    for (std::size_t i = 0; i < m_drawing->items.size(); ++i) {
        const DrawItem& item = m_drawing->items[i];
        graph.boxes.push_back({m_sizes[i].width, item.frame ? item.strip : m_sizes[i].height,
                               item.parent, static_cast<int>(i)});
    }
    graph.edges = m_edges;
    return graph;
}

Result<DrawingPtr> Builder::run(std::stop_token stop, const Progress& progress)
{
    findRegions();
    findFolded();
    makeItems();
    if (stop.stop_requested())
        return cancelled();
    makeWires();
    FUSESCOPE_ASSIGN(LayoutResult placed,
                     layoutGraph(layoutInput(), m_options.layout, stop, progress));
    Drawing& drawing = *m_drawing;
    for (std::size_t i = 0; i < drawing.items.size(); ++i)
        drawing.items[i].rect = placed.boxes[i];
    drawing.paths = std::move(placed.edges);
    drawing.width = placed.width;
    drawing.height = placed.height;
    drawing.engine = placed.engine;
    drawing.milliseconds = placed.milliseconds;
    drawing.deadlineMissed = placed.deadlineMissed;
    drawing.root = m_all.root();
    drawing.options = m_options;
    return DrawingPtr(m_drawing);
}

} // namespace drawing
} // namespace fusescope
