#include "layout/segmented.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fusescope::layout {

namespace {

struct Part
{
    std::vector<int> nodes;
    std::vector<int> edges;
    std::vector<int> top;
    std::vector<int> bottom;
    Drawing drawing;
    LayoutRect bounds;
    double x = 0;
    double y = 0;
};

std::vector<Part> connectedParts(const Piece& whole)
{
    std::vector<int> leader(whole.width.size());
    std::iota(leader.begin(), leader.end(), 0);
    const auto find = [&](int v) {
        while (leader[v] != v)
            v = leader[v] = leader[leader[v]];
        return v;
    };
    for (const auto& [u, v] : whole.edges) {
        const int a = find(u);
        const int b = find(v);
        leader[std::max(a, b)] = std::min(a, b);
    }
    std::vector<Part> parts;
    std::vector<int> partOf(whole.width.size(), -1);
    for (int v = 0; v < whole.size(); ++v) {
        const int root = find(v);
        if (partOf[root] < 0) {
            partOf[root] = static_cast<int>(parts.size());
            parts.emplace_back();
        }
        partOf[v] = partOf[root];
        parts[partOf[v]].nodes.push_back(v);
    }
    for (std::size_t e = 0; e < whole.edges.size(); ++e)
        parts[partOf[whole.edges[e].first]].edges.push_back(static_cast<int>(e));
    for (const int v : whole.top)
        parts[partOf[v]].top.push_back(v);
    for (const int v : whole.bottom)
        parts[partOf[v]].bottom.push_back(v);
    return parts;
}

void drawPart(const Piece& whole, Part& part, std::vector<int>& index, PieceEngine& engine)
{
    Piece piece;
    piece.ordered = false;
    for (const int v : part.nodes) {
        index[v] = piece.size();
        piece.width.push_back(whole.width[v]);
        piece.height.push_back(whole.height[v]);
    }
    for (const int e : part.edges) {
        piece.edges.emplace_back(index[whole.edges[e].first], index[whole.edges[e].second]);
        if (!whole.weight.empty())
            piece.weight.push_back(whole.weight[e]);
    }
    if (part.nodes.size() == 1) {
        part.drawing.centre.push_back({});
    } else {
        for (const int v : part.top)
            piece.top.push_back(index[v]);
        for (const int v : part.bottom)
            piece.bottom.push_back(index[v]);
        part.drawing = drawConnected(piece, engine);
    }
    part.bounds = boundsOf(piece, part.drawing);
}

// Columns beside the tallest part, or beside what makes the whole about square.
void pack(std::vector<Part>& parts, bool oneRow, const Gaps& gaps)
{
    std::vector<Part*> inOrder;
    double tallest = 0;
    double area = 0;
    for (Part& part : parts) {
        inOrder.push_back(&part);
        tallest = std::max(tallest, part.bounds.height);
        area += (part.bounds.width + gaps.box) * (part.bounds.height + gaps.rank);
    }
    std::ranges::stable_sort(
        inOrder, [](const Part* a, const Part* b) { return a->nodes.size() > b->nodes.size(); });
    const double limit = oneRow ? 0 : std::max(tallest, std::sqrt(area));
    double x = 0;
    double y = 0;
    double width = 0;
    for (Part* part : inOrder) {
        if (y > 0 && y + part->bounds.height > limit + 0.5) {
            x += width + gaps.box * 2;
            y = 0;
            width = 0;
        }
        part->x = x - part->bounds.x;
        part->y = y - part->bounds.y;
        y += part->bounds.height + gaps.rank;
        width = std::max(width, part->bounds.width);
    }
}

} // namespace

Drawing drawParts(const Piece& whole, PieceEngine& engine)
{
    std::vector<Part> parts = connectedParts(whole);
    std::vector<int> index(whole.width.size(), -1);
    for (Part& part : parts)
        drawPart(whole, part, index, engine);
    pack(parts, !whole.top.empty() || !whole.bottom.empty(), engine.gaps());
    Drawing drawing;
    drawing.centre.resize(whole.width.size());
    drawing.curves.resize(whole.edges.size());
    for (Part& part : parts) {
        for (std::size_t i = 0; i < part.nodes.size(); ++i) {
            const LayoutPoint c = part.drawing.centre[i];
            drawing.centre[part.nodes[i]] = {c.x + part.x, c.y + part.y};
        }
        for (std::size_t i = 0; i < part.edges.size(); ++i) {
            Curve& curve = drawing.curves[part.edges[i]] = std::move(part.drawing.curves[i]);
            for (LayoutPoint& p : curve) {
                p.x += part.x;
                p.y += part.y;
            }
        }
    }
    return drawing;
}

} // namespace fusescope::layout
