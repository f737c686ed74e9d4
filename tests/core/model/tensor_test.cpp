#include "model/tensor.h"
#include "support/test_class.h"

#include <cmath>
#include <limits>

using namespace fusescope;

class TensorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mappedBytesNeedNoAlignment()
    {
        auto bytes = std::make_shared<std::vector<std::byte>>(17);
        const std::vector<float> values = {1, -2, 3, 4.5F};
        std::memcpy(bytes->data() + 1, values.data(), 16);
        const std::weak_ptr<std::vector<std::byte>> watch = bytes;
        {
            const Tensor t = Tensor::mapped(DType::float32, {2, 2}, bytes->data() + 1, bytes);
            bytes.reset();
            QVERIFY(t.isMapped());
            QCOMPARE(t.load<float>(3), 4.5F);
            const auto aligned = t.aligned<float>();
            QCOMPARE(aligned[1], -2.0F);
            QCOMPARE(reinterpret_cast<std::uintptr_t>(&aligned[0]) % alignof(float), std::uintptr_t{0});
            QVERIFY(!watch.expired());
            QVERIFY(t.bitwiseEquals(Tensor::of<float>({2, 2}, values)));
            QCOMPARE(t.hash(), Tensor::of<float>({2, 2}, values).hash());
        }
        QVERIFY(watch.expired());
    }

    void splatsActLikeTheirElements()
    {
        const float x = 2.5F;
        const Tensor splat = Tensor::splat(DType::float32, {1000, 1000}, &x);
        QCOMPARE(splat.storedBytes(), std::int64_t{4});
        QCOMPARE(splat.byteSize(), std::int64_t{4000000});
        QCOMPARE(splat.asDouble(999999), 2.5);
        const Tensor small = Tensor::splat(DType::float32, {3}, &x);
        QVERIFY(small.bitwiseEquals(Tensor::of<float>({3}, std::vector<float>{x, x, x})));
        QVERIFY(!small.bitwiseEquals(Tensor::of<float>({3}, std::vector<float>{x, 0, x})));
        QCOMPARE(small.hash(), small.materialized().hash());
        QCOMPARE(small.aligned<float>().size(), std::size_t{3});
        QCOMPARE(small.reshaped({3, 1}).rank(), std::size_t{2});
    }

    void packedElements_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("int4") << static_cast<int>(DType::int4) << QList<double>{-8, 7, -1}
                              << QByteArray("\x78\x0F", 2);
        QTest::newRow("uint4") << static_cast<int>(DType::uint4) << QList<double>{1, 15, 2}
                               << QByteArray("\xF1\x02", 2);
        QTest::newRow("int2") << static_cast<int>(DType::int2) << QList<double>{-2, -1, 0, 1, -2}
                              << QByteArray("\x4E\x02", 2);
        QTest::newRow("uint2") << static_cast<int>(DType::uint2) << QList<double>{3, 0, 2, 1}
                               << QByteArray("\x63", 1);
        QTest::newRow("float4e2m1") << static_cast<int>(DType::float4e2m1)
                                    << QList<double>{0.5, -6, 4} << QByteArray("\xF1\x06", 2);
        QTest::newRow("float6e2m3") << static_cast<int>(DType::float6e2m3)
                                    << QList<double>{7.5, -7.5, 0.125, 0, 1}
                                    << QByteArray("\xDF\x1F\x00\x08", 4);
    }

    void packedElements()
    {
        QFETCH(int, type);
        QFETCH(QList<double>, values);
        QFETCH(QByteArray, bytes);
        Tensor t = Tensor::allocate(static_cast<DType>(type), {values.size()});
        for (qsizetype i = 0; i < values.size(); ++i)
            t.store(i, values[i]);
        QCOMPARE(t.byteSize(), std::int64_t{bytes.size()});
        for (qsizetype i = 0; i < values.size(); ++i)
            QCOMPARE(t.asDouble(i), values[i]);
        QCOMPARE(QByteArray(reinterpret_cast<const char*>(t.data()), bytes.size()), bytes);
    }

    void numbersOfEveryType()
    {
        for (int number = 1; number <= 28; ++number) {
            const auto type = static_cast<DType>(number);
            if (type == DType::string)
                continue;
            Tensor t = Tensor::allocate(type, {2});
            t.store(0, 1);
            QVERIFY2(t.asDouble(0) == 1.0, std::string(nameOf(type)).c_str());
            QCOMPARE(t.asInt(0), std::int64_t{1});
            QVERIFY(t.bitwiseEquals(t.materialized()));
        }
    }

    void integersSaturateAndStayExact()
    {
        Tensor t = Tensor::allocate(DType::float64, {4});
        t.store(0, 1e30);
        t.store(1, -1e30);
        t.store(2, std::nan(""));
        t.store(3, -1.9);
        QCOMPARE(t.asInt(0), std::numeric_limits<std::int64_t>::max());
        QCOMPARE(t.asInt(1), std::numeric_limits<std::int64_t>::min());
        QCOMPARE(t.asInt(2), std::int64_t{0});
        QCOMPARE(t.asInt(3), std::int64_t{-1});
        Tensor large = Tensor::allocate(DType::int64, {1});
        large.storeInt(0, 9007199254740993);
        QCOMPARE(large.asInt(0), std::int64_t{9007199254740993});
    }

    void equalityIsByBits()
    {
        const auto f = [](float v) { return Tensor::scalar(v); };
        QVERIFY(!f(0.0F).bitwiseEquals(f(-0.0F)));
        QVERIFY(f(std::nanf("")).bitwiseEquals(f(std::nanf(""))));
        QVERIFY(!f(1).bitwiseEquals(Tensor::of<float>({1}, std::vector<float>{1})));
        QVERIFY(!f(1).bitwiseEquals(Tensor::scalar(1.0)));
        const Tensor words = Tensor::strings({2}, {"a", "b"});
        QVERIFY(words.bitwiseEquals(Tensor::strings({2}, {"a", "b"})));
        QVERIFY(!words.bitwiseEquals(Tensor::strings({2}, {"a", "c"})));
        const Tensor gone = Tensor::unavailable(DType::float32, {2}, Message("io.no-contents"));
        QVERIFY(!gone.isAvailable() && !gone.bitwiseEquals(gone));
        QCOMPARE(gone.elementCount(), std::int64_t{2});
    }

    void sizesAreChecked()
    {
        const std::int64_t large = std::numeric_limits<std::int64_t>::max();
        QVERIFY(!elementCountOf(std::vector<std::int64_t>{large, 2}));
        QVERIFY(!elementCountOf(std::vector<std::int64_t>{-1}));
        QVERIFY(!elementCountOf(std::vector<std::int64_t>{0, -1}));
        QCOMPARE(*elementCountOf(std::vector<std::int64_t>{large, 0}), std::int64_t{0});
        QCOMPARE(*elementCountOf(std::vector<std::int64_t>{}), std::int64_t{1});
        QVERIFY(!bytesOf(DType::float64, large));
        QCOMPARE(*bytesOf(DType::int4, 5), std::int64_t{3});
        QCOMPARE(*bytesOf(DType::float6e3m2, 4), std::int64_t{3});
    }
};

FUSESCOPE_TEST(TensorTest, tensor_test)
#include "tensor_test.moc"
