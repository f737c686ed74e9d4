#include "ui/graph/graph_canvas.h"

#include <algorithm>

#include "report/node_names.h"
#include "report/render.h"
#include "ui/text.h"

namespace fusescope {

namespace {

QString shorten(const QString& text, int most)
{
    return text.size() <= most ? text : text.left(most - 1) + QChar(0x2026);
}

QString byteCount(const Type& type)
{
    if (!type.isTensor())
        return {};
    const auto dims = type.shape.staticDims();
    if (!dims)
        return {};
    const auto count = elementCountOf(*dims);
    const auto bytes = count ? bytesOf(type.dtype, *count) : std::nullopt;
    return bytes ? text::bytes(static_cast<quint64>(*bytes)) : QString();
}

} // namespace

QString GraphCanvas::toolTipAt(const QPointF& point)
{
    if (!m_scene)
        return {};
    const auto stepText = [this](SceneState state) {
        switch (state) {
        case SceneState::added:
            return tr("added, step %1").arg(m_scene->stepB);
        case SceneState::removed:
            return tr("gone after step %1").arg(m_scene->stepB);
        case SceneState::changed:
            return tr("changed between step %1 and step %2").arg(m_scene->stepA).arg(m_scene->stepB);
        default:
            return QString();
        }
    };
    const int item = itemAt(point);
    const DrawItem* hit = item >= 0 ? &m_scene->drawing->items[static_cast<std::size_t>(item)] : nullptr;
    const int wire = !hit || hit->frame ? wireAt(point) : -1;
    QStringList lines;
    if (wire >= 0) {
        const DrawWire& line = m_scene->drawing->wires[static_cast<std::size_t>(wire)];
        const Graph& graph =
            m_scene->mode != SceneMode::before && m_scene->b->value(line.value) ? *m_scene->b : *m_scene->a;
        const Value* value = graph.value(line.value);
        if (!value)
            return {};
        lines << shorten(fromUtf8(value->name.empty() ? displayName(&graph, line.value) : value->name), 180);
        const QString bytes = byteCount(value->type);
        lines << (value->type.isKnown() ? fromUtf8(value->type.text()) : tr("type not known"))
                     + (bytes.isEmpty() ? QString() : QStringLiteral(", ") + bytes);
        if (const NodeId maker = graph.producer(line.value))
            lines << tr("made by %1").arg(shorten(fromUtf8(displayName(&graph, maker)), 50));
        int readers = 0;
        int inside = 0;
        for (const Use& use : graph.uses(line.value)) {
            ++readers;
            const Node* reader = use.isBodyOutput() ? nullptr : graph.node(use.node);
            inside += reader && value->body && reader->body != value->body ? 1 : 0;
        }
        QString read = tr("%n reader(s)", nullptr, readers);
        if (inside > 0)
            read += QStringLiteral(", ") + tr("%n inside a body", nullptr, inside);
        lines << read;
        const QString state = stepText(m_scene->wires[static_cast<std::size_t>(wire)]);
        if (!state.isEmpty() && m_scene->marks)
            lines << state;
        return lines.join(QLatin1Char('\n'));
    }
    if (!hit)
        return {};
    if (hit->kind == DrawItem::Kind::block || hit->kind == DrawItem::Kind::folded) {
        lines << shorten(m_painter.titleText(item), 120);
        const QString count = m_painter.countText(item);
        if (!count.isEmpty())
            lines << count;
        lines << (hit->open ? tr("Double-click to close") : tr("Double-click to open"));
        return lines.join(QLatin1Char('\n'));
    }
    if (hit->kind != DrawItem::Kind::node)
        return fromUtf8(hit->title);
    const NodeId node = m_scene->nodeOf(item);
    const SceneState state = m_scene->items[static_cast<std::size_t>(item)];
    const Graph& graph = state == SceneState::removed ? *m_scene->a : m_scene->graphOf(item);
    const Node* record = graph.node(node);
    if (!record)
        return {};
    lines << shorten(fromUtf8(operatorAndName(graph, node)), 240);
    QStringList shapes;
    for (const ValueId output : record->outputs) {
        const Value* value = output ? graph.value(output) : nullptr;
        if (value && value->type.isKnown() && shapes.size() < 3)
            shapes << fromUtf8(typeLabel(value->type));
    }
    if (!shapes.isEmpty())
        lines << tr("gives %1").arg(shapes.join(QStringLiteral(", ")));
    const QString change = stepText(state);
    if (!change.isEmpty() && m_scene->marks)
        lines << change;
    if (m_describe) {
        const QString more = m_describe(node);
        if (!more.isEmpty())
            lines << more;
    }
    return lines.join(QLatin1Char('\n'));
}

QString GraphCanvas::accessibleNameOf(int item)
{
    if (!m_scene || item < 0)
        return {};
    const DrawItem& one = m_scene->drawing->items[static_cast<std::size_t>(item)];
    if (one.kind == DrawItem::Kind::input)
        return tr("input %1").arg(fromUtf8(one.title));
    if (one.kind == DrawItem::Kind::output)
        return tr("output %1").arg(fromUtf8(one.title));
    if (one.kind != DrawItem::Kind::node) {
        const QString count = m_painter.countText(item);
        return m_painter.titleText(item)
               + (count.isEmpty() ? QString() : QStringLiteral(", ") + count) + QStringLiteral(", ")
               + (one.open ? tr("open") : tr("closed"));
    }
    const NodeId node = m_scene->nodeOf(item);
    const CardContent& content = m_painter.face(item).content;
    QString name = fromUtf8(content.title);
    const std::string& shown = content.name.empty() ? content.wholeName : content.name;
    if (!shown.empty())
        name += QLatin1Char(' ') + fromUtf8(shown);
    const SceneState state = m_scene->items[static_cast<std::size_t>(item)];
    if (m_scene->marks && state == SceneState::added)
        name += QStringLiteral(", ") + tr("added at step %1").arg(m_scene->stepB);
    else if (m_scene->marks && state == SceneState::removed)
        name += QStringLiteral(", ") + tr("removed at step %1").arg(m_scene->stepB);
    else if (m_scene->marks && state == SceneState::changed)
        name += QStringLiteral(", ") + tr("changed at step %1").arg(m_scene->stepB);
    if (m_marks.isSelected(node))
        name += QStringLiteral(", ") + tr("selected");
    if (m_marks.hits.contains(node))
        name += QStringLiteral(", ") + tr("found");
    if (m_marks.culprits.contains(node))
        name += QStringLiteral(", ") + tr("culprit");
    if (node == m_marks.divergence && node)
        name += QStringLiteral(", ") + m_marks.divergenceTag;
    if (m_describe) {
        const QString more = m_describe(node);
        if (!more.isEmpty())
            name += QStringLiteral(", ") + more;
    }
    return name;
}

} // namespace fusescope
