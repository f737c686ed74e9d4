// CPU time from the bytes of a model to the bytes of the optimized one, without proof, at 1, 2, 4
// and 8 times a size: residual blocks (Conv, BatchNormalization, Relu, Add), four nodes each.
// usage: optimizer_bench [BLOCKS | MODEL]
#include "bench/bench_support.h"
#include "io/document.h"
#include "model/graph_text.h"
#include "ops/inference.h"
#include "passes/optimizer.h"

#include <cstdlib>
#include <fmt/core.h>

using namespace fusescope;
using namespace fusescope::bench;

namespace {

std::string residualModel(int blocks)
{
    std::string constants, nodes;
    std::string last = "x";
    for (int i = 0; i < blocks; ++i) {
        const std::string n = std::to_string(i);
        constants += fmt::format("{}float[4, 4, 3, 3] w{} = random({})", i ? ", " : "", n, i);
        for (const char* name : {"scale", "shift", "mean", "var"})
            constants += fmt::format(", float[4] {}{} = random({}, 0.5, 2)", name, n, i);
        nodes += fmt::format("c{0} = Conv <pads = [1, 1, 1, 1]> ({1}, w{0})\n"
                             "b{0} = BatchNormalization (c{0}, scale{0}, shift{0}, mean{0}, var{0})\n"
                             "s{0} = Add (b{0}, {1})\ny{0} = Relu (s{0})\n",
                             n, last);
        last = "y" + n;
    }
    const Graph graph = must(parseGraph(fmt::format(
        "net (float[1, 4, 8, 8] x) => (float[1, 4, 8, 8] {}) <{}> {{ {} }}", last, constants, nodes)));
    return must(must(Document::parse(std::string("\x3a\x00", 2), "empty"))->serialize(graph));
}

void time(const std::shared_ptr<const Document>& document, double opening)
{
    double start = cpuSeconds();
    Graph opened = document->graph();
    must(opened.apply(must(inferGraph(opened)).patch));
    const double inferring = cpuSeconds() - start;
    start = cpuSeconds();
    Optimizer optimizer(opened, {});
    int steps = 0;
    while (must(optimizer.next()))
        ++steps;
    const double passes = cpuSeconds() - start;
    start = cpuSeconds();
    Graph lowered = optimizer.graph();
    IdPool pool(lowered);
    must(lowered.apply(must(lower(lowered, pool, ExportForm::standard, &opened))));
    const std::size_t bytes = must(document->serialize(lowered)).size();
    const double writing = cpuSeconds() - start;
    const double total = opening + inferring + passes + writing;
    fmt::print("{:7} nodes {:7} steps: open {:.3f}  infer {:.3f}  passes {:.3f}  write {:.3f} "
               "({:.1f} MB)  total {:.3f} s, {:.1f} us a node\n",
               opened.nodeCount(), steps, opening, inferring, passes, writing,
               static_cast<double>(bytes) / 1e6, total,
               total * 1e6 / static_cast<double>(std::max<std::size_t>(1, opened.nodeCount())));
}

} // namespace

int main(int argc, char** argv)
{
    const int blocks = argc > 1 ? std::atoi(argv[1]) : 100;
    if (blocks <= 0) {
        const double start = cpuSeconds();
        const auto document = must(Document::open(argv[1]));
        time(document, cpuSeconds() - start);
        return 0;
    }
    for (const int times : {1, 2, 4, 8}) {
        std::string bytes = residualModel(blocks * times);
        const double start = cpuSeconds();
        const auto document = must(Document::parse(std::move(bytes), "residual"));
        time(document, cpuSeconds() - start);
    }
}
