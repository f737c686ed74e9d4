#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

// Attention of four axes, two heads; k as it is, transposed, and with the heads behind the length.
std::string heads(std::string_view body, int opset = 23, std::string_view type = "float")
{
    return fmt::format(R"(<ir_version: 10, opset_import: ["" : {0}]>
        g ({2}[B, 2, N, 4] q, {2}[B, 2, M, 4] k, {2}[B, 2, M, 3] v, {2}[B, 2, 4, M] kt,
           {2}[B, M, 2, 4] kh, {2}[B, 1, N, M] mask, {2}[B, 2, W, 4] other, bool[N, M] seen)
        => ({2}[B, 2, N, 3] y)
        <{2} scale = {{0.5}}, {2} two = {{2}}, {2} three = {{3}}, {2} less = {{-0.5}},
         {2} low = {{-10000}}, {2} zero = {{0}}, {2}[1, 1, 1, 1, 1] tall = {{0.5}},
         {2} never = {{-inf}}, bool[1, 1] keep = {{1}}, int64[1] first = {{0}}>
        {{ {1} }})",
                       opset, body, type);
}

// Attention of one head and three axes.
std::string oneHead(std::string_view body)
{
    return fmt::format(R"(<ir_version: 10, opset_import: ["" : 23]>
        g (float[B, N, 4] q, float[B, N, 4] k, float[B, N, 4] v, float[N, N] flat,
           float[B, 1, N] deep, bool[N, N] seen) => (float[B, N, 4] y)
        <float scale = {{0.5}}, float zero = {{0}}, float low = {{-4}}> {{ {} }})",
                       body);
}

const QString full = "t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) p = Mul (s, scale) "
                     "m = Where (seen, zero, low) o = Add (p, m) w = Softmax <axis = -1> (o) "
                     "y = MatMul (w, v)";

} // namespace

