#pragma once

#include <QList>
#include <QWidget>

#include "ui/theme/theme.h"

namespace fusescope {

// A few labelled bars on one linear scale ("4 nodes ▬▬▬ 1.94 ms", "fused ▬ 0.61 ms").
class CompareBars final : public QWidget
{
    Q_OBJECT

public:
    struct Bar
    {
        QString label;
        double value = 0;
        QString number; // with its unit
        Token color = Token::accent;
    };

    explicit CompareBars(QWidget* parent = nullptr);

    void setBars(const QList<Bar>& bars);

    // The drawn bar of a row.
    QRectF bar(int row) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {140, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    qreal labelWidth() const;
    qreal numberWidth() const;
    int rowStep() const;

    QList<Bar> m_bars;
};

} // namespace fusescope
