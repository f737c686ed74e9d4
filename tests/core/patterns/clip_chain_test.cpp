#include "support/rewrite_check.h"
#include "support/test_class.h"

#include "exec/executor.h"

#include <fmt/format.h>

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
           "float endless = {inf}, float half = {0.5}, float[1] list = {-1}, float none = {nan}, "
           "float[4] several = {1, 2, 3, 4}, float[1, 1] matrix = {2}> { " +
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

    // Max and Min by a number are Clips with one bound.
    void extremes_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("left");
        const auto row = [](int opset, const char* body, const char* left) {
            QTest::addRow("%d %s", opset, body) << opset << body << left;
        };
        row(13, "a = Max (x, low) y = Min (a, six)", "Clip");
        row(13, "a = Min (six, x) y = Max (low, a)", "Clip");
        row(11, "a = Max (x, low) y = Min (a, six)", "Clip");
        row(10, "a = Max (x, low) y = Min (a, six)", "Clip");
        row(13, "a = Max (x, low) y = Max (a, six)", "Max");
        row(13, "a = Min (x, low) y = Min (a, six)", "Min");
        row(13, "a = Relu (x) y = Min (a, six)", "Clip");
        row(13, "a = Relu (x) y = Max (a, six)", "Max");
        row(13, "a = Relu (x) y = Max (a, low)", "Relu");
        row(13, "a = Max (x, low) y = Relu (a)", "Relu");
        row(13, "a = Clip (x, low) y = Min (a, six)", "Clip");
        row(13, "a = Clip (x, low, six) y = Max (a, half)", "Clip");
        row(13, "a = Max (x, list) y = Min (a, six)", "Clip");
        row(13, "a = Max (x, list) y = Max (a, low)", "Max");
        row(13, "a = Max (x, low) y = Min (a, endless)", "Max");
    }
    void extremes() { infinitiesStayAsTheyWere(); }

    void extremesOfIntegersAndHalves()
    {
        RewriteCheck exact;
        exact.rtol = 0;
        for (const char* type : {"int8", "uint16", "int64", "uint64", "float16", "double"}) {
            Graph graph = graphOf(fmt::format(R"(<ir_version: 8, opset_import: ["" : 13]>
                g ({0}[4] x) => ({0}[4] y) <{0} low = {{3}}, {0}[1] high = {{6}}>
                {{ a = Max (x, low) y = Min (high, a) }})",
                                              type));
            QCOMPARE(rewriteProblem(graph, rule, "y", exact), std::string());
            QCOMPARE(operatorsOf(graph), std::string("Clip"));
        }
    }

    void extremesThatStay_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("codes");
        const auto row = [](int opset, const char* body, const char* codes) {
            QTest::addRow("%d %s", opset, body) << opset << body << codes;
        };
        row(13, "a = Max (x, six) y = Min (a, low)", "inverted-bounds");
        row(13, "a = Max (x, none) y = Min (a, six)", "inverted-bounds"); // NaN
        row(13, "a = Max (x, several) y = Min (a, six)", "unexpected-constant");
        row(13, "a = Max (x, matrix) y = Min (a, six)", "broadcast-enlarges");
        row(13, "a = Max (x, low) b = Exp (a) c = Min (a, six) y = Add (b, c)", "no candidate");
        row(13, "a = Max (x, x) y = Min (a, six)", "no candidate");
        row(13, "a = Max (x, low, six) y = Min (a, six)", "no candidate");
    }
    void extremesThatStay()
    {
        QFETCH(int, opset);
        QFETCH(QString, body);
        QFETCH(QString, codes);
        QCOMPARE(QString::fromStdString(codesOf(graphOf(model(opset, body.toStdString())), rule,
                                                "y")),
                 codes);
    }

    // Bounds as attributes are of float32, and Clip takes no integers before 12.
    void extremesOfOldOpsets()
    {
        const auto codes = [](int opset, const char* type) {
            return codesOf(graphOf(fmt::format(R"(<ir_version: 8, opset_import: ["" : {0}]>
                g ({1}[4] x) => ({1}[4] y) <{1} low = {{3}}, {1} high = {{6}}>
                {{ a = Max (x, low) y = Min (a, high) }})",
                                               opset, type)),
                           rule, "y");
        };
        QCOMPARE(codes(10, "double"), std::string("unsupported-type"));
        QCOMPARE(codes(11, "double"), std::string("match"));
        QCOMPARE(codes(12, "int32"), std::string("match"));
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
