#include "ops/axes.h"
#include "support/test_class.h"

using namespace fusescope;

// Axes from the end, in the one place that counts them.
class AxesTest : public QObject
{
    Q_OBJECT

    static std::vector<std::int64_t> found(std::initializer_list<std::int64_t> axes,
                                           std::size_t rank)
    {
        const std::vector<std::int64_t> list(axes);
        const auto result = normalizeAxes(list, rank);
        if (!result)
            return {-1};
        return {result->begin(), result->end()};
    }

private Q_SLOTS:
    void countsFromTheEnd()
    {
        constexpr auto least = std::numeric_limits<std::int64_t>::min();
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(normalizeAxis(0, 3), std::optional<std::size_t>(0));
        QCOMPARE(normalizeAxis(2, 3), std::optional<std::size_t>(2));
        QCOMPARE(normalizeAxis(-1, 3), std::optional<std::size_t>(2));
        QCOMPARE(normalizeAxis(-3, 3), std::optional<std::size_t>(0));
        for (const std::int64_t outside : {std::int64_t{3}, std::int64_t{-4}, least, most})
            QVERIFY(!normalizeAxis(outside, 3));
        QVERIFY(!normalizeAxis(0, 0));
        QVERIFY(!normalizeAxis(-1, 0));
        QCOMPARE(fromFront(-4, 3), std::int64_t{-1});
        QCOMPARE(fromFront(5, 3), std::int64_t{5});
    }

    void severalAreDistinct()
    {
        QCOMPARE(found({-1, 0}, 3), (std::vector<std::int64_t>{2, 0}));
        QCOMPARE(found({}, 3), std::vector<std::int64_t>());
        QCOMPARE(found({0, -3}, 3), std::vector<std::int64_t>{-1});
        QCOMPARE(found({0, 3}, 3), std::vector<std::int64_t>{-1});
    }

    void shapesAreClamped()
    {
        using Range = std::pair<std::size_t, std::size_t>;
        Attributes attributes;
        QCOMPARE(shapeRange(attributes, 4), Range(0, 4));
        attributes.set({"start", std::int64_t{-2}});
        QCOMPARE(shapeRange(attributes, 4), Range(2, 4));
        attributes.set({"end", std::int64_t{-1}});
        QCOMPARE(shapeRange(attributes, 4), Range(2, 3));
        attributes.set({"end", std::int64_t{-9}});
        QCOMPARE(shapeRange(attributes, 4), Range(2, 2));
        attributes.set({"start", std::int64_t{-9}});
        attributes.set({"end", std::int64_t{9}});
        QCOMPARE(shapeRange(attributes, 4), Range(0, 4));
    }
};

FUSESCOPE_TEST(AxesTest, axes_test)
#include "axes_test.moc"
