#include "ui/models/blocked_model.h"

#include "ui/names.h"
#include "ui/theme/roles.h"

namespace fusescope {

ReasonKind kindOfRow(const Blocked& row)
{
    return row.miss.reasons.empty() ? ReasonKind::legality : row.miss.reasons.front().kind();
}

Mark markOf(ReasonKind kind)
{
    switch (kind) {
    case ReasonKind::profit:
        return Mark::profit;
    case ReasonKind::policy:
        return Mark::policy;
    case ReasonKind::legality:
        break;
    }
    return Mark::blocked;
}

Tone toneOf(ReasonKind kind)
{
    return kind == ReasonKind::legality ? Tone::blocked : Tone::neutral;
}

QString kindName(ReasonKind kind)
{
    switch (kind) {
    case ReasonKind::legality:
        return BlockedModel::tr("legality");
    case ReasonKind::profit:
        return BlockedModel::tr("profit");
    case ReasonKind::policy:
        return BlockedModel::tr("policy");
    }
    return {};
}

BlockedModel::BlockedModel(AppState& state, QObject* parent)
    : QAbstractTableModel(parent), m_state(state), m_timeline(state.timeline())
{
    countCulprits();
    connect(&state, &AppState::timelineChanged, this, &BlockedModel::reset);
    const auto hidden = [this] {
        if (m_state.predict() && rowCount())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    };
    connect(&state, &AppState::cursorChanged, this, hidden);
    connect(&state, &AppState::predictChanged, this, [this] {
        if (rowCount())
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columns - 1));
    });
}

void BlockedModel::reset()
{
    const auto timeline = m_state.timeline();
    if (timeline->generation == m_timeline->generation && timeline->finished == m_timeline->finished &&
        timeline->blocked.size() == m_timeline->blocked.size() && timeline->history == m_timeline->history)
        return;
    beginResetModel();
    m_timeline = timeline;
    m_filterTexts.clear();
    countCulprits();
    endResetModel();
}

void BlockedModel::countCulprits()
{
    m_groups.assign(m_timeline->blocked.size(), {1, 0});
    std::map<Subject, std::pair<int, int>> found; // rows, the first of them
    const auto culpritOf = [this](std::size_t row) -> const Subject* {
        const MissReason& miss = m_timeline->blocked[row].miss;
        return miss.reasons.empty() || miss.reasons.front().culprits.empty()
                   ? nullptr
                   : &miss.reasons.front().culprits.front();
    };
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        m_groups[i].second = static_cast<int>(i);
        if (const Subject* of = culpritOf(i))
            ++found.try_emplace(*of, 0, static_cast<int>(i)).first->second.first;
    }
    for (std::size_t i = 0; i < m_groups.size(); ++i) {
        if (const Subject* of = culpritOf(i))
            m_groups[i] = found.at(*of);
    }
}

bool BlockedModel::isHidden(const Blocked& row) const
{
    return m_state.predict() && row.finalAt > m_state.b();
}

const Blocked* BlockedModel::rowAt(int row) const
{
    if (row < 0 || row >= rowCount())
        return nullptr;
    const Blocked& blocked = m_timeline->blocked[static_cast<std::size_t>(row)];
    return isHidden(blocked) ? nullptr : &blocked;
}

int BlockedModel::countOf(ReasonKind wanted) const
{
    const auto& rows = m_timeline->blocked;
    return static_cast<int>(std::count_if(rows.begin(), rows.end(), [&](const Blocked& row) {
        return kindOfRow(row) == wanted;
    }));
}

void BlockedModel::setKindInWords(bool on)
{
    if (on == m_kindInWords)
        return;
    m_kindInWords = on;
    if (rowCount())
        Q_EMIT dataChanged(index(0, kind), index(rowCount() - 1, kind));
    Q_EMIT headerDataChanged(Qt::Horizontal, kind, kind);
}

int BlockedModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !m_timeline->finished ? 0
                                                     : static_cast<int>(m_timeline->blocked.size());
}

int BlockedModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columns;
}

QString BlockedModel::textOf(const Blocked& row, int column) const
{
    const Graph* graph = &m_timeline->history->latest();
    const Reason* first = row.miss.reasons.empty() ? nullptr : &row.miss.reasons.front();
    switch (column) {
    case kind:
        return m_kindInWords ? kindName(kindOfRow(row)) : QString();
    case rewrite:
        return names::rule(m_state, row.miss.rule);
    case root:
        return names::brief(m_state, row.miss.root);
    case why:
        return first ? m_state.sentence(first->headline ? first->headline : first->message, graph)
                     : QString();
    case culprit:
        return first && !first->culprits.empty() ? names::brief(m_state, first->culprits.front())
                                                 : QStringLiteral("–");
    case unblock:
        return first && first->unblock ? m_state.sentence(first->unblock, graph)
                                       : QStringLiteral("–");
    case fix:
        return first && first->fix ? QString() : QStringLiteral("–");
    default:
        return {};
    }
}

