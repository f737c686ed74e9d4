#pragma once

#include <optional>
#include <utility>

#include <QBrush>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <QPen>

#include "ui/theme/tokens.h"

class QFontMetrics;

namespace fusescope {

class SystemAppearance;

enum class ThemeChoice { system, light, dark, highContrast };

// What a chip, pill, bar or sentence speaks of; each has a line, an ink and a fill.
enum class Tone { neutral, accent, added, removed, changed, blocked };

enum class TextScale { badge, small, normal, verdict, title, step, start };

// Least heights in pixels; rowHeight() lets them grow with the font.
enum class Row {
    dense = 20,
    tree = 22,
    header = 23,
    table = 24,
    status = 24,
    dockTitle = 26,
    tabs = 27,
    graphHeader = 34,
    toolbar = 38
};

namespace space {
inline constexpr int glyph = 4;   // between a glyph and its text
inline constexpr int control = 6; // between controls
inline constexpr int cell = 8;
inline constexpr int section = 10;
inline constexpr int block = 14;
} // namespace space

namespace radius {
inline constexpr int tag = 3;
inline constexpr int control = 4;
inline constexpr int card = 5;
inline constexpr int region = 6;
inline constexpr int pill = 7;
} // namespace radius

// The one source of colours, fonts and measures; belongs to the application. Painters ask it at
// paint time, so that a switch needs nothing but an update.
class Theme final : public QObject
{
    Q_OBJECT

public:
    static Theme& instance();

    // Puts style, palette and style sheet on the application; later switches do so by themselves.
    void install();

    ThemeChoice choice() const { return m_choice; }
    void setChoice(ThemeChoice choice);

    Scheme scheme() const; // of this thread
    bool dark() const;
    bool highContrast() const;
    bool reducedMotion() const; // chosen, or asked for by the system
    void setReducedMotion(bool on) { m_reducedMotion = on; }

    const Colors& colors() const { return colorsOf(scheme()); }
    QColor color(Token token) const { return colors().of(token); }
    QColor color(Category category) const { return colors().of(category); }
    QColor tint(Category category) const { return colors().tint(category); }
    QColor line(Tone tone) const;
    QColor ink(Tone tone) const;
    QColor fill(Tone tone) const;
    // Of two inks of this theme the one that reads better on `background`.
    QColor readableOn(const QColor& background) const;

    // Level 0 to 5 of an error, measured in tolerances; 5 for NaN and Inf.
    static int heatLevel(double error, double tolerance);
    QColor heat(int level) const;
    QColor heatText(int level) const;

    // Diagonal lines of a removed or custom thing, for a device of this pixel ratio; no brush in
    // high contrast.
    QBrush hatch(const QColor& color, qreal pixelRatio) const;

    QFont font(TextScale scale = TextScale::normal, bool bold = false) const;
    QFont monoFont(TextScale scale = TextScale::small, bool bold = false) const;

    // Width of a line: one more in high contrast.
    qreal lineWidth(qreal width) const { return highContrast() ? width + 1 : width; }
    QPen pen(Token token, qreal width = 1) const;

    QPalette palette() const;
    QString styleSheet() const;

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    explicit Theme(QObject* parent);
    void follow();
    void apply();

    SystemAppearance* m_system;
    ThemeChoice m_choice = ThemeChoice::system;
    Scheme m_scheme = Scheme::light;
    bool m_installed = false;
    bool m_reducedMotion = false;
};

// While it lives, this thread sees the theme in the given colours, whatever becomes of the window's.
class SchemeHere
{
public:
    explicit SchemeHere(Scheme scheme);
    ~SchemeHere();
    SchemeHere(const SchemeHere&) = delete;
    SchemeHere& operator=(const SchemeHere&) = delete;

private:
    std::optional<Scheme> m_former;
};

int rowHeight(Row row, const QFontMetrics& metrics);

inline Theme& theme()
{
    return Theme::instance();
}

} // namespace fusescope
