#include "core/exec/kernels_support.h"

#include "exec/kernels/normalization.h"
#include "exec/kernels/reduce.h"
#include "support/test_class.h"

#include <cmath>
#include <limits>

using namespace fusescope;
using namespace fusescope::kernels;
using namespace fusescope::test;

namespace {

std::size_t at(std::int64_t i)
{
    return static_cast<std::size_t>(i);
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<double> softmax(const std::vector<float>& x, std::int64_t outer, std::int64_t axis,
                            std::int64_t inner, bool logarithm)
{
    std::vector<double> y(x.size());
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t i = 0; i < inner; ++i) {
            const auto index = [&](std::int64_t k) { return at((o * axis + k) * inner + i); };
            double top = -std::numeric_limits<double>::infinity();
            for (std::int64_t k = 0; k < axis; ++k)
                top = std::max<double>(top, x[index(k)]);
            double sum = 0;
            for (std::int64_t k = 0; k < axis; ++k)
                sum += std::exp(x[index(k)] - top);
            for (std::int64_t k = 0; k < axis; ++k) {
                const double shifted = x[index(k)] - top;
                y[index(k)] = logarithm ? shifted - std::log(sum) : std::exp(shifted) / sum;
            }
        }
    return y;
}

struct Moments
{
    double mean, deviation;
};
Moments momentsOf(const std::vector<double>& x, double epsilon, bool centred)
{
    double mean = 0;
    for (const double v : x)
        mean += v / static_cast<double>(x.size());
    if (!centred)
        mean = 0;
    double variance = 0;
    for (const double v : x)
        variance += (v - mean) * (v - mean) / static_cast<double>(x.size());
    return {mean, std::sqrt(variance + epsilon)};
}

} // namespace

class KernelsNormalizationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void affine()
    {
        const std::vector<float> x = randomFloats(2 * 21 * 35, 1);
        const std::vector<float> scale = randomFloats(21, 2);
        const std::vector<float> shift = randomFloats(21, 3);
        for (const Activation kind : {Activation::None, Activation::Relu, Activation::Sigmoid})
            for (const bool blocked : {false, true}) {
                std::vector<double> expected;
                for (std::size_t i = 0; i < x.size(); ++i) {
                    const std::size_t c = i / 35 % 21;
                    expected.push_back(
                        activated({kind, 1, 0}, static_cast<double>(x[i]) * scale[c] + shift[c]));
                }
                const auto run = [&](ThreadPool& pool) {
                    Guarded data(blocked ? blockedOf(x, 2, 21, 35) : x);
                    runChannelAffine({2, 21, 35}, blocked, scale.data(), shift.data(), {kind, 1, 0},
                                     data.data(), data.data(), pool);
                    if (!data.intact())
                        return std::vector<float>();
                    return blocked ? plainOf(data.data(), 2, 21, 35) : data.values();
                };
                QCOMPARE(overTargets(run,
                                     [&](const std::vector<float>& result) {
                                         return compare(result, expected, 3e-7, 1e-7);
                                     }),
                         QString());
            }
    }

    void softmax_data()
    {
        QTest::addColumn<qint64>("outer");
        QTest::addColumn<qint64>("axis");
        QTest::addColumn<qint64>("inner");
        QTest::newRow("rows") << qint64(5) << qint64(37) << qint64(1);
        QTest::newRow("one element") << qint64(7) << qint64(1) << qint64(1);
        QTest::newRow("wide row") << qint64(2) << qint64(1000) << qint64(1);
        QTest::newRow("long row") << qint64(1) << qint64(20000) << qint64(1);
        QTest::newRow("channels") << qint64(3) << qint64(21) << qint64(101);
        QTest::newRow("few columns") << qint64(3) << qint64(4) << qint64(3);
        QTest::newRow("nothing") << qint64(0) << qint64(4) << qint64(3);
    }
    void softmax()
    {
        QFETCH(qint64, outer);
        QFETCH(qint64, axis);
        QFETCH(qint64, inner);
        std::vector<float> x = randomFloats(outer * axis * inner, 1);
        for (float& v : x)
            v *= 30;
        for (const bool logarithm : {false, true}) {
            const std::vector<double> expected = ::softmax(x, outer, axis, inner, logarithm);
            for (const bool inPlace : {false, true}) {
                const auto run = [&](ThreadPool& pool) {
                    Guarded from(x);
                    Guarded to(static_cast<std::int64_t>(x.size()));
                    float* const target = inPlace ? from.data() : to.data();
                    runSoftmax(outer, axis, inner, logarithm, from.data(), target, pool);
                    if (!from.intact() || !to.intact())
                        return std::vector<float>{kNan};
                    return inPlace ? from.values() : to.values();
                };
                QCOMPARE(overTargets(run,
                                     [&](const std::vector<float>& result) {
                                         // exp's argument is rounded at a size of up to 60.
                                         return compare(result, expected, 8e-6,
                                                        logarithm ? 8e-6 : 1e-12);
                                     }),
                         QString());
            }
        }
    }

    void softmaxOfMasksAndNan()
    {
        const std::vector<float> x = {-kInfinity, 0, -kInfinity, kNan, 1, 2};
        ThreadPool pool(1);
        std::vector<float> y(6);
        runSoftmax(2, 3, 1, false, x.data(), y.data(), pool);
        QCOMPARE(y[0], 0.0F);
        QCOMPARE(y[1], 1.0F);
        for (std::size_t i = 3; i < 6; ++i)
            QVERIFY(std::isnan(y[i]));
    }

    void layerNorm()
    {
        for (const std::int64_t width : {1, 5, 64, 77, 768})
            for (const bool rootMeanSquare : {false, true})
                for (const bool full : {false, true}) {
                    const LayerNormShape shape{9, width, 1e-5F, rootMeanSquare};
                    std::vector<float> x = randomFloats(9 * width, 1);
                    for (float& v : x)
                        v += 2; // a mean to subtract
                    const std::vector<float> residual = randomFloats(9 * width, 2);
                    const std::vector<float> scale = randomFloats(width, 3);
                    const std::vector<float> shift = randomFloats(width, 4);
                    std::vector<double> expected;
                    for (std::int64_t r = 0; r < 9; ++r) {
                        std::vector<double> row;
                        for (std::int64_t i = 0; i < width; ++i) {
                            // The sum is stored as float before it is normalized.
                            const float sum =
                                full ? x[at(r * width + i)] + residual[at(r * width + i)]
                                     : x[at(r * width + i)];
                            row.push_back(sum);
                        }
                        const Moments m = momentsOf(row, 1e-5, !rootMeanSquare);
                        for (std::int64_t i = 0; i < width; ++i) {
                            const double v = (row[at(i)] - m.mean) / m.deviation;
                            expected.push_back(full ? v * scale[at(i)] + shift[at(i)] : v);
                        }
                    }
                    const auto run = [&](ThreadPool& pool) {
                        Guarded data(x);
                        Guarded sum(9 * width);
                        runLayerNorm(shape, data.data(), full ? residual.data() : nullptr,
                                     full ? scale.data() : nullptr, full ? shift.data() : nullptr,
                                     data.data(), full ? sum.data() : nullptr, pool);
                        const bool right =
                            !full || sum.data()[width] == x[at(width)] + residual[at(width)];
                        return data.intact() && sum.intact() && right ? data.values()
                                                                      : std::vector<float>();
                    };
                    // A width of 1 divides the rounding of the mean by sqrt(epsilon).
                    QCOMPARE(overTargets(run,
                                         [&](const std::vector<float>& result) {
                                             return compare(result, expected, 2e-6, 3e-6);
                                         }),
                             QString());
                }
    }

    // Rows that lie side by side: element i of column c at i·inner + c.
    void layerNormOfColumns()
    {
        const std::int64_t rows = 2;
        for (const std::int64_t width : {1, 5, 32})
            for (const std::int64_t inner : {2, 7, 64, 101})
                for (const bool full : {false, true}) {
                    const LayerNormShape shape{rows, width, 1e-5F, !full, inner};
                    const std::int64_t count = rows * width * inner;
                    std::vector<float> x = randomFloats(count, 1);
                    for (float& v : x)
                        v += 2;
                    const std::vector<float> residual = randomFloats(count, 2);
                    const std::vector<float> scale = randomFloats(width, 3);
                    const std::vector<float> shift = randomFloats(width, 4);
                    std::vector<double> expected(at(count));
                    for (std::int64_t r = 0; r < rows; ++r)
                        for (std::int64_t c = 0; c < inner; ++c) {
                            const auto place = [&](std::int64_t i) {
                                return at((r * width + i) * inner + c);
                            };
                            std::vector<double> row;
                            for (std::int64_t i = 0; i < width; ++i)
                                row.push_back(full ? x[place(i)] + residual[place(i)]
                                                   : x[place(i)]);
                            const Moments m = momentsOf(row, 1e-5, full);
                            for (std::int64_t i = 0; i < width; ++i) {
                                const double v = (row[at(i)] - m.mean) / m.deviation;
                                expected[place(i)] = full ? v * scale[at(i)] + shift[at(i)] : v;
                            }
                        }
                    const auto run = [&](ThreadPool& pool) {
                        Guarded data(x);
                        Guarded sum(count);
                        runLayerNorm(shape, data.data(), full ? residual.data() : nullptr,
                                     full ? scale.data() : nullptr, full ? shift.data() : nullptr,
                                     data.data(), full ? sum.data() : nullptr, pool);
                        const bool right = !full || sum.data()[1] == x[1] + residual[1];
                        return data.intact() && sum.intact() && right ? data.values()
                                                                      : std::vector<float>();
                    };
                    QCOMPARE(overTargets(run,
                                         [&](const std::vector<float>& result) {
                                             return compare(result, expected, 2e-6, 3e-6);
                                         }),
                             QString());
                }
    }

    void groupNorm()
    {
        const std::vector<float> x = randomFloats(2 * 12 * 29, 1);
        const std::vector<float> scale = randomFloats(12, 2);
        const std::vector<float> shift = randomFloats(12, 3);
        for (const std::int64_t groups : {1, 3, 12}) {
            const std::int64_t size = 12 / groups * 29;
            std::vector<double> expected(x.size());
            for (std::int64_t g = 0; g < 2 * groups; ++g) {
                const std::vector<double> row(x.begin() + g * size, x.begin() + (g + 1) * size);
                const Moments m = momentsOf(row, 1e-3, true);
                for (std::int64_t i = 0; i < size; ++i) {
                    const std::size_t c = at((g * size + i) / 29 % 12);
                    const double v = (row[at(i)] - m.mean) / m.deviation * scale[c] + shift[c];
                    expected[at(g * size + i)] = activated({Activation::Silu, 1, 0}, v);
                }
            }
            QCOMPARE(overTargets(
                         [&](ThreadPool& pool) {
                             Guarded y(static_cast<std::int64_t>(x.size()));
                             runGroupNorm({2, 12, 29}, groups, 1e-3F, scale.data(), shift.data(),
                                          {Activation::Silu, 1, 0}, x.data(), y.data(), pool);
                             return y.intact() ? y.values() : std::vector<float>();
                         },
                         [&](const std::vector<float>& result) {
                             return compare(result, expected, 2e-6, 2e-6);
                         }),
                     QString());
        }
    }

    void lrn()
    {
        const std::vector<float> x = randomFloats(2 * 9 * 37, 1);
        for (const float beta : {0.75F, 0.5F, 0.9F})
            for (const std::int64_t size : {1, 4, 5}) {
                std::vector<double> expected;
                for (std::int64_t i = 0; i < 2 * 9 * 37; ++i) {
                    const std::int64_t c = i / 37 % 9;
                    double sum = 0;
                    for (std::int64_t k = std::max<std::int64_t>(0, c - (size - 1) / 2);
                         k <= std::min<std::int64_t>(8, c + size / 2); ++k) {
                        const double v = x[at(i + (k - c) * 37)];
                        sum += v * v;
                    }
                    const double alpha = 0.3F;
                    const double base = 1.5 + alpha / static_cast<double>(size) * sum;
                    expected.push_back(x[at(i)] / std::pow(base, static_cast<double>(beta)));
                }
                QCOMPARE(
                    overTargets(
                        [&](ThreadPool& pool) {
                            Guarded y(2 * 9 * 37);
                            runLrn({{2, 9, 37}, size, 0.3F, beta, 1.5F}, x.data(), y.data(), pool);
                            return y.intact() ? y.values() : std::vector<float>();
                        },
                        [&](const std::vector<float>& result) {
                            return compare(result, expected, 6e-7, 0);
                        }),
                    QString());
            }
    }

    void reduce_data()
    {
        QTest::addColumn<qint64>("axis");
        QTest::addColumn<qint64>("inner");
        for (const qint64 axis : {0, 1, 7, 64, 131})
            for (const qint64 inner : {1, 5, 70})
                QTest::addRow("%lld of %lld", axis, inner) << axis << inner;
    }
    void reduce()
    {
        QFETCH(qint64, axis);
        QFETCH(qint64, inner);
        std::vector<float> x = randomFloats(3 * axis * inner, 1);
        if (axis > 1)
            x[at(axis * inner + inner)] = kNan; // row 1, position 1, column 0
        for (const ReduceKind kind :
             {ReduceKind::Sum, ReduceKind::Mean, ReduceKind::Max, ReduceKind::Min,
              ReduceKind::SumSquare, ReduceKind::SumAbs, ReduceKind::Prod}) {
            std::vector<double> expected;
            for (std::int64_t o = 0; o < 3; ++o)
                for (std::int64_t i = 0; i < inner; ++i) {
                    double sum = 0;
                    double squares = 0;
                    double magnitudes = 0;
                    double product = 1;
                    double highest = -kInfinity;
                    double lowest = kInfinity;
                    for (std::int64_t k = 0; k < axis; ++k) {
                        const double v = x[at((o * axis + k) * inner + i)];
                        sum += v;
                        squares += v * v;
                        magnitudes += std::abs(v);
                        product *= v;
                        highest = std::isnan(highest) || highest >= v ? highest : v;
                        lowest = std::isnan(lowest) || lowest <= v ? lowest : v;
                    }
                    const double results[] = {sum,     sum / static_cast<double>(axis),
                                              highest, lowest,
                                              squares, magnitudes,
                                              product};
                    expected.push_back(results[static_cast<int>(kind)]);
                }
            QCOMPARE(overTargets(
                         [&](ThreadPool& pool) {
                             Guarded from(x);
                             Guarded to(3 * inner);
                             runReduce(kind, 3, axis, inner, from.data(), to.data(), pool);
                             return to.intact() ? to.values() : std::vector<float>();
                         },
                         [&](const std::vector<float>& result) {
                             return compare(result, expected, 5e-6, 4e-6);
                         }),
                     QString());
        }
    }
};

FUSESCOPE_TEST(KernelsNormalizationTest, kernels_normalization_test)
#include "kernels_normalization_test.moc"
