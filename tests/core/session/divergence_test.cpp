#include "model_text.h"
#include "session/session.h"
#include "support/tale.h"
#include "support/test_class.h"

#include <cmath>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view twoConvs = R"(<ir_version: 8, opset_import: ["" : 17]>
    net (float[1, 3, 5, 5] x) => (float[1, 4, 5, 5] y)
    <float[6, 3, 1, 1] W = random(1), float[4, 6, 1, 1] V = random(2)>
    { [first] c = Conv (x, W)  [relu] r = Relu (c)  [second] d = Conv (r, V)  [last] y = Neg (d) })";

} // namespace

// What a search for the first step that makes outputs differ finds where a rewrite is wrong.
class DivergenceTest : public QObject
{
    Q_OBJECT

    // A rewrite that may be wrong: a node reads other constants than it should.
    static void replaceOperand(Tale& tale, std::string_view name, std::size_t input,
                               const std::function<void(Tensor&)>& change)
    {
        const NodeId node = tale.node(name);
        tale.step(node, Stage::fusion, [&](PatchBuilder& b) {
            const TensorPtr was = b.constant(b.node(node)->inputs[input]);
            Tensor weights = Tensor::allocate(DType::float32, was->shape());
            for (std::int64_t i = 0; i < weights.elementCount(); ++i)
                weights.store(i, was->asDouble(i));
            change(weights);
            const ValueId now =
                b.addConstant(tale.first().mainBody(), "changed", std::move(weights));
            b.editNode(node, [&](Node& record) { record.inputs[input] = now; });
        });
    }

    static Divergence found(const Tale& tale, std::string_view text)
    {
        const auto session = sessionOf(bytesOf(text));
        const Timeline timeline = tale.timeline();
        const auto result = session->bisect(timeline, 0, timeline.size(), {});
        if (!result)
            qFatal("the search failed");
        return *result;
    }

private Q_SLOTS:
    void aWrongRewriteIsFoundWithItsNodeAndChannel()
    {
        Tale tale(twoConvs);
        replaceOperand(tale, "second", 1, [](Tensor&) {}); // another constant, equal to the old
        replaceOperand(tale, "first", 1, [](Tensor& weights) {
            for (std::int64_t i = 9; i < 12; ++i) // the kernel of channel 3
                weights.store(i, weights.asDouble(i) + 0.5);
        });
        replaceOperand(tale, "second", 1, [](Tensor&) {});
        const Divergence divergence = found(tale, twoConvs);
        QCOMPARE(divergence.step, std::optional(2));
        QVERIFY(divergence.cause);
        const DivergenceCause& cause = *divergence.cause;
        QCOMPARE(cause.node, tale.node("first"));
        QCOMPARE(cause.tensor.name, std::string("c"));
        QVERIFY(!cause.tensor.pass);
        QCOMPARE(cause.channels.size(), std::size_t{6});
        QVERIFY(cause.limit > 0 && cause.limit < cause.channels[3]);
        for (std::size_t channel = 0; channel < 6; ++channel)
            QCOMPARE(cause.channels[channel], channel == 3 ? cause.tensor.maxAbs : 0.0);
    }

    void whatIsNotFiniteOnOneSideIsNaN()
    {
        Tale tale(twoConvs);
        replaceOperand(tale, "first", 1, [](Tensor& weights) {
            weights.store(0, 1e3);           // channel 0 moves far
            weights.store(4, std::nan(""));  // channel 1 is lost
        });
        const Divergence divergence = found(tale, twoConvs);
        QVERIFY(divergence.cause);
        QCOMPARE(divergence.cause->node, tale.node("first"));
        QVERIFY(divergence.cause->channels[0] > 1);
        QVERIFY(std::isnan(divergence.cause->channels[1]));
        QCOMPARE(divergence.cause->channels[2], 0.0);
        QCOMPARE(divergence.cause->tensor.nanAfter, std::int64_t{25});
    }

    // Vectors in a sequence have their channels last.
    void theChannelsOfSequencesAreLast()
    {
        constexpr std::string_view text = R"(<ir_version: 8, opset_import: ["" : 17]>
            net (float[2, 3, 4] x) => (float[2, 3, 5] y)
            <float[4, 5] W = random(1), float[5] B = random(2)>
            { [product] p = MatMul (x, W)  [sum] y = Add (p, B) })";
        Tale tale(text);
        replaceOperand(tale, "sum", 1, [](Tensor& bias) { bias.store(4, bias.asDouble(4) + 1); });
        const Divergence divergence = found(tale, text);
        QVERIFY(divergence.cause);
        QCOMPARE(divergence.cause->node, tale.node("sum"));
        QCOMPARE(divergence.cause->axis, std::size_t{2});
        QCOMPARE(divergence.cause->channels.size(), std::size_t{5});
        QVERIFY(divergence.cause->channels[4] > 0.5);
        QCOMPARE(divergence.cause->channels[0], 0.0);
    }

    void withoutADivergenceThereIsNoCause()
    {
        Tale tale(twoConvs);
        replaceOperand(tale, "second", 1, [](Tensor&) {});
        const Divergence divergence = found(tale, twoConvs);
        QVERIFY(!divergence.step);
        QVERIFY(!divergence.cause);
    }
};

FUSESCOPE_TEST(DivergenceTest, divergence_test)
#include "divergence_test.moc"
