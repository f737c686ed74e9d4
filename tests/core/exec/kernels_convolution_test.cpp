#include "core/exec/kernels_support.h"

#include "exec/kernels/reorder.h"
#include "support/test_class.h"

#include <cmath>
#include <limits>

using namespace fusescope;
using namespace fusescope::kernels;
using namespace fusescope::test;

namespace {

std::int64_t volume(const Extent& e)
{
    return e[0] * e[1] * e[2];
}

// Two dimensions, `pad` on all sides, output by the formula.
ConvolutionShape shape2d(std::int64_t in, std::int64_t out, std::int64_t height, std::int64_t width,
                         std::int64_t kernel, std::int64_t stride = 1, std::int64_t pad = 0,
                         std::int64_t groups = 1, std::int64_t dilation = 1, std::int64_t batch = 1)
{
    ConvolutionShape s;
    s.batch = batch;
    s.inChannels = in;
    s.outChannels = out;
    s.groups = groups;
    s.input = {1, height, width};
    s.kernel = {1, kernel, kernel};
    s.stride = {1, stride, stride};
    s.dilation = {1, dilation, dilation};
    s.padBefore = {0, pad, pad};
    const auto size = [&](std::int64_t n) {
        return (n + 2 * pad - dilation * (kernel - 1) - 1) / stride + 1;
    };
    s.output = {1, size(height), size(width)};
    return s;
}

ConvolutionShape shape3d(Extent input, Extent kernel, Extent stride, Extent pad)
{
    ConvolutionShape s;
    s.inChannels = 5;
    s.outChannels = 19;
    s.input = input;
    s.kernel = kernel;
    s.stride = stride;
    s.padBefore = pad;
    for (int i = 0; i < 3; ++i)
        s.output[i] = (input[i] + 2 * pad[i] - kernel[i]) / stride[i] + 1;
    return s;
}

struct Data
{
    std::vector<float> input, weights, bias;
};

Data dataFor(const ConvolutionShape& s)
{
    Data data;
    data.input = randomFloats(s.batch * s.inChannels * volume(s.input), 1);
    data.weights = randomFloats(s.outChannels * s.inChannels / s.groups * volume(s.kernel), 2);
    data.bias = randomFloats(s.outChannels, 3);
    return data;
}

// Runs a plan; input and output plain outside.
std::vector<float> runPlan(const ConvolutionPlan& plan, const Data& data, const Epilogue& epilogue,
                           ThreadPool& pool, const ChannelPrologue& prologue = {})
{
    const ConvolutionShape& s = plan.shape;
    const bool plain = plan.method == ConvolutionMethod::FirstLayer;
    Guarded input(plain ? data.input
                        : blockedOf(data.input, s.batch, s.inChannels, volume(s.input)));
    Guarded packed(packedWeightFloats(plan));
    packConvolutionWeights(plan, data.weights.data(), packed.data(), pool);
    Guarded scratch(convolutionScratchFloats(plan, pool.threads()));
    const ImageShape out{s.batch, s.outChannels, volume(s.output)};
    Guarded output(blockedFloats(out));
    const SourceView view{input.data(), s.inChannels, 0};
    ConvolutionArguments arguments;
    arguments.sources = {&view, 1};
    arguments.packedWeights = packed.data();
    arguments.output = output.data();
    arguments.scratch = scratch.data();
    arguments.prologue = prologue;
    arguments.epilogue = epilogue;
    if (!runConvolution(plan, arguments, pool) || !input.intact() || !packed.intact() ||
        !scratch.intact() || !output.intact())
        return {};
    return plainOf(output.data(), s.batch, s.outChannels, volume(s.output));
}

// What a sum of that magnitude may be off by; Winograd's transforms amplify.
double boundOf(ConvolutionMethod method)
{
    switch (method) {
    case ConvolutionMethod::Winograd2:
        return 4e-7;
    case ConvolutionMethod::Winograd4:
        return 4e-6;
    default:
        return 3e-7;
    }
}

// F(4x4) spreads the rounding of the largest sum of a tile over all its results.
std::function<double(std::size_t)> boundsOf(ConvolutionMethod method,
                                            const ConvolutionOracle& oracle)
{
    double largest = 0;
    for (const double m : oracle.magnitude)
        largest = std::max(largest, m);
    const bool winograd =
        method == ConvolutionMethod::Winograd2 || method == ConvolutionMethod::Winograd4;
    return [=, &oracle](std::size_t i) {
        return boundOf(method) * (winograd ? largest : oracle.magnitude[i]) + 1e-30;
    };
}

QString check(const ConvolutionShape& s, ConvolutionMethod method)
{
    const Data data = dataFor(s);
    const ConvolutionOracle oracle = convolve(s, data.input, data.weights, data.bias);
    Epilogue epilogue;
    epilogue.bias = data.bias.data();
    return overTargets(
        [&](ThreadPool& pool) { return runPlan(planConvolution(s, method), data, epilogue, pool); },
        [&](const std::vector<float>& result) {
            return compare(result, oracle.result, boundsOf(method, oracle));
        });
}

} // namespace

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
        Data data = dataFor(s);
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

    void epilogueInEveryMethod()
    {
        for (const ConvolutionMethod method :
             {ConvolutionMethod::Direct, ConvolutionMethod::Winograd2, ConvolutionMethod::Winograd4,
              ConvolutionMethod::Depthwise}) {
            const bool depthwise = method == ConvolutionMethod::Depthwise;
            const ConvolutionShape s = shape2d(19, 19, 10, 11, 3, 1, 1, depthwise ? 19 : 1, 1, 2);
            const Data data = dataFor(s);
            const std::int64_t spatial = volume(s.output);
            const std::vector<float> residual = randomFloats(2 * 19 * spatial, 7);
            const std::vector<float> scale = randomFloats(19, 8);
            const ConvolutionOracle oracle = convolve(s, data.input, data.weights, data.bias);
            std::vector<double> expected = oracle.result;
            const ActivationSpec silu{Activation::Silu, 1, 0};
            for (std::size_t i = 0; i < expected.size(); ++i) {
                double& v = expected[i];
                v = activated(silu, v + residual[i]);
                v = 2.0 - v;
                v = v * scale[i / static_cast<std::size_t>(spatial) % 19] + residual[i];
            }
            // The slope of the chain is at most 1.1; the chain itself rounds as well.
            const auto bounds = boundsOf(method, oracle);
            const auto run = [&](ThreadPool& pool) {
                // The addend lies in the output buffer itself.
                const std::vector<float> blocked = blockedOf(residual, 2, 19, spatial);
                Guarded output(blocked);
                Guarded input(blockedOf(data.input, 2, 19, volume(s.input)));
                const ConvolutionPlan plan = planConvolution(s, method);
                Guarded packed(packedWeightFloats(plan));
                packConvolutionWeights(plan, data.weights.data(), packed.data(), pool);
                Guarded scratch(convolutionScratchFloats(plan, pool.threads()));
                const EpilogueStep steps[] = {
                    {ElementOp::Sub, OperandKind::Scalar, true, 2.0F, nullptr, {}},
                    {ElementOp::Mul, OperandKind::Channel, false, 0, scale.data(), {}},
                    {ElementOp::Add, OperandKind::Tensor, false, 0, output.data(), {}}};
                const SourceView view{input.data(), 19, 0};
                ConvolutionArguments arguments;
                arguments.sources = {&view, 1};
                arguments.packedWeights = packed.data();
                arguments.output = output.data();
                arguments.scratch = scratch.data();
                arguments.epilogue = {data.bias.data(), output.data(), silu, steps};
                runConvolution(plan, arguments, pool);
                return output.intact() ? plainOf(output.data(), 2, 19, spatial)
                                       : std::vector<float>();
            };
            QCOMPARE(overTargets(run,
                                 [&](const std::vector<float>& result) {
                                     return compare(result, expected, [&](std::size_t i) {
                                         return 1.1 * bounds(i) + 1e-6;
                                     });
                                 }),
                     QString());
        }
    }

    void residualAndReluInRegisters()
    {
        const ConvolutionShape s = shape2d(32, 48, 9, 9, 1);
        const Data data = dataFor(s);
        const std::vector<float> residual = randomFloats(48 * 81, 7);
        const ConvolutionOracle oracle = convolve(s, data.input, data.weights, {});
        std::vector<double> expected = oracle.result;
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] = std::max(0.0, expected[i] + residual[i]);
        QCOMPARE(overTargets(
                     [&](ThreadPool& pool) {
                         const std::vector<float> addend = blockedOf(residual, 1, 48, 81);
                         Epilogue epilogue;
                         epilogue.residual = addend.data();
                         epilogue.activation.kind = Activation::Relu;
                         return runPlan(planConvolution(s, ConvolutionMethod::Direct), data,
                                        epilogue, pool);
                     },
                     [&](const std::vector<float>& result) {
                         return compare(result, expected, 0, 1e-5);
                     }),
                 QString());
    }

    // A concatenation on channels is read where its parts lie, each with its own batch stride.
    void readsViews()
    {
        const ConvolutionShape s = shape2d(45, 21, 8, 8, 3, 1, 1, 1, 1, 2);
        const Data data = dataFor(s);
        const ConvolutionOracle oracle = convolve(s, data.input, data.weights, data.bias);
        Epilogue epilogue;
        epilogue.bias = data.bias.data();
        for (const ConvolutionMethod method :
             {ConvolutionMethod::Direct, ConvolutionMethod::Winograd4}) {
            const auto run = [&](ThreadPool& pool) {
                const std::int64_t lanes = blockLanes();
                const std::int64_t first = 16; // channels in the first view
                const std::int64_t spatial = 64;
                std::vector<float> parts[2];
                const std::int64_t counts[2] = {first, 45 - first};
                for (int part = 0; part < 2; ++part) {
                    std::vector<float> plain;
                    for (std::int64_t n = 0; n < 2; ++n) {
                        const auto begin = data.input.begin() + (n * 45 + part * first) * spatial;
                        plain.insert(plain.end(), begin, begin + counts[part] * spatial);
                    }
                    parts[part] = blockedOf(plain, 2, counts[part], spatial);
                }
                const SourceView views[2] = {
                    {parts[0].data(), counts[0], first * spatial},
                    {parts[1].data(), counts[1], channelBlocks(counts[1]) * lanes * spatial}};
                const ConvolutionPlan plan = planConvolution(s, method);
                Guarded packed(packedWeightFloats(plan));
                packConvolutionWeights(plan, data.weights.data(), packed.data(), pool);
                Guarded scratch(convolutionScratchFloats(plan, pool.threads()));
                // The output is a view as well: image 1 starts later than dense.
                const std::int64_t image = channelBlocks(21) * lanes * spatial;
                Guarded output(2 * image + 100);
                ConvolutionArguments arguments;
                arguments.sources = views;
                arguments.packedWeights = packed.data();
                arguments.output = output.data();
                arguments.outputBatchStride = image + 100;
                arguments.scratch = scratch.data();
                arguments.epilogue = epilogue;
                runConvolution(plan, arguments, pool);
                std::vector<float> result = plainOf(output.data(), 1, 21, spatial);
                const std::vector<float> second =
                    plainOf(output.data() + image + 100, 1, 21, spatial);
                result.insert(result.end(), second.begin(), second.end());
                return output.intact() ? result : std::vector<float>();
            };
            QCOMPARE(overTargets(run,
                                 [&](const std::vector<float>& result) {
                                     return compare(result, oracle.result,
                                                    boundsOf(method, oracle));
                                 }),
                     QString());
        }
    }

    void prologueBeforePadding()
    {
        const ConvolutionShape shapes[] = {shape2d(19, 33, 9, 9, 3, 1, 1),
                                           shape2d(19, 33, 9, 9, 1)};
        for (const ConvolutionShape& s : shapes) {
            const Data data = dataFor(s);
            const std::vector<float> scale = randomFloats(19, 4);
            const std::vector<float> shift = randomFloats(19, 5);
            std::vector<float> input = data.input;
            for (std::size_t i = 0; i < input.size(); ++i)
                input[i] = std::max(0.0F, std::fma(input[i], scale[i / 81], shift[i / 81]));
            const ConvolutionOracle oracle = convolve(s, input, data.weights, {});
            for (const ConvolutionMethod method :
                 {ConvolutionMethod::Direct, ConvolutionMethod::Winograd2}) {
                if (method != ConvolutionMethod::Direct && s.kernel[1] == 1)
                    continue;
                QCOMPARE(overTargets(
                             [&](ThreadPool& pool) {
                                 return runPlan(planConvolution(s, method, true), data, {}, pool,
                                                {scale.data(), shift.data(), true});
                             },
                             [&](const std::vector<float>& result) {
                                 return compare(result, oracle.result, 0, 2e-5);
                             }),
                         QString());
            }
        }
    }

    // One NaN reaches exactly the results that read it: no other group, no neighbour.
    void nanStaysInItsWindow()
    {
        for (const std::int64_t groups : {1, 3}) {
            const ConvolutionShape s = shape2d(51, 51, 6, 6, 3, 1, 1, groups);
            Data data = dataFor(s);
            data.input[static_cast<std::size_t>(20 * 36 + 7)] =
                std::numeric_limits<float>::quiet_NaN();
            data.input[static_cast<std::size_t>(2 * 36 + 30)] =
                std::numeric_limits<float>::infinity();
            const ConvolutionOracle oracle = convolve(s, data.input, data.weights, {});
            std::vector<double> expected = oracle.result;
            for (double& value : expected)
                value = value < 0 ? 0 : value;
            Epilogue epilogue;
            epilogue.activation.kind = Activation::Relu;
            QCOMPARE(overTargets(
                         [&](ThreadPool& pool) {
                             return runPlan(planConvolution(s, ConvolutionMethod::Direct), data,
                                            epilogue, pool);
                         },
                         [&](const std::vector<float>& result) {
                             return compare(result, expected, 0, 1e-4);
                         }),
                     QString());
        }
    }

    void keepsDenormalsAndNegativeZero()
    {
        ConvolutionShape s = shape2d(1, 2, 1, 1, 1);
        Data data;
        data.input = {1e-40F};
        data.weights = {1.0F, -0.0F};
        Epilogue epilogue;
        epilogue.activation.kind = Activation::Relu;
        const std::vector<float> minusZero = {-0.0F, -0.0F};
        epilogue.bias = minusZero.data();
        QCOMPARE(overTargets(
                     [&](ThreadPool& pool) {
                         return runPlan(planConvolution(s, ConvolutionMethod::Direct), data,
                                        epilogue, pool);
                     },
                     [&](const std::vector<float>& result) {
                         const bool right = result.size() == 2 && result[0] == 1e-40F &&
                                            result[1] == 0 && std::signbit(result[1]);
                         return right ? QString() : QStringLiteral("lost");
                     }),
                 QString());
    }

    void nothingToDo()
    {
        ConvolutionShape empty = shape2d(4, 4, 5, 5, 3, 1, 1);
        empty.output = {1, 0, 5};
        ThreadPool pool(1);
        const Data data = dataFor(empty);
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
