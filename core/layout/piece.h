#pragma once

#include "layout/layout.h"

#include <chrono>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace fusescope::layout {

using Clock = std::chrono::steady_clock;
using Curve = std::vector<LayoutPoint>; // points of cubic curves, 3k+1, from tail to head
using EdgeList = std::vector<std::pair<int, int>>;

// What one engine draws at once. Acyclic, without loops and without equal edges. The nodes of `top`
// have a row of their own above all others, those of `bottom` one below; in the given order from
// left to right if `ordered`.
struct Piece
{
    std::vector<float> width;
    std::vector<float> height;
    EdgeList edges;
    std::vector<int> weight; // one for each edge, or empty: a heavy edge wants to be straight
    std::vector<int> top;
    std::vector<int> bottom;
    bool ordered = true;

    int size() const { return static_cast<int>(width.size()); }
};

struct Drawing
{
    std::vector<LayoutPoint> centre;
    std::vector<Curve> curves;
};

struct Gaps
{
    double box = 20;
    double rank = 24;
};

// When to give up: polled in loops.
struct Limits
{
    std::stop_token stop;
    Clock::time_point deadline;

    bool stopped() const { return stop.stop_requested(); }
    bool late() const { return stopped() || Clock::now() >= deadline; }
};

// Edges by their end: of(v) lists indices into the edge list, in its order.
class Adjacency
{
public:
    static Adjacency outgoing(int nodes, const EdgeList& edges);
    static Adjacency incoming(int nodes, const EdgeList& edges);

    std::span<const int> of(int node) const
    {
        const auto i = static_cast<std::size_t>(node);
        return {m_edges.data() + m_first[i], static_cast<std::size_t>(m_first[i + 1] - m_first[i])};
    }
    int degree(int node) const { return static_cast<int>(of(node).size()); }

private:
    std::vector<int> m_first;
    std::vector<int> m_edges;
};

// Nodes so that every edge goes from an earlier to a later one; ties by index. The edges must be
// acyclic.
std::vector<int> topologicalOrder(int nodes, const EdgeList& edges);

LayoutRect boundsOf(const Piece& piece, const Drawing& drawing);

// Appends a straight line, as a cubic, from the end of the curve.
void lineTo(Curve& curve, LayoutPoint end);

// Appends a curve that leaves and arrives upright.
void bendTo(Curve& curve, LayoutPoint end);

// Equal for pieces that have the same drawing.
std::string pieceKey(const Piece& piece, const Gaps& gaps);

} // namespace fusescope::layout
