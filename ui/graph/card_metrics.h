#pragma once

#include "session/drawing.h"

#include <QFont>
#include <QSizeF>
#include <QString>

#include <memory>

namespace fusescope {

// Lengths of a card at scale 1.
namespace card {
inline constexpr qreal header = 24;
inline constexpr qreal line = 17; // name and rows
inline constexpr qreal foot = 5;
inline constexpr qreal stripe = 4;
inline constexpr qreal iconX = 11;
inline constexpr qreal iconSide = 13;
inline constexpr qreal textX = 30;
inline constexpr qreal rowX = 12;
inline constexpr qreal right = 10;
inline constexpr qreal leastWidth = 120;
inline constexpr qreal mostWidth = 280;
} // namespace card

// The fonts of a drawing, taken from the theme in the window's thread.
struct CardFonts
{
    QFont title, name, rows, key, label, small;
    static CardFonts current();
};

// Measures cards for the layout; may be moved to another thread.
MeasureCard cardMeasure(const CardFonts& fonts);

QString fromUtf8(const std::string& text);

} // namespace fusescope
