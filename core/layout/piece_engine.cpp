#include "layout/piece_engine.h"

#include "layout/layered.h"
#include "layout/quality.h"
#include "layout/worker_protocol.h"

#include <algorithm>
#include <thread>
#include <unordered_map>

namespace fusescope::layout {

namespace {

constexpr int firstTry = 400; // milliseconds of processor time
constexpr int secondTry = 400;
constexpr double mostEffort = 3000;        // beyond it dot does not end in the time that it gets
constexpr double mostEffortOfAll = 30'000; // the heaviest of many pieces are left to our own layout
constexpr int mostNodes = 1500;

// Drawings by dot, of all calls. They are few and small: a network of any size repeats some dozens.
class Cache
{
public:
    bool find(const std::string& key, Drawing& drawing)
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_drawings.find(key);
        if (found == m_drawings.end())
            return false;
        drawing = found->second;
        return true;
    }

    void add(const std::string& key, const Drawing& drawing)
    {
        std::size_t size = key.size() + drawing.centre.size() * sizeof(LayoutPoint);
        for (const Curve& curve : drawing.curves)
            size += sizeof(Curve) + curve.size() * sizeof(LayoutPoint);
        const std::lock_guard lock(m_mutex);
        if (m_size + size > std::size_t{48} << 20) {
            m_drawings.clear();
            m_size = 0;
        }
        if (m_drawings.emplace(key, drawing).second)
            m_size += size;
    }

private:
    std::mutex m_mutex;
    std::unordered_map<std::string, Drawing> m_drawings;
    std::size_t m_size = 0;
};

Cache& cache()
{
    static Cache instance;
    return instance;
}

bool fitsDot(const Piece& piece)
{
    if (piece.size() > mostNodes || piece.edges.size() > maxEdges)
        return false;
    const auto small = [](float size) { return size <= maxBoxSize; };
    return std::ranges::all_of(piece.width, small) && std::ranges::all_of(piece.height, small) &&
           effortOf(piece) <= mostEffort;
}

// A chain needs nobody to think about it. Its nodes are numbered along it.
bool drawChain(const Piece& piece, const Gaps& gaps, Drawing& drawing)
{
    const int n = piece.size();
    if (static_cast<int>(piece.edges.size()) != n - 1 || piece.top.size() > 1 ||
        piece.bottom.size() > 1)
        return false;
    for (int v = 0; v + 1 < n; ++v) {
        if (piece.edges[v] != std::pair(v, v + 1))
            return false;
    }
    double y = 0;
    for (int v = 0; v < n; ++v) {
        if (v > 0) {
            drawing.curves.push_back({{0, y}});
            y += gaps.rank;
            lineTo(drawing.curves.back(), {0, y});
        }
        drawing.centre.push_back({0, y + piece.height[v] / 2});
        y += piece.height[v];
    }
    return true;
}

} // namespace

PieceEngine::PieceEngine(const LayoutOptions& options, const Limits& dot, const Limits& own)
    : m_pool(options.useGraphviz ? WorkerPool::of(options.workerPath) : nullptr),
      m_gaps{options.boxGap, options.rankGap}, m_dot(dot), m_own(own), m_useCache(options.useCache)
{
}

bool PieceEngine::drawAtOnce(const Piece& piece, Drawing& drawing)
{
    if (drawChain(piece, m_gaps, drawing))
        return true;
    if (!m_pool || !m_useCache || !cache().find(pieceKey(piece, m_gaps), drawing))
        return false;
    ++m_byDot;
    return true;
}

Drawing PieceEngine::draw(const Piece& piece)
{
    Drawing drawing;
    if (drawAtOnce(piece, drawing))
        return drawing;
    if (m_pool && fitsDot(piece)) {
        DrawRequest request{piece, m_gaps, 0, firstTry};
        DrawOutcome outcome = m_pool->draw(request, m_dot, drawing);
        if (outcome == DrawOutcome::failed) // perhaps the worker was killed from outside
            outcome = m_pool->draw(request, m_dot, drawing);
        if (outcome == DrawOutcome::overran) {
            request.searchLimit = 0.5;
            request.cpuMilliseconds = secondTry;
            outcome = m_pool->draw(request, m_dot, drawing);
        }
        if (outcome == DrawOutcome::drawn) {
            ++m_byDot;
            improve(piece, drawing);
            if (m_useCache)
                cache().add(pieceKey(piece, m_gaps), drawing);
            return drawing;
        }
        if (outcome == DrawOutcome::stopped)
            m_late = true;
    }
    return drawOwn(piece);
}

