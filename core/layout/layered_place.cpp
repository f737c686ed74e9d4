#include "layout/layered_rows.h"

#include <algorithm>
#include <array>
#include <climits>

namespace fusescope::layout {

namespace {

constexpr double placeGap = 10; // between an edge's place and what is beside it

double separation(const Rows& rows, const Gaps& gaps, int a, int b)
{
    const double gap = rows.isPlace(a) || rows.isPlace(b) ? placeGap : gaps.box;
    return (rows.width[a] + rows.width[b]) / 2 + gap;
}

// Links that cross a straight stretch of a long edge give way to it.
std::vector<char> givingWay(const Rows& rows)
{
    std::vector<char> marked(rows.links.size(), 0);
    for (std::size_t r = 0; r + 1 < rows.rows.size(); ++r) {
        const auto& lower = rows.rows[r + 1];
        const int upperSize = static_cast<int>(rows.rows[r].size());
        int left = 0;
        std::size_t scanned = 0;
        for (std::size_t i = 0; i < lower.size(); ++i) {
            int inner = -1; // index of the place above, if this item continues one
            if (rows.isPlace(lower[i])) {
                const int upper = rows.links[rows.up[lower[i]].front()].upper;
                if (rows.isPlace(upper))
                    inner = rows.index[upper];
            }
            if (inner < 0 && i + 1 != lower.size())
                continue;
            const int right = inner < 0 ? upperSize : inner;
            for (; scanned <= i; ++scanned) {
                for (const int l : rows.up[lower[scanned]]) {
                    const int at = rows.index[rows.links[l].upper];
                    const bool own =
                        rows.isPlace(lower[scanned]) && rows.isPlace(rows.links[l].upper);
                    if (!own && (at < left || at > right))
                        marked[l] = 1;
                }
            }
            left = right;
        }
    }
    return marked;
}

// One of the four alignments: items of neighbouring rows are tied into upright blocks.
std::vector<int> alignedRoots(const Rows& rows, const std::vector<char>& marked, bool fromAbove,
                              bool fromLeft)
{
    const int count = static_cast<int>(rows.rows.size());
    std::vector<int> root(rows.rank.size());
    std::vector<char> taken(rows.rank.size(), 0); // already tied to one of the row that follows
    for (int i = 0; i < rows.items(); ++i)
        root[i] = i;
    std::vector<std::pair<int, int>> ends;
    for (int step = 1; step < count; ++step) {
        const auto& row = rows.rows[fromAbove ? step : count - 1 - step];
        int bound = fromLeft ? -1 : INT_MAX;
        for (std::size_t k = 0; k < row.size(); ++k) {
            const int item = row[fromLeft ? k : row.size() - 1 - k];
            ends.clear();
            for (const int l : fromAbove ? rows.up[item] : rows.down[item])
                ends.emplace_back(
                    rows.index[fromAbove ? rows.links[l].upper : rows.links[l].lower], l);
            if (ends.empty())
                continue;
            std::ranges::sort(ends);
            const std::size_t low = (ends.size() - 1) / 2;
            const std::size_t high = ends.size() / 2;
            for (const std::size_t m : {fromLeft ? low : high, fromLeft ? high : low}) {
                const auto [at, l] = ends[m];
                const int other = fromAbove ? rows.links[l].upper : rows.links[l].lower;
                if (marked[l] || taken[other] || (fromLeft ? at <= bound : at >= bound))
                    continue;
                taken[other] = 1;
                root[item] = root[other];
                bound = at;
                break;
            }
        }
    }
    return root;
}

// Pushes the blocks together to the left (or, mirrored, to the right) and then back as far as their
// neighbours allow.
std::vector<double> compacted(const Rows& rows, const Gaps& gaps, const std::vector<int>& root,
                              bool fromLeft)
{
    struct Step
    {
        int block;
        double distance;
    };
    const auto size = rows.rank.size();
    std::vector<std::vector<Step>> after(size);
    std::vector<int> waiting(size, 0);
    for (const auto& row : rows.rows) {
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            const int a = fromLeft ? row[i] : row[i + 1];
            const int b = fromLeft ? row[i + 1] : row[i];
            after[root[a]].push_back({root[b], separation(rows, gaps, a, b)});
            ++waiting[root[b]];
        }
    }
    std::vector<int> order;
    for (int i = 0; i < rows.items(); ++i) {
        if (root[i] == i && waiting[i] == 0)
            order.push_back(i);
    }
    std::vector<double> x(size, 0);
    for (std::size_t k = 0; k < order.size(); ++k) {
        for (const Step& step : after[order[k]]) {
            x[step.block] = std::max(x[step.block], x[order[k]] + step.distance);
            if (--waiting[step.block] == 0)
                order.push_back(step.block);
        }
    }
    for (auto block = order.rbegin(); block != order.rend(); ++block) {
        double most = 1e300;
        for (const Step& step : after[*block])
            most = std::min(most, x[step.block] - step.distance);
        if (most < 1e300)
            x[*block] = std::max(x[*block], most);
    }
    std::vector<double> result(size);
    for (std::size_t i = 0; i < size; ++i)
        result[i] = fromLeft ? x[root[i]] : -x[root[i]];
    return result;
}

} // namespace

std::vector<double> placeRows(const Rows& rows, const Gaps& gaps)
{
    const std::vector<char> marked = givingWay(rows);
    std::array<std::vector<double>, 4> runs;
    std::array<std::pair<double, double>, 4> spans;
    std::size_t narrowest = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const bool fromLeft = i % 2 == 0;
        runs[i] = compacted(rows, gaps, alignedRoots(rows, marked, i < 2, fromLeft), fromLeft);
        spans[i] = {1e300, -1e300};
        for (std::size_t k = 0; k < runs[i].size(); ++k) {
            spans[i].first = std::min(spans[i].first, runs[i][k] - rows.width[k] / 2);
            spans[i].second = std::max(spans[i].second, runs[i][k] + rows.width[k] / 2);
        }
        if (spans[i].second - spans[i].first
            < spans[narrowest].second - spans[narrowest].first)
            narrowest = i;
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const double shift = i % 2 == 0 ? spans[narrowest].first - spans[i].first
                                        : spans[narrowest].second - spans[i].second;
        for (double& x : runs[i])
            x += shift;
    }
    std::vector<double> x(rows.rank.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
        std::array<double, 4> at{runs[0][k], runs[1][k], runs[2][k], runs[3][k]};
        std::ranges::sort(at);
        x[k] = (at[1] + at[2]) / 2;
    }
    return x;
}

} // namespace fusescope::layout
