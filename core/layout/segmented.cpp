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

constexpr int smallGraph = 300;  // up to here the whole is tried at once
constexpr int wholeTry = 100;    // milliseconds of processor time for that
constexpr double wholeEffort = 1200;

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

// A segment that is stacked `uses` times and whose lower waist is not under its upper one makes the
// drawing walk sideways. Mirroring every other one helps where no lanes are; for the others a
// straighter drawing replaces a better one.
Drawing straightened(const Segment& segment, const Cuts& cuts, Drawing drawing, int uses,
                     PieceEngine& engine)
{
    if (segment.topWaist < 0 || segment.bottomWaist < 0 || !engine.hasGraphviz()
        || (segment.entering.empty() && segment.leaving.empty()))
        return drawing;
    const int waist = segment.bottomWaistIndex(cuts);
    const auto walk = [waist](const Drawing& d) {
        return std::abs(d.centre[waist].x - d.centre[0].x);
    };
    const double before = walk(drawing);
    if (before * uses <= 150)
        return drawing;
    const Quality quality = measure(segment.piece, drawing);
    Drawing best;
    double bestScore = 1e300;
    for (const int weight : {8, 50}) {
        Piece piece = segment.piece;
        piece.weight = spineWeights(piece, waist, weight);
        if (piece.weight.empty())
            return drawing;
        Drawing straight;
        if (!engine.tryDot(piece, 400, straight))
            continue;
        const double after = walk(straight);
        if (after > std::max(6.0, before / 2))
            continue;
        const Quality now = measure(piece, straight);
        if (after <= 6 && now.crossings <= quality.crossings
            && now.length <= quality.length * 1.15 + before)
            return straight;
        const double score = now.score() + 4 * after;
        if (score < bestScore) {
            bestScore = score;
            best = std::move(straight);
        }
    }
    return bestScore < 1e300 && before * uses > 400 ? best : drawing;
}

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
    std::vector<Drawing> drawings = drawAll(engine, pieces);
    for (std::size_t i = 0; i < different.size(); ++i)
        drawings[i] = straightened(*different[i], segmentation.cuts, std::move(drawings[i]),
                                   uses[i], engine);
    return stackSegments(whole, segmentation, drawings, engine.gaps());
}

} // namespace

Drawing drawConnected(const Piece& whole, PieceEngine& engine)
{
    Segmentation segmentation = makeSegments(whole, engine.limits());
    if (segmentation.segments.size() < 2)
        return drawSegments(whole, segmentation, engine);
    engine.countStacked();
    if (whole.size() > smallGraph)
        return drawSegments(whole, segmentation, engine);
    Drawing atOnce;
    bool drawn = false;
    Drawing stacked;
    {
        std::jthread second;
        if (engine.hasGraphviz() && effortOf(whole) <= wholeEffort)
            second = std::jthread([&] { drawn = engine.tryDot(whole, wholeTry, atOnce); });
        stacked = drawSegments(whole, segmentation, engine);
    }
    if (!drawn) {
        if (engine.hasGraphviz() && engine.drawnByOwn() == 0)
            return stacked;
        atOnce = drawLayered(whole, engine.gaps(), engine.limits());
    }
    return measure(whole, atOnce).score() < measure(whole, stacked).score() ? atOnce : stacked;
}

} // namespace fusescope::layout
