#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <QApplication>
#include <QDir>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QStyle>

#include "support/test_class.h"
#include "ui/theme/badges.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

using namespace fusescope;

namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;

// Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
constexpr Matrix normalSight = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix protanopia = {{{0.152286, 1.052583, -0.204868},
                                {0.114503, 0.786281, 0.099216},
                                {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deuteranopia = {{{0.367322, 0.860646, -0.227968},
                                  {0.280085, 0.672501, 0.047413},
                                  {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritanopia = {{{1.255528, -0.076749, -0.178779},
                                {-0.078411, 0.930809, 0.147602},
                                {0.004733, 0.691367, 0.303900}}};

Vector times(const Matrix& m, const Vector& v)
{
    Vector result{};
    for (std::size_t row = 0; row < 3; ++row)
        result[row] = m[row][0] * v[0] + m[row][1] * v[1] + m[row][2] * v[2];
    return result;
}

double linear(double c)
{
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

// CIE Lab (D65) of a colour as an eye of that kind sees it.
Vector lab(const QColor& color, const Matrix& sight)
{
    Vector rgb =
        times(sight, {linear(color.redF()), linear(color.greenF()), linear(color.blueF())});
    for (double& c : rgb)
        c = std::clamp(c, 0.0, 1.0);
    constexpr Matrix toXyz = {{{0.4124564, 0.3575761, 0.1804375},
                               {0.2126729, 0.7151522, 0.0721750},
                               {0.0193339, 0.1191920, 0.9503041}}};
    Vector xyz = times(toXyz, rgb);
    constexpr Vector white = {0.95047, 1, 1.08883};
    const auto f = [](double t) {
        return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    };
    const double x = f(xyz[0] / white[0]);
    const double y = f(xyz[1] / white[1]);
    const double z = f(xyz[2] / white[2]);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double radians(double degrees)
{
    return degrees * std::numbers::pi / 180;
}

double hueOf(double a, double b)
{
    const double h = std::atan2(b, a) * 180 / std::numbers::pi;
    return h < 0 ? h + 360 : h;
}

// CIEDE2000 after Sharma, Wu and Dalal 2005.
double ciede2000(const Vector& one, const Vector& two)
{
    const double meanChroma7 =
        std::pow((std::hypot(one[1], one[2]) + std::hypot(two[1], two[2])) / 2, 7);
    const double g = 0.5 * (1 - std::sqrt(meanChroma7 / (meanChroma7 + std::pow(25.0, 7))));
    const double a1 = (1 + g) * one[1];
    const double a2 = (1 + g) * two[1];
    const double c1 = std::hypot(a1, one[2]);
    const double c2 = std::hypot(a2, two[2]);
    const double h1 = c1 == 0 ? 0 : hueOf(a1, one[2]);
    const double h2 = c2 == 0 ? 0 : hueOf(a2, two[2]);
    double dh = c1 * c2 == 0 ? 0 : h2 - h1;
    if (dh > 180)
        dh -= 360;
    else if (dh < -180)
        dh += 360;
    const double dH = 2 * std::sqrt(c1 * c2) * std::sin(radians(dh / 2));
    const double l = (one[0] + two[0]) / 2;
    const double c = (c1 + c2) / 2;
    double h = h1 + h2;
    if (c1 * c2 != 0) {
        if (std::abs(h1 - h2) > 180)
            h += h < 360 ? 360 : -360;
        h /= 2;
    }
    const double t = 1 - 0.17 * std::cos(radians(h - 30)) + 0.24 * std::cos(radians(2 * h)) +
                     0.32 * std::cos(radians(3 * h + 6)) - 0.20 * std::cos(radians(4 * h - 63));
    const double turn = 30 * std::exp(-std::pow((h - 275) / 25, 2));
    const double c7 = std::pow(c, 7);
    const double rc = 2 * std::sqrt(c7 / (c7 + std::pow(25.0, 7)));
    const double sl = 1 + 0.015 * std::pow(l - 50, 2) / std::sqrt(20 + std::pow(l - 50, 2));
    const double sc = 1 + 0.045 * c;
    const double sh = 1 + 0.015 * c * t;
    const double rt = -std::sin(radians(2 * turn)) * rc;
    const double dL = (two[0] - one[0]) / sl;
    const double dC = (c2 - c1) / sc;
    return std::sqrt(dL * dL + dC * dC + std::pow(dH / sh, 2) + rt * dC * dH / sh);
}

double smallestDistance(const Colors& colors, const Matrix& sight)
{
    constexpr Token told[] = {Token::added,   Token::removed, Token::changed,
                              Token::blocked, Token::accent,  Token::edge};
    double smallest = 1000;
    for (std::size_t i = 0; i < std::size(told); ++i)
        for (std::size_t j = i + 1; j < std::size(told); ++j)
            smallest = std::min(smallest, ciede2000(lab(colors.of(told[i]), sight),
                                                    lab(colors.of(told[j]), sight)));
    return smallest;
}

QColor firstInk(const QImage& image)
{
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (qAlpha(image.pixel(x, y)) == 255)
                return QColor(image.pixel(x, y));
    return {};
}

} // namespace

class ThemeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void cleanup() { theme().setChoice(ThemeChoice::light); }

    void contrastIsWhatTheTableSays_data()
    {
        QTest::addColumn<int>("ink");
        QTest::addColumn<int>("paper");
        QTest::addColumn<double>("light");
        QTest::addColumn<double>("dark");
        const auto row = [](const char* name, Token ink, Token paper, double light, double dark) {
            QTest::newRow(name) << static_cast<int>(ink) << static_cast<int>(paper) << light
                                << dark;
        };
        row("control on base", Token::control, Token::base, 3.7, 3.7);
        row("control on window", Token::control, Token::window, 3.3, 3.3);
        row("text on base", Token::text, Token::base, 16.0, 13.4);
        row("text on selection", Token::text, Token::accentFill, 12.5, 9.2);
        row("text2 on base", Token::text2, Token::base, 6.7, 7.4);
        row("text2 on head", Token::text2, Token::head, 5.5, 5.8);
        row("text3 on base", Token::text3, Token::base, 3.7, 4.4);
        row("link on base", Token::link, Token::base, 7.1, 8.1);
        row("accent on base", Token::accent, Token::base, 4.9, 5.4);
        row("accent on canvas", Token::accent, Token::canvas, 4.7, 5.8);
        row("onAccent on accent", Token::onAccent, Token::accent, 4.9, 6.1);
        row("added on canvas", Token::added, Token::canvas, 4.9, 8.2);
        row("added on fill", Token::added, Token::addedFill, 4.5, 6.5);
        row("removed on canvas", Token::removed, Token::canvas, 7.0, 5.8);
        row("removed on fill", Token::removed, Token::removedFill, 6.2, 4.9);
        row("changed on canvas", Token::changed, Token::canvas, 4.1, 10.4);
        row("changed ink on fill", Token::changedInk, Token::changedFill, 5.7, 8.1);
        row("blocked on canvas", Token::blocked, Token::canvas, 9.9, 10.6);
        row("blocked on fill", Token::blocked, Token::blockedFill, 8.5, 8.3);
        row("edge on canvas", Token::edge, Token::canvas, 3.3, 4.6);
        row("card line on canvas", Token::cardLine, Token::canvas, 2.1, 2.7);
        row("tool tip", Token::toolTipText, Token::toolTip, 12.3, 12.8);
        row("glyph on added", Token::glyph, Token::added, 5.1, 8.2);
        row("glyph on removed", Token::glyph, Token::removed, 7.3, 5.8);
        row("glyph on changed", Token::glyph, Token::changed, 4.2, 10.4);
        row("glyph on blocked", Token::glyph, Token::blocked, 10.2, 10.6);
    }

    void contrastIsWhatTheTableSays()
    {
        QFETCH(int, ink);
        QFETCH(int, paper);
        QFETCH(double, light);
        QFETCH(double, dark);
        const auto measured = [&](Scheme scheme) {
            const Colors& colors = colorsOf(scheme);
            return contrastRatio(colors.of(Token(ink)), colors.of(Token(paper)));
        };
        // The table gives one decimal.
        QVERIFY2(std::abs(measured(Scheme::light) - light) < 0.1,
                 qPrintable(QString::number(measured(Scheme::light))));
        QVERIFY2(std::abs(measured(Scheme::dark) - dark) < 0.1,
                 qPrintable(QString::number(measured(Scheme::dark))));
    }

    void secondaryTextReadsOnEveryTint()
    {
        for (const Scheme scheme :
             {Scheme::light, Scheme::dark, Scheme::contrastLight, Scheme::contrastDark}) {
            const Colors& colors = colorsOf(scheme);
            for (std::size_t i = 0; i < colors.categories.size(); ++i) {
                const auto category = Category(i);
                QVERIFY(contrastRatio(colors.of(Token::text2), colors.tint(category)) >= 4.5);
                QVERIFY(contrastRatio(colors.of(category), colors.of(Token::card)) >= 4.5);
            }
        }
    }

    void heatTextReads()
    {
        for (const Scheme scheme : {Scheme::light, Scheme::dark})
            for (std::size_t i = 0; i < heatLevels; ++i)
                QVERIFY2(contrastRatio(colorsOf(scheme).heat[i], colorsOf(scheme).heatText[i]) >=
                             4.5,
                         qPrintable(QString::number(i)));
    }

    void heatBoundsAreTolerances()
    {
        QCOMPARE(Theme::heatLevel(0, 1e-3), 0);
        QCOMPARE(Theme::heatLevel(2e-4, 1e-3), 0);
        QCOMPARE(Theme::heatLevel(9e-4, 1e-3), 1);
        QCOMPARE(Theme::heatLevel(2e-3, 1e-3), 2);
        QCOMPARE(Theme::heatLevel(1.9e-2, 1e-3), 3);
        QCOMPARE(Theme::heatLevel(9e-2, 1e-3), 4);
        QCOMPARE(Theme::heatLevel(0.2, 1e-3), 5);
        QCOMPARE(Theme::heatLevel(std::nan(""), 1e-3), 5);
    }

    void distanceFormulaMatchesPublishedPairs()
    {
        // Three pairs of the test data that Sharma, Wu and Dalal published with the formula.
        QVERIFY(std::abs(ciede2000({50, 2.6772, -79.7751}, {50, 0, -82.7485}) - 2.0425) < 1e-4);
        QVERIFY(std::abs(ciede2000({50, 0, 0}, {50, -1, 2}) - 2.3669) < 1e-4);
        QVERIFY(std::abs(ciede2000({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}) -
                         1.2644) < 1e-4);
    }

    void everyKindOfSightTellsTheStatesApart_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<int>("sight");
        QTest::addColumn<double>("expected");
        const auto light = static_cast<int>(Scheme::light);
        const auto dark = static_cast<int>(Scheme::dark);
        QTest::newRow("light") << light << 0 << 19.5;
        QTest::newRow("light deuteranopia") << light << 1 << 13.9;
        QTest::newRow("light protanopia") << light << 2 << 15.4;
        QTest::newRow("light tritanopia") << light << 3 << 10.5;
        QTest::newRow("dark") << dark << 0 << 17.9;
        QTest::newRow("dark deuteranopia") << dark << 1 << 13.1;
        QTest::newRow("dark protanopia") << dark << 2 << 12.8;
        QTest::newRow("dark tritanopia") << dark << 3 << 12.0;
    }

    void everyKindOfSightTellsTheStatesApart()
    {
        QFETCH(int, scheme);
        QFETCH(int, sight);
        QFETCH(double, expected);
        constexpr std::array<Matrix, 4> all = {normalSight, deuteranopia, protanopia, tritanopia};
        const double found =
            smallestDistance(colorsOf(Scheme(scheme)), all[static_cast<std::size_t>(sight)]);
        QVERIFY2(found >= 10, qPrintable(QString::number(found)));
        QVERIFY2(std::abs(found - expected) < 0.15, qPrintable(QString::number(found)));
    }

    void highContrastHasNoTints()
    {
        theme().setChoice(ThemeChoice::highContrast);
        QVERIFY(theme().highContrast());
        QCOMPARE(theme().color(Token::addedFill), theme().color(Token::base));
        QCOMPARE(theme().tint(Category::conv), theme().color(Token::base));
        QCOMPARE(theme().color(Token::border), theme().color(Token::text));
        QCOMPARE(theme().color(Token::accent), QColor(0x00, 0x46, 0xB8));
        QCOMPARE(theme().hatch(Qt::red, 1).style(), Qt::NoBrush);
        QCOMPARE(theme().lineWidth(1.3), 2.3);
        QVERIFY(contrastRatio(theme().color(Token::onAccentFill),
                              theme().color(Token::accentFill)) >= 7);
    }

    void switchingTellsAndRepaints()
    {
        theme().setChoice(ThemeChoice::light);
        QSignalSpy spy(&theme(), &Theme::changed);
        theme().setChoice(ThemeChoice::dark);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(QApplication::palette().color(QPalette::Base), QColor(0x1C, 0x1F, 0x24));
        QVERIFY(!qApp->styleSheet().contains(QLatin1Char('@')));
        theme().setChoice(ThemeChoice::dark);
        QCOMPARE(spy.count(), 1);
        theme().setChoice(ThemeChoice::light);
        QCOMPARE(spy.count(), 2);
        QCOMPARE(QApplication::palette().color(QPalette::Base), QColor(Qt::white));
    }

    void styleSheetStaysSmall()
    {
        QFile file(QStringLiteral(":/style/fusescope.qss"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().count('\n') < 120);
    }

    void toolTipsWaitTheirTime()
    {
        QCOMPARE(QApplication::style()->styleHint(QStyle::SH_ToolTip_WakeUpDelay), 400);
    }

    void rowsGrowWithTheFont()
    {
        QFont large = theme().font();
        large.setPointSizeF(30);
        const QFontMetrics metrics(large);
        QCOMPARE(rowHeight(Row::tree, metrics), metrics.height() + 6);
        QFont small = large;
        small.setPixelSize(8);
        QCOMPARE(rowHeight(Row::tree, QFontMetrics(small)), 22);
        QCOMPARE(rowHeight(Row::toolbar, QFontMetrics(small)), 38);
    }

    void fontsKeepTheirScale()
    {
        const QFont before = QApplication::font();
        QFont base = before;
        base.setPointSizeF(12);
        QApplication::setFont(base);
        QCOMPARE(theme().font(TextScale::step).pointSizeF(), 12 * 1.67);
        QCOMPARE(theme().monoFont().pointSizeF(), 12 * 0.92);
        QCOMPARE(theme().font(TextScale::normal, true).weight(), QFont::DemiBold);
        const QFontMetricsF mono(theme().monoFont());
        QCOMPARE(mono.horizontalAdvance(u'i'), mono.horizontalAdvance(u'W'));
        base.setPixelSize(12);
        QApplication::setFont(base);
        QCOMPARE(theme().font(TextScale::step).pixelSize(), 20);
        QCOMPARE(theme().monoFont().pixelSize(), 11);
        QApplication::setFont(before);
    }

    void hatchIsOnePerScale()
    {
        const QColor red = theme().color(Token::removed);
        QCOMPARE(theme().hatch(red, 1).texture().width(), 7);
        QCOMPARE(theme().hatch(red, 2).texture().width(), 14);
        QCOMPARE(theme().hatch(red, 2).transform().m11(), 0.5);
    }

    void everyIconDrawsInOneColour()
    {
        const QStringList files = QDir(QStringLiteral(":/icons")).entryList();
        QVERIFY(files.size() > 70);
        for (const QString& file : files) {
            if (file == QLatin1String("fusescope.svg"))
                continue;
            const QIcon made = icon(file.chopped(4), Token::removed);
            QVERIFY2(!made.isNull(), qPrintable(file));
            const QImage image = made.pixmap(QSize(32, 32)).toImage();
            QCOMPARE(firstInk(image), theme().color(Token::removed));
            // Nothing is cut off: the outermost row and column stay clear of full ink.
            const int last = image.width() - 1;
            for (int i = 0; i <= last; ++i)
                for (const QPoint& at :
                     {QPoint(i, 0), QPoint(0, i), QPoint(i, last), QPoint(last, i)})
                    QVERIFY2(qAlpha(image.pixel(at)) < 200, qPrintable(file));
        }
        QVERIFY(icon(QStringLiteral("no such icon")).isNull());
    }

    void everyCategoryHasItsIcon()
    {
        QStringList names;
        for (int i = 0; i < static_cast<int>(Category::count); ++i) {
            const QString name = iconName(Category(i));
            QVERIFY2(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(name)), qPrintable(name));
            QVERIFY(!names.contains(name));
            names.append(name);
        }
    }

    void iconsFollowModeAndTheme()
    {
        const QIcon made = icon(QStringLiteral("run"), Token::text, Token::onAccent);
        const auto ink = [&](QIcon::Mode mode, QIcon::State state) {
            return firstInk(made.pixmap(QSize(16, 16), mode, state).toImage());
        };
        QCOMPARE(ink(QIcon::Normal, QIcon::Off), theme().color(Token::text));
        QCOMPARE(ink(QIcon::Normal, QIcon::On), theme().color(Token::onAccent));
        QCOMPARE(ink(QIcon::Disabled, QIcon::Off), theme().color(Token::text3));
        theme().setChoice(ThemeChoice::dark);
        QCOMPARE(ink(QIcon::Normal, QIcon::Off), QColor(0xE5, 0xE8, 0xEC));
    }

    void badgesDifferWithoutColour()
    {
        QList<QImage> shapes;
        for (const Mark mark :
             {Mark::added, Mark::removed, Mark::changed, Mark::blocked, Mark::tick, Mark::cross,
              Mark::current, Mark::coming, Mark::profit}) {
            QImage image(15, 15, QImage::Format_ARGB32_Premultiplied);
            image.fill(theme().color(Token::canvas));
            QPainter painter(&image);
            paintMark(painter, QRectF(0, 0, 15, 15), mark);
            painter.end();
            const QImage shape = image.convertToFormat(QImage::Format_Grayscale8)
                                     .convertToFormat(QImage::Format_Mono, Qt::ThresholdDither);
            for (const QImage& other : shapes)
                QVERIFY(shape != other);
            shapes.append(shape);
        }
    }

    void barsAreLogarithmic()
    {
        QCOMPARE(logFraction(0), 0.0);
        QCOMPARE(logFraction(1e-8), 0.0);
        QCOMPARE(logFraction(1), 1.0);
        QVERIFY(qFuzzyCompare(logFraction(std::pow(10, -3.5)), 0.5));
        QCOMPARE(logFraction(-1e9), 1.0);
        QCOMPARE(logFraction(std::nan("")), 1.0);
    }

    void pillFitsItsText()
    {
        const QFont font = theme().font(TextScale::badge, true);
        const QSizeF plain = pillSize({QStringLiteral("28")}, font);
        const QSizeF marked = pillSize({QStringLiteral("28"), Tone::blocked, Mark::blocked}, font);
        QVERIFY(plain.width() >= QFontMetricsF(font).horizontalAdvance(QStringLiteral("28")) + 12);
        QCOMPARE(marked.width(), plain.width() + 13);
        QVERIFY(plain.height() >= QFontMetricsF(font).height());
    }
};

FUSESCOPE_TEST(ThemeTest, theme_test)
#include "theme_test.moc"
