// Draws graphs like those of well-known networks and prints time and quality.
// usage: layout_bench [--sizes 100,1000,10000] [--families resnet,bert] [--stubs] [--fallback]
//        [--no-cache] [--whole] [--svg FILE]
#include "core/layout/families.h"
#include "layout/layered.h"
#include "layout/piece_engine.h"
#include "layout/quality.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fmt/format.h>
#include <sstream>

using namespace fusescope;

namespace {

layout::Quality qualityOf(const LayoutGraph& graph, const LayoutResult& result)
{
    std::vector<LayoutRect> boxes = result.boxes;
    std::vector<layout::Wire> wires;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        int from = graph.edges[e].from;
        if (result.edges[e].stub) {
            from = static_cast<int>(boxes.size());
            boxes.push_back(result.edges[e].pill);
        }
        wires.push_back({from, graph.edges[e].to, layout::flattened(result.edges[e].points)});
    }
    return layout::measure(boxes, wires);
}

void writeSvg(const std::string& path, const LayoutResult& result)
{
    std::FILE* file = std::fopen(path.c_str(), "w");
    if (file == nullptr)
        return;
    fmt::print(file,
               "<svg xmlns='http://www.w3.org/2000/svg' viewBox='-10 -10 {0:.0f} {1:.0f}' "
               "width='{0:.0f}' height='{1:.0f}'><rect x='-10' y='-10' width='100%' height='100%' "
               "fill='white'/>\n",
               result.width + 20, result.height + 20);
    for (const LayoutRect& box : result.boxes)
        fmt::print(file,
                   "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='#dde8ff' "
                   "stroke='black'/>\n",
                   box.x, box.y, box.width, box.height);
    for (const LayoutPath& edge : result.edges) {
        if (edge.stub)
            fmt::print(file,
                       "<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' rx='7' "
                       "fill='#ffe8c0' stroke='#a60'/>\n",
                       edge.pill.x, edge.pill.y, edge.pill.width, edge.pill.height);
        std::string path2 = fmt::format("M{:.1f} {:.1f}", edge.points[0].x, edge.points[0].y);
        for (std::size_t i = 1; i + 2 < edge.points.size(); i += 3)
            path2 += fmt::format(" C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", edge.points[i].x,
                                 edge.points[i].y, edge.points[i + 1].x, edge.points[i + 1].y,
                                 edge.points[i + 2].x, edge.points[i + 2].y);
        fmt::print(file, "<path fill='none' stroke='#555' stroke-width='1.3' d='{}'/>\n", path2);
    }
    fmt::print(file, "</svg>\n");
    std::fclose(file);
}

// Plain dot, or the layered layout, on the whole graph: what the segments are compared with.
void printWhole(const LayoutGraph& graph, const LayoutOptions& options)
{
    layout::Piece piece;
    for (const LayoutBox& box : graph.boxes) {
        piece.width.push_back(static_cast<float>(box.width));
        piece.height.push_back(static_cast<float>(box.height));
    }
    for (const LayoutEdge& edge : graph.edges)
        piece.edges.emplace_back(edge.from, edge.to);
    const layout::Limits limits{{}, layout::Clock::now() + std::chrono::seconds(60)};
    const auto start = layout::Clock::now();
    layout::Drawing drawing;
    if (options.useGraphviz) {
        const layout::DrawRequest request{piece, {options.boxGap, options.rankGap}, 0, 60000};
        if (layout::WorkerPool::of(options.workerPath)->draw(request, limits, drawing) !=
            layout::DrawOutcome::drawn) {
            fmt::print("{:>10} whole: not in 60 s\n", "");
            return;
        }
    } else {
        drawing = layout::drawLayered(piece, {options.boxGap, options.rankGap}, limits);
    }
    const double ms =
        std::chrono::duration<double, std::milli>(layout::Clock::now() - start).count();
    const layout::Quality q = layout::measure(piece, drawing);
    fmt::print("{:>26} {:9.1f} ms  x {:6}  len {:10.0f} ink {:9.0f}  hits {:4}  {:.0f} x {:.0f}\n",
               "whole", ms, q.crossings, q.length, q.ink, q.hits, q.width, q.height);
}

std::vector<std::string> split(const std::string& text)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');)
        parts.push_back(part);
    return parts;
}

} // namespace

int main(int argc, char** argv)
{
    std::vector<std::string> sizes{"100", "1000", "10000", "50000"};
    std::vector<std::string> names = families::names();
    LayoutOptions options;
    options.deadline = std::chrono::seconds(60);
    options.stubFanOut = 0;
    bool whole = false;
    std::string svg;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const bool more = i + 1 < argc;
        if (argument == "--sizes" && more)
            sizes = split(argv[++i]);
        else if (argument == "--families" && more)
            names = split(argv[++i]);
        else if (argument == "--svg" && more)
            svg = argv[++i];
        else if (argument == "--stubs")
            options.stubFanOut = LayoutOptions().stubFanOut;
        else if (argument == "--fallback")
            options.useGraphviz = false;
        else if (argument == "--no-cache")
            options.useCache = false;
        else if (argument == "--whole")
            whole = true;
    }
    for (const std::string& name : names) {
        for (const std::string& size : sizes) {
            const LayoutGraph graph = families::make(name, std::stoi(size));
            double first = 0;
            const auto cpu = std::clock();
            Result<LayoutResult> result = tl::unexpected(Error{});
            std::vector<double> times;
            for (int run = 0; run < 4; ++run) {
                result = layoutGraph(graph, options, {}, {});
                if (!result)
                    return 1;
                (run == 0 ? first : times.emplace_back()) = result->milliseconds;
            }
            // Of this process, without the workers: steady on a busy machine.
            const double cpuMs = 1000.0 * static_cast<double>(std::clock() - cpu) /
                                 (4.0 * static_cast<double>(CLOCKS_PER_SEC));
            std::ranges::sort(times);
            const layout::Quality q = qualityOf(graph, *result);
            fmt::print("{:>10} {:>6} {:>8} {:9.1f} ms (first {:.1f}, own cpu {:.1f})  x {:6}  len "
                       "{:10.0f} ink {:9.0f}  hits "
                       "{:4}  overlaps {}  {:.0f} x {:.0f}  {}{}\n",
                       name, size, graph.boxes.size(), times[1], first, cpuMs, q.crossings,
                       q.length, q.ink, q.hits, q.overlaps, result->width, result->height,
                       layoutEngineName(result->engine), result->deadlineMissed ? "  late" : "");
            if (!svg.empty())
                writeSvg(svg, *result);
            if (whole)
                printWhole(graph, options);
            std::fflush(stdout);
        }
    }
    return 0;
}
