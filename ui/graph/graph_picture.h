#pragma once

#include "base/result.h"
#include "ui/graph/scene_painter.h"

#include <QByteArray>
#include <QString>

#include <optional>

namespace fusescope {

// The whole drawing, all in full detail, with its top left corner at the painter's origin.
void paintWhole(QPainter& painter, std::shared_ptr<const GraphScene> scene,
                const GraphMarks& marks = {});
inline constexpr qreal pictureMargin = 20;
QSizeF pictureSize(const GraphScene& scene);

// The largest scale up to `asked` at which a PNG of this size stays within the painter's limits.
qreal pngScale(const QSizeF& size, qreal asked);

struct PictureResult
{
    QByteArray bytes; // of the file
    QSize pixels;    // of a PNG
    qreal scale = 1; // less than asked for where the picture would pass the painter's limits
    qreal asked = 1;
};

// A picture of a kind ("svg", "pdf" or "png") in the colours of the current theme. In the window's
// thread.
Result<PictureResult> drawPicture(const QString& kind, const QString& title,
                                  std::shared_ptr<const GraphScene> scene, qreal scale = 2,
                                  const GraphMarks& marks = {});

// Writes one by the file's ending.
Result<PictureResult> writePicture(const QString& path, std::shared_ptr<const GraphScene> scene,
                                   qreal scale = 2, const GraphMarks& marks = {});

} // namespace fusescope
