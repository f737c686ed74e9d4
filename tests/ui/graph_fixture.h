#pragma once

#include "support/tale.h"
#include "support/test_class.h"
#include "ui/graph/card_metrics.h"
#include "ui/graph/graph_scene.h"
#include "ui/graph/scene_index.h"

namespace fusescope::test {

inline DrawingPtr drawingOf(const Tale& tale, DrawingOptions options = {})
{
    return tale.drawing(std::move(options), cardMeasure(CardFonts::current()));
}

inline std::shared_ptr<const GraphScene> sceneOf(const Tale& tale, DrawingPtr drawing, int a, int b,
                                                 SceneMode mode, std::vector<Blocked> blocked = {})
{
    SceneRequest request;
    request.drawing = std::move(drawing);
    request.a = std::make_shared<const Graph>(tale.at(a));
    request.b = std::make_shared<const Graph>(tale.at(b));
    request.stepA = a;
    request.stepB = b;
    request.mode = mode;
    request.blocked = std::make_shared<const std::vector<Blocked>>(std::move(blocked));
    return std::make_shared<const GraphScene>(makeScene(request));
}

// The same colour but for what antialiasing and rounding leave.
inline bool near(const QColor& a, const QColor& b)
{
    return std::abs(a.red() - b.red()) < 12 && std::abs(a.green() - b.green()) < 12
           && std::abs(a.blue() - b.blue()) < 12;
}

} // namespace fusescope::test
