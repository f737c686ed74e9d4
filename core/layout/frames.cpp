#include "layout/frames.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace fusescope::layout {

namespace {

constexpr int deepestNesting = 1000;
constexpr float portSize = 4;

class Builder
{
public:
    Builder(const LayoutGraph& graph, const LayoutOptions& options)
        : m_graph(graph), m_options(options), m_boxes(static_cast<int>(graph.boxes.size()))
    {
    }

    Result<FrameTree> build()
    {
        FUSESCOPE_TRY(findDepths());
        makeFrameList();
        findStubs();
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e)
            addHops(static_cast<int>(e));
        addPills();
        for (std::size_t f = 0; f < m_tree.frames.size(); ++f)
            finishEdges(static_cast<int>(f));
        return std::move(m_tree);
    }

private:
    int parent(int box) const { return m_graph.boxes[box].parent; }

    Result<void> findDepths()
    {
        const auto bad = [] {
            return fail(ErrorCode::invalidArgument, Message("layout.not-a-graph"));
        };
        for (const LayoutEdge& edge : m_graph.edges) {
            if (edge.from < 0 || edge.from >= m_boxes || edge.to < 0 || edge.to >= m_boxes)
                return bad();
        }
        for (const LayoutBox& box : m_graph.boxes) {
            if (box.parent < -1 || box.parent >= m_boxes)
                return bad();
        }
        m_depth.assign(m_graph.boxes.size(), 0);
        std::vector<int> way;
        for (int box = 0; box < m_boxes; ++box) {
            way.clear();
            int at = box;
            for (; at >= 0 && m_depth[at] == 0; at = parent(at)) {
                way.push_back(at);
                if (static_cast<int>(way.size()) > deepestNesting)
                    return bad();
            }
            int depth = at < 0 ? 0 : m_depth[at];
            for (; !way.empty(); way.pop_back())
                m_depth[way.back()] = ++depth;
            if (depth > deepestNesting)
                return bad();
        }
        return {};
    }

    void makeFrameList()
    {
        m_tree.frames.emplace_back();
        m_tree.frameOf.assign(m_graph.boxes.size(), -1);
        std::vector<int> holders;
        std::vector<char> seen(m_graph.boxes.size(), 0);
        for (const LayoutBox& box : m_graph.boxes) {
            if (box.parent >= 0 && !seen[box.parent]) {
                seen[box.parent] = 1;
                holders.push_back(box.parent);
            }
        }
        std::ranges::sort(holders, {}, [this](int box) { return std::pair(m_depth[box], box); });
        for (const int box : holders) {
            m_tree.frameOf[box] = static_cast<int>(m_tree.frames.size());
            m_tree.frames.emplace_back().box = box;
        }
        std::vector<int> inOrder;
        for (int box = 0; box < m_boxes; ++box)
            inOrder.push_back(box);
        std::ranges::stable_sort(inOrder, {}, [this](int box) {
            return m_graph.boxes[box].order >= 0 ? m_graph.boxes[box].order : box;
        });
        m_tree.holder.resize(m_graph.boxes.size());
        m_tree.index.resize(m_graph.boxes.size());
        for (const int box : inOrder) {
            const int f = parent(box) < 0 ? 0 : m_tree.frameOf[parent(box)];
            m_tree.holder[box] = f;
            m_tree.index[box] = static_cast<int>(m_tree.frames[f].children.size());
            m_tree.frames[f].children.push_back(box);
        }
        for (Frame& frame : m_tree.frames) {
            frame.piece.ordered = false;
            frame.piece.width.assign(frame.children.size(), 1);
            frame.piece.height.assign(frame.children.size(), 1);
        }
        m_raw.resize(m_tree.frames.size());
    }

