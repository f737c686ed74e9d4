#include "layout/segments.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <queue>

namespace fusescope::layout {

namespace {

constexpr double goodSize = 120;  // nodes and places of a segment that costs 1
constexpr double longLife = 60;   // positions that a value must live to be cheap to cut
constexpr double heaviest = 3200; // a segment that is looked at again in the order of its levels
constexpr int mostPassing = 64;

// Costs are multiples of one small number: sums of them are exact, and so equal for equal
// stretches.
double exact(double cost)
{
    return std::round(cost * 1048576) / 1048576;
}

struct Levels
{
    std::vector<int> earliest;
    std::vector<int> latest;
    std::vector<int> tight; // earliest, but what hangs loosely comes down to its first reader
};

class Cutter
{
public:
    Cutter(const Piece& whole, const Limits& limits)
        : m_whole(whole), m_limits(limits), m_n(whole.size()),
          m_out(Adjacency::outgoing(m_n, whole.edges)), m_in(Adjacency::incoming(m_n, whole.edges)),
          m_pinned(static_cast<std::size_t>(m_n), 0)
    {
        for (const int v : whole.top)
            m_pinned[v] = 1;
        for (const int v : whole.bottom)
            m_pinned[v] = 2;
    }

    Cuts cut()
    {
        findLevels();
        m_order = orderByDemand();
        Choice choice = choose();
        if (resortHeavy(choice)) {
            const std::vector<int> before = m_orderBefore;
            Choice again = choose();
            if (again.cost < choice.cost) {
                choice = std::move(again);
            } else {
                m_order = before;
                choice = choose();
            }
        }
        Cuts cuts;
        cuts.boundary = choice.boundary;
        for (const int c : choice.boundary)
            cuts.waist.push_back(c > 0 && c < m_n ? m_waist[c] : -1);
        cuts.order = std::move(m_order);
        cuts.position = std::move(m_position);
        return cuts;
    }

private:
    struct Choice
    {
        double cost = 0;
        std::vector<int> boundary;
        std::vector<double> size; // of the segment that ends at each boundary
    };

    int tail(int edge) const { return m_whole.edges[edge].first; }
    int head(int edge) const { return m_whole.edges[edge].second; }

    void findLevels()
    {
        const std::vector<int> order = topologicalOrder(m_n, m_whole.edges);
        m_levels.earliest.assign(static_cast<std::size_t>(m_n), 0);
        int depth = 0;
        for (const int v : order) {
            int& level = m_levels.earliest[v];
            level = m_pinned[v] == 1 || m_whole.top.empty() ? 0 : 1;
            for (const int e : m_in.of(v))
                level = std::max(level, m_levels.earliest[tail(e)] + 1);
            depth = std::max(depth, level);
        }
        for (const int v : m_whole.bottom)
            m_levels.earliest[v] = depth;
        m_levels.latest.assign(static_cast<std::size_t>(m_n), depth);
        for (auto v = order.rbegin(); v != order.rend(); ++v) {
            for (const int e : m_out.of(*v))
                m_levels.latest[*v] = std::min(m_levels.latest[*v], m_levels.latest[head(e)] - 1);
            if (m_pinned[*v] == 1)
                m_levels.latest[*v] = 0;
        }
        m_levels.tight = m_levels.earliest;
        std::vector<char> loose(static_cast<std::size_t>(m_n), 0);
        for (const int v : order) {
            loose[v] = m_pinned[v] == 0 && m_out.degree(v) > 0;
            for (const int e : m_in.of(v)) {
                if (!loose[tail(e)] || m_out.degree(tail(e)) != 1)
                    loose[v] = 0;
            }
        }
        for (auto v = order.rbegin(); v != order.rend(); ++v) {
            if (!loose[*v])
                continue;
            int level = INT_MAX;
            for (const int e : m_out.of(*v))
                level = std::min(level, m_levels.tight[head(e)] - 1);
            m_levels.tight[*v] = level;
        }
    }

