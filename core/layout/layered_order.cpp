#include "layout/layered_rows.h"

#include <algorithm>
#include <cstdint>

namespace fusescope::layout {

namespace {

// Links between two rows that cross: inversions, counted with a binary indexed tree.
std::int64_t crossingsBelow(const Rows& rows, int row, std::vector<std::pair<int, int>>& ends,
                            std::vector<int>& tree)
{
    ends.clear();
    for (const int item : rows.rows[row]) {
        for (const int l : rows.down[item])
            ends.emplace_back(rows.index[item], rows.index[rows.links[l].lower]);
    }
    std::ranges::sort(ends);
    tree.assign(rows.rows[row + 1].size() + 1, 0);
    const int size = static_cast<int>(tree.size());
    std::int64_t crossings = 0;
    int counted = 0;
    for (const auto& end : ends) {
        int notAfter = 0;
        for (int i = end.second + 1; i > 0; i -= i & -i)
            notAfter += tree[i];
        crossings += counted - notAfter;
        ++counted;
        for (int i = end.second + 1; i < size; i += i & -i)
            ++tree[i];
    }
    return crossings;
}

std::int64_t allCrossings(const Rows& rows)
{
    std::vector<std::pair<int, int>> ends;
    std::vector<int> tree;
    std::int64_t sum = 0;
    for (int r = 0; r + 1 < static_cast<int>(rows.rows.size()); ++r)
        sum += crossingsBelow(rows, r, ends, tree);
    return sum;
}

// Sorts a row by the mean place of what its items are linked to above, or below.
void sortByMeans(Rows& rows, int row, bool above, std::vector<std::pair<double, int>>& keys)
{
    keys.clear();
    for (const int item : rows.rows[row]) {
        const auto& links = above ? rows.up[item] : rows.down[item];
        double sum = 0;
        for (const int l : links)
            sum += rows.index[above ? rows.links[l].upper : rows.links[l].lower];
        const double other = above ? static_cast<double>(rows.rows[row - 1].size())
                                   : static_cast<double>(rows.rows[row + 1].size());
        // What is linked to nothing there keeps its relative place.
        const double own = (rows.index[item] + 0.5) / static_cast<double>(rows.rows[row].size());
        keys.emplace_back(links.empty() ? own * other : sum / static_cast<double>(links.size()),
                          item);
    }
    std::ranges::stable_sort(keys, {}, &std::pair<double, int>::first);
    for (std::size_t i = 0; i < keys.size(); ++i)
        rows.rows[row][i] = keys[i].second;
    rows.renumber(row);
}

// How many links of a cross links of b if a stands left of b.
int pairCrossings(const Rows& rows, int a, int b)
{
    int crossings = 0;
    for (const bool above : {true, false}) {
        const auto& left = above ? rows.up[a] : rows.down[a];
        const auto& right = above ? rows.up[b] : rows.down[b];
        for (const int x : left) {
            for (const int y : right) {
                const int xEnd = above ? rows.links[x].upper : rows.links[x].lower;
                const int yEnd = above ? rows.links[y].upper : rows.links[y].lower;
                crossings += rows.index[xEnd] > rows.index[yEnd];
            }
        }
    }
    return crossings;
}

bool swapNeighbours(Rows& rows, int row)
{
    bool swapped = false;
    auto& items = rows.rows[row];
    for (std::size_t i = 0; i + 1 < items.size(); ++i) {
        const int a = items[i];
        const int b = items[i + 1];
        if ((rows.up[a].size() + rows.down[a].size()) * (rows.up[b].size() + rows.down[b].size()) >
            400)
            continue;
        if (pairCrossings(rows, b, a) < pairCrossings(rows, a, b)) {
            std::swap(items[i], items[i + 1]);
            rows.index[a] = static_cast<int>(i) + 1;
            rows.index[b] = static_cast<int>(i);
            swapped = true;
        }
    }
    return swapped;
}

} // namespace

void orderRows(const Piece& piece, Rows& rows, const Limits& limits)
{
    const int count = static_cast<int>(rows.rows.size());
    const bool topFixed = piece.ordered && !piece.top.empty();
    const bool bottomFixed = piece.ordered && !piece.bottom.empty();
    const int first = topFixed ? 1 : 0;
    const int last = bottomFixed ? count - 2 : count - 1;
    const int sweeps = rows.items() < 20'000 ? 16 : 6;
    const bool swaps = rows.items() < 20'000;
    std::int64_t best = allCrossings(rows);
    std::vector<std::vector<int>> bestRows = rows.rows;
    std::vector<std::pair<double, int>> keys;
    int idle = 0;
    for (int sweep = 0; sweep < sweeps && best > 0 && idle < 4 && !limits.late(); ++sweep) {
        if (sweep % 2 == 0) {
            for (int r = std::max(first, 1); r <= last; ++r)
                sortByMeans(rows, r, true, keys);
        } else {
            for (int r = std::min(last, count - 2); r >= first; --r)
                sortByMeans(rows, r, false, keys);
        }
        for (int round = 0; swaps && round < 4; ++round) {
            bool swapped = false;
            for (int r = first; r <= last; ++r)
                swapped |= swapNeighbours(rows, r);
            if (!swapped)
                break;
        }
        const std::int64_t crossings = allCrossings(rows);
        ++idle;
        if (crossings < best) {
            best = crossings;
            bestRows = rows.rows;
            idle = 0;
        }
    }
    rows.rows = std::move(bestRows);
    for (int r = 0; r < count; ++r)
        rows.renumber(r);
}

} // namespace fusescope::layout
