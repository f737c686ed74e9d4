#include "panel_fixture.h"
#include "support/test_class.h"
#include "ui/models/steps_filter.h"
#include "ui/models/steps_model.h"
#include "ui/open_model.h"
#include "ui/panels/steps_panel.h"
#include "ui/panels/steps_tree.h"
#include "ui/theme/roles.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <random>

using namespace fusescope;
using namespace fusescope::test;

namespace {

// The tree in lines, a step as "3 ✓ name".
void print(const QAbstractItemModel& model, const QModelIndex& parent, int depth, QStringList& lines)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        QString line(depth * 2, QLatin1Char(' '));
        if (const QString number = index.data(NumberRole).toString(); !number.isEmpty())
            line += number + QLatin1Char(' ');
        switch (index.data(MarkRole).value<Mark>()) {
        case Mark::tick:
            line += QStringLiteral("done ");
            break;
        case Mark::current:
            line += QStringLiteral("here ");
            break;
        case Mark::coming:
            line += QStringLiteral("coming ");
            break;
        case Mark::blocked:
            line += QStringLiteral("blocked ");
            break;
        case Mark::skipped:
            line += QStringLiteral("skipped ");
            break;
        case Mark::predicted:
            line += QStringLiteral("hidden ");
            break;
        default:
            break;
        }
        line += index.data().toString();
        if (const QString count = index.data(CountRole).toString(); !count.isEmpty())
            line += QStringLiteral(" (%1)").arg(count);
        lines << line;
        print(model, index, depth + 1, lines);
    }
}

QStringList linesOf(const QAbstractItemModel& model)
{
    QStringList lines;
    print(model, {}, 0, lines);
    return lines;
}

std::string manyIdentities(int count)
{
    std::string text = R"(<ir_version: 8, opset_import: ["" : 17]>
        net (float[2] x) => (float[2] y) {
            v0 = Relu (x)
    )";
    for (int i = 0; i < count; ++i)
        text += "v" + std::to_string(i + 1) + " = Identity (v" + std::to_string(i) + ")\n";
    return text + "y = Neg (v" + std::to_string(count) + ") }";
}

// Rewrites of several rules and stages, and one refusal a block.
std::string manyBlocks(int count)
{
    std::string text = R"(<ir_version: 8, opset_import: ["" : 17]>
        net (float[1, 1, 8, 8] x0) => (y)
        <float[1, 1, 1, 1] w = {2}, float[1] one = {1}, float[1] zero = {0}> {
    )";
    for (int i = 0; i < count; ++i) {
        const std::string n = std::to_string(i), next = std::to_string(i + 1);
        text += "[conv" + n + "] c" + n + " = Conv (x" + n + ", w)\n" +
                "[bn" + n + "] b" + n + " = BatchNormalization (c" + n + ", one, zero, zero, one)\n" +
                "[same" + n + "] i" + n + " = Identity (b" + n + ")\n" +
                "[relu" + n + "] r" + n + " = Relu (i" + n + ")\n" +
                "[both" + n + "] x" + next + " = Add (r" + n + ", " + (i % 2 ? "c" : "i") + n + ")\n";
    }
    return text + "y = Neg (x" + std::to_string(count) + ") }";
}

} // namespace

class StepsModelTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private Q_SLOTS:
    void isEmptyWithoutModel()
    {
        AppState state;
        StepsModel model(state);
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.emptyCount(), 0);
        QVERIFY(!model.indexOfStep(1).isValid());
    }

    void showsStagesRulesAndRewrites()
    {
        AppState state;
        StepsModel model(state);
        const QAbstractItemModelTester tester(&model);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("a.onnx")));
        QVERIFY(waitForPasses(state));
        const int fused = stepOf(state, "conv-batchnorm");
        QVERIFY(fused > 0);
        const QModelIndex row = model.indexOfStep(fused);
        QCOMPARE(model.stepOf(row), fused);
        QCOMPARE(row.parent().data().toString(), QStringLiteral("Conv + BatchNormalization"));
        QCOMPARE(row.parent().parent().data().toString(), QStringLiteral("Fusion"));
        QCOMPARE(row.data(NumberRole).toString(), QString::number(fused));
        QCOMPARE(row.data(MarkRole).value<Mark>(), Mark::coming);
        QVERIFY(row.data(MutedRole).toBool());

        state.setB(fused);
        QCOMPARE(row.data(MarkRole).value<Mark>(), Mark::current);
        QVERIFY(!row.data(MutedRole).toBool());
        state.setB(fused - 1);
        QCOMPARE(row.data(MarkRole).value<Mark>(), Mark::coming);
        state.last();
        QCOMPARE(model.indexOfStep(1).data(MarkRole).value<Mark>(), Mark::tick);
    }

    // A refused candidate stands in the rule that refused it, with a dash for a number.
    void showsBlockedInLine()
    {
        AppState state;
        StepsModel model(state);
        const QAbstractItemModelTester tester(&model);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("b.onnx")));
        QVERIFY(waitForPasses(state));
        const QModelIndex rule = model.indexOfStep(stepOf(state, "conv-batchnorm")).parent();
        QCOMPARE(model.rowCount(rule), 2);
        const QModelIndex row = model.index(1, 0, rule);
        QCOMPARE(model.kindOf(row), StepsModel::Kind::blocked);
        QCOMPARE(row.data(NumberRole).toString(), QStringLiteral("–"));
        QCOMPARE(row.data(MarkRole).value<Mark>(), Mark::blocked);
        QVERIFY(model.blockedOf(row));
        QCOMPARE(model.stepOf(row), 0);
        QVERIFY(!rule.data(PillsRole).value<QList<Pill>>().isEmpty());
    }

    void marksTheRange()
    {
        AppState state;
        StepsModel model(state);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("c.onnx")));
        QVERIFY(waitForPasses(state));
        QVERIFY(state.stepCount() >= 3);
        state.setB(3);
        state.setA(1);
        QVERIFY(!model.indexOfStep(1).data(RangeRole).toBool());
        QVERIFY(model.indexOfStep(2).data(RangeRole).toBool());
        QVERIFY(model.indexOfStep(3).data(RangeRole).toBool());
        QVERIFY(model.indexOfStep(3).parent().data(RangeRole).toBool());
        const auto pills = model.indexOfStep(1).data(PillsRole).value<QList<Pill>>();
        QVERIFY(!pills.isEmpty() && pills.last().text == QLatin1String("A"));
        state.setA(std::nullopt);
        QVERIFY(!model.indexOfStep(2).data(RangeRole).toBool());
    }

    void predictHidesWhatComes()
    {
        AppState state;
        StepsModel model(state);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("d.onnx")));
        QVERIFY(waitForPasses(state));
        state.setB(1);
        state.setPredict(true);
        QVERIFY(model.indexOfStep(1).data().toString() != QLatin1String("?"));
        QCOMPARE(model.indexOfStep(2).data().toString(), QStringLiteral("?"));
        QCOMPARE(model.indexOfStep(2).data(MarkRole).value<Mark>(), Mark::predicted);
        QVERIFY(model.indexOfStep(2).data(StepsModel::FilterRole).toString().isEmpty());
        state.setB(2);
        QVERIFY(model.indexOfStep(2).data().toString() != QLatin1String("?"));
        state.setPredict(false);
        QVERIFY(!linesOf(model).join(QLatin1Char('\n')).contains(QLatin1Char('?')));
    }

    void showsRulesThatFoundNothing()
    {
        AppState state;
        StepsModel model(state);
        const QAbstractItemModelTester tester(&model);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("e.onnx")));
        QVERIFY(waitForPasses(state));
        const auto rules = [&] {
            int count = 0;
            for (int i = 0; i < model.rowCount(); ++i)
                count += model.rowCount(model.index(i, 0));
            return count;
        };
        const int busy = rules();
        const int empty = model.emptyCount();
        QVERIFY(empty > 10);
        const QStringList before = linesOf(model);
        model.setShowEmpty(true);
        QCOMPARE(rules(), busy + empty);
        model.setShowEmpty(false);
        QCOMPARE(linesOf(model), before);
    }

    void skippedStaysWithItsNumber()
    {
        AppState state;
        StepsModel model(state);
        const QAbstractItemModelTester tester(&model);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("f.onnx")));
        QVERIFY(waitForPasses(state));
        const int fused = stepOf(state, "conv-batchnorm");
        // The former timeline stands until the new one has steps.
        const auto struck = [&] { return model.indexOfStep(fused).data(StrikeRole).toBool(); };
        state.skipStep(fused);
        QVERIFY(QTest::qWaitFor([&] { return state.isFinished() && struck(); }, 20000));
        const QModelIndex row = model.indexOfStep(fused);
        QCOMPARE(row.data(MarkRole).value<Mark>(), Mark::skipped);
        QVERIFY(row.data(StrikeRole).toBool());
        QCOMPARE(row.data(SecondTextRole).toString(), QStringLiteral("skipped by you"));
        state.undoStack().undo();
        QVERIFY(QTest::qWaitFor(
            [&] { return state.isFinished() && model.indexOfStep(fused).isValid() && !struck(); }, 20000));
    }

    void filterKeepsWhatMatches()
    {
        AppState state;
        StepsModel model(state);
        StepsFilter filter;
        filter.setSourceModel(&model);
        const QAbstractItemModelTester tester(&filter);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("g.onnx")));
        QVERIFY(waitForPasses(state));
        const QStringList all = linesOf(filter);
        filter.setWords(QStringLiteral("BATCHNORM"));
        const QStringList some = linesOf(filter);
        QVERIFY(some.size() < all.size());
        QVERIFY(some.join(QLatin1Char('\n')).contains(QStringLiteral("Conv + BatchNormalization")));
        QVERIFY(!some.join(QLatin1Char('\n')).contains(QStringLiteral("Remove Identity")));
        filter.setWords(QStringLiteral("no such name"));
        QCOMPARE(filter.rowCount(), 0);
        filter.setWords({});
        QCOMPARE(linesOf(filter), all);
    }

    // A model that cannot be computed is not called optimal.
    void aModelWithProblemsIsNotOptimal()
    {
        AppState state;
        Actions actions(nullptr);
        StepsPanel panel(state, actions);
        panel.show();
        state.open(modelFile("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x, float[3] y) => "
                             "(z) { z = Add (x, y) }",
                             m_folder.path(), QStringLiteral("wrong.onnx")));
        QVERIFY(waitForPasses(state));
        QTRY_VERIFY(tells(panel, QStringLiteral("Nothing to rewrite")));
        state.open(modelFile("<ir_version: 8, opset_import: [\"\" : 17]> g (float[2] x, float[2] y) => "
                             "(z) { z = Add (x, y) }",
                             m_folder.path(), QStringLiteral("right.onnx")));
        QTRY_VERIFY(tells(panel, QStringLiteral("Already optimal")));
    }

    // Words, plans and passes that found nothing change while the passes still run.
    void panelKeepsUpWithATreeThatGrows()
    {
        AppState state;
        Actions actions(nullptr);
        StepsPanel panel(state, actions);
        panel.resize(300, 500);
        panel.show();
        auto* words = panel.findChild<QLineEdit*>();
        QToolButton* changed = nullptr;
        for (QToolButton* button : panel.findChildren<QToolButton*>()) {
            if (button->isCheckable() && button->text() == QStringLiteral("Changed"))
                changed = button;
        }
        QVERIFY(words && changed);
        const QAbstractItemModelTester tester(panel.tree().model());
        const QString file = modelFile(manyBlocks(60), m_folder.path(), QStringLiteral("grow.onnx"));
        state.open(file);
        QVERIFY(waitForPasses(state));
        const char* const texts[] = {"", "3", "13", "no such row", "Identity", "bn2", "1", "Fusion"};
        std::mt19937 random(4);
        for (int round = 0; round < 400; ++round) {
            switch (random() % 7) {
            case 0:
                changed->toggle();
                break;
            case 1:
                if (state.stepCount() > 0)
                    state.skipStep(1 + static_cast<int>(random() % static_cast<unsigned>(state.stepCount())));
                break;
            case 2:
                state.undoStack().undo();
                break;
            case 3:
                state.reload();
                break;
            case 4:
                state.setB(static_cast<int>(random() % 200));
                break;
            case 5:
                QTest::qWait(static_cast<int>(random() % 40));
                break;
            default:
                words->setText(QString::fromLatin1(texts[random() % std::size(texts)]));
            }
        }
        words->clear();
        QVERIFY(waitForPasses(state));
    }

    // Thousands of rows: they arrive in few insertions, and a move of the cursor tells of a few rows.
    void thousandsOfStepsAreToldInRuns()
    {
        AppState state;
        StepsModel model(state);
        StepsFilter filter;
        filter.setSourceModel(&model);
        QTreeView view;
        view.setUniformRowHeights(true);
        view.setModel(&filter);
        view.resize(300, 600);
        view.show();
        constexpr int count = 3000;
        state.open(modelFile(manyIdentities(count), m_folder.path(), QStringLiteral("h.onnx")));
        QVERIFY(waitForPasses(state));
        QVERIFY(state.stepCount() >= count);
        view.expandAll();
        int rows = 0;
        connect(&model, &QAbstractItemModel::dataChanged, &view,
                [&rows](const QModelIndex& first, const QModelIndex& last) {
                    rows += last.row() - first.row() + 1;
                });
        for (int step = 1; step <= 200; ++step)
            state.setB(step);
        QVERIFY2(rows > 200 && rows < 200 * 8, qPrintable(QString::number(rows)));
        QCOMPARE(model.indexOfStep(200).data(MarkRole).value<Mark>(), Mark::current);
        state.close();
        QCOMPARE(model.rowCount(), 0);
    }

    // A value with many readers: each is refused by the same rule, and all rows come at once.
    void refusalsOfARuleComeInOneInsertion()
    {
        constexpr int count = 500;
        std::string text = R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[1, 2, 4, 4] x) => ()";
        std::string nodes;
        for (int i = 0; i < count; ++i) {
            const std::string y = "y" + std::to_string(i);
            text += (i == 0 ? "float[1, 2, 4, 4] " : ", float[1, 2, 4, 4] ") + y;
            nodes += y + " = Relu (c)\n";
        }
        text += ") <float[2, 2, 1, 1] W = random(1)> { c = Conv (x, W)\n" + nodes + "}";
        AppState state;
        StepsModel model(state);
        const QAbstractItemModelTester tester(&model);
        int insertions = 0, rows = 0;
        connect(&model, &QAbstractItemModel::rowsInserted, &state,
                [&](const QModelIndex& parent, int first, int last) {
                    if (model.kindOf(model.index(first, 0, parent)) != StepsModel::Kind::blocked)
                        return;
                    ++insertions;
                    rows += last - first + 1;
                });
        state.open(modelFile(text, m_folder.path(), QStringLiteral("star.onnx")));
        QVERIFY(waitForPasses(state));
        QCOMPARE(rows, static_cast<int>(state.timeline()->blocked.size()));
        QVERIFY(rows >= count);
        QVERIFY2(insertions < 10, qPrintable(QString::number(insertions)));
    }
};

FUSESCOPE_TEST(StepsModelTest, steps_model_test)
#include "steps_model_test.moc"
