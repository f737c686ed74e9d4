#include "ui/graph/graph_canvas.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <QAccessible>
#include <QEvent>
#include <QPainter>
#include <QRubberBand>
#include <QVariantAnimation>

namespace fusescope {

namespace {

constexpr std::size_t manyCards = 500; // above this nothing is animated

} // namespace

GraphCanvas::GraphCanvas(QWidget* parent)
    : QWidget(parent), m_painter(CardFonts::current()), m_pan(new QVariantAnimation(this)),
      m_fade(new QVariantAnimation(this)), m_pulse(new QVariantAnimation(this)),
      m_sliding(new QVariantAnimation(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph"));
    m_pan->setDuration(180);
    m_pan->setEasingCurve(QEasingCurve::OutCubic);
    connect(m_pan, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        m_origin = value.toPointF();
        update();
        Q_EMIT placeChanged();
    });
    m_fade->setDuration(120);
    m_fade->setEasingCurve(QEasingCurve::OutCubic);
    m_fade->setStartValue(1.0);
    m_fade->setEndValue(0.0);
    connect(m_fade, &QVariantAnimation::valueChanged, this, [this] { update(); });
    connect(m_fade, &QVariantAnimation::finished, this, [this] { m_fadeFrom = {}; });
    m_sliding->setDuration(160);
    m_sliding->setEasingCurve(QEasingCurve::OutCubic);
    m_sliding->setStartValue(0.0);
    m_sliding->setEndValue(1.0);
    connect(m_sliding, &QVariantAnimation::valueChanged, this, [this] { update(); });
    connect(m_sliding, &QVariantAnimation::finished, this, [this] {
        m_slide = {};
        update();
    });
    m_pulse->setDuration(300);
    m_pulse->setStartValue(0.0);
    m_pulse->setEndValue(2.0);
    connect(m_pulse, &QVariantAnimation::valueChanged, this, [this] { update(); });
    connect(m_pulse, &QVariantAnimation::finished, this, [this] {
        m_pulsed = {};
        update();
    });
    connect(&theme(), &Theme::changed, this, &GraphCanvas::themeChanged);
}

GraphCanvas::~GraphCanvas() = default;

void GraphCanvas::themeChanged()
{
    m_painter.setFonts(CardFonts::current());
    m_minimap = m_strip = {};
    stopMotion();
    update();
}

void GraphCanvas::setScene(std::shared_ptr<const GraphScene> scene,
                         std::shared_ptr<const SceneIndex> index)
{
    const bool sameDrawing = m_scene && scene && m_scene->drawing == scene->drawing;
    // A key held down, many cards or the wish for less motion: no cross-fade.
    const bool quick = m_sinceScene.isValid() && m_sinceScene.elapsed() < 200;
    m_sinceScene.restart();
    stopMotion();
    const bool moves = isVisible() && !quick && !theme().reducedMotion() && m_index
                       && detailAt(m_zoom) != Detail::dot
                       && m_index->items(visibleArea()).size() <= manyCards;
    QPixmap frame;
    if (moves && scene && !size().isEmpty())
        frame = picture();
    if (sameDrawing && !frame.isNull()) {
        m_fadeFrom = frame;
        m_fade->start();
    }
    const bool sameGraph =
        m_scene && scene && m_placed && m_scene->drawing->root == scene->drawing->root;
    const auto kept = !sameGraph    ? std::nullopt
                      : sameDrawing ? wayOfLost(*scene)
                                    : wayOfPlace(*scene);
    const auto lost = sameGraph ? lostPlace(*scene) : std::nullopt;
    const bool first = !m_scene || !scene || m_scene->drawing->root != scene->drawing->root;
    const std::shared_ptr<const GraphScene> former = m_scene;
    m_scene = std::move(scene);
    m_index = std::move(index);
    m_painter.setScene(m_scene, m_index);
    m_minimap = m_strip = {};
    m_hover = {};
    m_order.clear();
    if (m_scene) {
        for (int i = 0; i < static_cast<int>(m_scene->items.size()); ++i) {
            if (m_scene->isVisible(i))
                m_order.push_back(i);
        }
    }
    if (kept)
        m_origin += *kept;
    else if (m_scene && (first || !m_placed))
        showStart();
    updateTrace();
    const QPointF wanted = m_origin;
    clampPlace();
    m_lost = lost;
    if (m_lost)
        m_lost->origin = m_origin;
    if (kept && !sameDrawing && !frame.isNull() && m_index->items(visibleArea()).size() <= manyCards)
        slideFrom(*former, frame, *kept + m_origin - wanted);
    update();
    if (kept || first)
        Q_EMIT placeChanged();
}

QPixmap GraphCanvas::picture()
{
    QPixmap frame(size() * devicePixelRatioF());
    frame.setDevicePixelRatio(devicePixelRatioF());
    QPainter painter(&frame);
    paintGraph(painter);
    return frame;
}

void GraphCanvas::stopMotion()
{
    m_fade->stop();
    m_sliding->stop();
    m_fadeFrom = {};
    m_slide = {};
}

bool GraphCanvas::isSliding() const
{
    return !m_slide.isEmpty();
}

// `kept`: how far the view went along, in the drawing.
void GraphCanvas::slideFrom(const GraphScene& former, const QPixmap& frame, const QPointF& kept)
{
    using Key = std::tuple<int, NodeId, BodyId, ValueId, std::string>;
    const auto keyOf = [](const DrawItem& item) {
        return Key(static_cast<int>(item.kind), item.node, item.body, item.value, item.key);
    };
    const auto onScreen = [this](const QRectF& box) {
        return QRectF(toView(box.topLeft()), box.size() * m_zoom);
    };
    std::map<Key, QRectF> places;
    const auto& old = former.drawing->items;
    for (std::size_t i = 0; i < old.size(); ++i) {
        if (!old[i].frame && former.isVisible(static_cast<int>(i)))
            places.emplace(keyOf(old[i]), toRect(old[i].rect).translated(kept));
    }
    std::vector<SceneSlide::Card> cards;
    for (const int i : m_order) {
        const DrawItem& item = m_scene->drawing->items[static_cast<std::size_t>(i)];
        const auto found = item.frame ? places.end() : places.find(keyOf(item));
        if (found != places.end())
            cards.push_back({onScreen(found->second), onScreen(toRect(item.rect)), item.parent >= 0});
    }
    m_slide = SceneSlide(frame, picture(), std::move(cards), rect());
    m_sliding->start();
}

void GraphCanvas::setMarks(GraphMarks marks)
{
    const bool moved = marks.selected != m_marks.selected;
    m_marks = std::move(marks);
    updateTrace();
    m_minimap = m_strip = {};
    update();
    if (moved)
        sayFocus();
}

void GraphCanvas::setMapped(bool on)
{
    m_mapped = on;
    update();
}

void GraphCanvas::setTrace(bool on)
{
    m_trace = on;
    updateTrace();
    update();
}

// Follows the visible wires both ways from the selected card.
void GraphCanvas::updateTrace()
{
    m_marks.traced = false;
    const int start = m_scene && m_trace ? m_scene->visibleItem(m_marks.selected) : -1;
    if (start < 0)
        return;
    const Drawing& drawing = *m_scene->drawing;
    std::vector<std::vector<int>> down(drawing.items.size()), up(drawing.items.size());
    for (std::size_t i = 0; i < drawing.wires.size(); ++i) {
        if (m_scene->wires[i] == SceneState::hidden)
            continue;
        const DrawWire& wire = drawing.wires[i];
        down[static_cast<std::size_t>(wire.from)].push_back(wire.to);
        up[static_cast<std::size_t>(wire.to)].push_back(wire.from);
    }
    m_marks.traced = true;
    m_marks.trace.assign(drawing.items.size(), 0);
    for (const auto* next : {&down, &up}) {
        std::vector<char> seen(drawing.items.size(), 0);
        std::vector<int> open{start};
        while (!open.empty()) {
            const int item = open.back();
            open.pop_back();
            if (seen[static_cast<std::size_t>(item)])
                continue;
            seen[static_cast<std::size_t>(item)] = 1;
            for (int around = item; around >= 0;
                 around = drawing.items[static_cast<std::size_t>(around)].parent)
                m_marks.trace[static_cast<std::size_t>(around)] = 1;
            const auto& more = (*next)[static_cast<std::size_t>(item)];
            open.insert(open.end(), more.begin(), more.end());
        }
    }
}

QRectF GraphCanvas::drawingRect() const
{
    return m_scene ? QRectF(0, 0, m_scene->drawing->width, m_scene->drawing->height) : QRectF();
}

QRectF GraphCanvas::visibleArea() const
{
    return QRectF(m_origin, QSizeF(size()) / m_zoom);
}

void GraphCanvas::animateTo(const QPointF& origin)
{
    m_pan->stop();
    stopMotion();
    if (theme().reducedMotion() || !isVisible()) {
        m_origin = origin;
        update();
        Q_EMIT placeChanged();
        return;
    }
    m_pan->setStartValue(m_origin);
    m_pan->setEndValue(origin);
    m_pan->start();
}

void GraphCanvas::moveTo(const QPointF& point)
{
    m_pan->stop();
    stopMotion();
    m_origin = point - QPointF(width(), height()) / (2 * m_zoom);
    clampPlace();
    update();
    Q_EMIT placeChanged();
}

bool GraphCanvas::goTo(NodeId node, bool animated)
{
    const int item = m_scene ? m_scene->visibleItem(node) : -1;
    if (item < 0)
        return false;
    stopMotion();
    if (m_zoom < 0.4)
        m_zoom = 0.7;
    const QRectF box = toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect);
    const QPointF target = box.center() - QPointF(width(), height()) / (2 * m_zoom);
    m_placed = true;
    if (!animated) {
        m_pan->stop();
        m_origin = target;
        update();
        Q_EMIT placeChanged();
        return true;
    }
    animateTo(target);
    if (!theme().reducedMotion()) {
        m_pulsed = node;
        m_pulse->stop();
        m_pulse->start();
    }
    return true;
}

