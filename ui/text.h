#pragma once

#include <QFontMetrics>
#include <QString>

// Every string from a model passes through here on its way to a surface that would read something
// into it: tool tips read mark-up, menus and buttons read &, window titles read [*].
namespace fusescope::text {

inline constexpr int toolTipColumns = 60;
inline constexpr int toolTipLines = 5;

// Plain text as a tool tip: wrapped at 60 columns, at most 5 lines, the rest an ellipsis.
QString toolTip(const QString& plain);

// For buttons, menus, tabs and labels with a buddy: & is doubled.
QString label(const QString& plain);

// For window titles: [*] is doubled.
QString title(const QString& plain);

// One line: control characters, line breaks and characters that reorder text are written out
// as \n, \t or \uXXXX.
QString oneLine(const QString& plain);

// Cut in the middle to `width` pixels; made one line first.
QString elideMiddle(const QString& plain, const QFontMetrics& metrics, int width);

// A node's name as it is shown inside `scope`; a last part that only repeats the operator is left
// out. `/layer2/layer2.0/conv1/Conv` is `conv1` for a Conv in `/layer2/layer2.0`.
QString relativeName(const QString& name, const QString& scope, const QString& op);

// Shorter still, for lists: parts that the next part repeats are left out, so that
// `/layer2/layer2.0/conv1/Conv` is `layer2.0/conv1`.
QString shortPath(const QString& name, const QString& op);

// 11,700,402
QString count(qint64 number);
// +3, −3, 0
QString signedCount(qint64 number);
// 46.8 MB, powers of 1000
QString bytes(quint64 number);
// 3.66 G
QString scaled(double number);
// 1.9e-6; 0, NaN, Inf and −Inf in words
QString scientific(double number, int digits = 2);
// Up to `digits` significant digits, plain where that is short: 0.2461, 7.406, 1.9e+20
QString value(double number, int digits = 4);
// 14.2 ms, 0.61 ms, 3.2 µs, 2.1 s
QString milliseconds(double number);
// 3.2×, 1.45×
QString ratio(double number);
// −34 %, +0.1 %, 0 %
QString percentChange(double before, double after);

} // namespace fusescope::text