// What becomes the operator Attention of opset 23, and what stays a region there.
class AttentionOperatorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void becomes_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        const auto four = [](const QString& body) {
            return QString::fromStdString(heads(body.toStdString()));
        };
        const auto three = [](const QString& body) {
            return QString::fromStdString(oneHead(body.toStdString()));
        };
        QTest::newRow("whole") << four(full) << "Where Attention";
        // A row that is −∞ throughout is NaN as written, zero in the operator.
        QTest::newRow("mask from outside")
            << four("t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
                    "o = Add (s, mask) w = Softmax (o) y = MatMul (w, v)")
            << "region(Transpose MatMul Add Softmax MatMul)";
        QTest::newRow("filled with −∞")
            << four("n = Shape <start = 2, end = 3> (q) e = Shape <start = 2, end = 3> (k) "
                    "z = Concat <axis = 0> (n, e) f = ConstantOfShape <value = float[1] {-inf}> (z) "
                    "m = Trilu <upper = 1> (f) t = Transpose <perm = [0, 1, 3, 2]> (k) "
                    "s = MatMul (q, t) o = Add (s, m) w = Softmax (o) y = MatMul (w, v)")
            << "Shape Shape Concat ConstantOfShape Trilu "
               "region(Transpose MatMul Add Softmax MatMul)";
        QTest::newRow("whole numbers from outside")
            << four("i = Cast <to = 3> (mask) f = Cast <to = 1> (i) m = Mul (f, low) "
                    "t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
                    "o = Add (s, m) w = Softmax (o) y = MatMul (w, v)")
            << "Cast Cast Mul Attention";
        QTest::newRow("sum that overflows")
            << four("i = Cast <to = 7> (mask) f = Cast <to = 1> (i) a = Mul (f, f) b = Mul (a, a) "
                    "m = Neg (b) t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
                    "o = Add (s, m) w = Softmax (o) y = MatMul (w, v)")
            << "Cast Cast Mul Mul Neg region(Transpose MatMul Add Softmax MatMul)";
        // It would add an axis to q alone: outside it stays what it was.
        QTest::newRow("scale of five axes on q")
            << four("a = Mul (q, tall) t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (a, t) "
                    "f = Squeeze (s, first) w = Softmax (f) y = MatMul (w, v)")
            << "Mul region(Transpose MatMul Squeeze Softmax MatMul)";
        QTest::newRow("Div, no mask") << four("t = Transpose <perm = [0, 1, 3, 2]> (k) "
                                              "s = MatMul (q, t) p = Div (s, two) "
                                              "w = Softmax (p) y = MatMul (w, v)")
                                      << "Attention";
        QTest::newRow("no scale") << four("t = Transpose <perm = [0, 1, 3, 2]> (k) "
                                          "s = MatMul (q, t) w = Softmax (s) y = MatMul (w, v)")
                                  << "Attention";
        QTest::newRow("scaled before") << four("a = Mul (q, scale) "
                                               "t = Transpose <perm = [0, 1, 3, 2]> (k) "
                                               "b = Div (t, three) s = MatMul (a, b) "
                                               "w = Softmax (s) y = MatMul (w, v)")
                                       << "Attention";
        QTest::newRow("heads behind the length")
            << four("t = Transpose <perm = [0, 2, 3, 1]> (kh) s = MatMul (q, t) "
                    "p = Mul (s, scale) w = Softmax (p) y = MatMul (w, v)")
            << "Transpose Attention";
        QTest::newRow("one head") << three("t = Transpose <perm = [0, 2, 1]> (k) "
                                           "s = MatMul (q, t) p = Mul (s, scale) "
                                           "m = Where (seen, zero, low) o = Add (p, m) "
                                           "w = Softmax (o) y = MatMul (w, v)")
                                  << "Where Attention";
        QTest::newRow("one head, mask of three axes")
            << three("t = Transpose <perm = [0, 2, 1]> (k) s = MatMul (q, t) "
                     "o = Add (s, deep) w = Softmax (o) y = MatMul (w, v)")
            << "region(Transpose MatMul Add Softmax MatMul)";
        QTest::newRow("before 23") << QString::fromStdString(heads(full.toStdString(), 22))
                                   << "Where region(Transpose MatMul Mul Add Softmax MatMul)";
        QTest::newRow("k given transposed")
            << four("s = MatMul (q, kt) w = Softmax (s) y = MatMul (w, v)")
            << "region(MatMul Softmax MatMul)";
        QTest::newRow("mask scaled too")
            << four("t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
                    "o = Add (s, mask) p = Mul (o, scale) w = Softmax (p) y = MatMul (w, v)")
            << "region(Transpose MatMul Add Mul Softmax MatMul)";
        QTest::newRow("two masks")
            << four("t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
                    "o = Add (s, mask) p = Add (o, mask) w = Softmax (p) y = MatMul (w, v)")
            << "region(Transpose MatMul Add Add Softmax MatMul)";
        QTest::newRow("negative scale")
            << four(QString(full).replace("scale)", "less)"))
            << "Where region(Transpose MatMul Mul Add Softmax MatMul)";
        QTest::newRow("Where") << four(QString(full)
                                           .replace("m = Where (seen, zero, low) ", "")
                                           .replace("Add (p, m)", "Where (keep, p, low)"))
                               << "region(Transpose MatMul Mul Where Softmax MatMul)";
    }
    void becomes()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        Graph graph = graphOf(text.toStdString());
        QCOMPARE(rewriteProblem(graph, "attention", "y"), std::string());
        QCOMPARE(operatorsOf(graph), expected.toStdString());
    }

    // A factor that float32 does not hold would show in double.
    void scaleOfDoubles()
    {
        Graph third = graphOf(heads(QString(full).replace("Mul (s, scale)", "Div (s, three)")
                                        .toStdString(),
                                    23, "double"));
        QCOMPARE(rewriteProblem(third, "attention", "y", {.policy = {}, .rtol = 1e-12}),
                 std::string());
        QVERIFY(operatorsOf(third).starts_with("Where region("));
        Graph half = graphOf(heads(full.toStdString(), 23, "double"));
        QCOMPARE(rewriteProblem(half, "attention", "y", {.policy = {}, .rtol = 1e-12}),
                 std::string());
        QCOMPARE(operatorsOf(half), std::string("Where Attention"));
    }

    // A row that is −∞ throughout is NaN as written, zero in the operator.
    void aMaskThatMayForbidARow()
    {
        std::string text = heads("i = Log (zero) m = Where (seen, zero, i) "
                                 "t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) "
                                 "o = Add (s, m) w = Softmax (o) y = MatMul (w, v)");
        Graph graph = graphOf(text);
        QCOMPARE(rewriteProblem(graph, "attention", "y", {.policy = {}, .run = false}),
                 std::string());
        QCOMPARE(operatorsOf(graph),
                 std::string("Log Where region(Transpose MatMul Add Softmax MatMul)"));
        text.replace(text.find("i = Log (zero)"), 14, "i = Neg (two)");
        Graph finite = graphOf(text);
        QCOMPARE(rewriteProblem(finite, "attention", "y"), std::string());
        QCOMPARE(operatorsOf(finite), std::string("Neg Where Attention"));
    }

    // A scale of more axes than the scores would have added one to the output.
    void aScaleThatAddsAxes()
    {
        const auto scores = [](std::string_view scale) {
            return graphOf(fmt::format(R"(<ir_version: 10, opset_import: ["" : 23]>
                g (float[1, 2, 4, 8] q, float[1, 2, 4, 8] k, float[1, 2, 4, 8] v) => (float{0} y)
                <float{1} scale = {{0.5}}>
                {{ t = Transpose <perm = [0, 1, 3, 2]> (k) s = MatMul (q, t) p = Mul (s, scale)
                  w = Softmax (p) y = MatMul (w, v) }})",
                                       scale == "[1, 1, 1, 1, 1]" ? "[1, 1, 2, 4, 8]"
                                                                  : "[1, 2, 4, 8]",
                                       scale));
        };
        QCOMPARE(codesOf(scores("[1, 1, 1, 1, 1]"), "attention", "y"),
                 std::string("broadcast-enlarges"));
        Graph fits = scores("[1, 1, 1, 1]");
        QCOMPARE(rewriteProblem(fits, "attention", "y"), std::string());
        QCOMPARE(operatorsOf(fits), std::string("Attention"));
    }

    // Where the sizes of k and v are not shown to agree the operator would not accept them.
    void sizesNotShownEqual()
    {
        Graph graph = graphOf(heads("t = Transpose <perm = [0, 1, 3, 2]> (other) "
                                    "s = MatMul (q, t) w = Softmax (s) y = MatMul (w, v)"));
        QCOMPARE(rewriteProblem(graph, "attention", "y", {.policy = {}, .run = false}),
                 std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(Transpose MatMul Softmax MatMul)"));
    }

    // Reshapes of the leading axes: windows with a mask of their own, and k turned as a batch.
    void views_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        QTest::newRow("window mask")
            << "s = MatMul (q, kt) r = Reshape (s, five) o = Add (r, windows) "
               "b = Reshape (o, four) w = Softmax (b) y = MatMul (w, v)"
            << "region(MatMul Reshape Add Reshape Softmax MatMul)";
        QTest::newRow("k turned as a batch")
            << "f = Reshape (k, batch) t = Transpose <perm = [0, 2, 1]> (f) "
               "u = Reshape (t, back) s = MatMul (q, u) w = Softmax (s) y = MatMul (w, v)"
            << "Attention";
    }
    void views()
    {
        QFETCH(QString, body);
        QFETCH(QString, expected);
        Graph graph = graphOf(fmt::format(
            R"(<ir_version: 10, opset_import: ["" : 23]>
            g (float[4, 2, 5, 4] q, float[4, 2, 5, 4] k, float[4, 2, 4, 5] kt, float[4, 2, 5, 3] v,
               float[1, 2, 1, 5, 5] windows) => (float[4, 2, 5, 3] y)
            <int64[5] five = {{2, 2, 2, 5, 5}}, int64[4] four = {{4, 2, 5, 5}},
             int64[3] batch = {{8, 5, 4}}, int64[4] back = {{4, 2, 4, 5}}> {{ {} }})",
            body.toStdString()));
        QCOMPARE(rewriteProblem(graph, "attention", "y"), std::string());
        QCOMPARE(operatorsOf(graph), expected.toStdString());
    }

    // A Reshape that mixes the rows of the scores is something else.
    void aReshapeOfTheRows()
    {
        QCOMPARE(codesOf(graphOf(R"(<ir_version: 10, opset_import: ["" : 17]>
            g (float[2, 6, 4] q, float[2, 4, 4] kt, float[2, 4, 3] v) => (float[2, 6, 3] y)
            <int64[3] turned = {2, 4, 6}, int64[3] back = {2, 6, 4}>
            { s = MatMul (q, kt) r = Reshape (s, turned) b = Reshape (r, back)
              w = Softmax (b) y = MatMul (w, v) })"),
                         "attention", "y"),
                 std::string("shape-operator-between shape-operator-between"));
    }

    // Growing: the product may be a region of another rule already.
    void aProductThatIsARegion()
    {
        Graph graph = graphOf(R"(<ir_version: 10, opset_import: ["" : 17]>
            g (float[2, 6, 4] q, float[2, 4, 6] kt, float[2, 6, 3] v) => (float[2, 6, 3] y)
            <float[6] bias = {1, 2, 3, 4, 5, 6}>
            { s = MatMul (q, kt) b = Add (s, bias) w = Softmax (b) y = MatMul (w, v) })");
        QCOMPARE(rewriteProblem(graph, "matmul-add", "b"), std::string());
        QCOMPARE(rewriteProblem(graph, "attention", "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(MatMul Add Softmax MatMul)"));
    }
};

FUSESCOPE_TEST(AttentionOperatorTest, attention_operator_test)
#include "attention_operator_test.moc"
