#include "ui/models/steps_filter.h"

#include "ui/models/steps_model.h"

#include <utility>

namespace fusescope {

StepsFilter::StepsFilter(QObject* parent) : QSortFilterProxyModel(parent) {}

void StepsFilter::setWords(const QString& words)
{
    if (words.trimmed() == m_words)
        return;
    m_words = words.trimmed();
    invalidateFilter();
}

void StepsFilter::setSourceModel(QAbstractItemModel* model)
{
    QSortFilterProxyModel::setSourceModel(model);
    connect(model, &QAbstractItemModel::rowsInserted, this, &StepsFilter::filterSoon);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &StepsFilter::filterSoon);
}

// What comes or goes may show or hide the rows above it: once for all that come together.
void StepsFilter::filterSoon()
{
    if (m_words.isEmpty() || std::exchange(m_filtersSoon, true))
        return;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_filtersSoon = false;
            invalidateFilter();
        },
        Qt::QueuedConnection);
}

bool StepsFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (m_words.isEmpty())
        return true;
    for (QModelIndex above = parent; above.isValid(); above = above.parent()) {
        if (holdsWords(above))
            return true;
    }
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    return holdsWords(index) || holdsWordsBelow(index);
}

bool StepsFilter::holdsWords(const QModelIndex& index) const
{
    return index.data(StepsModel::FilterRole).toString().contains(m_words, Qt::CaseInsensitive);
}

bool StepsFilter::holdsWordsBelow(const QModelIndex& index) const
{
    for (int row = 0; row < sourceModel()->rowCount(index); ++row) {
        const QModelIndex below = sourceModel()->index(row, 0, index);
        if (holdsWords(below) || holdsWordsBelow(below))
            return true;
    }
    return false;
}

} // namespace fusescope
