// Paints chains of residual blocks and prints milliseconds a frame.
// usage: painting_bench [--sizes 1000,10000,50000]
#include "model/graph_text.h"
#include "ui/graph/card_metrics.h"
#include "ui/graph/scene_painter.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

using namespace fusescope;

namespace {

// A chain of residual blocks with about so many nodes.
Graph modelOf(int nodes)
{
    std::string text = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                       "g (float[1, 8, 8, 8] x) => (float[1, 8, 8, 8] y)\n"
                       "<float[8, 8, 3, 3] W = fill(0.1)>\n{\n";
    std::string last = "x";
    for (int i = 0; i < nodes / 4; ++i) {
        text += fmt::format("  [\"/layer{0}/conv/Conv\"] c{0} = Conv <pads = [1, 1, 1, 1]> ({1}, W)\n"
                            "  [\"/layer{0}/relu/Relu\"] r{0} = Relu (c{0})\n"
                            "  [\"/layer{0}/Add\"] a{0} = Add (r{0}, {1})\n"
                            "  [\"/layer{0}/relu_1/Relu\"] s{0} = Relu (a{0})\n",
                            i, last);
        last = fmt::format("s{}", i);
    }
    return *parseGraph(text + "  y = Identity (" + last + ")\n}\n");
}

double median(std::vector<double> times)
{
    std::ranges::sort(times);
    return times[times.size() / 2];
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    theme().install();
    std::vector<int> sizes{1000, 10000, 50000};
    if (argc > 2 && std::string_view(argv[1]) == "--sizes") {
        sizes.clear();
        for (const QString& part : QString::fromLocal8Bit(argv[2]).split(QLatin1Char(',')))
            sizes.push_back(part.toInt());
    }
    for (const int size : sizes) {
        const auto graph = std::make_shared<const Graph>(modelOf(size));
        QElapsedTimer timer;
        timer.start();
        DrawingOptions options;
        options.blocks = BlockMode::none;
        const auto drawing = makeDrawing(*graph, options, cardMeasure(CardFonts::current()));
        if (!drawing)
            return 1;
        const double drawMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        timer.start();
        SceneRequest request;
        request.drawing = *drawing;
        request.a = request.b = graph;
        const auto scene = std::make_shared<const GraphScene>(makeScene(request));
        const double sceneMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        timer.start();
        const auto index = std::make_shared<const SceneIndex>(*drawing);
        const double indexMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
        fmt::print("{:>6} nodes: drawing {:.0f} ms (layout {:.0f}), scene {:.1f} ms, index {:.1f} ms\n",
                   size, drawMs, (*drawing)->milliseconds, sceneMs, indexMs);
        ScenePainter painter(CardFonts::current());
        painter.setScene(scene, index);
        QImage image(1100, 780, QImage::Format_ARGB32_Premultiplied);
        const double whole = std::min(1100 / (*drawing)->width, 780 / (*drawing)->height);
        for (const double zoom : {1.0, 0.7, 0.5, 0.3, 0.16, 0.1, 0.03, whole}) {
            std::vector<double> times;
            for (int run = 0; run < 15; ++run) {
                // A pan: a little further each time.
                const QPointF origin((*drawing)->width / 2 - 550 / zoom,
                                     zoom <= whole ? 0 : (*drawing)->height / 3 + run * 11 / zoom);
                const QRectF area(origin, QSizeF(1100, 780) / zoom);
                timer.start();
                QPainter p(&image);
                p.fillRect(image.rect(), theme().color(Token::canvas));
                if (detailAt(zoom) == Detail::dot) {
                    painter.paintDots(p, area, origin, zoom, {}, 3);
                } else {
                    p.scale(zoom, zoom);
                    p.translate(-origin);
                    painter.paint(p, area, zoom, {}, {});
                }
                p.end();
                times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            }
            fmt::print("    zoom {:6.3f}: {:6.2f} ms a frame\n", zoom, median(times));
        }
        std::fflush(stdout);
    }
    return 0;
}
