#include "layout/segmented.h"

#include "layout/layered.h"
#include "layout/quality.h"
#include "layout/stack.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <unordered_map>

namespace fusescope::layout {

namespace {

constexpr int smallGraph = 300; // up to here the whole is tried at once
constexpr int wholeTry = 100;   // milliseconds of processor time for that
constexpr double wholeEffort = 1200;
constexpr int mostWhole = 3000; // up to here a drawing of the whole by our own means is tried

// Weights that keep one longest way from the upper to the lower waist straight.
std::vector<int> spineWeights(const Piece& piece, int bottomWaist, int weight)
{
    const int n = piece.size();
    const Adjacency in = Adjacency::incoming(n, piece.edges);
    std::vector<int> distance(static_cast<std::size_t>(n), -1);
    std::vector<int> edgeTo(static_cast<std::size_t>(n), -1);
    distance[0] = 0;
    for (const int v : topologicalOrder(n, piece.edges)) {
        for (const int e : in.of(v)) {
            const int u = piece.edges[e].first;
            if (distance[u] >= 0 && distance[u] + 1 > distance[v]) {
                distance[v] = distance[u] + 1;
                edgeTo[v] = e;
            }
        }
    }
    std::vector<int> weights;
    if (distance[bottomWaist] <= 0)
        return weights;
    weights.assign(piece.edges.size(), 1);
    for (int v = bottomWaist; v != 0; v = piece.edges[edgeTo[v]].first)
        weights[edgeTo[v]] = weight;
    return weights;
}

// Leans the rows so that the node lies under the first one. Rows move as a whole, so what stands
// side by side stays apart.
Drawing leaned(const Drawing& drawing, int node)
{
    const LayoutPoint top = drawing.centre[0];
    const LayoutPoint bottom = drawing.centre[node];
    if (bottom.y <= top.y)
        return drawing;
    const double slope = (bottom.x - top.x) / (bottom.y - top.y);
    Drawing result = drawing;
    for (LayoutPoint& p : result.centre)
        p.x -= slope * (p.y - top.y);
    for (Curve& curve : result.curves) {
        for (LayoutPoint& p : curve)
            p.x -= slope * (p.y - top.y);
    }
    return result;
}

// A segment that is stacked `uses` times and whose lower waist is not under its upper one makes the
// drawing walk sideways. Mirroring every other one helps where no lanes are; for the others a
// straighter drawing replaces a better one.
class Straightener
{
public:
    Straightener(const Segment& segment, const Cuts& cuts, int uses, PieceEngine& engine)
        : m_segment(segment), m_uses(uses), m_engine(engine),
          m_waist(segment.bottomWaist >= 0 ? segment.bottomWaistIndex(cuts) : -1)
    {
    }

    Drawing straighten(Drawing drawing)
    {
        if (m_engine.limits().stopped() || m_segment.topWaist < 0 || m_waist < 0 ||
            (m_segment.entering.empty() && m_segment.leaving.empty()))
            return drawing;
        m_before = walk(drawing);
        if (m_before * m_uses <= 150)
            return drawing;
        m_quality = measure(m_segment.piece, drawing);
        // Leaning costs nothing; upright lines are worth the time only in what is seen often.
        const bool found = m_uses < 3 ? lean(drawing) || withSpine(8, false) || withSpine(8, true)
                                      : withSpine(8, true) || withSpine(50, true) ||
                                            withSpine(50, false) || lean(drawing);
        return found || (m_bestScore < 1e300 && m_before * m_uses > 400) ? m_best : drawing;
    }

private:
    double walk(const Drawing& d) const { return std::abs(d.centre[m_waist].x - d.centre[0].x); }

    bool lean(const Drawing& drawing) { return consider(leaned(drawing, m_waist)); }

