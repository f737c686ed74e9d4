#include "support/test_class.h"
#include "ui/app_state.h"
#include "ui/open_model.h"
#include "ui/retired.h"
#include "ui/settings_folder.h"
#include "ui/theme/theme.h"

#include <QSemaphore>

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
