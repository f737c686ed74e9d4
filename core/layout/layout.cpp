#include "layout/layout.h"

#include "layout/compose.h"
#include "layout/segmented.h"

#include <algorithm>
#include <cmath>

namespace fusescope {

using namespace layout;

namespace {

// Equal pieces are drawn once: boxes that are nearly of one width count as of one.
float roundedUp(double width)
{
    return static_cast<float>(std::ceil(width / 8) * 8);
}

void measureBoxes(const LayoutGraph& graph, const LayoutOptions& options, const FrameTree& tree,
                  Frame& frame)
{
    const bool turned = options.direction == LayoutDirection::leftToRight;
    for (std::size_t i = 0; i < frame.children.size(); ++i) {
        const LayoutBox& box = graph.boxes[frame.children[i]];
        double width = sane(turned ? box.height : box.width);
        double height = sane(turned ? box.width : box.height);
        const int f = tree.frameOf[frame.children[i]];
        if (f >= 0) {
            const Margins margins = marginsOf(box, options);
            const LayoutRect& content = tree.frames[f].content;
            const double across = content.width + margins.left + margins.right;
            const double along = content.height + margins.top + margins.bottom;
            width = turned ? across : std::max(across, sane(box.width));
            height = turned ? std::max(along, sane(box.width)) : along;
        }
        frame.piece.width[i] = roundedUp(width);
        frame.piece.height[i] = static_cast<float>(height);
    }
}

LayoutEngine engineOf(const PieceEngine& engine, const LayoutOptions& options)
{
    if (!options.useGraphviz ||
        (engine.drawnByOwn() > 0 && (engine.drawnByDot() == 0 || engine.wasLate())))
        return LayoutEngine::fallback;
    return engine.stacked() == 0 && engine.drawnByDot() > 0 ? LayoutEngine::dot
                                                            : LayoutEngine::segmentedDot;
}

} // namespace

std::string_view layoutEngineName(LayoutEngine engine)
{
    switch (engine) {
    case LayoutEngine::segmentedDot:
        return "segmented-dot";
    case LayoutEngine::dot:
        return "dot";
    case LayoutEngine::fallback:
        break;
    }
    return "fallback";
}

Result<LayoutResult> layoutGraph(const LayoutGraph& graph, const LayoutOptions& options,
                                 std::stop_token stop, const Progress& progress)
{
    const auto start = Clock::now();
    const auto part = [&](double share) {
        return Limits{
            stop, start + std::chrono::duration_cast<Clock::duration>(options.deadline * share)};
    };
    FUSESCOPE_ASSIGN(FrameTree tree, makeFrames(graph, options));
    // The last tenths of the time are for finishing with what there is.
    PieceEngine engine(options, part(0.7), part(0.9));
    const auto count = tree.frames.size();
    for (std::size_t i = count; i-- > 0;) {
        if (stop.stop_requested())
            return cancelled();
        progress(static_cast<double>(count - 1 - i) / static_cast<double>(count),
                 Message("layout.arranging",
                         {{"count", static_cast<std::int64_t>(graph.boxes.size())}}));
        Frame& frame = tree.frames[i];
        measureBoxes(graph, options, tree, frame);
        frame.drawing = drawParts(frame.piece, engine);
        frame.content = boundsOf(frame.piece, frame.drawing);
    }
    if (stop.stop_requested())
        return cancelled();
    LayoutResult result;
    compose(graph, options, tree, result);
    if (stop.stop_requested())
        return cancelled();
    const auto elapsed = Clock::now() - start;
    result.engine = engineOf(engine, options);
    result.milliseconds = std::chrono::duration<double, std::milli>(elapsed).count();
    result.deadlineMissed = engine.wasLate() || elapsed > options.deadline;
    return result;
}

} // namespace fusescope
