#include "session/pair_story.h"

#include "report/render.h"
#include "session/session.h"
#include "support/model_bytes.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// What became of two nodes in a run, by rules of every stage.
class PairStoryTest : public QObject
{
    Q_OBJECT

    static TimelinePtr runOf(std::string_view text, const Plan& plan = {})
    {
        const auto session = Session::openBytes(modelBytes(text), "pair");
        if (!session)
            return nullptr;
        (*session)->setPlan(plan);
        const auto timeline = (*session)->finish();
        return timeline ? *timeline : nullptr;
    }

    // "answer rule step | sentence", after making sure that the order does not matter.
    static std::string told(const Timeline& timeline, std::string_view a, std::string_view b)
    {
        const Graph opened = timeline.at(0);
        const auto ask = [&](std::string_view first, std::string_view second) {
            const PairStory story =
                pairStory(timeline, nodeNamed(opened, first), nodeNamed(opened, second));
            const Graph graph = timeline.at(story.state);
            std::string line = std::string(idOf(story.answer)) + " " + std::string(story.rule) +
                               " " + std::to_string(story.step);
            if (story.asked.nearest.miss)
                line += " " +
                        std::string(fusescope::idOf(
                            story.asked.nearest.miss->reasons.front().code));
            line += " | " + render(story.message, &graph);
            return story.note ? line + " " + render(story.note, &graph) : line;
        };
        const std::string one = ask(a, b), other = ask(b, a);
        return one == other ? one : "either order differs: " + one + " / " + other;
    }

    static constexpr std::string_view network = R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y, float[1, 4, 8, 8] z)
        <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
         float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
        { [conv] c = Conv (x, W)
          [bn] n = BatchNormalization (c, s, b, m, v)
          [relu] y = Relu (n)
          [other] z = Softmax (n) })";

