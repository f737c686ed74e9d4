#pragma once

#include <QList>
#include <QMetaType>
#include <Qt>

#include "ui/theme/badges.h"

namespace fusescope {

// Lengths of up to two bars in a cell, on a scale of 0 to 1. One bar is log or linear as the model
// says; with `compare` the first is drawn grey above the second in accent.
struct RowBars
{
    double first = 0;
    double second = 0;
    bool compare = false;
    QColor color; // of a single bar; the accent where invalid

    bool operator==(const RowBars&) const = default;
};

// What RowDelegate reads beside Qt's own roles. A cell is laid out from the left as number, mark,
// icon, text, second text, chips; from the right as pills, count; bars stand before the text.
enum RowRole : int {
    NumberRole = Qt::UserRole + 0x400, // QString, right aligned in a narrow column, mono
    MarkRole,                          // Mark
    IconRole,                          // QString, a name of theme/icons
    CategoryRole,                      // Category: its pictogram in its colour
    FusedRole,      // bool: the pictogram of a fused node, in CategoryRole's colour
    SecondTextRole, // QString, secondary, mono
    ToneRole,       // Tone: ink of the text
    MutedRole,      // bool: secondary text (a coming step)
    EmphasisRole,   // bool: weight 600
    MonoRole,       // bool
    LinkRole,       // bool: drawn as a link; a click emits linkActivated
    StrikeRole,     // bool: struck out
    CurrentRole,    // bool: the current row, filled
    RangeRole,      // bool: inside A..B, a bar in the left gutter
    ChipsRole,      // QList<Pill>, after the text
    CountRole,      // QString, right, mono
    PillsRole,      // QList<Pill>, at the right edge
    BarsRole,       // RowBars
    ButtonRole,     // QString: a fix button with this text; emits buttonActivated
    WholeTextRole   // QString: shown as tool tip where the cell is cut
};

} // namespace fusescope

Q_DECLARE_METATYPE(fusescope::RowBars)
Q_DECLARE_METATYPE(fusescope::Mark)
Q_DECLARE_METATYPE(fusescope::Tone)
Q_DECLARE_METATYPE(fusescope::Category)
