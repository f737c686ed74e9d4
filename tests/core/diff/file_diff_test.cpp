#include "diff/graph_diff.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;

namespace {

Graph chain(std::string_view nodes, std::string_view constants = "")
{
    return test::graphOf(fmt::format("<ir_version: 8, opset_import: [\"\" : 17]>\n"
                                     "g (float[4] x) => (float[4] y)\n{}{{\n{}\n}}\n",
                                     constants, nodes));
}

const FileMatch* matchOf(const FileDiff& diff, NodeId a)
{
    for (const FileMatch& match : diff.matched) {
        if (match.a == a)
            return &match;
    }
    return nullptr;
}

} // namespace

class FileDiffTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesFirst()
    {
        const Graph a = chain("[one] p = Relu (x)\n[two] y = Neg (p)");
        const Graph b = chain("[zero] q = Abs (x)\n[one] r = Relu (q)\n[two] y = Neg (r)");
        const FileDiff diff = diffFiles(a, b);
        QCOMPARE(diff.matched.size(), std::size_t{2});
        const FileMatch* one = matchOf(diff, test::nodeNamed(a, "one"));
        QVERIFY(one && one->b == test::nodeNamed(b, "one"));
        QCOMPARE(one->how, FileMatch::How::name);
        QCOMPARE(diff.changed.size(), std::size_t{1}); // Relu reads something else
        QCOMPARE(diff.changed.front().a, one->a);
        QVERIFY(diff.onlyA.empty());
        QCOMPARE(diff.onlyB, std::vector<NodeId>{test::nodeNamed(b, "zero")});
    }

    void structureWithoutNames()
    {
        const Graph a = chain("p = Relu (x)\nq = Neg (p)\ny = Add (p, q)");
        const Graph b = chain("k = Relu (x)\nl = Neg (k)\nm = Add (k, l)\ny = Identity (m)");
        const FileDiff diff = diffFiles(a, b);
        QCOMPARE(diff.matched.size(), std::size_t{3});
        for (const FileMatch& match : diff.matched) {
            QCOMPARE(match.how, FileMatch::How::structure);
            QCOMPARE(a.node(match.a)->op, b.node(match.b)->op);
        }
        QVERIFY(diff.changed.empty());
        QCOMPARE(diff.onlyB.size(), std::size_t{1});
        QVERIFY(b.node(diff.onlyB.front())->is("Identity"));
    }

    void constantsAndAttributesCount()
    {
        const Graph a = chain("[n] y = Add (x, w)", "<float[4] w = {1, 2, 3, 4}>");
        QCOMPARE(diffFiles(a, chain("[n] y = Add (x, w)", "<float[4] w = {1, 2, 3, 5}>"))
                     .changed.size(),
                 std::size_t{1});
        QVERIFY(diffFiles(a, chain("[n] y = Add (x, other)", "<float[4] other = {1, 2, 3, 4}>"))
                    .changed.empty());
        const Graph soft = chain("[n] y = Softmax <axis = 0> (x)");
        QCOMPARE(diffFiles(soft, chain("[n] y = Softmax (x)")).changed.size(), std::size_t{1});
        QVERIFY(diffFiles(soft, soft).changed.empty());
    }
};

FUSESCOPE_TEST(FileDiffTest, file_diff_test)
#include "file_diff_test.moc"
