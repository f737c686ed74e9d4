#include "ui/panels/panel_parts.h"

#include "report/render.h"
#include "session/card.h"
#include "ui/app_state.h"
#include "ui/text.h"
#include "ui/theme/row_delegate.h"

#include <QHeaderView>
#include <QLayout>
#include <QPainter>
#include <QScrollArea>
#include <QStandardItem>
#include <QTreeView>
#include <QVBoxLayout>

#include <set>

namespace fusescope {

namespace parts {

namespace {

// What knows a node's record: where it stands now, or as it stood last.
struct Known
{
    std::shared_ptr<const Graph> graph;
    const Node* node = nullptr;
};

Known known(const AppState& state, NodeId id)
{
    Known found{state.graphOf(id), nullptr};
    found.node = found.graph->node(id);
    if (!found.node)
        found.node = state.timeline()->unionGraph.lastRecord(id);
    return found;
}

} // namespace

QString str(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString shapeText(const Type& type)
{
    return str(typeLabel(type));
}

QString linkOf(NodeId node)
{
    return node ? QStringLiteral("node:%1").arg(node.value) : QString();
}

QString linkOf(ValueId value)
{
    return value ? QStringLiteral("value:%1").arg(value.value) : QString();
}

QString stepLink(int step)
{
    return QStringLiteral("step:%1").arg(step);
}

bool follow(AppState& state, const QString& link)
{
    const qsizetype colon = link.indexOf(u':');
    bool ok = false;
    const uint number = link.mid(colon + 1).toUInt(&ok);
    if (colon < 0 || !ok)
        return false;
    const QStringView kind = QStringView(link).left(colon);
    if (kind == QStringLiteral("node"))
        state.goTo(NodeId{number});
    else if (kind == QStringLiteral("value"))
        state.goTo(Subject(ValueId{number}));
    else if (kind == QStringLiteral("step"))
        state.goToStep(static_cast<int>(number));
    else
        return false;
    return true;
}

QString operatorName(const AppState& state, NodeId id)
{
    const auto [graph, node] = known(state, id);
    return node ? str(operatorTitle(*graph, *node)) : QString();
}

Category categoryOf(const AppState& state, NodeId id)
{
    const auto [graph, node] = known(state, id);
    return node ? static_cast<Category>(fusescope::categoryOf(*graph, *node)) : Category::custom;
}

int lastTold(const AppState& state)
{
    return state.predict() ? state.b() : state.stepCount();
}

std::vector<NodeId> standsFor(const AppState& state, NodeId id)
{
    const Node* node = known(state, id).node;
    const std::vector<NodeId> origins = originsOf(id, node);
    std::set<NodeId> members(origins.begin(), origins.end());
    const UnionGraph& all = state.timeline()->unionGraph;
    for (const auto& step : state.timeline()->steps) {
        if (step->number > lastTold(state))
            break;
        if (step->stage != Stage::fusion)
            continue;
        bool edits = false;
        for (const auto& slot : step->patch.nodes)
            edits = edits || (slot.before && slot.after && members.contains(slot.id) &&
                              slot.before->body == slot.after->body && !slot.after->region);
        if (!edits)
            continue;
        for (const auto& slot : step->patch.nodes) {
            const Lifespan* life = all.lifespan(slot.id);
            if (slot.before && !slot.after && life && life->first == 0)
                members.insert(slot.id);
        }
    }
    return {members.begin(), members.end()};
}

int stepThatRemoved(const AppState& state, NodeId node)
{
    const auto& steps = state.timeline()->steps;
    for (const auto& step : steps) {
        for (const auto& slot : step->patch.nodes) {
            if (slot.id == node && slot.before && (!slot.after || slot.after->body != slot.before->body))
                return step->number;
        }
    }
    return 0;
}

QString stepName(int step)
{
    return step == 0 ? AppState::tr("the file") : AppState::tr("step %1").arg(step);
}

QString pairName(int a, int b)
{
    return QStringLiteral("%1 → %2").arg(stepName(a), stepName(b));
}

QScrollArea* scroll(QWidget* content, QWidget* parent)
{
    auto* area = new QScrollArea(parent);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(content);
    area->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return area;
}

void clear(QLayout* layout)
{
    while (QLayoutItem* item = layout->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        if (item->layout())
            clear(item->layout());
        delete item;
    }
}

Rows makeRows(QAbstractItemModel* model, bool table, const QString& accessibleName,
              QWidget* parent)
{
    auto* view = new QTreeView(parent);
    view->setModel(model);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setAllColumnsShowFocus(true);
    view->setAlternatingRowColors(table);
    view->setHeaderHidden(!table);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setFrameShape(QFrame::NoFrame);
    view->setAccessibleName(accessibleName);
    view->header()->setHighlightSections(false);
    view->header()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    auto* delegate = new RowDelegate(table ? Row::table : Row::tree, view);
    view->setItemDelegate(delegate);
    return {view, delegate};
}

QStandardItem* item(const QString& text)
{
    auto* made = new QStandardItem(text);
    made->setEditable(false);
    return made;
}

QStandardItem* number(const QString& text)
{
    auto* made = item(text);
    made->setData(true, MonoRole);
    made->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return made;
}

} // namespace parts

PlainLabel::PlainLabel(const QString& text, Token token, TextScale scale, bool bold,
                       QWidget* parent)
    : QLabel(parent), m_token(token), m_scale(scale), m_bold(bold)
{
    setTextFormat(Qt::PlainText);
    setText(text);
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(&theme(), &Theme::changed, this, &PlainLabel::restyle);
    restyle();
}

void PlainLabel::setToken(Token token)
{
    m_token = token;
    restyle();
}

void PlainLabel::setMono(bool mono)
{
    m_mono = mono;
    restyle();
}

void PlainLabel::restyle()
{
    setFont(m_mono ? theme().monoFont(m_scale, m_bold) : theme().font(m_scale, m_bold));
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, theme().color(m_token));
    setPalette(colors);
}

PillLabel::PillLabel(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    hide();
}

void PillLabel::setPill(const Pill& pill)
{
    m_pill = pill;
    setAccessibleName(pill.text);
    setVisible(!pill.text.isEmpty());
    updateGeometry();
    update();
}

QSize PillLabel::sizeHint() const
{
    return pillSize(m_pill, theme().font(TextScale::small, true)).toSize() + QSize(1, 4);
}

void PillLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    paintPill(painter, rect(), m_pill, theme().font(TextScale::small, true));
}

Rule::Rule(QWidget* parent) : QWidget(parent)
{
    setFixedHeight(1);
}

void Rule::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().color(Token::border));
}

} // namespace fusescope
