#include "model/graph_text.h"
#include "ops/inference.h"
#include "report/render.h"

#include "support/test_class.h"

using namespace fusescope;

// What inference says of a model that no run has met.
class InferenceProblemsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void problems_data();
    void problems();
};

void InferenceProblemsTest::problems_data()
{
    QTest::addColumn<QString>("graph");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* graph, const char* expected) {
        QTest::newRow(name) << graph << expected;
    };
    row("branches of one type and two sizes",
        "g (bool c, float[2] x, float[3] y) => (z) { z = If <then_branch = a () => (t) { t = Neg (x) "
        "}, else_branch = b () => (e) { e = Neg (y) }> (c) }",
        "");
    row("branches of two types",
        "g (bool c, float[2] x, int64[2] y) => (z) { z = If <then_branch = a () => (t) { t = Neg (x) "
        "}, else_branch = b () => (e) { e = Neg (y) }> (c) }",
        "Output 1 is float[2] from one branch and int64[2] from the other: both must give one type.");
    row("a branch that gives too little",
        "g (bool c, float[2] x) => (z) { z, w = If <then_branch = a () => (t, u) { t = Neg (x) u = "
        "Abs (x) }, else_branch = b () => (e) { e = Neg (x) }> (c) }",
        "The inner graph `else_branch` must have 2 output(s), but it has 1.");
    row("an operand of another type", "g (float[2] x, int64[2] y) => (z) { z = Add (x, y) }",
        "Input 2, `y`, must be of type float, but it is int64.");
    row("a type that the operator does not take", "g (int32[1, 1, 2, 2] x, int32[1, 1, 1, 1] w) => "
                                                  "(z) { z = Conv (x, w) }",
        "Input 1, `x`, must be of type float16, float, double, but it is int32.");
    row("a type within a body",
        "g (bool c, float[2] x, int64[2] y) => (z) { z = If <then_branch = a () => (t) { t = Add (x, "
        "y) }, else_branch = b () => (e) { e = Neg (x) }> (c) }",
        "Input 2, `y`, must be of type float, but it is int64.");
    row("ends of another length than the starts",
        "g (float[5] x) => (z) <int64[2] s = {0, 1}, int64[1] e = {3}> { z = Slice (x, s, e) }",
        "`ends` must have 2 element(s), but it has 1.");
    row("a scanned axis that is not there",
        "g (float[2, 3] x) => (z) { z = Scan <num_scan_inputs = 1, scan_input_axes = [5], body = b "
        "(float[3] r) => (o) { o = Neg (r) }> (x) }",
        "Axis 5 does not exist: the tensor has rank 2.");
    row("keys of two kinds",
        "<ir_version: 8, opset_import: [\"\" : 17, \"ai.onnx.ml\" : 4]> g (int64[2] x) => (z) { z = ai.onnx.ml.LabelEncoder <keys_int64s = [1], keys_floats = [1.0], "
        "values_int64s = [2]> (x) }",
        "Only one of the attributes `keys_*` may be set.");
}

void InferenceProblemsTest::problems()
{
    QFETCH(QString, graph);
    QFETCH(QString, expected);
    const auto parsed = parseGraph(graph.toStdString());
    QVERIFY2(parsed, parsed ? "" : render(parsed.error().message, nullptr).c_str());
    const auto inferred = inferGraph(*parsed);
    QVERIFY(inferred);
    QStringList found;
    for (const InferenceProblem& problem : inferred->problems)
        found << QString::fromStdString(render(problem.message, &*parsed));
    QCOMPARE(found.join(QLatin1Char('\n')), expected);
}

FUSESCOPE_TEST(InferenceProblemsTest, inference_problems_test)
#include "inference_problems_test.moc"
