#pragma once

#include <array>
#include <cstddef>

#include <QColor>

namespace fusescope {

// Every colour the window uses, by what it is for.
enum class Token {
    window, // bars
    head,   // dock titles, tab strips
    base,   // lists, tables, docks
    alt,    // alternate rows
    canvas, // background of the graph
    card,
    raised,  // buttons
    border,  // separators
    control, // outlines of inputs and buttons
    hover,
    text,
    text2, // secondary
    text3, // placeholder and disabled only
    link,
    accent,
    onAccent,
    accentFill,   // selected row
    onAccentFill, // text on a selected row
    accentSoft,   // drop area
    added,
    addedFill,
    removed,
    removedFill,
    changed,    // lines and badges
    changedInk, // text
    changedFill,
    blocked,
    blockedFill,
    hit,
    onHit,
    edge,
    cardLine,
    ghostText,
    toolTip,
    toolTipText,
    glyph, // inside badges and octagons
    count
};

enum class Category {
    conv,
    normalization,
    activation,
    pooling,
    shape,
    elementwise,
    reduction,
    controlFlow,
    quantization,
    custom,
    count
};

enum class Scheme { light, dark, contrastLight, contrastDark };

inline constexpr std::size_t heatLevels = 6;

struct Colors
{
    std::array<QColor, static_cast<std::size_t>(Token::count)> tokens;
    std::array<QColor, static_cast<std::size_t>(Category::count)> categories;
    std::array<QColor, heatLevels> heat;
    std::array<QColor, heatLevels> heatText;

    QColor of(Token token) const { return tokens[static_cast<std::size_t>(token)]; }
    QColor of(Category category) const { return categories[static_cast<std::size_t>(category)]; }
    // The card's header: the card mixed with a little of the category.
    QColor tint(Category category) const { return tints[static_cast<std::size_t>(category)]; }

    std::array<QColor, static_cast<std::size_t>(Category::count)> tints;
};

const Colors& colorsOf(Scheme scheme);

// `amount` of b in a, 0 to 1, per channel in sRGB.
QColor mix(const QColor& a, const QColor& b, double amount);

// WCAG 2 contrast ratio of two opaque colours, 1 to 21.
double contrastRatio(const QColor& a, const QColor& b);

} // namespace fusescope
