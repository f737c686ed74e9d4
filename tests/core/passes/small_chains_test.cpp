#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

// The operators that are left, after both graphs gave the same, bit for bit.
std::string leftOf(std::string_view graph, int opset = 17)
{
    const PassRun run = runPasses(
        fmt::format("<ir_version: 8, opset_import: [\"\" : {}]> {}", opset, graph),
        withoutFusion());
    if (!run.problem.empty())
        return run.problem;
    const std::string differs = runProblem(run.opened, run.graph, 0);
    return differs.empty() ? operatorsOf(run.graph) : differs;
}

std::string refusalsOf(std::string_view graph, std::string_view rule, std::string_view pin = {})
{
    const Graph opened =
        graphOf(fmt::format("<ir_version: 8, opset_import: [\"\" : 17]> {}", graph));
    Plan plan = withoutFusion();
    if (!pin.empty())
        plan.policy.pinnedNodes.insert(nodeNamed(opened, pin));
    const PassRun run = runPasses(opened, plan);
    return run.problem.empty() ? run.refusals(rule) : run.problem;
}

std::string unary(const char* body)
{
    return fmt::format("g (float[8] x, bool[8] c, int32[4] n) => (float[] y) {{ {} }}", body);
}

std::string wheres(const char* body, const char* outputs = "float[N, 3] y")
{
    return fmt::format("g (bool[N, 1] c, float[N, 3] x, float[3] z) => ({}) {{ {} }}", outputs,
                       body);
}

std::string shapes(const char* body, const char* outputs = "int64[] y")
{
    return fmt::format("g (float[N, 3] x, float[N, 3] z, float[1, 3] r, float[N, M] m) "
                       "=> ({}) {{ {} }}",
                       outputs, body);
}

std::string fills(const char* value, const char* cast, const char* rest = "y = Identity (b)")
{
    return fmt::format("g (int64[2] s) => (float[] y) {{ a = ConstantOfShape {} (s) "
                       "b = Cast <to = {}> (a) {} }}",
                       value, cast, rest);
}

} // namespace

// Two of a kind in a row, and readers that look past an operator. Each runs both graphs.
class SmallChainsTest : public QObject
{
    Q_OBJECT

    static void columns()
    {
        QTest::addColumn<QString>("graph");
        QTest::addColumn<QString>("left");
    }
    static void check()
    {
        QFETCH(QString, graph);
        QFETCH(QString, left);
        QCOMPARE(leftOf(graph.toStdString()), left.toStdString());
    }
    static void row(const char* name, const std::string& graph, const char* left)
    {
        QTest::newRow(name) << QString::fromStdString(graph) << left;
    }

private Q_SLOTS:
    void concats_data()
    {
        columns();
        const auto add = [](const char* name, const char* body, const char* left) {
            row(name,
                fmt::format("g (float[N, 2] x, float[N, 3] z, float[N, M] w) => (float[] y) "
                            "{{ {} }}",
                            body),
                left);
        };
        add("in front", "a = Concat <axis = 1> (x, z) y = Concat <axis = 1> (a, w)", "Concat");
        add("behind", "a = Concat <axis = 1> (x, z) y = Concat <axis = 1> (w, a)", "Concat");
        add("axis from the end", "a = Concat <axis = -1> (x, z) y = Concat <axis = 1> (w, a, x)",
            "Concat");
        add("three deep",
            "a = Concat <axis = 1> (x, z) b = Concat <axis = 1> (a, w) "
            "y = Concat <axis = 1> (x, b)",
            "Concat");
        add("two at once",
            "a = Concat <axis = 1> (x, z) b = Concat <axis = 1> (w, x) "
            "y = Concat <axis = 1> (a, b)",
            "Concat");
        add("another axis", "a = Concat <axis = 1> (x, z) y = Concat <axis = 0> (a, a)",
            "Concat Concat");
        add("read twice", "a = Concat <axis = 1> (x, z) y = Concat <axis = 1> (a, a)",
            "Concat Concat");
        add("one of two is read elsewhere",
            "a = Concat <axis = 1> (x, z) b = Concat <axis = 1> (w, x) "
            "q = Concat <axis = 1> (a, b, a) p = ReduceSum <keepdims = 0> (a) y = Add (q, p)",
            "Concat Concat ReduceSum Add");
    }
    void concats() { check(); }

