#pragma once

#include <QAbstractButton>

#include "ui/theme/badges.h"

namespace fusescope {

// A count or word on a fill that is a button: a click jumps, Ctrl+click (Ctrl+Space) filters.
// Checkable chips show an outline while on.
class Chip final : public QAbstractButton
{
    Q_OBJECT

public:
    explicit Chip(const Pill& pill = {}, QWidget* parent = nullptr);

    const Pill& pill() const { return m_pill; }
    void setPill(const Pill& pill);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void activated();
    void filterRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void nextCheckState() override {} // on and off are the owner's

private:
    Pill m_pill;
};

} // namespace fusescope
