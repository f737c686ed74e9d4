#pragma once

#include "ui/app_state.h"
#include "ui/theme/badges.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <set>

namespace fusescope {

// The refused candidates of a timeline, final when the passes have ended.
class BlockedModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { kind, rewrite, root, why, culprit, unblock, fix, columns };
    // GroupRole orders by culprit: those that block most come first, rows of one stand together.
    enum Role { KindRole = Qt::UserRole, SortRole, FilterRole, GroupRole };

    explicit BlockedModel(AppState& state, QObject* parent = nullptr);

    // Null where there is none, and while Predict hides the row.
    const Blocked* rowAt(int row) const;
    int countOf(ReasonKind wanted) const;
    std::size_t filterTextsMade() const { return m_textsMade; } // so far
    // Without words, Kind shows its sign alone.
    void setKindInWords(bool on);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void reset();
    QString textOf(const Blocked& row, int column) const;
    bool isHidden(const Blocked& row) const;
    void countCulprits();

    AppState& m_state;
    std::vector<std::pair<int, int>> m_groups; // of each row: rows of its culprit, the first of them
    TimelinePtr m_timeline;
    // What the filter compares: made once for each row of a timeline.
    const QString& filterText(int row) const;
    mutable std::vector<QString> m_filterTexts;
    mutable std::size_t m_textsMade = 0;
    bool m_kindInWords = true;
};

class BlockedFilter final : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit BlockedFilter(QObject* parent = nullptr);
    void setWords(const QString& words);
    void setKinds(std::set<ReasonKind> kinds); // none: all
    void setGrouped(bool on);                  // by culprit, until a column is sorted

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QString m_words;
    std::set<ReasonKind> m_kinds;
};

QString kindName(ReasonKind kind);
// The first reason's, which the row is shown by. What is only not wished or would not pay is not
// shown in the colour of what would be wrong.
ReasonKind kindOfRow(const Blocked& row);
Mark markOf(ReasonKind kind);
Tone toneOf(ReasonKind kind);

} // namespace fusescope
