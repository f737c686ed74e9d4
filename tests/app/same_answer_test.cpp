#include "app/json.h"
#include "command_run.h"
#include "session/report.h"
#include "support/test_class.h"
#include "ui/app_state.h"

#include <QSignalSpy>

// Paths: FUSESCOPE_SOURCE_DIR, FUSESCOPE_BINARY_DIR.

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string line(const QJsonObject& step)
{
    std::string text = std::to_string(step["index"].toInt()) + " " +
                       step["stage"].toString().toStdString() + " " +
                       step["rule"].toString().toStdString() + " " +
                       std::to_string(step["root"].toObject()["id"].toInt());
    for (const char* what : {"removed", "added", "changed"}) {
        text += std::string(" ") + what;
        for (const auto& node : step[QLatin1String(what)].toArray())
            text += " " + std::to_string(node.toObject()["id"].toInt());
    }
    return text;
}

std::string line(const AppState& window, const Step& step)
{
    std::string text = std::to_string(step.number) + " " + std::string(idOf(step.stage)) + " " +
                       std::string(step.rule) + " " + std::to_string(step.root.value);
    const GraphDiff diff =
        window.session()->diff(*window.timeline(), step.number - 1, step.number);
    for (const auto& [what, kind] : {std::pair("removed", ChangeKind::removed),
                                     {"added", ChangeKind::added},
                                     {"changed", ChangeKind::changed}}) {
        text += std::string(" ") + what;
        for (const NodeChange& change : diff.nodes) {
            if (change.kind == kind)
                text += " " + std::to_string(change.node.value);
        }
    }
    return text;
}

} // namespace

// The window and the command line give the same answers to the same questions.
class SameAnswerTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sameSteps_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* name : {"residual-block", "transformer-block", "second-reader", "chains",
                                 "captured-by-branch", "quantized-weights"})
            QTest::newRow(name) << example(name);
    }
    void sameSteps()
    {
        QFETCH(QString, model);
        QTemporaryDir folder;
        const QString ours = folder.filePath(QStringLiteral("command.onnx"));
        const CommandResult result = command({"optimize", model, "-o", ours, "--json"});
        QCOMPARE(result.status, 0);
        const QJsonObject document = result.json();

        AppState window;
        window.open(model);
        QVERIFY(QTest::qWaitFor([&] { return window.hasModel() && window.isFinished(); }, 60000));
        const QJsonArray steps = document["steps"].toArray();
        QCOMPARE(steps.size(), qsizetype(window.stepCount()));
        for (const auto& step : window.timeline()->steps)
            QCOMPARE(QString::fromStdString(line(window, *step)),
                     QString::fromStdString(line(steps[step->number - 1].toObject())));

        const QJsonArray blocked = document["blocked"].toArray();
        QCOMPARE(blocked.size(), qsizetype(window.timeline()->blocked.size()));
        const Graph last = window.timeline()->at(window.stepCount());
        for (qsizetype i = 0; i < blocked.size(); ++i) {
            const Blocked& row = window.timeline()->blocked[std::size_t(i)];
            const QJsonObject told = blocked[i].toObject();
            QCOMPARE(told["rule"].toString().toStdString(), std::string(row.miss.rule));
            QCOMPARE(told["root"].toObject()["id"].toInt(), int(row.miss.root.value));
            QCOMPARE(told["final_at"].toInt(), row.finalAt);
            const QJsonArray reasons = told["reasons"].toArray();
            QCOMPARE(reasons.size(), qsizetype(row.miss.reasons.size()));
            for (qsizetype k = 0; k < reasons.size(); ++k) {
                const Reason& reason = row.miss.reasons[std::size_t(k)];
                QCOMPARE(reasons[k].toObject()["code"].toString().toStdString(),
                         std::string(idOf(reason.code)));
                QCOMPARE(reasons[k].toObject()["message"].toString(),
                         window.sentence(reason.message, &last));
            }
        }

        // What the window exports is the same file.
        const QString theirs = folder.filePath(QStringLiteral("window.onnx"));
        QSignalSpy exported(&window, &AppState::exported);
        window.exportModel(theirs, ExportOptions());
        QVERIFY(exported.wait(60000));
        QFile a(ours), b(theirs);
        QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
        QCOMPARE(b.readAll(), a.readAll());
    }

    void sameComparison()
    {
        const CommandResult result = command({"compare", example("residual-block"), "--json"});
        QCOMPARE(result.status, 0);
        AppState window;
        window.open(example("residual-block"));
        QVERIFY(QTest::qWaitFor([&] { return window.hasModel() && window.isFinished(); }, 60000));
        window.last();
        window.runAndCompare();
        QVERIFY(QTest::qWaitFor([&] { return window.compareResult().has_value(); }, 60000));
        const Comparison& shown = window.compareResult()->comparison;
        const QJsonObject told = result.json();
        QCOMPARE(told["status"].toString().toStdString(), std::string(textOf(shown.status)));
        for (const auto& [list, values] : {std::pair("outputs", &shown.outputs),
                                           {"intermediates", &shown.intermediates}}) {
            const QJsonArray rows = told[QLatin1String(list)].toArray();
            QCOMPARE(rows.size(), qsizetype(values->size()));
            for (qsizetype i = 0; i < rows.size(); ++i) {
                QCOMPARE(rows[i].toObject()["name"].toString().toStdString(),
                         (*values)[std::size_t(i)].name);
                QCOMPARE(rows[i].toObject()["max_abs"].toDouble(),
                         (*values)[std::size_t(i)].maxAbs);
            }
        }
    }
};

FUSESCOPE_TEST(SameAnswerTest, same_answer_test)
#include "same_answer_test.moc"
