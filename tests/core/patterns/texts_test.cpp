#include "report/texts.h"
#include "support/test_class.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

using namespace fusescope;

// Every sentence that the patterns name stands in the table, short enough to be read.
class TextsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyKeyStandsInTheTable()
    {
        const QRegularExpression key(
            QStringLiteral("\"((?:headline|reason|unblock|condition|saw|title)\\.[a-z0-9-]+)\""));
        const QDir folder(QStringLiteral(FUSESCOPE_SOURCE_DIR "/core/patterns"));
        int keys = 0;
        for (const QString& name : folder.entryList({"*.cpp", "*.h"})) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            auto found = key.globalMatch(QString::fromUtf8(file.readAll()));
            while (found.hasNext()) {
                const QByteArray text = found.next().captured(1).toUtf8();
                QVERIFY2(findText(text.toStdString()), (name.toUtf8() + ": " + text).constData());
                ++keys;
            }
        }
        QVERIFY(keys > 100);
    }

    void headlinesAndSentencesAreShort()
    {
        for (const auto table : textTables()) {
            for (const TextRow& row : table) {
                const QByteArray key = QByteArray(row.key.data(), static_cast<int>(row.key.size()));
                const QString text = QString::fromUtf8(row.one);
                if (key.startsWith("headline."))
                    QVERIFY2(text.size() <= 40 && !text.contains('{'), key.constData());
                const bool sentence = key.startsWith("reason.") || key.startsWith("unblock.");
                if (sentence && key.count('.') == 1) {
                    QVERIFY2(text.split(' ').size() < 25, key.constData());
                    QVERIFY2(text.endsWith('.'), key.constData());
                }
            }
        }
    }
};

FUSESCOPE_TEST(TextsTest, texts_test)
#include "texts_test.moc"