const QString& BlockedModel::filterText(int at) const
{
    m_filterTexts.resize(m_timeline->blocked.size());
    QString& text = m_filterTexts[static_cast<std::size_t>(at)];
    if (!text.isNull())
        return text;
    ++m_textsMade;
    const Blocked& row = m_timeline->blocked[static_cast<std::size_t>(at)];
    QStringList all{kindName(kindOfRow(row)), names::whole(m_state, row.miss.root)};
    for (int i = rewrite; i < columns; ++i)
        all << textOf(row, i);
    if (!row.miss.reasons.empty()) {
        const std::string_view code = idOf(row.miss.reasons.front().code);
        all << QString::fromLatin1(code.data(), static_cast<qsizetype>(code.size()));
    }
    text = all.join(QLatin1Char('\n'));
    return text;
}

QVariant BlockedModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Blocked& row = m_timeline->blocked[static_cast<std::size_t>(index.row())];
    const ReasonKind of = kindOfRow(row);
    const int column = index.column();
    if (isHidden(row)) {
        if (role == MarkRole && column == kind)
            return QVariant::fromValue(Mark::predicted);
        if (role == Qt::DisplayRole || role == SortRole)
            return QStringLiteral("?");
        return role == MutedRole ? QVariant(true) : QVariant();
    }
    const Reason* first = row.miss.reasons.empty() ? nullptr : &row.miss.reasons.front();
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, column);
    case SortRole:
        return column == kind ? kindName(of) : textOf(row, column);
    case FilterRole:
        return filterText(index.row());
    case KindRole:
        return static_cast<int>(of);
    case GroupRole: {
        const auto [count, start] = m_groups[static_cast<std::size_t>(index.row())];
        return (static_cast<qint64>(rowCount() - count) << 32) + start;
    }
    case MarkRole:
        return column == kind ? QVariant::fromValue(markOf(of)) : QVariant();
    case ToneRole:
        return column == why && of == ReasonKind::legality ? QVariant::fromValue(Tone::blocked)
                                                           : QVariant();
    case MutedRole:
        return of != ReasonKind::legality && (column == why || column == kind);
    case EmphasisRole:
        return column == why && of == ReasonKind::legality;
    case MonoRole:
        return column == root || column == culprit;
    case LinkRole:
        return column == culprit && first && !first->culprits.empty();
    case ChipsRole:
        if (column == why && row.miss.reasons.size() > 1)
            return QVariant::fromValue(QList<Pill>{
                {QStringLiteral("+%1").arg(row.miss.reasons.size() - 1), Tone::neutral, Mark::none, false}});
        if (const int count = m_groups[static_cast<std::size_t>(index.row())].first;
            column == culprit && count > 1)
            return QVariant::fromValue(QList<Pill>{
                {QStringLiteral("%1×").arg(count), Tone::neutral, Mark::none, false}});
        return {};
    case ButtonRole:
        return column == fix && first && first->fix ? QVariant(names::fixButton(m_state, *first->fix))
                                                    : QVariant();
    case WholeTextRole:
        if (column == root)
            return names::whole(m_state, row.miss.root);
        return textOf(row, column);
    case Qt::AccessibleTextRole:
        if (column == kind)
            return kindName(of);
        if (column == fix && first && first->fix)
            return names::fixText(m_state, *first->fix);
        return textOf(row, column);
    default:
        return {};
    }
}

QVariant BlockedModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case kind:
        return m_kindInWords ? tr("Kind") : QString();
    case rewrite:
        return tr("Rewrite");
    case root:
        return tr("Root");
    case why:
        return tr("Why it is blocked");
    case culprit:
        return tr("Culprit");
    case unblock:
        return tr("What would unblock it");
    case fix:
        return tr("Fix");
    default:
        return {};
    }
}

BlockedFilter::BlockedFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(BlockedModel::SortRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void BlockedFilter::setWords(const QString& words)
{
    m_words = words.trimmed();
    invalidateFilter();
}

void BlockedFilter::setKinds(std::set<ReasonKind> kinds)
{
    m_kinds = std::move(kinds);
    invalidateFilter();
}

void BlockedFilter::setGrouped(bool on)
{
    setSortRole(on ? BlockedModel::GroupRole : BlockedModel::SortRole);
    sort(on ? BlockedModel::culprit : -1);
}

bool BlockedFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    if (!m_kinds.empty() &&
        !m_kinds.contains(static_cast<ReasonKind>(index.data(BlockedModel::KindRole).toInt())))
        return false;
    return m_words.isEmpty() || index.data(BlockedModel::FilterRole)
                                    .toString()
                                    .contains(m_words, Qt::CaseInsensitive);
}

} // namespace fusescope
