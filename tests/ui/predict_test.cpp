#include "support/test_class.h"
#include "ui/main_window.h"
#include "ui/models/steps_model.h"
#include "ui/open_model.h"
#include "ui/panels/blocked_panel.h"
#include "ui/panels/inspector_history_page.h"
#include "ui/panels/predict_box.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/steps_tree.h"
#include "ui/panels/summary_panel.h"
#include "ui/settings_folder.h"
#include "ui/theme/theme.h"
#include "ui/widgets/empty_state.h"

#include <QLabel>
#include <QStackedWidget>
#include <QTreeView>

#include <algorithm>

using namespace fusescope;
using namespace fusescope::test;

// Predict: no outcome before the guess, then whether it was right.
class PredictTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    AppState& state() { return m_window->state(); }
    PredictBox& box() { return m_window->stepsPanel().predictBox(); }

    void guessAll(bool rightly)
    {
        // What is owed now; after the last of these the next step asks anew.
        for (std::size_t left = box().questions().size(); left > 0; --left) {
            const auto& right = box().questions().front().right;
            box().guess(rightly                                ? *right.begin()
                        : right.contains(Outcome::inlined) ? Outcome::removed
                                                               : Outcome::inlined);
        }
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }

    void init()
    {
        m_settings = std::make_unique<SettingsFolder>();
        m_window = std::make_unique<MainWindow>();
        m_window->setAttribute(Qt::WA_DeleteOnClose, false);
        m_window->resize(1440, 900);
        m_window->show();
        m_window->openFiles({modelFile(twoConvText(), m_folder.path(), QStringLiteral("net.onnx"))});
        QVERIFY(waitForPasses(state()));
        QVERIFY(state().stepCount() >= 3);
    }
    void cleanup() { m_window.reset(); }

    // Neither how many are blocked nor that none is.
    void blockedTellsNothingOfWhatComes()
    {
        const QString path = modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[4] x) => (float[4] y) { i = Identity (x) j = Neg (i) y = Identity (j) })",
                                       m_folder.path(), QStringLiteral("none.onnx"));
        m_window->openFiles({path});
        QTRY_VERIFY_WITH_TIMEOUT(state().title() == QStringLiteral("none.onnx"), 20000);
        QVERIFY(waitForPasses(state()));
        QVERIFY(state().stepCount() > 0 && state().timeline()->blocked.empty());
        m_window->showPanel(QStringLiteral("blocked"));
        const auto says = [this](const QString& words) {
            const auto labels = m_window->findChild<BlockedPanel*>()->findChildren<QLabel*>();
            return std::ranges::any_of(
                labels, [&](const QLabel* label) { return label->text() == words; });
        };
        m_window->actions()[Act::predict]->trigger();
        QVERIFY(says(QStringLiteral("Hidden while you predict")));
        QVERIFY(!says(QStringLiteral("Nothing is blocked")));
        state().last();
        QVERIFY(says(QStringLiteral("Nothing is blocked")));
    }

    // Neither the model's figures nor a node's history go beyond the step shown.
    void figuresAndHistoryEndWithTheStep()
    {
        m_window->showPanel(QStringLiteral("summary"));
        auto* summary = m_window->findChild<SummaryPanel*>();
        const auto isHidden = [&] {
            const auto* page = summary->findChild<QStackedWidget*>();
            return qobject_cast<EmptyState*>(page->currentWidget()) != nullptr;
        };
        QTRY_VERIFY(!isHidden());
        const Graph& opened = state().session()->opened();
        const auto nodes = opened.allNodes();
        const NodeId conv = *std::ranges::find_if(
            nodes, [&](NodeId id) { return opened.node(id)->is("Conv"); });
        auto* history = m_window->findChild<HistoryPage*>();
        const auto rows = [&] {
            history->show(conv);
            return history->findChild<QTreeView*>()->model()->rowCount();
        };
        const int whole = rows();
        QVERIFY(whole > 2); // it is fused with others
        m_window->actions()[Act::predict]->trigger();
        QTRY_VERIFY(isHidden());
        QCOMPARE(rows(), 1); // that it stands in the file
        state().last();
        QTRY_VERIFY(!isHidden());
        QCOMPARE(rows(), whole);
    }

    void forwardAsksBeforeItShows()
    {
        QVERIFY(box().isHidden());
        m_window->actions()[Act::predict]->trigger();
        QVERIFY(!box().isHidden());
        QVERIFY(box().owesGuess());
        m_window->actions()[Act::forward]->trigger();
        QCOMPARE(state().b(), 0); // the guess is owed
        StepsTree& tree = m_window->stepsPanel().tree();
        QTest::keyClick(&tree, Qt::Key_Right);
        QCOMPARE(state().b(), 0);
        guessAll(true);
        QCOMPARE(state().b(), 1); // shown at once
        QVERIFY2(box().verdict().contains(QStringLiteral("Right.")), qPrintable(box().verdict()));
        QCOMPARE(box().right(), box().asked());
        guessAll(false);
        QCOMPARE(state().b(), 2);
        QVERIFY2(box().verdict().startsWith(QStringLiteral("Not this time")), qPrintable(box().verdict()));
        QVERIFY(box().right() < box().asked());
        m_window->actions()[Act::predict]->trigger();
        m_window->actions()[Act::forward]->trigger();
        QCOMPARE(state().b(), 3); // nobody guesses any more
    }

    // Every step has an answer that is offered, and only what is refused for good is blocked.
    void everyQuestionHasARightAnswer()
    {
        const Timeline& timeline = *state().timeline();
        for (int b = 0; b < timeline.size(); ++b) {
            const auto questions = questionsAbout(timeline, b);
            QVERIFY(!questions.empty());
            for (const Question& one : questions) {
                QVERIFY(!one.right.empty());
                QCOMPARE(one.right.contains(Outcome::blocked), one.blocked >= 0);
            }
        }
        QVERIFY(questionsAbout(timeline, timeline.size()).empty());
    }

    // The step that is shown is no secret; stages and rules with hidden rows are.
    void onlyWhatComesIsHidden()
    {
        m_window->actions()[Act::predict]->trigger();
        guessAll(true);
        const StepsModel& model = m_window->stepsPanel().model();
        const int last = state().stepCount();
        QVERIFY(model.indexOfStep(1).data().toString() != QLatin1String("?"));
        QCOMPARE(model.indexOfStep(last).data().toString(), QStringLiteral("?"));
        QCOMPARE(model.indexOfStep(last).parent().data().toString(), QStringLiteral("?"));
        QCOMPARE(model.indexOfStep(last).parent().parent().data().toString(), QStringLiteral("?"));
        state().last();
        QVERIFY(model.indexOfStep(last).parent().parent().data().toString() != QLatin1String("?"));
        QVERIFY(!box().owesGuess());
    }
};

FUSESCOPE_TEST(PredictTest, predict_test)

#include "predict_test.moc"
