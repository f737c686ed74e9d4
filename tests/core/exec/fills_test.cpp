#include "exec/compare.h"
#include "exec/executor.h"
#include "model/graph_text.h"
#include "support/test_class.h"

using namespace fusescope;

// Fills are one element and a shape, of any size: nobody writes them out to look at them.
class FillsTest : public QObject
{
    Q_OBJECT

    static RuntimeValue fill(float value)
    {
        return RuntimeValue(Tensor::splat(DType::float32, {std::int64_t{1} << 40}, &value));
    }

private Q_SLOTS:
    void areCompared()
    {
        const TensorComparison same = compareElementwise(fill(2), fill(2), 1e-3, 0);
        QVERIFY(same.pass);
        QCOMPARE(same.cosine, 1.0);
        const TensorComparison other = compareElementwise(fill(2), fill(3), 1e-3, 0);
        QVERIFY(!other.pass);
        QCOMPARE(other.maxAbs, 1.0);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const TensorComparison moved = compareElementwise(fill(nan), fill(3), 1e-3, 0);
        QVERIFY(!moved.pass);
        QCOMPARE(moved.nanBefore, std::int64_t{1} << 40);
        QCOMPARE(moved.nanAfter, std::int64_t{0});
    }

    // Where a kernel has to write one out that is beyond all memory, the run ends with an error.
    void endARunThatWritesThemOut_data()
    {
        QTest::addColumn<QByteArray>("nodes");
        QTest::newRow("added to") << QByteArray("f = ConstantOfShape (s) y = Add (f, x)");
        QTest::newRow("expanded") << QByteArray("f = Expand (x, s) y = Relu (f)");
    }
    void endARunThatWritesThemOut()
    {
        QFETCH(QByteArray, nodes);
        const auto graph = parseGraph("<ir_version: 8, opset_import: [\"\" : 17]>\n"
                                      "g (float[1] x) => (float[] y) <int64[1] s = {8589934592}> { " +
                                      nodes.toStdString() + " }");
        QVERIFY(graph);
        const RunInputs inputs = {{"x", Tensor::of<float>({1}, std::vector<float>{1})}};
        const auto reference = ReferenceExecutor(*graph).run(inputs, {});
        QVERIFY(!reference);
        QCOMPARE(reference.error().code, ErrorCode::failed);
        auto fused = FusedExecutor::plan(*graph, inputs, PlanOptions{});
        if (fused) {
            const auto result = fused->run(inputs, {});
            QVERIFY(!result);
            QCOMPARE(result.error().code, ErrorCode::failed);
        } else {
            QCOMPARE(fused.error().code, ErrorCode::failed);
        }
    }
};

FUSESCOPE_TEST(FillsTest, fills_test)
#include "fills_test.moc"
