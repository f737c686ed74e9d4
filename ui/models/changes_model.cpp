#include "ui/models/changes_model.h"

#include "report/render.h"
#include "session/card.h"
#include "ui/names.h"
#include "ui/text.h"
#include "ui/theme/roles.h"

namespace fusescope {

namespace {

// Fewer rows than this are told without scopes.
constexpr std::size_t groupedFrom = 9;
constexpr int mostOfName = 24; // beside what changed
constexpr quintptr topLevel = ~quintptr(0);

QString q(const std::string& text)
{
    return QString::fromStdString(text);
}

Mark markOf(ChangeKind kind)
{
    switch (kind) {
    case ChangeKind::added:
        return Mark::added;
    case ChangeKind::removed:
        return Mark::removed;
    case ChangeKind::changed:
        break;
    }
    return Mark::changed;
}

QString inputName(const Graph& graph, const Node& node, std::size_t index)
{
    const OpSchema* schema = graph.schema(node);
    if (schema && index < schema->inputs.size())
        return QString::fromUtf8(schema->inputs[index].name.data(),
                                 static_cast<qsizetype>(schema->inputs[index].name.size()));
    return ChangesModel::tr("input %1").arg(index);
}

// What is other at a changed node: "W, +B, kernel_shape".
QString differences(const NodeChange& change, const Graph& before, const Graph& after,
                    const GraphDiff& diff)
{
    QStringList parts;
    const Node& old = *change.before;
    const Node& now = *change.after;
    const std::size_t inputs = std::max(old.inputs.size(), now.inputs.size());
    for (std::size_t i = 0; i < inputs; ++i) {
        const ValueId a = old.input(i), b = now.input(i);
        const bool otherValue = a == b && b &&
                                std::any_of(diff.values.begin(), diff.values.end(),
                                            [&](const ValueChange& value) {
                                                return value.value == b && value.after &&
                                                       value.after->isInitializer();
                                            });
        if (!a && b)
            parts << QLatin1Char('+') + inputName(after, now, i);
        else if (a && !b)
            parts << QStringLiteral("−") + inputName(before, old, i);
        else if (a != b || otherValue)
            parts << inputName(after, now, i);
    }
    for (const Attribute& attribute : now.attributes) {
        const auto found = std::find_if(old.attributes.begin(), old.attributes.end(),
                                        [&](const Attribute& other) { return other.name == attribute.name; });
        if (found == old.attributes.end())
            parts << QLatin1Char('+') + q(attribute.name);
        else if (!(*found == attribute))
            parts << q(attribute.name);
    }
    return names::listed(parts);
}

} // namespace

ChangesModel::ChangesModel(AppState& state, QObject* parent)
    : QAbstractItemModel(parent), m_state(state)
{
    connect(&state, &AppState::diffChanged, this, &ChangesModel::reset);
    connect(&state, &AppState::changeFilterChanged, this, &ChangesModel::reset);
    reset();
}

QString ChangesModel::scopeOf(Subject subject, const Graph& before, const Graph& after) const
{
    std::string name, op;
    if (const auto* id = std::get_if<NodeId>(&subject)) {
        const Node* node = after.node(*id) ? after.node(*id) : before.node(*id);
        if (node) {
            name = node->name;
            op = node->op.type;
        }
    } else {
        const auto of = std::get<ValueId>(subject);
        const Value* value = after.value(of) ? after.value(of) : before.value(of);
        if (value)
            name = value->name;
        std::replace(name.begin(), name.end(), '.', '/');
    }
    auto parts = scopeParts(name, op);
    if (!parts.empty())
        parts.pop_back();
    if (parts.size() > 2)
        parts.resize(2);
    std::string scope;
    for (const std::string& part : parts)
        scope += scope.empty() ? part : '/' + part;
    return text::shortPath(q(scope), {});
}

ChangesModel::Row ChangesModel::rowOf(const NodeChange& change, const Graph& before,
                                      const Graph& after) const
{
    Row row;
    row.kind = change.kind;
    row.subject = change.node;
    const bool gone = change.kind == ChangeKind::removed;
    const Graph& graph = gone ? before : after;
    const Node& node = gone ? *change.before : *change.after;
    row.text = q(operatorTitle(graph, node));
    row.second = names::besideOperator(m_state, change.node);
    if (gone && !change.related.empty()) {
        QStringList became;
        for (const NodeId id : change.related) {
            if (const Node* other = after.node(id))
                became << q(operatorTitle(after, *other));
        }
        if (!became.isEmpty())
            row.second += QStringLiteral(" → ") + names::listed(became);
    }
    if (change.kind == ChangeKind::changed) {
        const QString what = differences(change, before, after, *m_state.diff());
        // What changed is read before a long name's end.
        if (!what.isEmpty())
            row.second = (row.second.size() > mostOfName
                              ? row.second.left(mostOfName / 2) + QChar(0x2026) + row.second.right(mostOfName / 2)
                              : row.second) +
                         QStringLiteral(" · ") + what;
    }
    row.whole = node.name.empty()
                    ? row.text + QLatin1Char(' ') + row.second
                    : row.text + QLatin1Char(' ') + names::whole(m_state, change.node);
    return row;
}

void ChangesModel::reset()
{
    beginResetModel();
    m_groups.clear();
    m_grouped = false;
    m_filteredOut = 0;
    const auto diff = m_state.diff();
    if (m_state.hasModel() && diff && m_state.isCurrentDiff()) {
        const StepPair pair = m_state.pair();
        const auto before = m_state.graphAt(pair.a);
        const auto after = m_state.graphAt(pair.b);
        std::vector<std::pair<QString, Row>> rows;
        // Added first: what replaced the others.
        for (const ChangeKind kind : {ChangeKind::added, ChangeKind::removed, ChangeKind::changed}) {
            for (const NodeChange& change : diff->nodes) {
                if (change.kind == kind)
                    rows.emplace_back(scopeOf(change.node, *before, *after),
                                      rowOf(change, *before, *after));
            }
        }
        for (const ValueChange& change : diff->values) {
            const Value* value = change.after ? change.after.get() : change.before.get();
            if (!value || !change.isInitializer())
                continue;
            Row row;
            row.kind = change.kind;
            row.subject = change.value;
            row.text = tr("Initializer");
            row.second = q(displayName(change.after ? after.get() : before.get(), change.value));
            if (change.before && change.after) {
                const QString old = q(typeLabel(change.before->type)), now = q(typeLabel(change.after->type));
                row.second += QLatin1Char(' ') + (old == now ? now : old + QStringLiteral(" → ") + now);
            } else {
                row.second += QLatin1Char(' ') + q(typeLabel(value->type));
            }
            row.whole = row.second;
            rows.emplace_back(scopeOf(change.value, *before, *after), std::move(row));
        }
        if (const auto only = m_state.changeFilter())
            m_filteredOut = static_cast<int>(
                std::erase_if(rows, [only](const auto& row) { return row.second.kind != *only; }));
        m_grouped = rows.size() >= groupedFrom;
        for (auto& [scope, row] : rows) {
            const QString key = m_grouped ? scope : QString();
            auto group = std::find_if(m_groups.begin(), m_groups.end(),
                                      [&](const Group& other) { return other.scope == key; });
            if (group == m_groups.end())
                group = m_groups.insert(m_groups.end(), Group{key, {}, 0, 0, 0});
            ++(row.kind == ChangeKind::added     ? group->added
               : row.kind == ChangeKind::removed ? group->removed
                                                 : group->changed);
            group->rows.push_back(std::move(row));
        }
    }
    endResetModel();
}

QModelIndex ChangesModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    if (parent.isValid())
        return createIndex(row, column, static_cast<quintptr>(parent.row()));
    return createIndex(row, column, m_grouped ? topLevel : quintptr(0));
}

