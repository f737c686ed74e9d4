#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string model(std::string_view body, int opset = 17, std::string_view type = "float",
                  std::string_view outputs = "y", std::string_view more = "")
{
    std::string list;
    for (std::size_t at = 0; at < outputs.size(); ++at)
        list += outputs[at] == ',' ? std::string(", ") + std::string(type) + "[N, 4]"
                : at == 0          ? fmt::format("{}[N, 4] {}", type, outputs[at])
                                   : std::string(1, outputs[at]);
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : {1}]> g ({0}[N, 4] x, {0}[N, 4] z)
        => ({2})
        <{0} root = {{1.4142135}}, {0} inverse = {{0.70710678}}, {0} half = {{0.5}},
         {0} one = {{1}}, {0} two = {{2}}, {0} three = {{3}}, {0} six = {{6}}, {0} zero = {{0}},
         {0} sixth = {{0.16666667}}, {0} c = {{0.7978846}}, {0} k = {{0.044715}},
         {0} alpha = {{1.702}}, {0}[1] half1 = {{0.5}}, {0}[4] row = {{1, 2, 3, 4}},
         {0} rough = {{1.41421}}, {0} off = {{1.5}} {4}> {{ {3} }})",
                       type, opset, list, body, more);
}

// The formula of Gelu in the spellings that exporters and people write.
constexpr std::string_view plainGelu = "d = Div (x, root) e = Erf (d) a = Add (e, one) "
                                       "m = Mul (x, a) [root] y = Mul (m, half)";

} // namespace

class ActivationsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void gelu_data()
    {
        QTest::addColumn<QString>("body");
        QTest::newRow("exported") << QString::fromUtf8(plainGelu.data());
        QTest::newRow("Mul by 1/√2") << "d = Mul (inverse, x) e = Erf (d) a = Add (one, e) "
                                        "m = Mul (a, x) y = Mul (half, m)";
        QTest::newRow("half first") << "h = Mul (x, half) d = Div (x, root) e = Erf (d) "
                                       "a = Add (e, one) y = Mul (h, a)";
        QTest::newRow("half on the sum") << "d = Div (x, root) e = Erf (d) a = Add (e, one) "
                                            "h = Mul (half, a) y = Mul (x, h)";
        QTest::newRow("Div by two") << "d = Div (x, root) e = Erf (d) a = Add (e, one) "
                                       "m = Mul (x, a) y = Div (m, two)";
        QTest::newRow("one axis") << "d = Div (x, root) e = Erf (d) a = Add (e, one) "
                                     "m = Mul (x, a) y = Mul (m, half1)";
        QTest::newRow("six digits") << "d = Div (x, rough) e = Erf (d) a = Add (e, one) "
                                       "m = Mul (x, a) y = Mul (m, half)";
        QTest::newRow("tanh, Pow") << "p = Pow (x, three) q = Mul (p, k) s = Add (x, q) "
                                      "t = Mul (s, c) e = Tanh (t) a = Add (e, one) "
                                      "h = Mul (x, half) y = Mul (h, a)";
        QTest::newRow("tanh, products") << "p = Mul (x, x) q = Mul (p, x) r = Mul (k, q) "
                                           "s = Add (r, x) t = Mul (c, s) e = Tanh (t) "
                                           "a = Add (one, e) h = Mul (half, x) y = Mul (a, h)";
        QTest::newRow("tanh, factored") << "p = Mul (x, x) q = Mul (k, p) s = Add (one, q) "
                                           "u = Mul (x, c) t = Mul (u, s) e = Tanh (t) "
                                           "a = Add (one, e) h = Mul (half, a) y = Mul (x, h)";
    }
    void gelu()
    {
        QFETCH(QString, body);
        Graph region = graphOf(model(body.toStdString(), 17));
        QCOMPARE(rewriteProblem(region, "gelu", "y"), std::string());
        QVERIFY(operatorsOf(region).starts_with("region("));
        QVERIFY(operatorsOf(region).find(") ") == std::string::npos);
        Graph node = graphOf(model(body.toStdString(), 20));
        QCOMPARE(rewriteProblem(node, "gelu", "y", {.policy = {}, .rtol = 2e-5}), std::string());
        QCOMPARE(operatorsOf(node), std::string("Gelu"));
    }

    // Every association and order of the operands, the root by Div or by Mul.
    void geluInEveryOrder()
    {
        const auto either = [](std::string_view op, std::string_view a, std::string_view b,
                               bool turned) {
            return turned ? fmt::format("{} ({}, {}) ", op, b, a)
                          : fmt::format("{} ({}, {}) ", op, a, b);
        };
        for (int bits = 0; bits < 16; ++bits) {
            const auto bit = [bits](int i) { return ((bits >> i) & 1) != 0; };
            const std::string inner = (bit(0) ? "d = Div (x, root) "
                                              : "d = " + either("Mul", "x", "inverse", bit(1))) +
                                      "e = Erf (d) ";
            const std::string plus = "a = " + either("Add", "e", "one", bit(1));
            const std::vector<std::string> bodies = {
                inner + plus + "m = " + either("Mul", "x", "a", bit(2)) + "y = " +
                    either("Mul", "m", "half", bit(3)),
                inner + plus + "m = " + either("Mul", "x", "half", bit(2)) + "y = " +
                    either("Mul", "m", "a", bit(3)),
                inner + plus + "m = " + either("Mul", "half", "a", bit(2)) + "y = " +
                    either("Mul", "x", "m", bit(3)),
                inner + "h = " + either("Mul", "x", "half", bit(2)) + "p = " +
                    either("Mul", "h", "e", bit(1)) + "y = " + either("Add", "h", "p", bit(3)),
                inner + "h = " + either("Mul", "x", "half", bit(2)) + "q = " +
                    either("Mul", "x", "e", bit(1)) + "p = " +
                    either("Mul", "half", "q", bit(2)) + "y = " +
                    either("Add", "h", "p", bit(3)),
            };
            for (const std::string& body : bodies) {
                Graph graph = graphOf(model(body, 20));
                QCOMPARE(body + rewriteProblem(graph, "gelu", "y", {.policy = {}, .rtol = 2e-5}),
                         body);
                QCOMPARE(body + operatorsOf(graph), body + "Gelu");
            }
        }
    }

    // A sum around the formula is none of its own.
    void geluAndAResidual()
    {
        const Graph graph = graphOf(model("d = Div (x, root) e = Erf (d) a = Add (e, one) "
                                          "m = Mul (x, a) [g] g = Mul (m, half) y = Add (g, x)"));
        QCOMPARE(codesOf(graph, "gelu", "y"), std::string("no candidate"));
        QCOMPARE(codesOf(graph, "gelu", "g"), std::string("match"));
    }

    void hardSwishInEveryOrder()
    {
        for (int bits = 0; bits < 8; ++bits) {
            const auto order = [bits](int i, std::string_view a, std::string_view b) {
                return ((bits >> i) & 1) != 0 ? fmt::format("({}, {}) ", b, a)
                                              : fmt::format("({}, {}) ", a, b);
            };
            const std::string inner = "s = Add " + order(0, "x", "three") + "r = Clip (s, zero, six) ";
            for (const char* scaled : {"x", "r", "whole"}) {
                for (const bool divides : {true, false}) {
                    const std::string what = scaled == std::string("whole") ? "m" : scaled;
                    const std::string by = divides ? "Div (" + what + ", six) "
                                                   : "Mul " + order(1, what, "sixth");
                    const std::string body =
                        inner +
                        (what == "m"   ? "m = Mul " + order(2, "x", "r") + "y = " + by
                         : what == "x" ? "h = " + by + "y = Mul " + order(2, "h", "r")
                                       : "h = " + by + "y = Mul " + order(2, "x", "h"));
                    Graph graph = graphOf(model(body, 17));
                    QCOMPARE(body + rewriteProblem(graph, "hard-swish", "y"), body);
                    QCOMPARE(body + operatorsOf(graph), body + "HardSwish");
                }
            }
        }
    }

    void geluOfAProduct()
    {
        Graph graph = graphOf(model("p = Mul (x, z) d = Div (p, root) e = Erf (d) "
                                    "a = Add (e, one) m = Mul (p, a) y = Mul (m, half)",
                                    20));
        QCOMPARE(rewriteProblem(graph, "gelu", "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("Mul Gelu"));
    }

    void geluOfHalfPrecision()
    {
        Graph graph = graphOf(model(plainGelu, 17, "float16"));
        QCOMPARE(rewriteProblem(graph, "gelu", "y", {.policy = {}, .rtol = 2e-3}), std::string());
    }

    // Seven digits are no double: the operator would show it.
    void geluOfDoubleStaysARegion()
    {
        Graph graph = graphOf(model(plainGelu, 20, "double"));
        QCOMPARE(rewriteProblem(graph, "gelu", "y", {.policy = {}, .rtol = 1e-12}), std::string());
        QVERIFY(operatorsOf(graph).starts_with("region("));
        Graph swish =
            graphOf(model("h = HardSigmoid <alpha = 0.16666667> (x) y = Mul (x, h)", 17, "double"));
        QCOMPARE(rewriteProblem(swish, "hard-swish", "y", {.policy = {}, .rtol = 1e-12}),
                 std::string());
    }

    void geluRefusals_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("outputs");
        QTest::addColumn<QString>("codes");
        const QString plain = QString::fromUtf8(plainGelu.data());
        QTest::newRow("root") << QString(plain).replace("root)", "off)") << "y"
                              << "unexpected-constant";
        QTest::newRow("one") << QString(plain).replace("one)", "two)") << "y"
                             << "unexpected-constant";
        QTest::newRow("half") << QString(plain).replace("half)", "two)") << "y"
                              << "unexpected-constant";
        QTest::newRow("vector") << QString(plain).replace("half)", "row)") << "y"
                                << "unexpected-constant unexpected-constant";
        QTest::newRow("output") << plain << "y,e"
                                << "graph-output";
        QTest::newRow("two values") << QString(plain).replace("Mul (x", "Mul (z") << "y"
                                    << "no candidate";
        QTest::newRow("exponent") << "p = Pow (x, two) q = Mul (p, k) s = Add (x, q) "
                                     "t = Mul (s, c) e = Tanh (t) a = Add (e, one) "
                                     "h = Mul (x, half) y = Mul (h, a)"
                                  << "y"
                                  << "unexpected-constant";
    }
    void geluRefusals()
    {
        QFETCH(QString, body);
        QFETCH(QString, outputs);
        QFETCH(QString, codes);
        QCOMPARE(codesOf(graphOf(model(body.toStdString(), 17, "float", outputs.toStdString())),
                         "gelu", "y"),
                 codes.toStdString());
    }

    void geluSentences()
    {
        std::string body(plainGelu);
        body.replace(body.find("(x, root)"), 9, "(x, off)");
        QCOMPARE(refusalOf(graphOf(model(body)), "gelu", "y"),
                 std::string("unexpected-constant [off] A constant has another value | `off` is "
                             "1.5, but √2 (1.41421356) is expected. | Only with √2 (1.41421356) is "
                             "the formula the same."));
        QCOMPARE(codesOf(graphOf(model("d = Div (x, root) e = Erf (d) a = Add (e, one) "
                                       "[m] m = Mul (x, a) y = Mul (m, half)")),
                         "gelu", "m"),
                 std::string("no candidate"));
        const Graph graph = graphOf(model(plainGelu));
        Policy policy;
        policy.pinnedNodes.insert(nodeNamed(graph, "e"));
        QCOMPARE(codesOf(graph, "gelu", "y", policy), std::string("pinned"));
        QCOMPARE(codesOf(graphOf(model("[d] d = Div (x, root) [erf] e = Erf (d) a = Add (e, one) "
                                       "m = Mul (x, a) y = Mul (m, half) w = Neg (e)",
                                       17, "float", "y,w")),
                         "gelu", "y"),
                 std::string("multi-consumer"));
    }

    void others_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("expected");
        QTest::newRow("silu") << "silu" << 17 << "s = Sigmoid (x) y = Mul (x, s)"
                              << "region(Sigmoid Mul)";
        QTest::newRow("silu, turned") << "silu" << 7 << "s = Sigmoid (x) y = Mul (s, x)"
                                      << "region(Sigmoid Mul)";
        QTest::newRow("silu, divided") << "silu" << 17
                                       << "n = Neg (x) e = Exp (n) a = Add (e, one) y = Div (x, a)"
                                       << "region(Neg Exp Add Div)";
        QTest::newRow("silu, reciprocal")
            << "silu" << 13 << "n = Neg (x) e = Exp (n) a = Add (one, e) r = Reciprocal (a) "
                               "y = Mul (r, x)"
            << "region(Neg Exp Add Reciprocal Mul)";
        QTest::newRow("silu, one over") << "silu" << 17
                                        << "n = Neg (x) e = Exp (n) a = Add (e, one) "
                                           "r = Div (one, a) y = Mul (x, r)"
                                        << "region(Neg Exp Add Div Mul)";
        QTest::newRow("quick-gelu, divided")
            << "quick-gelu" << 17 << "s = Mul (x, alpha) n = Neg (s) e = Exp (n) "
                                     "a = Add (e, one) y = Div (x, a)"
            << "region(Mul Neg Exp Add Div)";
        QTest::newRow("mish, log") << "mish" << 17
                                   << "e = Exp (x) a = Add (e, one) p = Log (a) t = Tanh (p) "
                                      "y = Mul (x, t)"
                                   << "region(Exp Add Log Tanh Mul)";
        QTest::newRow("quick-gelu")
            << "quick-gelu" << 17 << "a = Mul (x, alpha) s = Sigmoid (a) y = Mul (x, s)"
            << "region(Mul Sigmoid Mul)";
        QTest::newRow("quick-gelu, turned")
            << "quick-gelu" << 13 << "a = Mul (alpha, x) s = Sigmoid (a) y = Mul (s, x)"
            << "region(Mul Sigmoid Mul)";
        const QString mish = "p = Softplus (x) t = Tanh (p) y = Mul (x, t)";
        QTest::newRow("mish") << "mish" << 17 << mish << "region(Softplus Tanh Mul)";
        QTest::newRow("Mish") << "mish" << 18 << mish << "Mish";
        const QString hard = "h = HardSigmoid <alpha = 0.16666667> (x) y = Mul (x, h)";
        QTest::newRow("hard-swish") << "hard-swish" << 13 << hard << "region(HardSigmoid Mul)";
        QTest::newRow("HardSwish") << "hard-swish" << 14 << hard << "HardSwish";
        QTest::newRow("HardSwish, Clip") << "hard-swish" << 17
                                         << "a = Add (x, three) r = Clip (a, zero, six) "
                                            "m = Mul (x, r) y = Div (m, six)"
                                         << "HardSwish";
        QTest::newRow("HardSwish, sixth") << "hard-swish" << 17
                                          << "a = Add (three, x) r = Clip (a, zero, six) "
                                             "m = Mul (r, sixth) y = Mul (m, x)"
                                          << "HardSwish";
        QTest::newRow("hard-swish, old")
            << "hard-swish" << 10
            << "a = Add (x, three) r = Clip <min = 0.0, max = 6.0> (a) "
               "d = Div (r, six) y = Mul (x, d)"
            << "region(Add Clip Div Mul)";
    }
    void others()
    {
        QFETCH(QString, rule);
        QFETCH(int, opset);
        QFETCH(QString, body);
        QFETCH(QString, expected);
        Graph graph = graphOf(model(body.toStdString(), opset));
        const std::string id = rule.toStdString();
        QCOMPARE(rewriteProblem(graph, id, "y"), std::string());
        QCOMPARE(operatorsOf(graph), expected.toStdString());
    }

    void otherRefusals_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("outputs");
        QTest::addColumn<QString>("codes");
        QTest::newRow("gate of another value") << "silu"
                                               << "s = Sigmoid (z) y = Mul (x, s)"
                                               << "y"
                                               << "no candidate";
        QTest::newRow("gate is read") << "silu"
                                      << "s = Sigmoid (x) y = Mul (x, s) w = Neg (s)"
                                      << "y,w"
                                      << "multi-consumer";
        QTest::newRow("sigmoid of two") << "silu"
                                        << "n = Neg (x) e = Exp (n) a = Add (e, two) "
                                           "y = Div (x, a)"
                                        << "y"
                                        << "unexpected-constant";
        QTest::newRow("two over") << "silu"
                                  << "n = Neg (x) e = Exp (n) a = Add (e, one) "
                                     "r = Div (two, a) y = Mul (x, r)"
                                  << "y"
                                  << "unexpected-constant";
        QTest::newRow("over x") << "silu"
                                << "n = Neg (x) e = Exp (n) a = Add (e, one) y = Div (a, x)"
                                << "y"
                                << "no candidate";
        QTest::newRow("exp of x") << "silu"
                                  << "e = Exp (x) a = Add (e, one) y = Div (x, a)"
                                  << "y"
                                  << "no candidate";
        QTest::newRow("row alpha") << "quick-gelu"
                                   << "a = Mul (x, row) s = Sigmoid (a) y = Mul (x, s)"
                                   << "y"
                                   << "unexpected-constant";
        QTest::newRow("softplus is output") << "mish"
                                            << "p = Softplus (x) t = Tanh (p) y = Mul (x, t)"
                                            << "y,p"
                                            << "graph-output";
        QTest::newRow("alpha") << "hard-swish"
                               << "h = HardSigmoid (x) y = Mul (x, h)"
                               << "y"
                               << "unsupported-attribute";
        QTest::newRow("clip to 7") << "hard-swish"
                                   << "a = Add (x, three) r = Clip (a, zero, off) "
                                      "m = Mul (x, r) y = Div (m, six)"
                                   << "y"
                                   << "unexpected-constant";
        QTest::newRow("no upper bound") << "hard-swish"
                                        << "a = Add (x, three) r = Clip (a, zero) "
                                           "m = Mul (x, r) y = Div (m, six)"
                                        << "y"
                                        << "unsupported-attribute";
        QTest::newRow("shift and divisor") << "hard-swish"
                                           << "a = Add (x, two) r = Clip (a, zero, six) "
                                              "m = Mul (x, r) y = Div (m, three)"
                                           << "y"
                                           << "unexpected-constant unexpected-constant";
    }
    void otherRefusals()
    {
        QFETCH(QString, rule);
        QFETCH(QString, body);
        QFETCH(QString, outputs);
        QFETCH(QString, codes);
        const std::string id = rule.toStdString();
        QCOMPARE(codesOf(graphOf(model(body.toStdString(), 17, "float", outputs.toStdString())), id,
                         "y"),
                 codes.toStdString());
    }

    // A convolution before it swallows the activation that a region stands for.
    void convolutionTakesTheRegion_data()
    {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("body");
        QTest::newRow("silu") << "silu"
                              << "s = Sigmoid (c) [act] y = Mul (c, s)";
        QTest::newRow("gelu") << "gelu"
                              << "d = Div (c, root) e = Erf (d) a = Add (e, one) m = Mul (c, a) "
                                 "[act] y = Mul (m, half)";
        QTest::newRow("mish") << "mish"
                              << "p = Softplus (c) t = Tanh (p) [act] y = Mul (c, t)";
        QTest::newRow("quick-gelu") << "quick-gelu"
                                    << "a = Mul (c, half) s = Sigmoid (a) [act] y = Mul (c, s)";
    }
    void convolutionTakesTheRegion()
    {
        QFETCH(QString, rule);
        QFETCH(QString, body);
        Graph graph = graphOf(fmt::format(
            R"(<ir_version: 8, opset_import: ["" : 17]> g (float[1, 2, 5, 5] x)
            => (float[1, 3, 5, 5] y)
            <float[3, 2, 1, 1] W = random(1), float root = {{1.4142135}}, float half = {{0.5}},
             float one = {{1}}>
            {{ c = Conv (x, W) {} }})",
            body.toStdString()));
        const std::string id = rule.toStdString();
        QCOMPARE(rewriteProblem(graph, id, "y"), std::string());
        QCOMPARE(rewriteProblem(graph, "conv-activation", "y"), std::string());
        QVERIFY(operatorsOf(graph).starts_with("region(Conv "));
        QVERIFY(operatorsOf(graph).find(") ") == std::string::npos);
    }
};

FUSESCOPE_TEST(ActivationsTest, activations_test)
#include "activations_test.moc"
