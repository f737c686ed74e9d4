#include "session/written_nodes.h"
#include "support/test_class.h"
#include "ui/app_state.h"
#include "ui/cancelled.h"
#include "ui/graph/graph_canvas.h"
#include "ui/open_model.h"
#include "ui/open_window.h"
#include "ui/panels/cause_found.h"
#include "ui/report_file.h"
#include "ui/retired.h"
#include "ui/settings_folder.h"
#include "ui/theme/theme.h"
#include "ui/verdict.h"
#include "ui/widgets/channel_bars.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSemaphore>

#include <algorithm>
#include <atomic>

using namespace fusescope;
using namespace fusescope::test;

// Jobs and models that are left while they work.
class RunsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;

    QString file(const QString& name = QStringLiteral("net.onnx")) const
    {
        return modelFile(twoConvText(), m_folder.path(), name);
    }

    // The JSON report that the window writes; empty where it does not.
    QJsonDocument reported(AppState& state, const char* name) const
    {
        const QString path = m_folder.filePath(QLatin1String(name));
        const std::size_t told = state.log().size();
        writeReportFile(state, path);
        QFile report(path);
        if (!QTest::qWaitFor([&] { return state.log().size() > told; }, 20000) ||
            !report.open(QIODevice::ReadOnly))
            return {};
        return QJsonDocument::fromJson(report.readAll());
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void init() { m_settings = std::make_unique<SettingsFolder>(); }
    void cleanup() { QVERIFY(waitForRetired(20000)); }

    // At step 0 the pair reaches to the last step, which is not known while the passes run.
    void aRunAskedForTooEarlyWaitsForTheLastStep()
    {
        AppState state;
        connect(&state, &AppState::sessionChanged, this, [&state] {
            if (state.hasModel()) {
                state.runAndCompare();
                state.profile();
            }
        });
        state.open(file());
        QTRY_VERIFY_WITH_TIMEOUT(state.compareResult() && state.profileResult(), 20000);
        QVERIFY(state.isFinished());
        QVERIFY(state.stepCount() > 0);
        QCOMPARE(state.compareResult()->pair, (StepPair{0, state.stepCount()}));
        QCOMPARE(state.compareResult()->pair, state.namedPair());
        QCOMPARE(state.profileResult()->pair, state.namedPair());
        QVERIFY(!state.compareResult()->comparison.outputs.empty());
    }

    // What was not written is no success; what was not proved says why.
    void anExportSaysWhatItDid()
    {
        const auto window = makeWindow();
        AppState& state = window->state();
        window->openFiles({file()});
        QVERIFY(waitForPasses(state));
        const auto exported = [&](const char* name, const ExportOptions& options) {
            const std::size_t before = state.log().size();
            state.exportModel(m_folder.filePath(QLatin1String(name)), options);
            if (!QTest::qWaitFor([&] { return state.log().size() > before; }, 20000))
                return LogEntry{};
            return state.log().back();
        };
        ExportOptions strict;
        strict.rtol = 0.0;
        strict.atol = 0.0;
        const LogEntry failed = exported("failed.onnx", strict);
        QCOMPARE(failed.level, NoticeLevel::error);
        QVERIFY2(failed.text.contains(QStringLiteral("failed.onnx was not written: the outputs differ")),
                 qPrintable(failed.text));
        QVERIFY(!failed.action);
        QVERIFY(!QFile::exists(m_folder.filePath(QStringLiteral("failed.onnx"))));
        ExportOptions unproved;
        unproved.verify = false;
        const LogEntry written = exported("unproved.onnx", unproved);
        QCOMPARE(written.level, NoticeLevel::warning);
        QVERIFY2(written.text.contains(QStringLiteral("not fully proved: The proof was not asked for")),
                 qPrintable(written.text));
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("unproved.onnx"))));
        const LogEntry proved = exported("proved.onnx", {});
        QCOMPARE(proved.level, NoticeLevel::success);
        QVERIFY(proved.text.contains(QStringLiteral("outputs agree")));
    }

    // The last step is not known while the passes run: an export waits for it.
    void anExportAskedForTooEarlyWaitsForTheLastStep()
    {
        AppState state;
        std::optional<ExportResult> result;
        connect(&state, &AppState::sessionChanged, this, [this, &state] {
            if (state.hasModel())
                state.exportModel(m_folder.filePath(QStringLiteral("early.onnx")), {});
        });
        connect(&state, &AppState::exported, this,
                [&result](const QString&, const ExportResult& done) { result = done; });
        state.open(file());
        QTRY_VERIFY_WITH_TIMEOUT(result, 20000);
        QVERIFY(state.isFinished() && state.stepCount() > 0);
        QCOMPARE(result->fusedNodes, state.graphAt(state.stepCount())->nodeCount());
    }

    // Where nothing was compared, the report compares with the inputs and the tolerance of the window.
    void aReportComparesAsTheWindowDoes()
    {
        AppState state;
        state.open(file());
        QVERIFY(waitForPasses(state));
        const auto written = [&](const char* name) {
            return reported(state, name)[QLatin1String("verification")].toObject();
        };
        const QJsonObject usual = written("usual.json");
        QCOMPARE(usual[QLatin1String("status")].toString(), QStringLiteral("pass"));
        InputSpec inputs = state.inputs();
        inputs.seed = 7;
        state.setInputs(inputs);
        state.setTolerance(0.0, 0.0);
        const QJsonObject strict = written("strict.json");
        QCOMPARE(strict[QLatin1String("seed")].toInt(), 7);
        QCOMPARE(strict[QLatin1String("status")].toString(), QStringLiteral("fail"));
    }

    // The times of a profile stand beside what articles promise.
    void aReportHasTheTimesOfTheProfile()
    {
        AppState state;
        state.open(file());
        QVERIFY(waitForPasses(state));
        const auto speed = [&](const char* name) {
            return reported(state, name)[QLatin1String("gains")].toArray().last().toObject();
        };
        const QJsonObject untimed = speed("untimed.json");
        QCOMPARE(untimed[QLatin1String("what")].toString(), QStringLiteral("speed"));
        QVERIFY(untimed[QLatin1String("measured")].isNull());
        state.profile();
        QTRY_VERIFY_WITH_TIMEOUT(state.profileResult(), 30000);
        QVERIFY(speed("timed.json")[QLatin1String("measured")].isDouble());
    }

    // No difference is allowed and a fold rounds: the node of the fold is selected, its tag stands in
    // the graph, and the Inspector has the errors of its channels.
    void theCauseOfADivergenceIsShownAtItsNode()
    {
        const auto window = makeWindow();
        AppState& state = window->state();
        window->openFiles({file()});
        QVERIFY(waitForPasses(state));
        state.setTolerance(0.0, 0.0);
        state.findDivergence();
        QTRY_VERIFY_WITH_TIMEOUT(state.compareResult() && state.compareResult()->divergence, 20000);
        const AppState::CompareResult& result = *state.compareResult();
        QVERIFY(result.divergence->step);
        const DivergenceCause* cause = causeOf(result);
        QVERIFY(cause);
        QCOMPARE(state.b(), *result.divergence->step);
        QCOMPARE(state.selected(), cause->node);
        const auto* shown = window->findChild<CauseFound*>();
        QVERIFY(shown);
        QVERIFY2(shown->sentence().contains(QStringLiteral("has variance"))
                     && shown->sentence().contains(QStringLiteral("moves channel")),
                 qPrintable(shown->sentence()));
        QVERIFY(shown->bars());
        QCOMPARE(shown->bars()->count(), static_cast<int>(cause->channels.size()));
        QCOMPARE(cause->channels[static_cast<std::size_t>(shown->bars()->chosen())],
                 *std::ranges::max_element(cause->channels));
        const auto* canvas = window->findChild<GraphCanvas*>();
        QVERIFY(canvas);
        QTRY_COMPARE(canvas->marks().divergence, cause->node);
        QCOMPARE(canvas->marks().divergenceTag,
                 QStringLiteral("first divergence, step %1").arg(state.b()));
        QVERIFY(!canvas->marks().divergenceNote.isEmpty());
        // Nothing speaks of it where another pair is named.
        QVERIFY(state.b() != 1 && state.stepCount() > 1);
        state.setB(1);
        QTRY_VERIFY(!canvas->marks().divergence);
        QTRY_VERIFY(!window->findChild<CauseFound*>());
    }

    void cancelSaysWhatStoppedAndWhatIsKept()
    {
        AppState state;
        state.open(file());
        QVERIFY(waitForPasses(state));
        const auto go = std::make_shared<QSemaphore>();
        state.jobs().start<int>(
            JobKind::compare, QStringLiteral("Running and comparing"),
            [go](std::stop_token stop, const Progress&) -> Result<int> {
                go->acquire();
                return stop.stop_requested() ? Result<int>(cancelled()) : Result<int>(1);
            },
            [](Result<int> result) { QVERIFY(!result); });
        cancelAndSay(state, {{JobKind::compare, QStringLiteral("Running and comparing")}});
        QCOMPARE(state.log().back().text,
                 QStringLiteral("Stopped: Running and comparing. Nothing was compared."));
        go->release();
        QTRY_VERIFY(!state.jobs().anyRunning());
        state.runAndCompare();
        QTRY_VERIFY_WITH_TIMEOUT(state.compareResult(), 20000);
        QCOMPARE(keptAfter(state, JobKind::compare),
                 QStringLiteral("The comparison before it is kept."));
        QCOMPARE(keptAfter(state, JobKind::open), QStringLiteral("net.onnx stays open."));
        QCOMPARE(keptAfter(state, JobKind::exportModel), QStringLiteral("No file was written."));
    }

    // Waiting for the last step is no job, and can be cancelled all the same.
    void cancelEndsTheWaitForTheLastStep()
    {
        std::string text = R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[4] x) => (float[4] y) { a0 = Identity (x))";
        for (int i = 1; i < 6000; ++i)
            text += " a" + std::to_string(i) + " = Identity (a" + std::to_string(i - 1) + ")";
        const QString path =
            modelFile(text + " y = Sin (a5999) }", m_folder.path(), QStringLiteral("long.onnx"));
        bool waited = false;
        // The passes may have ended before anybody could wait for them.
        for (int attempt = 0; attempt < 20 && !waited; ++attempt) {
            AppState state;
            connect(&state, &AppState::sessionChanged, this, [&state, &waited] {
                if (!state.hasModel())
                    return;
                state.last();
                waited = state.isWaitingForLast();
                cancelAndSay(state, {});
            });
            state.open(path);
            QVERIFY(waitForPasses(state));
            QVERIFY(!state.isWaitingForLast());
            if (!waited)
                continue;
            QCOMPARE(state.b(), 0);
            QVERIFY(state.stepCount() > 0);
            QCOMPARE(state.log().back().text,
                     QStringLiteral("No longer waiting for the last step; the passes run on."));
        }
        QVERIFY(waited);
    }

    // As many as the file that is written has.
    void nodesAreCountedAsTheyAreWritten()
    {
        AppState state;
        state.open(modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y)
            <float[4, 3, 1, 1] W = random(1), float[4, 4, 1, 1] V = random(2)>
            { c = Conv (x, W) r = Relu (c) d = Conv (r, V) y = Sigmoid (d) })",
                             m_folder.path(), QStringLiteral("regions.onnx")));
        QVERIFY(waitForPasses(state));
        const auto graph = state.graphAt(state.stepCount());
        QCOMPARE(graph->nodeCount(), std::size_t{2});
        QCOMPARE(writtenNodes(*graph), std::size_t{4});
        const auto written = state.session()->exportModel(
            *state.timeline(), m_folder.filePath(QStringLiteral("out.onnx")).toStdString(), {});
        QVERIFY(written);
        QCOMPARE(written->nodes, writtenNodes(*graph));
    }

    void leavingWaitsForNoJob()
    {
        const auto go = std::make_shared<QSemaphore>();
        const auto ended = std::make_shared<std::atomic<bool>>(false);
        bool told = false;
        {
            AppState state;
            state.jobs().start<int>(
                JobKind::figures, QStringLiteral("long"),
                [go, ended](std::stop_token, const Progress&) -> Result<int> {
                    const bool gone = go->tryAcquire(1, 20000);
                    *ended = true;
                    return gone ? 1 : 0;
                },
                [&told](const Result<int>&) { told = true; });
            QTest::qWait(10);
        }
        QVERIFY(!*ended);
        go->release();
        QVERIFY(waitForRetired(20000));
        QVERIFY(*ended);
        QCoreApplication::processEvents();
        QVERIFY(!told);
    }

    // Two windows: the run of the second waits for that of the first, says so, and may be cancelled.
    void runsOfAllWindowsTakeTurns()
    {
        Jobs first, second;
        const auto go = std::make_shared<QSemaphore>();
        const auto running = std::make_shared<std::atomic<int>>(0);
        QStringList order;
        const auto start = [&](Jobs& jobs, JobKind kind, const QString& name, bool waits) {
            jobs.start<bool>(
                kind, name,
                [go, running, waits](std::stop_token stop, const Progress&) -> Result<bool> {
                    const bool alone = ++*running == 1;
                    const bool released = !waits || go->tryAcquire(1, 20000);
                    --*running;
                    if (stop.stop_requested())
                        return cancelled();
                    return alone && released;
                },
                [&order, name](const Result<bool>& result) {
                    order << name + (!result ? QStringLiteral(" cancelled")
                                             : *result ? QString() : QStringLiteral(" disturbed"));
                });
        };
        std::vector<TextId> told;
        connect(&second, &Jobs::progressed, this,
                [&told](JobKind, double, const Message& doing) { told.push_back(doing.text); });
        start(first, JobKind::compare, QStringLiteral("first"), true);
        QTRY_COMPARE(running->load(), 1);
        start(second, JobKind::compare, QStringLiteral("second"), false);
        start(second, JobKind::profile, QStringLiteral("left"), false);
        QTRY_COMPARE(told.size(), 2U);
        QCOMPARE(told.front(), TextId("session.waiting-for-run"));
        second.cancel(JobKind::profile);
        QTRY_COMPARE(order, QStringList{QStringLiteral("left cancelled")});
        go->release();
        QTRY_COMPARE(order.size(), 3);
        QCOMPARE(order[1], QStringLiteral("first"));
        QCOMPARE(order[2], QStringLiteral("second"));
    }

    // A window that is closed while its run waits leaves no gap in the queue.
    void aClosedWindowGivesItsTurnUp()
    {
        Jobs first;
        auto closed = std::make_unique<Jobs>();
        Jobs last;
        const auto go = std::make_shared<QSemaphore>();
        bool done = false;
        const auto work = [go](std::stop_token, const Progress&) -> Result<int> {
            return go->tryAcquire(1, 20000) ? 1 : 0;
        };
        first.start<int>(JobKind::compare, QStringLiteral("first"), work, [](const Result<int>&) {});
        closed->start<int>(JobKind::compare, QStringLiteral("closed"), work, [](const Result<int>&) {});
        last.start<int>(JobKind::compare, QStringLiteral("last"), work,
                        [&done](const Result<int>& result) { done = result && *result == 1; });
        closed.reset();
        go->release(3);
        QTRY_VERIFY(done);
    }

    void aJobThatIsForgottenIsNeverTold()
    {
        AppState state;
        const auto go = std::make_shared<QSemaphore>();
        bool told = false;
        int finished = 0;
        connect(&state.jobs(), &Jobs::finished, this, [&finished] { ++finished; });
        state.jobs().start<int>(
            JobKind::figures, QStringLiteral("long"),
            [go](std::stop_token, const Progress&) -> Result<int> {
                return go->tryAcquire(1, 20000) ? 1 : 0;
            },
            [&told](const Result<int>&) { told = true; });
        state.jobs().forget(JobKind::figures);
        QVERIFY(!state.jobs().isRunning(JobKind::figures));
        QCOMPARE(finished, 1);
        go->release();
        QTest::qWait(50);
        QVERIFY(!told);
        QCOMPARE(finished, 1);
    }

    // In the middle of the passes of the first; its late timelines are none of the second's.
    void anotherFileMayBeOpenedAtAnyTime()
    {
        AppState state;
        const QString first = file(), second = file(QStringLiteral("other.onnx"));
        for (int i = 0; i < 5; ++i) {
            state.open(i % 2 ? first : second);
            QTRY_VERIFY_WITH_TIMEOUT(state.hasModel() &&
                                     state.title() == QFileInfo(i % 2 ? first : second).fileName(), 20000);
            if (i < 4) // nobody asks for a run of the last: what comes late would be another's
                state.runAndCompare();
        }
        QVERIFY(waitForPasses(state));
        QVERIFY(!state.compareResult());
        state.close();
        QVERIFY(!state.hasModel());
    }

    void sentencesHaveQuotesAndNoBackticks()
    {
        AppState state;
        state.open(file());
        QVERIFY(waitForPasses(state));
        int quoted = 0;
        for (const Blocked& row : state.timeline()->blocked) {
            for (const Reason& reason : row.miss.reasons) {
                const QString words = state.sentence(reason.message, &state.session()->opened());
                QVERIFY2(!words.contains(QLatin1Char('`')), qPrintable(words));
                quoted += static_cast<int>(words.count(QChar(0x201c)));
                QCOMPARE(words.count(QChar(0x201c)), words.count(QChar(0x201d)));
            }
        }
        QVERIFY(quoted > 0);
    }
};

FUSESCOPE_TEST(RunsTest, runs_test)
#include "runs_test.moc"
