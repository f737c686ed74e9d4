#include "ui/models/messages_model.h"

#include "ui/names.h"
#include "ui/theme/roles.h"

namespace fusescope {

namespace {

Mark markOf(NoticeLevel level)
{
    switch (level) {
    case NoticeLevel::success:
        return Mark::tick;
    case NoticeLevel::warning:
        return Mark::warning;
    case NoticeLevel::error:
        return Mark::cross;
    case NoticeLevel::info:
        break;
    }
    return Mark::info;
}

QString levelName(NoticeLevel level)
{
    switch (level) {
    case NoticeLevel::success:
        return MessagesModel::tr("Done");
    case NoticeLevel::warning:
        return MessagesModel::tr("Warning");
    case NoticeLevel::error:
        return MessagesModel::tr("Error");
    case NoticeLevel::info:
        break;
    }
    return MessagesModel::tr("Note");
}

} // namespace

MessagesModel::MessagesModel(AppState& state, QObject* parent)
    : QAbstractListModel(parent), m_state(state), m_rows(static_cast<int>(state.log().size()))
{
    connect(&state, &AppState::logged, this, [this] {
        const int rows = static_cast<int>(m_state.log().size());
        if (rows <= m_rows)
            return;
        beginInsertRows({}, m_rows, rows - 1);
        m_rows = rows;
        endInsertRows();
    });
    connect(&state, &AppState::logCleared, this, [this] {
        beginResetModel();
        m_rows = static_cast<int>(m_state.log().size());
        endResetModel();
    });
}

int MessagesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

QVariant MessagesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_state.log().size())
        return {};
    const LogEntry& entry = m_state.log()[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case WholeTextRole:
        return entry.text;
    case MarkRole:
        return QVariant::fromValue(markOf(entry.level));
    case SecondTextRole:
        return entry.node ? QVariant(names::brief(m_state, entry.node)) : QVariant();
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1: %2").arg(levelName(entry.level), entry.text);
    default:
        return {};
    }
}

} // namespace fusescope
