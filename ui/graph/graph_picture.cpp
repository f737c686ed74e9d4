#include "ui/graph/graph_picture.h"

#include <algorithm>
#include <cmath>

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace fusescope {

namespace {

constexpr qreal mostSide = 32767;    // of a painter's device
constexpr qreal mostPixels = 1.2e8;  // 480 MB
constexpr qreal mostPoints = 14400;  // of a PDF page

tl::unexpected<Error> notWritten(const QString& path, const QString& why)
{
    return fail(ErrorCode::notWritten,
                Message("session.picture-not-written", {{"file", path.toStdString()},
                                                        {"why", why.toStdString()}}));
}

// Stops what writes to it.
class StoppedBuffer final : public QBuffer
{
public:
    StoppedBuffer(QByteArray* bytes, std::stop_token stop) : QBuffer(bytes), m_stop(std::move(stop)) {}

protected:
    qint64 writeData(const char* data, qint64 size) override
    {
        return m_stop.stop_requested() ? -1 : QBuffer::writeData(data, size);
    }

private:
    std::stop_token m_stop;
};

// The whole drawing, all in full detail.
void paintPage(QPainter& painter, const std::shared_ptr<const GraphScene>& scene,
               const PictureLook& look, const std::stop_token& stop, const Progress& progress)
{
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.fillRect(QRectF(QPointF(0, 0), pictureSize(*scene)), theme().color(Token::canvas));
    painter.translate(pictureMargin, pictureMargin);
    const QRectF all(-pictureMargin, -pictureMargin, scene->drawing->width + 2 * pictureMargin,
                     scene->drawing->height + 2 * pictureMargin);
    ScenePainter whole(look.fonts);
    whole.setScene(scene, std::make_shared<const SceneIndex>(scene->drawing));
    whole.setWatch([&](double done) {
        progress(done * 0.9, {});
        return !stop.stop_requested();
    });
    whole.paint(painter, all, 1, look.marks, {});
}

} // namespace

QSizeF pictureSize(const GraphScene& scene)
{
    return QSizeF(std::ceil(scene.drawing->width + 2 * pictureMargin),
                  std::ceil(scene.drawing->height + 2 * pictureMargin));
}

qreal pngScale(const QSizeF& size, qreal asked)
{
    const qreal bySide = mostSide / std::max(size.width(), size.height());
    const qreal byArea = std::sqrt(mostPixels / (size.width() * size.height()));
    return std::min({asked, bySide, byArea});
}

Result<PictureResult> drawPicture(const QString& kind, const QString& title,
                                  std::shared_ptr<const GraphScene> scene, const PictureLook& look,
                                  std::stop_token stop, const Progress& progress)
{
    const SchemeHere scheme(look.scheme);
    const QSizeF size = pictureSize(*scene);
    PictureResult result;
    result.asked = result.scale = look.scale;
    StoppedBuffer buffer(&result.bytes, stop);
    buffer.open(QIODevice::WriteOnly);
    if (kind == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(size.toSize());
        generator.setViewBox(QRectF(QPointF(0, 0), size));
        generator.setResolution(96);
        generator.setTitle(title);
        QPainter painter(&generator);
        paintPage(painter, scene, look, stop, progress);
    } else if (kind == QLatin1String("pdf")) {
        QPdfWriter writer(&buffer);
        writer.setCreator(QStringLiteral("Fusescope"));
        // A point for a pixel; readers refuse pages over 200 inches.
        const qreal shrink = std::min(1.0, mostPoints / std::max(size.width(), size.height()));
        writer.setResolution(static_cast<int>(72 / shrink < 1200 ? 144 : 288));
        writer.setPageMargins(QMarginsF());
        writer.setPageSize(QPageSize(size * shrink, QPageSize::Point, {}, QPageSize::ExactMatch));
        QPainter painter(&writer);
        const qreal dots = writer.resolution() / 72.0 * shrink;
        painter.scale(dots, dots);
        paintPage(painter, scene, look, stop, progress);
    } else if (kind == QLatin1String("png")) {
        result.scale = pngScale(size, look.scale);
        result.pixels = (size * result.scale).toSize().expandedTo(QSize(1, 1));
        QImage image(result.pixels, QImage::Format_RGB32);
        if (image.isNull())
            return notWritten(title, QObject::tr("the picture is too large"));
        QPainter painter(&image);
        painter.scale(result.scale, result.scale);
        paintPage(painter, scene, look, stop, progress);
        painter.end();
        if (stop.stop_requested())
            return cancelled();
        progress(-1, {});
        if (!image.save(&buffer, "PNG") && !stop.stop_requested())
            return notWritten(title, buffer.errorString());
    } else {
        return fail(ErrorCode::invalidArgument,
                    Message("session.picture-kind", {{"file", title.toStdString()}}));
    }
    if (stop.stop_requested())
        return cancelled();
    return result;
}

Result<PictureResult> writePicture(const QString& path, std::shared_ptr<const GraphScene> scene,
                                   const PictureLook& look, std::stop_token stop,
                                   const Progress& progress)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return notWritten(path, file.errorString());
    const QFileInfo info(path);
    FUSESCOPE_ASSIGN(PictureResult result,
                     drawPicture(info.suffix().toLower(), info.completeBaseName(),
                                 std::move(scene), look, stop, progress));
    if (file.write(result.bytes) != result.bytes.size() || !file.commit())
        return notWritten(path, file.errorString());
    return result;
}

} // namespace fusescope
