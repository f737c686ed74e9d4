#include "core/exec/kernels_support.h"

#include "exec/kernels/copy.h"
#include "exec/kernels/reorder.h"
#include "support/test_class.h"

#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace fusescope;
using namespace fusescope::kernels;
using namespace fusescope::test;

namespace {

std::size_t at(std::int64_t i)
{
    return static_cast<std::size_t>(i);
}

QString difference(const std::vector<float>& result, const std::vector<float>& expected)
{
    return sameBits(result, expected) ? QString() : QStringLiteral("differs");
}

template <class T>
std::vector<T> transposed(const std::vector<std::int64_t>& shape, const std::vector<int>& order,
                          const std::vector<T>& input)
{
    std::vector<T> output(input.size());
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t to = 0; to < output.size(); ++to) {
        auto rest = static_cast<std::int64_t>(to);
        for (std::size_t i = shape.size(); i-- > 0;) {
            const auto axis = at(order[i]);
            index[axis] = rest % shape[axis];
            rest /= shape[axis];
        }
        std::int64_t from = 0;
        for (std::size_t i = 0; i < shape.size(); ++i)
            from = from * shape[i] + index[i];
        output[to] = input[at(from)];
    }
    return output;
}

} // namespace

class KernelsCopyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reorder_data()
    {
        QTest::addColumn<qint64>("channels");
        QTest::addColumn<qint64>("spatial");
        for (const qint64 channels : {1, 3, 16, 19, 32, 50})
            for (const qint64 spatial : {1, 7, 64, 1030})
                QTest::addRow("%lld x %lld", channels, spatial) << channels << spatial;
    }
    void reorder()
    {
        QFETCH(qint64, channels);
        QFETCH(qint64, spatial);
        const ImageShape shape{2, channels, spatial};
        const std::vector<float> x = randomFloats(2 * channels * spatial, 1);
        QCOMPARE(overTargets(
                     [&](ThreadPool& pool) {
                         Guarded plain(x);
                         Guarded blocked(blockedFloats(shape));
                         Guarded back(2 * channels * spatial);
                         toBlocked(shape, plain.data(), blocked.data(), pool);
                         toPlain(shape, blocked.data(), back.data(), pool);
                         std::vector<float> expected = blockedOf(x, 2, channels, spatial);
                         for (float& v : expected)
                             v = std::isnan(v) ? 0.0F : v; // tail lanes
                         const bool right = blocked.intact() && back.intact() &&
                                            sameBits(expected, blocked.values());
                         return right ? back.values() : std::vector<float>();
                     },
                     [&](const std::vector<float>& result) { return difference(result, x); }),
                 QString());
    }

    void transpose_data()
    {
        QTest::addColumn<QVector<int>>("shape");
        QTest::addColumn<QVector<int>>("order");
        using List = QVector<int>;
        QTest::newRow("matrix") << List{37, 53} << List{1, 0};
        QTest::newRow("big matrix") << List{300, 200} << List{1, 0};
        QTest::newRow("heads") << List{2, 17, 4, 8} << List{0, 2, 1, 3};
        QTest::newRow("keys") << List{2, 17, 4, 8} << List{0, 2, 3, 1};
        QTest::newRow("nhwc to nchw") << List{2, 9, 11, 5} << List{0, 3, 1, 2};
        QTest::newRow("nchw to nhwc") << List{2, 5, 9, 11} << List{0, 2, 3, 1};
        QTest::newRow("reversed") << List{2, 3, 4, 5, 6} << List{4, 3, 2, 1, 0};
        QTest::newRow("swapped pairs") << List{3, 4, 5, 6} << List{2, 3, 0, 1};
        QTest::newRow("identity") << List{4, 5, 6} << List{0, 1, 2};
        QTest::newRow("ones") << List{1, 5, 1, 6, 1} << List{4, 3, 2, 1, 0};
        QTest::newRow("scalar") << List{} << List{};
        QTest::newRow("empty") << List{3, 0, 2} << List{2, 1, 0};
    }
    void transpose()
    {
        QFETCH(QVector<int>, shape);
        QFETCH(QVector<int>, order);
        const std::vector<std::int64_t> lengths(shape.begin(), shape.end());
        const std::vector<int> permutation(order.begin(), order.end());
        const std::int64_t total =
            std::accumulate(lengths.begin(), lengths.end(), std::int64_t(1), std::multiplies<>());
        const std::vector<float> x = randomFloats(total, 1);
        QCOMPARE(overTargets(
                     [&](ThreadPool& pool) {
                         Guarded y(total);
                         runTranspose(lengths, permutation, 4, x.data(), y.data(), pool);
                         return y.intact() ? y.values() : std::vector<float>{1, 2, 3};
                     },
                     [&](const std::vector<float>& result) {
                         return difference(result, transposed(lengths, permutation, x));
                     }),
                 QString());
        ThreadPool pool(2);
        const auto others = [&](auto zero) {
            using T = decltype(zero);
            std::vector<T> from(at(total));
            for (std::size_t i = 0; i < from.size(); ++i)
                from[i] = static_cast<T>(i * 7);
            std::vector<T> to(from.size());
            runTranspose(lengths, permutation, sizeof(T), from.data(), to.data(), pool);
            return to == transposed(lengths, permutation, from);
        };
        QVERIFY(others(std::uint8_t(0)));
        QVERIFY(others(std::uint16_t(0)));
        QVERIFY(others(std::uint64_t(0)));
    }

    // Slices with steps backwards, and expansion, into part of an output.
    void stridedCopy()
    {
        std::vector<float> x(60);
        std::iota(x.begin(), x.end(), 0.0F);
        ThreadPool pool(2);
        Guarded y(std::vector<float>(40, -1.0F));
        // x is 5 x 12; rows 4, 2, 0 and columns 1, 4, 7, 10 go to the left of a 3 x 8 box.
        const std::array<std::int64_t, 2> shape{3, 4};
        const std::array<std::int64_t, 2> from{-24, 3};
        const std::array<std::int64_t, 2> to{8, 1};
        QVERIFY(runStridedCopy(shape, from, to, 4, x.data() + 4 * 12 + 1, y.data(), pool));
        for (std::int64_t i = 0; i < 3; ++i)
            for (std::int64_t j = 0; j < 8; ++j)
                QCOMPARE(y.data()[i * 8 + j],
                         j < 4 ? static_cast<float>((4 - 2 * i) * 12 + 1 + 3 * j) : -1.0F);
        const std::array<std::int64_t, 3> expanded{2, 5, 4};
        const std::array<std::int64_t, 3> repeat{0, 1, 0};
        const std::array<std::int64_t, 3> dense{20, 4, 1};
        QVERIFY(runStridedCopy(expanded, repeat, dense, 4, x.data(), y.data(), pool));
        for (std::int64_t i = 0; i < 40; ++i)
            QCOMPARE(y.data()[i], static_cast<float>(i / 4 % 5));
        QVERIFY(y.intact());
    }

    void concat()
    {
        const std::vector<float> a = randomFloats(3 * 5, 1);
        const std::vector<float> b = randomFloats(3 * 2, 2);
        const std::vector<float> c = randomFloats(3 * 9000, 3);
        ThreadPool pool(2);
        Guarded y(3 * 9007);
        const ConcatSource sources[] = {
            {a.data(), 20}, {b.data(), 8}, {nullptr, 0}, {c.data(), 36000}};
        QVERIFY(runConcat(3, sources, y.data(), pool));
        QVERIFY(y.intact());
        for (std::int64_t i = 0; i < 3; ++i) {
            QCOMPARE(std::memcmp(y.data() + i * 9007, a.data() + i * 5, 20), 0);
            QCOMPARE(std::memcmp(y.data() + i * 9007 + 5, b.data() + i * 2, 8), 0);
            QCOMPARE(std::memcmp(y.data() + i * 9007 + 7, c.data() + i * 9000, 36000), 0);
        }
    }
};

FUSESCOPE_TEST(KernelsCopyTest, kernels_copy_test)
#include "kernels_copy_test.moc"
