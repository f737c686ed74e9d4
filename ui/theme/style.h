#pragma once

#include <QProxyStyle>

namespace fusescope {

// Fusion with the program's delays, focus frame and branch arrows.
class Style final : public QProxyStyle
{
    Q_OBJECT

public:
    Style();

    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;

private:
    void drawCheck(const QStyleOption* option, QPainter* painter, bool round) const;
};

} // namespace fusescope