    // The boxes on the way from each end up to the frame that holds both; they end in two boxes
    // that stand side by side, or in the same box if one end holds the other.
    std::pair<int, int> meet(const LayoutEdge& edge, std::vector<int>& up,
                             std::vector<int>& down) const
    {
        int a = edge.from;
        int b = edge.to;
        up.clear();
        down.clear();
        while (a != b && (m_depth[a] != m_depth[b] || parent(a) != parent(b))) {
            const int depthA = m_depth[a];
            const int depthB = m_depth[b];
            if (depthA >= depthB) {
                up.push_back(a);
                a = parent(a);
            }
            if (depthB >= depthA) {
                down.push_back(b);
                b = parent(b);
            }
        }
        return {a, b};
    }

    void findStubs()
    {
        const auto count = m_graph.edges.size();
        m_tree.stub.assign(count, 0);
        std::vector<std::pair<int, int>> hops(count, {-1, -1});
        std::map<std::pair<int, int>, int> uses;
        std::vector<int> up, down;
        for (std::size_t e = 0; e < count; ++e) {
            const LayoutEdge& edge = m_graph.edges[e];
            ++uses[{edge.from, edge.fromPort}];
            const auto [a, b] = meet(edge, up, down);
            if (a != b)
                hops[e] = {a, b};
        }
        std::vector<char> shared(count, 0);
        for (std::size_t e = 0; e < count; ++e) {
            const LayoutEdge& edge = m_graph.edges[e];
            shared[e] = m_options.stubFanOut > 0 &&
                        uses[{edge.from, edge.fromPort}] >= m_options.stubFanOut;
        }
        const std::vector<int> reach = reachOf(m_graph, hops, shared);
        for (std::size_t e = 0; e < count; ++e) {
            const LayoutEdge& edge = m_graph.edges[e];
            if (edge.from == edge.to)
                continue;
            m_tree.stub[e] =
                edge.kind == LayoutEdgeKind::stub || (shared[e] && reach[e] > m_options.stubReach);
        }
    }

    int port(int f, const LayoutEdge& edge, bool bottom)
    {
        const auto [at, added] = m_ports.try_emplace({f, edge.from, edge.fromPort, bottom}, 0);
        if (added) {
            Piece& piece = m_tree.frames[f].piece;
            at->second = piece.size();
            piece.width.push_back(portSize);
            piece.height.push_back(portSize);
            (bottom ? piece.bottom : piece.top).push_back(at->second);
        }
        return at->second;
    }

    void addHops(int e)
    {
        m_tree.hops.emplace_back();
        const LayoutEdge& edge = m_graph.edges[e];
        if (m_tree.stub[e] || edge.from == edge.to)
            return;
        std::vector<int> up, down;
        const auto [a, b] = meet(edge, up, down);
        for (const int box : up) {
            const int f = m_tree.holder[box];
            if (f > 0)
                addHop(e, f, m_tree.index[box], port(f, edge, true));
        }
        if (a != b)
            addHop(e, m_tree.holder[a], m_tree.index[a], m_tree.index[b]);
        for (auto box = down.rbegin(); box != down.rend(); ++box) {
            const int f = m_tree.holder[*box];
            if (f > 0)
                addHop(e, f, port(f, edge, false), m_tree.index[*box]);
        }
    }

    void addHop(int e, int f, int from, int to)
    {
        m_tree.hops[e].push_back({f, from, to});
        m_raw[f].emplace_back(e, static_cast<int>(m_tree.hops[e].size()) - 1);
    }

