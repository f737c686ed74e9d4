#pragma once

#include "report/comparison.h"

#include <QStandardItem>

namespace fusescope {

enum CompareRole : int { ValueOfRow = Qt::UserRole + 0x600 };

// Failed ones first, then by the largest difference; equal ones by name.
void sortWorstFirst(std::vector<TensorComparison>& tensors);
QList<QStandardItem*> compareRow(const TensorComparison& tensor, const QString& why);
QStringList compareHeader();

} // namespace fusescope
