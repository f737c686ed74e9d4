#pragma once

#include <QList>
#include <QWidget>

namespace fusescope {

// How the values of a tensor are spread; counts are taken elsewhere.
class Histogram final : public QWidget
{
    Q_OBJECT

public:
    explicit Histogram(QWidget* parent = nullptr);

    // `counts` of equal bins from least to most.
    void setCounts(const QList<qint64>& counts, double least, double most);

    QRectF plot() const;
    int binAt(qreal x) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {100, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QList<qint64> m_counts;
    double m_least = 0;
    double m_most = 0;
};

} // namespace fusescope
