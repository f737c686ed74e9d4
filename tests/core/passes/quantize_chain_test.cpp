#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string model(std::string_view body, int opset = 13, std::string_view type = "uint8",
                  std::string_view output = "float[] y")
{
    return fmt::format(R"(<ir_version: 10, opset_import: ["" : {0}]>
        g (float[2, 3] x, float r) => ({3})
        <float s = {{0.1}}, float s2 = {{0.1}}, float t = {{0.2}}, float[3] v = {{0.1, 0.7, 3}},
         float zero = {{0}}, float tiny = {{1e-40}}, {1} z = {{3}}, {1} z2 = {{3}}, {1} o = {{0}},
         {1}[3] w = {{1, 2, 3}}>
        {{ {2} }})",
                       opset, type, body, output);
}

// The quantization operators that are left.
std::string leftOf(const std::string& text)
{
    const PassRun run = runPasses(text, withoutFusion());
    if (!run.problem.empty())
        return run.problem;
    const std::string differs = runProblem(run.opened, run.graph, 0);
    return differs.empty() ? operatorsOf(run.graph) : differs;
}

} // namespace

// DequantizeLinear and QuantizeLinear in a row with one scale are nothing.
class QuantizeChainTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cancelled_data()
    {
        QTest::addColumn<QString>("text");
        const auto row = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        row("one scale", model("a = QuantizeLinear (x, s, z) b = DequantizeLinear (a, s, z) "
                               "c = QuantizeLinear (b, s, z) y = DequantizeLinear (c, s, z)"));
        row("equal scales", model("a = QuantizeLinear (x, s, z) b = DequantizeLinear (a, s2, z2) "
                                  "c = QuantizeLinear (b, s, z) y = DequantizeLinear (c, s, z)"));
        row("three times",
            model("a = QuantizeLinear (x, s, z) b = DequantizeLinear (a, s, z) "
                  "c = QuantizeLinear (b, s, z) d = DequantizeLinear (c, s, z) "
                  "e = QuantizeLinear (d, s, z) y = DequantizeLinear (e, s, z)"));
        row("no zero point", model("a = QuantizeLinear (x, s) b = DequantizeLinear (a, s) "
                                   "c = QuantizeLinear (b, s) y = DequantizeLinear (c, s)"));
        row("by axis", model("a = QuantizeLinear (x, v, w) b = DequantizeLinear (a, v, w) "
                             "c = QuantizeLinear <axis = -1> (b, v, w) "
                             "y = DequantizeLinear (c, v, w)"));
        for (const char* type : {"int8", "uint16", "int16", "int4", "uint4"})
            row(type, model("a = QuantizeLinear (x, s, z) b = DequantizeLinear (a, s, z) "
                            "c = QuantizeLinear (b, s, z) y = DequantizeLinear (c, s, z)",
                            21, type));
    }
    void cancelled()
    {
        QFETCH(QString, text);
        QCOMPARE(leftOf(text.toStdString()), std::string("QuantizeLinear DequantizeLinear"));
    }

    void othersMayReadTheNumbers()
    {
        QCOMPARE(leftOf(model("a = QuantizeLinear (x, s, z) b = DequantizeLinear (a, s, z) "
                              "c = QuantizeLinear (b, s, z) d = DequantizeLinear (c, s, z) "
                              "y = Sub (d, b)")),
                 std::string("QuantizeLinear DequantizeLinear DequantizeLinear Sub"));
    }

    void anotherPrecisionStays()
    {
        QCOMPARE(leftOf(model("a = QuantizeLinear (x, s, z) b = DequantizeLinear (a, s, z) "
                              "c = QuantizeLinear <precision = 10> (b, s, z) "
                              "y = DequantizeLinear (c, s, z)",
                              23)),
                 std::string("QuantizeLinear DequantizeLinear QuantizeLinear DequantizeLinear"));
    }

    // Every number of a type comes back, whatever the scale.
    void everyNumberComesBack()
    {
        for (const char* scale : {"0.1", "0.3333333", "1e-30", "-7e20", "0.00392156862"}) {
            const std::string text = fmt::format(R"(<ir_version: 10, opset_import: ["" : 13]>
                g (uint8[256, 1] x) => (int32[256, 1] y)
                <float s = {{{}}}, uint8 z = {{128}}>
                {{ b = DequantizeLinear (x, s, z) q = QuantizeLinear (b, s, z)
                  c = Cast <to = 6> (q) d = Cast <to = 6> (x) y = Sub (c, d) }})",
                                                 scale);
            QCOMPARE(leftOf(text), std::string("Cast Cast Sub"));
        }
    }

    void refused_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("refusals");
        const auto row = [](const char* name, const std::string& text, const char* refusals) {
            QTest::newRow(name) << QString::fromStdString(text) << refusals;
        };
        const char* form = "a = QuantizeLinear (x, {0}, {1}) b = DequantizeLinear (a, {0}, {1}) "
                           "c = QuantizeLinear (b, {2}, {3}) y = DequantizeLinear (c, {2}, {3})";
        const auto pairs = [form](const char* s, const char* z, const char* t, const char* p) {
            return model(fmt::format(fmt::runtime(form), s, z, t, p));
        };
        row("another scale", pairs("s", "z", "t", "z"), "unexpected-constant [c]");
        row("another zero point", pairs("s", "z", "s", "o"), "unexpected-constant [c]");
        row("scale of 0", pairs("zero", "z", "zero", "z"), "unexpected-constant [c]");
        row("scale that loses digits", pairs("tiny", "z", "tiny", "z"), "unexpected-constant [c]");
        row("computed scale", pairs("r", "z", "r", "z"), "not-constant [r]");
        row("another axis",
            model("k = Concat <axis = 0> (x, r2) a = QuantizeLinear (k, v, w) "
                  "b = DequantizeLinear (a, v, w) c = QuantizeLinear <axis = 0> (b, v, w) "
                  "y = DequantizeLinear <axis = 0> (c, v, w)")
                .replace(model("").find("float r)"), 8, "float[1, 3] r2)"),
            "unexpected-constant [c]");
        row("an output", model("b = DequantizeLinear (a, s, z) y = QuantizeLinear (b, s, z)")
                             .replace(model("").find("(float[2, 3] x, float r) => (float[] y)"), 39,
                                      "(uint8[2, 3] a, float r) => (uint8[] y)"),
            "public-name [a]");
    }
    void refused()
    {
        QFETCH(QString, text);
        QFETCH(QString, refusals);
        const PassRun run = runPasses(text.toStdString(), withoutFusion());
        QCOMPARE(run.problem, std::string());
        QVERIFY2(run.refusals("quantize-chain").starts_with(refusals.toStdString()),
                 run.refusals("quantize-chain").c_str());
    }
};

FUSESCOPE_TEST(QuantizeChainTest, quantize_chain_test)
#include "quantize_chain_test.moc"
