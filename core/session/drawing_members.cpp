#include "session/drawing_builder.h"

#include <algorithm>
#include <cmath>

namespace fusescope::drawing {

namespace {

LayoutPoint between(LayoutPoint a, LayoutPoint b, double t)
{
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

void lineTo(std::vector<LayoutPoint>& points, LayoutPoint end)
{
    const LayoutPoint start = points.back();
    points.push_back(between(start, end, 1.0 / 3));
    points.push_back(between(start, end, 2.0 / 3));
    points.push_back(end);
}

void curveTo(std::vector<LayoutPoint>& points, LayoutPoint a, LayoutPoint b, LayoutPoint end)
{
    points.push_back(a);
    points.push_back(b);
    points.push_back(end);
}

// From a point on the border of a region to a card in its stack, in cubic curves.
std::vector<LayoutPoint> inward(LayoutPoint start, const LayoutRect& box, double strip,
                                const LayoutRect& card, bool first, bool fromTop)
{
    std::vector<LayoutPoint> points{start};
    const LayoutPoint middle = card.centre();
    const bool side = start.x <= box.x + 1 || start.x >= box.right() - 1;
    if (side) {
        const bool left = start.x <= box.x + 1;
        const LayoutPoint end{left ? card.x : card.right(), middle.y};
        const double lane = (start.x + end.x) / 2;
        curveTo(points, {lane, start.y}, {lane, end.y}, end);
        return points;
    }
    if (first) {
        const LayoutPoint end{std::clamp(start.x, card.x + 10, card.right() - 10),
                              fromTop ? card.y : card.bottom()};
        const double half = (end.y - start.y) / 2;
        curveTo(points, {start.x, start.y + half}, {end.x, end.y - half}, end);
        return points;
    }
    // Along a lane beside the stack.
    const bool left = start.x < box.centre().x;
    const double lane = left ? box.x + memberInset / 2 + 2 : box.right() - memberInset / 2;
    const LayoutPoint end{left ? card.x : card.right(), middle.y};
    const double turn = fromTop ? box.y + strip + 4 : box.bottom() - 4;
    const double half = (turn - start.y) / 2;
    curveTo(points, {start.x, start.y + half}, {lane, turn - half}, {lane, turn});
    const double near = middle.y + (fromTop ? -6.0 : 6.0);
    lineTo(points, {lane, near});
    curveTo(points, {lane, middle.y}, {lane, middle.y}, end);
    return points;
}

} // namespace

// The first region on the way of a node that has gone to the one that stands last.
NodeId Builder::regionThatTook(NodeId node) const
{
    for (int depth = 0; depth < 10000; ++depth) {
        const Record* record = m_all.record(node);
        if (!record || !record->gone || record->heirs.empty())
            return {};
        node = record->heirs.front();
        const Record* next = m_all.record(node);
        if (next && next->last->region)
            return node;
    }
    return {};
}

// What a region, the final one or one that grew into it, holds of the stack: nodes in the order of
// the file and smaller regions in the place of their last node.
std::vector<NodeId> Builder::partsOf(NodeId region, NodeId around) const
{
    const auto orderOf = [this](NodeId id) { return m_all.record(id)->first->order; };
    std::vector<std::pair<std::pair<double, NodeId>, NodeId>> parts;
    for (const NodeId member : m_members.at(around)) {
        if (!m_regionOf.contains(member))
            continue;
        // The part of `around` that it belongs to.
        NodeId part = member;
        NodeId next = regionThatTook(member);
        for (int depth = 0; next && next != region && next != around && depth < 10000; ++depth) {
            part = next;
            next = regionThatTook(next);
        }
        if (next != region)
            continue;
        const auto place = std::pair(static_cast<double>(orderOf(member)), member);
        const auto known = std::ranges::find(parts, part, [](const auto& p) { return p.second; });
        if (known == parts.end())
            parts.emplace_back(place, part);
        else
            known->first = std::max(known->first, place);
    }
    std::ranges::sort(parts);
    std::vector<NodeId> result;
    for (const auto& [place, part] : parts)
        result.push_back(part);
    return result;
}

// Adds them to the item of `region` below `y`, where the next one would stand.
void Builder::addParts(int region, int parent, double inset, double& y, int& row)
{
    const auto widen = [&](double width) {
        CardSize& size = m_sizes[static_cast<std::size_t>(region)];
        size.width = std::max(size.width, width + 2 * inset);
    };
    const NodeId around = m_drawing->items[static_cast<std::size_t>(region)].node;
    const NodeId owner = m_drawing->items[static_cast<std::size_t>(parent)].node;
    for (const NodeId id : partsOf(owner, around)) {
        const Record& record = *m_all.record(id);
        DrawItem item;
        item.node = id;
        item.parent = parent;
        Place place;
        place.inset = inset;
        place.y = y;
        place.firstRow = row;
        if (!record.last->region) {
            item.compact = true;
            const CardSize size = sizeOf(record, true);
            widen(size.width);
            const int at = addItem(item, size);
            m_drawing->itemOf[id] = at;
            place.height = memberHeight;
            place.lastRow = row++;
            y += memberHeight + memberGap;
            m_places[at] = place;
            continue;
        }
        const DrawItem& outer = m_drawing->items[static_cast<std::size_t>(region)];
        item.region = item.frame = true;
        item.key = outer.key;
        item.open = outer.open;
        item.strip = memberHeight;
        for (const NodeId member : outer.nodes) {
            NodeId took = regionThatTook(member);
            while (took && took != id)
                took = regionThatTook(took);
            if (took == id) {
                item.nodes.push_back(member);
                if (!m_regionOf.contains(member))
                    item.tied.push_back(member);
            }
        }
        item.title = jointNameOf(item.nodes);
        const int at = addItem(item, {});
        m_drawing->itemOf[id] = at;
        y += item.strip + grownTop;
        addParts(region, at, inset + grownInset, y, row);
        y += grownBottom;
        place.lastRow = row - 1;
        place.height = y - memberGap - place.y;
        m_places[at] = place;
    }
}

std::string Builder::jointNameOf(const std::vector<NodeId>& nodes) const
{
    std::vector<std::string> names;
    for (const NodeId node : nodes) {
        const Record& one = *m_all.record(node);
        const std::string name = nameInScope(
            one.first->name, m_drawing->cardsIn(one.first->body).scope, one.first->op.type);
        names.push_back(name.empty() ? one.first->op.type : name);
    }
    return jointName(names);
}

void Builder::placeMembers()
{
    Drawing& drawing = *m_drawing;
    for (const auto& [at, place] : m_places) {
        const LayoutRect& box =
            drawing.items[static_cast<std::size_t>(regionAround(at))].rect;
        drawing.items[static_cast<std::size_t>(at)].rect = {
            box.x + place.inset, box.y + place.y, box.width - 2 * place.inset, place.height};
    }
}

LayoutPath Builder::outerPath(const DrawWire& wire, LayoutPath path) const
{
    const auto item = [this](int i) -> const DrawItem& {
        return m_drawing->items[static_cast<std::size_t>(i)];
    };
    if (path.points.empty())
        return path;
    if (!path.cubic) {
        std::vector<LayoutPoint> points{path.points.front()};
        for (std::size_t i = 1; i < path.points.size(); ++i)
            lineTo(points, path.points[i]);
        path.points = std::move(points);
        path.cubic = true;
    }
    if (isMember(wire.to)) {
        const DrawItem& region = item(regionAround(wire.to));
        const std::vector<LayoutPoint> more =
            inward(path.points.back(), region.rect, region.strip, item(wire.to).rect,
                   m_places.at(wire.to).firstRow == 0, true);
        path.points.insert(path.points.end(), more.begin() + 1, more.end());
    }
    if (isMember(wire.from) && !path.stub) {
        const int around = regionAround(wire.from);
        const DrawItem& region = item(around);
        const bool last = m_places.at(wire.from).lastRow == m_rows.at(around) - 1;
        std::vector<LayoutPoint> more = inward(path.points.front(), region.rect, region.strip,
                                               item(wire.from).rect, last, false);
        std::ranges::reverse(more);
        path.points.insert(path.points.begin(), more.begin(), more.end() - 1);
    }
    return path;
}

LayoutPath Builder::innerPath(const DrawWire& wire)
{
    const LayoutRect& from = m_drawing->items[static_cast<std::size_t>(wire.from)].rect;
    const LayoutRect& to = m_drawing->items[static_cast<std::size_t>(wire.to)].rect;
    const LayoutRect& box =
        m_drawing->items[static_cast<std::size_t>(regionAround(wire.from))].rect;
    const int number = m_laneCount[{wire.from, wire.to}]++;
    LayoutPath path;
    const int rows = m_places.at(wire.to).firstRow - m_places.at(wire.from).lastRow;
    if (rows == 1) {
        const double x = from.centre().x + (number % 2 == 0 ? 12.0 : -12.0) * ((number + 1) / 2);
        path.points = {{x, from.bottom()}};
        lineTo(path.points, {x, to.y});
        return path;
    }
    const bool left = m_laneCount[{wire.from, -1}]++ % 2 == 1;
    const double start = left ? from.x : from.right();
    const double lane = left ? box.x + memberInset / 2 + 2 : box.right() - memberInset / 2;
    const double down = rows > 0 ? 6 : -6;
    path.points = {{start, from.centre().y}};
    curveTo(path.points, {lane, from.centre().y}, {lane, from.centre().y},
            {lane, from.centre().y + down});
    lineTo(path.points, {lane, to.centre().y - down});
    curveTo(path.points, {lane, to.centre().y}, {lane, to.centre().y},
            {left ? to.x : to.right(), to.centre().y});
    return path;
}

} // namespace fusescope::drawing
