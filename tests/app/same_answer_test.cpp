#include "app/json.h"
#include "command_run.h"
#include "session/report.h"
#include "support/test_class.h"
#include "ui/app_state.h"
#include "ui/plan_file.h"

#include <QSignalSpy>

// Paths: FUSESCOPE_SOURCE_DIR, FUSESCOPE_BINARY_DIR.

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string stepLine(const QJsonObject& step)
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

std::string stepLine(const AppState& window, const Step& step)
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

// A sentence of the window with names marked as the commands' JSON marks them.
QString sentenceOf(const AppState& window, const Message& message, const Graph* graph)
{
    QString text = window.sentence(message, graph);
    return text.replace(u'\u201C', u'`').replace(u'\u201D', u'`');
}

// A tensor's comparison, with every number in full.
QString line(const QJsonObject& row)
{
    QJsonObject plain = row;
    plain.remove(QStringLiteral("why")); // has ids of the graph in it
    return QString::fromUtf8(QJsonDocument(plain).toJson(QJsonDocument::Compact));
}

QString line(const TensorComparison& one)
{
    const JsonWriter writer({});
    const std::string text = writer.comparison(Graph(), one).dump();
    return line(QJsonDocument::fromJson(QByteArray::fromStdString(text)).object());
}

// What the window exports is the file that the command wrote.
void exportsTheSame(AppState& window, const QString& ours, const QTemporaryDir& folder)
{
    const QString theirs = folder.filePath(QStringLiteral("window.onnx"));
    QSignalSpy exported(&window, &AppState::exported);
    window.exportModel(theirs, ExportOptions());
    QVERIFY(exported.wait(60000));
    QFile a(ours), b(theirs);
    QVERIFY(a.open(QIODevice::ReadOnly) && b.open(QIODevice::ReadOnly));
    QCOMPARE(b.readAll(), a.readAll());
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
            QCOMPARE(QString::fromStdString(stepLine(window, *step)),
                     QString::fromStdString(stepLine(steps[step->number - 1].toObject())));

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
                         sentenceOf(window, reason.message, &last));
            }
        }

        // What the window exports is the same file.
        exportsTheSame(window, ours, folder);
    }

    void sameComparison_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* name : {"residual-block", "transformer-block", "quantized-weights",
                                 "custom-operators", "random-noise"})
            QTest::newRow(name) << example(name);
    }
    void sameComparison()
    {
        QFETCH(QString, model);
        const CommandResult result = command({"compare", model, "--json"});
        AppState window;
        window.open(model);
        QVERIFY(QTest::qWaitFor([&] { return window.hasModel() && window.isFinished(); }, 60000));
        window.last();
        window.runAndCompare();
        QVERIFY(QTest::qWaitFor([&] { return window.compareResult().has_value(); }, 60000));
        const Comparison& shown = window.compareResult()->comparison;
        const QJsonObject told = result.json();
        QCOMPARE(told["status"].toString().toStdString(), std::string(textOf(shown.status)));
        QCOMPARE(told["why"].toString(), sentenceOf(window, shown.why, &window.session()->opened()));
        QCOMPARE(told["executor"].toString().toStdString(), shown.executor);
        QCOMPARE(told["assumed"].toArray().size(), qsizetype(shown.assumedDims.size()));
        for (qsizetype i = 0; i < told["assumed"].toArray().size(); ++i)
            QCOMPARE(told["assumed"].toArray()[i].toObject()["size"].toInt(),
                     int(shown.assumedDims[std::size_t(i)].second));
        for (const auto& [list, values] : {std::pair("outputs", &shown.outputs),
                                           {"intermediates", &shown.intermediates}}) {
            const QJsonArray rows = told[QLatin1String(list)].toArray();
            QCOMPARE(rows.size(), qsizetype(values->size()));
            for (qsizetype i = 0; i < rows.size(); ++i)
                QCOMPARE(line(rows[i].toObject()), line((*values)[std::size_t(i)]));
        }
    }

    // The plan of the window, as it saves it, is a plan of the command line: the same fixes, skips,
    // pins and passes give the same steps, figures and file.
    void samePlan()
    {
        const QString model = example("training-batchnorm");
        AppState window;
        window.open(model);
        QVERIFY(QTest::qWaitFor([&] { return window.hasModel() && window.isFinished(); }, 60000));
        std::optional<Fix> fix;
        for (const Blocked& row : window.timeline()->blocked) {
            for (const Reason& reason : row.miss.reasons) {
                if (reason.fix && !fix)
                    fix = reason.fix;
            }
        }
        QVERIFY(fix.has_value());
        window.applyFix(*fix);
        const auto finished = [&](qsizetype fixes) {
            return window.isFinished() && qsizetype(window.timeline()->plan.fixes.size()) == fixes;
        };
        QVERIFY(QTest::qWaitFor([&] { return finished(1); }, 60000));
        QVERIFY(window.stepCount() >= 2);
        window.skipStep(window.stepCount());
        QVERIFY(QTest::qWaitFor(
            [&] { return finished(1) && window.timeline()->plan == window.plan(); }, 60000));
        QTemporaryDir folder;
        const QString plan = folder.filePath(QStringLiteral("plan.json"));
        QVERIFY(writePlanFile(plan, window.plan(), *window.session()));
        const QString ours = folder.filePath(QStringLiteral("command.onnx"));
        const CommandResult result = command({"optimize", model, "--plan", plan, "-o", ours, "--json"});
        QCOMPARE(result.status, 0);
        const QJsonObject document = result.json();
        const QJsonArray steps = document["steps"].toArray();
        QCOMPARE(steps.size(), qsizetype(window.stepCount()));
        QCOMPARE(steps[0].toObject()["stage"].toString(), QStringLiteral("fixes"));
        QCOMPARE(steps[steps.size() - 1].toObject()["state"].toString(), QStringLiteral("skipped"));
        for (const auto& step : window.timeline()->steps)
            QCOMPARE(QString::fromStdString(stepLine(window, *step)),
                     QString::fromStdString(stepLine(steps[step->number - 1].toObject())));
        for (const auto& [side, step] : {std::pair("before", 0), {"after", window.stepCount()}}) {
            const ModelFigures figures = window.session()->figures(*window.timeline(), step);
            const QJsonObject told = document[QLatin1String(side)].toObject();
            QCOMPARE(told["nodes"].toInt(), int(figures.nodes));
            QCOMPARE(told["parameters"].toDouble(), double(figures.parameters));
            QCOMPARE(told["bytes"].toDouble(), double(figures.bytes));
            QCOMPARE(told["flops"].toDouble(), double(figures.flops));
            QCOMPARE(told["activation_bytes"].toDouble(), double(figures.activationBytes));
        }
        exportsTheSame(window, ours, folder);
    }

    // Why two nodes are not one, asked in the window and on the command line.
    void sameExplanation()
    {
        const QString model = example("residual-block");
        AppState window;
        window.open(model);
        QVERIFY(QTest::qWaitFor([&] { return window.hasModel() && window.isFinished(); }, 60000));
        const Session& session = *window.session();
        const auto find = [&](const char* name) {
            return session.findNodes(session.opened(), name).front();
        };
        const Timeline& timeline = *window.timeline();
        const PairExplanation shown = session.explainPair(
            timeline, timeline.size(), find("layer2/conv1"), find("layer2/relu1"));
        const QJsonObject told =
            command({"explain", model, "--between", "layer2/conv1", "layer2/relu1", "--json"}).json();
        const Graph last = timeline.at(timeline.size());
        QCOMPARE(told["message"].toString(), sentenceOf(window, shown.message, &last));
        QCOMPARE(told["rule"].toString().toStdString(), std::string(shown.nearest.rule));
        const QJsonArray conditions = told["conditions"].toArray();
        QCOMPARE(conditions.size(), qsizetype(shown.nearest.conditions.size()));
        for (qsizetype i = 0; i < conditions.size(); ++i) {
            const ConditionRecord& one = shown.nearest.conditions[std::size_t(i)];
            QCOMPARE(conditions[i].toObject()["holds"].toBool(), one.holds);
            QCOMPARE(conditions[i].toObject()["saw"].toString(), sentenceOf(window, one.saw, &last));
        }
    }
};

FUSESCOPE_TEST(SameAnswerTest, same_answer_test)
#include "same_answer_test.moc"
