#include "panel_fixture.h"
#include "support/test_class.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/compare_rows.h"

#include <QHeaderView>
#include <QLabel>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTreeView>

#include <cmath>

using namespace fusescope;
using namespace fusescope::test;

// What a comparison shows, and what it is not said of.
class ComparePanelTest : public QObject, PanelFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { installTheme(); }
    void init() { QVERIFY(openNetwork()); }

    void compareSaysOnlyWhatWasCompared()
    {
        ComparePanel panel(*m_state, *m_actions);
        panel.resize(1000, 260);
        panel.show();
        QVERIFY(!panel.showsResult());
        QSignalSpy badge(&panel, &ComparePanel::badgeChanged);
        QVERIFY(tells(panel, QStringLiteral("Not compared yet")));
        m_state->runAndCompare();
        QVERIFY(tells(panel, QStringLiteral("Comparing…")) && !tells(panel, QStringLiteral("Not compared yet")));
        QTRY_VERIFY_WITH_TIMEOUT(panel.showsResult(), 20000);
        QCOMPARE(badge.last().at(0).toString(), QStringLiteral("1/1"));
        QVERIFY(panel.model()->rowCount() >= 2);
        picture(panel, QStringLiteral("compare"));
        InputSpec other = m_state->inputs();
        other.seed = 99;
        m_state->setInputs(other);
        QVERIFY(!panel.showsResult());
    }

    // A fix that changes what the model computes is not held against the rewrites.
    void compareSaysWhatIsMeantToDiffer()
    {
        AppState state;
        std::string text(networkText());
        text.replace(text.find("epsilon = 0.001"), 15, "training_mode = 1");
        state.open(modelFile(text, m_folder.path(), QStringLiteral("train.onnx")));
        QVERIFY(waitForPasses(state));
        QVERIFY(!state.timeline()->blocked.empty());
        const Reason& reason = state.timeline()->blocked.front().miss.reasons.front();
        QVERIFY(reason.fix && reason.fix->changesMeaning);
        state.applyFix(Fix(*reason.fix));
        QVERIFY(waitForPlan(state));
        Actions actions(nullptr);
        ComparePanel panel(state, actions);
        panel.show();
        const auto compared = [&](int a) {
            state.setB(state.stepCount());
            state.setA(a);
            state.runAndCompare();
            QStringList words;
            if (QTest::qWaitFor([&] { return panel.showsResult(); }, 20000)) {
                for (const QLabel* label : panel.findChildren<QLabel*>())
                    words << label->text();
            }
            return words.join(QLatin1Char(' '));
        };
        const QString whole = compared(0);
        QVERIFY2(whole.contains(QStringLiteral("The output differs")) &&
                     whole.contains(QStringLiteral("Step 1 is meant to change what the model computes")),
                 qPrintable(whole));
        const QString rewrites = compared(1);
        QVERIFY2(rewrites.contains(QStringLiteral("Before and after agree")) &&
                     !rewrites.contains(QStringLiteral("meant")),
                 qPrintable(rewrites));
    }

    // A fix that is meant to change something and does not is no excuse for a later step.
    void aLaterStepIsNotExcused()
    {
        AppState state;
        state.open(modelFile(R"(
<ir_version: 8, opset_import: ["" : 17]>
net (float[1, 3, 8, 8] x) => (y)
<float[4, 3, 3, 3] W = random(1), float ratio = {0}, bool training = {1}, float[4] gamma = random(2),
 float[4] beta = random(3), float[4] mean = random(4), float[4] var = {1.0, 0.25, 4.0, 0.5}>
{
    [drop] d = Dropout (x, ratio, training)
    [conv] c = Conv (d, W)
    [bn] y = BatchNormalization (c, gamma, beta, mean, var)
}
)",
                             m_folder.path(), QStringLiteral("later.onnx")));
        QVERIFY(waitForPasses(state));
        state.applyFix({FixKind::inferenceDropout, named(state, "drop"), true, false});
        QVERIFY(waitForPlan(state));
        const int fold = stepOf(state, "conv-batchnorm");
        QVERIFY(fold > 1);
        state.setTolerance(0.0, 0.0);
        Actions actions(nullptr);
        ComparePanel panel(state, actions);
        panel.show();
        state.setB(state.stepCount());
        state.setA(0);
        state.runAndCompare();
        QTRY_VERIFY_WITH_TIMEOUT(tells(panel, QStringLiteral("The output differs")), 20000);
        // Where it begins to differ is not known yet.
        QVERIFY(tells(panel, QStringLiteral("Step 1 is meant to change")));
        state.findDivergence();
        QTRY_VERIFY_WITH_TIMEOUT(
            tells(panel, QStringLiteral("First diverges at step %1").arg(fold)), 20000);
        QVERIFY(!tells(panel, QStringLiteral("is meant to change")));
    }

    // The room beside the Steps in a window of 1024: all ten columns are in sight, and what is cut
    // in them can be read.
    void columnsOfACompareFitANarrowPanel()
    {
        ComparePanel panel(*m_state, *m_actions);
        panel.resize(766, 260);
        panel.show();
        m_state->runAndCompare();
        QTRY_VERIFY_WITH_TIMEOUT(panel.showsResult(), 20000);
        const auto* table = panel.findChild<QTreeView*>();
        QVERIFY(table);
        const QHeaderView* header = table->header();
        QCOMPARE(header->count(), 10);
        QTRY_VERIFY(header->length() <= table->viewport()->width());
        QVERIFY(header->sectionSize(1) >= 100);
        for (int column = 3; column < header->count(); ++column)
            QVERIFY(!panel.model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole)
                         .toString().isEmpty());
        // Wider: each gets what it wants, and the name takes the rest.
        const int narrow = header->sectionSize(3);
        panel.resize(1400, 260);
        QTRY_VERIFY(header->sectionSize(3) > narrow);
        QVERIFY(header->sectionSize(1) > 200);
        QCOMPARE(header->length(), table->viewport()->width());
    }

    void aRunThatWasOvertakenShowsNothing()
    {
        ComparePanel panel(*m_state, *m_actions);
        InputSpec other = m_state->inputs();
        other.seed = 7;
        m_state->runAndCompare();
        m_state->setInputs(other);
        QTRY_VERIFY_WITH_TIMEOUT(!m_state->jobs().anyRunning(), 20000);
        QVERIFY(!m_state->compareResult());
        QVERIFY(!panel.showsResult());
    }

    void worstComesFirst()
    {
        TensorComparison good, bad, worse;
        good.pass = true;
        good.maxAbs = 5;
        bad.maxAbs = 1;
        worse.maxAbs = std::nan("");
        good.name = "good";
        bad.name = "bad";
        worse.name = "worse";
        std::vector<TensorComparison> all{good, bad, worse};
        sortWorstFirst(all);
        QCOMPARE(all[0].name, std::string("worse"));
        QCOMPARE(all[1].name, std::string("bad"));
        QCOMPARE(all[2].name, std::string("good"));
    }
};

FUSESCOPE_TEST(ComparePanelTest, compare_panel_test)
#include "compare_panel_test.moc"
