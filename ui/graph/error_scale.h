#pragma once

#include <QWidget>

namespace fusescope {

// The colours of errors with their bounds, in a bar below the graph: it never lies on cards.
class ErrorScale final : public QWidget
{
    Q_OBJECT

public:
    explicit ErrorScale(QWidget* parent = nullptr);
    void setTolerance(double tolerance);
    double tolerance() const { return m_tolerance; }
    static QString boundText(int level, double tolerance); // "≤ 2e-4"
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double m_tolerance = 1e-3;
};

} // namespace fusescope