Drawing PieceEngine::drawOwn(const Piece& piece)
{
    ++m_byOwn;
    return drawLayered(piece, m_gaps, m_own);
}

void PieceEngine::improve(const Piece& piece, Drawing& drawing) const
{
    const Quality byDot = measure(piece, drawing);
    if (byDot.crossings == 0)
        return;
    Drawing own = drawLayered(piece, m_gaps, m_own);
    if (measure(piece, own).score() < byDot.score())
        drawing = std::move(own);
}

bool PieceEngine::tryDot(const Piece& piece, int cpuMilliseconds, Drawing& drawing)
{
    if (!m_pool || !fitsDot(piece) || m_dot.late())
        return false;
    const std::string key = pieceKey(piece, m_gaps);
    if (m_useCache && cache().find(key, drawing))
        return true;
    const DrawRequest request{piece, m_gaps, 0, cpuMilliseconds};
    if (m_pool->draw(request, m_dot, drawing) != DrawOutcome::drawn)
        return false;
    if (m_useCache)
        cache().add(key, drawing);
    return true;
}

std::vector<Drawing> drawAll(PieceEngine& engine, std::span<const Piece* const> pieces,
                             const FinishDrawing& finish)
{
    std::vector<Drawing> drawings(pieces.size());
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (engine.drawAtOnce(*pieces[i], drawings[i]))
            drawings[i] = finish(i, std::move(drawings[i]));
        else
            left.push_back(i);
    }
    std::vector<std::pair<double, std::size_t>> efforts;
    double sum = 0;
    for (const std::size_t i : left) {
        efforts.emplace_back(effortOf(*pieces[i]), i);
        sum += efforts.back().first;
    }
    std::ranges::stable_sort(efforts, std::ranges::greater(),
                             &std::pair<double, std::size_t>::first);
    std::vector<char> light(pieces.size(), 1);
    for (std::size_t k = 0; sum > mostEffortOfAll && k < efforts.size(); ++k) {
        light[efforts[k].second] = 0;
        sum -= efforts[k].first;
    }
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t k = next++; k < efforts.size(); k = next++) {
            const std::size_t i = efforts[k].second;
            drawings[i] =
                finish(i, light[i] ? engine.draw(*pieces[i]) : engine.drawOwn(*pieces[i]));
        }
    };
    std::jthread second;
    if (left.size() > 1)
        second = std::jthread(work);
    work();
    second = {};
    return drawings;
}

double effortOf(const Piece& piece)
{
    const int n = piece.size();
    const Adjacency out = Adjacency::outgoing(n, piece.edges);
    const std::vector<int> order = topologicalOrder(n, piece.edges);
    std::vector<int> rank(static_cast<std::size_t>(n), 0);
    int deepest = 0;
    for (const int v : order) {
        deepest = std::max(deepest, rank[v]);
        for (const int e : out.of(v))
            rank[piece.edges[e].second] = std::max(rank[piece.edges[e].second], rank[v] + 1);
    }
    for (const int v : piece.bottom)
        rank[v] = std::max(rank[v], deepest);
    std::vector<char> fixed(static_cast<std::size_t>(n), 0);
    for (const int v : piece.top)
        fixed[v] = 1;
    std::vector<char> source(static_cast<std::size_t>(n), 1);
    for (const auto& edge : piece.edges)
        source[edge.second] = 0;
    double effort = n;
    for (int v = 0; v < n; ++v) {
        if (source[v] && !fixed[v] && out.degree(v) > 0) {
            int lowest = deepest;
            for (const int e : out.of(v))
                lowest = std::min(lowest, rank[piece.edges[e].second] - 1);
            rank[v] = lowest;
        }
        for (const int e : out.of(v))
            effort += std::max(0, rank[piece.edges[e].second] - rank[v] - 1);
    }
    return effort;
}

} // namespace fusescope::layout
