#include "core/exec/convolution_check.h"

#include "support/test_class.h"

#include <cmath>
#include <limits>

using namespace fusescope;
using namespace fusescope::kernels;
using namespace fusescope::test;

// What surrounds the sums of a convolution: epilogues, residuals, views, prologues, odd numbers.
class KernelsConvolutionUseTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void epilogueInEveryMethod()
    {
        for (const ConvolutionMethod method :
             {ConvolutionMethod::Direct, ConvolutionMethod::Winograd2, ConvolutionMethod::Winograd4,
              ConvolutionMethod::Depthwise}) {
            const bool depthwise = method == ConvolutionMethod::Depthwise;
            const ConvolutionShape s = shape2d(19, 19, 10, 11, 3, 1, 1, depthwise ? 19 : 1, 1, 2);
            const ConvolutionData data = dataFor(s);
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
        const ConvolutionData data = dataFor(s);
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
        const ConvolutionData data = dataFor(s);
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
            const ConvolutionData data = dataFor(s);
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
            ConvolutionData data = dataFor(s);
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
        ConvolutionData data;
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
};

FUSESCOPE_TEST(KernelsConvolutionUseTest, kernels_convolution_use_test)
#include "kernels_convolution_use_test.moc"
