#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// Nodes that change nothing go, and those that only seem to stay: signs of zero, NaN, sizes, types.
class NoopTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatChangesNothingGoes_data()
    {
        QTest::addColumn<QString>("node");
        QTest::addColumn<bool>("goes");
        const auto row = [](const char* node, bool goes) { QTest::newRow(node) << node << goes; };
        row("b = Cast <to = 1> (a)", true);
        row("b = Mul (a, one)", true);
        row("b = Mul (one, a)", true);
        row("b = Div (a, one)", true);
        row("b = Pow (a, one)", true);
        row("b = Sub (a, zero)", true);
        row("b = Add (a, minus)", true);
        row("b = Add (a, zero)", false);
        row("b = Sub (a, minus)", false);
        row("b = Sub (zero, a)", false);
        row("b = Div (one, a)", false);
        row("b = Mul (a, nearly)", false);
        row("b = Transpose <perm = [0, 1]> (a)", true);
        row("b = Concat <axis = 0> (a)", true);
        row("b = Sum (a)", true);
        row("b = Pad (a, nothing)", true);
        row("b = Slice (a, starts, ends)", true);
        row("b = Slice (a, starts, ends, , twos)", false);
        row("b = Expand (a, ones)", true);
        row("b = Tile (a, ones)", true);
        row("b = Reshape (a, copy)", true);
        row("b = Reshape (a, free)", true);
        row("b = Reshape (a, swap)", false);
        row("b = ReduceSum <noop_with_empty_axes = 1> (a)", true);
        row("b = ReduceSum <noop_with_empty_axes = 0> (a)", false);
    }

    void whatChangesNothingGoes()
    {
        QFETCH(QString, node);
        QFETCH(bool, goes);
        const std::string text = fmt::format(R"(g (float[N, 3] x) => (float[A, B] y)
            <float one = {{1}}, float zero = {{0}}, float minus = {{-0.0}}, float nearly = {{1.0000001}},
             int64[4] nothing = {{0, 0, 0, 0}}, int64[2] starts = {{0, 0}},
             int64[2] ends = {{9223372036854775807, 3}}, int64[2] ones = {{1, 1}},
             int64[2] twos = {{2, 1}}, int64[2] copy = {{0, 0}}, int64[2] free = {{-1, 3}},
             int64[2] swap = {{3, -1}}>
            {{ a = Relu (x)
              {}
              y = Neg (b) }})",
                                             node.toStdString());
        const PassRun run = runPasses(text, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules().find("remove-noop") != std::string::npos, goes);
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void addingZeroGoesWhereTheSignOfZeroIsNotSeen_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<bool>("goes");
        const auto row = [](const char* before, const char* after, bool goes) {
            QTest::addRow("%s; %s", before, after) << before << after << goes;
        };
        // A sum is −0 only where all its summands are.
        row("a = Exp (x)", "y = Neg (b)", true);
        row("a = Add (x, three)", "y = Neg (b)", true);
        row("a = Add (x, minuses)", "y = Neg (b)", false);
        row("a = Add (x, x)", "y = Neg (b)", false);
        row("a = Mul (x, three)", "y = Neg (b)", false);
        row("a = Gemm (x, w, bias)", "y = Neg (b)", true);
        row("a = Gemm <beta = -1.0> (x, w, bias)", "y = Neg (b)", false);
        row("a = Gemm (x, w, minuses)", "y = Neg (b)", false);
        row("a = Gemm (x, w)", "y = Neg (b)", false);
        row("e = Exp (x)\n a = Relu (e)", "y = Neg (b)", true);
        row("e = Exp (x)\n a = Concat <axis = 0> (e, x)", "y = Neg (b)", false);
        // Whoever adds such a summand, or only compares, gives the same for both zeros.
        row("a = Neg (x)", "y = Softmax (b)", true);
        row("a = Neg (x)", "y = Add (b, three)", true);
        row("a = Neg (x)", "y = Add (b, x)", false);
        row("a = Neg (x)", "y = Gemm (b, w, bias)", true);
        row("a = Neg (x)", "y = Gemm (b, w)", false);
        row("a = Neg (x)", "y = Gemm (x, w, b)", false);
        row("a = Neg (x)", "e = Softmax (b)\n y = Add (e, b)", true);
        row("a = Neg (x)", "e = Softmax (b)\n f = Neg (b)\n y = Add (e, f)", false);
        row("a = Neg (x)", "y = Identity (b)", false);
    }

    void addingZeroGoesWhereTheSignOfZeroIsNotSeen()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(bool, goes);
        const std::string text = fmt::format(R"(g (float[3, 3] x) => (float[A, B] y)
            <float zero = {{0}}, float minus = {{-0.0}}, float[3] three = {{1, 0, -2}},
             float[3] bias = {{0, 0.5, -1}}, float[3] minuses = {{1, -0.0, 2}},
             float[3, 3] w = {{1, 2, 3, 4, 5, 6, 7, 8, 9}}>
            {{ {}
              b = Add (a, zero)
              {} }})",
                                             before.toStdString(), after.toStdString());
        const PassRun run = runPasses(text, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules().find("remove-noop") != std::string::npos, goes);
        QCOMPARE(run.refusals("remove-noop").find("unexpected-constant") != std::string::npos, !goes);
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    // In double, 1.00000001 is not one.
    void constantsAreComparedInTheirOwnType()
    {
        QCOMPARE(optimized(R"(g (double[2] x) => (double[2] y) <double k = {1.00000001}>
            { a = Relu (x)
              b = Mul (a, k)
              y = Neg (b) })"),
                 std::string("Relu Mul Neg"));
    }

    void aConstantThatEnlargesIsNoNoop()
    {
        QCOMPARE(optimized(R"(g (float[3] x) => (float[2, 3] y) <float[2, 1] k = {1, 1}>
            { a = Relu (x)
              b = Mul (a, k)
              y = Neg (b) })"),
                 std::string("Relu Mul Neg"));
    }

    void expandToNothingIsNoNoop()
    {
        QCOMPARE(optimized(R"(g (float[1] x) => (float[0] y) <int64[1] k = {0}>
            { a = Relu (x)
              b = Expand (a, k)
              y = Neg (b) })"),
                 std::string("Relu Expand Neg"));
    }
};

FUSESCOPE_TEST(NoopTest, noop_test)
#include "noop_test.moc"
