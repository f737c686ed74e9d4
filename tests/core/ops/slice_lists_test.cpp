#include "ops/slice_lists.h"
#include "support/test_class.h"

#include <map>

using namespace fusescope;

using Ints = SliceLists::Ints;

// What a Slice is told, by attributes or inputs, and which places that takes.
class SliceListsTest : public QObject
{
    Q_OBJECT

    // Of inputs that hold these lists; an empty one is there but not known.
    static SliceLists ofInputs(const std::map<std::size_t, Ints>& inputs)
    {
        return sliceLists(
            Node{}, 13, [&](std::size_t i) { return inputs.contains(i); },
            [&](std::size_t i) -> std::optional<Ints> {
                const auto found = inputs.find(i);
                return found == inputs.end() || found->second.empty() ? std::nullopt
                                                                      : std::optional(found->second);
            });
    }

private Q_SLOTS:
    void attributesBeforeVersionTen()
    {
        Node node;
        node.attributes.set({"starts", Ints{1, 2}});
        node.attributes.set({"ends", Ints{3, 4}});
        const auto none = [](std::size_t) { return true; };
        const auto other = [](std::size_t) { return std::optional(Ints{9}); };
        SliceLists lists = sliceLists(node, 1, none, other);
        QVERIFY(lists.areComplete());
        QCOMPARE(*lists.starts, (Ints{1, 2}));
        QCOMPARE(*lists.ends, (Ints{3, 4}));
        QCOMPARE(*lists.axes, (Ints{0, 1}));
        QCOMPARE(*lists.steps, (Ints{1, 1}));
        node.attributes.set({"axes", Ints{2}});
        lists = sliceLists(node, 1, none, other);
        QCOMPARE(*lists.axes, Ints{2});
        QVERIFY(!lists.areComplete());
    }

    void inputsFromVersionTenOn()
    {
        const SliceLists lists = ofInputs({{1, {1, 2}}, {2, {3, 4}}, {3, {-1, 0}}, {4, {2, -1}}});
        QVERIFY(lists.areComplete());
        QVERIFY(lists.axesGiven && lists.stepsGiven);
        QCOMPARE(*lists.axes, (Ints{-1, 0}));
        QCOMPARE(*lists.steps, (Ints{2, -1}));
        const SliceLists plain = ofInputs({{1, {1, 2}}, {2, {3, 4}}});
        QVERIFY(plain.areComplete());
        QCOMPARE(*plain.axes, (Ints{0, 1}));
        QCOMPARE(*plain.steps, (Ints{1, 1}));
    }

    void whatIsNotKnownIsNoDefault()
    {
        const SliceLists steps = ofInputs({{1, {1}}, {2, {3}}, {4, {}}});
        QVERIFY(steps.stepsGiven && !steps.steps && steps.axes && !steps.areComplete());
        SliceLists starts = ofInputs({{1, {}}, {2, {3, 4}}, {3, {1, 0}}});
        QVERIFY(!starts.starts && !starts.steps);
        starts.fillDefaults(2);
        QCOMPARE(*starts.axes, (Ints{1, 0}));
        QCOMPARE(*starts.steps, (Ints{1, 1}));
        QVERIFY(!starts.areComplete());
    }

    void placesAreClamped_data()
    {
        QTest::addColumn<qint64>("start");
        QTest::addColumn<qint64>("end");
        QTest::addColumn<qint64>("step");
        QTest::addColumn<qint64>("size");
        QTest::addColumn<qint64>("first");
        QTest::addColumn<qint64>("last");
        const qint64 most = std::numeric_limits<qint64>::max();
        const qint64 least = std::numeric_limits<qint64>::min();
        QTest::newRow("inside") << 1LL << 3LL << 1LL << 5LL << 1LL << 3LL;
        QTest::newRow("from the end") << -3LL << -1LL << 1LL << 5LL << 2LL << 4LL;
        QTest::newRow("all") << least << most << 1LL << 5LL << 0LL << 5LL;
        QTest::newRow("past the end") << 7LL << 9LL << 1LL << 5LL << 5LL << 5LL;
        QTest::newRow("down") << -1LL << -9LL << -1LL << 5LL << 4LL << -1LL;
        QTest::newRow("all down") << most << least << -2LL << 5LL << 4LL << -1LL;
        QTest::newRow("down from before the start") << -9LL << -9LL << -1LL << 5LL << 0LL << -1LL;
        QTest::newRow("down to the end") << 2LL << most << -1LL << 5LL << 2LL << 4LL;
        QTest::newRow("of nothing") << 0LL << most << 1LL << 0LL << 0LL << 0LL;
        QTest::newRow("of nothing, down") << -1LL << least << -1LL << 0LL << -1LL << -1LL;
    }

    void placesAreClamped()
    {
        QFETCH(qint64, start);
        QFETCH(qint64, end);
        QFETCH(qint64, step);
        QFETCH(qint64, size);
        const SliceRun run = sliceRun(start, end, step, size);
        QTEST(qint64(run.first), "first");
        QTEST(qint64(run.last), "last");
    }
};

FUSESCOPE_TEST(SliceListsTest, slice_lists_test)
#include "slice_lists_test.moc"
