#pragma once

#include <optional>

#include <QPainter>

#include "ui/graph/scene_painter.h"

namespace fusescope {

inline constexpr qreal dimmed = 0.28;

// What one call of paint() works with.
struct ScenePainter::Pass
{
    QPainter& painter;
    QRectF exposed;
    qreal scale;
    Detail detail;
    const GraphMarks& marks;
    const HoverState& hover;
    std::optional<QPointF> candidateFoot = {}; // of the outline around a blocked candidate
    std::vector<std::pair<QRectF, QString>> tags = {}; // below boxes, above all rings
    std::vector<QRectF> placed = {}; // tags that stand already
    std::optional<QRectF> divergence = {}; // the card beside which its tag stands
    std::vector<std::pair<QRectF, double>> pills = {}; // errors, above the frames around cards
    const std::function<bool(double)>* watch = nullptr;
    std::size_t done = 0, all = 1;

    // Whether to go on.
    bool next()
    {
        return !watch || !*watch || done++ % 32 != 0
               || (*watch)(std::min(1.0, static_cast<double>(done) / static_cast<double>(all)));
    }

    bool isDim(int item) const
    {
        return marks.traced && item >= 0
               && (static_cast<std::size_t>(item) >= marks.trace.size()
                   || !marks.trace[static_cast<std::size_t>(item)]);
    }
};

} // namespace fusescope
