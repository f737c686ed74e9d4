#pragma once

#include "ui/widgets/accessible_value.h"

#include <functional>
#include <optional>

#include <QList>
#include <QWidget>

namespace fusescope {

// What a step does to the selected node, and whether it is there afterwards.
enum class TrackState { present, absent, added, changed, removed };

// The slider of the Steps dock: positions 0 (the file) to the last step. B is a filled flag above
// the track, A an open one below; with one thumb A is the same as B and not drawn.
class StepSlider final : public QWidget, public AccessibleValue
{
    Q_OBJECT

public:
    explicit StepSlider(QWidget* parent = nullptr);

    void setLast(int last);
    int last() const { return m_last; }

    // One thumb when a == b. Positions are clamped. Says nothing.
    void setThumbs(int a, int b);
    int a() const { return m_a; }
    int b() const { return m_b; }
    bool twoThumbs() const { return m_a != m_b; }

    // State of the selected node at positions 0 to last; empty when nothing is selected.
    void setStates(const QList<TrackState>& states);
    // First steps of stages.
    void setNotches(const QList<int>& steps);
    // Positions at which a candidate was refused.
    void setBlocked(const QList<int>& positions);
    // Words under the track at the right ("Fusion 7–41").
    void setCaption(const QString& caption);
    // While set, what lies beyond it is hidden and shows "?".
    void setHiddenBeyond(std::optional<int> position);
    // Tool tip of a position, as plain text.
    void setToolTips(std::function<QString(int)> describe) { m_describe = std::move(describe); }

    double spokenValue() const override;
    double spokenMost() const override;
    QString spokenWords() const override;
    void takeSpokenValue(double value) override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    QRectF track() const;
    qreal xOf(int position) const;
    int positionAt(qreal x) const;
    QRectF flagB() const;
    QRectF flagA() const; // null with one thumb

Q_SIGNALS:
    // By mouse or key; not by setThumbs.
    void thumbsMoved(int a, int b);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    bool event(QEvent* event) override;

private:
    enum class Drag { none, a, b };

    void move(int a, int b);
    void refreshAccessible();
    void paintTrack(QPainter& painter) const;
    void paintFlags(QPainter& painter) const;
    QString flagText(QChar letter, int position) const;

    int m_last = 0;
    int m_a = 0;
    int m_b = 0;
    QList<TrackState> m_states;
    QList<int> m_notches;
    QList<int> m_blocked;
    QString m_caption;
    std::optional<int> m_hiddenBeyond;
    std::function<QString(int)> m_describe;
    Drag m_drag = Drag::none;
};

} // namespace fusescope