    // The stubs of one reader share a node of the piece.
    void addPills()
    {
        std::map<int, std::vector<int>> stubsOf;
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
            if (m_tree.stub[e])
                stubsOf[m_graph.edges[e].to].push_back(static_cast<int>(e));
        }
        const bool turned = m_options.direction == LayoutDirection::leftToRight;
        for (auto& [reader, edges] : stubsOf) {
            std::ranges::stable_sort(edges, {}, [this](int e) { return m_graph.edges[e].toPort; });
            const int f = m_tree.holder[reader];
            Frame& frame = m_tree.frames[f];
            PillGroup group;
            group.node = frame.piece.size();
            group.perColumn = turned ? 1 : 4;
            double width = 0;
            for (const int e : edges) {
                const double wanted = m_graph.edges[e].stubWidth;
                width = std::max(width, sane(wanted > 0 ? wanted : m_options.stubWidth));
            }
            const double height = sane(m_options.stubHeight);
            group.width = turned ? height : width;
            group.height = turned ? width : height;
            const int count = static_cast<int>(edges.size());
            const int rows = std::min(count, group.perColumn);
            const int columns = (count + group.perColumn - 1) / group.perColumn;
            frame.piece.width.push_back(
                static_cast<float>(columns * (group.width + pillGap) - pillGap));
            frame.piece.height.push_back(
                static_cast<float>(rows * (group.height + pillGap) - pillGap));
            for (const int e : edges)
                addHop(e, f, group.node, m_tree.index[reader]);
            group.edges = std::move(edges);
            frame.pills.push_back(std::move(group));
        }
    }

    // Equal hops share an edge of the piece, and none closes a cycle.
    void finishEdges(int f)
    {
        Piece& piece = m_tree.frames[f].piece;
        std::map<std::pair<int, int>, int> known;
        EdgeList raw;
        std::vector<int> rawOf;
        for (const auto& [e, h] : m_raw[f]) {
            const Hop& hop = m_tree.hops[e][h];
            const auto [at, added] =
                known.try_emplace({hop.from, hop.to}, static_cast<int>(raw.size()));
            if (added)
                raw.emplace_back(hop.from, hop.to);
            rawOf.push_back(at->second);
        }
        std::vector<char> turned;
        makeAcyclic(piece.size(), raw, turned);
        known.clear();
        std::vector<int> edgeOf;
        for (const auto& edge : raw) {
            const auto [at, added] = known.try_emplace(edge, static_cast<int>(piece.edges.size()));
            if (added)
                piece.edges.push_back(edge);
            edgeOf.push_back(at->second);
        }
        for (std::size_t i = 0; i < rawOf.size(); ++i) {
            Hop& hop = m_tree.hops[m_raw[f][i].first][m_raw[f][i].second];
            hop.edge = edgeOf[rawOf[i]];
            hop.reversed = turned[rawOf[i]] != 0;
        }
        weighPillReaders(m_tree.frames[f]);
    }

    // A box that reads one line and stubs stands under that line, the stubs beside it: else a chain
    // of such boxes would walk sideways.
    static void weighPillReaders(Frame& frame)
    {
        Piece& piece = frame.piece;
        if (frame.pills.empty())
            return;
        constexpr int straight = 4;
        const Adjacency in = Adjacency::incoming(piece.size(), piece.edges);
        std::vector<char> isPill(static_cast<std::size_t>(piece.size()), 0);
        for (const PillGroup& group : frame.pills)
            isPill[static_cast<std::size_t>(group.node)] = 1;
        piece.weight.assign(piece.edges.size(), 1);
        for (int v = 0; v < piece.size(); ++v) {
            int line = -1;
            int lines = 0;
            for (const int e : in.of(v)) {
                if (isPill[static_cast<std::size_t>(piece.edges[e].first)])
                    continue;
                line = e;
                ++lines;
            }
            if (lines == 1 && in.degree(v) > 1)
                piece.weight[line] = straight;
        }
    }

    const LayoutGraph& m_graph;
    const LayoutOptions& m_options;
    int m_boxes;
    FrameTree m_tree;
    std::vector<int> m_depth; // 1 for boxes in no frame
    std::map<std::tuple<int, int, int, bool>, int> m_ports;
    std::vector<std::vector<std::pair<int, int>>> m_raw; // of each frame: edge, hop
};

} // namespace

Result<FrameTree> makeFrames(const LayoutGraph& graph, const LayoutOptions& options)
{
    return Builder(graph, options).build();
}

double sane(double size)
{
    return std::isfinite(size) ? std::clamp(size, 1.0, 1e6) : 1.0;
}

} // namespace fusescope::layout
