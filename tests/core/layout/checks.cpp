#include "core/layout/checks.h"

#include "layout/quality.h"

#include <QStringList>
#include <cmath>
#include <map>
#include <stdexcept>

namespace fusescope::checks {

namespace {

constexpr double tolerance = 1.0;

bool onBorder(const LayoutRect& box, LayoutPoint p)
{
    const bool within = p.x >= box.x - tolerance && p.x <= box.right() + tolerance &&
                        p.y >= box.y - tolerance && p.y <= box.bottom() + tolerance;
    const bool inside = p.x > box.x + tolerance && p.x < box.right() - tolerance &&
                        p.y > box.y + tolerance && p.y < box.bottom() - tolerance;
    return within && !inside;
}

bool contains(const LayoutRect& outer, const LayoutRect& inner)
{
    return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() + 1e-6 &&
           inner.bottom() <= outer.bottom() + 1e-6;
}

bool holds(const LayoutGraph& graph, int outer, int inner)
{
    for (int box = inner; box >= 0; box = graph.boxes[box].parent) {
        if (box == outer)
            return true;
    }
    return false;
}

} // namespace

QString problemsOf(const LayoutGraph& graph, const LayoutResult& result, LayoutDirection direction)
{
    QStringList problems;
    if (result.boxes.size() != graph.boxes.size() || result.edges.size() != graph.edges.size())
        return QStringLiteral("wrong sizes");
    const LayoutRect whole{0, 0, result.width + tolerance, result.height + tolerance};
    std::map<int, std::vector<LayoutRect>> siblings;
    for (std::size_t i = 0; i < graph.boxes.size(); ++i) {
        const LayoutRect& box = result.boxes[i];
        const int parent = graph.boxes[i].parent;
        if (!std::isfinite(box.x) || !std::isfinite(box.y) || !contains(whole, box))
            problems << QStringLiteral("box %1 is outside").arg(i);
        if (box.width + 1e-6 < graph.boxes[i].width)
            problems << QStringLiteral("box %1 is too narrow").arg(i);
        if (parent >= 0) {
            LayoutRect room = result.boxes[parent];
            room.y += graph.boxes[parent].height; // the title stays free
            room.height -= graph.boxes[parent].height;
            if (!contains(room, box))
                problems << QStringLiteral("box %1 is outside of its frame").arg(i);
        }
        siblings[parent].push_back(box);
    }
    const bool down = direction == LayoutDirection::topToBottom;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const LayoutEdge& edge = graph.edges[e];
        const LayoutPath& path = result.edges[e];
        const auto& points = path.points;
        if (points.size() < 4 || points.size() % 3 != 1) {
            problems << QStringLiteral("edge %1 has no path").arg(e);
            continue;
        }
        for (const LayoutPoint& p : points) {
            if (!(p.x >= -tolerance && p.y >= -tolerance && p.x <= whole.width &&
                  p.y <= whole.height)) {
                problems << QStringLiteral("edge %1 is outside").arg(e);
                break;
            }
        }
        if (path.stub) {
            siblings[graph.boxes[edge.to].parent].push_back(path.pill);
            const double gap =
                down ? points.front().y - path.pill.bottom() : points.front().x - path.pill.right();
            if (gap < -tolerance)
                problems << QStringLiteral("stub %1 does not start below its pill").arg(e);
        } else if (!holds(graph, edge.from, edge.to) &&
                   !onBorder(result.boxes[edge.from], points.front())) {
            problems << QStringLiteral("edge %1 does not start at its box").arg(e);
        }
        if (!onBorder(result.boxes[edge.to], points.back()))
            problems << QStringLiteral("edge %1 does not end at its box").arg(e);
    }
    for (const auto& [parent, boxes] : siblings) {
        const auto overlaps = layout::measure(boxes, {}).overlaps;
        if (overlaps > 0)
            problems << QStringLiteral("%1 overlaps in frame %2").arg(overlaps).arg(parent);
    }
    return problems.mid(0, 10).join(QStringLiteral("; "));
}

LayoutResult draw(const LayoutGraph& graph, const LayoutOptions& options)
{
    auto result = layoutGraph(graph, options, {}, {});
    if (!result)
        throw std::runtime_error("no drawing");
    return std::move(*result);
}

LayoutGraph graphOf(int boxes, std::initializer_list<std::pair<int, int>> edges)
{
    LayoutGraph graph;
    for (int i = 0; i < boxes; ++i)
        graph.boxes.push_back({100.0 + i % 3 * 20, 40});
    for (const auto& [from, to] : edges)
        graph.edges.push_back({from, to});
    return graph;
}

} // namespace fusescope::checks
