#include "core/exec/kernels_support.h"

#include "exec/kernels/pooling.h"
#include "exec/kernels/reorder.h"
#include "support/test_class.h"

#include <cmath>
#include <limits>

using namespace fusescope;
using namespace fusescope::kernels;
using namespace fusescope::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::int64_t volume(const Extent& e)
{
    return e[0] * e[1] * e[2];
}
std::size_t at(std::int64_t i)
{
    return static_cast<std::size_t>(i);
}

std::vector<double> pooled(const PoolShape& s, const std::vector<float>& input)
{
    std::vector<double> result;
    for (std::int64_t plane = 0; plane < s.batch * s.channels; ++plane)
        for (std::int64_t z = 0; z < s.output[0]; ++z)
            for (std::int64_t y = 0; y < s.output[1]; ++y)
                for (std::int64_t x = 0; x < s.output[2]; ++x) {
                    double highest = -std::numeric_limits<double>::infinity();
                    double sum = 0;
                    int inside = 0;
                    int counted = 0;
                    for (std::int64_t kz = 0; kz < s.kernel[0]; ++kz)
                        for (std::int64_t ky = 0; ky < s.kernel[1]; ++ky)
                            for (std::int64_t kx = 0; kx < s.kernel[2]; ++kx) {
                                const std::int64_t p[3] = {
                                    z * s.stride[0] - s.padBefore[0] + kz * s.dilation[0],
                                    y * s.stride[1] - s.padBefore[1] + ky * s.dilation[1],
                                    x * s.stride[2] - s.padBefore[2] + kx * s.dilation[2]};
                                bool within = true;
                                bool padded = true;
                                for (int i = 0; i < 3; ++i) {
                                    within = within && p[i] >= 0 && p[i] < s.input[i];
                                    padded = padded && p[i] < s.input[i] + s.padAfter[i];
                                }
                                counted += padded ? 1 : 0;
                                if (!within)
                                    continue;
                                ++inside;
                                const double v =
                                    input[at(plane * volume(s.input) +
                                             (p[0] * s.input[1] + p[1]) * s.input[2] + p[2])];
                                sum += v;
                                if (std::isnan(v) || v > highest)
                                    highest = std::isnan(highest) ? highest : v;
                            }
                    if (s.kind == PoolKind::Max)
                        result.push_back(highest);
                    else
                        result.push_back(sum / (s.kind == PoolKind::Average ? inside : counted));
                }
    return result;
}

PoolShape shape2d(std::int64_t height, std::int64_t width, std::int64_t kernel, std::int64_t stride,
                  std::int64_t pad, std::int64_t dilation = 1, bool ceilMode = false)
{
    PoolShape s;
    s.batch = 2;
    s.channels = 19;
    s.input = {1, height, width};
    s.kernel = {1, kernel, kernel};
    s.stride = {1, stride, stride};
    s.dilation = {1, dilation, dilation};
    s.padBefore = s.padAfter = {0, pad, pad};
    const auto size = [&](std::int64_t n) {
        const std::int64_t room = n + 2 * pad - dilation * (kernel - 1) - 1;
        return (room + (ceilMode ? stride - 1 : 0)) / stride + 1;
    };
    s.output = {1, size(height), size(width)};
    return s;
}

} // namespace

class KernelsPoolingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pool_data()
    {
        QTest::addColumn<PoolShape>("shape");
        QTest::newRow("2x2 stride 2") << shape2d(8, 10, 2, 2, 0);
        QTest::newRow("3x3 stride 2 padded") << shape2d(13, 12, 3, 2, 1);
        QTest::newRow("3x3 stride 1 padded, wide") << shape2d(6, 45, 3, 1, 1);
        QTest::newRow("ceil mode") << shape2d(12, 9, 3, 2, 0, 1, true);
        QTest::newRow("ceil mode padded") << shape2d(7, 10, 3, 2, 1, 1, true);
        QTest::newRow("dilation") << shape2d(12, 40, 3, 1, 2, 2);
        QTest::newRow("dilation and stride") << shape2d(12, 13, 3, 2, 2, 3);
        QTest::newRow("5x5 on 3x3") << shape2d(3, 3, 5, 1, 2);
        PoolShape cube = shape2d(6, 7, 2, 2, 0);
        cube.input[0] = 5;
        cube.kernel[0] = 3;
        cube.padBefore[0] = 1;
        cube.stride[0] = 2;
        cube.output[0] = 2;
        QTest::newRow("3-D, asymmetric padding") << cube;
        PoolShape none = shape2d(6, 7, 2, 2, 0);
        none.output = {1, 0, 3};
        QTest::newRow("no results") << none;
    }
    void pool()
    {
        QFETCH(PoolShape, shape);
        std::vector<float> input = randomFloats(2 * 19 * volume(shape.input), 1);
        for (const PoolKind kind :
             {PoolKind::Max, PoolKind::Average, PoolKind::AverageIncludingPad}) {
            shape.kind = kind;
            input[5] = kNan;
            input[at(volume(shape.input)) + 3] = -kInfinity;
            input[at(volume(shape.input)) + 4] = kInfinity;
            const std::vector<double> expected = pooled(shape, input);
            for (const bool blocked : {false, true}) {
                const auto run = [&](ThreadPool& pool) {
                    Guarded from(blocked ? blockedOf(input, 2, 19, volume(shape.input)) : input);
                    const ImageShape image{2, 19, volume(shape.output)};
                    Guarded to(blocked ? blockedFloats(image) : 2 * 19 * volume(shape.output));
                    if (!runPool(shape, blocked, from.data(), to.data(), pool) || !to.intact())
                        return std::vector<float>{0.5F};
                    return blocked ? plainOf(to.data(), 2, 19, volume(shape.output)) : to.values();
                };
                QCOMPARE(overTargets(run,
                                     [&](const std::vector<float>& result) {
                                         return compare(result, expected, 4e-7, 1e-6);
                                     }),
                         QString());
            }
        }
    }

    void windowInThePadding()
    {
        PoolShape s = shape2d(2, 2, 1, 1, 0);
        s.batch = s.channels = 1;
        s.padBefore = {0, 1, 0};
        s.output = {1, 3, 2};
        ThreadPool pool(1);
        const std::vector<float> input = {1, 2, 3, 4};
        std::vector<float> output(6);
        runPool(s, false, input.data(), output.data(), pool);
        QCOMPARE(output, (std::vector<float>{-kInfinity, -kInfinity, 1, 2, 3, 4}));
        s.kind = PoolKind::Average;
        runPool(s, false, input.data(), output.data(), pool);
        QVERIFY(std::isnan(output[0]));
        s.kind = PoolKind::AverageIncludingPad;
        runPool(s, false, input.data(), output.data(), pool);
        QCOMPARE(output[0], 0.0F);
    }

    void global_data()
    {
        QTest::addColumn<qint64>("spatial");
        for (const qint64 spatial : {1, 3, 49, 64, 197})
            QTest::addRow("%lld", spatial) << spatial;
    }
    void global()
    {
        QFETCH(qint64, spatial);
        std::vector<float> input = randomFloats(2 * 19 * spatial, 1);
        input[at(spatial)] = kNan; // channel 1
        for (const PoolKind kind : {PoolKind::Max, PoolKind::Average}) {
            std::vector<double> expected;
            for (std::int64_t plane = 0; plane < 38; ++plane) {
                double highest = -std::numeric_limits<double>::infinity();
                double sum = 0;
                for (std::int64_t i = 0; i < spatial; ++i) {
                    const double v = input[at(plane * spatial + i)];
                    sum += v;
                    highest = std::isnan(v) || v > highest ? v : highest;
                }
                if (plane == 1)
                    highest = kNan;
                expected.push_back(kind == PoolKind::Max ? highest
                                                         : sum / static_cast<double>(spatial));
            }
            for (const bool blocked : {false, true})
                for (const bool blockedOutput : {false, true}) {
                    const auto run = [&](ThreadPool& pool) {
                        Guarded from(blocked ? blockedOf(input, 2, 19, spatial) : input);
                        Guarded to(blockedOutput ? blockedFloats({2, 19, 1}) : 38);
                        runGlobalPool(kind, 2, 19, spatial, blocked, blockedOutput, from.data(),
                                      to.data(), pool);
                        if (!to.intact())
                            return std::vector<float>();
                        return blockedOutput ? plainOf(to.data(), 2, 19, 1) : to.values();
                    };
                    QCOMPARE(overTargets(run,
                                         [&](const std::vector<float>& result) {
                                             return compare(result, expected, 4e-7, 2e-7);
                                         }),
                             QString());
                }
        }
    }
};

FUSESCOPE_TEST(KernelsPoolingTest, kernels_pooling_test)
#include "kernels_pooling_test.moc"
