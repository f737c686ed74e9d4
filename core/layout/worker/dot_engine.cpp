#include "layout/worker/dot_engine.h"

#ifdef FUSESCOPE_GRAPHVIZ

#include <algorithm>
#include <charconv>
#include <cmath>
#include <dlfcn.h>
#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>
#include <string>

namespace fusescope::layout {

namespace {

// Graphviz takes char* where it only reads.
char* text(const char* literal)
{
    return const_cast<char*>(literal);
}

// A number as Graphviz reads it whatever the locale is.
class Number
{
public:
    explicit Number(double value)
    {
        const auto end =
            std::to_chars(m_text, m_text + sizeof m_text - 1, value, std::chars_format::fixed, 5);
        *end.ptr = 0;
    }
    explicit Number(int value)
    {
        *std::to_chars(m_text, m_text + sizeof m_text - 1, value).ptr = 0;
    }
    char* get() { return m_text; }

private:
    char m_text[64];
};

// The one plugin that is needed, without the configuration file and the dozen others, which take
// far longer to load than a drawing takes.
GVC_t* makeContext()
{
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(&gvContext), &info) != 0 && info.dli_fname != nullptr) {
        std::string folder = info.dli_fname;
        folder.resize(folder.rfind('/') == std::string::npos ? 0 : folder.rfind('/') + 1);
        for (const char* name : {"libgvplugin_dot_layout.so.6", "libgvplugin_dot_layout.so.8",
                                 "libgvplugin_dot_layout.so.7", "libgvplugin_dot_layout.so"}) {
            void* plugin = dlopen((folder + "graphviz/" + name).c_str(), RTLD_NOW | RTLD_GLOBAL);
            if (plugin == nullptr)
                continue;
            if (void* library = dlsym(plugin, "gvplugin_dot_layout_LTX_library")) {
                static lt_symlist_t symbols[] = {{text("gvplugin_dot_layout_LTX_library"), library},
                                                 {nullptr, nullptr}};
                return gvContextPlugins(symbols, 0);
            }
        }
    }
    return gvContext();
}

class Canvas
{
public:
    explicit Canvas(const DotRequest& request) : m_request(request)
    {
        m_graph = agopen(text("g"), Agdirected, nullptr);
        attributes();
        nodes();
        edges();
        row(request.top, "source");
        row(request.bottom, "sink");
    }

    ~Canvas()
    {
        if (m_drawn)
            gvFreeLayout(m_context, m_graph);
        agclose(m_graph);
    }

    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    bool draw(GVC_t* context)
    {
        m_context = context;
        m_drawn = gvLayout(context, m_graph, "dot") == 0;
        return m_drawn;
    }

    void read(DotAnswer& answer) const
    {
        const double height = GD_bb(m_graph).UR.y;
        for (Agnode_t* node : m_nodes) {
            const pointf centre = ND_coord(node);
            answer.centres.push_back(centre.x);
            answer.centres.push_back(height - centre.y);
        }
        for (Agedge_t* edge : m_edges) {
            std::uint32_t count = 0;
            const splines* found = ED_spl(edge);
            if (found != nullptr && found->size > 0) {
                const bezier& curve = found->list[0];
                for (int i = 0; i < static_cast<int>(curve.size); ++i) {
                    answer.points.push_back(curve.list[i].x);
                    answer.points.push_back(height - curve.list[i].y);
                    ++count;
                }
            }
            answer.pointsOfEdge.push_back(count);
        }
    }

private:
    void attributes()
    {
        const auto set = [this](int kind, const char* name, const char* value) {
            return agattr(m_graph, kind, text(name), text(value));
        };
        set(AGRAPH, "ranksep", Number(m_request.header.rankGap / 72.0).get());
        set(AGRAPH, "nodesep", Number(m_request.header.boxGap / 72.0).get());
        if (m_request.header.searchLimit > 0)
            set(AGRAPH, "nslimit", Number(double(m_request.header.searchLimit)).get());
        set(AGNODE, "shape", "box");
        set(AGNODE, "fixedsize", "true");
        set(AGNODE, "label", "");
        set(AGEDGE, "dir", "none");
        m_width = set(AGNODE, "width", "1");
        m_height = set(AGNODE, "height", "1");
        m_weight = set(AGEDGE, "weight", "1");
        m_style = set(AGEDGE, "style", "");
    }

    void nodes()
    {
        for (std::size_t i = 0; i < m_request.width.size(); ++i) {
            Agnode_t* node = agnode(m_graph, Number(static_cast<int>(i)).get(), 1);
            const auto inches = [](float points) {
                return std::clamp(std::isfinite(points) ? points : 1.0F, 0.1F, maxBoxSize) / 72.0;
            };
            agxset(node, m_width, Number(inches(m_request.width[i])).get());
            agxset(node, m_height, Number(inches(m_request.height[i])).get());
            m_nodes.push_back(node);
        }
    }

    void edges()
    {
        for (std::size_t i = 0; i < m_request.from.size(); ++i) {
            Agedge_t* edge =
                agedge(m_graph, m_nodes[m_request.from[i]], m_nodes[m_request.to[i]], nullptr, 1);
            if (m_request.weight[i] != 1)
                agxset(edge, m_weight, Number(static_cast<int>(m_request.weight[i])).get());
            m_edges.push_back(edge);
        }
    }

    void row(const std::vector<std::uint32_t>& nodes, const char* rank)
    {
        if (nodes.empty())
            return;
        Agraph_t* group = agsubg(m_graph, text(rank), 1);
        for (const std::uint32_t node : nodes)
            agsubnode(group, m_nodes[node], 1);
        agsafeset(group, text("rank"), text(rank), text(""));
        if (m_request.header.ordered == 0)
            return;
        for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
            Agedge_t* edge = agedge(m_graph, m_nodes[nodes[i]], m_nodes[nodes[i + 1]], nullptr, 1);
            agxset(edge, m_style, text("invis"));
        }
    }

    const DotRequest& m_request;
    Agraph_t* m_graph = nullptr;
    GVC_t* m_context = nullptr;
    bool m_drawn = false;
    std::vector<Agnode_t*> m_nodes;
    std::vector<Agedge_t*> m_edges;
    Agsym_t* m_width = nullptr;
    Agsym_t* m_height = nullptr;
    Agsym_t* m_weight = nullptr;
    Agsym_t* m_style = nullptr;
};

} // namespace

bool drawWithDot(const DotRequest& request, DotAnswer& answer)
{
    static GVC_t* const context = makeContext(); // each one leaks a little, so there is one
    if (context == nullptr)
        return false;
    agseterr(AGMAX);
    Canvas canvas(request);
    if (!canvas.draw(context))
        return false;
    canvas.read(answer);
    return true;
}

} // namespace fusescope::layout

#else

namespace fusescope::layout {

bool drawWithDot(const DotRequest&, DotAnswer&)
{
    return false;
}

} // namespace fusescope::layout

#endif
