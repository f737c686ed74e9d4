#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string model(std::string_view body, int opset = 13,
                  std::string_view outputs = "float[N, 3, 4] y", std::string_view type = "float")
{
    return fmt::format(
        R"(<ir_version: 8, opset_import: ["" : {0}]> g ({3}[N, 3, 4] x, {3}[N, 3, 4] z)
        => ({1})
        <{3} two = {{2}}, {3} three = {{3}}, {3} eps = {{0.00001}}, {3} one = {{1}},
         {3} minusHalf = {{-0.5}}, {3}[4] epsRow = {{1, 2, 3, 4}}, {3} below = {{-1}},
         {3}[4] gamma = {{1, 2, -3, 0.5}}, {3}[4] beta = {{0.1, 0.2, 0.3, 0.4}},
         {3}[3, 4] gamma2 = random(1), {3}[3, 4] beta2 = random(2),
         {3}[1, 1, 1, 1] one4 = {{1}},
         {3}[1, 1, 1, 1] two4 = {{2}}, {3}[1, 1, 1, 1] eps4 = {{0.00001}},
         {3}[1, 1, 1, 1] half4 = {{-0.5}}, {3}[4] twos = {{2, 2, 2, 3}},
         {3}[1, 1, 1, 4] tall = {{1, 2, 3, 4}}, int64[1] last = {{-1}}, int64[1] middle = {{1}}, int64[3] column = {{0, 3, 1}}>
        {{ {2} }})",
        opset, outputs, body, type);
}

const QString plain = "m = ReduceMean <axes = [-1]> (x) d = Sub (x, m) p = Pow (d, two) "
                      "v = ReduceMean <axes = [-1]> (p) a = Add (v, eps) s = Sqrt (a) "
                      "n = Div (d, s) w = Mul (n, gamma) y = Add (w, beta)";
const QString bare = "m = ReduceMean <axes = [-1]> (x) d = Sub (x, m) p = Pow (d, two) "
                     "v = ReduceMean <axes = [-1]> (p) a = Add (v, eps) s = Sqrt (a) "
                     "y = Div (d, s)";
const QString rms = "p = Pow (x, two) v = ReduceMean <axes = [-1]> (p) a = Add (v, eps) "
                    "s = Sqrt (a) r = Reciprocal (s) n = Mul (x, r) y = Mul (gamma, n)";

} // namespace

class NormalizationsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layer_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("body");
        QTest::addColumn<bool>("isOperator");
        QTest::newRow("exported") << 13 << plain << false;
        QTest::newRow("exported, 17") << 17 << plain << true;
        QTest::newRow("no scale") << 13 << bare << false;
        QTest::newRow("no scale, 17") << 17 << bare << true;
        QTest::newRow("squared by Mul")
            << 17 << QString(plain).replace("Pow (d, two)", "Mul (d, d)") << true;
        QTest::newRow("eps first") << 17 << QString(plain).replace("(v, eps)", "(eps, v)") << true;
        QTest::newRow("Reciprocal")
            << 17 << QString(plain).replace("n = Div (d, s)", "r = Reciprocal (s) n = Mul (r, d)")
            << true;
        QTest::newRow("one over") << 17
                                  << QString(plain).replace("n = Div (d, s)",
                                                            "r = Div (one, s) n = Mul (d, r)")
                                  << true;
        QTest::newRow("to the −½")
            << 17
            << QString(plain).replace("s = Sqrt (a) n = Div (d, s)",
                                      "s = Pow (a, minusHalf) n = Mul (d, s)")
            << true;
        QTest::newRow("axes by number") << 17 << QString(plain).replace("[-1]", "[2]") << true;
        QTest::newRow("two axes") << 17
                                  << QString(plain)
                                         .replace("[-1]", "[-2, -1]")
                                         .replace("gamma", "gamma2")
                                         .replace("beta", "beta2")
                                  << true;
        QTest::newRow("scale of another shape")
            << 17 << QString(plain).replace("gamma", "one") << false;
        QTest::newRow("shift alone")
            << 13 << QString(bare).replace("y = Div (d, s)", "n = Div (d, s) y = Add (n, beta)")
            << false;
        QTest::newRow("axes as input") << 18
                                       << QString(plain)
                                              .replace("<axes = [-1]> (x)", "(x, last)")
                                              .replace("<axes = [-1]> (p)", "(p, last)")
                                       << true;
        QTest::newRow("centered twice")
            << 17 << QString(plain).replace("p = Pow (d, two)", "d2 = Sub (x, m) p = Pow (d2, two)")
            << true;
        QTest::newRow("Unsqueeze brings the axis back")
            << 17
            << QString(plain)
                   .replace("m = ReduceMean <axes = [-1]> (x)",
                            "m0 = ReduceMean <axes = [-1], keepdims = 0> (x) "
                            "m = Unsqueeze (m0, last)")
                   .replace("v = ReduceMean <axes = [-1]> (p)",
                            "v0 = ReduceMean <axes = [2], keepdims = 0> (p) "
                            "v = Unsqueeze (v0, last)")
            << true;
        QTest::newRow("Reshape brings the axis back")
            << 17
            << QString(plain).replace("v = ReduceMean <axes = [-1]> (p)",
                                      "v0 = ReduceMean <axes = [-1], keepdims = 0> (p) "
                                      "v = Reshape (v0, column)")
            << true;
        const QString spread = "m = ReduceMean <axes = [-1]> (x) d = Sub (x, m) p = Mul (d, d) "
                               "v = ReduceMean <axes = [-1]> (p) a = Add (v, eps) s = Sqrt (a) "
                               "r = Reciprocal (s) f = Mul (r, gamma) q = Mul (x, f) "
                               "o = Mul (m, f) b = Sub (beta, o) y = Add (q, b)";
        QTest::newRow("as Keras") << 17 << spread << true;
        QTest::newRow("as Keras, before 17") << 13 << spread << false;
        QTest::newRow("as Keras, turned") << 17
                                          << QString(spread)
                                                 .replace("(r, gamma)", "(gamma, r)")
                                                 .replace("(x, f)", "(f, x)")
                                                 .replace("(m, f)", "(f, m)")
                                                 .replace("(q, b)", "(b, q)")
                                          << true;
        QTest::newRow("as Keras, no scale") << 17
                                            << QString(spread)
                                                   .replace("f = Mul (r, gamma) ", "")
                                                   .replace(", f)", ", r)")
                                            << true;
        QTest::newRow("scale on the root") << 17
                                           << QString(plain).replace(
                                                  "n = Div (d, s) w = Mul (n, gamma)",
                                                  "r = Reciprocal (s) f = Mul (gamma, r) "
                                                  "w = Mul (d, f)")
                                           << true;
        QTest::newRow("all axes") << 13 << QString(bare).replace("<axes = [-1]> ", "") << false;
    }
    void layer()
    {
        QFETCH(int, opset);
        QFETCH(QString, body);
        QFETCH(bool, isOperator);
        Graph graph = graphOf(model(body.toStdString(), opset));
        QCOMPARE(rewriteProblem(graph, "layer-normalization", "y"), std::string());
        const std::string found = operatorsOf(graph);
        if (isOperator)
            QCOMPARE(found, std::string("LayerNormalization"));
        else
            QVERIFY2(found.starts_with("region(ReduceMean Sub") && found.ends_with(")") &&
                         found.find(") ") == std::string::npos,
                     found.c_str());
    }

    void layerOfHalfPrecisionStaysARegion()
    {
        Graph graph = graphOf(model(plain.toStdString(), 17, "float16[N, 3, 4] y", "float16"));
        QCOMPARE(rewriteProblem(graph, "layer-normalization", "y", {.policy = {}, .rtol = 2e-3}),
                 std::string());
        QVERIFY(operatorsOf(graph).starts_with("region("));
    }

    // What follows does not fit: the rest is a normalization all the same.
    void leavesAScaleThatEnlarges()
    {
        Graph graph = graphOf(
            model((QString(plain).replace("n = Div", "[n] n = Div").replace("gamma", "tall"))
                      .toStdString(),
                  13, "float[1, N, 3, 4] y"));
        QCOMPARE(codesOf(graph, "layer-normalization", "y"), std::string("broadcast-enlarges"));
        QCOMPARE(rewriteProblem(graph, "layer-normalization", "n"), std::string());
        QVERIFY(operatorsOf(graph).ends_with("Mul Add"));
        const Graph whole =
            graphOf(model((QString(plain).replace("n = Div", "[n] n = Div")).toStdString()));
        QCOMPARE(codesOf(whole, "layer-normalization", "n"), std::string("no candidate"));
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("codes");
        QTest::newRow("cube") << QString(plain).replace("(d, two)", "(d, three)")
                              << "unexpected-constant";
        QTest::newRow("mean − x") << QString(plain).replace("Sub (x, m)", "Sub (m, x)")
                                  << "operand-order";
        QTest::newRow("std / d") << QString(plain).replace("Div (d, s)", "Div (s, d)")
                                 << "operand-order";
        QTest::newRow("row epsilon")
            << QString(plain).replace("(v, eps)", "(v, epsRow)") << "unexpected-constant";
        QTest::newRow("negative epsilon")
            << QString(plain).replace("(v, eps)", "(v, below)") << "unexpected-constant";
        QTest::newRow("computed epsilon")
            << QString(plain).replace("a = Add (v, eps)", "e = Abs (z) a = Add (v, e)")
            << "not-constant";
        QTest::newRow("middle axis")
            << QString(plain).replace("[-1]", "[1]") << "axis-mismatch axis-mismatch";
        // Numbers of more axes than x would add them to the result.
        QTest::newRow("deep epsilon")
            << QString(plain).replace("(v, eps)", "(v, eps4)") << "broadcast-enlarges";
        QTest::newRow("deep exponent")
            << QString(plain).replace("(d, two)", "(d, two4)") << "broadcast-enlarges";
        QTest::newRow("deep one")
            << QString(plain).replace("n = Div (d, s)", "r = Div (one4, s) n = Mul (d, r)")
            << "broadcast-enlarges";
        QTest::newRow("deep inverse root")
            << QString(plain).replace("s = Sqrt (a) n = Div (d, s)",
                                      "r = Pow (a, half4) n = Mul (d, r)")
            << "broadcast-enlarges";
        QTest::newRow("row of exponents")
            << QString(plain).replace("(d, two)", "(d, twos)") << "unexpected-constant";
        QTest::newRow("two different axes")
            << QString(plain).replace("[-1]> (x)", "[-2, -1]> (x)") << "axis-mismatch";
    }
    void refuses()
    {
        QFETCH(QString, body);
        QFETCH(QString, codes);
        const std::string outputs = codes == "broadcast-enlarges" ? "float[1, N, 3, 4] y"
                                                                  : "float[N, 3, 4] y";
        QCOMPARE(codesOf(graphOf(model(body.toStdString(), 13, outputs)), "layer-normalization",
                         "y"),
                 codes.toStdString());
    }

    // x − mean(x) twice: the one that is squared must be the one that is divided.
    void refusesASecondMeanOfAnotherKind()
    {
        const auto squared = [](const char* mean) {
            return graphOf(model(("m = ReduceMean <axes = [-1]> (x) d = Sub (x, m) m2 = ReduceMean " +
                                  QString(mean) +
                                  " (x) d2 = Sub (x, m2) p = Mul (d2, d2) v = ReduceMean <axes = [-1]> "
                                  "(p) a = Add (v, eps) s = Sqrt (a) y = Div (d, s)")
                                     .toStdString(),
                                 17));
        };
        Graph same = squared("<axes = [-1]>");
        QCOMPARE(rewriteProblem(same, "layer-normalization", "y"), std::string());
        QCOMPARE(codesOf(squared("<axes = [1]>"), "layer-normalization", "y"),
                 std::string("axis-mismatch"));
        QCOMPARE(codesOf(squared("<axes = [-2, -1]>"), "layer-normalization", "y"),
                 std::string("axis-mismatch"));
        QCOMPARE(codesOf(graphOf(fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[4, 4] x) => (float[4, 4] y) <float eps = {{0.00001}}>
            {{ m = ReduceMean <axes = [-1]> (x) d = Sub (x, m)
              m2 = ReduceMean <axes = [-1], keepdims = 0> (x) d2 = Sub (x, m2) p = Mul (d2, d2)
              v = ReduceMean <axes = [-1]> (p) a = Add (v, eps) s = Sqrt (a) y = Div (d, s) }})")),
                         "layer-normalization", "y"),
                 std::string("unsupported-attribute"));
    }

    // The mean of a square matrix without its axis runs along the wrong one, and the file is valid.
    void refusesAMeanThatLosesItsAxis()
    {
        QCOMPARE(codesOf(graphOf(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[4, 4] x) => (float[4, 4] y) <float two = {2}, float eps = {0.00001}>
            { m = ReduceMean <axes = [-1], keepdims = 0> (x) d = Sub (x, m) p = Pow (d, two)
              v = ReduceMean <axes = [-1]> (p) a = Add (v, eps) s = Sqrt (a) y = Div (d, s) })"),
                         "layer-normalization", "y"),
                 std::string("unsupported-attribute"));
        // A Reshape to another place is none that brings the axis back.
        QCOMPARE(codesOf(graphOf(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[4, 4] x) => (float[4, 4] y)
            <float two = {2}, float eps = {0.00001}, int64[2] row = {1, 4}>
            { m0 = ReduceMean <axes = [-1], keepdims = 0> (x) m = Reshape (m0, row)
              d = Sub (x, m) p = Pow (d, two) v = ReduceMean <axes = [-1]> (p) a = Add (v, eps)
              s = Sqrt (a) y = Div (d, s) })"),
                         "layer-normalization", "y"),
                 std::string("no candidate"));
    }

    // A gate or a residual of the data's shape is no parameter.
    void leavesOtherTensors()
    {
        for (const char* last : {"y = Mul (n, z)", "y = Add (n, z)"}) {
            const QString body =
                QString(bare).replace("y = Div (d, s)", "n = Div (d, s) ") + QString(last);
            Graph graph = graphOf(model(body.toStdString()));
            QCOMPARE(codesOf(graph, "layer-normalization", "y"), std::string("no candidate"));
            QCOMPARE(codesOf(graph, "layer-normalization", "n"), std::string("match"));
        }
    }

    void refusesOtherReaders()
    {
        const Graph graph = graphOf(model(plain.toStdString() + " [neg] o = Neg (v)", 13,
                                          "float[N, 3, 4] y, float[N, 3, 1] o"));
        QCOMPARE(refusalOf(graph, "layer-normalization", "y"),
                 std::string("multi-consumer [neg] Result is read elsewhere too | `ReduceMean #4` is also "
                             "read by `neg`, which needs the value before `Add #5`. | Give that reader a "
                             "producer of its own, or drop that reader."));
        QCOMPARE(
            codesOf(graphOf(model(plain.toStdString(), 13, "float[N, 3, 4] y, float[N, 3, 1] m")),
                    "layer-normalization", "y"),
            std::string("graph-output"));
        QCOMPARE(codesOf(graph, "rms-normalization", "y"), std::string("no candidate"));
    }

    void rootMeanSquare_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        // The inverse that the product alone reads becomes a quotient.
        QTest::newRow("exported") << 17 << rms << "region(Pow ReduceMean Add Sqrt Div Mul)";
        QTest::newRow("one over") << 17
                                  << QString(rms).replace("r = Reciprocal (s)", "r = Div (one, s)")
                                  << "region(Pow ReduceMean Add Sqrt Div Mul)";
        QTest::newRow("operator") << 23 << QString(rms).replace("<axes = [-1]> (p)", "(p, last)")
                                  << "RMSNormalization";
        QTest::newRow("Div") << 17
                             << QString(rms).replace("r = Reciprocal (s) n = Mul (x, r)",
                                                     "n = Div (x, s)")
                             << "region(Pow ReduceMean Add Sqrt Div Mul)";
        QTest::newRow("products") << 17 << QString(rms).replace("Pow (x, two)", "Mul (x, x)")
                                  << "region(Mul ReduceMean Add Sqrt Div Mul)";
        QTest::newRow("scale on the root")
            << 17
            << QString(rms).replace("n = Mul (x, r) y = Mul (gamma, n)",
                                    "n = Mul (r, gamma) y = Mul (x, n)")
            << "region(Pow ReduceMean Add Sqrt Reciprocal Mul Mul)";
        QTest::newRow("Unsqueeze brings the axis back")
            << 23
            << QString(rms).replace("v = ReduceMean <axes = [-1]> (p)",
                                    "v0 = ReduceMean <keepdims = 0> (p, last) "
                                    "v = Unsqueeze (v0, last)")
            << "RMSNormalization";
        QTest::newRow("no scale") << 17
                                  << QString(rms).replace("n = Mul (x, r) y = Mul (gamma, n)",
                                                          "y = Mul (x, r)")
                                  << "region(Pow ReduceMean Add Sqrt Div)";
        QTest::newRow("shift stays outside")
            << 17 << QString(rms).replace("y = Mul", "[y0] w = Mul") + " y = Add (w, beta)"
            << "";
    }
    void rootMeanSquare()
    {
        QFETCH(int, opset);
        QFETCH(QString, body);
        QFETCH(QString, expected);
        Graph graph = graphOf(model(body.toStdString(), opset));
        if (expected.isEmpty()) {
            QCOMPARE(codesOf(graph, "rms-normalization", "y"), std::string("no candidate"));
            QCOMPARE(codesOf(graph, "rms-normalization", "y0"), std::string("match"));
            return;
        }
        QCOMPARE(rewriteProblem(graph, "rms-normalization", "y"), std::string());
        QCOMPARE(operatorsOf(graph), expected.toStdString());
    }

    void rootMeanSquareRefuses()
    {
        QCOMPARE(
            codesOf(graphOf(model(QString(rms).replace("(x, two)", "(x, three)").toStdString())),
                    "rms-normalization", "y"),
            std::string("unexpected-constant"));
        QCOMPARE(codesOf(graphOf(model(QString(rms).replace("x, r", "z, r").toStdString())),
                         "rms-normalization", "y"),
                 std::string("no candidate"));
    }

    void betweenTransposes_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        const QString turned = QString(plain)
                                   .replace("ReduceMean <axes = [-1]> (x)",
                                            "ReduceMean <axes = [-1]> (t)")
                                   .replace("Sub (x, m)", "Sub (t, m)")
                                   .replace("y = Add (w, beta)", "u = Add (w, beta)");
        const QString in = "t = Transpose <perm = [0, 2, 1]> (k) ";
        const QString out = " y = Transpose <perm = [0, 2, 1]> (u)";
        const QString whole = "region(ReduceMean Sub Pow ReduceMean Add Sqrt Div Mul Add)";
        QTest::newRow("channels") << 13 << in + turned + out << whole;
        QTest::newRow("axes as input")
            << 18 << in + QString(turned).replace("<axes = [-1]> (t)", "(t, last)")
                           .replace("<axes = [-1]> (p)", "(p, last)")
                           .replace("gamma", "one") + out
            << whole;
        QTest::newRow("no parameters")
            << 13 << in + QString(turned).replace("n = Div (d, s) w = Mul (n, gamma) "
                                                  "u = Add (w, beta)", "u = Div (d, s)") + out
            << "region(ReduceMean Sub Pow ReduceMean Add Sqrt Div)";
        QTest::newRow("first is read elsewhere")
            << 13 << in + turned + out + " z2 = Neg (t)" << "Transpose " + whole + " Neg";
    }
    void betweenTransposes()
    {
        QFETCH(int, opset);
        QFETCH(QString, body);
        QFETCH(QString, expected);
        const bool two = body.contains("z2");
        Graph graph = graphOf(
            QString::fromStdString(model(body.toStdString(), opset,
                                         two ? "float[N, 4, 3] y, float[N, 3, 4] z2"
                                             : "float[N, 4, 3] y"))
                .replace("x, float[N, 3, 4] z)", "x, float[N, 4, 3] k)")
                .toStdString());
        QCOMPARE(rewriteProblem(graph, "layer-normalization", "u"), std::string());
        QCOMPARE(rewriteProblem(graph, "transpose-normalization", "y"), std::string());
        QCOMPARE(operatorsOf(graph), expected.toStdString());
    }

    void betweenTransposesRefuses_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("codes");
        const QString norm = "t = Transpose <perm = [0, 2, 1]> (k) "
                             "m = ReduceMean <axes = [-1]> (t) d = Sub (t, m) p = Pow (d, two) "
                             "v = ReduceMean <axes = [-1]> (p) a = Add (v, eps) s = Sqrt (a) "
                             "n = Div (d, s) u = Mul (n, gamma) ";
        QTest::newRow("other order") << norm + "y = Transpose <perm = [1, 0, 2]> (u)"
                                     << "no candidate";
        QTest::newRow("read elsewhere")
            << norm + "y = Transpose <perm = [0, 2, 1]> (u) z2 = Neg (u)" << "multi-consumer";
        QTest::newRow("computed scale")
            << QString(norm).replace("u = Mul (n, gamma)", "g = Relu (row) u = Mul (n, g)") +
                   "y = Transpose <perm = [0, 2, 1]> (u)"
            << "not-constant";
        QTest::newRow("scale of a square")
            << QString(norm).replace("gamma", "gamma2").replace("[-1]", "[-2, -1]") + "y = Transpose <perm = [0, 2, 1]> (u)"
            << "not-per-channel";
    }
    void betweenTransposesRefuses()
    {
        QFETCH(QString, body);
        QFETCH(QString, codes);
        const bool two = body.contains("z2");
        Graph graph = graphOf(
            QString::fromStdString(model(body.toStdString(), 13,
                                         two ? "float[N, 4, 3] y, float[N, 3, 4] z2"
                                             : "float[A, B, C] y"))
                .replace("x, float[N, 3, 4] z)", "row, float[N, 4, 3] k)")
                .replace("float[N, 3, 4] row", "float[4] row")
                .toStdString());
        QCOMPARE(rewriteProblem(graph, "layer-normalization", "u"), std::string());
        QCOMPARE(codesOf(graph, "transpose-normalization", "y"), codes.toStdString());
    }
};

FUSESCOPE_TEST(NormalizationsTest, normalizations_test)
#include "normalizations_test.moc"
