#include "support/test_class.h"
#include "ui/app_state.h"
#include "ui/open_model.h"
#include "ui/panels/inspector_what_if.h"
#include "ui/settings_folder.h"
#include "ui/theme/theme.h"

using namespace fusescope;
using namespace fusescope::test;

namespace {

bool isBlocked(const AppState& state, std::string_view rule, NodeId root)
{
    return std::ranges::any_of(state.timeline()->blocked, [&](const Blocked& row) {
        return row.miss.rule == rule && row.miss.root == root;
    });
}

// Rule, root and reasons of each row.
QStringList listOf(const AppState& state)
{
    QStringList rows;
    for (const Blocked& row : state.timeline()->blocked) {
        QStringList codes;
        for (const Reason& reason : row.miss.reasons)
            codes << state.sentence(reason.message, &state.session()->opened());
        rows << QStringLiteral("%1 %2: %3").arg(QString::fromUtf8(row.miss.rule.data(), qsizetype(row.miss.rule.size())),
                                                state.nameOf(row.miss.root), codes.join(QStringLiteral(" | ")));
    }
    return rows;
}

} // namespace

class WhatIfTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<SettingsFolder> m_settings;
    QTemporaryDir m_folder;

    std::unique_ptr<AppState> opened(bool scratch) const
    {
        auto state = std::make_unique<AppState>();
        state->setScratch(scratch);
        state->open(modelFile(twoConvText(), m_folder.path(), QStringLiteral("net.onnx")));
        if (!waitForPasses(*state))
            qFatal("a test's model was not opened");
        return state;
    }

private Q_SLOTS:
    void initTestCase() { theme().install(); }
    void init() { m_settings = std::make_unique<SettingsFolder>(); }

    void onlyAScratchCopyOffersIt()
    {
        const auto plain = opened(false);
        QVERIFY(whatIfRows(*plain, named(*plain, "conv1")).isEmpty());
        const auto scratch = opened(true);
        const QList<KeyValue> rows = whatIfRows(*scratch, named(*scratch, "conv1"));
        QStringList links;
        for (const KeyValue& row : rows)
            links << row.asideLink;
        for (const char* link : {"edit-attribute:pads", "edit-attribute:group", "edit-input:0",
                                 "edit-input:2", "edit-reader"})
            QVERIFY2(links.contains(QLatin1String(link)), link);
        QVERIFY(whatIfRows(*scratch, NodeId{}).isEmpty());
    }

    void anotherAttributeLiftsWhatItBlocked()
    {
        const auto state = opened(true);
        const NodeId bn = named(*state, "bn2");
        QVERIFY(isBlocked(*state, "conv-batchnorm", bn));
        QVERIFY(listOf(*state).join(QLatin1Char(' ')).contains(QStringLiteral("training_mode=1")));
        const int before = state->stepCount();
        state->applyEdit({EditKind::attribute, bn, "training_mode", "0", 0, {}});
        QVERIFY(waitForPlan(*state));
        const auto& first = *state->timeline()->steps.front();
        QCOMPARE(first.stage, Stage::fixes);
        QCOMPARE(state->sentence(first.title, state->graphAt(0).get()),
                 QStringLiteral("Set training_mode of bn2 to 0"));
        QVERIFY(state->stepCount() > before);
        QVERIFY(!listOf(*state).join(QLatin1Char(' ')).contains(QStringLiteral("training_mode=1")));
        state->undoStack().undo();
        QVERIFY(waitForPlan(*state));
        QCOMPARE(state->stepCount(), before);
        QVERIFY(isBlocked(*state, "conv-batchnorm", bn));
    }

    // What is blocked after an edit is what would be blocked had the file been so.
    void theListIsThatOfAFileWrittenSo()
    {
        const auto edited = opened(true);
        edited->applyEdit({EditKind::attribute, named(*edited, "bn2"), "training_mode", "0", 0, {}});
        edited->applyEdit({EditKind::input, named(*edited, "conv1"), {}, {}, 2, {}});
        QVERIFY(waitForPlan(*edited));
        QString text = QString::fromUtf8(twoConvText().data(), qsizetype(twoConvText().size()));
        text.replace(QStringLiteral("training_mode = 1"), QStringLiteral("training_mode = 0"));
        text.replace(QStringLiteral("(i, W1, b)"), QStringLiteral("(i, W1)"));
        AppState fresh;
        fresh.open(modelFile(text.toStdString(), m_folder.path(), QStringLiteral("so.onnx")));
        QVERIFY(waitForPasses(fresh));
        QCOMPARE(listOf(*edited), listOf(fresh));
        const QString before = listOf(*opened(true)).join(QLatin1Char('\n'));
        QVERIFY(listOf(*edited).join(QLatin1Char('\n')) != before);
    }

    // A reader that goes takes along what needs it, down to an output of the graph.
    void oneReaderFewer()
    {
        constexpr std::string_view twoReaders = R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y, float[1, 4, 8, 8] z)
            <float[4, 3, 3, 3] W = random(1)>
            {
                [conv] c = Conv <pads = [1, 1, 1, 1]> (x, W)
                [relu] y = Relu (c)
                [tanh] t = Tanh (c)
                [sin] z = Sin (t)
            })";
        AppState state;
        state.setScratch(true);
        state.open(modelFile(twoReaders, m_folder.path(), QStringLiteral("two.onnx")));
        QVERIFY(waitForPasses(state));
        QVERIFY(isBlocked(state, "conv-activation", named(state, "relu")));
        state.applyEdit({EditKind::reader, named(state, "tanh"), {}, {}, 0, {}});
        QVERIFY(waitForPlan(state));
        const auto first = state.graphAt(1);
        QVERIFY(!first->node(named(state, "tanh")) && !first->node(named(state, "sin")));
        QCOMPARE(first->body(first->mainBody())->outputs.size(), std::size_t{1});
        QVERIFY(state.timeline()->blocked.empty());
        QCOMPARE(state.timeline()->steps.back()->rule, RuleId("conv-activation"));
        // What it computes is proved against the edited model.
        state.setB(state.stepCount());
        const auto proof = state.session()->prove(*state.timeline(), state.stepCount(), 1);
        QVERIFY(proof && proof->status == VerificationStatus::pass);
    }

    void whatCannotBeIsSaidAndChangesNothing()
    {
        const auto state = opened(true);
        const NodeId conv = named(*state, "conv1");
        const ValueId late = state->session()->opened().node(named(*state, "relu2"))->outputs[0];
        state->applyEdit({EditKind::attribute, conv, "pads", "one", 0, {}});
        state->applyEdit({EditKind::input, conv, {}, {}, 0, late});
        state->applyEdit({EditKind::reader, conv, {}, {}, 0, {}});
        state->applyEdit({EditKind::reader, NodeId{4711}, {}, {}, 0, {}});
        QCOMPARE(state->log().size(), std::size_t{4});
        QCOMPARE(state->plan(), Plan());
        QCOMPARE(state->log()[0].text, QStringLiteral("one is no value for the attribute pads."));
        QVERIFY(state->log()[2].text.contains(QStringLiteral("no output would be left")));
    }
};

FUSESCOPE_TEST(WhatIfTest, what_if_test)
#include "what_if_test.moc"