QModelIndex ChangesModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || !m_grouped || index.internalId() == topLevel)
        return {};
    return createIndex(static_cast<int>(index.internalId()), 0, topLevel);
}

int ChangesModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_grouped          ? m_groups.size()
                                : m_groups.empty() ? 0
                                                   : m_groups.front().rows.size());
    if (!m_grouped || parent.internalId() != topLevel)
        return 0;
    return static_cast<int>(m_groups[static_cast<std::size_t>(parent.row())].rows.size());
}

int ChangesModel::columnCount(const QModelIndex&) const
{
    return 1;
}

const ChangesModel::Row* ChangesModel::row(const QModelIndex& index) const
{
    if (!index.isValid() || index.internalId() == topLevel)
        return nullptr;
    return &m_groups[static_cast<std::size_t>(index.internalId())]
                .rows[static_cast<std::size_t>(index.row())];
}

std::optional<Subject> ChangesModel::subjectOf(const QModelIndex& index) const
{
    const Row* of = row(index);
    return of ? std::optional(of->subject) : std::nullopt;
}

QVariant ChangesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    if (const Row* of = row(index)) {
        switch (role) {
        case Qt::DisplayRole:
            return of->text;
        case SecondTextRole:
            return of->second;
        case WholeTextRole:
            return of->whole;
        case MarkRole:
            return QVariant::fromValue(markOf(of->kind));
        case Qt::AccessibleTextRole:
            return QStringLiteral("%1 %2, %3").arg(of->text, of->second, markName(markOf(of->kind)));
        default:
            return {};
        }
    }
    const Group& group = m_groups[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return group.scope.isEmpty() ? tr("(top)") : group.scope;
    case EmphasisRole:
        return true;
    case PillsRole: {
        QList<Pill> pills;
        if (group.added)
            pills << Pill{QStringLiteral("+%1").arg(group.added), Tone::added, Mark::none, false};
        if (group.removed)
            pills << Pill{QStringLiteral("−%1").arg(group.removed), Tone::removed, Mark::none, false};
        if (group.changed)
            pills << Pill{QStringLiteral("~%1").arg(group.changed), Tone::changed, Mark::none, false};
        return QVariant::fromValue(pills);
    }
    default:
        return {};
    }
}

} // namespace fusescope