NodeId GraphCanvas::nodeAt(int item) const
{
    if (!m_scene || item < 0)
        return {};
    return m_scene->drawing->items[static_cast<std::size_t>(item)].kind == DrawItem::Kind::node
               ? m_scene->nodeOf(item)
               : NodeId{};
}

void GraphCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (isSliding())
        m_slide.paint(painter, m_sliding->currentValue().toReal());
    else
        paintGraph(painter);
    if (!m_fadeFrom.isNull() && m_fade->state() == QAbstractAnimation::Running) {
        painter.setOpacity(m_fade->currentValue().toReal());
        painter.drawPixmap(0, 0, m_fadeFrom);
        painter.setOpacity(1);
    }
    paintMinimap(painter);
    paintStrip(painter);
    if (hasFocus())
        paintFocus(painter, rect());
}

void GraphCanvas::setWords(const QString& words)
{
    if (words == m_words)
        return;
    m_words = words;
    update();
}

void GraphCanvas::paintGraph(QPainter& painter)
{
    painter.fillRect(rect(), theme().color(Token::canvas));
    if (!m_scene) {
        painter.setPen(theme().color(Token::text2));
        painter.drawText(rect().adjusted(space::cell, 0, -space::cell, 0),
                         Qt::AlignCenter | Qt::TextWordWrap, m_words);
        return;
    }
    const QRectF area = visibleArea();
    if (detailAt(m_zoom) == Detail::dot) {
        m_painter.paintDots(painter, area, m_origin, m_zoom, m_marks, 3);
        return;
    }
    painter.save();
    painter.scale(m_zoom, m_zoom);
    painter.translate(-m_origin);
    m_painter.paint(painter, area, m_zoom, m_marks, m_hover);
    if (m_pulsed && m_pulse->state() == QAbstractAnimation::Running) {
        const int item = m_scene->visibleItem(m_pulsed);
        if (item >= 0) {
            const qreal t = std::fmod(m_pulse->currentValue().toReal(), 1.0);
            painter.setOpacity(1 - t);
            m_painter.cards().ring(
                painter, toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect),
                Token::accent, 4 + 10 * t, false);
        }
    }
    painter.restore();
}

} // namespace fusescope
