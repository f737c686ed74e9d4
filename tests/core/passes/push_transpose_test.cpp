#include "pass_run.h"

#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// Transposes that meet their inverse, or what needs none, behind the operators that they are pushed
// through.
class PushTransposeTest : public QObject
{
    Q_OBJECT

    // What is left of nodes over x and z, [N, 3, 4, 5]; both graphs ran and gave the same.
    static std::string left(const std::string& nodes, const std::string& outputs = "float[] y",
                            int opset = 18)
    {
        return optimized(fmt::format(
            R"(<ir_version: 8, opset_import: ["" : {}]>
            g (float[N, 3, 4, 5] x, float[N, 3, 4, 5] z, float[N, 4, 5, 3] w, float[3] v) => ({})
            <float[3] k = random(1), float[5, 3] k2 = random(2), float[1, 1, 1, 1] one = {{2}},
             float[1, 4, 5, 3] whole = random(3), float half = {{0.5}}, int64 i0 = {{1}},
             int64[2] i2 = {{2, 0}}, int64[1] a1 = {{1}}, int64[2] a12 = {{1, -2}}, int64[1] a3 = {{-1}},
             int64[1] a0 = {{0}}, int64[8] pads = {{0, 1, 2, 0, 0, 0, 1, 3}}, int64[2] pads1 = {{1, 2}},
             int64[1] from = {{1}}, int64[1] to = {{-1}}, int64[2] from2 = {{0, 1}},
             int64[2] to2 = {{9, 3}}, int32[1] axis32 = {{2}}, int32[1] from32 = {{1}},
             int32[1] to32 = {{3}}, int64[2] sizes = {{1, 2}}, float[3] c3 = random(5)>
            {{ {} }})",
            opset, outputs, nodes));
    }
    static std::string nhwc(const std::string& to, const std::string& from)
    {
        return to + " = Transpose <perm = [0, 2, 3, 1]> (" + from + ") ";
    }
    static std::string nchw(const std::string& to, const std::string& from)
    {
        return to + " = Transpose <perm = [0, 3, 1, 2]> (" + from + ") ";
    }

