#pragma once

#include <QList>
#include <QMetaType>
#include <QRectF>
#include <QString>

#include "ui/theme/theme.h"

class QFontMetrics;
class QPainter;

namespace fusescope {

// The small signs; each has a shape of its own, so that none is told by colour alone.
enum class Mark {
    none,
    added,
    removed,
    changed,
    blocked,
    tick,
    cross,       // in red: an error or a failed comparison
    failedCondition, // a cross in the blocked colour
    current,
    coming,
    profit,
    policy,
    warning,
    info,
    skipped,
    predicted // hidden until guessed: "?"
};

// A word or number on a rounded fill.
struct Pill
{
    QString text;
    Tone tone = Tone::neutral;
    Mark mark = Mark::none;
    bool solid = false; // on the tone's line colour, in the colour of glyphs

    bool operator==(const Pill&) const = default;
};

inline constexpr qreal badgeSide = 15;
inline constexpr qreal octagonSide = 18;
inline constexpr qreal octagonSmall = 8;

Tone toneOf(Mark mark);

// + − ~ in a rounded square that fills `box`; other marks are left to paintMark.
void paintBadge(QPainter& painter, const QRectF& box, Mark mark);

// The sign of "blocked": an octagon with a bar. `halo` rings it in the background of the graph.
void paintOctagon(QPainter& painter, const QPointF& centre, qreal side, bool halo = false);
// The same in other colours, for a ground on which its own would not be seen.
void paintOctagon(QPainter& painter, const QPointF& centre, qreal side, const QColor& fill,
                  const QColor& bar);

// Any mark in its own colours, or in `ink` where that is valid.
void paintMark(QPainter& painter, const QRectF& box, Mark mark, const QColor& ink = {});

// The plain glyph of a mark (+ − ~ octagon tick …) without a badge around it.
void paintGlyph(QPainter& painter, const QRectF& box, Mark mark, const QColor& ink);

QSizeF pillSize(const Pill& pill, const QFont& font);
// Paints at the left edge of `box`, centred vertically, and returns what was covered.
QRectF paintPill(QPainter& painter, const QRectF& box, const Pill& pill, const QFont& font);

// Where a value stands between `least` and `most` on a log scale, 0 to 1; 0 for zero, 1 for NaN.
double logFraction(double value, double least = 1e-7, double most = 1);
// A bar from the left edge of `track`; never thinner than 1 px for a fraction above 0.
void paintBar(QPainter& painter, const QRectF& track, double fraction, const QColor& color);
// Before above in grey, after below in accent, both measured against `most`.
void paintCompareBars(QPainter& painter, const QRectF& track, double before, double after,
                      double most);

// 2 px frame in accent, or in onAccent where it stands on accent.
void paintFocus(QPainter& painter, const QRectF& rect, bool onAccent = false);

// One word for a screen reader.
QString markName(Mark mark);

} // namespace fusescope

Q_DECLARE_METATYPE(fusescope::Pill)