private Q_SLOTS:
    void stages_data()
    {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<QString>("answer");
        const auto row = [](const char* name, const char* graph, const char* answer) {
            QTest::newRow(name) << QString::fromLatin1(graph) << QString::fromLatin1(answer);
        };
        row("transposes", R"((float[2, 3, 4] x) => (float[A, B, C] y)
            { [a] t = Transpose <perm = [1, 0, 2]> (x) [b] y = Transpose <perm = [2, 1, 0]> (t) })",
            "fused transpose-chain 1 | a and b were rewritten together at step 1, by "
            "transpose-chain.");
        row("transposes, read twice",
            R"((float[2, 3, 4] x) => (float[A, B, C] y, float[D, E, F] z)
            { [a] t = Transpose <perm = [1, 0, 2]> (x) [b] y = Transpose <perm = [2, 1, 0]> (t)
              z = Exp (t) })",
            "blocked transpose-chain 0 multi-consumer | transpose-chain would fuse a and b, and is "
            "blocked.");
        row("reshapes", R"((float[2, 3, 4] x) => (float[A, B] y)
            <int64[2] s = {6, 4}, int64[2] t = {3, 8}>
            { [a] r = Reshape (x, s) [b] y = Reshape (r, t) })",
            "fused reshape-chain 1 |");
        row("with an operator between", R"((float[2, 1, 4] x) => (float[A, B, C] y)
            <int64[1] axes = {1}>
            { [a] s = Squeeze (x, axes) r = Relu (s) [b] y = Unsqueeze (r, axes) })",
            "fused reshape-chain 1 |");
        row("slices", R"((float[8, 8] x) => (float[A, B] y)
            <int64[1] s = {1}, int64[1] e = {5}, int64[1] i = {0}, int64[1] j = {1}>
            { [a] c = Slice (x, s, e, i) [b] y = Slice (c, s, e, j) })",
            "fused slice-chain 1 |");
        row("casts", R"((float16[2] x) => (double[A] y)
            { [a] c = Cast <to = 1> (x) [b] y = Cast <to = 11> (c) })",
            "fused cast-chain 1 |");
        row("casts that round", R"((float[2] x) => (float[A] y)
            { [a] c = Cast <to = 6> (x) [b] y = Cast <to = 1> (c) })",
            "blocked cast-chain 0 lossy-cast | cast-chain would fuse a and b, and is blocked.");
        row("parts of one axis", R"((float[2, 4] x) => (float[2, 4] z)
            <int64[2] i = {0, 1}, int64[2] j = {2, 3}>
            { [a] p = Gather <axis = 1> (x, i) [b] q = Gather <axis = 1> (x, j)
              z = Concat <axis = 1> (q, p) })",
            "fused gather-to-split 1 |");
        row("a reduction and its shape", R"((float[2, 4] x) => (float[A, B] y)
            <int64[1] axes = {1}>
            { [a] m = ReduceMax <axes = [1], keepdims = 0> (x) [b] y = Unsqueeze (m, axes) })",
            "fused view-into-producer 1 |");
        row("an equal node", R"((float[2] x) => (float[2] y, float[2] z)
            { [a] p = Exp (x) [b] q = Exp (x) y = Neg (p) z = Abs (q) })",
            "fused merge-duplicates 1 |");
        row("a computed scale", R"((float[1, 2, 3, 3] x, float[1, 2, 1, 1] z) => (float[A, B, C, D] y)
            <float[2, 2, 1, 1] W = random(1)>
            { k = Exp (z) [a] m = Mul (x, k) [b] y = Conv (m, W) })",
            "blocked scale-conv 0 not-constant |");
        row("a gate", R"((float[1, 2, 3, 3] x, float[1, 2, 3, 3] z) => (float[A, B, C, D] y)
            <float[2, 2, 1, 1] W = random(1)>
            { k = Exp (z) [a] m = Mul (x, k) [b] y = Conv (m, W) })",
            "no-pattern scale-conv 0 |");
        row("computed slices", R"((float[N] x, int64[1] n) => (float[A] y)
            <int64[1] i1 = {1}, int64[1] far = {99}>
            { [a] s = Slice (x, i1, far) [b] y = Slice (s, n, far) })",
            "blocked slice-chain 0 not-constant |");
        row("Identity", R"((float[2] x) => (float[A] y)
            { [a] i = Identity (x) [b] y = Exp (i) })",
            "removed remove-identity 1 | Step 1, remove-identity, took a away without b; after "
            "that there was no pair to fuse.");
        row("Dropout", R"((float[2] x) => (float[A] y) { [a] d = Dropout (x) [b] y = Exp (d) })",
            "removed remove-dropout 1 |");
        row("a constant", R"((float[2] x) => (float[A] y)
            <float[2] c = {1, 2}> { [a] e = Exp (c) [b] y = Add (e, x) })",
            "removed fold-constant 1 |");
        row("what nobody reads", R"((float[2] x) => (float[A] y)
            { [a] e = Exp (x) [b] n = Neg (e) y = Abs (x) })",
            "removed remove-dead 1 |");
        row("Identity that keeps a name", R"((float[2] x) => (float[A] y, float[B] z)
            { [a] y = Identity (x) [b] z = Softmax (y) })",
            "no-pattern remove-identity 0 public-name | No pattern covers a (Identity) and b "
            "(Softmax), which reads it. The nearest rule is remove-identity: it looks at a by "
            "itself, and is blocked.");
        row("one of them was taken with another", R"((float[2, 3, 4] x) => (float[A, B, C] y)
            { t = Transpose <perm = [1, 0, 2]> (x) [a] u = Transpose <perm = [1, 0, 2]> (t)
              [b] y = Exp (u) })",
            "removed transpose-chain 1 | Step 1, transpose-chain, took a away without b;");
        row("the other operand", R"((float[1, 2, 3, 3] x) => (float[A, B, C, D] y)
            <float[2, 2, 1, 1] W = random(1)> { [a] c = Conv (x, W) [b] y = Exp (c) })",
            "no-pattern conv-add-activation 0 | No pattern covers a (Conv) and b (Exp), which reads "
            "it. The nearest rule is conv-add-activation: it takes Conv too, but ends in Add, ");
    }

    void stages()
    {
        QFETCH(QString, graph);
        QFETCH(QString, answer);
        const std::string text =
            "<ir_version: 8, opset_import: [\"\" : 17]> g " + graph.toStdString();
        const TimelinePtr timeline = runOf(text);
        QVERIFY(timeline && timeline->finished);
        const QString found = QString::fromStdString(told(*timeline, "a", "b"));
        QVERIFY2(found.startsWith(answer), qPrintable(found));
        QVERIFY2(!found.contains(QLatin1Char('{')), qPrintable(found));
        // The answer is what the steps did.
        const Graph last = timeline->at(timeline->size()), opened = timeline->at(0);
        const bool bothStand = last.node(nodeNamed(opened, "a")) && last.node(nodeNamed(opened, "b"));
        QCOMPARE(bothStand, !answer.startsWith(QStringLiteral("fused")) &&
                                !answer.startsWith(QStringLiteral("removed")));
    }

    // What is part of another by now is refused as that.
    void followsHeirs()
    {
        const TimelinePtr timeline = runOf(network);
        QVERIFY(timeline);
        QVERIFY(told(*timeline, "conv", "bn").starts_with("fused conv-batchnorm 1 |"));
        const std::string found = told(*timeline, "bn", "relu");
        QVERIFY2(found.starts_with("blocked conv-activation 0 multi-consumer | conv-activation "
                                   "would fuse conv and relu, and is blocked."),
                 found.c_str());
        QVERIFY2(found.find("became part of conv at step 1.") != std::string::npos, found.c_str());
    }

    void skippedOffAndNotReached()
    {
        Plan plan;
        plan.skipNumbers = {1};
        TimelinePtr timeline = runOf(network, plan);
        QVERIFY(told(*timeline, "conv", "bn").starts_with("skipped conv-batchnorm 1 |"));
        plan = {};
        plan.policy.disabled = {"conv-batchnorm"};
        timeline = runOf(network, plan);
        QVERIFY(told(*timeline, "conv", "bn").starts_with("disabled conv-batchnorm 0 |"));
        plan = {};
        plan.maxSteps = 0;
        timeline = runOf(network, plan);
        QVERIFY(told(*timeline, "conv", "bn").starts_with("not-reached conv-batchnorm 0 |"));
        constexpr std::string_view identity = R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[2] x) => (float[A] y) { [a] i = Identity (x) [b] y = Softmax (i) })";
        timeline = runOf(identity, plan);
        QVERIFY(told(*timeline, "a", "b").starts_with(
            "not-reached remove-identity 0 | remove-identity would rewrite a by itself, but"));
        plan = {};
        plan.skipNumbers = {1};
        timeline = runOf(identity, plan);
        QVERIFY(told(*timeline, "a", "b").starts_with("skipped remove-identity 1 |"));
        plan = {};
        plan.policy.disabled = {"dead-code"};
        timeline = runOf(identity, plan);
        const std::string off = told(*timeline, "a", "b");
        QVERIFY2(off.starts_with("no-pattern remove-identity 0 |") &&
                     off.ends_with("it looks at a by itself, and is off."),
                 off.c_str());
    }

    // Another rule took one of the two first.
    void overtaken()
    {
        const TimelinePtr timeline = runOf(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[1, 2, 4, 4] x, float[1, 2, 4, 4] u) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1)>
            { [conv] c = Conv (x, W)
              [exp] e = Exp (u)
              [add] y = Add (c, e) })");
        const std::string found = told(*timeline, "exp", "add");
        QVERIFY2(found.starts_with("overtaken elementwise-chain 1 | elementwise-chain could have "
                                   "fused exp and add, but step 1, conv-add-activation, took one"),
                 found.c_str());
    }

    // A call that was opened stands for what it holds.
    void anOpenedCall()
    {
        const TimelinePtr timeline = runOf(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1)>
            { [conv] c = Conv (x, W)
              [call] r = f.act (c)
              [pool] y = MaxPool <kernel_shape = [1, 1]> (r) }
            <domain: "f", opset_import: ["" : 17]> act (a) => (o) { o = Relu (a) })");
        const std::string fused = told(*timeline, "conv", "call");
        QVERIFY2(fused.starts_with("fused conv-activation 2 |"), fused.c_str());
        const std::string none = told(*timeline, "call", "pool");
        QVERIFY2(none.starts_with("no-pattern "), none.c_str());
    }
};

FUSESCOPE_TEST(PairStoryTest, pair_story_test)
#include "pair_story_test.moc"
