#include "model/shape.h"
#include "support/test_class.h"

using namespace fusescope;

namespace {

const Dim n = Dim::symbol("N");
const Dim m = Dim::symbol("M");

Dim unknownOf(int axis)
{
    return Dim::unknown(100 + static_cast<std::uint64_t>(axis));
}

std::string broadcastText(const Shape& a, const Shape& b)
{
    const auto one = broadcast(a, b, unknownOf);
    const auto other = broadcast(b, a, unknownOf);
    if (one != other)
        return "depends on the order";
    return one ? one->text() : "never";
}

} // namespace

class ShapeTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cappedSizesBroadcastToTheWhole()
    {
        // As positions [0, min(N, 512)) are added to a sequence of N.
        QCOMPARE(broadcastText(Shape::of({n, 64}), Shape::of({min(n, Dim(512)), 64})),
                 std::string("[N, 64]"));
        // At most one element: N may be anything.
        QVERIFY(broadcastText(Shape::of({n}), Shape::of({min(n, Dim(1))})) != "never");
        QCOMPARE(broadcastText(Shape::of({2}), Shape::of({3})), std::string("never"));
    }

    void rank()
    {
        QVERIFY(!Shape::unranked().hasRank() && !Shape().hasRank());
        QVERIFY(Shape::scalar().hasRank());
        QCOMPARE(Shape::scalar().rank(), std::size_t(0));
        QVERIFY(Shape::scalar() != Shape::unranked());
        QCOMPARE(Shape::of({n, 3}).rank(), std::size_t(2));
        QCOMPARE(Shape::of({3}).rank(), std::size_t(1));
    }

    void text()
    {
        QCOMPARE(Shape::of({n, 3, 224, 224}).text(), std::string("[N, 3, 224, 224]"));
        QCOMPARE(Shape::of({2 * n + 1, Dim::unknown(1)}).text(), std::string("[2*N+1, ?]"));
        QCOMPARE(Shape::scalar().text(), std::string("[]"));
        QCOMPARE(Shape::unranked().text(), std::string("?"));
    }

    void sizes()
    {
        const std::vector<std::int64_t> sizes{1, 3, 224};
        QCOMPARE(Shape::ofSizes(sizes), Shape::of({1, 3, 224}));
        QVERIFY(Shape::ofSizes(sizes).staticDims() == sizes);
        QVERIFY(!Shape::of({n, 3}).isStatic() && !Shape::of({n, 3}).staticDims());
        QVERIFY(!Shape::unranked().isStatic());
        QVERIFY(Shape::scalar().isStatic());
    }

    void elementCount()
    {
        QVERIFY(Shape::of({n, 3, m}).elementCount() == 3 * n * m);
        QVERIFY(Shape::scalar().elementCount() == Dim(1));
        QVERIFY(!Shape::unranked().elementCount());
        constexpr std::int64_t large = std::int64_t(1) << 40;
        QVERIFY(Shape::of({large, large}).elementCount()->isUnknown());
        QVERIFY(Shape::of({large, large, 0}).elementCount() == Dim(0));
    }

    void substitute()
    {
        QCOMPARE(Shape::of({n, 2 * m}).substitute({{n, 1}, {m, 8}}), Shape::of({1, 16}));
    }

    void equality()
    {
        QVERIFY(provablyEqual(Shape::of({n + m, 3}), Shape::of({m + n, 3})));
        QVERIFY(!provablyEqual(Shape::of({n, 3}), Shape::of({m, 3})));
        QVERIFY(!provablyEqual(Shape::of({3}), Shape::of({3, 1})));
        QVERIFY(!provablyEqual(Shape::unranked(), Shape::unranked()));
        QVERIFY(!provablyEqual(Shape::of({Dim::unknown(1)}), Shape::of({Dim::unknown(2)})));
    }

    void broadcasts_data()
    {
        QTest::addColumn<Shape>("a");
        QTest::addColumn<Shape>("b");
        QTest::addColumn<QString>("expected");
        QTest::newRow("numbers") << Shape::of({2, 1, 4}) << Shape::of({3, 1}) << "[2, 3, 4]";
        QTest::newRow("scalar") << Shape::scalar() << Shape::of({n, 4}) << "[N, 4]";
        QTest::newRow("one") << Shape::of({n, 1}) << Shape::of({1, m}) << "[N, M]";
        QTest::newRow("both one") << Shape::of({1}) << Shape::of({1}) << "[1]";
        QTest::newRow("number wins") << Shape::of({n, 4}) << Shape::of({3, m}) << "[3, 4]";
        QTest::newRow("zero wins") << Shape::of({n, 0}) << Shape::of({0, 1}) << "[0, 0]";
        QTest::newRow("same symbol")
            << Shape::of({n, n + m}) << Shape::of({n, m + n}) << "[N, M+N]";
        QTest::newRow("two symbols") << Shape::of({n, 2}) << Shape::of({m, 2}) << "[?, 2]";
        QTest::newRow("above one") << Shape::of({n + 2}) << Shape::of({m}) << "[N+2]";
        QTest::newRow("number of two") << Shape::of({n + 2}) << Shape::of({5}) << "[5]";
        QTest::newRow("never") << Shape::of({2, 3}) << Shape::of({2, 4}) << "never";
        QTest::newRow("never, symbols") << Shape::of({n + 2}) << Shape::of({n + 3}) << "never";
        QTest::newRow("never, too small") << Shape::of({n + 5}) << Shape::of({4}) << "never";
        QTest::newRow("unranked") << Shape::unranked() << Shape::of({2}) << "?";
    }

    void broadcasts()
    {
        QFETCH(Shape, a);
        QFETCH(Shape, b);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(broadcastText(a, b)), expected);
    }

    void unknownIsAskedByAxis()
    {
        const auto shape = broadcast(Shape::of({7, n, 2}), Shape::of({m, 2}), unknownOf);
        QVERIFY(shape && *shape == Shape::of({7, unknownOf(1), 2}));
    }

    void broadcastsToTarget()
    {
        const auto answer = [](const Shape& shape, const Shape& target) {
            return broadcastsTo(shape, target);
        };
        QCOMPARE(answer(Shape::of({n, 1, 3}), Shape::of({2, n, 7, 3})), Answer::yes);
        QCOMPARE(answer(Shape::scalar(), Shape::of({n})), Answer::yes);
        QCOMPARE(answer(Shape::of({3}), Shape::of({n})), Answer::unknown);
        QCOMPARE(answer(Shape::of({n}), Shape::of({m})), Answer::unknown);
        QCOMPARE(answer(Shape::of({n}), Shape::of({3})), Answer::unknown);
        QCOMPARE(answer(Shape::of({3}), Shape::of({1})), Answer::no);
        QCOMPARE(answer(Shape::of({n, 3}), Shape::of({m, 4})), Answer::no);
        QCOMPARE(answer(Shape::of({n + 2}), Shape::of({n + 3})), Answer::no);
        QCOMPARE(answer(Shape::of({1, 3}), Shape::of({3})), Answer::no);
        QCOMPARE(answer(Shape::unranked(), Shape::of({3})), Answer::unknown);
    }
};

FUSESCOPE_TEST(ShapeTest, shape_test)
#include "shape_test.moc"
