#include "report/render.h"
#include "support/test_class.h"
#include "ui/examples.h"
#include "ui/find_bar.h"
#include "ui/language.h"
#include "ui/main_window.h"
#include "ui/models/steps_model.h"
#include "ui/names.h"
#include "ui/open_model.h"
#include "ui/panels/compare_panel.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/why_parts.h"
#include "ui/settings_folder.h"
#include "ui/theme/theme.h"
#include "ui/widgets/filter_edit.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QStatusBar>
#include <QToolButton>
#include <QUndoStack>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view equalWeights = R"(<ir_version: 8, opset_import: ["" : 17]>
    net (float[4] x) => (float[4] y)
    <float[4] one = random(7), float[4] same = random(7)>
    { a = Add (x, one) b = Sin (a) y = Mul (b, same) })";

} // namespace

// What people read: one name for a node everywhere, no number of the program's own, and keys that
// go where one looks.
class WordsTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;

    std::unique_ptr<MainWindow> windowOf(std::string_view text, const QString& name)
    {
        auto window = std::make_unique<MainWindow>();
        window->setAttribute(Qt::WA_DeleteOnClose, false);
        window->resize(1440, 900);
        window->show();
        window->openFiles({modelFile(text, m_folder.path(), name)});
        return waitForPasses(window->state()) ? std::move(window) : nullptr;
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void init() { m_settings = std::make_unique<SettingsFolder>(); }

    // Sentences name keys as they are engraved, so menus do too.
    void keysHaveOneNameInEveryLanguage()
    {
        for (const char* language : {"zh_CN", "en"}) {
            installTranslations(QString::fromLatin1(language));
            for (const char* key : {"Space", "Backspace", "Alt+Left", "Ctrl+Return", "Home"})
                QCOMPARE(QKeySequence(QString::fromLatin1(key)).toString(QKeySequence::NativeText),
                         QString::fromLatin1(key));
        }
    }

    void theTransportHasItsWordsInChinese()
    {
        installTranslations(QStringLiteral("zh_CN"));
        {
            AppState state;
            Actions actions(nullptr);
            StepsPanel panel(state, actions);
            panel.resize(296, 600);
            panel.show();
            QStringList words;
            for (const auto* button : panel.findChildren<QToolButton*>()) {
                if (button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon && !button->text().isEmpty()
                    && button->defaultAction())
                    words << button->text();
            }
            QVERIFY2(words.contains(QStringLiteral("本遍")) && words.contains(QStringLiteral("全部")),
                     qPrintable(words.join(u' ')));
        }
        installTranslations(QStringLiteral("en"));
    }

    void placeholdersEndBeforeTheKey()
    {
        FilterEdit field(QStringLiteral("Find node, tensor, attribute"), QStringLiteral("find"),
                         QStringLiteral("Ctrl+F"));
        field.resize(600, 30);
        field.show();
        QCOMPARE(field.placeholderText(), QStringLiteral("Find node, tensor, attribute"));
        field.resize(200, 30);
        QTRY_VERIFY(field.placeholderText().endsWith(u'…'));
        QVERIFY(field.toolTip().contains(QStringLiteral("attribute")));
        QCOMPARE(field.accessibleName(), QStringLiteral("Find node, tensor, attribute"));
    }

    void aNamelessNodeHasOneName()
    {
        AppState state;
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("names.onnx")));
        QVERIFY(waitForPasses(state));
        Graph graph = state.session()->opened();
        const NodeId named = state.session()->findNodes(graph, "bn1").front();
        QCOMPARE(names::besideOperator(state, named), QStringLiteral("bn1"));

        AppState other;
        other.open(modelFile(R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y)
            <float[4, 3, 3, 3] W = random(1), float[4] s = random(3, 0.5, 2), float[4] v = random(6, 0.5, 2)>
            { c = Conv <pads = [1, 1, 1, 1]> (x, W)
              n = BatchNormalization (c, s, s, s, v)
              y = Relu (n) })",
                             m_folder.path(), QStringLiteral("nameless.onnx")));
        QVERIFY(waitForPasses(other));
        const Graph& opened = other.session()->opened();
        const NodeId norm = other.session()->findNodes(opened, "n").front(); // found by its output
        const QString name = QStringLiteral("BatchNormalization #%1").arg(norm.value);
        QCOMPARE(names::brief(other, norm), name);
        QCOMPARE(names::whole(other, norm), name);
        QCOMPARE(QString::fromStdString(displayName(&opened, norm)), name);
        QCOMPARE(names::besideOperator(other, norm), QStringLiteral("#%1").arg(norm.value));
        QCOMPARE(other.nameOf(norm), name);
        bool told = false;
        for (const auto& step : other.timeline()->steps)
            told = told || names::title(other, *step).contains(name);
        QVERIFY(told);
    }

    void aStepWithoutARootSaysWhatItDoes()
    {
        AppState state;
        StepsModel model(state);
        state.open(modelFile(equalWeights, m_folder.path(), QStringLiteral("equal.onnx")));
        QVERIFY(waitForPasses(state));
        const int step = stepOf(state, "merge-initializers");
        QVERIFY(step > 0);
        QCOMPARE(model.indexOfStep(step).data().toString(),
                 QStringLiteral("Merge an initializer with an equal one"));
        // A fix of all initializers names no value.
        const Fix all{FixKind::freezeInitializers, ValueId{}, false, true};
        QCOMPARE(names::fixText(state, all), QStringLiteral("Apply fix: freeze all initializers"));
        state.applyFix(all);
        QCOMPARE(state.undoStack().undoText(), QStringLiteral("Fix of all initializers"));
    }

    void aConditionIsToldOnce()
    {
        AppState state;
        const Graph graph;
        const ConditionRecord holds{"condition.version", true, {}};
        const ConditionRecord fails{"condition.finite", false, {}};
        const auto told = conditionsToTell(state, {holds, holds, fails}, graph);
        QCOMPARE(told.size(), 2);
        QVERIFY(!told.front().holds);
        MissReason miss;
        miss.reasons.resize(1);
        miss.reasons.front().message = Message("unblock.pinned");
        QCOMPARE(conditionsToTell(state, miss, graph).size(), 1); // never "0 of 0"
    }

    void escClosesFindAndGivesTheGraphItsKeys()
    {
        const auto window = windowOf(twoConvText(), QStringLiteral("find.onnx"));
        QVERIFY(window);
        window->actions()[Act::find]->trigger();
        auto* bar = window->findChild<FindBar*>();
        QVERIFY(!bar->isHidden());
        auto* edit = bar->findChild<QLineEdit*>();
        edit->setText(QStringLiteral("conv"));
        QTest::keyClick(edit, Qt::Key_Escape);
        QVERIFY(bar->isHidden());
        QWidget* focus = window->focusWidget();
        QVERIFY(focus);
        QTest::keyClick(focus, Qt::Key_N);
        QCOMPARE(window->state().b(), 1);
    }

    void theKeyOfAPanelBringsItToTheFront()
    {
        const auto window = windowOf(twoConvText(), QStringLiteral("panels.onnx"));
        QVERIFY(window);
        auto* blocked = window->findChild<QDockWidget*>(QStringLiteral("blocked"));
        auto* summary = window->findChild<QDockWidget*>(QStringLiteral("summary"));
        QTRY_VERIFY(!blocked->visibleRegion().isEmpty());
        QAction* key = nullptr;
        for (QAction* action : window->findChildren<QAction*>()) {
            if (action->shortcut() == QKeySequence(QStringLiteral("Alt+8")))
                key = action;
        }
        QVERIFY(key);
        QCOMPARE(key->text(), summary->windowTitle());
        key->trigger();
        QVERIFY(!summary->isHidden());
        QTRY_VERIFY(!summary->visibleRegion().isEmpty());
        QVERIFY(key->isChecked());
        key->trigger(); // it is seen: now it goes
        QVERIFY(summary->isHidden());
        QVERIFY(!key->isChecked());
    }

    void whyNoModelIsOpenIsForgottenWithTheModel()
    {
        MainWindow window;
        window.show();
        window.statusBar()->showMessage(QStringLiteral("No model is open."));
        window.openFiles({modelFile(twoConvText(), m_folder.path(), QStringLiteral("tip.onnx"))});
        QVERIFY(waitForPasses(window.state()));
        QVERIFY(window.statusBar()->currentMessage().isEmpty());
    }

    // Without a comparison before it, the search has a seed, a tolerance and a table of its own.
    void theFirstDivergenceComparesToo()
    {
        AppState state;
        Actions actions(nullptr);
        ComparePanel panel(state, actions);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("bisect.onnx")));
        QVERIFY(waitForPasses(state));
        state.findDivergence();
        QTRY_VERIFY_WITH_TIMEOUT(state.compareResult(), 20000);
        const Comparison& comparison = state.compareResult()->comparison;
        QVERIFY(state.compareResult()->divergence);
        QCOMPARE(comparison.outputs.size(), std::size_t{1});
        QCOMPARE(comparison.seed, state.inputs().seed);
        QVERIFY(panel.headline() != QStringLiteral("Not compared"));
        QVERIFY(panel.model()->rowCount() > 1);
    }

    void examplesSpeakTheLanguageOfTheWindow()
    {
        installTranslations(QStringLiteral("zh_CN"));
        const QString chinese = examples().front().title;
        installTranslations(QStringLiteral("en"));
        QCOMPARE(examples().front().title, QStringLiteral("A residual block"));
        QVERIFY(chinese != QStringLiteral("A residual block"));
    }
};

FUSESCOPE_TEST(WordsTest, words_test)

#include "words_test.moc"
