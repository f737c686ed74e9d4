#include "session/report.h"
#include "support/test_class.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <limits>

using namespace fusescope;

namespace {

const std::string oddName = "</td><img src=x onerror=alert(1)>|a`b\n\"'&";

ReportData oddReport()
{
    ReportData data;
    data.info.path = "/models/" + std::string("<b>net</b>.onnx");
    data.info.producer = oddName;
    data.info.opsets = {{"", 17}};
    data.before.nodes = 4;
    data.after.nodes = 2;
    data.before.operators = {{"Conv", 1}, {oddName, 3}};
    data.after.operators = {{"Conv", 2}};
    ReportStep step;
    step.number = 1;
    step.rule = "conv-bias";
    step.ruleName = "Conv + bias";
    step.title = "Fold " + oddName;
    step.removed = 2;
    data.steps.push_back(step);
    ReportBlocked blocked;
    blocked.rule = "conv-batchnorm";
    blocked.ruleName = "Conv + BatchNormalization";
    blocked.root = ReportNode{NodeId{7}, oddName, "BatchNormalization", "", oddName, {"y"},
                              "If_3.then_branch"};
    ReportCulprit reader, value;
    reader.node = blocked.root;
    value.value = oddName;
    blocked.reasons.push_back({"multi-consumer", "legality", "", "`" + oddName + "` is read.",
                               "Drop it.", "", {reader, value}});
    data.blocked.push_back(blocked);
    data.verification.status = VerificationStatus::pass;
    data.verification.executor = "reference";
    TensorComparison output;
    output.name = oddName;
    output.pass = true;
    output.maxAbs = std::numeric_limits<double>::infinity();
    output.nanBefore = 1;
    data.verification.outputs.push_back(output);
    return data;
}

} // namespace

class ReportTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theEndingChoosesTheFormat()
    {
        QCOMPARE(reportFormatOf("a.html"), ReportFormat::html);
        QCOMPARE(reportFormatOf("a.b/c.MD"), ReportFormat::markdown);
        QCOMPARE(reportFormatOf("x.json"), ReportFormat::json);
        QVERIFY(!reportFormatOf("html"));
        QVERIFY(!reportFormatOf("a.pdf"));
        QVERIFY(!reportFormatOf(""));
    }

    void noNameBecomesMarkup()
    {
        const std::string html = reportText(oddReport(), ReportFormat::html);
        QCOMPARE(html.find("<img"), std::string::npos);
        QCOMPARE(html.find("<b>net"), std::string::npos);
        QVERIFY(html.find("&lt;img src=x onerror=alert(1)&gt;") != std::string::npos);
        const std::string markdown = reportText(oddReport(), ReportFormat::markdown);
        QCOMPARE(markdown.find("</td><img"), std::string::npos);
        // A bar or a line break would end a cell: every row of a table has the columns of its head.
        const QStringList lines = QString::fromStdString(markdown).split(QLatin1Char('\n'));
        qsizetype columns = 0;
        for (QString line : lines) {
            if (!line.startsWith(QLatin1Char('|'))) {
                columns = 0;
                continue;
            }
            line.remove(QStringLiteral("\\|"));
            if (columns == 0)
                columns = line.count(QLatin1Char('|'));
            QCOMPARE(line.count(QLatin1Char('|')), columns);
        }
    }

    void jsonHoldsTheSameStory()
    {
        ReportData data = oddReport();
        data.steps[0].title += "\xff"; // no UTF-8
        const std::string text = reportText(data, ReportFormat::json);
        QJsonParseError error;
        const QJsonObject object =
            QJsonDocument::fromJson(QByteArray::fromStdString(text), &error).object();
        QCOMPARE(error.error, QJsonParseError::NoError);
        QCOMPARE(object[QStringLiteral("schema")].toInt(), 1);
        QCOMPARE(object[QStringLiteral("before")][QStringLiteral("nodes")].toInt(), 4);
        const QJsonObject blocked = object[QStringLiteral("blocked")].toArray()[0].toObject();
        QCOMPARE(blocked[QStringLiteral("root")][QStringLiteral("name")].toString(),
                 QString::fromStdString(oddName));
        QCOMPARE(blocked[QStringLiteral("reasons")][0][QStringLiteral("code")].toString(),
                 QStringLiteral("multi-consumer"));
        const auto culprits = blocked[QStringLiteral("reasons")][0][QStringLiteral("culprits")].toArray();
        QCOMPARE(culprits.size(), 2);
        QCOMPARE(culprits[0].toObject()[QStringLiteral("scope")].toString(),
                 QStringLiteral("If_3.then_branch"));
        QCOMPARE(culprits[1].toString(), QString::fromStdString(oddName));
        const QJsonObject proof = object[QStringLiteral("verification")].toObject();
        QCOMPARE(proof[QStringLiteral("status")].toString(), QStringLiteral("pass"));
        QCOMPARE(proof[QStringLiteral("outputs")][0][QStringLiteral("max_abs")].toString(),
                 QStringLiteral("inf"));
    }

    void twoReportsAreEqual()
    {
        for (const ReportFormat format :
             {ReportFormat::html, ReportFormat::markdown, ReportFormat::json})
            QCOMPARE(reportText(oddReport(), format), reportText(oddReport(), format));
    }

    void theLanguageIsThatOfTheTranslator()
    {
        const Translate shout = [](const char*, const char* text) {
            return std::string(text) == "Steps" ? std::string("SCHRITTE") : std::string(text);
        };
        QVERIFY(reportText(oddReport(), ReportFormat::markdown, shout).find("## SCHRITTE") !=
                std::string::npos);
    }
};

FUSESCOPE_TEST(ReportTest, report_test)
#include "report_test.moc"
