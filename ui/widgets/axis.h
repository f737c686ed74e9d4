#pragma once

#include <QList>
#include <QRectF>

class QPainter;

namespace fusescope {

// Round numbers that divide least..most into at most `pieces`; at least one.
QList<double> niceTicks(double least, double most, int pieces);

// Grid lines and numbers of a linear axis at the left of `plot`.
void paintValueAxis(QPainter& painter, const QRectF& plot, double least, double most);
// 0, quarter points and the last index below `plot`.
void paintIndexAxis(QPainter& painter, const QRectF& plot, int count);
// Round numbers from the first bar's place to the last one's, below `plot`.
void paintPlaceAxis(QPainter& painter, const QRectF& plot, double first, double last, int count);
// Powers of ten from 10^least to 10^most at the left of `plot`.
void paintLogAxis(QPainter& painter, const QRectF& plot, int least, int most);

} // namespace fusescope
