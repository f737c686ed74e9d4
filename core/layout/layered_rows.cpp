#include "layout/layered_rows.h"

#include <algorithm>
#include <climits>
#include <cstdint>

namespace fusescope::layout {

namespace {

constexpr double placeWidth = 2;

std::vector<int> ranksOf(const Piece& piece, const Adjacency& out, const Adjacency& in)
{
    const int n = piece.size();
    std::vector<int> rank(static_cast<std::size_t>(n), 0);
    std::vector<char> fixed(static_cast<std::size_t>(n), 0);
    for (const int v : piece.top)
        fixed[v] = 1;
    for (const int v : piece.bottom)
        fixed[v] = 2;
    const std::vector<int> order = topologicalOrder(n, piece.edges);
    const int first = piece.top.empty() ? 0 : 1;
    int deepest = 0;
    for (const int v : order) {
        int r = fixed[v] == 1 ? 0 : first;
        for (const int e : in.of(v))
            r = std::max(r, rank[piece.edges[e].first] + 1);
        rank[v] = r;
        if (fixed[v] != 2)
            deepest = std::max(deepest, r);
    }
    const int last = piece.bottom.empty() ? deepest : deepest + 1;
    for (const int v : piece.bottom)
        rank[v] = last;
    // What nothing above holds in place comes down to its first reader.
    std::vector<char> loose(static_cast<std::size_t>(n), 0);
    for (const int v : order) {
        loose[v] = fixed[v] == 0 && out.degree(v) > 0;
        for (const int e : in.of(v)) {
            const int u = piece.edges[e].first;
            if (!loose[u] || out.degree(u) != 1)
                loose[v] = 0;
        }
    }
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        if (!loose[*at])
            continue;
        int r = INT_MAX;
        for (const int e : out.of(*at))
            r = std::min(r, rank[piece.edges[e].second] - 1);
        rank[*at] = std::max(r, rank[*at]);
    }
    return rank;
}

// The longest span for which the places of all edges together stay within a bound linear in the
// size of the piece.
int longestSpan(const Piece& piece, const std::vector<int>& rank, const Adjacency& out)
{
    const std::int64_t bound = 4 * static_cast<std::int64_t>(piece.size()) + 50'000;
    int limit = 1;
    for (const auto& [u, v] : piece.edges)
        limit = std::max(limit, rank[v] - rank[u]);
    for (; limit > 1; limit /= 2) {
        std::int64_t places = 0;
        for (int u = 0; u < piece.size(); ++u) {
            int span = 1;
            for (const int e : out.of(u)) {
                const int s = rank[piece.edges[e].second] - rank[u];
                if (s <= limit)
                    span = std::max(span, s);
            }
            places += span - 1;
        }
        if (places <= bound)
            break;
    }
    return limit;
}

} // namespace

void Rows::renumber(int row)
{
    for (std::size_t i = 0; i < rows[row].size(); ++i)
        index[rows[row][i]] = static_cast<int>(i);
}

Rows makeRows(const Piece& piece)
{
    const int n = piece.size();
    const Adjacency out = Adjacency::outgoing(n, piece.edges);
    const Adjacency in = Adjacency::incoming(n, piece.edges);
    Rows rows;
    rows.nodes = n;
    rows.rank = ranksOf(piece, out, in);
    rows.width.assign(piece.width.begin(), piece.width.end());
    rows.firstPlace.assign(static_cast<std::size_t>(n), -1);
    const int limit = longestSpan(piece, rows.rank, out);
    const auto weightOf = [&](int e) { return piece.weight.empty() ? 1 : piece.weight[e]; };
    for (int u = 0; u < n; ++u) {
        int span = 1;
        int weight = 1;
        for (const int e : out.of(u)) {
            const int s = rows.rank[piece.edges[e].second] - rows.rank[u];
            if (s <= limit)
                span = std::max(span, s);
            else
                rows.aside.push_back(e);
            if (s > 1 && s <= limit)
                weight = std::max(weight, weightOf(e));
        }
        if (span == 1)
            continue;
        rows.firstPlace[u] = rows.items();
        for (int k = 1; k < span; ++k) {
            const int item = rows.items();
            rows.rank.push_back(rows.rank[u] + k);
            rows.width.push_back(placeWidth);
            rows.links.push_back({k == 1 ? u : item - 1, item, weight});
        }
    }
    for (std::size_t e = 0; e < piece.edges.size(); ++e) {
        const auto [u, v] = piece.edges[e];
        const int span = rows.rank[v] - rows.rank[u];
        if (span >= 1 && span <= limit)
            rows.links.push_back(
                {rows.placeAt(u, rows.rank[v] - 1), v, weightOf(static_cast<int>(e))});
    }
    rows.up.resize(rows.rank.size());
    rows.down.resize(rows.rank.size());
    for (std::size_t l = 0; l < rows.links.size(); ++l) {
        rows.down[rows.links[l].upper].push_back(static_cast<int>(l));
        rows.up[rows.links[l].lower].push_back(static_cast<int>(l));
    }
    int deepest = -1;
    for (const int r : rows.rank)
        deepest = std::max(deepest, r);
    rows.rows.resize(static_cast<std::size_t>(deepest + 1));
    rows.index.assign(rows.rank.size(), 0);
    // Depth first, so that what hangs together starts side by side.
    std::vector<char> seen(rows.rank.size(), 0);
    std::vector<int> stack;
    for (const int root : topologicalOrder(n, piece.edges)) {
        if (seen[root])
            continue;
        seen[root] = 1;
        stack.push_back(root);
        while (!stack.empty()) {
            const int item = stack.back();
            stack.pop_back();
            rows.rows[rows.rank[item]].push_back(item);
            for (auto l = rows.down[item].rbegin(); l != rows.down[item].rend(); ++l) {
                const int next = rows.links[*l].lower;
                if (!seen[next]) {
                    seen[next] = 1;
                    stack.push_back(next);
                }
            }
        }
    }
    if (piece.ordered && !piece.top.empty())
        rows.rows.front() = piece.top;
    if (piece.ordered && !piece.bottom.empty())
        rows.rows.back() = piece.bottom;
    for (int r = 0; r <= deepest; ++r)
        rows.renumber(r);
    return rows;
}

} // namespace fusescope::layout
