#include "ui/graph/graph_canvas.h"

#include <algorithm>

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>

// The cards as a screen reader meets them: a list with one child a card.
namespace fusescope {

namespace {

// One card for a screen reader.
class CardInterface final : public QAccessibleInterface
{
public:
    CardInterface(GraphCanvas* view, int item) : m_view(view), m_item(item) {}

    bool isValid() const override
    {
        return m_view && m_view->scene()
               && static_cast<std::size_t>(m_item) < m_view->scene()->items.size();
    }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_view ? m_view->window()->windowHandle() : nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_view); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override
    {
        return isValid() && kind == QAccessible::Name ? m_view->accessibleNameOf(m_item) : QString();
    }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRectF box = toRect(m_view->scene()->drawing->items[static_cast<std::size_t>(m_item)].rect);
        const QRectF shown(m_view->toView(box.topLeft()), box.size() * m_view->zoom());
        return QRect(m_view->mapToGlobal(shown.topLeft().toPoint()), shown.size().toSize());
    }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.focusable = state.selectable = true;
        const bool chosen =
            m_view->scene()->drawing->items[static_cast<std::size_t>(m_item)].kind == DrawItem::Kind::node
            && m_view->marks().isSelected(m_view->scene()->nodeOf(m_item));
        state.selected = chosen;
        state.focused = chosen && m_view->hasFocus();
        return state;
    }

private:
    QPointer<GraphCanvas> m_view;
    int m_item;
};

class GraphInterface final : public QAccessibleWidget
{
public:
    explicit GraphInterface(GraphCanvas* view)
        : QAccessibleWidget(view, QAccessible::List, view->accessibleName()), m_view(view)
    {
    }
    ~GraphInterface() override { drop(); }

    int childCount() const override
    {
        refresh();
        return static_cast<int>(m_children.size());
    }
    QAccessibleInterface* child(int index) const override
    {
        refresh();
        if (index < 0 || static_cast<std::size_t>(index) >= m_children.size())
            return nullptr;
        QAccessible::Id& id = m_children[static_cast<std::size_t>(index)];
        if (id == 0)
            id = QAccessible::registerAccessibleInterface(
                new CardInterface(m_view, m_view->readingOrder()[static_cast<std::size_t>(index)]));
        return QAccessible::accessibleInterface(id);
    }
    int indexOfChild(const QAccessibleInterface* one) const override
    {
        for (std::size_t i = 0; i < m_children.size(); ++i) {
            if (m_children[i] != 0 && QAccessible::accessibleInterface(m_children[i]) == one)
                return static_cast<int>(i);
        }
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        const int item = m_view->itemAt(m_view->toDrawing(m_view->mapFromGlobal(QPoint(x, y))));
        const auto& order = m_view->readingOrder();
        const auto found = std::ranges::lower_bound(order, item);
        return item >= 0 && found != order.end() && *found == item
                   ? child(static_cast<int>(found - order.begin()))
                   : nullptr;
    }

private:
    // The cards of another scene are other children.
    void refresh() const
    {
        if (m_order == m_view->readingOrder() && m_scene == m_view->scene())
            return;
        drop();
        m_scene = m_view->scene();
        m_order = m_view->readingOrder();
        m_children.assign(m_order.size(), 0);
    }
    void drop() const
    {
        for (const QAccessible::Id id : m_children) {
            if (id != 0)
                QAccessible::deleteAccessibleInterface(id);
        }
        m_children.clear();
    }

    GraphCanvas* m_view;
    mutable const GraphScene* m_scene = nullptr;
    mutable std::vector<int> m_order;
    mutable std::vector<QAccessible::Id> m_children;
};

QAccessibleInterface* makeInterface(const QString&, QObject* object)
{
    auto* view = qobject_cast<GraphCanvas*>(object);
    return view ? new GraphInterface(view) : nullptr;
}

} // namespace

void installGraphAccessibility()
{
    static const bool once = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(once);
}

// A screen reader follows the selection as it follows a focus.
void GraphCanvas::sayFocus()
{
    if (!QAccessible::isActive() || !hasFocus() || !m_scene)
        return;
    const int item = m_scene->visibleItem(m_marks.selected);
    const auto found = std::ranges::lower_bound(m_order, item);
    if (item < 0 || found == m_order.end() || *found != item)
        return;
    QAccessibleEvent event(this, QAccessible::Focus);
    event.setChild(static_cast<int>(found - m_order.begin()));
    QAccessible::updateAccessibility(&event);
}

} // namespace fusescope
