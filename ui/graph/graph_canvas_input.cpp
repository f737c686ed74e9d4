#include "ui/graph/graph_canvas.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QRubberBand>
#include <QToolTip>
#include <QWheelEvent>

#include "ui/text.h"

namespace fusescope {

void GraphCanvas::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_strip = m_minimap = {};
    stopMotion();
    if (!m_placed && m_scene) {
        showStart();
        m_placed = isVisible();
    } else if (event->oldSize().isValid() && m_placed) {
        // The middle of the view stays in the middle.
        const QSizeF grown = QSizeF(event->size()) - QSizeF(event->oldSize());
        m_origin -= QPointF(grown.width(), grown.height()) / (2 * m_zoom);
        clampPlace();
    }
    Q_EMIT placeChanged();
}

void GraphCanvas::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
        m_painter.setFonts(CardFonts::current());
}

void GraphCanvas::wheelEvent(QWheelEvent* event)
{
    const bool control = event->modifiers() & Qt::ControlModifier;
    const QPoint pixels = event->pixelDelta();
    const QPoint angle = event->angleDelta();
    if (control != m_wheelZooms) {
        const qreal turns = angle.y() / 120.0;
        setZoom(m_zoom * std::pow(1.2, turns), event->position());
    } else {
        QPointF by = pixels.isNull() ? QPointF(angle) * 0.5 : QPointF(pixels);
        if (event->modifiers() & Qt::ShiftModifier && by.x() == 0.0)
            by = QPointF(by.y(), 0);
        m_pan->stop();
        stopMotion();
        m_origin -= by / m_zoom;
        clampPlace();
        update();
        Q_EMIT placeChanged();
    }
    setHover(event->position());
    event->accept();
}

int GraphCanvas::itemAt(const QPointF& point) const
{
    if (!m_scene || !m_index)
        return -1;
    const std::vector<int> found = m_index->items(QRectF(point - QPointF(0.5, 0.5), QSizeF(1, 1)));
    // Inner ones come after the frames that hold them.
    for (auto it = found.rbegin(); it != found.rend(); ++it) {
        if (m_scene->isVisible(*it))
            return *it;
    }
    return -1;
}

int GraphCanvas::wireAt(const QPointF& point) const
{
    if (!m_scene || !m_index || detailAt(m_zoom) == Detail::dot)
        return -1;
    const qreal reach = 6 / m_zoom;
    const QRectF near(point - QPointF(reach, reach), QSizeF(2 * reach, 2 * reach));
    int best = -1;
    qreal least = reach;
    for (const int wire : m_index->wires(near)) {
        if (m_scene->wires[static_cast<std::size_t>(wire)] == SceneState::hidden)
            continue;
        if (m_index->isStub(wire) && m_index->pill(wire).contains(point))
            return wire;
        const qreal far = m_index->distance(wire, point);
        if (far < least) {
            least = far;
            best = wire;
        }
    }
    return best;
}

void GraphCanvas::setHover(const QPointF& at)
{
    const QPointF point = toDrawing(at);
    HoverState hover;
    hover.item = itemAt(point);
    const bool frame =
        hover.item >= 0 && m_scene->drawing->items[static_cast<std::size_t>(hover.item)].frame;
    if (hover.item < 0 || frame)
        hover.wire = wireAt(point);
    if (hover.wire >= 0 && m_index->isStub(hover.wire))
        hover.stub = m_scene->drawing->wires[static_cast<std::size_t>(hover.wire)].value;
    if (hover.item == m_hover.item && hover.wire == m_hover.wire)
        return;
    m_hover = hover;
    update();
}

void GraphCanvas::leaveEvent(QEvent*)
{
    m_hover = {};
    update();
}

void GraphCanvas::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    m_press = event->pos();
    m_pressOrigin = m_origin;
    m_moved = false;
    m_pan->stop();
    if (event->button() == Qt::MiddleButton) {
        m_drag = Drag::pan;
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (minimapRect().contains(event->position())) {
        m_drag = Drag::minimap;
        moveTo(overviewTransform(minimapRect()).inverted().map(event->position()));
    } else if (stripRect().contains(event->position())) {
        m_drag = Drag::strip;
        const qreal scale = drawingRect().height() / std::max(1.0, stripRect().height() - 10);
        moveTo(QPointF(visibleArea().center().x(), (event->position().y() - 5) * scale));
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_drag = Drag::select;
    } else if (event->modifiers() & Qt::ControlModifier) {
        m_drag = Drag::zoom;
    } else {
        m_drag = Drag::pan;
    }
}

void GraphCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (m_drag == Drag::none) {
        setHover(event->position());
        return;
    }
    const QPoint by = event->pos() - m_press;
    if (!m_moved && by.manhattanLength() < QApplication::startDragDistance()
        && m_drag != Drag::minimap && m_drag != Drag::strip)
        return;
    m_moved = true;
    switch (m_drag) {
    case Drag::pan:
        setCursor(Qt::ClosedHandCursor);
        stopMotion();
        m_origin = m_pressOrigin - QPointF(by) / m_zoom;
        clampPlace();
        update();
        Q_EMIT placeChanged();
        break;
    case Drag::minimap:
        moveTo(overviewTransform(minimapRect()).inverted().map(event->position()));
        break;
    case Drag::strip: {
        const qreal scale = drawingRect().height() / std::max(1.0, stripRect().height() - 10);
        moveTo(QPointF(visibleArea().center().x(), (event->position().y() - 5) * scale));
        break;
    }
    default:
        if (!m_band)
            m_band = new QRubberBand(QRubberBand::Rectangle, this);
        m_band->setGeometry(QRect(m_press, event->pos()).normalized());
        m_band->show();
        break;
    }
}

void GraphCanvas::finishDrag(const QPoint& at)
{
    const QRect box = QRect(m_press, at).normalized();
    const QRectF area(toDrawing(box.topLeft()), toDrawing(box.bottomRight()));
    if (m_drag == Drag::zoom) {
        if (area.width() < 1 || area.height() < 1)
            return;
        const qreal zoom = std::min(width() / area.width(), height() / area.height());
        setPlace(std::min(zoom, 2.0), area.center());
        moveTo(area.center());
        return;
    }
    std::vector<NodeId> nodes;
    for (const int item : m_index ? m_index->items(area) : std::vector<int>{}) {
        const NodeId node = nodeAt(item);
        const bool whole =
            node && area.contains(toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect));
        if (whole && m_scene->isVisible(item))
            nodes.push_back(node);
    }
    Q_EMIT nodesSelected(nodes);
}

void GraphCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag drag = m_drag;
    unsetCursor();
    if (m_band)
        m_band->hide();
    if (m_moved) {
        if (drag == Drag::select || drag == Drag::zoom)
            finishDrag(event->pos());
        m_drag = Drag::none;
        return;
    }
    m_drag = Drag::none;
    if (event->button() != Qt::LeftButton || drag == Drag::minimap || drag == Drag::strip || !m_scene)
        return;
    const QPointF point = toDrawing(event->position());
    const int item = itemAt(point);
    const DrawItem* hit = item >= 0 ? &m_scene->drawing->items[static_cast<std::size_t>(item)] : nullptr;
    const int wire = !hit || hit->frame ? wireAt(point) : -1;
    if (wire >= 0) {
        const DrawWire& line = m_scene->drawing->wires[static_cast<std::size_t>(wire)];
        Q_EMIT valueSelected(line.value);
        return;
    }
    if (!hit) {
        Q_EMIT nodeSelected(NodeId{});
        return;
    }
    // The sign at the left of what opens.
    const QPointF inside = point - toRect(hit->rect).topLeft();
    const bool sign = inside.x() < 26 && inside.y() < std::max(hit->strip, 24.0);
    if (!hit->key.empty() && hit->kind != DrawItem::Kind::node
        && (sign || hit->kind == DrawItem::Kind::folded)) {
        Q_EMIT openRequested(fromUtf8(hit->key), !hit->open);
        return;
    }
    if (hit->kind == DrawItem::Kind::input || hit->kind == DrawItem::Kind::output) {
        Q_EMIT valueSelected(hit->value);
        return;
    }
    if (event->modifiers() & Qt::ControlModifier)
        Q_EMIT secondSelected(nodeAt(item));
    else
        Q_EMIT nodeSelected(nodeAt(item));
}

// Opens what opens; a node that has gone leads to what it became.
void GraphCanvas::activate(int item)
{
    const DrawItem& hit = m_scene->drawing->items[static_cast<std::size_t>(item)];
    if (m_scene->items[static_cast<std::size_t>(item)] == SceneState::removed
        && hit.kind == DrawItem::Kind::node) {
        Q_EMIT successorRequested(m_scene->nodeOf(item));
        return;
    }
    if (!hit.key.empty()) {
        Q_EMIT openRequested(fromUtf8(hit.key), !hit.open);
        return;
    }
    const NodeId node = nodeAt(item);
    if (node && m_painter.face(item).content.opens)
        Q_EMIT enterRequested(node);
}

void GraphCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_scene)
        return;
    m_drag = Drag::none;
    const int item = itemAt(toDrawing(event->position()));
    if (item >= 0)
        activate(item);
}

