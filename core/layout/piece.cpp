#include "layout/piece.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace fusescope::layout {

Adjacency Adjacency::outgoing(int nodes, const EdgeList& edges)
{
    Adjacency result;
    result.m_first.assign(static_cast<std::size_t>(nodes) + 1, 0);
    for (const auto& edge : edges)
        ++result.m_first[edge.first + 1];
    for (int i = 0; i < nodes; ++i)
        result.m_first[i + 1] += result.m_first[i];
    result.m_edges.resize(edges.size());
    std::vector<int> next(result.m_first.begin(), result.m_first.end() - 1);
    for (std::size_t e = 0; e < edges.size(); ++e)
        result.m_edges[next[edges[e].first]++] = static_cast<int>(e);
    return result;
}

Adjacency Adjacency::incoming(int nodes, const EdgeList& edges)
{
    EdgeList turned;
    turned.reserve(edges.size());
    for (const auto& [from, to] : edges)
        turned.emplace_back(to, from);
    return outgoing(nodes, turned);
}

std::vector<int> topologicalOrder(int nodes, const EdgeList& edges)
{
    const Adjacency out = Adjacency::outgoing(nodes, edges);
    std::vector<int> waiting(static_cast<std::size_t>(nodes), 0);
    for (const auto& edge : edges)
        ++waiting[edge.second];
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int v = 0; v < nodes; ++v) {
        if (waiting[v] == 0)
            ready.push(v);
    }
    std::vector<int> order;
    order.reserve(static_cast<std::size_t>(nodes));
    while (!ready.empty()) {
        const int v = ready.top();
        ready.pop();
        order.push_back(v);
        for (const int e : out.of(v)) {
            if (--waiting[edges[e].second] == 0)
                ready.push(edges[e].second);
        }
    }
    return order;
}

LayoutRect boundsOf(const Piece& piece, const Drawing& drawing)
{
    if (drawing.centre.empty())
        return {};
    double left = 1e300, right = -1e300, top = 1e300, bottom = -1e300;
    for (int v = 0; v < piece.size(); ++v) {
        const LayoutPoint c = drawing.centre[v];
        left = std::min(left, c.x - piece.width[v] / 2);
        right = std::max(right, c.x + piece.width[v] / 2);
        top = std::min(top, c.y - piece.height[v] / 2);
        bottom = std::max(bottom, c.y + piece.height[v] / 2);
    }
    for (const Curve& curve : drawing.curves) {
        for (const LayoutPoint& p : curve) {
            left = std::min(left, p.x);
            right = std::max(right, p.x);
            top = std::min(top, p.y);
            bottom = std::max(bottom, p.y);
        }
    }
    return {left, top, right - left, bottom - top};
}

void lineTo(Curve& curve, LayoutPoint end)
{
    const LayoutPoint a = curve.back();
    curve.push_back({a.x + (end.x - a.x) / 3, a.y + (end.y - a.y) / 3});
    curve.push_back({a.x + 2 * (end.x - a.x) / 3, a.y + 2 * (end.y - a.y) / 3});
    curve.push_back(end);
}

void bendTo(Curve& curve, LayoutPoint end)
{
    const LayoutPoint a = curve.back();
    const double middle = (a.y + end.y) / 2;
    curve.push_back({a.x, middle});
    curve.push_back({end.x, middle});
    curve.push_back(end);
}

std::string pieceKey(const Piece& piece, const Gaps& gaps)
{
    std::string key;
    key.reserve(64 + piece.width.size() * 8 + piece.edges.size() * 12);
    const auto put = [&key](const auto& value) {
        key.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    const auto putAll = [&](const auto& values) {
        put(static_cast<std::uint32_t>(values.size()));
        if (!values.empty())
            key.append(reinterpret_cast<const char*>(values.data()),
                       values.size() * sizeof values[0]);
    };
    put(gaps.box);
    put(gaps.rank);
    put(static_cast<char>(piece.ordered));
    putAll(piece.width);
    putAll(piece.height);
    put(static_cast<std::uint32_t>(piece.edges.size()));
    for (const auto& [from, to] : piece.edges) {
        put(from);
        put(to);
    }
    putAll(piece.weight);
    putAll(piece.top);
    putAll(piece.bottom);
    return key;
}

} // namespace fusescope::layout
