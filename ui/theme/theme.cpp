#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QPainter>
#include <QPixmap>
#include <QPointer>
#include <QToolTip>

#include "ui/theme/style.h"
#include "ui/theme/system_appearance.h"

namespace fusescope {

namespace {

double factorOf(TextScale scale)
{
    switch (scale) {
    case TextScale::badge:
        return 0.83;
    case TextScale::small:
        return 0.92;
    case TextScale::normal:
        return 1;
    case TextScale::verdict:
        return 1.08;
    case TextScale::title:
        return 1.25;
    case TextScale::step:
        return 1.67;
    case TextScale::start:
        return 1.83;
    }
    return 1;
}

QFont scaled(QFont font, const QFont& base, double factor, bool bold)
{
    if (base.pixelSize() > 0)
        font.setPixelSize(std::max(1, static_cast<int>(std::lround(base.pixelSize() * factor))));
    else
        font.setPointSizeF(base.pointSizeF() * factor);
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

struct SheetName
{
    const char* name;
    Token token;
};

thread_local std::optional<Scheme> schemeHere;

// Longer names first: "@text2" must not be read as "@text" and a 2.
constexpr SheetName sheetNames[] = {
    {"@onAccentFill", Token::onAccentFill}, {"@accentFill", Token::accentFill},
    {"@accentSoft", Token::accentSoft},     {"@blockedFill", Token::blockedFill},
    {"@onAccent", Token::onAccent},         {"@toolTipText", Token::toolTipText},
    {"@toolTip", Token::toolTip},           {"@accent", Token::accent},
    {"@blocked", Token::blocked},           {"@window", Token::window},
    {"@head", Token::head},                 {"@base", Token::base},
    {"@alt", Token::alt},                   {"@raised", Token::raised},
    {"@border", Token::border},             {"@control", Token::control},
    {"@hover", Token::hover},               {"@text3", Token::text3},
    {"@text2", Token::text2},               {"@text", Token::text},
    {"@link", Token::link},                 {"@glyph", Token::glyph},
};

} // namespace

SchemeHere::SchemeHere(Scheme scheme) : m_former(schemeHere)
{
    schemeHere = scheme;
}

SchemeHere::~SchemeHere()
{
    schemeHere = m_former;
}

Scheme Theme::scheme() const
{
    return schemeHere ? *schemeHere : m_scheme;
}

Theme& Theme::instance()
{
    static QPointer<Theme> one;
    if (!one)
        one = new Theme(qApp);
    return *one;
}

Theme::Theme(QObject* parent) : QObject(parent), m_system(new SystemAppearance(this))
{
    connect(m_system, &SystemAppearance::changed, this, &Theme::follow);
    follow();
}

void Theme::install()
{
    if (m_installed)
        return;
    m_installed = true;
    qApp->installEventFilter(this);
    QApplication::setStyle(new Style);
    apply();
}

void Theme::setChoice(ThemeChoice choice)
{
    m_choice = choice;
    follow();
}

void Theme::follow()
{
    const bool systemDark = m_system->dark();
    Scheme scheme = Scheme::light;
    if (m_choice == ThemeChoice::highContrast ||
        (m_choice == ThemeChoice::system && m_system->highContrast()))
        scheme = systemDark ? Scheme::contrastDark : Scheme::contrastLight;
    else if (m_choice == ThemeChoice::dark || (m_choice == ThemeChoice::system && systemDark))
        scheme = Scheme::dark;
    if (scheme == m_scheme)
        return;
    m_scheme = scheme;
    if (m_installed)
        apply();
    Q_EMIT changed();
}

void Theme::apply()
{
    QApplication::setPalette(palette());
    QToolTip::setPalette(palette());
    qApp->setStyleSheet(styleSheet());
    for (QWidget* widget : QApplication::allWidgets())
        widget->update();
}

bool Theme::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == qApp && event->type() == QEvent::ApplicationFontChange)
        Q_EMIT changed();
    return QObject::eventFilter(watched, event);
}

bool Theme::dark() const
{
    return scheme() == Scheme::dark || scheme() == Scheme::contrastDark;
}

bool Theme::highContrast() const
{
    return scheme() == Scheme::contrastLight || scheme() == Scheme::contrastDark;
}

bool Theme::reducedMotion() const
{
    return m_reducedMotion || m_system->reducedMotion();
}

QColor Theme::line(Tone tone) const
{
    switch (tone) {
    case Tone::neutral:
        return color(Token::control);
    case Tone::accent:
        return color(Token::accent);
    case Tone::added:
        return color(Token::added);
    case Tone::removed:
        return color(Token::removed);
    case Tone::changed:
        return color(Token::changed);
    case Tone::blocked:
        return color(Token::blocked);
    }
    return color(Token::control);
}

QColor Theme::ink(Tone tone) const
{
    switch (tone) {
    case Tone::neutral:
        return color(Token::text2);
    case Tone::accent:
        return color(Token::onAccentFill);
    case Tone::changed:
        return color(Token::changedInk);
    default:
        return line(tone);
    }
}

