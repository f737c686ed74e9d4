#include "ui/theme/icons.h"

#include <cmath>
#include <map>
#include <tuple>

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <QThread>

#include "ui/theme/theme.h"

namespace fusescope {

namespace {

QString pathOf(const QString& name)
{
    return QStringLiteral(":/icons/%1.svg").arg(name);
}

QImage renderedImage(const QString& name, const QSize& pixels, const QColor& color)
{
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QSvgRenderer renderer(pathOf(name));
    if (renderer.isValid()) {
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(image.rect(), color);
    }
    return image;
}

QPixmap rendered(const QString& name, const QSize& pixels, const QColor& color)
{
    const QString key = QStringLiteral("fusescope:%1:%2x%3:%4")
                            .arg(name)
                            .arg(pixels.width())
                            .arg(pixels.height())
                            .arg(color.rgba());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    pixmap = QPixmap::fromImage(renderedImage(name, pixels, color));
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

class IconEngine final : public QIconEngine
{
public:
    IconEngine(QString name, Token normal, Token on)
        : m_name(std::move(name)), m_normal(normal), m_on(on)
    {
    }
    IconEngine(QString name, Category category) : m_name(std::move(name)), m_category(category) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override
    {
        paintIcon(*painter, rect, m_name, colorFor(mode, state));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        return rendered(m_name, size, colorFor(mode, state));
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state,
                         qreal scale) override
    {
        QPixmap result = rendered(m_name, size, colorFor(mode, state));
        result.setDevicePixelRatio(scale);
        return result;
    }

    QIconEngine* clone() const override { return new IconEngine(*this); }
    QString key() const override { return QStringLiteral("fusescope"); }
    QString iconName() override { return m_name; }
    bool isNull() override { return false; }

private:
    QColor colorFor(QIcon::Mode mode, QIcon::State state) const
    {
        if (mode == QIcon::Disabled)
            return theme().color(m_normal == Token::onAccent ? Token::onAccent : Token::text3);
        if (m_category != Category::count)
            return theme().color(m_category);
        if (state == QIcon::On && m_on != Token::count)
            return theme().color(m_on);
        return theme().color(m_normal);
    }

    QString m_name;
    Token m_normal = Token::text;
    Token m_on = Token::count;
    Category m_category = Category::count;
};

} // namespace

QIcon icon(const QString& name, Token normal, Token on)
{
    if (!QFile::exists(pathOf(name)))
        return {};
    return QIcon(new IconEngine(name, normal, on));
}

QString iconName(Category category)
{
    switch (category) {
    case Category::conv:
        return QStringLiteral("category-conv");
    case Category::normalization:
        return QStringLiteral("category-normalization");
    case Category::activation:
        return QStringLiteral("category-activation");
    case Category::pooling:
        return QStringLiteral("category-pooling");
    case Category::shape:
        return QStringLiteral("category-shape");
    case Category::elementwise:
        return QStringLiteral("category-elementwise");
    case Category::reduction:
        return QStringLiteral("category-reduction");
    case Category::controlFlow:
        return QStringLiteral("category-control-flow");
    case Category::quantization:
        return QStringLiteral("category-quantization");
    default:
        return QStringLiteral("category-custom");
    }
}

QIcon icon(Category category)
{
    return QIcon(new IconEngine(iconName(category), category));
}

QIcon fusedIcon(Category category)
{
    return QIcon(new IconEngine(QStringLiteral("category-fused"), category));
}

QIcon applicationIcon()
{
    const QString path = pathOf(QStringLiteral("fusescope"));
    QIcon result;
    for (const int side : {16, 24, 32, 48, 64, 128, 256}) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        QSvgRenderer(path).render(&painter);
        painter.end();
        result.addPixmap(pixmap);
    }
    return result;
}

void paintIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color)
{
    // In a picture of lines it stays lines.
    const QPaintEngine* engine = painter.paintEngine();
    if (engine && (engine->type() == QPaintEngine::SVG || engine->type() == QPaintEngine::Pdf)) {
        QFile file(pathOf(name));
        if (!file.open(QIODevice::ReadOnly))
            return;
        QByteArray drawing = file.readAll();
        drawing.replace("currentColor", color.name().toLatin1());
        drawing.replace("#000", color.name().toLatin1());
        QSvgRenderer renderer(drawing);
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        painter.save();
        renderer.render(&painter, rect);
        painter.restore();
        return;
    }
    const qreal ratio = painter.device()->devicePixelRatioF() *
                        std::hypot(painter.transform().m11(), painter.transform().m12());
    const QSize pixels((rect.size() * std::max(ratio, 0.01)).toSize().expandedTo(QSize(1, 1)));
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (QThread::currentThread() == qApp->thread()) {
        const QPixmap pixmap = rendered(name, pixels, color);
        painter.drawPixmap(rect, pixmap, QRectF(pixmap.rect()));
    } else {
        // Pixmaps belong to the window's thread.
        thread_local std::map<std::tuple<QString, int, int, QRgb>, QImage> known;
        if (known.size() > 200)
            known.clear();
        const auto [found, isNew] = known.try_emplace(
            std::tuple(name, pixels.width(), pixels.height(), color.rgba()));
        if (isNew)
            found->second = renderedImage(name, pixels, color);
        painter.drawImage(rect, found->second, QRectF(found->second.rect()));
    }
    painter.restore();
}

} // namespace fusescope
