#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "ui/graph/scene_painter.h"
#include "ui/theme/theme.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <stop_token>

namespace fusescope {

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

// How a picture is made; taken in the window's thread.
struct PictureLook
{
    CardFonts fonts = CardFonts::current();
    Scheme scheme = theme().scheme();
    qreal scale = 2;
    GraphMarks marks;
};

// A picture of a kind ("svg", "pdf" or "png"). In any thread.
Result<PictureResult> drawPicture(const QString& kind, const QString& title,
                                  std::shared_ptr<const GraphScene> scene,
                                  const PictureLook& look = {}, std::stop_token stop = {},
                                  const Progress& progress = {});

// Writes one by the file's ending; what stood there stays unless all of it was written.
Result<PictureResult> writePicture(const QString& path, std::shared_ptr<const GraphScene> scene,
                                   const PictureLook& look = {}, std::stop_token stop = {},
                                   const Progress& progress = {});

} // namespace fusescope