    // From each sink back to what it needs, the deepest first: what feeds a block is numbered right
    // before its first reader, in the same way in every equal block.
    std::vector<int> orderByDemand() const
    {
        const auto& level = m_levels.earliest;
        std::vector<int> order(m_whole.top.begin(), m_whole.top.end());
        order.reserve(static_cast<std::size_t>(m_n));
        std::vector<char> seen(static_cast<std::size_t>(m_n), 0);
        for (int v = 0; v < m_n; ++v)
            seen[v] = m_pinned[v] != 0;
        std::vector<std::vector<int>> needs(static_cast<std::size_t>(m_n));
        std::vector<int> sinks;
        for (int v = 0; v < m_n; ++v) {
            for (const int e : m_in.of(v))
                needs[v].push_back(tail(e));
            std::ranges::stable_sort(needs[v], [&](int a, int b) { return level[a] > level[b]; });
            if (m_out.degree(v) == 0)
                sinks.push_back(v);
        }
        std::ranges::stable_sort(sinks, [&](int a, int b) { return level[a] < level[b]; });
        std::vector<std::pair<int, std::size_t>> stack;
        const auto visit = [&](int root) {
            if (seen[root])
                return;
            seen[root] = 1;
            stack.emplace_back(root, 0);
            while (!stack.empty()) {
                const int v = stack.back().first;
                if (stack.back().second == needs[v].size()) {
                    order.push_back(v);
                    stack.pop_back();
                    continue;
                }
                const int u = needs[v][stack.back().second++];
                if (!seen[u]) {
                    seen[u] = 1;
                    stack.emplace_back(u, 0);
                }
            }
        };
        for (const int sink : sinks) {
            if (m_pinned[sink] == 0)
                visit(sink);
        }
        for (const int sink : m_whole.bottom) {
            for (const int u : needs[sink])
                visit(u);
        }
        order.insert(order.end(), m_whole.bottom.begin(), m_whole.bottom.end());
        return order;
    }

    // What passes each position: how many values, their price, the best waist among them.
    void findPassing()
    {
        m_position.assign(static_cast<std::size_t>(m_n), 0);
        for (int i = 0; i < m_n; ++i)
            m_position[m_order[i]] = i;
        std::vector<int> last(static_cast<std::size_t>(m_n));
        std::vector<int> first(static_cast<std::size_t>(m_n), INT_MAX); // reader
        std::vector<double> priceChange(static_cast<std::size_t>(m_n) + 2, 0);
        std::vector<int> countChange(static_cast<std::size_t>(m_n) + 2, 0);
        m_price.assign(static_cast<std::size_t>(m_n), 0);
        for (int v = 0; v < m_n; ++v) {
            const int at = m_position[v];
            last[v] = at;
            for (const int e : m_out.of(v)) {
                last[v] = std::max(last[v], m_position[head(e)]);
                first[v] = std::min(first[v], m_position[head(e)]);
            }
            if (last[v] == at)
                continue;
            m_price[v] = exact(std::min(1.0, longLife / (last[v] - at)));
            priceChange[at + 1] += m_price[v];
            priceChange[last[v] + 1] -= m_price[v];
            ++countChange[at + 1];
            --countChange[last[v] + 1];
        }
        m_passing.assign(static_cast<std::size_t>(m_n) + 1, 0);
        m_passingPrice.assign(static_cast<std::size_t>(m_n) + 1, 0);
        double price = 0;
        int count = 0;
        for (int c = 0; c <= m_n; ++c) {
            m_passingPrice[c] = price += priceChange[c];
            m_passing[c] = count += countChange[c];
        }
        m_waist.assign(static_cast<std::size_t>(m_n) + 1, -1);
        using Live = std::tuple<int, int, int>; // level, position, node
        std::priority_queue<Live> live;
        for (int c = 1; c < m_n; ++c) {
            const int v = m_order[c - 1];
            if (last[v] >= c)
                live.emplace(m_levels.earliest[v], c - 1, v);
            // What is read above cannot be the lowest there.
            while (!live.empty() && first[std::get<2>(live.top())] < c)
                live.pop();
            if (!live.empty())
                m_waist[c] = std::get<2>(live.top());
        }
    }

    // Positions where nothing before need be drawn below anything after.
    std::vector<int> validCuts() const
    {
        std::vector<int> lowestAfter(static_cast<std::size_t>(m_n) + 1, INT_MAX);
        for (int c = m_n - 1; c >= 0; --c)
            lowestAfter[c] = std::min(lowestAfter[c + 1], m_levels.latest[m_order[c]]);
        std::vector<int> valid{0};
        int highestBefore = -1;
        const int tops = static_cast<int>(m_whole.top.size());
        const int bottoms = static_cast<int>(m_whole.bottom.size());
        for (int c = 1; c < m_n; ++c) {
            highestBefore = std::max(highestBefore, m_levels.earliest[m_order[c - 1]]);
            if (highestBefore < lowestAfter[c] && m_passing[c] <= mostPassing + 1 &&
                (c > tops || tops == 0) && (c < m_n - bottoms || bottoms == 0))
                valid.push_back(c);
        }
        valid.push_back(m_n);
        return valid;
    }