void GraphCanvas::openSelected()
{
    const int item = m_scene ? m_scene->visibleItem(m_marks.selected) : -1;
    if (item >= 0)
        activate(item);
}

void GraphCanvas::selectNeighbour(Qt::Key key)
{
    if (!m_scene || m_order.empty())
        return;
    const Drawing& drawing = *m_scene->drawing;
    const int at = m_scene->visibleItem(m_marks.selected);
    const auto rectOf = [&](int item) { return toRect(drawing.items[static_cast<std::size_t>(item)].rect); };
    int best = -1;
    qreal least = 1e18;
    const auto consider = [&](int item, qreal cost) {
        if (item >= 0 && m_scene->isVisible(item) && nodeAt(item) && cost < least) {
            least = cost;
            best = item;
        }
    };
    if (at < 0) {
        for (const int item : m_order)
            consider(item, QLineF(rectOf(item).center(), visibleArea().center()).length());
    } else if (key == Qt::Key_Up || key == Qt::Key_Down) {
        for (std::size_t i = 0; i < drawing.wires.size(); ++i) {
            const DrawWire& wire = drawing.wires[i];
            if (m_scene->wires[i] == SceneState::hidden)
                continue;
            const int from = key == Qt::Key_Down ? wire.from : wire.to;
            const int to = key == Qt::Key_Down ? wire.to : wire.from;
            if (from == at)
                consider(to, QLineF(rectOf(at).center(), rectOf(to).center()).length());
        }
    } else {
        const QRectF here = rectOf(at);
        for (const int item : m_index->items(QRectF(0, here.top() - 40, drawing.width, here.height() + 80))) {
            const qreal by = rectOf(item).center().x() - here.center().x();
            if (item != at && (key == Qt::Key_Right ? by > 1 : by < -1))
                consider(item, std::abs(by));
        }
    }
    if (best < 0)
        return;
    const NodeId node = nodeAt(best);
    Q_EMIT nodeSelected(node);
    if (!visibleArea().adjusted(10, 10, -10, -10).contains(rectOf(best)))
        goTo(node);
}

void GraphCanvas::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (event->modifiers() & ~Qt::KeypadModifier)
            break;
        selectNeighbour(static_cast<Qt::Key>(event->key()));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers() & ~Qt::KeypadModifier)
            break;
        openSelected();
        return;
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
        moveTo(visibleArea().center()
               + QPointF(0, visibleArea().height() * (event->key() == Qt::Key_PageDown ? 0.9 : -0.9)));
        return;
    case Qt::Key_Escape:
        if (m_drag != Drag::none) {
            m_drag = Drag::none;
            m_moved = false;
            if (m_band)
                m_band->hide();
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void GraphCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    QPointF at = event->pos();
    int item = -1;
    if (event->reason() == QContextMenuEvent::Keyboard) {
        item = m_scene ? m_scene->visibleItem(m_marks.selected) : -1;
        if (item >= 0)
            at = toView(toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect).center());
    } else {
        item = itemAt(toDrawing(at));
    }
    const int wire = item < 0 ? wireAt(toDrawing(at)) : -1;
    const ValueId value =
        wire >= 0 ? m_scene->drawing->wires[static_cast<std::size_t>(wire)].value : ValueId{};
    Q_EMIT menuRequested(nodeAt(item), value, mapToGlobal(at.toPoint()));
}

// Below the card under the cursor, else beside the cursor: it never covers what it explains.
QPoint GraphCanvas::toolTipPlace(const QPoint& at) const
{
    const int item = itemAt(toDrawing(at));
    if (item >= 0 && !m_scene->drawing->items[static_cast<std::size_t>(item)].frame) {
        const QRectF box = toRect(m_scene->drawing->items[static_cast<std::size_t>(item)].rect);
        const QPointF foot = toView(QPointF(box.left(), box.bottom()));
        // Qt moves tooltips up from the foot of the screen; there the cursor has to do.
        if (foot.y() + 8 < height())
            return mapToGlobal(QPointF(std::max<qreal>(at.x() - 40, foot.x()), foot.y() + 8).toPoint());
    }
    return mapToGlobal(at + QPoint(12, 16));
}

bool GraphCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = toolTipAt(toDrawing(help->pos()));
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(toolTipPlace(help->pos()), text::toolTip(tip), this);
        return true;
    }
    if (event->type() == QEvent::NativeGesture) {
        const auto* gesture = static_cast<QNativeGestureEvent*>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            setZoom(m_zoom * (1 + gesture->value()), gesture->position());
            return true;
        }
    }
    return QWidget::event(event);
}

} // namespace fusescope
