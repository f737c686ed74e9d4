#include "support/rewrite_check.h"
#include "support/test_class.h"

#include "exec/executor.h"

#include <limits>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "clip-chain";
constexpr double infinity = std::numeric_limits<double>::infinity();

// y for an x of infinities, NaN and 1.
std::string outputOf(const Graph& graph)
{
    Tensor x = Tensor::allocate(DType::float32, {4});
    x.store(0, -infinity);
    x.store(1, infinity);
    x.store(2, std::numeric_limits<double>::quiet_NaN());
    x.store(3, 1.0);
    RunInputs inputs;
    inputs["x"] = RuntimeValue(std::move(x));
    const auto result = ReferenceExecutor(graph).run(inputs, {});
    if (!result)
        return "fails";
    std::string text;
    for (std::int64_t i = 0; i < 4; ++i)
        text += std::to_string(result->outputs[0].second.tensor()->asDouble(i)) + " ";
    return text;
}

std::string model(int opset, std::string_view body)
{
    return "<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) +
           "]> g (float[4] x) => (float[4] y) <float low = {-1}, float six = {6}, "
           "float endless = {inf}> { " +
           std::string(body) + " }";
}

} // namespace

// What bounds a Clip that gives none decides what becomes of infinities.
class ClipChainTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void infinitiesStayAsTheyWere_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("left");
        const auto row = [](int opset, const char* body, const char* left) {
            QTest::addRow("%d %s", opset, body) << opset << body << left;
        };
        row(10, "a = Clip <min = -1.0> (x) y = Relu (a)", "Clip");
        row(10, "a = Relu (x) y = Clip <min = -1.0> (a)", "Clip");
        row(10, "a = Clip <max = 6.0> (x) y = Clip <min = -1.0> (a)", "Clip");
        row(10, "a = Clip (x) y = Clip (a)", "Clip");
        row(10, "a = Relu (x) y = Relu (a)", "Relu");
        row(13, "a = Clip (x, low) y = Relu (a)", "Clip");
        row(13, "a = Relu (x) y = Clip (a)", "Clip");
        row(13, "a = Clip (x, \"\", six) y = Clip (a, low)", "Clip");
        row(13, "a = Clip (x, low, endless) y = Relu (a)", "Relu");
        row(13, "a = Clip (x, low, endless) y = Clip (a, low)", "Clip");
        row(13, "a = Clip (x) y = Clip (a)", "Clip");
    }
    void infinitiesStayAsTheyWere()
    {
        QFETCH(int, opset);
        QFETCH(QString, body);
        QFETCH(QString, left);
        Graph graph = graphOf(model(opset, body.toStdString()));
        const std::string before = outputOf(graph);
        QVERIFY(before != "fails");
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        QCOMPARE(operatorsOf(graph), left.toStdString());
        QCOMPARE(outputOf(graph), before);
    }

    // A bound that is given in one of the two stays out of the other's way.
    void whatIsNotGivenStaysSo()
    {
        Graph graph = graphOf(model(13, "a = Clip (x, low) y = Relu (a)"));
        QCOMPARE(rewriteProblem(graph, rule, "y"), std::string());
        const Node* clip =
            GraphView(graph).producerNode(graph.body(graph.mainBody())->outputs.front());
        QVERIFY(clip);
        QCOMPARE(clip->inputs.size(), std::size_t{2});
        QCOMPARE(graph.constant(clip->input(1))->asDouble(0), 0.0);
    }
};

FUSESCOPE_TEST(ClipChainTest, clip_chain_test)
#include "clip_chain_test.moc"