    Choice choose()
    {
        findPassing();
        const std::vector<int> valid = validCuts();
        std::vector<double> cost(valid.size(), 1e300);
        std::vector<double> size(valid.size(), 0);
        std::vector<std::size_t> previous(valid.size(), 0);
        cost[0] = 0;
        const auto& tight = m_levels.tight;
        for (std::size_t j = 1; j < valid.size(); ++j) {
            const int end = valid[j];
            double price = 0;
            if (end < m_n) {
                price = m_passingPrice[end];
                if (m_waist[end] >= 0)
                    price -= m_price[m_waist[end]];
            }
            int lowest = tight[m_order[end - 1]];
            int highest = lowest;
            double inner = 0; // places of edges inside
            double entering = 0, enteringSum = 0, leaving = 0, leavingSum = 0;
            int i = end - 1;
            for (std::size_t k = j; k-- > 0;) {
                for (; i >= valid[k]; --i) {
                    const int u = m_order[i];
                    highest = std::min(highest, tight[u]);
                    lowest = std::max(lowest, tight[u]);
                    bool leaves = false;
                    for (const int e : m_out.of(u)) {
                        const int v = head(e);
                        if (m_position[v] >= end) {
                            leaves = true;
                            continue;
                        }
                        inner += std::max(0, tight[v] - tight[u] - 1);
                        entering -= 1;
                        enteringSum -= tight[v];
                    }
                    if (leaves) {
                        leaving += 1;
                        leavingSum += tight[u];
                    }
                    entering += m_in.degree(u);
                    enteringSum += static_cast<double>(m_in.degree(u)) * tight[u];
                }
                const double places = end - valid[k] + inner +
                                      std::max(0.0, enteringSum - entering * highest) +
                                      std::max(0.0, leaving * lowest - leavingSum);
                const double own = exact(places / goodSize * (places / goodSize));
                if (own + price >= cost[j] || (places > 2 * heaviest && cost[j] < 1e299))
                    break;
                if (cost[k] + own + price < cost[j]) {
                    cost[j] = cost[k] + own + price;
                    previous[j] = k;
                    size[j] = places;
                }
            }
            if (j % 256 == 0 && m_limits.stopped())
                return {0, {0, m_n}, {0, 0}};
        }
        Choice choice;
        choice.cost = cost.back();
        for (std::size_t j = valid.size() - 1;; j = previous[j]) {
            choice.boundary.push_back(valid[j]);
            choice.size.push_back(size[j]);
            if (j == 0)
                break;
        }
        std::ranges::reverse(choice.boundary);
        std::ranges::reverse(choice.size);
        return choice;
    }

    // The depth-first order hides cuts that an order by level has.
    bool resortHeavy(const Choice& choice)
    {
        m_orderBefore = m_order;
        bool resorted = false;
        for (std::size_t s = 0; s + 1 < choice.boundary.size(); ++s) {
            if (choice.size[s + 1] < heaviest)
                continue;
            const auto begin = m_order.begin() + choice.boundary[s];
            const auto end = m_order.begin() + choice.boundary[s + 1];
            std::stable_sort(begin, end, [&](int a, int b) {
                const auto key = [&](int v) {
                    return std::pair(m_pinned[v] == 1 ? -1 : m_pinned[v], m_levels.tight[v]);
                };
                return key(a) < key(b);
            });
            resorted = true;
        }
        return resorted;
    }

    const Piece& m_whole;
    const Limits& m_limits;
    int m_n;
    Adjacency m_out;
    Adjacency m_in;
    std::vector<char> m_pinned;
    Levels m_levels;
    std::vector<int> m_order;
    std::vector<int> m_orderBefore;
    std::vector<int> m_position;
    std::vector<int> m_passing;
    std::vector<double> m_passingPrice;
    std::vector<double> m_price;
    std::vector<int> m_waist;
};

} // namespace

Cuts cutGraph(const Piece& whole, const Limits& limits)
{
    return Cutter(whole, limits).cut();
}

} // namespace fusescope::layout
