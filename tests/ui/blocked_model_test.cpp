#include "support/test_class.h"
#include "ui/models/blocked_model.h"
#include "ui/models/changes_model.h"
#include "ui/models/messages_model.h"
#include "ui/open_model.h"
#include "ui/theme/roles.h"

#include <QAbstractItemModelTester>
#include <QTemporaryDir>

using namespace fusescope;
using namespace fusescope::test;

class BlockedModelTest : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    // The row of the BatchNormalization in training mode; −1 if it is not there.
    static int trainingRow(const BlockedModel& model)
    {
        for (int i = 0; i < model.rowCount(); ++i) {
            const Blocked* row = model.rowAt(i);
            if (row && row->miss.rule == "conv-batchnorm")
                return i;
        }
        return -1;
    }

private Q_SLOTS:
    void listsWhatWasRefused()
    {
        AppState state;
        BlockedModel model(state);
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("a.onnx")));
        QVERIFY(waitForPasses(state));
        QCOMPARE(model.rowCount(), static_cast<int>(state.timeline()->blocked.size()));
        const int row = trainingRow(model);
        QVERIFY(row >= 0);
        const auto cell = [&](int column) { return model.index(row, column); };
        QCOMPARE(cell(BlockedModel::kind).data(MarkRole).value<Mark>(), Mark::blocked);
        QCOMPARE(cell(BlockedModel::rewrite).data().toString(), QStringLiteral("Conv + BatchNormalization"));
        QCOMPARE(cell(BlockedModel::culprit).data().toString(), QStringLiteral("bn2"));
        QVERIFY(cell(BlockedModel::culprit).data(LinkRole).toBool());
        QVERIFY(!cell(BlockedModel::why).data().toString().isEmpty());
        QVERIFY(cell(BlockedModel::why).data(EmphasisRole).toBool());
        QCOMPARE(cell(BlockedModel::fix).data(ButtonRole).toString(), QStringLiteral("Set to 0"));
        QVERIFY(model.countOf(ReasonKind::legality) >= 1);
    }

    void filtersByWordsAndKind()
    {
        AppState state;
        BlockedModel model(state);
        BlockedFilter filter;
        filter.setSourceModel(&model);
        const QAbstractItemModelTester tester(&filter);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("b.onnx")));
        QVERIFY(waitForPasses(state));
        filter.setWords(QStringLiteral("bn2"));
        QVERIFY(filter.rowCount() >= 1);
        filter.setWords(QStringLiteral("no such word"));
        QCOMPARE(filter.rowCount(), 0);
        filter.setWords({});
        filter.setKinds({ReasonKind::policy});
        QCOMPARE(filter.rowCount(), model.countOf(ReasonKind::policy));
        filter.setKinds({});
        QCOMPARE(filter.rowCount(), model.rowCount());
        // Each row was put into words once, whatever was typed.
        filter.setWords(QStringLiteral("conv"));
        filter.setWords(QStringLiteral("convolution"));
        QCOMPARE(model.filterTextsMade(), state.timeline()->blocked.size());
    }

    void predictHidesLaterAnswers()
    {
        AppState state;
        BlockedModel model(state);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("c.onnx")));
        QVERIFY(waitForPasses(state));
        const int row = trainingRow(model);
        QVERIFY(row >= 0);
        const int finalAt = state.timeline()->blocked[static_cast<std::size_t>(row)].finalAt;
        QVERIFY(finalAt > 0);
        state.setPredict(true);
        QVERIFY(!model.rowAt(row));
        QCOMPARE(model.index(row, BlockedModel::why).data().toString(), QStringLiteral("?"));
        QVERIFY(!model.index(row, BlockedModel::fix).data(ButtonRole).isValid());
        state.setB(finalAt);
        QVERIFY(model.rowAt(row));
        QVERIFY(model.index(row, BlockedModel::why).data().toString() != QLatin1String("?"));
    }

    void fixTakesTheRowAway()
    {
        AppState state;
        BlockedModel model(state);
        const QAbstractItemModelTester tester(&model);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("d.onnx")));
        QVERIFY(waitForPasses(state));
        const int row = trainingRow(model);
        QVERIFY(row >= 0);
        const Fix fix = model.rowAt(row)->miss.reasons.front().fix.value();
        QVERIFY(fix.changesMeaning);
        state.applyFix(fix);
        QVERIFY(QTest::qWaitFor([&] { return state.isFinished() && trainingRow(model) < 0; }, 20000));
        QCOMPARE(state.timeline()->steps.front()->stage, Stage::fixes);
        state.undoStack().undo();
        QVERIFY(QTest::qWaitFor([&] { return state.isFinished() && trainingRow(model) >= 0; }, 20000));
    }

    void changesNameTheirParts()
    {
        AppState state;
        ChangesModel model(state);
        const QAbstractItemModelTester tester(&model);
        QCOMPARE(model.rowCount(), 0);
        state.open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("e.onnx")));
        QVERIFY(waitForPasses(state));
        const int fused = stepOf(state, "conv-batchnorm");
        state.setB(fused);
        QVERIFY(model.rowCount() >= 2);
        QVERIFY(!model.isGrouped());
        bool removed = false, changed = false;
        for (int i = 0; i < model.rowCount(); ++i) {
            const QModelIndex index = model.index(i, 0);
            const Mark mark = index.data(MarkRole).value<Mark>();
            QVERIFY(model.subjectOf(index).has_value());
            removed = removed || (mark == Mark::removed &&
                                  index.data().toString() == QLatin1String("BatchNormalization"));
            changed = changed || (mark == Mark::changed && index.data().toString() == QLatin1String("Conv") &&
                                  index.data(SecondTextRole).toString().startsWith(QLatin1String("conv1")));
        }
        QVERIFY(removed);
        QVERIFY(changed);
        state.setB(state.stepCount());
        state.setA(0);
        QVERIFY(QTest::qWaitFor([&] { return state.isCurrentDiff() && model.rowCount() > 0; }, 20000));
        state.close();
        QCOMPARE(model.rowCount(), 0);
    }

    void messagesGrowAndClear()
    {
        AppState state;
        MessagesModel model(state);
        const QAbstractItemModelTester tester(&model);
        state.notify({NoticeLevel::error, QStringLiteral("<b>bad</b> & file"), {}, {}, {}});
        state.notify({NoticeLevel::success, QStringLiteral("written"), {}, {}, {}});
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("<b>bad</b> & file"));
        QCOMPARE(model.index(0, 0).data(MarkRole).value<Mark>(), Mark::cross);
        QCOMPARE(model.index(1, 0).data(MarkRole).value<Mark>(), Mark::tick);
        state.close();
        QCOMPARE(model.rowCount(), 0);
    }
};

FUSESCOPE_TEST(BlockedModelTest, blocked_model_test)
#include "blocked_model_test.moc"
