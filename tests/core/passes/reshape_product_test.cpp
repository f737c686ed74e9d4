#include "pass_run.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string model(std::string_view body, std::string_view shape = "N, 5, 4",
                  std::string_view outputs = "float[] y")
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[{}] x, int64[3] open) => ({})
        <float[4, 6] W = random(1), float[6] c = random(2), float[1, 6] row = random(3),
         float[6, 4] V = random(4), int64[2] flat = {{-1, 4}}, int64[3] back = {{-1, 5, 6}},
         int64[3] swapped = {{5, -1, 6}}, int64[2] wide = {{-1, 30}}, int64[1] last = {{6}},
         int64[1] i0 = {{0}}, int64[1] i2 = {{2}}, int64[1] i3 = {{3}}>
        {{ {} }})",
                       shape, outputs, body);
}

} // namespace

// Flattened for a product and shaped back. Each runs both graphs.
class ReshapeProductTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void joined_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("left");
        const auto row = [](const char* name, const std::string& text, const char* left) {
            QTest::newRow(name) << QString::fromStdString(text) << left;
        };
        row("MatMul", model("a = Reshape (x, flat) p = MatMul (a, W) y = Reshape (p, back)"),
            "MatMul");
        row("Gemm", model("a = Reshape (x, flat) p = Gemm (a, W, c) y = Reshape (p, back)"),
            "region(MatMul Add)");
        row("Gemm with a row", model("a = Reshape (x, flat) p = Gemm (a, W, row) y = Reshape (p, back)"),
            "region(MatMul Add)");
        row("Gemm without C",
            model("a = Reshape (x, flat) p = Gemm <beta = 0.5> (a, W) y = Reshape (p, back)"), "MatMul");
        row("Flatten", model("a = Flatten <axis = 2> (x) p = MatMul (a, W) y = Reshape (p, back)"),
            "MatMul");
        row("sizes of the run",
            model("a = Reshape (x, flat) p = Gemm (a, W, c) s = Shape (x) h = Slice (s, i0, i2) "
                  "t = Concat <axis = 0> (h, last) y = Reshape (p, t)", "N, T, 4"),
            "region(MatMul Add)");
        row("four axes",
            model("a = Reshape (x, flat) p = MatMul (a, W) s = Shape (x) "
                  "h = Slice (s, i0, i3) t = Concat <axis = 0> (h, last) y = Reshape (p, t)",
                  "N, 2, 3, 4"),
            "MatMul");
        row("read by two",
            model("a = Reshape (x, flat) p = MatMul (a, W) y = Reshape (p, back) q = Exp (a)",
                  "N, 5, 4", "float[] y, float[] q"),
            "Reshape MatMul Exp");
    }
    void joined()
    {
        QFETCH(QString, text);
        QFETCH(QString, left);
        const PassRun run = runPasses(text.toStdString());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(QString::fromStdString(operatorsOf(run.graph)), left);
        QCOMPARE(runProblem(run.opened, run.graph), std::string());
    }

    void stay_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("refusals");
        const auto row = [](const char* name, const std::string& text, const char* refusals) {
            QTest::newRow(name) << QString::fromStdString(text) << refusals;
        };
        row("another order of axes",
            model("a = Reshape (x, flat) p = MatMul (a, W) y = Reshape (p, swapped)", "3, 5, 4"), "");
        row("another width",
            model("a = Reshape (x, flat) p = MatMul (a, W) y = Reshape (p, wide)"), "");
        row("transposed",
            model("a = Reshape (x, flat) p = Gemm <transB = 1> (a, V, c) y = Reshape (p, back)"), "");
        row("a factor",
            model("a = Reshape (x, flat) p = Gemm <alpha = 0.5> (a, W, c) y = Reshape (p, back)"), "");
        row("sizes not known",
            model("a = Reshape (x, flat) p = MatMul (a, W) y = Reshape (p, open)"),
            "unknown-shape [y]");
        row("read elsewhere",
            model("a = Reshape (x, flat) p = MatMul (a, W) y = Reshape (p, back) q = Exp (p)",
                  "N, 5, 4", "float[] y, float[] q"),
            "multi-consumer [q]");
        row("a Gemm whose rows are read",
            model("a = Reshape (x, flat) p = Gemm (a, W, c) y = Reshape (p, back) q = Exp (a)",
                  "N, 5, 4", "float[] y, float[] q"),
            "multi-consumer [q]");
    }
    void stay()
    {
        QFETCH(QString, text);
        QFETCH(QString, refusals);
        const PassRun run = runPasses(text.toStdString());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.rules().find("reshape-product"), std::string::npos);
        const QString told = QString::fromStdString(run.refusals("reshape-product"));
        QVERIFY2(refusals.isEmpty() ? told.isEmpty() : told.startsWith(refusals), qPrintable(told));
    }

    void pinned()
    {
        const Graph graph =
            graphOf(model("a = Reshape (x, flat) [p] p = MatMul (a, W) y = Reshape (p, back)"));
        Plan plan;
        plan.policy.pinnedNodes.insert(nodeNamed(graph, "p"));
        QCOMPARE(runPasses(graph, plan).refusals("reshape-product"), std::string("pinned [p]"));
    }
};

FUSESCOPE_TEST(ReshapeProductTest, reshape_product_test)
#include "reshape_product_test.moc"
