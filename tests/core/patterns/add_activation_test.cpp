#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "add-activation";

std::string model(std::string_view body, std::string_view outputs = "float[N, 4] y",
                  std::string_view type = "float")
{
    return fmt::format(R"(g ({0}[N, 4] p, {0}[1, 4] q) => ({1})
        <float low = {{0}}, float high = {{0.25}}> {{ {2} }})",
                       type, outputs, body);
}

} // namespace

class AddActivationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fuses_data()
    {
        QTest::addColumn<QString>("body");
        QTest::newRow("Relu") << "s = Add (p, p) y = Relu (s)";
        QTest::newRow("broadcast") << "s = Add (p, q) y = Relu (s)";
        QTest::newRow("constant") << "s = Add (p, high) y = Sigmoid (s)";
        QTest::newRow("Clip") << "s = Add (p, q) y = Clip (s, low, high)";
    }
    void fuses()
    {
        QFETCH(QString, body);
        Graph graph = graphOf(model(body.toStdString()));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QVERIFY(operatorsOf(graph).starts_with("region(Add "));
    }

    void fusesIntegers()
    {
        Graph graph = graphOf(model("s = Add (p, q) y = Relu (s)", "int32[N, 4] y", "int32"));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
    }

    void refuses()
    {
        QCOMPARE(refusalOf(graphOf(model("[add] s = Add (p, q) [relu] y = Relu (s) [neg] z = Neg (s)",
                                         "float[N, 4] y, float[N, 4] z")),
                           rule, "relu"),
                 std::string("multi-consumer [neg] Result is read elsewhere too | `add` is also read "
                             "by `neg`, which needs the value before `relu`. | Give that reader a "
                             "producer of its own, or drop that reader. | duplicate-producer"));
        QCOMPARE(codesOf(graphOf(model("s = Add (p, q) y = Relu (s)", "float[N, 4] y, float[N, 4] s")),
                         rule, "y"),
                 std::string("graph-output"));
        QCOMPARE(codesOf(graphOf(model("s = Mul (p, q) y = Relu (s)")), rule, "y"),
                 std::string("no candidate"));
        const Graph graph = graphOf(model("[add] s = Add (p, q) [relu] y = Relu (s)"));
        Policy policy;
        policy.pinnedNodes.insert(nodeNamed(graph, "add"));
        QCOMPARE(codesOf(graph, rule, "relu", policy), std::string("pinned"));
    }
};

FUSESCOPE_TEST(AddActivationTest, add_activation_test)
#include "add_activation_test.moc"