    void concatsKeepTheOrderOfTheirParts()
    {
        const PassRun run = runPasses(R"(g (float[2] x, float[3] z, float[4] w) => (float[9] y)
            { a = Concat <axis = 0> (z, w) y = Concat <axis = 0> (x, a) })",
                                      withoutFusion());
        QCOMPARE(run.rules(), std::string("concat-chain"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    void concatsThatStay()
    {
        constexpr std::string_view twice = "g (float[2] x) => (float[] y) "
                                           "{ [a] a = Concat <axis = 0> (x, x) "
                                           "[y] y = Concat <axis = 0> (a, a) }";
        QCOMPARE(refusalsOf(twice, "concat-chain"), std::string("multi-consumer [y]"));
        constexpr std::string_view once = "g (float[2] x) => (float[] y) "
                                          "{ [a] a = Concat <axis = 0> (x, x) "
                                          "y = Concat <axis = 0> (a, x) }";
        QCOMPARE(refusalsOf(once, "concat-chain", "a"), std::string("pinned [a]"));
        constexpr std::string_view layers = "g (float[N, 2] x) => (float[] y) "
                                            "{ a = Concat <axis = 1> (x, x) b = Tanh (a) "
                                            "c = Concat <axis = 1> (a, b) y = Exp (c) }";
        QCOMPARE(refusalsOf(layers, "concat-chain"), std::string());
        QCOMPARE(leftOf(layers), std::string("Concat Tanh Concat Exp"));
        constexpr std::string_view output = "g (float[2] x) => (float[] y, float[] a) "
                                            "{ a = Concat <axis = 0> (x, x) "
                                            "y = Concat <axis = 0> (a, x) }";
        QCOMPARE(refusalsOf(output, "concat-chain"), std::string("graph-output [a]"));
    }

    void operatorsTwice_data()
    {
        columns();
        const auto add = [](const char* body, const char* left) { row(body, unary(body), left); };
        add("a = Exp (x) b = Neg (a) d = Neg (b) y = Exp (d)", "Exp Exp");
        add("b = Neg (x) d = Neg (b) e = Neg (d) y = Neg (e)", "Neg Neg");
        add("b = Neg (x) d = Neg (b) e = Neg (d) f = Neg (e) y = Sqrt (f)", "Sqrt");
        add("b = Not (c) d = Not (b) y = Where (d, x, x)", "Where");
        add("b = Abs (x) y = Abs (b)", "Abs");
        add("b = Relu (x) y = Relu (b)", "Relu");
        add("b = Sign (x) y = Sign (b)", "Sign");
        add("b = Ceil (x) y = Floor (b)", "Ceil");
        add("b = Round (x) d = Ceil (b) y = Round (d)", "Round");
        add("b = Sign (x) y = Floor (b)", "Sign");
        add("b = Relu (x) d = Relu (b) y = Sub (d, b)", "Relu Sub");
        add("b = Neg (n) d = Neg (b) e = Cast <to = 1> (d) y = Sqrt (e)", "Cast Sqrt");
        // Not the same: a sign of its own, a square root of a square root.
        add("b = Neg (x) y = Abs (b)", "Neg Abs");
        add("b = Floor (x) y = Sign (b)", "Floor Sign");
        add("b = Sqrt (x) y = Sqrt (b)", "Sqrt Sqrt");
        add("b = Reciprocal (x) y = Reciprocal (b)", "Reciprocal Reciprocal");
    }
    void operatorsTwice() { check(); }

    // Signs of zero, NaN, infinities and the ends of integers go through both in one way.
    void everyElementStays()
    {
        for (const char* op : {"Neg", "Abs", "Relu", "Sign", "Ceil", "Floor", "Round"}) {
            for (const char* type : {"float", "double", "float16"})
                QCOMPARE(leftOf(fmt::format(
                             "g ({1}[1] o) => ({1}[] y) "
                             "<{1}[9] k = {{0, -0.0, inf, -inf, nan, 0.5, -1.5, 2.5, 65504}}> "
                             "{{ x = Mul (k, o) b = {0} (x) d = {0} (b) y = Mul (d, o) }}",
                             op, type)),
                         std::string(op) == "Neg" ? "Mul Mul" : fmt::format("Mul {} Mul", op));
        }
        for (const char* op : {"Neg", "Abs"})
            QCOMPARE(leftOf(fmt::format("g (int8[1] o) => (int8[] y) "
                                        "<int8[3] k = {{-128, 127, 0}}> {{ x = Add (k, o) "
                                        "b = {0} (x) d = {0} (b) y = Sub (d, o) }}",
                                        op)),
                     std::string(op) == "Neg" ? "Add Sub" : "Add Abs Sub");
    }

    void operatorsTwiceThatStay()
    {
        // From an input to an output: one node has to carry the second name.
        QCOMPARE(refusalsOf("g (float[8] x) => (float[8] y) { b = Neg (x) y = Neg (b) }",
                            "unary-chain"),
                 std::string("public-name [x]"));
        QCOMPARE(refusalsOf("g (float[8] x) => (float[8] z) "
                            "{ b = Abs (x) y = Abs (b) z = Exp (y) }",
                            "unary-chain", "y"),
                 std::string("pinned [y]"));
    }

    void conditionsTurned_data()
    {
        columns();
        const auto add = [](const char* body, const char* left,
                            const char* outputs = "float[N, 3] y") {
            row(body, wheres(body, outputs), left);
        };
        add("n = Not (c) y = Where (n, x, z)", "Where");
        add("n = Not (c) a = Where (n, x, z) b = Where (n, z, x) y = Sub (a, b)",
            "Where Where Sub");
        add("n = Not (c) a = Where (n, x, z) b = Cast <to = 1> (n) y = Sub (a, b)",
            "Not Where Cast Sub");
        add("n = Not (c) y = Where (n, x, z)", "Not Where", "float[N, 3] y, bool[N, 1] n");
    }
    void conditionsTurned() { check(); }

    void conditionsThatStay()
    {
        QCOMPARE(refusalsOf("g (bool[3] c) => (bool[3] y) "
                            "{ [not] n = Not (c) y = Where (n, n, c) }",
                            "where-not"),
                 std::string("multi-consumer [y]"));
        QCOMPARE(refusalsOf(wheres("[not] n = Not (c) y = Where (n, x, z)"), "where-not", "not"),
                 std::string("pinned [not]"));
    }

    void shapesOfOperands_data()
    {
        columns();
        const auto add = [](const char* body, const char* left, const char* outputs = "int64[] y") {
            row(body, shapes(body, outputs), left);
        };
        add("a = Cast <to = 7> (x) y = Shape (a)", "Shape");
        add("u = Squeeze (x) a = Relu (u) b = Exp (a) y = Size (b)", "Squeeze Size"); // of any rank
        add("a = Add (x, r) y = Shape (a)", "Shape");
        add("a = Add (r, x) y = Shape (a)", "Shape");
        add("a = Add (x, z) y = Shape (a)", "Shape");
        add("a = Relu (x) b = Shape (a) d = Size (a) y = Add (b, d)", "Shape Size Add");
        add("a = Transpose (m) y = Shape (a)", "Transpose Shape");
        add("u = Squeeze (x) a = Add (u, m) y = Shape (a)", "Squeeze Add Shape");
        add("a = Exp (m) b = ReduceSum <keepdims = 0> (a) d = Cast <to = 7> (b) e = Shape (a) "
            "y = Mul (e, d)",
            "Exp ReduceSum Cast Shape Mul");
        add("a = Relu (m) y = Shape (a)", "Relu Shape", "int64[] y, float[] a");
    }
    void shapesOfOperands() { check(); }

    void shapesThatStay()
    {
        QCOMPARE(refusalsOf(shapes("[cast] a = Cast <to = 7> (m) y = Shape (a)"), "shape-source",
                            "cast"),
                 std::string("pinned [cast]"));
    }

    void fillsOfAnotherType_data()
    {
        columns();
        row("int64 to float", fills("<value: tensor = int64[1] {3}>", "1", "y = Exp (b)"),
            "ConstantOfShape Exp");
        row("no value", fills("", "11", "d = Cast <to = 1> (b) y = Exp (d)"),
            "ConstantOfShape Exp");
        row("to bool", fills("<value: tensor = float[1] {0.5}>", "9", "y = Cast <to = 1> (b)"),
            "ConstantOfShape");
        row("to an integer",
            fills("<value: tensor = float[1] {-2.5}>", "6", "y = Cast <to = 1> (b)"),
            "ConstantOfShape");
        row("to float16", fills("<value: tensor = float[1] {0.1}>", "10", "y = Cast <to = 1> (b)"),
            "ConstantOfShape");
        row("to infinity",
            fills("<value: tensor = float[1] {1e10}>", "10", "y = Cast <to = 1> (b)"),
            "ConstantOfShape");
        row("infinity to an integer",
            fills("<value: tensor = float[1] {inf}>", "7", "y = Cast <to = 1> (b)"),
            "ConstantOfShape Cast Cast");
        row("out of range", fills("<value: tensor = int64[1] {300}>", "2", "y = Cast <to = 1> (b)"),
            "ConstantOfShape Cast Cast");
        row("a large integer",
            fills("<value: tensor = int64[1] {9007199254740993}>", "1", "y = Exp (b)"),
            "ConstantOfShape Cast Exp");
        row("read elsewhere",
            fills("<value: tensor = int64[1] {3}>", "1", "d = Neg (a) e = Cast <to = 1> (d) "
                                                         "y = Add (b, e)"),
            "ConstantOfShape Cast Neg Cast Add");
    }
    void fillsOfAnotherType() { check(); }

    void fillsThatStay()
    {
        QCOMPARE(refusalsOf(fills("<value: tensor = float[1] {nan}>", "7", "y = Cast <to = 1> (b)"),
                            "fill-cast"),
                 std::string("lossy-cast [b]"));
        QCOMPARE(refusalsOf("g (int64[2] s) => (float[] y, float[] a) "
                            "{ [fill] a = ConstantOfShape (s) [b] b = Cast <to = 11> (a) "
                            "d = Neg (b) y = Cast <to = 1> (d) }",
                            "fill-cast"),
                 std::string("graph-output [a]"));
    }
};

FUSESCOPE_TEST(SmallChainsTest, small_chains_test)
#include "small_chains_test.moc"
