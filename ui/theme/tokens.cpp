#include "ui/theme/tokens.h"

#include <cmath>

namespace fusescope {

namespace {

struct TokenRow
{
    Token token;
    QRgb light;
    QRgb dark;
};

constexpr TokenRow tokenRows[] = {
    {Token::window, 0xF1F2F4, 0x25282E},      {Token::head, 0xE7E9ED, 0x2D3138},
    {Token::base, 0xFFFFFF, 0x1C1F24},        {Token::alt, 0xF7F8FA, 0x21242A},
    {Token::canvas, 0xFAFBFC, 0x17191D},      {Token::card, 0xFFFFFF, 0x24272D},
    {Token::raised, 0xFFFFFF, 0x31353D},      {Token::border, 0xD2D6DD, 0x3A3F48},
    {Token::control, 0x7E8693, 0x6F7784},     {Token::hover, 0xE3E8F0, 0x343943},
    {Token::text, 0x1D2228, 0xE5E8EC},        {Token::text2, 0x545D6B, 0xA6AEBA},
    {Token::text3, 0x7E8693, 0x7C8592},       {Token::link, 0x0B57A8, 0x82B9FF},
    {Token::accent, 0x1F6FD6, 0x4A96F0},      {Token::onAccent, 0xFFFFFF, 0x0F1318},
    {Token::accentFill, 0xD5E5FA, 0x1F3B60},  {Token::onAccentFill, 0x1D2228, 0xE5E8EC},
    {Token::accentSoft, 0xEAF2FD, 0x202F45},  {Token::added, 0x007D6B, 0x40C795},
    {Token::addedFill, 0xE3F5F1, 0x15322A},   {Token::removed, 0xA81C3A, 0xF0695F},
    {Token::removedFill, 0xFAEAED, 0x3A2021}, {Token::changed, 0xB26B00, 0xF5BE55},
    {Token::changedInk, 0x8A5200, 0xF5BE55},  {Token::changedFill, 0xFDF0DC, 0x392B14},
    {Token::blocked, 0x6A1B7A, 0xE6B8FF},     {Token::blockedFill, 0xF4E6F7, 0x3A2545},
    {Token::hit, 0xFFD23F, 0xE3B92E},         {Token::onHit, 0x1D2228, 0x17191D},
    {Token::edge, 0x838C99, 0x7A8390},        {Token::cardLine, 0xA9B1BD, 0x565E6A},
    {Token::ghostText, 0x6F6A70, 0xA39C9E},   {Token::toolTip, 0x2B2F36, 0xE4E7EC},
    {Token::toolTipText, 0xF4F5F7, 0x1E2329}, {Token::glyph, 0xFFFFFF, 0x17191D},
};

constexpr QRgb categoryRows[][2] = {
    {0x2F5FAE, 0x7EA9EC}, // conv
    {0x1A7482, 0x5CB9C6}, // normalization
    {0x8C5436, 0xD29B78}, // activation
    {0x5650AE, 0xA5A0F0}, // pooling
    {0x616A78, 0x9DA6B3}, // shape
    {0x66721F, 0xB1BE62}, // elementwise
    {0x94497A, 0xDC95C3}, // reduction
    {0x2B3038, 0xD5DAE1}, // control flow
    {0x8A6A10, 0xD9B64E}, // quantization
    {0x6B6B6B, 0xB0B0B0}, // custom
};

constexpr QRgb heatRows[heatLevels][2] = {{0xDDE6EC, 0x2E3A42}, {0xF3E2A9, 0x5A4D1E},
                                          {0xEDB868, 0x7F5A1C}, {0xD9813B, 0xCB7A2E},
                                          {0xA94412, 0xE08A3C}, {0x6E2106, 0xFFC38A}};

constexpr QRgb white = 0xFFFFFF;
constexpr QRgb black = 0x000000;
constexpr QRgb heatInk = 0x17191D;

QColor opaque(QRgb rgb)
{
    return QColor::fromRgb(rgb | 0xFF000000U);
}

// No tints: every surface is the base, every outline the text.
void raiseContrast(Colors& colors, bool dark)
{
    const auto set = [&](Token token, QRgb value) {
        colors.tokens[static_cast<std::size_t>(token)] = opaque(value);
    };
    const QRgb ink = dark ? white : black;
    const QRgb paper = dark ? black : white;
    for (const Token token :
         {Token::window, Token::head, Token::base, Token::alt, Token::canvas, Token::card,
          Token::raised, Token::addedFill, Token::removedFill, Token::changedFill,
          Token::blockedFill, Token::accentSoft})
        set(token, paper);
    for (const Token token : {Token::border, Token::control, Token::text, Token::text2, Token::edge,
                              Token::cardLine, Token::ghostText})
        set(token, ink);
    const QRgb accent = dark ? 0x7DB8FF : 0x0046B8;
    set(Token::accent, accent);
    set(Token::accentFill, accent);
    set(Token::onAccent, paper);
    set(Token::onAccentFill, paper);
    set(Token::toolTip, paper);
    set(Token::toolTipText, ink);
    colors.tints.fill(opaque(paper));
}

Colors makeColors(Scheme scheme)
{
    Colors colors;
    const bool dark = scheme == Scheme::dark || scheme == Scheme::contrastDark;
    for (const TokenRow& row : tokenRows)
        colors.tokens[static_cast<std::size_t>(row.token)] = opaque(dark ? row.dark : row.light);
    const double amount = dark ? 0.14 : 0.13;
    for (std::size_t i = 0; i < colors.categories.size(); ++i) {
        colors.categories[i] = opaque(categoryRows[i][dark ? 1 : 0]);
        colors.tints[i] = mix(colors.of(Token::card), colors.categories[i], amount);
    }
    for (std::size_t i = 0; i < heatLevels; ++i) {
        colors.heat[i] = opaque(heatRows[i][dark ? 1 : 0]);
        const bool inked = dark ? i >= heatLevels - 3 : i >= heatLevels - 2;
        colors.heatText[i] = !inked ? colors.of(Token::text) : opaque(dark ? heatInk : white);
    }
    if (scheme == Scheme::contrastLight || scheme == Scheme::contrastDark)
        raiseContrast(colors, dark);
    return colors;
}

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

} // namespace

const Colors& colorsOf(Scheme scheme)
{
    static const std::array<Colors, 4> all = {
        makeColors(Scheme::light), makeColors(Scheme::dark), makeColors(Scheme::contrastLight),
        makeColors(Scheme::contrastDark)};
    return all[static_cast<std::size_t>(scheme)];
}

QColor mix(const QColor& a, const QColor& b, double amount)
{
    const auto channel = [amount](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * amount));
    };
    return QColor(channel(a.red(), b.red()), channel(a.green(), b.green()),
                  channel(a.blue(), b.blue()));
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

} // namespace fusescope
