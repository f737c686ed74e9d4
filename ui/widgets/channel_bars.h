#pragma once

#include "ui/widgets/accessible_value.h"

#include <QList>
#include <QWidget>

namespace fusescope {

// A bar per channel: the median dashed, the chosen one in accent with its value, those near zero
// in words. A click, or Left and Right, chooses. NaN and Inf are drawn at full height in the
// colour of failures.
class ChannelBars final : public QWidget, public AccessibleValue
{
    Q_OBJECT

public:
    explicit ChannelBars(QWidget* parent = nullptr);

    void setValues(const QList<double>& values);
    int count() const { return static_cast<int>(m_values.size()); }

    // For a function of a number in place of channels: bar i is its value at first + i · stride.
    // Without median, and nothing is nearly dead.
    void setPlaces(double first, double stride, bool isFunction);

    // -1: none. Says nothing.
    void setChosen(int channel);
    int chosen() const { return m_chosen; }

    // Drawn as a dashed line with its name; NaN takes it away. In place of the median.
    void setLimit(double limit, const QString& name);
    void setLogarithmic(bool on);
    // Values below this share of the median are called nearly dead; 0 switches that off.
    void setDeadShare(double share);

    double median() const { return m_median; }
    // The smallest channel that is nearly dead, or -1.
    int dead() const { return m_dead; }

    QRectF plot() const;
    QRectF bar(int channel) const;
    int channelAt(qreal x) const;

    double spokenValue() const override;
    double spokenMost() const override;
    QString spokenWords() const override;
    void takeSpokenValue(double value) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

Q_SIGNALS:
    void chosenByUser(int channel);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void measure();
    QString placeOf(int channel) const;
    qreal fraction(double value) const;
    void choose(int channel);
    void refreshAccessible();
    void paintFlag(QPainter& painter, int channel, const QString& words, const QColor& fill,
                   bool above) const;

    QList<double> m_values;
    double m_most = 1;
    double m_least = 0;
    double m_smallest = 1e-7; // of the positive ones, for the log scale
    double m_median = 0;
    double m_limit;
    QString m_limitName;
    double m_deadShare = 0.01;
    int m_chosen = -1;
    int m_dead = -1;
    bool m_log = false;
    bool m_isFunction = false;
    double m_first = 0;
    double m_stride = 1;
};

} // namespace fusescope
