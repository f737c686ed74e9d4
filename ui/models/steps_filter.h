#pragma once

#include <QSortFilterProxyModel>

namespace fusescope {

// Keeps rows whose text, or that of a row above or below, holds the words. The recursive filtering of
// Qt 6.4 loses rows of a model that grows, and crashes.
class StepsFilter final : public QSortFilterProxyModel
{
    Q_OBJECT

public:
    explicit StepsFilter(QObject* parent = nullptr);
    void setWords(const QString& words);
    void setSourceModel(QAbstractItemModel* model) override;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    bool holdsWords(const QModelIndex& index) const;
    bool holdsWordsBelow(const QModelIndex& index) const;
    void filterSoon();

    QString m_words;
    bool m_filtersSoon = false;
};

} // namespace fusescope
