#pragma once

#include "ui/app_state.h"

#include <QAbstractItemModel>

#include <vector>

namespace fusescope {

// What differs between the two states that are shown: nodes and initializers, grouped by name scope
// where there are many.
class ChangesModel final : public QAbstractItemModel
{
    Q_OBJECT

public:
    explicit ChangesModel(AppState& state, QObject* parent = nullptr);

    // Where the row leads; none for a scope.
    std::optional<Subject> subjectOf(const QModelIndex& index) const;
    bool isGrouped() const { return m_grouped; }
    int filteredOut() const { return m_filteredOut; } // rows of other kinds than the one asked for

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Row
    {
        ChangeKind kind = ChangeKind::changed;
        Subject subject;
        QString text, second, whole;
    };
    struct Group
    {
        QString scope;
        std::vector<Row> rows;
        int added = 0, removed = 0, changed = 0;
    };

    void reset();
    Row rowOf(const NodeChange& change, const Graph& before, const Graph& after) const;
    QString scopeOf(Subject subject, const Graph& before, const Graph& after) const;
    const Row* row(const QModelIndex& index) const;

    AppState& m_state;
    std::vector<Group> m_groups; // one without name where not grouped
    bool m_grouped = false;
    int m_filteredOut = 0;
};

} // namespace fusescope
