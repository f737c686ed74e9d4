#include "pass_run.h"

#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

// A Gradient names the values that it differentiates: no edge shows that it needs them.
class DifferentiatedTest : public QObject
{
    Q_OBJECT

    static std::string model(const std::string& nodes, const std::string& outputs = "float[] d")
    {
        return fmt::format(R"(<ir_version: 8, opset_import: ["" : 17, "ai.onnx.preview.training" : 1]>
            g (float[3] a, float[3] b) => ({})
            <float[3] k = random(1), float two = {{2}}> {{ {} }})",
                           outputs, nodes);
    }

private Q_SLOTS:
    void staysAsItIs_data()
    {
        QTest::addColumn<QString>("nodes");
        QTest::addColumn<QString>("operators");
        const auto row = [](const char* name, const std::string& nodes, const char* operators) {
            QTest::newRow(name) << QString::fromStdString(nodes) << operators;
        };
        const std::string of = " d = ai.onnx.preview.training.Gradient <xs = [\"a\"], y = \"y\"> (a)";
        row("read by nobody else", "t = Mul (a, k) y = Sin (t)" + of, "Mul Sin Gradient");
        row("an Identity", "t = Mul (a, k) y = Identity (t)" + of, "Mul Identity Gradient");
        row("a chain", "t = Mul (a, k) u = Add (t, two) y = Relu (u)" + of, "Mul Add Relu Gradient");
        row("two that are equal", "t = Sin (a) u = Sin (a) y = Mul (t, u)" + of, "Sin Sin Mul Gradient");
        row("from a value in between",
            "s = Neg (b) r = Neg (s) t = Mul (r, k) y = Sin (t) d = ai.onnx.preview.training.Gradient "
            "<xs = [\"r\"], y = \"y\"> (r)",
            "Neg Neg Mul Sin Gradient");
        row("what is beside it goes on",
            "t = Mul (a, k) y = Sin (t) i = Identity (a) d = ai.onnx.preview.training.Gradient "
            "<xs = [\"a\"], y = \"y\"> (i)",
            "Mul Sin Gradient");
    }
    void staysAsItIs()
    {
        QFETCH(QString, nodes);
        QFETCH(QString, operators);
        QCOMPARE(QString::fromStdString(optimized(model(nodes.toStdString()), {})), operators);
    }

    // The reason is not that somebody pinned it.
    void saysWhy()
    {
        const PassRun run = runPasses(model("t = Mul (a, k) [id] y = Identity (t) d = "
                                            "ai.onnx.preview.training.Gradient <xs = [\"a\"], y = "
                                            "\"y\"> (a)"));
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.refusals("remove-identity"), std::string("pinned [id]"));
        const auto row = std::ranges::find(run.blocked, RuleId("remove-identity"), &Blocked::pass);
        QVERIFY(row != run.blocked.end());
        QCOMPARE(row->miss.reasons.front().headline.text.key, std::string_view("headline.differentiated"));
        Plan plan;
        plan.policy.pinnedNodes.insert(nodeNamed(run.opened, "id"));
        const PassRun pinned = runPasses(run.opened, plan);
        const auto own = std::ranges::find(pinned.blocked, RuleId("remove-identity"), &Blocked::pass);
        QVERIFY(own != pinned.blocked.end());
        QCOMPARE(own->miss.reasons.front().headline.text.key, std::string_view("headline.pinned"));
    }
};

FUSESCOPE_TEST(DifferentiatedTest, differentiated_test)
#include "differentiated_test.moc"
