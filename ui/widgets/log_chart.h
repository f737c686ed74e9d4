#pragma once

#include "ui/widgets/accessible_value.h"

#include <QList>
#include <QWidget>

namespace fusescope {

// How far the outputs are apart after each tested step: steps across, the largest difference up on
// a log scale, the tolerance dashed. The first step past it is named.
class LogChart final : public QWidget, public AccessibleValue
{
    Q_OBJECT

public:
    struct Point
    {
        int step = 0;
        double value = 0; // NaN or Inf stand at the top
        bool passes = true;
    };

    explicit LogChart(QWidget* parent = nullptr);

    // In order of steps. `culprit` is -1 when nothing diverges.
    void setPoints(const QList<Point>& points, int last, double tolerance, int culprit = -1);

    QRectF plot() const;
    QPointF place(const Point& point) const;
    int lowestPower() const { return m_lowest; }
    int highestPower() const { return m_highest; }

    double spokenValue() const override;
    double spokenMost() const override;
    QString spokenWords() const override;
    void takeSpokenValue(double value) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {180, 72}; }

Q_SIGNALS:
    void stepClicked(int step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    int nearest(const QPointF& at) const;

    QList<Point> m_points;
    int m_last = 0;
    double m_tolerance = 0;
    int m_culprit = -1;
    int m_lowest = -7;
    int m_highest = 0;
    int m_focused = -1;
};

} // namespace fusescope
