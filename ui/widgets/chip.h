#pragma once

#include <QAbstractButton>

#include "ui/theme/badges.h"

namespace fusescope {

// A count or word on a fill that is a button.
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

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    Pill m_pill;
};

} // namespace fusescope
