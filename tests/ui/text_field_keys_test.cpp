#include "support/test_class.h"
#include "ui/open_model.h"
#include "ui/open_window.h"
#include "ui/graph/graph_canvas.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/steps_tree.h"
#include "ui/settings_folder.h"
#include "ui/theme/theme.h"

#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QSpinBox>

#include <algorithm>

using namespace fusescope;
using namespace fusescope::test;

// What is typed into a field is the field's, and no shortcut's.
class TextFieldKeysTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    bool isTakenByWindow(QWidget& focus, Act act, Qt::Key key, Qt::KeyboardModifiers held)
    {
        QSignalSpy triggered(m_window->actions()[act], &QAction::triggered);
        QTest::keyClick(&focus, key, held);
        return triggered.count() > 0;
    }

    QLineEdit& filter() { return *m_window->stepsPanel().findChild<QLineEdit*>(); }

private Q_SLOTS:
    void initTestCase() { theme().install(); }

    void init()
    {
        m_settings = std::make_unique<SettingsFolder>();
        m_window = makeWindow();
        m_window->openFiles(
            {modelFile(twoConvText(), m_folder.path(), QStringLiteral("net.onnx"))});
        QVERIFY(waitForPasses(m_window->state()));
        m_window->activateWindow();
    }

    void cleanup() { m_window.reset(); }

    void fieldsKeepTheKeysThatEdit()
    {
        filter().setFocus();
        QTRY_VERIFY(filter().hasFocus());
        const std::pair<Act, Qt::Key> kept[] = {
            {Act::leftToRight, Qt::Key_K}, {Act::attributes, Qt::Key_D}, {Act::weights, Qt::Key_I},
            {Act::names, Qt::Key_U},       {Act::forward, Qt::Key_Right}, {Act::last, Qt::Key_End}};
        for (const auto& [act, key] : kept)
            QVERIFY2(!isTakenByWindow(filter(), act, key, Qt::ControlModifier),
                     qPrintable(m_window->actions()[act]->text()));
        QVERIFY(!isTakenByWindow(filter(), Act::skip, Qt::Key_S, Qt::NoModifier));
        QCOMPARE(m_window->state().b(), 0);
        QVERIFY(!isTakenByWindow(filter(), Act::shrinkRange, Qt::Key_Right,
                                 Qt::ControlModifier | Qt::ShiftModifier));
    }

    void allElseStaysTheWindows()
    {
        filter().setFocus();
        QTRY_VERIFY(filter().hasFocus());
        QVERIFY(isTakenByWindow(filter(), Act::find, Qt::Key_F, Qt::ControlModifier));
        filter().setFocus();
        QVERIFY(isTakenByWindow(filter(), Act::runAll, Qt::Key_R, Qt::ControlModifier));
        StepsTree& tree = m_window->stepsPanel().tree();
        tree.setFocus();
        QTRY_VERIFY(tree.hasFocus());
        QVERIFY(isTakenByWindow(tree, Act::leftToRight, Qt::Key_K, Qt::ControlModifier));
        QVERIFY(isTakenByWindow(tree, Act::weights, Qt::Key_I, Qt::ControlModifier));
    }

    // T traces in the graph; in the Tools menu it is a mnemonic.
    void anOpenMenuHasItsLetters()
    {
        GraphCanvas* graph = nullptr;
        QTRY_VERIFY(std::ranges::any_of(m_window->findChildren<GraphCanvas*>(), [&](GraphCanvas* one) {
            graph = one;
            return one->isVisible() && one->scene();
        }));
        AppState& state = m_window->state();
        state.select(state.session()->findNodes(state.session()->opened(), "conv1").front());
        graph->setFocus();
        QTRY_VERIFY(graph->hasFocus());
        QVERIFY(isTakenByWindow(*graph, Act::trace, Qt::Key_T, Qt::NoModifier));
        QMenu* tools = nullptr;
        for (QMenu* menu : m_window->findChildren<QMenu*>()) {
            if (menu->actions().contains(m_window->actions()[Act::scratch]))
                tools = menu;
        }
        QVERIFY(tools);
        tools->popup(m_window->mapToGlobal(QPoint(10, 10)));
        QTRY_COMPARE(QApplication::activePopupWidget(), tools);
        QVERIFY(!isTakenByWindow(*graph, Act::trace, Qt::Key_T, Qt::NoModifier));
        tools->close();
    }

    void spinBoxesKeepThemToo()
    {
        auto* box = new QSpinBox(m_window->centralWidget());
        box->show();
        box->setFocus();
        QTRY_VERIFY(box->hasFocus());
        QVERIFY(!isTakenByWindow(*box, Act::leftToRight, Qt::Key_K, Qt::ControlModifier));
        QVERIFY(!isTakenByWindow(*box, Act::attributes, Qt::Key_D, Qt::ControlModifier));
        QVERIFY(isTakenByWindow(*box, Act::runAll, Qt::Key_R, Qt::ControlModifier));
    }
};

FUSESCOPE_TEST(TextFieldKeysTest, text_field_keys_test)
#include "text_field_keys_test.moc"
