#include "layout/frames.h"

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace fusescope::layout {

void makeAcyclic(int nodes, EdgeList& edges, std::vector<char>& turned)
{
    turned.assign(edges.size(), 0);
    const Adjacency out = Adjacency::outgoing(nodes, edges);
    enum : char { fresh, open, done };
    std::vector<char> state(static_cast<std::size_t>(nodes), fresh);
    std::vector<std::pair<int, std::size_t>> stack;
    for (int root = 0; root < nodes; ++root) {
        if (state[root] != fresh)
            continue;
        state[root] = open;
        stack.emplace_back(root, 0);
        while (!stack.empty()) {
            const int v = stack.back().first;
            const auto next = out.of(v);
            if (stack.back().second == next.size()) {
                state[v] = done;
                stack.pop_back();
                continue;
            }
            const int e = next[stack.back().second++];
            const int w = edges[e].second;
            if (state[w] == open) {
                turned[e] = 1;
            } else if (state[w] == fresh) {
                state[w] = open;
                stack.emplace_back(w, 0);
            }
        }
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
        if (turned[e])
            std::swap(edges[e].first, edges[e].second);
    }
}

std::vector<int> reachOf(const LayoutGraph& graph, const std::vector<std::pair<int, int>>& hops,
                         const std::vector<char>& shared)
{
    const int n = static_cast<int>(graph.boxes.size());
    EdgeList edges;
    std::vector<char> light; // would be a stub if it were long
    for (std::size_t e = 0; e < hops.size(); ++e) {
        if (hops[e].first >= 0) {
            edges.push_back(hops[e]);
            light.push_back(shared[e]);
        }
    }
    std::vector<char> turned;
    makeAcyclic(n, edges, turned);
    const Adjacency in = Adjacency::incoming(n, edges);
    const Adjacency out = Adjacency::outgoing(n, edges);
    const std::vector<int> order = topologicalOrder(n, edges);
    std::vector<int> row(static_cast<std::size_t>(n), 0);
    for (const int v : order) {
        for (const int e : in.of(v))
            row[v] = std::max(row[v], row[edges[e].first] + 1);
    }
    // What hangs by no more edges above than below comes down to its first reader.
    for (auto v = order.rbegin(); v != order.rend(); ++v) {
        int held = 0;
        for (const int e : in.of(*v))
            held += !light[e];
        if (out.degree(*v) == 0 || held > out.degree(*v) ||
            (in.degree(*v) > 0 && light[out.of(*v).front()]))
            continue;
        int first = INT_MAX;
        for (const int e : out.of(*v))
            first = std::min(first, row[edges[e].second] - 1);
        row[*v] = first;
    }
    std::vector<int> reach(graph.edges.size(), 0);
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto [a, b] = hops[e];
        if (a < 0)
            continue;
        reach[e] = std::abs(row[b] - row[a]);
        // Into a frame it goes on to the row of its reader.
        for (int inner = graph.edges[e].to; inner != b; inner = graph.boxes[inner].parent)
            reach[e] += row[inner];
    }
    return reach;
}

} // namespace fusescope::layout