private Q_SLOTS:
    void cancelled_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("operators");
        const auto row = [](const char* name, const std::string& nodes, const char* operators) {
            QTest::newRow(name) << QString::fromStdString(nodes) << operators;
        };
        const std::string a = nhwc("a", "x"), b = nhwc("b", "z"), y = nchw("y", "c");
        row("a sum of two", a + b + "c = Add (a, b) " + y, "Add");
        row("a vector along the channels", a + "c = Mul (a, k) " + y, "Mul");
        row("a matrix", a + "c = Sub (k2, a) " + y, "Sub");
        row("a whole constant", a + "c = Add (a, whole) " + y, "Add");
        row("one number of four axes", a + "c = Div (a, one) " + y, "Div");
        row("a choice", a + b + "q = Less (a, b) c = Where (q, b, a) " + y, "Less Where");
        row("slopes", a + "c = PRelu (a, k) " + y, "PRelu");
        row("more than two", a + b + "c = Max (a, k, b) " + y, "Max");
        row("bounds", a + "d = Clip (a, half) c = Mul (d, k) " + y, "Clip Mul");
        row("joined", a + b + "c = Concat <axis = 3> (a, b) " + y, "Concat");
        row("joined, from the end", a + b + "c = Concat <axis = -3> (a, b) " + y, "Concat");
        row("joined with a constant", a + "d = Slice (a, a0, a1, a0) c = Concat <axis = 0> (d, whole) " + y,
            "Slice Concat");
        row("parts", a + "p, q = Split <axis = 3> (a, sizes) c = Concat <axis = -1> (q, p) " + y,
            "Split Concat");
        row("padded", a + "c = Pad (a, pads) " + y, "Pad");
        row("padded along some axes", a + "c = Pad <mode = \"reflect\"> (a, pads1, , a1) " + y, "Pad");
        row("cut", a + "c = Slice (a, from, to, a3) " + y, "Slice");
        row("cut from the first axes on", a + "c = Slice (a, from2, to2) " + y, "Slice");
        row("cut by small integers", a + "c = Slice (a, from32, to32, axis32) " + y, "Slice");
        row("cut by small integers, no axes", a + "c = Slice (a, from32, to32) " + y, "Slice");
        row("probabilities", a + "c = Softmax (a) " + y, "Softmax");
        row("reduced, axes kept", a + "d = ReduceMax (a, a12) c = Sub (a, d) " + y, "ReduceMax Sub");
        row("reduced to an image of one", a + "y = ReduceMean <keepdims = 0> (a, a12)", "ReduceMean");
        row("all reduced", a + "y = ReduceSum <keepdims = 0> (a)", "ReduceSum");
        row("the place of the greatest", a + "y = ArgMax <axis = 3, keepdims = 0> (a)", "ArgMax");
        row("picked", a + "c = Gather <axis = 3> (a, i2) " + y, "Gather");
        row("one picked", a + "y = Gather <axis = -1> (a, i0)", "Gather");
        row("an axis more and one fewer",
            a + "d = Unsqueeze (a, a1) q = Softmax <axis = 1> (d) c = Squeeze (q, a1) e = Mul (c, k) " +
                nchw("y", "e"),
            "Unsqueeze Softmax Squeeze Mul");
        row("one operand that lies in the other order", a + "c = Add (a, w) d = Mul (c, a) " + nchw("y", "d"),
            "Transpose Add Mul");
        row("read elsewhere too", a + "c = Mul (a, k) " + nchw("d", "c") + "e = Add (d, x) f = MatMul (c, k) "
                "g = ReduceSum <keepdims = 0> (f) y = Add (e, g)",
            "Mul Transpose Add MatMul ReduceSum Add");
        row("two branches", a + "c = Mul (a, k) " + nchw("d", "c") + "e = Relu (a) " + nchw("f", "e") +
                "y = Add (d, f)",
            "Mul Relu Add");
        row("past a reader of its own", a + nchw("b2", "a") + "c = MatMul (a, k) d = ReduceSum <keepdims = 0> (c) "
                "e = Sin (b2) y = Add (e, d)",
            "Transpose MatMul ReduceSum Sin Add");
        row("two turns that are none together",
            "a = Transpose <perm = [3, 2, 1, 0]> (x) c = Mul (a, half) d = Add (c, c) "
            "e = Transpose <perm = [1, 0, 2, 3]> (d) f = Sin (e) y = Transpose <perm = [3, 2, 0, 1]> (f)",
            "Mul Add Sin");
    }
    void cancelled()
    {
        QFETCH(QString, nodes);
        QFETCH(QString, operators);
        QCOMPARE(QString::fromStdString(left(nodes.toStdString())), operators);
    }

    void olderVersions_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("operators");
        const auto row = [](const char* name, int opset, const std::string& nodes, const char* operators) {
            QTest::newRow(name) << opset << QString::fromStdString(nodes) << operators;
        };
        const std::string a = nhwc("a", "x"), y = nchw("y", "c");
        row("pads as an attribute", 9, a + "c = Pad <pads = [0, 1, 2, 0, 0, 0, 1, 3]> (a) " + y, "Pad");
        row("cut by attributes", 9, a + "c = Slice <axes = [3], starts = [1], ends = [3]> (a) " + y, "Slice");
        row("cut by attributes, no axes", 9, a + "c = Slice <starts = [0, 1], ends = [9, 3]> (a) " + y,
            "Slice");
        row("axes as an attribute", 11, a + "y = ReduceMean <axes = [1, 2], keepdims = 0> (a)",
            "ReduceMean");
        row("an axis of 1 as an attribute", 11,
            a + "d = ReduceSum <axes = [3]> (a) y = Squeeze <axes = [3]> (d)", "ReduceSum");
        row("rows of an old Softmax", 12, a + "c = Softmax <axis = 3> (a) " + y,
            "Transpose Softmax Transpose");
        row("broadcast by an attribute", 6, a + "c = Add <axis = 3, broadcast = 1> (a, k) " + y,
            "Transpose Add Transpose");
    }
    void olderVersions()
    {
        QFETCH(int, opset);
        QFETCH(QString, nodes);
        QFETCH(QString, operators);
        QCOMPARE(QString::fromStdString(left(nodes.toStdString(), "float[] y", opset)), operators);
    }

    // Names of outputs are public, and so are their orders.
    void outputs()
    {
        QCOMPARE(left(nhwc("a", "x") + "c = Mul (a, k) " + nchw("y", "c") + "d = Sin (a) " + nchw("e", "d"),
                      "float[] y, float[] e"),
                 std::string("Mul Sin"));
        QCOMPARE(left(nhwc("a", "x") + "c = Mul (a, k) " + nchw("y", "c") + nchw("e", "c"),
                      "float[] y, float[] e"),
                 std::string("Mul Transpose"));
        // The turned value is an output itself.
        QCOMPARE(left(nhwc("a", "x") + "c = Mul (a, k) " + nchw("y", "c"), "float[] y, float[] c"),
                 std::string("Mul Transpose"));
        // An input cannot give up its name.
        QCOMPARE(left(nhwc("a", "x") + nchw("y", "a") + "e = Sin (a)", "float[] y, float[] e"),
                 std::string("Transpose Transpose Sin"));
    }

    void kept_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("operators");
        const auto row = [](const char* name, const std::string& nodes, const char* operators) {
            QTest::newRow(name) << QString::fromStdString(nodes) << operators;
        };
        const std::string a = nhwc("a", "x"), y = nchw("y", "c");
        row("nothing ends it", a + "y = Mul (a, k)", "Transpose Mul");
        row("moved on only", a + "c = Mul (a, k) d = Relu (c) y = MatMul (d, k)",
            "Transpose Mul Relu MatMul");
        row("fewer axes beside it", a + "c = Add (a, v) " + y, "Transpose Add Transpose");
        row("rows to choose from that come with the run",
            a + "s = Shape (z) i = Gather (s, a0) c = Gather <axis = 3> (a, i) " + y,
            "Transpose Shape Gather Gather Transpose");
    }
    void kept()
    {
        QFETCH(QString, nodes);
        QFETCH(QString, operators);
        QCOMPARE(QString::fromStdString(left(nodes.toStdString())), operators);
    }

    // Two orders of as many axes meet: what lies in the other one is still made as it was.
    void ordersThatMeet()
    {
        const std::string text = R"(<ir_version: 8, opset_import: ["" : 18]>
            g (float[2, 3, 3, 3] x) => (float[] y) <int64[1] a1 = {1}, int64[1] a3 = {3}>
            { a = Transpose <perm = [0, 2, 3, 1]> (x) r = Relu (a)
              d = ReduceMax <keepdims = 0> (a, a1) e = Unsqueeze (d, a3) s = Sin (e)
              c = Add (r, s) t = Mul (c, a) y = Transpose <perm = [0, 3, 1, 2]> (t) })";
        const std::string left = optimized(text);
        QVERIFY2(!left.starts_with("problem"), left.c_str());
        const PassRun run = runPasses(text);
        QCOMPARE(run.problem, std::string());
        for (const Blocked& row : run.blocked) {
            for (const Reason& reason : row.miss.reasons)
                QVERIFY(reason.code != ReasonCode::evaluationFailed);
        }
    }

    void refusals()
    {
        constexpr auto model = R"(<ir_version: 8, opset_import: ["" : 18]>
            g (float[N, 3, 4, 5] x, float[N, 4, 5, 3] w) => (float[] y, float[] z)
            <float[3] k = random(1)>
            { a = Transpose <perm = [0, 2, 3, 1]> (x) c = Add (a, w) [other] z = MatMul (c, k)
              [back] y = Transpose <perm = [0, 3, 1, 2]> (c) })";
        const PassRun run = runPasses(model);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.refusals("push-transpose"), std::string("not-profitable [other]"));
        constexpr auto free = R"(<ir_version: 8, opset_import: ["" : 18]>
            g (float[N, 3, 4, 5] x) => (float[] y)
            <float[3] k = random(1)>
            { a = Transpose <perm = [0, 2, 3, 1]> (x) [mul] c = Mul (a, k)
              y = Transpose <perm = [0, 3, 1, 2]> (c) })";
        Plan plan;
        plan.policy.pinnedNodes.insert(nodeNamed(runPasses(free).opened, "mul"));
        QVERIFY(runPasses(free, plan).refusals("push-transpose").starts_with("pinned"));
        // A constant that others read is copied.
        constexpr auto shared = R"(<ir_version: 8, opset_import: ["" : 18]>
            g (float[N, 3, 4, 5] x, float[3] v) => (float[] y, float[] z)
            <float[3] k = random(1)>
            { a = Transpose <perm = [0, 2, 3, 1]> (x) c = Mul (a, k)
              y = Transpose <perm = [0, 3, 1, 2]> (c) z = Add (v, k) })";
        Plan small;
        small.policy.maxGrowth = 4;
        QVERIFY(runPasses(shared, small).refusals("push-transpose").starts_with("growth-limit"));
        QVERIFY(runPasses(shared).refusals("push-transpose").empty());
    }
};

FUSESCOPE_TEST(PushTransposeTest, push_transpose_test)
#include "push_transpose_test.moc"
