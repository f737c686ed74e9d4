#include "core/exec/kernels_support.h"

#include "exec/kernels/matmul.h"
#include "support/test_class.h"

#include <cmath>
#include <limits>

using namespace fusescope;
using namespace fusescope::kernels;
using namespace fusescope::test;

namespace {

struct Oracle
{
    std::vector<double> result, magnitude;
};

std::size_t at(std::int64_t i)
{
    return static_cast<std::size_t>(i);
}

std::int64_t rowLength(std::int64_t given, bool transposed, std::int64_t rows, std::int64_t columns)
{
    return given != 0 ? given : (transposed ? rows : columns);
}

Oracle multiply(const MatMulShape& s, const float* a, const float* b)
{
    const std::int64_t lda = rowLength(s.lda, s.transA, s.m, s.k);
    const std::int64_t ldb = rowLength(s.ldb, s.transB, s.k, s.n);
    Oracle oracle{std::vector<double>(at(s.m * s.n)), std::vector<double>(at(s.m * s.n))};
    for (std::int64_t i = 0; i < s.m; ++i)
        for (std::int64_t j = 0; j < s.n; ++j)
            for (std::int64_t k = 0; k < s.k; ++k) {
                const double x = s.transA ? a[k * lda + i] : a[i * lda + k];
                const double y = s.transB ? b[j * ldb + k] : b[k * ldb + j];
                oracle.result[at(i * s.n + j)] += s.alpha * x * y;
                oracle.magnitude[at(i * s.n + j)] += std::abs(s.alpha * x * y);
            }
    return oracle;
}

MatMulShape shapeOf(std::int64_t m, std::int64_t n, std::int64_t k, bool transA = false,
                    bool transB = false, float alpha = 1.0F)
{
    MatMulShape s;
    s.m = m;
    s.n = n;
    s.k = k;
    s.transA = transA;
    s.transB = transB;
    s.alpha = alpha;
    return s;
}

} // namespace

class KernelsMatmulTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void product_data()
    {
        QTest::addColumn<MatMulShape>("shape");
        QTest::newRow("square") << shapeOf(64, 64, 64);
        QTest::newRow("odd") << shapeOf(37, 53, 29);
        QTest::newRow("transposed A") << shapeOf(31, 40, 21, true);
        QTest::newRow("transposed B") << shapeOf(31, 40, 21, false, true);
        QTest::newRow("both, alpha") << shapeOf(31, 41, 21, true, true, 0.5F);
        QTest::newRow("one row") << shapeOf(1, 133, 75);
        QTest::newRow("one row, transposed B") << shapeOf(1, 133, 75, false, true, 2.0F);
        QTest::newRow("two rows") << shapeOf(2, 65, 100);
        QTest::newRow("one column") << shapeOf(45, 1, 33);
        QTest::newRow("one column, transposed A") << shapeOf(45, 1, 33, true);
        QTest::newRow("dot product") << shapeOf(1, 1, 1000);
        QTest::newRow("outer product") << shapeOf(17, 19, 1);
        QTest::newRow("many rows") << shapeOf(300, 20, 17);
        QTest::newRow("A in two stretches") << shapeOf(450, 18, 1250);
        QTest::newRow("empty inner dimension") << shapeOf(5, 6, 0);
        MatMulShape padded = shapeOf(20, 21, 22);
        padded.lda = 30;
        padded.ldb = 40;
        padded.ldc = 50;
        QTest::newRow("row lengths") << padded;
    }
    void product()
    {
        QFETCH(MatMulShape, shape);
        const MatMulShape& s = shape;
        const std::int64_t ldc = s.ldc != 0 ? s.ldc : s.n;
        const std::vector<float> a =
            randomFloats(s.transA ? s.k * rowLength(s.lda, true, s.m, s.k)
                                  : s.m * rowLength(s.lda, false, s.m, s.k),
                         1);
        const std::vector<float> b =
            randomFloats(s.transB ? s.n * rowLength(s.ldb, true, s.k, s.n)
                                  : s.k * rowLength(s.ldb, false, s.k, s.n),
                         2);
        const Oracle oracle = multiply(s, a.data(), b.data());
        for (const bool packs : {false, true}) {
            const auto run = [&](ThreadPool& pool) {
                Guarded left(a);
                Guarded right(b);
                Guarded packed(packedMatMulFloats(s));
                if (packs)
                    packMatMulB(s, right.data(), packed.data(), pool);
                Guarded scratch(matMulScratchFloats(s, packs, pool.threads()));
                Guarded c((s.m - 1) * ldc + s.n);
                MatMulArguments arguments;
                arguments.a.data = left.data();
                arguments.b.data = packs ? nullptr : right.data();
                arguments.packedB = packs ? packed.data() : nullptr;
                arguments.c = c.data();
                arguments.scratch = scratch.data();
                const bool done = runMatMul(s, arguments, pool);
                if (!done || !left.intact() || !right.intact() || !packed.intact() ||
                    !scratch.intact() || !c.intact())
                    return std::vector<float>();
                std::vector<float> result;
                for (std::int64_t i = 0; i < s.m; ++i)
                    result.insert(result.end(), c.data() + i * ldc, c.data() + i * ldc + s.n);
                return result;
            };
            QCOMPARE(overTargets(run,
                                 [&](const std::vector<float>& result) {
                                     return compare(result, oracle.result, [&](std::size_t i) {
                                         return 5e-7 * oracle.magnitude[i] + 1e-30;
                                     });
                                 }),
                     QString());
        }
    }

    // Batches with shared and permuted matrices, and every kind of addend and step.
    void batchAndEpilogue()
    {
        MatMulShape s = shapeOf(17, 39, 23, false, true, 0.25F);
        s.batch = 4;
        const std::vector<float> a = randomFloats(4 * 17 * 23, 1);
        const std::vector<float> b = randomFloats(2 * 39 * 23, 2);
        const std::vector<float> columnBias = randomFloats(39, 3);
        const std::vector<float> rowBias = randomFloats(17, 4);
        const std::vector<float> full = randomFloats(4 * 17 * 39, 5);
        const std::vector<float> rows = randomFloats(4 * 17, 6);
        const std::int64_t offsets[4] = {0, 39 * 23, 0, 39 * 23};
        std::vector<double> expected;
        for (std::int64_t n = 0; n < 4; ++n) {
            const Oracle oracle = multiply(s, a.data() + n * 17 * 23, b.data() + offsets[n]);
            for (std::int64_t i = 0; i < 17; ++i)
                for (std::int64_t j = 0; j < 39; ++j) {
                    double v = oracle.result[at(i * 39 + j)];
                    v += columnBias[at(j)] + rowBias[at(i)] + full[at((n * 17 + i) * 39 + j)];
                    v = activated({Activation::GeluErf, 1, 0}, v);
                    v = v * rows[at(n * 17 + i)] + columnBias[at(j)];
                    expected.push_back(std::sqrt(std::abs(v)));
                }
        }
        const auto run = [&](ThreadPool& pool) {
            Guarded c(full);
            Guarded scratch(matMulScratchFloats(s, false, pool.threads()));
            const EpilogueStep steps[] = {
                {ElementOp::Mul, OperandKind::Row, false, 0, rows.data(), {}},
                {ElementOp::Add, OperandKind::Channel, false, 0, columnBias.data(), {}},
                {ElementOp::Abs, OperandKind::None, false, 0, nullptr, {}},
                {ElementOp::Sqrt, OperandKind::None, false, 0, nullptr, {}}};
            MatMulArguments arguments;
            arguments.a = {a.data(), 17 * 23, nullptr};
            arguments.b = {b.data(), 0, offsets};
            arguments.rowBias = rowBias.data();
            arguments.c = c.data();
            arguments.scratch = scratch.data();
            arguments.epilogue = {columnBias.data(), c.data(), {Activation::GeluErf, 1, 0}, steps};
            const bool done = runMatMul(s, arguments, pool);
            return done && c.intact() && scratch.intact() ? c.values() : std::vector<float>();
        };
        QCOMPARE(overTargets(run,
                             [&](const std::vector<float>& result) {
                                 // The root is steep near zero.
                                 return compare(result, expected, [&](std::size_t i) {
                                     return 3e-6 / std::max(1e-3, expected[i]);
                                 });
                             }),
                 QString());
    }

    void nanReachesItsRowOnly()
    {
        const MatMulShape s = shapeOf(30, 50, 20);
        std::vector<float> a = randomFloats(30 * 20, 1);
        a[5 * 20 + 3] = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> b = randomFloats(20 * 50, 2);
        QCOMPARE(overTargets(
                     [&](ThreadPool& pool) {
                         std::vector<float> c(30 * 50);
                         Guarded scratch(matMulScratchFloats(s, false, pool.threads()));
                         MatMulArguments arguments;
                         arguments.a.data = a.data();
                         arguments.b.data = b.data();
                         arguments.c = c.data();
                         arguments.scratch = scratch.data();
                         arguments.epilogue.activation.kind = Activation::Relu;
                         runMatMul(s, arguments, pool);
                         return c;
                     },
                     [](const std::vector<float>& c) {
                         for (std::size_t i = 0; i < c.size(); ++i)
                             if (std::isnan(c[i]) != (i / 50 == 5))
                                 return QStringLiteral("element %1").arg(i);
                         return QString();
                     }),
                 QString());
    }

    void nothingToDo()
    {
        ThreadPool pool(1);
        MatMulShape s = shapeOf(0, 5, 5);
        QVERIFY(runMatMul(s, {}, pool));
        s = shapeOf(5, 5, 5);
        s.batch = 0;
        QVERIFY(runMatMul(s, {}, pool));
    }
};

FUSESCOPE_TEST(KernelsMatmulTest, kernels_matmul_test)
#include "kernels_matmul_test.moc"
