#include "pass_run.h"
#include "patterns/target.h"
#include "report/render.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string network(std::string_view body)
{
    return fmt::format(R"(<ir_version: 8, opset_import: ["" : 17]>
        g (float[1, 2, 4, 4] x, float[1, 2, 4, 4] z) => (float[1, 2, 4, 4] y)
        <float[2, 2, 1, 1] w = {{1, -2, 3, 0.5}}, float[2] s = {{1, 2}}, float[2] b = {{0, 1}},
         float[2] m = {{0.5, 0}}, float[2] v = {{1, 4}}, float two = {{2}},
         float root = {{1.4142135}}, float one = {{1}}, float half = {{0.5}},
         int64[8] pads = {{0, 0, 1, 1, 0, 0, 1, 1}}, int64[2] from = {{1, 1}}, int64[2] to = {{5, 5}},
         int64[2] axes = {{2, 3}}>
        {{ {} }})",
                       body);
}

Plan planFor(std::string_view target)
{
    Plan plan;
    plan.policy.target = target;
    return plan;
}

} // namespace

// What a target fuses itself is left to it, with the reason; what it does not is fused as ever.
class TargetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRuleOfATargetExists()
    {
        QCOMPARE(std::string(allTargets().front().id), std::string("generic"));
        QVERIFY(allTargets().front().native.empty());
        for (const Target& target : allTargets()) {
            QCOMPARE(findTarget(target.id), &target);
            for (const NativeFusion& native : target.native)
                QVERIFY2(findPattern(native.rule), native.rule.data());
        }
        QVERIFY(!findTarget("nobody"));
    }

    void targets_data()
    {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("expected");
        QTest::addColumn<QString>("refusals"); // of the rule
        QTest::addColumn<QString>("rule");
        const QString relu = "c = Conv (x, w) y = Relu (c)";
        const QString left = "target-fuses-natively [y]";
        QTest::newRow("generic") << relu << "generic" << "region(Conv Relu)" << ""
                                 << "conv-activation";
        for (const char* target : {"onnxruntime", "tensorrt", "npu"})
            QTest::newRow(target) << relu << target << "Conv Relu" << left << "conv-activation";
        const QString tanh = "c = Conv (x, w) y = Tanh (c)";
        QTest::newRow("npu has no Tanh") << tanh << "npu" << "region(Conv Tanh)" << ""
                                         << "conv-activation";
        QTest::newRow("ORT has Tanh") << tanh << "onnxruntime" << "Conv Tanh" << left
                                      << "conv-activation";
        const QString residual = "c = Conv (x, w) a = Add (c, z) y = Relu (a)";
        QTest::newRow("residual") << residual << "npu" << "Conv Add Relu" << left
                                  << "conv-add-activation";
        const QString silu = "c = Conv (x, w) t = Sigmoid (c) y = Mul (c, t)";
        QTest::newRow("ORT has no SiLU") << silu << "onnxruntime" << "region(Conv Sigmoid Mul)"
                                         << "" << "conv-activation";
        QTest::newRow("TensorRT has SiLU") << silu << "tensorrt" << "Conv Sigmoid Mul" << left
                                           << "silu";
        QTest::newRow("folding goes on")
            << "c = Conv (x, w) n = BatchNormalization (c, s, b, m, v) y = Relu (n)" << "npu"
            << "Conv Relu" << left << "conv-activation";
        QTest::newRow("Relu is not taken by what follows")
            << "c = Conv (x, w) r = Relu (c) p = Mul (r, z) y = Add (p, x)" << "npu"
            << "Conv Relu region(Mul Add)" << "target-fuses-natively [r]" << "conv-activation";
        QTest::newRow("Gelu is not taken apart")
            << "d = Div (x, root) e = Erf (d) a = Add (e, one) h = Mul (x, half) "
               "y = Mul (h, a)"
            << "onnxruntime" << "Div Erf Add Mul Mul" << left << "gelu";
        QTest::newRow("what folds does not spoil a pad")
            << "p = Pad (x, pads) c = Conv <pads = [0, 0, 0, 0]> (p, w) "
               "n = BatchNormalization (c, s, b, m, v) y = Slice (n, from, to, axes)"
            << "tensorrt" << "Pad Conv Slice" << "target-fuses-natively [n]" << "pad-conv";
        QTest::newRow("what would spoil it says so")
            << "c = Conv (x, w) a = Add (c, z) y = Relu (a)" << "npu" << "Conv Add Relu"
            << "target-fuses-natively [a]" << "add-activation";
        QTest::newRow("ORT has no transposed convolution with an activation")
            << "c = ConvTranspose (x, w) y = Relu (c)" << "onnxruntime"
            << "region(ConvTranspose Relu)" << "" << "conv-activation";
        QTest::newRow("ORT has no residual that is broadcast")
            << "c = Conv (x, w) k = ReduceMean <axes = [2, 3]> (z) a = Add (c, k) y = Relu (a)"
            << "onnxruntime" << "ReduceMean region(Conv Add Relu)" << "" << "conv-add-activation";
        QTest::newRow("chain of TensorRT") << "p = Mul (x, two) q = Add (p, z) y = Exp (q)"
                                           << "tensorrt" << "Mul Add Exp" << left
                                           << "elementwise-chain";
    }
    void targets()
    {
        QFETCH(QString, body);
        QFETCH(QString, target);
        QFETCH(QString, expected);
        QFETCH(QString, refusals);
        QFETCH(QString, rule);
        const PassRun run =
            runPasses(network(body.toStdString()), planFor(target.toStdString()));
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), expected.toStdString());
        QCOMPARE(run.refusals(rule.toStdString()), refusals.toStdString());
        QCOMPARE(runProblem(run.opened, run.graph), std::string());
    }

    void theReasonNamesTheTarget()
    {
        const PassRun run =
            runPasses(network("c = Conv (x, w) y = Relu (c)"), planFor("onnxruntime"));
        QCOMPARE(run.blocked.size(), std::size_t{1});
        const Reason& reason = run.blocked.front().miss.reasons.front();
        QCOMPARE(kindOf(reason.code), ReasonKind::policy);
        QCOMPARE(render(reason.message, &run.graph),
                 std::string("ONNX Runtime fuses `Relu #2` itself when it loads the model."));
    }

    // No kernel of double, no normalization of other axes than the last.
    void whatARuntimeHasNoKernelFor()
    {
        const PassRun convolution = runPasses(R"(g (double[1, 2, 4, 4] x) => (double[1, 2, 4, 4] y)
            <double[2, 2, 1, 1] w = random(1)> { c = Conv (x, w) y = Relu (c) })",
                                              planFor("onnxruntime"));
        QCOMPARE(operatorsOf(convolution.graph), std::string("region(Conv Relu)"));
        const PassRun skip = runPasses(R"(g (float[2, 3, 4] x, float[2, 3, 4] z) => (float[2, 3, 4] y)
            <float[3, 4] k = random(1), float[3, 4] b = random(2)>
            { s = Add (x, z) y = LayerNormalization <axis = 1> (s, k, b) })",
                                       planFor("onnxruntime"));
        QCOMPARE(operatorsOf(skip.graph), std::string("region(Add LayerNormalization)"));
    }

    // A disabled rule is nobody's: the target's table does not hold its nodes.
    void aDisabledRuleHoldsNothing()
    {
        Plan plan = planFor("npu");
        plan.policy.disabled.insert("conv-activation");
        const PassRun run = runPasses(
            network("c = Conv (x, w) r = Relu (c) p = Mul (r, z) y = Add (p, x)"), plan);
        QCOMPARE(operatorsOf(run.graph), std::string("Conv region(Relu Mul Add)"));
    }
};

FUSESCOPE_TEST(TargetTest, target_test)
#include "target_test.moc"
