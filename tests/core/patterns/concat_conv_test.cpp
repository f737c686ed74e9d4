#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "concat-conv";

std::string model(std::string_view body, std::string_view outputs = "float[N, 3, A, B] y")
{
    return fmt::format(R"(g (float[N, 2, 5, 5] p, float[N, 4, 5, 5] q) => ({})
        <float[3, 6, 3, 3] W = random(1), float[3] b = random(2), float[3, 3, 3, 3] H = random(3)>
        {{ {} }})",
                       outputs, body);
}

} // namespace

class ConcatConvTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fuses()
    {
        Graph graph = graphOf(model("j = Concat <axis = -3> (p, q) [conv] y = Conv (j, W, b)"));
        QCOMPARE(rewriteProblem(graph, rule, "conv"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(Concat Conv)"));
        const Node* region = graph.node(graph.producer(graph.body(graph.mainBody())->outputs[0]));
        QCOMPARE(region->region->kind, std::string("concat-conv"));
        QVERIFY(region->region->nodeOf(Role::concat));
        QVERIFY(region->region->nodeOf(Role::main));
    }

    void growsByWhatFollows()
    {
        Graph graph = graphOf(model("j = Concat <axis = 1> (p, q) c = Conv (j, W, b) y = Relu (c)"));
        QCOMPARE(rewriteProblem(graph, rule, "c"), std::string());
        QCOMPARE(rewriteProblem(graph, "conv-activation", "y"), std::string());
        QCOMPARE(operatorsOf(graph), std::string("region(Concat Conv Relu)"));
    }

    void refuses()
    {
        QCOMPARE(refusalOf(graphOf(model("[cat] j = Concat <axis = 1> (p, q) [conv] y = Conv (j, W) "
                                         "[relu] z = Relu (j)",
                                         "float[N, 3, A, B] y, float[N, 6, C, D] z")),
                           rule, "conv"),
                 std::string("multi-consumer [relu] Result is read elsewhere too | `cat` is also "
                             "read by `relu`, which needs the value before `conv`. | Give that "
                             "reader a producer of its own, or drop that reader. | "
                             "duplicate-producer"));
        QCOMPARE(codesOf(graphOf(R"(g (float[1, 2, 5, 5] p) => (float[1, 3, A, B] y)
            <float[3, 2, 3, 3] W = random(1)>
            { j = Concat <axis = 3> (p, p)
              y = Conv (j, W) })"),
                         rule, "y"),
                 std::string("axis-mismatch"));
        QCOMPARE(codesOf(graphOf(model("j = Concat <axis = 1> (p, q) r = Relu (j) y = Conv (r, W)")),
                         rule, "y"),
                 std::string("no candidate"));
    }
};

FUSESCOPE_TEST(ConcatConvTest, concat_conv_test)
#include "concat_conv_test.moc"
