#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

namespace fusescope {

// One small matrix before, the factor, and after. Cells are coloured by value, and each says its
// number.
class KernelSlice final : public QWidget
{
    Q_OBJECT

public:
    struct Matrix
    {
        QString title;
        int rows = 0;
        int columns = 0;
        QList<double> values; // row by row; rows × columns of them
    };

    explicit KernelSlice(QWidget* parent = nullptr);

    // At most 7 × 7 cells of each are shown. `step` stands between the two ("× 1.0865").
    void setMatrices(const Matrix& before, const QString& step, const Matrix& after);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

    // Background of a value where `most` is the largest magnitude of both matrices.
    static QColor cellColor(double value, double most);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QSizeF cellSize() const;
    QSizeF matrixSize(const Matrix& matrix) const;
    qreal titleHeight() const;
    void paintMatrix(QPainter& painter, const QPointF& at, const Matrix& matrix) const;

    Matrix m_before;
    Matrix m_after;
    QString m_step;
    double m_most = 0;
};

} // namespace fusescope
