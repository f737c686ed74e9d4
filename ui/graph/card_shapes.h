#pragma once

#include "ui/graph/card_painter.h"

#include <QPainterPath>

class QPainter;

// What the two halves of CardPainter share.
namespace fusescope::shapes {

// A rectangle whose four corners may be round or not.
QPainterPath rounded(const QRectF& r, qreal topLeft, qreal topRight, qreal bottomRight,
                     qreal bottomLeft);
// One line, cut where it does not fit.
void drawText(QPainter& painter, const QRectF& box, const QFont& font, const QColor& ink,
              const QString& text, Qt::Alignment align, Qt::TextElideMode elide);
// A model's string on one line, cut where nobody reads on.
QString lineOfText(const std::string& text);
QColor inkOf(const CardLook& look, Token token);

} // namespace fusescope::shapes
