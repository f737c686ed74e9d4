#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string model(std::string_view body, std::string_view outputs = "float[M, 3] y", int opset = 17)
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : {0}, "com.acme" : 1]>
        g (float[M, 4] x, float[M, 3] r, float[4, M] xt, float[2, M, 4] x3, float[2, M, 3] r3,
           float[2, 3, 4] k3, float[3] free) => ({1})
        <float[4, 3] W = random(1), float[3, 4] Wt = random(2), float[3] b = {{1, -2, 3}},
         float[1, 3] b2 = {{1, 2, 3}}, float[5, 1, 3] tall = random(3), float k = {{0.5}},
         float[1] k1 = {{2}}, float[1, 1, 1] k111 = {{2}}, float zero = {{0}},
         float[3] s = {{1, 2, -0.5}}, float[3] v = {{1, 0.5, 2}}, float[4] s4 = {{1, 2, 3, 4}},
         float[5, 3] big = random(4), float[3] z3 = {{1, 0, 2}},
         float[1, 1, 3] row3 = {{1, 2, 3}}> {{ {2} }})",
                       opset, outputs, body);
}

void compareRewrite(std::string_view rule, std::string_view body, const std::string& expected,
                    std::string_view outputs = "float[M, 3] y", int opset = 17)
{
    Graph graph = graphOf(model(body, outputs, opset));
    QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
    QCOMPARE(operatorsOf(graph), expected);
}

} // namespace

class ProductsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rewrites_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* rule, const char* body,
                            const char* expected) {
            QTest::newRow(name) << QString(rule) << QString(body) << QString(expected);
        };
        row("MatMul, Add", "matmul-add-gemm", "m = MatMul (x, W) y = Add (m, b)", "Gemm");
        row("Add turned", "matmul-add-gemm", "m = MatMul (x, W) y = Add (b2, m)", "Gemm");
        row("MatMul, Sum", "matmul-add-gemm", "m = MatMul (x, W) y = Sum (m, b)", "Gemm");
        row("scalar addend", "matmul-add-gemm", "m = MatMul (x, W) y = Add (m, k)", "Gemm");
        row("computed addend", "matmul-add-gemm", "m = MatMul (x, W) y = Add (m, r)", "Gemm");
        row("MatMul, Sub", "matmul-add-gemm", "m = MatMul (x, W) y = Sub (m, b)", "Gemm");
        row("MatMul, Sub of a scalar", "matmul-add-gemm", "m = MatMul (x, W) y = Sub (m, k)",
            "Gemm");
        row("MatMul, Sub of computed", "matmul-add-gemm", "m = MatMul (x, W) y = Sub (m, r)",
            "Gemm");
        const char* bn = "BatchNormalization (m, s, b, b, v)";
        row("Gemm, BN", "gemm-batchnorm", (std::string("m = Gemm (x, W, b) y = ") + bn).c_str(),
            "Gemm");
        row("Gemm with factors, BN", "gemm-batchnorm",
            (std::string("m = Gemm <alpha = 0.5, beta = 2.0, transB = 1> (x, Wt, b2) y = ") + bn)
                .c_str(),
            "Gemm");
        row("Gemm without C, BN", "gemm-batchnorm",
            (std::string("m = Gemm (x, W) y = ") + bn).c_str(), "Gemm");
        row("MatMul, BN", "gemm-batchnorm", (std::string("m = MatMul (x, W) y = ") + bn).c_str(),
            "Gemm");
        row("Gemm, Add", "gemm-bias", "m = Gemm (x, W, b) y = Add (m, s)", "Gemm");
        row("Gemm with β, Add", "gemm-bias",
            "m = Gemm <beta = 0.5, alpha = 2.0> (x, W, b) y = Add (s, m)", "Gemm");
        row("Gemm with β of 0, Add", "gemm-bias", "m = Gemm <beta = 0.0> (x, W, b) y = Add (m, s)",
            "Gemm");
        row("Gemm, Add of computed", "gemm-bias", "m = Gemm (x, W) y = Add (m, r)", "Gemm");
        row("Gemm, Sum", "gemm-bias", "m = Gemm (x, W, b) y = Sum (s, m)", "Gemm");
        row("Gemm, Sum with computed", "gemm-bias", "m = Gemm (x, W) y = Sum (m, r)", "Gemm");
        row("Gemm, Sub", "gemm-bias", "m = Gemm (x, W, b) y = Sub (m, k)", "Gemm");
        row("Gemm without C, Sub", "gemm-bias", "m = Gemm (x, W) y = Sub (m, s)", "Gemm");
        row("Gemm, Sub of computed", "gemm-bias",
            "m = Gemm <beta = 0.0> (x, W, b) y = Sub (m, r)", "Gemm");
        row("Gemm, Relu", "gemm-activation", "m = Gemm (x, W, b) y = Relu (m)",
            "region(Gemm Relu)");
        row("MatMul, Clip", "gemm-activation", "m = MatMul (x, W) y = Clip (m, zero, k)",
            "region(MatMul Clip)");
        row("MatMul, Mul", "matmul-scale", "m = MatMul (x, W) y = Mul (k, m)", "MatMul");
        row("MatMul, Div", "matmul-scale", "m = MatMul (x, W) y = Div (m, k1)", "MatMul");
        row("Gemm, Mul", "matmul-scale", "m = Gemm (x, W, b) y = Mul (m, k)", "Gemm");
        row("MatMul, Mul by a row", "matmul-scale", "m = MatMul (x, W) y = Mul (s, m)", "MatMul");
        row("MatMul, Div by a row", "matmul-scale", "m = MatMul (x, W) y = Div (m, b2)", "MatMul");
        row("Gemm, Mul by a row", "matmul-scale",
            "m = Gemm <transB = 1, alpha = 0.5, beta = 2.0> (x, Wt, b) y = Mul (m, s)", "Gemm");
        row("Gemm without C, Mul by a row", "matmul-scale", "m = Gemm (x, W) y = Mul (m, s)",
            "Gemm");
        row("Mul, MatMul", "matmul-scale", "m = Mul (x, k) y = MatMul (m, W)", "MatMul");
        row("Mul, Gemm", "matmul-scale", "m = Mul (x, k) y = Gemm (m, W, b)", "Gemm");
        row("computed, Mul", "matmul-scale",
            "t = Transpose (xt) n = Abs (Wt) w = Transpose (n) m = MatMul (t, w) y = Mul (m, k)",
            "Transpose Abs Transpose region(MatMul Mul)");
        row("Transpose, MatMul", "transpose-matmul", "t = Transpose (xt) y = MatMul (t, W)",
            "Gemm");
        row("Transpose, Gemm", "transpose-matmul",
            "t = Transpose <perm = [1, 0]> (xt) y = Gemm <transB = 1> (t, Wt, b)", "Gemm");
        row("second transposed", "transpose-matmul",
            "n = Abs (Wt) t = Transpose (n) y = MatMul (x, t)", "Abs Gemm");
        row("a second reader of the Transpose", "transpose-matmul",
            "t = Transpose (xt) a = MatMul (t, W) q = Abs (t) c = MatMul (q, W) "
            "z = MatMul (t, W) y = Add (z, c)",
            "");
    }
    void rewrites()
    {
        QFETCH(QString, rule);
        QFETCH(QString, body);
        QFETCH(QString, expected);
        if (expected.isEmpty()) {
            Graph graph = graphOf(model(body.toStdString()));
            QCOMPARE(rewriteProblem(graph, "transpose-matmul", "z"), std::string());
            QVERIFY(operatorsOf(graph).find("Transpose") != std::string::npos);
            return;
        }
        const std::string id = rule.toStdString();
        compareRewrite(id, body.toStdString(), expected.toStdString());
    }

    void moreAxes()
    {
        const std::string out = "float[2, M, 3] y";
        compareRewrite("matmul-add", "m = MatMul (x3, W) y = Add (b, m)", "region(MatMul Add)",
                       out);
        compareRewrite("matmul-add", "m = MatMul (x3, W) y = Add (m, r3)", "region(MatMul Add)",
                       out);
        compareRewrite("matmul-add", "m = MatMul (x3, W) y = Sub (m, b)", "region(MatMul Sub)",
                       out);
        compareRewrite("transpose-matmul",
                       "t = Transpose <perm = [0, 2, 1]> (k3) y = MatMul (x3, t)",
                       "region(Transpose MatMul)", out);
        compareRewrite("gemm-activation", "m = MatMul (x3, W) y = Relu (m)", "region(MatMul Relu)",
                       out);
        compareRewrite("matmul-scale", "m = MatMul (x3, W) y = Mul (m, k)", "MatMul", out);
        compareRewrite("matmul-scale", "m = MatMul (x3, W) y = Mul (m, s)", "MatMul", out);
    }

    // Bias, residual and activation grow one region.
    void grows()
    {
        Graph graph =
            graphOf(model("m = MatMul (x3, W) [bias] p = Add (m, b) [rest] q = Add (p, r3) "
                          "[act] y = Relu (q)",
                          "float[2, M, 3] y"));
        QCOMPARE(rewriteProblem(graph, "matmul-add", "p"), std::string());
        QCOMPARE(rewriteProblem(graph, "matmul-add", "q"), std::string());
        QCOMPARE(rewriteProblem(graph, "gemm-activation", "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(MatMul Add Add Relu)"));
    }

    // A constant that is subtracted is added as its negative; what is computed is no constant.
    void subtracts()
    {
        const auto gemmOf = [](const char* addend) {
            Graph graph = graphOf(model(fmt::format("m = MatMul (x, W) y = Sub (m, {})", addend)));
            const std::string problem = rewriteProblem(graph, "matmul-add-gemm", "y");
            const Node node = *graph.node((*graph.nodes(graph.mainBody()))[0]);
            const TensorPtr c = graph.constant(node.input(2));
            return fmt::format("{}beta {} c {} {}", problem, node.attributes.getFloat("beta", 1.0F),
                               c ? c->asDouble(0) : 0, c ? c->asDouble(1) : 0);
        };
        QCOMPARE(gemmOf("b"), std::string("beta 1 c -1 2"));
        QCOMPARE(gemmOf("r"), std::string("beta -1 c 0 0"));
        // Another reader keeps the constant: the negative is a copy, which counts as growth.
        const Graph shared = graphOf(model("m = MatMul (x, W) y = Sub (m, b) o = Add (r, b)",
                                           "float[M, 3] y, float[M, 3] o"));
        QCOMPARE(codesOf(shared, "matmul-add-gemm", "y"), std::string("match"));
        Policy policy;
        policy.maxGrowth = 8;
        QCOMPARE(codesOf(shared, "matmul-add-gemm", "y", policy), std::string("growth-limit"));
    }

    // β of a Gemm counts no more once its C holds it.
    void foldedGemmHasNoBeta()
    {
        Graph graph = graphOf(model("m = Gemm <beta = 0.5> (x, W, b) y = Add (m, s)"));
        QCOMPARE(rewriteProblem(graph, "gemm-bias", "y"), std::string());
        QCOMPARE(graph.node((*graph.nodes(graph.mainBody()))[0])->attributes.has("beta"), false);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("outputs");
        QTest::addColumn<QString>("codes");
        const auto row = [](const char* name, const char* rule, const char* body,
                            const char* outputs, const char* codes) {
            QTest::newRow(name) << QString(rule) << QString(body) << QString(outputs)
                                << QString(codes);
        };
        const char* two = "float[M, 3] y, float[M, 3] o";
        row("twice", "matmul-add-gemm", "m = MatMul (x, W) y = Add (m, m)", "float[M, 3] y",
            "multi-consumer");
        row("constant − product", "matmul-add-gemm", "m = MatMul (x, W) y = Sub (b, m)",
            "float[M, 3] y", "operand-order");
        row("constant − product, of more axes", "matmul-add", "m = MatMul (x3, W) y = Sub (b, m)",
            "float[2, M, 3] y", "operand-order");
        row("a residual subtracted", "matmul-add", "m = MatMul (x3, W) y = Sub (m, r3)",
            "float[2, M, 3] y", "no candidate");
        row("Sum enlarges", "matmul-add-gemm", "m = MatMul (x, W) y = Sum (m, tall)",
            "float[M, 3] y", "broadcast-enlarges");
        row("Sum of computed and bias", "gemm-bias", "m = Gemm (x, W, b) y = Sum (m, r)",
            "float[M, 3] y", "no candidate");
        row("Sum of three", "gemm-bias", "m = Gemm (x, W) y = Sum (m, b, r)", "float[M, 3] y",
            "no candidate");
        row("Sub enlarges", "matmul-add-gemm", "m = MatMul (x, W) y = Sub (m, tall)",
            "float[5, M, 3] y", "broadcast-enlarges");
        row("computed − Gemm", "gemm-bias", "m = Gemm (x, W) y = Sub (r, m)", "float[M, 3] y",
            "no candidate");
        row("other reader", "matmul-add-gemm", "m = MatMul (x, W) y = Add (m, b) o = Neg (m)", two,
            "multi-consumer");
        row("enlarges", "matmul-add-gemm", "m = MatMul (x, W) y = Add (m, tall)",
            "float[5, M, 3] y", "broadcast-enlarges");
        row("not shown equal", "matmul-add-gemm", "m = MatMul (x, W) y = Add (m, big)",
            "float[5, 3] y", "unknown-shape");
        row("of more axes", "matmul-add-gemm", "m = MatMul (x3, W) y = Add (m, b)",
            "float[2, M, 3] y", "no candidate");
        row("output", "gemm-batchnorm",
            "m = Gemm (x, W) y = BatchNormalization (m, s, b, b, v) "
            "o = Neg (m)",
            two, "multi-consumer");
        row("rows are channels", "gemm-batchnorm",
            "t = Transpose <perm = [1, 0, 2]> (x3) m = MatMul (t, W) "
            "y = BatchNormalization (m, s, b, b, v)",
            "float[M, 2, 3] y", "axis-mismatch");
        row("computed weight", "gemm-batchnorm",
            "w = Abs (W) m = Gemm (x, w) y = BatchNormalization (m, s, b, b, v)", "float[M, 3] y",
            "not-constant");
        row("computed bias", "gemm-batchnorm",
            "m = Gemm (x, W, r) y = BatchNormalization (m, s, b, b, v)", "float[M, 3] y",
            "not-constant");
        row("training", "gemm-batchnorm",
            "m = Gemm (x, W) y = BatchNormalization <training_mode = 1> (m, s, b, b, v)",
            "float[M, 3] y", "training-mode-batchnorm");
        row("between", "gemm-batchnorm",
            "m = Gemm (x, W) n = Transpose (m) o = Transpose (n) "
            "y = BatchNormalization (o, s, b, b, v)",
            "float[M, 3] y", "shape-operator-between");
        row("Sub from", "gemm-bias", "m = Gemm (x, W, b) y = Sub (s, m)", "float[M, 3] y",
            "operand-order");
        row("cast between", "gemm-bias", "m = Gemm (x, W, b) c = Cast <to = 1> (m) y = Add (c, s)",
            "float[M, 3] y", "cast-between");
        row("activation's reader", "gemm-activation", "m = Gemm (x, W) y = Relu (m) o = Neg (m)",
            two, "multi-consumer");
        row("k / product", "matmul-scale", "m = MatMul (x, W) y = Div (k, m)", "float[M, 3] y",
            "operand-order");
        row("by zero", "matmul-scale", "m = MatMul (x, W) y = Div (m, zero)", "float[M, 3] y",
            "not-finite");
        row("adds an axis", "matmul-scale", "m = MatMul (x, W) y = Mul (m, k111)",
            "float[1, M, 3] y", "broadcast-enlarges");
        row("a row, computed weight", "matmul-scale",
            "w = Neg (W) u = Add (w, free) m = MatMul (x, u) y = Mul (m, s)",
            "float[M, 3] y", "no candidate");
        row("a row below", "matmul-scale", "m = MatMul (x, W) y = Div (s, m)", "float[M, 3] y",
            "no candidate");
        row("a row by zero", "matmul-scale", "m = MatMul (x, W) y = Div (m, z3)", "float[M, 3] y",
            "not-finite");
        row("a row read elsewhere", "matmul-scale", "m = MatMul (x, W) y = Mul (m, s) o = Neg (m)",
            two, "multi-consumer");
        row("a row that adds an axis", "matmul-scale", "m = MatMul (x, W) y = Mul (m, row3)",
            "float[1, M, 3] y", "broadcast-enlarges");
        row("a row and a full C", "matmul-scale", "m = Gemm (x, W, r) y = Mul (m, s)",
            "float[M, 3] y", "not-constant");
        row("transposes others", "transpose-matmul",
            "t = Transpose <perm = [1, 2, 0]> (x3) w = Abs (W) y = MatMul (w, t)",
            "float[A, B, 2] y", "no candidate");
    }
    void refuses()
    {
        QFETCH(QString, rule);
        QFETCH(QString, body);
        QFETCH(QString, outputs);
        QFETCH(QString, codes);
        QCOMPARE(codesOf(graphOf(model(body.toStdString(), outputs.toStdString())),
                         rule.toStdString(), "y"),
                 codes.toStdString());
    }

    // Numbers that the model still gives, since it multiplies its factors in one by one.
    void refusesFactorsWhoseProductIsLost()
    {
        const auto codes = [](std::string_view body) {
            return codesOf(graphOf(fmt::format(R"(g (float[2, 2] x) => (float[2, 2] y)
                <float[2, 2] large = {{1e35, 1e35, 1e35, 1e35}}, float[2] c = {{1, 2}},
                 float[2, 2] small = {{1e-30, 1e-30, 0, 1e-30}}, float[2, 2] zero = {{0, 0, 0, 0}},
                 float tiny = {{1e-30}}, float huge = {{1e30}}, float half = {{0.5}}>
                {{ {} }})",
                                               body)),
                           "matmul-scale", "y");
        };
        const std::string lost = "not-finite";
        QCOMPARE(codes("g = Gemm <alpha = 1e-30> (x, large) y = Mul (g, tiny)"), lost);
        QCOMPARE(codes("g = Gemm <alpha = 1e-10> (x, large) y = Mul (g, tiny)"), lost);
        QCOMPARE(codes("g = Gemm <beta = 1e-30> (x, large, c) y = Mul (g, tiny)"), lost);
        QCOMPARE(codes("g = Gemm <alpha = 1e30> (x, small) y = Mul (g, huge)"), lost);
        QCOMPARE(codes("g = MatMul (x, small) y = Mul (g, tiny)"), lost);
        QCOMPARE(codes("g = Gemm <alpha = 1e-30> (x, large) y = Mul (g, half)"),
                 std::string("match"));
        QCOMPARE(codes("g = Gemm <alpha = 0.0> (x, large) y = Mul (g, tiny)"),
                 std::string("match"));
        QCOMPARE(codes("g = MatMul (x, zero) y = Mul (g, tiny)"), std::string("match"));
    }

    void batchnormFoldsIntoMatricesAlone()
    {
        QCOMPARE(codesOf(graphOf(R"(g (float[3] x) => (float[2, 4] y)
            <float[2, 3, 4] b = random(1), float[4] s = random(2)>
            { m = MatMul (x, b) y = BatchNormalization (m, s, s, s, s) })"),
                         "gemm-batchnorm", "y"),
                 std::string("unsupported-rank"));
    }

    // μ·s passes half precision though all its factors are in range.
    void batchnormMustLeaveAFiniteRow()
    {
        const std::string refusal = refusalOf(
            graphOf(R"(g (float16[N, 2] x) => (float16[N, 2] y)
            <float16[2, 2] W = {1, 0, 0, 1}, float16[2] s = {1, 1}, float16[2] zero = {0, 0},
             float16[2] m = {1, 700}, float16[2] v = {0.0001, 0.0001}>
            { g = Gemm (x, W) [bn] y = BatchNormalization <epsilon = 0.0> (g, s, zero, m, v) })"),
            "gemm-batchnorm", "bn");
        QVERIFY2(refusal.starts_with("not-finite [bn]") &&
                     refusal.find("in 1 of 2 channels, first in 1.") != std::string::npos,
                 refusal.c_str());
    }

    void sentences()
    {
        const std::string refusal = refusalOf(
            graphOf(model("[mm] m = MatMul (x, W) [add] y = Add (m, tall)", "float[5, M, 3] y")),
            "matmul-add-gemm", "add");
        QVERIFY2(refusal.starts_with("broadcast-enlarges [tall] ") &&
                     refusal.find("[5, 1, 3]") != std::string::npos,
                 refusal.c_str());
        const Graph graph = graphOf(model("[mm] m = MatMul (x, W) [add] y = Add (m, b)"));
        Policy policy;
        policy.pinnedNodes.insert(nodeNamed(graph, "mm"));
        QCOMPARE(codesOf(graph, "matmul-add-gemm", "add", policy), std::string("pinned"));
    }

    // Rows are folded as doubles, which hold no int64: integers stay as they are.
    void integersStay()
    {
        const auto codes = [](const char* type, const char* body) {
            return codesOf(graphOf(fmt::format(R"(g ({0}[1, 2] a) => ({0}[1, 2] y)
                <{0}[2, 2] b = {{1, 2, 3, 4}}, {0}[2] c = {{2000000000, 5}}, {0}[2] d = {{1, 1}}>
                {{ {1} }})",
                                               type, body)),
                           "gemm-bias", "y");
        };
        for (const char* type : {"int32", "int64", "uint32", "uint64"}) {
            QCOMPARE(codes(type, "g = Gemm (a, b, c) y = Add (g, d)"),
                     std::string("unsupported-type"));
            QCOMPARE(codes(type, "g = Gemm <beta = 0.5> (a, b, c) y = Add (g, d)"),
                     std::string("unsupported-type"));
            QCOMPARE(codes(type, "g = Gemm (a, b) y = Sub (g, d)"),
                     std::string("unsupported-type"));
        }
    }

    // What a row may hold is a matter of its type.
    void rowsKeepTheRangeOfTheirType()
    {
        const auto graph = [](const char* type, const char* c) {
            return graphOf(fmt::format(R"(g ({0}[1, 2] a) => ({0}[1, 2] y)
                <{0}[2, 2] b = {{1, 2, 3, 4}}, {0}[2] c = {{{1}, 1}}, {0}[2] d = {{{1}, 2}}>
                {{ g = Gemm (a, b, c) y = Add (g, d) }})",
                                       type, c));
        };
        Graph wide = graph("double", "1e200");
        QCOMPARE(rewriteProblem(wide, "gemm-bias", "y"), std::string());
        QCOMPARE(operatorsOf(wide), std::string("Gemm"));
        Graph large = graph("bfloat16", "1e38");
        QCOMPARE(codesOf(large, "gemm-bias", "y"), std::string("match"));
        QCOMPARE(codesOf(graph("double", "1e308"), "gemm-bias", "y"), std::string("not-finite"));
        QCOMPARE(codesOf(graph("float", "2e38"), "gemm-bias", "y"), std::string("not-finite"));
        QCOMPARE(codesOf(graph("float16", "40000"), "gemm-bias", "y"), std::string("not-finite"));
        QCOMPARE(codesOf(graph("bfloat16", "2e38"), "gemm-bias", "y"), std::string("not-finite"));
    }
};

FUSESCOPE_TEST(ProductsTest, products_test)
#include "products_test.moc"
