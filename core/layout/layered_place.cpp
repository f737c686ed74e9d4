#include "layout/layered_rows.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>

namespace fusescope::layout {

namespace {

constexpr double placeGap = 10; // between an edge's place and what is beside it

double separation(const Rows& rows, const Gaps& gaps, int a, int b)
{
    const double gap = rows.isPlace(a) || rows.isPlace(b) ? placeGap : gaps.box;
    return (rows.width[a] + rows.width[b]) / 2 + gap;
}

// The link to the row above by which an item must be straight, -1 for none: a heavy one, else one
// between two places.
int straightLink(const Rows& rows, int item)
{
    int found = -1;
    for (const int l : rows.up[item]) {
        if (rows.links[l].weight > 1)
            return l;
        if (rows.isPlace(item) && rows.isPlace(rows.links[l].upper))
            found = l;
    }
    return found;
}

// Links that cross a straight stretch of a long or heavy edge give way to it.
std::vector<char> givingWay(const Rows& rows)
{
    std::vector<char> marked(rows.links.size(), 0);
    const auto upperIndex = [&](int l) { return rows.index[rows.links[l].upper]; };
    for (std::size_t r = 0; r + 1 < rows.rows.size(); ++r) {
        const auto& lower = rows.rows[r + 1];
        const int upperSize = static_cast<int>(rows.rows[r].size());
        // Places give way to a heavy link as well.
        int heavy = -1;
        int heavyAt = 0;
        for (std::size_t i = 0; i < lower.size(); ++i) {
            const int l = straightLink(rows, lower[i]);
            if (l >= 0 && rows.links[l].weight > 1) {
                heavy = l;
                heavyAt = static_cast<int>(i);
            }
        }
        int left = 0;
        std::size_t scanned = 0;
        for (std::size_t i = 0; i < lower.size(); ++i) {
            int straight = straightLink(rows, lower[i]);
            if (straight >= 0 && heavy >= 0 && straight != heavy &&
                (static_cast<int>(i) < heavyAt) != (upperIndex(straight) < upperIndex(heavy)))
                straight = -1;
            if (straight < 0 && i + 1 != lower.size())
                continue;
            const int right = straight < 0 ? upperSize : upperIndex(straight);
            for (; scanned <= i; ++scanned) {
                for (const int l : rows.up[lower[scanned]]) {
                    if (upperIndex(l) < left || upperIndex(l) > right)
                        marked[l] = 1;
                }
            }
            left = right;
        }
    }
    return marked;
}

int heaviestOf(const Rows& rows, const std::vector<int>& links)
{
    int heaviest = 1;
    for (const int l : links)
        heaviest = std::max(heaviest, rows.links[l].weight);
    return heaviest;
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
            const auto& links = fromAbove ? rows.up[item] : rows.down[item];
            const int heaviest = heaviestOf(rows, links);
            for (const int l : links) {
                const int other = fromAbove ? rows.links[l].upper : rows.links[l].lower;
                const auto& others = fromAbove ? rows.down[other] : rows.up[other];
                if (rows.links[l].weight >= std::max(heaviest, heaviestOf(rows, others)))
                    ends.emplace_back(rows.index[other], l);
            }
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

// Long edges want to be straight more than short ones.
double pull(const Rows& rows, const Link& link)
{
    const int places = rows.isPlace(link.upper) + rows.isPlace(link.lower);
    return (places == 2 ? 8 : places == 1 ? 2 : 1) * link.weight;
}

struct Wish
{
    double x;
    double weight;
};

double weightedMedian(std::vector<Wish>& wishes)
{
    std::ranges::sort(wishes, {}, &Wish::x);
    double whole = 0;
    for (const Wish& wish : wishes)
        whole += wish.weight;
    double sum = 0;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
        sum += wishes[i].weight;
        if (sum * 2 > whole + 1e-9)
            return wishes[i].x;
        if (sum * 2 > whole - 1e-9)
            return (wishes[i].x + wishes[i + 1].x) / 2;
    }
    return wishes.back().x;
}

// Moves the items of each row to the middle of what they are linked to, as near as the order and
// the gaps let them: items that push each other share the mean of their wishes.
void relax(const Rows& rows, const Gaps& gaps, bool oneSidedFirst, std::vector<double>& x)
{
    struct Block
    {
        double sum;
        double weight;
        std::size_t end;
    };
    std::vector<Wish> wishes;
    std::vector<Block> blocks;
    std::vector<double> offset;
    const auto placeRow = [&](const std::vector<int>& row, bool above, bool below) {
        blocks.clear();
        offset.assign(row.size(), 0);
        for (std::size_t i = 0; i < row.size(); ++i) {
            const int item = row[i];
            if (i > 0)
                offset[i] = offset[i - 1] + separation(rows, gaps, row[i - 1], item);
            wishes.clear();
            double weight = 0;
            for (const int l : above ? rows.up[item] : std::vector<int>()) {
                wishes.push_back({x[rows.links[l].upper], pull(rows, rows.links[l])});
                weight += wishes.back().weight;
            }
            for (const int l : below ? rows.down[item] : std::vector<int>()) {
                wishes.push_back({x[rows.links[l].lower], pull(rows, rows.links[l])});
                weight += wishes.back().weight;
            }
            double wish = x[item];
            if (std::max(heaviestOf(rows, rows.up[item]), heaviestOf(rows, rows.down[item])) > 1)
                weight = 1e6; // already straight: others make room
            else if (wishes.empty())
                weight = 0.1;
            else
                wish = weightedMedian(wishes);
            blocks.push_back({(wish - offset[i]) * weight, weight, i + 1});
            while (blocks.size() > 1) {
                const Block last = blocks.back();
                Block& before = blocks[blocks.size() - 2];
                if (before.sum / before.weight < last.sum / last.weight)
                    break;
                before.sum += last.sum;
                before.weight += last.weight;
                before.end = last.end;
                blocks.pop_back();
            }
        }
        std::size_t i = 0;
        for (const Block& block : blocks) {
            for (; i < block.end; ++i)
                x[row[i]] = block.sum / block.weight + offset[i];
        }
    };
    const int count = static_cast<int>(rows.rows.size());
    for (int sweep = 0; sweep < 6; ++sweep) {
        const bool both = sweep > 0 || !oneSidedFirst;
        for (int r = 1; r < count; ++r)
            placeRow(rows.rows[r], true, both);
        for (int r = count - 2; r >= 0; --r)
            placeRow(rows.rows[r], both, true);
    }
}

double costOf(const Rows& rows, const std::vector<double>& x)
{
    double cost = 0;
    for (const Link& link : rows.links)
        cost += link.weight * std::abs(x[link.upper] - x[link.lower]);
    const auto [least, most] = std::ranges::minmax(x);
    return cost + 3 * (most - least);
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
        if (spans[i].second - spans[i].first < spans[narrowest].second - spans[narrowest].first)
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
    // Following only the row before draws denser, but may walk sideways.
    std::vector<double> denser = x;
    relax(rows, gaps, false, x);
    relax(rows, gaps, true, denser);
    return costOf(rows, denser) < costOf(rows, x) ? denser : x;
}

} // namespace fusescope::layout
