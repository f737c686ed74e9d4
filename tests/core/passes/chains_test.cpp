#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// Targets that are computed; slices, views and reductions that are one with what stands before them.
// Each runs both graphs.
class ChainsTest : public QObject
{
    Q_OBJECT

    static std::string refusals(std::string_view text, std::string_view rule)
    {
        return runPasses(text, withoutFusion()).refusals(rule);
    }

    static std::string focus(std::string_view starts, std::string_view more = "")
    {
        std::string nodes, parts;
        for (std::size_t i = 0; i < starts.size(); ++i) {
            parts += fmt::format("{}p{}", parts.empty() ? "" : ", ", i);
            nodes += fmt::format("p{} = Slice (x, s{}, far, axes, steps)\n", i, starts[i]);
        }
        return fmt::format(R"(g (float[N, 3, 6, W] x) => (float[?] y{1})
            <int64[2] s0 = {{0, 0}}, int64[2] s1 = {{0, 1}}, int64[2] s2 = {{1, 0}},
             int64[2] s3 = {{1, 1}}, int64[2] far = {{6, 9223372036854775807}},
             int64[2] axes = {{2, 3}}, int64[2] steps = {{2, 2}}>
            {{ {0} y = Concat <axis = 1> ({2})
              {3} }})",
                           nodes, more.empty() ? "" : ", float[?] z", parts, more);
    }

    static std::string withoutRun(const std::string& text)
    {
        const PassRun run = runPasses(text, withoutFusion());
        return run.problem.empty() ? operatorsOf(run.graph) : run.problem;
    }

