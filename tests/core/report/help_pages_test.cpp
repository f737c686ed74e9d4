#include "report/reason_code.h"
#include "report/texts.h"
#include "support/test_class.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

using namespace fusescope;

namespace {

QDir helpFolder()
{
    return QDir(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/help"));
}

QStringList linesOf(const QString& id)
{
    QFile file(helpFolder().filePath(id + QStringLiteral(".md")));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.readAll()).trimmed().split(QLatin1Char('\n'));
}

QStringList ruleIds()
{
    QStringList ids;
    for (const auto table : textTables()) {
        for (const TextRow& row : table) {
            if (row.key.starts_with("rule."))
                ids << QString::fromUtf8(row.key.data() + 5, qsizetype(row.key.size()) - 5);
        }
    }
    return ids;
}

QStringList reasonIds()
{
    QStringList ids;
    for (const ReasonCode code : allReasonCodes())
        ids << QString::fromUtf8(idOf(code).data(), qsizetype(idOf(code).size()));
    return ids;
}

QStringList indexed(const QString& part)
{
    QFile file(helpFolder().filePath(QStringLiteral("index.json")));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QStringList ids;
    const QJsonObject index = QJsonDocument::fromJson(file.readAll()).object();
    for (const QJsonValue& row : index[part].toArray()) {
        const QString id = row[QStringLiteral("id")].toString();
        ids << id;
        if (linesOf(id).value(0) != QStringLiteral("# ") + row[QStringLiteral("title")].toString())
            ids << id + QStringLiteral(": another title");
    }
    return ids;
}

} // namespace

class HelpPagesTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void eachReasonAndEachRuleHasAPage_data()
    {
        QTest::addColumn<QString>("section");
        for (const QString& id : ruleIds())
            QTest::newRow(qPrintable(id)) << QString();
        for (const QString& id : reasonIds())
            QTest::newRow(qPrintable(id)) << QStringLiteral("## ");
    }

    void eachReasonAndEachRuleHasAPage()
    {
        QFETCH(QString, section);
        const QStringList lines = linesOf(QString::fromUtf8(QTest::currentDataTag()));
        QVERIFY2(lines.size() >= 8 && lines.size() <= 25, qPrintable(QString::number(lines.size())));
        QVERIFY(lines.first().startsWith(QLatin1String("# ")));
        QCOMPARE(lines.count(QStringLiteral("```")) % 2, 0);
        QVERIFY2(lines.contains(QStringLiteral("```")), "no example");
        if (!section.isEmpty())
            QVERIFY2(!lines.filter(section).isEmpty(), "nothing says how to unblock it");
    }

    void theIndexListsAllInTheirOrder()
    {
        QCOMPARE(indexed(QStringLiteral("rules")), ruleIds());
        QCOMPARE(indexed(QStringLiteral("reasons")), reasonIds());
    }

    void noPageIsLeftOver()
    {
        const QStringList known = ruleIds() + reasonIds();
        for (const QString& file : helpFolder().entryList({QStringLiteral("*.md")}))
            QVERIFY2(known.contains(file.chopped(3)), qPrintable(file));
    }

    void examplesNameRulesAndReasonsThatThereAre()
    {
        QDir folder(QStringLiteral(FUSESCOPE_SOURCE_DIR "/resources/examples"));
        QFile file(folder.filePath(QStringLiteral("index.json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).array();
        const QStringList known = ruleIds() + reasonIds();
        QSet<QString> shown, files;
        for (const QJsonValue& row : rows) {
            const QString name = row[QStringLiteral("file")].toString();
            QVERIFY2(folder.exists(name), qPrintable(name));
            QVERIFY2(QFileInfo(folder.filePath(name)).size() < 40'000, qPrintable(name));
            files.insert(name);
            for (const QLatin1String part : {QLatin1String("title"), QLatin1String("text")}) {
                const QJsonObject words = row[part].toObject();
                QVERIFY2(!words[QStringLiteral("en")].toString().isEmpty(), qPrintable(name));
                QVERIFY2(!words[QStringLiteral("zh_CN")].toString().isEmpty(), qPrintable(name));
            }
            for (const QJsonValue& topic : row[QStringLiteral("topics")].toArray()) {
                QVERIFY2(known.contains(topic.toString()), qPrintable(topic.toString()));
                shown.insert(topic.toString());
            }
        }
        QCOMPARE(files.size(), rows.size());
        QCOMPARE(folder.entryList({QStringLiteral("*.onnx")}).size(), rows.size());
        // Fixes are rules too, shown by the reasons that offer them, and so are what a person edits.
        const QStringList fixes = {QStringLiteral("freeze-initializers"),
                                   QStringLiteral("inference-batchnorm"),
                                   QStringLiteral("inference-dropout"),
                                   QStringLiteral("drop-noop"),
                                   QStringLiteral("duplicate-producer"),
                                   QStringLiteral("drop-output"),
                                   QStringLiteral("edit-attribute"),
                                   QStringLiteral("edit-input"),
                                   QStringLiteral("drop-reader")};
        for (const QString& rule : ruleIds())
            QVERIFY2(shown.contains(rule) || fixes.contains(rule), qPrintable(rule));
    }
};

FUSESCOPE_TEST(HelpPagesTest, help_pages_test)
#include "help_pages_test.moc"