QColor Theme::fill(Tone tone) const
{
    switch (tone) {
    case Tone::neutral:
        return highContrast() ? color(Token::base) : color(Token::hover);
    case Tone::accent:
        return color(Token::accentFill);
    case Tone::added:
        return color(Token::addedFill);
    case Tone::removed:
        return color(Token::removedFill);
    case Tone::changed:
        return color(Token::changedFill);
    case Tone::blocked:
        return color(Token::blockedFill);
    }
    return color(Token::hover);
}

QColor Theme::readableOn(const QColor& background) const
{
    const QColor first = color(Token::text);
    const QColor second = dark() ? color(Token::canvas) : color(Token::base);
    return contrastRatio(first, background) >= contrastRatio(second, background) ? first : second;
}

int Theme::heatLevel(double error, double tolerance)
{
    constexpr double bounds[] = {0.2, 1, 5, 20, 100};
    for (int level = 0; level < 5; ++level)
        if (error <= bounds[level] * tolerance)
            return level;
    return 5;
}

QColor Theme::heat(int level) const
{
    return colors().heat[static_cast<std::size_t>(std::clamp(level, 0, 5))];
}

QColor Theme::heatText(int level) const
{
    return colors().heatText[static_cast<std::size_t>(std::clamp(level, 0, 5))];
}

QBrush Theme::hatch(const QColor& color, qreal pixelRatio) const
{
    if (highContrast())
        return Qt::NoBrush;
    constexpr int side = 7;
    const int pixels = std::max(1, static_cast<int>(std::lround(side * pixelRatio)));
    // Pictures are painted in other threads, too: an image, and a list for each thread.
    thread_local std::map<std::pair<QRgb, int>, QBrush> known;
    const auto key = std::pair(color.rgba(), pixels);
    const auto found = known.find(key);
    if (found != known.end())
        return found->second;
    QImage tile(pixels, pixels, QImage::Format_ARGB32_Premultiplied);
    tile.fill(Qt::transparent);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor faint = color;
    faint.setAlphaF(0.35F);
    painter.setPen(QPen(faint, pixels / qreal(side)));
    for (int shift = -1; shift <= 1; ++shift)
        painter.drawLine(QPointF(shift * pixels - 1, pixels + 1),
                         QPointF((shift + 1) * pixels + 1, -1));
    painter.end();
    QBrush brush(tile);
    brush.setTransform(QTransform::fromScale(side / qreal(pixels), side / qreal(pixels)));
    return known.emplace(key, brush).first->second;
}

QFont Theme::font(TextScale scale, bool bold) const
{
    const QFont base = QApplication::font();
    return scaled(base, base, factorOf(scale), bold);
}

QFont Theme::monoFont(TextScale scale, bool bold) const
{
    return scaled(QFontDatabase::systemFont(QFontDatabase::FixedFont), QApplication::font(),
                  factorOf(scale), bold);
}

QPen Theme::pen(Token token, qreal width) const
{
    return QPen(color(token), lineWidth(width), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin);
}

QPalette Theme::palette() const
{
    QPalette palette;
    const auto set = [&](QPalette::ColorRole role, Token token) {
        palette.setColor(role, color(token));
    };
    set(QPalette::Window, Token::window);
    set(QPalette::WindowText, Token::text);
    set(QPalette::Base, Token::base);
    set(QPalette::AlternateBase, Token::alt);
    set(QPalette::Text, Token::text);
    set(QPalette::PlaceholderText, Token::text3);
    set(QPalette::Button, Token::raised);
    set(QPalette::ButtonText, Token::text);
    set(QPalette::BrightText, Token::onAccent);
    set(QPalette::Highlight, Token::accent);
    set(QPalette::HighlightedText, Token::onAccent);
    set(QPalette::Link, Token::link);
    set(QPalette::LinkVisited, Token::link);
    set(QPalette::ToolTipBase, Token::toolTip);
    set(QPalette::ToolTipText, Token::toolTipText);
    set(QPalette::Light, Token::raised);
    set(QPalette::Midlight, Token::hover);
    set(QPalette::Mid, Token::border);
    set(QPalette::Dark, Token::control);
    set(QPalette::Shadow, Token::edge);
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, color(Token::text3));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, color(Token::hover));
    return palette;
}

QString Theme::styleSheet() const
{
    QFile file(QStringLiteral(":/style/fusescope.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    constexpr const char* names[] = {"light", "dark", "contrast-light", "contrast-dark"};
    sheet.replace(QLatin1String("@scheme"),
                  QLatin1String(names[static_cast<std::size_t>(m_scheme)]));
    sheet.replace(QLatin1String("@disabledPrimary"),
                  mix(color(Token::window), color(Token::accent), 0.5).name());
    for (const SheetName& row : sheetNames)
        sheet.replace(QLatin1String(row.name), color(row.token).name());
    return sheet;
}

int rowHeight(Row row, const QFontMetrics& metrics)
{
    return std::max(static_cast<int>(row), metrics.height() + 6);
}

} // namespace fusescope
