#include "core/exec/convolution_check.h"

#include "support/test_class.h"

#include <cmath>
#include <limits>

using namespace fusescope;
using namespace fusescope::kernels;
using namespace fusescope::test;

class KernelsConvolutionTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void direct_data()
    {
        QTest::addColumn<ConvolutionShape>("shape");
        QTest::newRow("1x1") << shape2d(32, 64, 5, 7, 1);
        QTest::newRow("1x1 odd channels") << shape2d(19, 37, 9, 9, 1);
        QTest::newRow("1x1 stride 2") << shape2d(20, 33, 9, 11, 1, 2);
        QTest::newRow("1x1 stride 3") << shape2d(16, 16, 10, 10, 1, 3);
        QTest::newRow("3x3") << shape2d(32, 32, 14, 15, 3, 1, 1);
        QTest::newRow("3x3 no padding") << shape2d(17, 18, 9, 8, 3);
        QTest::newRow("3x3 stride 2") << shape2d(16, 40, 13, 12, 3, 2, 1);
        QTest::newRow("3x3 stride 2 no padding") << shape2d(16, 40, 13, 13, 3, 2, 0);
        QTest::newRow("3x3 dilation 2") << shape2d(8, 24, 12, 12, 3, 1, 2, 1, 2);
        QTest::newRow("3x3 dilation 3 stride 2") << shape2d(8, 24, 15, 14, 3, 2, 3, 1, 3);
        QTest::newRow("5x5") << shape2d(6, 10, 9, 9, 5, 1, 2);
        QTest::newRow("7x7 stride 2") << shape2d(3, 64, 31, 29, 7, 2, 3);
        QTest::newRow("4x4 stride 4") << shape2d(9, 20, 17, 16, 4, 4, 0);
        QTest::newRow("one pixel") << shape2d(40, 70, 1, 1, 1);
        QTest::newRow("3x3 on 1x1") << shape2d(16, 16, 1, 1, 3, 1, 1);
        QTest::newRow("one channel") << shape2d(1, 1, 6, 6, 3, 1, 1);
        QTest::newRow("batch") << shape2d(18, 35, 7, 7, 3, 1, 1, 1, 1, 3);
        QTest::newRow("wide") << shape2d(16, 32, 3, 100, 3, 1, 1);
        QTest::newRow("7x7 map") << shape2d(64, 96, 7, 7, 3, 1, 1);
        ConvolutionShape uneven = shape2d(12, 20, 8, 9, 3, 1, 0);
        uneven.padBefore = {0, 2, 0};
        uneven.output = {1, 9, 11};
        QTest::newRow("asymmetric padding") << uneven;
        ConvolutionShape cropped = shape2d(12, 20, 8, 9, 3, 1, 1);
        cropped.padBefore = {0, -1, -2};
        cropped.output = {1, 5, 4};
        QTest::newRow("negative padding") << cropped;
        ConvolutionShape line = shape2d(12, 20, 1, 40, 1);
        line.kernel = {1, 1, 5};
        line.stride = {1, 1, 2};
        line.padBefore = {0, 0, 2};
        line.output = {1, 1, 20};
        QTest::newRow("1-D") << line;
        ConvolutionShape column = shape2d(12, 20, 10, 6, 1);
        column.kernel = {1, 3, 1};
        column.output = {1, 8, 6};
        QTest::newRow("3x1") << column;
        QTest::newRow("3-D") << shape3d({5, 6, 7}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1});
        QTest::newRow("3-D strides") << shape3d({7, 8, 9}, {3, 2, 3}, {2, 2, 2}, {0, 1, 1});
        QTest::newRow("3-D 1x1 strides") << shape3d({7, 8, 9}, {1, 1, 1}, {2, 3, 2}, {0, 0, 0});
        QTest::newRow("groups of whole blocks") << shape2d(64, 64, 6, 5, 3, 1, 1, 2);
        QTest::newRow("groups of 4") << shape2d(32, 32, 6, 5, 3, 1, 1, 8);
        QTest::newRow("groups of 17") << shape2d(51, 51, 6, 5, 1, 1, 0, 3);
        QTest::newRow("groups, odd ratio") << shape2d(12, 30, 6, 5, 3, 2, 1, 6);
        QTest::newRow("depthwise multiplier 2") << shape2d(9, 18, 6, 5, 3, 1, 1, 9);
        QTest::newRow("many inputs, 16 outputs each") << shape2d(10, 64, 4, 4, 3, 1, 1, 2);
    }
    void direct()
    {
        QFETCH(ConvolutionShape, shape);
        QCOMPARE(check(shape, ConvolutionMethod::Direct), QString());
    }

    void firstLayer_data()
    {
        QTest::addColumn<ConvolutionShape>("shape");
        QTest::newRow("7x7 stride 2") << shape2d(3, 64, 33, 31, 7, 2, 3);
        QTest::newRow("3x3") << shape2d(3, 20, 12, 12, 3, 1, 1);
        QTest::newRow("grey 5x5 stride 3, batch") << shape2d(1, 6, 20, 21, 5, 3, 2, 1, 1, 2);
        QTest::newRow("1x1") << shape2d(4, 16, 9, 9, 1);
    }
    void firstLayer()
    {
        QFETCH(ConvolutionShape, shape);
        QCOMPARE(check(shape, ConvolutionMethod::FirstLayer), QString());
    }

    void depthwise_data()
    {
        QTest::addColumn<ConvolutionShape>("shape");
        QTest::newRow("3x3") << shape2d(32, 32, 14, 20, 3, 1, 1, 32);
        QTest::newRow("3x3 stride 2, odd") << shape2d(19, 19, 15, 33, 3, 2, 1, 19);
        QTest::newRow("5x5, narrow") << shape2d(16, 16, 4, 3, 5, 1, 2, 16);
        QTest::newRow("7x7 dilation 2, batch") << shape2d(5, 5, 20, 30, 7, 1, 6, 5, 2, 2);
        QTest::newRow("stride 3 over kernel 2") << shape2d(8, 8, 12, 40, 2, 3, 0, 8);
        QTest::newRow("padding beyond the kernel") << shape2d(8, 8, 5, 5, 3, 1, 4, 8);
    }
    void depthwise()
    {
        QFETCH(ConvolutionShape, shape);
        QCOMPARE(check(shape, ConvolutionMethod::Depthwise), QString());
    }

    void winograd_data()
    {
        QTest::addColumn<ConvolutionShape>("shape");
        QTest::newRow("even") << shape2d(32, 64, 16, 16, 3, 1, 1);
        QTest::newRow("ragged") << shape2d(19, 37, 13, 15, 3, 1, 1);
        QTest::newRow("no padding, batch") << shape2d(16, 16, 11, 9, 3, 1, 0, 1, 1, 2);
        QTest::newRow("small map") << shape2d(48, 40, 3, 2, 3, 1, 1);
        QTest::newRow("many channels") << shape2d(160, 150, 9, 9, 3, 1, 1);
        QTest::newRow("many tiles") << shape2d(16, 24, 40, 41, 3, 1, 1);
    }
    void winograd()
    {
        QFETCH(ConvolutionShape, shape);
        QCOMPARE(check(shape, ConvolutionMethod::Winograd2), QString());
        QCOMPARE(check(shape, ConvolutionMethod::Winograd4), QString());
    }

    void transposed_data()
    {
        QTest::addColumn<ConvolutionShape>("shape");
        QTest::addColumn<int>("outputPadding");
        const auto row = [](const char* name, ConvolutionShape s, int outputPadding) {
            for (int i = 0; i < 3; ++i)
                s.output[i] = (s.input[i] - 1) * s.stride[i] - 2 * s.padBefore[i] +
                              s.dilation[i] * (s.kernel[i] - 1) + 1 + (i > 0 ? outputPadding : 0);
            QTest::newRow(name) << s << outputPadding;
        };
        row("2x2 stride 2", shape2d(32, 32, 5, 6, 2, 2), 0);
        row("4x4 stride 2", shape2d(19, 35, 5, 6, 4, 2, 1), 0);
        row("3x3 stride 2, output padding", shape2d(16, 8, 7, 5, 3, 2, 1), 1);
        row("3x3 stride 1", shape2d(16, 8, 7, 5, 3, 1, 1), 0);
        row("2x2 stride 3 leaves holes", shape2d(8, 8, 4, 4, 2, 3), 0);
        row("dilation 2", shape2d(8, 20, 5, 5, 3, 2, 1, 1, 2), 0);
        row("groups, batch", shape2d(12, 18, 5, 4, 4, 2, 1, 3, 1, 2), 0);
        ConvolutionShape cube = shape3d({2, 3, 4}, {2, 3, 2}, {2, 2, 2}, {0, 1, 0});
        row("3-D", cube, 0);
    }
    void transposed()
    {
        QFETCH(ConvolutionShape, shape);
        const ConvolutionShape& s = shape;
        ConvolutionData data = dataFor(s);
        data.weights = randomFloats(s.inChannels * s.outChannels / s.groups * volume(s.kernel), 2);
        const ConvolutionOracle oracle = convolveTransposed(s, data.input, data.weights, data.bias);
        std::vector<double> expected = oracle.result;
        for (double& value : expected)
            value = value < 0 ? value * 0.25 : value;
        Epilogue epilogue;
        epilogue.bias = data.bias.data();
        epilogue.activation = {Activation::LeakyRelu, 0.25F, 0};
        QCOMPARE(overTargets(
                     [&](ThreadPool& pool) {
                         return runPlan(planConvolutionTranspose(s), data, epilogue, pool);
                     },
                     [&](const std::vector<float>& result) {
                         return compare(result, expected, [&](std::size_t i) {
                             return 3e-7 * oracle.magnitude[i] + 1e-30;
                         });
                     }),
                 QString());
    }

    void nothingToDo()
    {
        ConvolutionShape empty = shape2d(4, 4, 5, 5, 3, 1, 1);
        empty.output = {1, 0, 5};
        ThreadPool pool(1);
        const ConvolutionData data = dataFor(empty);
        QCOMPARE(runPlan(planConvolution(empty, ConvolutionMethod::Direct), data, {}, pool).size(),
                 std::size_t(0));
        ConvolutionShape none = shape2d(4, 4, 5, 5, 3, 1, 1);
        none.batch = 0;
        const ConvolutionPlan plan = planConvolution(none, ConvolutionMethod::Direct);
        QVERIFY(runConvolution(plan, {}, pool));
    }

    void theRuleOfMethods()
    {
        const auto choose = [](const ConvolutionShape& s) {
            return chooseConvolution(s, false, true);
        };
        QCOMPARE(choose(shape2d(64, 64, 56, 56, 3, 1, 1)), ConvolutionMethod::Winograd4);
        QCOMPARE(choose(shape2d(256, 256, 14, 14, 3, 1, 1)), ConvolutionMethod::Winograd2);
        QCOMPARE(choose(shape2d(16, 16, 56, 56, 3, 1, 1)), ConvolutionMethod::Winograd2);
        QCOMPARE(choose(shape2d(64, 64, 5, 5, 3, 1, 1)), ConvolutionMethod::Direct);
        QCOMPARE(choose(shape2d(64, 64, 56, 56, 3, 2, 1)), ConvolutionMethod::Direct);
        QCOMPARE(choose(shape2d(64, 64, 56, 56, 3, 1, 1, 64)), ConvolutionMethod::Depthwise);
        QCOMPARE(chooseConvolution(shape2d(3, 64, 56, 56, 3, 1, 1), true, true),
                 ConvolutionMethod::FirstLayer);
        QCOMPARE(chooseConvolution(shape2d(64, 64, 56, 56, 3, 1, 1), false, false),
                 ConvolutionMethod::Direct);
    }
};

FUSESCOPE_TEST(KernelsConvolutionTest, kernels_convolution_test)
#include "kernels_convolution_test.moc"