    bool withSpine(int weight, bool dot)
    {
        Piece piece = m_segment.piece;
        piece.weight = spineWeights(piece, m_waist, weight);
        if (piece.weight.empty())
            return false;
        Drawing drawing;
        if (!dot)
            drawing = drawLayered(piece, m_engine.gaps(), m_engine.limits());
        else if (!m_engine.tryDot(piece, 400, drawing))
            return false;
        return consider(std::move(drawing));
    }

    // True if it is as good as the first drawing; otherwise the best one is remembered.
    bool consider(Drawing drawing)
    {
        const double after = walk(drawing);
        if (after > std::max(6.0, m_before / 2))
            return false;
        const Quality now = measure(m_segment.piece, drawing);
        if (now.hits > m_quality.hits)
            return false;
        const bool good = after <= 6 && now.crossings <= m_quality.crossings &&
                          now.length <= m_quality.length * 1.15 + m_before;
        const double score = now.score() + 4 * after;
        if (good || score < m_bestScore) {
            m_bestScore = score;
            m_best = std::move(drawing);
        }
        return good;
    }

    const Segment& m_segment;
    int m_uses;
    PieceEngine& m_engine;
    int m_waist;
    double m_before = 0;
    Quality m_quality;
    Drawing m_best;
    double m_bestScore = 1e300;
};

Drawing drawSegments(const Piece& whole, Segmentation& segmentation, PieceEngine& engine)
{
    std::unordered_map<std::string, int> known;
    std::vector<int> uses;
    std::vector<const Segment*> different;
    for (Segment& segment : segmentation.segments) {
        std::string key = pieceKey(segment.piece, engine.gaps());
        const int waist =
            segment.bottomWaist >= 0 ? segment.bottomWaistIndex(segmentation.cuts) : -1;
        key.append(reinterpret_cast<const char*>(&waist), sizeof waist);
        key.push_back(segment.topWaist >= 0 ? 1 : 0);
        key.push_back(segment.entering.empty() && segment.leaving.empty() ? 1 : 0);
        const auto [at, added] = known.emplace(std::move(key), static_cast<int>(uses.size()));
        segment.drawing = at->second;
        if (added) {
            uses.push_back(0);
            different.push_back(&segment);
        }
        ++uses[segment.drawing];
    }
    std::vector<const Piece*> pieces;
    for (const Segment* segment : different)
        pieces.push_back(&segment->piece);
    const std::vector<Drawing> drawings =
        drawAll(engine, pieces, [&](std::size_t i, Drawing drawing) {
            return Straightener(*different[i], segmentation.cuts, uses[i], engine)
                .straighten(std::move(drawing));
        });
    return stackSegments(whole, segmentation, drawings, engine.gaps());
}

} // namespace

Drawing drawConnected(const Piece& whole, PieceEngine& engine)
{
    Segmentation segmentation = makeSegments(whole, engine.limits());
    if (segmentation.segments.size() < 2)
        return drawSegments(whole, segmentation, engine);
    Drawing byDot;
    bool drawnByDot = false;
    Drawing stacked;
    {
        std::jthread second;
        if (whole.size() <= smallGraph && engine.hasGraphviz() && effortOf(whole) <= wholeEffort)
            second = std::jthread([&] { drawnByDot = engine.tryDot(whole, wholeTry, byDot); });
        stacked = drawSegments(whole, segmentation, engine);
    }
    if (whole.size() > mostWhole || engine.limits().late()) {
        engine.countStacked();
        return stacked;
    }
    const Quality quality = measure(whole, stacked);
    double best = quality.score();
    Drawing* chosen = &stacked;
    Drawing own;
    // In a large drawing a few are worth less than the time.
    if (quality.crossings > (whole.size() > smallGraph ? whole.size() / 20 : 0)) {
        own = drawLayered(whole, engine.gaps(), engine.limits());
        const double score = measure(whole, own).score();
        if (score < best) {
            best = score;
            chosen = &own;
        }
    }
    if (drawnByDot && measure(whole, byDot).score() < best)
        chosen = &byDot;
    if (chosen != &byDot)
        engine.countStacked();
    return std::move(*chosen);
}

} // namespace fusescope::layout
