#include "model/id_list.h"
#include "support/test_class.h"

#include <random>

using namespace fusescope;

namespace {

std::vector<ValueId> rising(std::uint32_t count)
{
    std::vector<ValueId> ids;
    for (std::uint32_t i = 1; i <= count; ++i)
        ids.push_back(ValueId{i});
    return ids;
}

std::vector<ValueId> nearOnes(const IdList& list, const IdList& other)
{
    std::vector<ValueId> visited;
    list.forEachNear(other, [&](ValueId id) { visited.push_back(id); });
    return visited;
}

} // namespace

class IdListTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void holdsWhatAVectorHolds()
    {
        QCOMPARE(IdList().size(), std::size_t{0});
        QVERIFY(IdList().begin() == IdList().end() || IdList().empty());
        for (const std::uint32_t count : {1U, 127U, 128U, 129U, 4096U, 4097U, 20000U}) {
            const std::vector<ValueId> ids = rising(count);
            const IdList list(ids);
            QCOMPARE(list.size(), ids.size());
            QVERIFY(list.toVector() == ids);
            QCOMPARE(list[count - 1], ids.back());
            QVERIFY(list.contains(ids[count / 2]));
            QVERIFY(!list.contains(ValueId{count + 1}));
        }
    }

    // Random appending and erasing against a plain vector; older copies stay as they were.
    void editsLikeAVector()
    {
        std::mt19937 random(7);
        std::vector<ValueId> plain = rising(9000);
        IdList list(plain);
        const IdList old = list;
        const std::vector<ValueId> oldPlain = plain;
        std::uint32_t next = 20000;
        for (int i = 0; i < 6000; ++i) {
            if (random() % 3 == 0) {
                const ValueId id{random() % 2 ? next++ : 9001 + static_cast<std::uint32_t>(random() % 50)};
                plain.push_back(id);
                list.push_back(id);
            } else {
                const ValueId id = plain[random() % plain.size()];
                plain.erase(std::find(plain.begin(), plain.end(), id));
                list.erase(id);
            }
            if (i % 500 == 0)
                QVERIFY(list.toVector() == plain);
        }
        QCOMPARE(list.size(), plain.size());
        QVERIFY(list.toVector() == plain);
        QCOMPARE(list.front(), plain.front());
        QCOMPARE(list.back(), plain.back());
        for (std::size_t i = 0; i < plain.size(); i += 37)
            QCOMPARE(list[i], plain[i]);
        QVERIFY(old.toVector() == oldPlain);
        QVERIFY(list == IdList(plain));
        QVERIFY(!(list == old));
        for (const ValueId id : plain)
            list.erase(id);
        QVERIFY(list.empty());
        QVERIFY(list.begin() == list.end());
        list.push_back(ValueId{3});
        QVERIFY(list == IdList({ValueId{3}}));
    }

    // What is new is visited; of what is shared, only a small part.
    void visitsWhatIsNew()
    {
        const IdList old(rising(20000));
        IdList list = old;
        QVERIFY(nearOnes(list, old).empty());
        list.erase(ValueId{5000});
        list.push_back(ValueId{30000});
        const std::vector<ValueId> visited = nearOnes(list, old);
        QVERIFY(std::find(visited.begin(), visited.end(), ValueId{30000}) != visited.end());
        QVERIFY(visited.size() <= 256);
        QCOMPARE(nearOnes(list, IdList()).size(), list.size());
        // A list that lost its first block still shares nothing wrongly.
        IdList other = old;
        for (std::uint32_t i = 1; i <= 4096; ++i)
            other.erase(ValueId{i});
        other.push_back(ValueId{40000});
        const std::vector<ValueId> shifted = nearOnes(other, old);
        QVERIFY(std::find(shifted.begin(), shifted.end(), ValueId{40000}) != shifted.end());
    }
};

FUSESCOPE_TEST(IdListTest, id_list_test)
#include "id_list_test.moc"
