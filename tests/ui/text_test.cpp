#include <limits>

#include <QApplication>
#include <QTextDocument>

#include "support/test_class.h"
#include "odd_names.h"
#include "ui/text.h"

using namespace fusescope;

namespace {

QString shown(const QString& html)
{
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

bool halfPairs(const QString& text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text.at(i).isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate())
            ++i;
        else if (text.at(i).isSurrogate())
            return true;
    }
    return false;
}

} // namespace

class TextTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oddNamesComeThroughToolTips()
    {
        for (const QString& name : oddNames()) {
            const QString tip = text::toolTip(name);
            const QString seen = shown(tip);
            const QStringList lines = seen.split(u'\n');
            QVERIFY(lines.size() <= text::toolTipLines);
            for (const QString& line : lines)
                QVERIFY2(line.size() <= text::toolTipColumns, qPrintable(line));
            QVERIFY(!halfPairs(seen));
            QVERIFY(!tip.contains(QLatin1String("<img")) && !tip.contains(QLatin1String("<b>")));
            if (name.size() < text::toolTipColumns && !name.contains(u'\n') && !name.isEmpty()) {
                QString flat = seen;
                flat.replace(QChar(0x00A0), u' ');
                QCOMPARE(flat, text::oneLine(name));
            }
        }
    }

    void longToolTipsEndInAnEllipsis()
    {
        const QString seen = shown(text::toolTip(QString(5000, u'x')));
        QVERIFY(seen.endsWith(QChar(0x2026)));
        QCOMPARE(seen.split(u'\n').size(), 5);
        QCOMPARE(seen.split(u'\n').first().size(), 60);
        QCOMPARE(seen.split(u'\n').last().size(), 60);
        const QString exact = shown(text::toolTip(QString(300, u'x')));
        QVERIFY(!exact.endsWith(QChar(0x2026)));
    }

    void toolTipsWrapAtWords()
    {
        QString tip = shown(text::toolTip(
            QStringLiteral("The Conv result is also read by another node, which needs the value "
                           "before the activation.")));
        tip.replace(QChar(0x00A0), u' ');
        QCOMPARE(tip.split(u'\n').size(), 2);
        QVERIFY2(tip.split(u'\n').first().endsWith(QLatin1String("which needs")), qPrintable(tip));
    }

    void oddNamesStayOnOneLine()
    {
        for (const QString& name : oddNames()) {
            const QString line = text::oneLine(name);
            QVERIFY(!line.contains(u'\n') && !line.contains(u'\r') && !line.contains(u'\t'));
            QVERIFY(!line.contains(QChar(0x202E)));
            QVERIFY(!halfPairs(line));
        }
        QCOMPARE(text::oneLine(QStringLiteral("two\nlines")), QStringLiteral("two\\nlines"));
        QCOMPARE(text::oneLine(QStringLiteral("a\u202Eb")), QStringLiteral("a\\u202eb"));
        QCOMPARE(text::oneLine(QStringLiteral("</b><img src=x>")),
                 QStringLiteral("</b><img src=x>"));
    }

    void labelsDoubleAmpersands()
    {
        QCOMPARE(text::label(QStringLiteral("a&b && c")), QStringLiteral("a&&b &&&& c"));
        QCOMPARE(text::label(QStringLiteral("Run")), QStringLiteral("Run"));
        for (const QString& name : oddNames())
            QCOMPARE(text::label(name).count(u'&'), name.count(u'&') * 2);
    }

    void titlesKeepTheirBrackets()
    {
        QCOMPARE(text::title(QStringLiteral("m[*]x [*][*]")),
                 QStringLiteral("m[*][*]x [*][*][*][*]"));
        QCOMPARE(text::title(QStringLiteral("plain\n")), QStringLiteral("plain\\n"));
    }

    void elisionFitsAndKeepsBothEnds()
    {
        const QFontMetrics metrics(QApplication::font());
        for (const QString& name : oddNames()) {
            const QString cut = text::elideMiddle(name, metrics, 120);
            QVERIFY2(metrics.horizontalAdvance(cut) <= 121, qPrintable(cut));
            QVERIFY(!halfPairs(cut));
        }
        const QString cut = text::elideMiddle(
            QStringLiteral("/encoder/layer.11/output/dense/MatMul"), metrics, 160);
        QVERIFY(cut.startsWith(QLatin1String("/enc")));
        QVERIFY(cut.endsWith(QLatin1String("Mul")));
        QVERIFY(cut.contains(QChar(0x2026)));
        QCOMPARE(text::elideMiddle(QStringLiteral("conv1"), metrics, 160),
                 QStringLiteral("conv1"));
    }

    void namesAreRelativeToTheirScope_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("scope");
        QTest::addColumn<QString>("op");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* scope, const char* op,
                            const char* expected) {
            QTest::addRow("%s in %s", name, scope)
                << QString::fromUtf8(name) << QString::fromUtf8(scope) << QString::fromUtf8(op)
                << QString::fromUtf8(expected);
        };
        row("/layer2/layer2.0/conv1/Conv", "/layer2/layer2.0", "Conv", "conv1");
        row("/layer2/layer2.0/conv1/Conv", "layer2/layer2.0", "Conv", "conv1");
        row("/layer2/layer2.0/downsample/downsample.0/Conv", "/layer2/layer2.0", "Conv",
            "downsample/downsample.0");
        row("/layer2/layer2.0/Add", "/layer2/layer2.0", "Add", "Add");
        row("/layer1/layer1.1/relu_1", "/layer2/layer2.0", "Relu", "/layer1/layer1.1/relu_1");
        row("/layer20/conv", "/layer2", "Conv", "/layer20/conv");
        row("conv1", "", "Conv", "conv1");
        row("/conv1/Conv", "", "Conv", "conv1");
        row("layer1.0.conv1", "layer1.0", "Conv", "conv1");
        row("/Conv", "", "Conv", "Conv");
        row("", "/a", "Conv", "");
        row("/", "/", "Conv", "/");
        row("</b><img src=x>", "</b", "Conv", "</b><img src=x>");
    }

    void namesAreRelativeToTheirScope()
    {
        QFETCH(QString, name);
        QFETCH(QString, scope);
        QFETCH(QString, op);
        QFETCH(QString, expected);
        QCOMPARE(text::relativeName(name, scope, op), expected);
    }

    void shortPathsLeaveRepetitionsOut()
    {
        const auto shortened = [](const char* name, const char* op) {
            return text::shortPath(QString::fromUtf8(name), QString::fromUtf8(op));
        };
        QCOMPARE(shortened("/layer2/layer2.0/conv1/Conv", "Conv"),
                 QStringLiteral("layer2.0/conv1"));
        QCOMPARE(shortened("/features/features.11/conv/conv.2/Conv", "Conv"),
                 QStringLiteral("features.11/conv.2"));
        QCOMPARE(shortened("/Conv", "Conv"), QStringLiteral("Conv"));
        QCOMPARE(shortened("", "Conv"), QString());
        for (const QString& name : oddNames())
            QVERIFY(text::shortPath(name, QStringLiteral("Conv")).size() <= name.size());
    }

    void numbers()
    {
        QCOMPARE(text::count(0), QStringLiteral("0"));
        QCOMPARE(text::count(999), QStringLiteral("999"));
        QCOMPARE(text::count(11700402), QStringLiteral("11,700,402"));
        QCOMPARE(text::count(-1000), QStringLiteral("\u22121,000"));
        QCOMPARE(text::count(std::numeric_limits<qint64>::min()),
                 QStringLiteral("\u22129,223,372,036,854,775,808"));
        QCOMPARE(text::signedCount(3), QStringLiteral("+3"));
        QCOMPARE(text::signedCount(-28), QStringLiteral("\u221228"));
        QCOMPARE(text::signedCount(0), QStringLiteral("0"));
        QCOMPARE(text::bytes(0), QStringLiteral("0 B"));
        QCOMPARE(text::bytes(46800000), QStringLiteral("46.8 MB"));
        QCOMPARE(text::bytes(999900), QStringLiteral("1.00 MB"));
        QCOMPARE(text::bytes(2210000000), QStringLiteral("2.21 GB"));
        QCOMPARE(text::bytes(std::numeric_limits<quint64>::max()), QStringLiteral("18.4 EB"));
        QCOMPARE(text::scaled(3.66e9), QStringLiteral("3.66 G"));
        QCOMPARE(text::scaled(12), QStringLiteral("12"));
        QCOMPARE(text::scientific(1.9e-6), QStringLiteral("1.9e-6"));
        QCOMPARE(text::scientific(1.9e2), QStringLiteral("1.9e+2"));
        QCOMPARE(text::scientific(0), QStringLiteral("0"));
        QCOMPARE(text::scientific(-1.3e-11), QStringLiteral("\u22121.3e-11"));
        QCOMPARE(text::scientific(std::numeric_limits<double>::quiet_NaN()),
                 QStringLiteral("NaN"));
        QCOMPARE(text::scientific(-std::numeric_limits<double>::infinity()),
                 QStringLiteral("\u2212Inf"));
        QCOMPARE(text::value(0.24614), QStringLiteral("0.2461"));
        QCOMPARE(text::value(-0.0829), QStringLiteral("\u22120.0829"));
        QCOMPARE(text::value(1e-5), QStringLiteral("1e-5"));
        QCOMPARE(text::milliseconds(1.94), QStringLiteral("1.94 ms"));
        QCOMPARE(text::milliseconds(14.2), QStringLiteral("14.2 ms"));
        QCOMPARE(text::milliseconds(2100), QStringLiteral("2.1 s"));
        QCOMPARE(text::milliseconds(0.0032), QStringLiteral("3.2 µs"));
        QCOMPARE(text::ratio(3.2), QStringLiteral("3.2×"));
        QCOMPARE(text::ratio(1.449), QStringLiteral("1.45×"));
        QCOMPARE(text::ratio(12.4), QStringLiteral("12×"));
        QCOMPARE(text::percentChange(74, 49), QStringLiteral("\u221234 %"));
        QCOMPARE(text::percentChange(11700402, 11687538), QStringLiteral("\u22120.1 %"));
        QCOMPARE(text::percentChange(5, 5), QStringLiteral("0 %"));
    }
};

FUSESCOPE_TEST(TextTest, text_test)
#include "text_test.moc"