private Q_SLOTS:
    // The target's parts are sizes of x: a 0 where x has that size, a number, one -1.
    void computedTargetsOfReshape()
    {
        const auto target = [](std::string_view input, std::string_view sizes) {
            const PassRun run = runPasses(fmt::format(R"(g ({} x) => ({}[A, B, C, D] y)
                <int64 i0 = {{0}}, int64 i1 = {{1}}, int64 i2 = {{2}}, int64[1] u = {{0}},
                 int64[1] minus = {{-1}}, int64[1] one = {{1}}, int64[1] two = {{2}},
                 int64[1] four = {{4}}, int64[1] six = {{6}}, int64[1] zero = {{0}}>
                {{ e = Exp (x)
                  s = Shape (e)
                  n0 = Gather (s, i0)
                  n1 = Gather (s, i1)
                  n2 = Gather (s, i2)
                  n = Unsqueeze (n0, u)
                  m = Unsqueeze (n1, u)
                  k = Unsqueeze (n2, u)
                  nm = Mul (n, m)
                  t = Concat <axis = 0> ({})
                  y = Reshape (e, t) }})",
                                                      input, "float", sizes),
                                          withoutFusion());
            if (!run.problem.empty())
                return run.problem;
            if (const std::string differs = runProblem(run.opened, run.graph, 0); !differs.empty())
                return differs;
            const Node* reshape = run.graph.node(nodeNamed(run.graph, "y"));
            const TensorPtr constant = run.graph.constant(reshape->input(1));
            return constant ? fmt::format("{}", fmt::join(constant->asInts(), " "))
                            : run.refusals("fold-target");
        };
        QCOMPARE(target("float[N, S, 24]", "n, m, four, six"), std::string("0 0 4 6"));
        QCOMPARE(target("float[N, S, 24]", "n, m, four, minus"), std::string("0 0 4 -1"));
        QCOMPARE(target("float[N, 5, 24]", "n, m, four, six"), std::string("0 5 4 6"));
        QCOMPARE(target("float[N, S, 24]", "nm, one, four, six"), std::string("-1 1 4 6"));
        QCOMPARE(target("float[N, S, 24]", "zero, m, four, six"), std::string("0 0 4 6"));
        // n stands elsewhere than in x; a single one may be left open.
        QCOMPARE(target("float[N, 6, 4]", "four, n, one, six"), std::string("4 -1 1 6"));
        QCOMPARE(target("float[N, S, 24]", "m, n, four, six"),
                 std::string("unknown-shape [t]"));
        // Of an empty batch the length could not be inferred.
        QCOMPARE(target("float[N, S, 24]", "n, four, m, six"), std::string("empty-tensor [e]"));
        QCOMPARE(target("float[N, S, K]", "n, m, one, k"), std::string("empty-tensor [e]"));
    }

    void computedTargetsOfExpandAndSlice()
    {
        // A size of x itself keeps; that of another value does not.
        QCOMPARE(optimized(R"(g (float[N, 1, 4] x) => (float[N, 3, 4] y)
            <int64 i = {0}, int64[1] u = {0}, int64[2] rest = {3, 4}>
            { e = Exp (x)
              s = Shape (e)
              n = Gather (s, i)
              m = Unsqueeze (n, u)
              t = Concat <axis = 0> (m, rest)
              y = Expand (e, t) })"),
                 std::string("Exp Expand"));
        QCOMPARE(optimized(R"(g (float[N, 4] x, float[1, 4] z) => (float[N, 4] y)
            { s = Shape (x)
              e = Exp (z)
              y = Expand (e, s) })"),
                 std::string("Shape Exp Expand"));
        // All but the last: the end is one before the size.
        QCOMPARE(optimized(R"(g (float[N, 4] x) => (float[M, 4] y, float[K, 4] z)
            <int64 i = {0}, int64[1] u = {0}, int64[1] one = {1}, int64[1] two = {2}>
            { e = Exp (x)
              s = Shape (e)
              n = Gather (s, i)
              m = Unsqueeze (n, u)
              last = Sub (m, one)
              y = Slice (e, u, last)
              z = Slice (e, last, m) })"),
                 std::string("Exp Slice Slice"));
        // Two before the end of an axis of one element is before its start: not the same.
        QCOMPARE(optimized(R"(g (float[N, 4] x) => (float[M, 4] y)
            <int64 i = {0}, int64[1] u = {0}, int64[1] two = {2}>
            { e = Exp (x)
              s = Shape (e)
              n = Gather (s, i)
              m = Unsqueeze (n, u)
              last = Sub (m, two)
              y = Slice (e, u, last) })"),
                 std::string("Exp Shape Gather Sub Slice"));
    }

    void slicesAlongDifferentAxes()
    {
        QCOMPARE(optimized(R"(g (float[N, 6, M] x) => (float[A, B, C] y)
            <int64[1] i0 = {0}, int64[1] i1 = {1}, int64[1] i2 = {2}, int64[1] i5 = {5},
             int64[1] back = {-1}, int64[1] low = {-9}>
            { a = Slice (x, i1, i5, i1, i2)
              y = Slice (a, back, low, i2, back) })"),
                 std::string("Slice"));
    }

    void slicesAlongOneAxis()
    {
        const auto cut = [](const char* first, const char* second) {
            return optimized(fmt::format(R"(g (float[9] x, float[N] z) => (float[A] y, float[B] w)
                <int64[1] i0 = {{0}}, int64[1] i1 = {{1}}, int64[1] i2 = {{2}}, int64[1] i3 = {{3}},
                 int64[1] i7 = {{7}}, int64[1] far = {{9223372036854775807}}, int64[1] last = {{-1}}>
                {{ a = Slice (x, {0})
                  y = Slice (a, {1})
                  b = Slice (z, {0})
                  w = Slice (b, {1}) }})",
                                         first, second));
        };
        QCOMPARE(cut("i2, i7", "i1, i3"), std::string("Slice Slice"));
        QCOMPARE(cut("i2, far", "i1, far, i0, i2"), std::string("Slice Slice"));
        QCOMPARE(cut("i7, i2", "i1, far"), std::string("Slice Slice"));
        // From the end: of a known size alone.
        QCOMPARE(cut("i1, last", "i1, last"), std::string("Slice Slice Slice"));
        // The first one steps.
        QCOMPARE(cut("i1, far, i0, i2", "i1, i3"), std::string("Slice Slice Slice Slice"));
    }

    // What the bounds lack is said, with the node that computes them.
    void slicesThatAreNotJoined()
    {
        const auto told = [](std::string_view first, std::string_view second, int opset = 17) {
            return refusals(fmt::format(R"(<ir_version: 8, opset_import: ["" : {2}]>
                g (float[9] x, float[N] z, int64[1] n) => (float[A] w)
                <int64[1] i0 = {{0}}, int64[1] i1 = {{1}}, int64[1] far = {{9223372036854775807}},
                 int64[1] last = {{-1}}, int64[1] i2 = {{2}}>
                {{ [m] m = Add (n, i1)
                  b = Slice {0}
                  w = Slice {1} }})",
                                        first, second, opset),
                            "slice-chain");
        };
        QVERIFY(told("(z, i1, far)", "(b, m, far)").starts_with("not-constant [m]"));
        QVERIFY(told("(z, m, far)", "(b, i1, far)").starts_with("not-constant [m]"));
        QVERIFY(told("(z, i1, last)", "(b, i1, last)").starts_with("unknown-shape"));
        QVERIFY(told("<starts = [1], ends = [5]> (z)", "<starts = [1], ends = [3]> (b)", 9)
                    .starts_with("operator-version"));
        QCOMPARE(told("(z, i1, far, i0, i2)", "(b, i1, far)"), std::string());
    }

    // Read by Slices alone, the first is needed by none of them in the end.
    void aSliceThatOnlySlicesRead()
    {
        QCOMPARE(optimized(R"(g (float[4, 6] x) => (float[2, 3] y, float[2, 3] z)
            <int64[1] i0 = {0}, int64[1] i1 = {1}, int64[1] i2 = {2}, int64[1] far = {99}>
            { a = Slice (x, i0, far, i0, i2)
              y = Slice (a, i0, far, i1, i2)
              z = Slice (a, i1, far, i1, i2) })"),
                 std::string("Slice Slice"));
        QVERIFY(refusals(R"(g (float[4, 6] x) => (float[2, 3] y, float[2, 6] z)
            <int64[1] i0 = {0}, int64[1] i1 = {1}, int64[1] i2 = {2}, int64[1] far = {99}>
            { a = Slice (x, i0, far, i0, i2)
              y = Slice (a, i0, far, i1, i2)
              z = Neg (a) })",
                         "slice-chain")
                    .starts_with("multi-consumer"));
    }

    void viewsInARow_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("left");
        const auto row = [](const char* nodes, const char* left) {
            QTest::newRow(nodes) << nodes << left;
        };
        row("a = Unsqueeze (x, i1)\n y = Unsqueeze (a, i0)", "Reshape");
        row("a = Squeeze (x, i2)\n y = Unsqueeze (a, i0)", "Reshape");
        row("a = Squeeze (x, i2)\n y = Unsqueeze (a, i2)", "Reshape"); // y is a name of its own
        row("a = Transpose <perm = [0, 2, 1]> (x)\n y = Squeeze (a, i1)", "Reshape");
        row("a = Transpose <perm = [1, 0, 2]> (x)\n y = Squeeze (a, i2)", "Transpose Squeeze");
        row("a = Gather <axis = 2> (x, n0)\n y = Unsqueeze (a, i0)", "Reshape");
        // What works on each element stands between.
        row("a = Squeeze (x, i2)\n b = Neg (a)\n c = Exp (b)\n y = Unsqueeze (c, i0)",
            "Neg Exp Reshape");
        row("a = Squeeze (x, i2)\n b = Neg (a)\n y = Unsqueeze (b, i2)", "Neg");
        row("a = Squeeze (x, i2)\n b = Softmax <axis = 1> (a)\n y = Unsqueeze (b, i0)",
            "Squeeze Softmax Unsqueeze");
        row("a = Squeeze (x, i2)\n b = Add (a, two)\n y = Unsqueeze (b, i0)", "Add Reshape");
        row("a = Squeeze (x, i2)\n b = Add (a, list)\n y = Unsqueeze (b, i0)",
            "Squeeze Add Unsqueeze");
        // The value between has another reader.
        row("a = Squeeze (x, i2)\n y = Unsqueeze (a, i0)\n z = Neg (a)", "Squeeze Unsqueeze Neg");
    }

    void viewsInARow()
    {
        QFETCH(QString, nodes);
        QFETCH(QString, left);
        const bool two = nodes.contains("z =");
        const std::string found = optimized(
            fmt::format(R"(g (float[N, 4, 1] x) => ({}float[?] y)
            <int64[1] i0 = {{0}}, int64[1] i1 = {{1}}, int64[1] i2 = {{2}}, int64 n0 = {{0}},
             float two = {{2}}, float[4] list = {{1, 2, 3, 4}}>
            {{ {} }})",
                        two ? "float[N, 4] z, " : "", nodes.toStdString()));
        QCOMPARE(QString::fromStdString(found), left);
    }

    void transposesAroundElementwise_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("left");
        const auto row = [](const char* nodes, const char* left) {
            QTest::newRow(nodes) << nodes << left;
        };
        row("a = Transpose <perm = [1, 2, 0]> (x)\n b = Exp (a)\n"
            "y = Transpose <perm = [2, 0, 1]> (b)",
            "Exp");
        row("a = Transpose <perm = [1, 2, 0]> (x)\n b = Mul (two, a)\n c = Clip (b, , two)\n"
            "y = Transpose <perm = [1, 2, 0]> (c)",
            "Mul Clip Transpose");
        // Pushed through: a constant along an axis turns with it.
        row("a = Transpose <perm = [1, 2, 0]> (x)\n b = Mul (row, a)\n"
            "y = Transpose <perm = [2, 0, 1]> (b)",
            "Mul");
    }

    void transposesAroundElementwise()
    {
        QFETCH(QString, nodes);
        QFETCH(QString, left);
        const std::string found = optimized(
            fmt::format(R"(g (float[2, 3, N] x) => (float[?] y)
            <float two = {{2}}, float[2] row = {{1, 2}}>
            {{ {} }})",
                        nodes.toStdString()));
        QCOMPARE(QString::fromStdString(found), left);
    }

    void aProducerGivesTheShape_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("left");
        const auto row = [](const char* nodes, const char* left) {
            QTest::newRow(nodes) << nodes << left;
        };
        row("a = ReduceMean <axes = [1], keepdims = 0> (x)\n y = Unsqueeze (a, i1)", "ReduceMean");
        row("a = ReduceMean <axes = [1]> (x)\n y = Squeeze (a, i1)", "ReduceMean");
        row("a = ReduceMean <axes = [1], keepdims = 0> (x)\n y = Unsqueeze (a, i0)",
            "ReduceMean Unsqueeze");
        row("a = ArgMax <axis = 1, keepdims = 0> (x)\n y = Unsqueeze (a, i1)", "ArgMax");
        row("a = Gather <axis = 1> (x, n2)\n y = Unsqueeze (a, i1)", "Gather");
        row("a = Gather <axis = 1> (x, i2)\n y = Squeeze (a, i1)", "Gather");
        row("a = Slice (x, i2, i3, i1)\n y = Squeeze (a, i1)", "Gather");
        row("a = Slice (x, last, far, i1)\n y = Squeeze (a, i1)", "Gather");
        row("a = Slice (x, i2, i3, i1)\n y = Unsqueeze (a, i0)", "Slice Unsqueeze");
    }

    void aProducerGivesTheShape()
    {
        QFETCH(QString, nodes);
        QFETCH(QString, left);
        const bool index = nodes.contains("ArgMax");
        const std::string found = optimized(
            fmt::format(R"(g (float[N, 4, 5] x) => ({}[?] y)
            <int64[1] i0 = {{0}}, int64[1] i1 = {{1}}, int64[1] i2 = {{2}}, int64[1] i3 = {{3}},
             int64 n2 = {{2}}, int64[1] last = {{-1}}, int64[1] far = {{99}}>
            {{ {} }})",
                        index ? "int64" : "float", nodes.toStdString()));
        QCOMPARE(QString::fromStdString(found), left);
    }

    // A Slice that starts behind the end is empty: no Gather.
    void aSliceOfAnOpenSizeIsNoGather()
    {
        QCOMPARE(optimized(R"(g (float[N, 4] x) => (float[?] y)
            <int64[1] i0 = {0}, int64[1] i1 = {1}>
            { e = Exp (x)
              a = Slice (e, i0, i1, i0)
              y = Squeeze (a, i0) })"),
                 std::string("Exp Slice Squeeze"));
    }

    void patchesAreSpaceToDepth()
    {
        const auto left = [](std::string text) {
            text.replace(text.find("W]"), 1, "4");
            return optimized(text);
        };
        QCOMPARE(left(focus("0123")), std::string("SpaceToDepth"));
        QCOMPARE(left(focus("0213")), std::string("SpaceToDepth Gather"));
        QCOMPARE(left(focus("0113")), std::string("Slice Slice Slice Concat")); // two are equal
        QCOMPARE(left(focus("0123", "z = Neg (p2)")),
                 std::string("Slice Slice Slice Slice Concat Neg"));
        // An open width: no other than an even one runs.
        QCOMPARE(withoutRun(focus("0213")), std::string("SpaceToDepth Gather"));
        std::string text = focus("0123");
        text.replace(text.find("{6, "), 4, "{5, ");
        QCOMPARE(withoutRun(text), std::string("Slice Slice Slice Slice Concat"));
    }

    // Slice and Concat take every type, the kernels of SpaceToDepth a few.
    void patchesOfOtherTypesStay()
    {
        const auto left = [](const std::string& type) {
            QString text = QString::fromStdString(focus("0213"));
            text.replace(QStringLiteral("W]"), QStringLiteral("4]"));
            text.replace(QStringLiteral("float["), QString::fromStdString(type + "["));
            return withoutRun(text.toStdString());
        };
        for (const char* type : {"float", "double", "float16", "int8", "uint8"})
            QCOMPARE(left(type), std::string("SpaceToDepth Gather"));
        for (const char* type : {"int32", "int64", "int16", "bool", "bfloat16", "string"})
            QCOMPARE(left(type), std::string("Slice Slice Slice Slice Concat"));
    }

    // Integers out of range wrap around where they are cast directly, but not where they come as
    // floats.
    void floatsBetweenIntegers_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<int>("between");
        QTest::addColumn<int>("target");
        QTest::addColumn<bool>("joins");
        QTest::newRow("int32, double, int8") << "int32" << 11 << 3 << false;
        QTest::newRow("uint8, float16, int8") << "uint8" << 10 << 3 << false;
        QTest::newRow("int8, float, uint8") << "int8" << 1 << 2 << false;
        QTest::newRow("int8, float, int16") << "int8" << 1 << 5 << true;
        QTest::newRow("int32, int64, int8") << "int32" << 7 << 3 << true;
        QTest::newRow("uint8, float16, double") << "uint8" << 10 << 11 << true;
        QTest::newRow("uint8, float16, bool") << "uint8" << 10 << 9 << true;
        QTest::newRow("float16, float, int8") << "float16" << 1 << 3 << true;
    }
    void floatsBetweenIntegers()
    {
        QFETCH(QString, source);
        QFETCH(int, between);
        QFETCH(int, target);
        QFETCH(bool, joins);
        QCOMPARE(optimized(fmt::format(R"(g ({0}[64] x) => ({1}[64] y)
            {{ a = Cast <to = {2}> (x)
              y = Cast <to = {3}> (a) }})",
                                       source.toStdString(), nameOf(static_cast<DType>(target)),
                                       between, target)),
                 std::string(joins ? "Cast" : "Cast Cast"));
    }

    void unreadOptionalOutputsGo()
    {
        const auto outputs = [](std::string_view text, std::size_t& left) {
            const PassRun run = runPasses(text, withoutFusion());
            left = run.graph.node(nodeNamed(run.graph, "y"))->outputs.size();
            return run.problem + runProblem(run.opened, run.graph, 0);
        };
        std::size_t left = 0;
        QCOMPARE(outputs(R"(g (float[1, 1, 4, 4] x) => (float[?] y)
            { y, i = MaxPool <kernel_shape = [2, 2]> (x) })",
                         left),
                 std::string());
        QCOMPARE(left, std::size_t{1});
        QCOMPARE(outputs(R"(g (float[2, 4] x, float[4] s) => (float[?] y, float[?] d)
            { y, m, d = LayerNormalization (x, s) })",
                         left),
                 std::string());
        QCOMPARE(left, std::size_t{3});
        // A Split gives all its parts.
        QCOMPARE(outputs(R"(g (float[4] x) => (float[2] y) { y, z = Split <axis = 0> (x) })", left),
                 std::string());
        QCOMPARE(left, std::size_t{2});
    }
};

FUSESCOPE_TEST(ChainsTest, chains_test)
#include "chains_test.moc"
