#include "pass_run.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// What a rewrite saves, against numbers computed by hand.
class CostTest : public QObject
{
    Q_OBJECT

    static std::string costs(std::string_view text)
    {
        return costs(runPasses(text).steps);
    }

    static std::string costs(const std::vector<Step>& steps)
    {
        std::string lines;
        for (const Step& step : steps) {
            const Cost& c = step.cost;
            lines += (lines.empty() ? "" : "\n") + std::string(step.rule);
            for (const std::int64_t number :
                 {c.nodes, c.parameters, c.storedBytes, c.activationBytes, c.flops})
                lines += " " + std::to_string(number);
        }
        return lines;
    }

private Q_SLOTS:
    // nodes, parameters, stored bytes, bytes written, FLOPs.
    // The four vectors of four numbers go, a bias of four comes: 12 numbers, 48 bytes. The value
    // between is 1·4·8·8 floats, 1024 bytes; BatchNormalization is one operation an element, 256.
    void aBatchNormalization()
    {
        QCOMPARE(costs(R"(g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y)
            <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v) })"),
                 std::string("conv-batchnorm 1 12 48 1024 256"));
    }

    // The convolution's 2·4·5·5 floats are no longer written, the arithmetic stays.
    void aRegion()
    {
        QCOMPARE(costs(R"(g (float[2, 3, 5, 5] x) => (float[2, 4, 5, 5] y)
            <float[4, 3, 1, 1] W = random(1)>
            { c = Conv (x, W)
              y = Relu (c) })"),
                 std::string("conv-activation 1 0 0 800 0"));
    }

    // Two sums of six numbers are computed beforehand: 24 bytes a run and 6 operations each. Of the
    // constants, a and b (48 bytes, 12 numbers) give way to one of 24.
    void aFold()
    {
        QCOMPARE(costs(R"(g (float[2, 3] x) => (float[2, 3] y)
            <float[2, 3] a = random(1), float[2, 3] b = random(2)>
            { s = Add (a, b)
              y = Mul (x, s) })"),
                 std::string("fold-constant 1 6 24 24 6"));
    }

    // Open sizes count as what is assumed of them, derived ones too: the convolution's result is
    // 2·4·(11−2)·9 floats, 2592 bytes. Without an assumption nothing is counted.
    void openSizes()
    {
        const Graph graph = graphOf(R"(g (float[N, 3, H, 11] x) => (float[N, 4, P, 9] y)
            <float[4, 3, 3, 3] W = random(1)>
            { c = Conv (x, W)
              r = Relu (c)
              y = Softmax (r) })");
        const auto at = [&graph](SymbolSizes sizes) {
            Optimizer optimizer(graph, {}, nullptr, std::move(sizes));
            std::vector<Step> steps;
            while (auto step = optimizer.next().value())
                steps.push_back(std::move(*step));
            return costs(steps);
        };
        QCOMPARE(at({{Dim::symbol("N"), 2}, {Dim::symbol("H"), 11}}),
                 std::string("conv-activation 1 0 0 2592 0"));
        QCOMPARE(at({}), std::string("conv-activation 1 0 0 0 0"));
    }

    // A copy of a shared weight costs what it holds: 12 numbers and a bias of four, against 16.
    void aPrivateCopy()
    {
        QCOMPARE(costs(R"(g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y, float[1, 4, 8, 8] z)
            <float[4, 3, 1, 1] W = random(1), float[4] s = random(2, 0.5, 2), float[4] b = random(3),
             float[4] m = random(4), float[4] v = random(5, 0.5, 2)>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, b, m, v)
              z = Conv <strides = [1, 1]> (x, W) })"),
                 std::string("conv-batchnorm 1 0 0 1024 256"));
    }
};

FUSESCOPE_TEST(CostTest, cost_test)
#include "cost_test.moc"
