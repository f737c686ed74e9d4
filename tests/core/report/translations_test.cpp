#include "report/render.h"
#include "report/texts.h"
#include "support/test_class.h"

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QXmlStreamReader>

using namespace fusescope;

namespace {

struct Entry
{
    QString context, source, comment;
    QStringList forms;
    bool numerus = false, finished = true;
};

QList<Entry> entriesOf(const QString& language, QString* error)
{
    QFile file(QStringLiteral(FUSESCOPE_SOURCE_DIR "/translations/fusescope_%1.ts").arg(language));
    if (!file.open(QIODevice::ReadOnly)) {
        *error = file.errorString();
        return {};
    }
    QList<Entry> entries;
    QString context;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement())
            continue;
        const QStringView name = xml.name();
        if (name == QLatin1String("name")) {
            context = xml.readElementText();
        } else if (name == QLatin1String("message")) {
            entries << Entry{context, {}, {}, {}, xml.attributes().value(QLatin1String("numerus")) ==
                                                      QLatin1String("yes"), true};
        } else if (name == QLatin1String("source")) {
            entries.last().source = xml.readElementText();
        } else if (name == QLatin1String("translation")) {
            entries.last().finished = !xml.attributes().hasAttribute(QLatin1String("type"));
            if (!entries.last().numerus)
                entries.last().forms << xml.readElementText();
        } else if (name == QLatin1String("numerusform")) {
            entries.last().forms << xml.readElementText();
        }
    }
    if (xml.hasError())
        *error = xml.errorString();
    return entries;
}

QSet<QString> placeholdersOf(const QString& text)
{
    static const QRegularExpression pattern(QStringLiteral("\\{\\w+\\}|%\\d|%n"));
    QSet<QString> found;
    for (auto it = pattern.globalMatch(text); it.hasNext();)
        found.insert(it.next().captured());
    return found;
}

} // namespace

class TranslationsTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void nothingIsUnfinishedAndPlaceholdersAgree_data()
    {
        QTest::addColumn<int>("forms");
        QTest::newRow("zh_CN") << 1;
        QTest::newRow("en") << 2;
    }

    void nothingIsUnfinishedAndPlaceholdersAgree()
    {
        QFETCH(int, forms);
        QString error;
        const QList<Entry> entries = entriesOf(QString::fromUtf8(QTest::currentDataTag()), &error);
        QVERIFY2(error.isEmpty(), qPrintable(error));
        QVERIFY(!entries.isEmpty());
        for (const Entry& entry : entries) {
            const QByteArray where = (entry.context + QStringLiteral(": ") + entry.source).toUtf8();
            QVERIFY2(entry.finished, where);
            QVERIFY2(entry.forms.size() == (entry.numerus ? forms : 1), where);
            for (const QString& form : entry.forms) {
                QVERIFY2(!form.trimmed().isEmpty(), where);
                QVERIFY2(placeholdersOf(form) == placeholdersOf(entry.source), where);
            }
        }
    }

    // Beside an octagon there is room for four words.
    void tagsAreShort()
    {
        QString error;
        QMap<QString, QString> chinese;
        for (const Entry& entry : entriesOf(QStringLiteral("zh_CN"), &error))
            chinese.insert(entry.context + QLatin1Char('\n') + entry.source, entry.forms.value(0));
        int seen = 0;
        for (const auto table : textTables()) {
            for (const TextRow& row : table) {
                const QString key = QString::fromUtf8(row.key.data(), static_cast<int>(row.key.size()));
                if (key.startsWith(QLatin1String("tag.")) || !key.contains(QLatin1String("headline")))
                    continue;
                ++seen;
                Message headline;
                headline.text.key = row.key;
                const TextRow* tag = findText(tagOf(headline).text.key);
                QVERIFY(tag);
                const QString english = QString::fromUtf8(tag->one);
                QVERIFY2(english.split(QLatin1Char(' ')).size() <= 4, tag->one);
                const QString other =
                    chinese.value(QString::fromUtf8(tag->context) + QLatin1Char('\n') + english);
                QVERIFY2(!other.isEmpty() && other.size() <= 24, tag->one);
            }
        }
        QVERIFY(seen > 60);
    }

    void everyTextOfCoreIsTranslated()
    {
        QString error;
        QSet<QString> known;
        for (const Entry& entry : entriesOf(QStringLiteral("zh_CN"), &error))
            known.insert(entry.context + QLatin1Char('\n') + entry.source);
        for (const auto table : textTables()) {
            for (const TextRow& row : table) {
                const QString one = QString::fromUtf8(row.context) + QLatin1Char('\n') +
                                    QString::fromUtf8(row.one);
                QVERIFY2(known.contains(one), row.one);
                if (row.other)
                    QVERIFY2(known.contains(QString::fromUtf8(row.otherContext) +
                                            QLatin1Char('\n') + QString::fromUtf8(row.other)),
                             row.other);
            }
        }
    }

    // Also those whose class the tool that gathers them did not understand.
    void everyTextOfTheWindowIsTranslated()
    {
        QString error;
        QSet<QString> known;
        for (const Entry& entry : entriesOf(QStringLiteral("zh_CN"), &error))
            known.insert(entry.source);
        static const QRegularExpression call(
            QStringLiteral("\\btr\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"));
        static const QRegularExpression part(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
        int found = 0;
        for (const char* folder : {"/ui", "/app"}) {
            QDirIterator files(QStringLiteral(FUSESCOPE_SOURCE_DIR) + QLatin1String(folder),
                               {QStringLiteral("*.cpp")}, QDir::Files,
                               QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                QVERIFY(file.open(QIODevice::ReadOnly));
                const QString code = QString::fromUtf8(file.readAll());
                for (auto it = call.globalMatch(code); it.hasNext();) {
                    QString words;
                    const QString literals = it.next().captured(1);
                    for (auto at = part.globalMatch(literals); at.hasNext();)
                        words += at.next().captured(1);
                    words.replace(QLatin1String("\\n"), QLatin1String("\n"));
                    words.replace(QLatin1String("\\\""), QLatin1String("\""));
                    QVERIFY2(known.contains(words), qPrintable(file.fileName() + words));
                    ++found;
                }
            }
        }
        QVERIFY(found > 700);
    }

    void theMenusAreCalledAsAgreed()
    {
        QString error;
        QMap<QString, QString> actions;
        for (const Entry& entry : entriesOf(QStringLiteral("zh_CN"), &error)) {
            if (entry.context == QLatin1String("Actions"))
                actions[entry.source] = entry.forms.value(0);
        }
        QCOMPARE(actions.value(QStringLiteral("&Open…")), QStringLiteral("打开…"));
        QCOMPARE(actions.value(QStringLiteral("&Run && Compare")), QStringLiteral("运行并比较"));
        QCOMPARE(actions.value(QStringLiteral("&Why Not Fused?")), QStringLiteral("为何未融合？"));
        QCOMPARE(actions.value(QStringLiteral("Run &Pass")), QStringLiteral("运行本遍"));
    }
};

FUSESCOPE_TEST(TranslationsTest, translations_test)
#include "translations_test.moc"
