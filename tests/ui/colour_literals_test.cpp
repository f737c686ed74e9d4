#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include "support/test_class.h"

// Colours stand in one file; everything else asks the theme, or it would not follow a switch.
class ColourLiteralsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyTheTokensHoldColours()
    {
        const QRegularExpression literal(QStringLiteral(
            "QColor\\s*\\(\\s*(0x|\\d|\"#|Qt::)|\"#[0-9A-Fa-f]{6,8}\"|qRgba?\\s*\\(\\s*[0-9]|"
            "Qt::(red|green|blue|yellow|cyan|magenta|white|black|gray|darkGray|lightGray)\\b"));
        QVERIFY(literal.match(QStringLiteral("QColor(0x12, 3, 4)")).hasMatch());
        QVERIFY(literal.match(QStringLiteral("x = \"#A81C3A\"")).hasMatch());
        int files = 0;
        QDirIterator all(QStringLiteral(FUSESCOPE_SOURCE_DIR "/ui"),
                         {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                         QDirIterator::Subdirectories);
        while (all.hasNext()) {
            QFile file(all.next());
            if (file.fileName().endsWith(QLatin1String("/theme/tokens.cpp")))
                continue;
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString source = QString::fromUtf8(file.readAll());
            const QRegularExpressionMatch match = literal.match(source);
            QVERIFY2(!match.hasMatch(),
                     qPrintable(file.fileName() + QStringLiteral(": ") + match.captured()));
            ++files;
        }
        QVERIFY(files > 30);
    }

    // The sheet's own colours come from the tokens too.
    void styleSheetHoldsNames()
    {
        QFile file(QStringLiteral(":/style/fusescope.qss"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString sheet = QString::fromUtf8(file.readAll());
        QVERIFY(!sheet.contains(QRegularExpression(QStringLiteral("#[0-9A-Fa-f]{3,8}\\b"))));
    }
};

FUSESCOPE_TEST(ColourLiteralsTest, colour_literals_test)
#include "colour_literals_test.moc"
