#include "exec/executor.h"
#include "model/graph_text.h"
#include "model/id_pool.h"
#include "ops/inference.h"
#include "ops/patch_builder.h"
#include "report/render.h"
#include "support/test_class.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <thread>

using namespace fusescope;

namespace {

Graph parsed(std::string_view text)
{
    auto graph = parseGraph(text);
    if (!graph)
        qFatal("%s", render(graph.error().message, nullptr).c_str());
    if (auto inferred = inferGraph(*graph))
        (void)graph->apply(inferred->patch);
    return *std::move(graph);
}

ValueId named(const Graph& graph, std::string_view name)
{
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        if (graph.value(ValueId{i}) && graph.value(ValueId{i})->name == name)
            return ValueId{i};
    }
    return {};
}

Tensor floats(std::vector<std::int64_t> shape, std::vector<float> values)
{
    return Tensor::of<float>(std::move(shape), values);
}

std::vector<double> numbers(const RuntimeValue& value)
{
    std::vector<double> result;
    const Tensor* t = value.tensor();
    for (std::int64_t i = 0; t && i < t->elementCount(); ++i)
        result.push_back(t->asDouble(i));
    return result;
}

RunResult ran(const Graph& graph, const RunInputs& inputs, const RunOptions& options = {})
{
    auto result = ReferenceExecutor(graph).run(inputs, options);
    if (!result)
        qFatal("%s", render(result.error().message, &graph).c_str());
    return *std::move(result);
}

constexpr std::string_view counting = R"(
<ir_version: 8, opset_import: ["" : 17]>
main (int64 n, float[2] x) => (float[2] last, float[K, 2] all)
<bool go = {1}, float[2] step = {1, 10}>
{
    last, all = Loop (n, go, x) <body = body (int64 i, bool c, float[2] v) => (bool d, float[2] w, float[2] s)
        {
            d = Identity (c)
            w = Add (v, step)
            s = Neg (w)
        }>
}
)";

} // namespace

class ReferenceExecutorTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsLoopsWithCaptures()
    {
        const Graph graph = parsed(counting);
        const RunResult result = ran(graph, {{"n", Tensor::scalar<std::int64_t>(3)},
                                             {"x", floats({2}, {0, 0})}});
        QCOMPARE(numbers(result.outputs[0].second), (std::vector<double>{3, 30}));
        QCOMPARE(numbers(result.outputs[1].second),
                 (std::vector<double>{-1, -10, -2, -20, -3, -30}));
        const RunResult none = ran(graph, {{"n", Tensor::scalar<std::int64_t>(0)},
                                           {"x", floats({2}, {5, 6})}});
        QCOMPARE(numbers(none.outputs[0].second), (std::vector<double>{5, 6}));
        QCOMPARE(none.outputs[1].second.tensor()->shape(), (std::vector<std::int64_t>{0, 2}));
    }

    void limitsTrips()
    {
        const Graph graph = parsed(counting);
        RunOptions options;
        options.maxTrips = 10;
        const auto result = ReferenceExecutor(graph).run(
            {{"n", Tensor::scalar<std::int64_t>(11)}, {"x", floats({2}, {0, 0})}}, options);
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().message.text.key), std::string("ops.too-many-trips"));
    }

    // Version 8: of each sequence of a batch only its own length is read, from its end when reversed.
    void scansSequencesOfTheirLengths()
    {
        const auto scanned = [](int direction) {
            const Graph graph = parsed(fmt::format(R"(
<ir_version: 3, opset_import: ["" : 8]>
main (int64[2] l, float[2, 1] s, float[2, 3, 1] x) => (float[2, 1] y, float[2, 3, 1] z)
{{
    y, z = Scan <directions = [{}], num_scan_inputs = 1,
                 body = b (float[1] a, float[1] e) => (float[1] t, float[1] o)
                 {{ t = Add (a, e) o = Identity (t) }}> (l, s, x)
}}
)", direction));
            const RunResult result =
                ran(graph, {{"l", Tensor::of<std::int64_t>({2}, std::vector<std::int64_t>{2, 3})},
                            {"s", floats({2, 1}, {0, 0})},
                            {"x", floats({2, 3, 1}, {1, 2, 4, 8, 16, 32})}});
            return std::pair(numbers(result.outputs[0].second), numbers(result.outputs[1].second));
        };
        const std::vector<double> last = {3, 56};
        QCOMPARE(scanned(0), std::pair(last, std::vector<double>{1, 3, 0, 8, 24, 56}));
        QCOMPARE(scanned(1), std::pair(last, std::vector<double>{2, 3, 0, 32, 48, 56}));
    }

    void saysWhichOpsetAnOperatorNeeds()
    {
        const auto result = ReferenceExecutor(parsed(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[2] x) => (float[] y) { y = Gelu (x) })")).run({{"x", floats({2}, {1, 2})}}, {});
        QVERIFY(!result);
        QCOMPARE(render(result.error().message, nullptr),
                 std::string("The operator `Gelu` came with opset 20; the model imports opset 17."));
    }

    void refusesWhatACallDoesNotTake()
    {
        const Graph graph = parsed(R"(
<ir_version: 8, opset_import: ["" : 17, "local" : 1]>
main (float[2] x) => (float[] y) { y = local.twice (x, x) }
<domain: "local", opset_import: ["" : 17]>
twice (a) => (b) { b = Add (a, a) }
)");
        const auto result = ReferenceExecutor(graph).run({{"x", floats({2}, {1, 2})}}, {});
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().message.text.key), std::string("io.too-many-inputs"));
    }

    void scansInKnownDirections()
    {
        const Graph graph = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
main (float[3] x) => (float[] y)
{
    y = Scan <num_scan_inputs = 1, scan_input_directions = [2], body = b (float e) => (float o)
        { o = Neg (e) }> (x)
}
)");
        const auto result = ReferenceExecutor(graph).run({{"x", floats({3}, {1, 2, 3})}}, {});
        QVERIFY(!result);
        QCOMPARE(render(result.error().message, nullptr),
                 std::string("Attribute `scan_input_directions` must be 0 or 1, but it is 2."));
    }

    // Loops within loops count together; a file cannot make a run endless.
    void limitsTripsOfAllLoops()
    {
        const Graph graph = parsed(R"(
<ir_version: 8, opset_import: ["" : 17]>
main (int64 n, float x) => (float y)
{
    y = Loop <body = outer (int64 i, bool c, float v) => (bool d, float w)
        {
            d = Identity (c)
            w = Loop <body = inner (int64 j, bool e, float p) => (bool f, float q)
                {
                    f = Identity (e)
                    q = Neg (p)
                }> (n, "", v)
        }> (n, "", x)
}
)");
        RunOptions options;
        options.maxTrips = 100;
        const auto run = [&](std::int64_t n) {
            return ReferenceExecutor(graph).run(
                {{"n", Tensor::scalar<std::int64_t>(n)}, {"x", Tensor::scalar(1.0F)}}, options);
        };
        QVERIFY(run(9)); // 9 + 81
        const auto result = run(10);
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().message.text.key), std::string("ops.too-many-trips"));
        QVERIFY(result.error().node);
    }

    // The results of trips wait in memory until the loop ends.
    void limitsWhatLoopsKeep()
    {
        const Graph graph = parsed(counting);
        RunOptions options;
        options.memoryLimit = 10'000;
        const auto result = ReferenceExecutor(graph).run(
            {{"n", Tensor::scalar<std::int64_t>(100'000)}, {"x", floats({2}, {0, 0})}}, options);
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().message.text.key), std::string("ops.memory-limit"));
        QVERIFY(result.error().node);
    }

    void refusesElementsOfAnotherType()
    {
        const Graph graph = parsed("g (seq(string[]) s, int64 i) => (y) { y = SequenceAt (s, i) }");
        SequenceValue given{Type::tensor(DType::string), {}};
        given.elements.push_back(
            std::make_shared<const RuntimeValue>(Tensor::scalar<std::int64_t>(3)));
        const auto result = ReferenceExecutor(graph).run(
            {{"s", given}, {"i", Tensor::scalar<std::int64_t>(0)}}, {});
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().message.text.key), std::string("ops.input-type"));
    }

    // An output that is an initializer whose file is missing.
    void refusesOutputsWithoutContents()
    {
        const Graph graph = parsed("g (float[2] x) => (y, w) <float[2] w = missing> { y = Neg (x) }");
        const RunInputs inputs = {{"x", floats({2}, {1, 2})}};
        const auto plain = ReferenceExecutor(graph).run(inputs, {});
        QVERIFY(!plain);
        QCOMPARE(plain.error().code, ErrorCode::unreadable);
        auto plan = FusedExecutor::plan(graph, inputs, {});
        QVERIFY(plan);
        QVERIFY(!plan->run(inputs, {}));
    }

    void bindsAttributesOfFunctions()
    {
        const Graph graph = parsed(R"(
<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
main (float[2] x) => (float[2] y, float[2] z)
{
    y = f.act <alpha = 2.0> (x)
    z = f.act (x)
}
<domain: "f", opset_import: ["" : 17]> act <alpha: float = 1.0> (v) => (w)
{ w = Elu <alpha: float = @alpha> (v) }
)");
        const RunResult result = ran(graph, {{"x", floats({2}, {-1, 3})}});
        const double negative = std::exp(-1.0) - 1;
        QVERIFY(std::abs(numbers(result.outputs[0].second)[0] - 2 * negative) < 1e-6);
        QVERIFY(std::abs(numbers(result.outputs[1].second)[0] - negative) < 1e-6);
        QCOMPARE(numbers(result.outputs[1].second)[1], 3.0);
    }

    void regionsMeanTheirBodies()
    {
        const Graph graph = parsed(R"(
main (float[3] x) => (float[3] y)
<float[3] k = {1, 2, 3}>
{
    a = Mul (x, k)
    b = Add (a, k)
    y = Relu (b)
}
)");
        IdPool pool(graph);
        const NodeId root = graph.producer(named(graph, "y"));
        PatchBuilder builder(graph, pool, "test", root);
        builder.makeRegion("test",
                           {graph.producer(named(graph, "a")), graph.producer(named(graph, "b")), root},
                           {});
        const auto patch = builder.finish();
        QVERIFY(patch.has_value());
        Graph fused = graph;
        QVERIFY(fused.apply(*patch).has_value());
        const RunInputs inputs = {{"x", floats({3}, {-5, 0.5, 2})}};
        QCOMPARE(numbers(ran(fused, inputs).outputs[0].second),
                 numbers(ran(graph, inputs).outputs[0].second));
    }

    void keepsAndTakesGivenValues()
    {
        const Graph graph = parsed(R"(
<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]>
main (float[2] x) => (float[2] y)
{
    a = Neg (x)
    c = com.acme.Unknown (a)
    y = Add (c, a)
}
)");
        const auto broken = ReferenceExecutor::nodesWithoutKernel(graph);
        QCOMPARE(broken, std::vector<NodeId>{graph.producer(named(graph, "c"))});
        RunOptions options;
        options.keep = {named(graph, "a")};
        options.given[named(graph, "c")] = floats({2}, {100, 200});
        const RunResult result = ran(graph, {{"x", floats({2}, {1, 2})}}, options);
        QCOMPARE(numbers(result.outputs[0].second), (std::vector<double>{99, 198}));
        QCOMPARE(numbers(result.kept.at(named(graph, "a"))), (std::vector<double>{-1, -2}));
        const auto without = ReferenceExecutor(graph).run({{"x", floats({2}, {1, 2})}}, {});
        QVERIFY(!without);
        QCOMPARE(without.error().code, ErrorCode::unsupported);
        QCOMPARE(without.error().node, broken.front());
    }

    void saysWhatInputsDoNotFit()
    {
        const Graph graph = parsed("main (float[N, 2] x) => (float[N, 2] y) { y = Neg (x) }");
        const auto key = [&](const RunInputs& inputs) {
            const auto result = ReferenceExecutor(graph).run(inputs, {});
            return result ? std::string() : std::string(result.error().message.text.key);
        };
        QCOMPARE(key({}), std::string("ops.input-missing"));
        QCOMPARE(key({{"x", floats({1, 3}, {1, 2, 3})}}), std::string("ops.input-type"));
        QCOMPARE(key({{"x", floats({1, 2}, {1, 2})}, {"z", floats({1}, {1})}}),
                 std::string("ops.input-unknown"));
        QCOMPARE(key({{"x", floats({1, 2}, {1, 2})}}), std::string());
    }

    void freesValuesAfterTheirLastUse()
    {
        // Each value takes 4 MB; ten of them in a row need room for a few at a time.
        std::string text = "main (float[1048576] v0) => (float[1048576] v10) {\n";
        for (int i = 0; i < 10; ++i)
            text += "v" + std::to_string(i + 1) + " = Neg (v" + std::to_string(i) + ")\n";
        const Graph graph = parsed(text + "}\n");
        const RunInputs inputs = {{"v0", Tensor::allocate(DType::float32, {1 << 20})}};
        RunOptions options;
        options.memoryLimit = 13 << 20;
        QVERIFY(ReferenceExecutor(graph).run(inputs, options).has_value());
        options.memoryLimit = 3 << 20;
        const auto result = ReferenceExecutor(graph).run(inputs, options);
        QVERIFY(!result);
        QCOMPARE(std::string(result.error().message.text.key), std::string("ops.memory-limit"));
    }

    void stopsSoon()
    {
        const Graph graph = parsed(R"(
main (float[1, 64, 512, 512] x) => (float[1, 256, 512, 512] y)
<float[256, 64, 3, 3] w = random(1)>
{ y = Conv <pads = [1, 1, 1, 1]> (x, w) }
)");
        std::stop_source source;
        RunOptions options;
        options.stop = source.get_token();
        std::chrono::steady_clock::time_point asked;
        std::jthread asking([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            asked = std::chrono::steady_clock::now();
            source.request_stop();
        });
        const auto result = ReferenceExecutor(graph).run(
            {{"x", Tensor::allocate(DType::float32, {1, 64, 512, 512})}}, options);
        asking.join();
        QVERIFY(!result);
        QCOMPARE(result.error().code, ErrorCode::cancelled);
        // The whole run takes minutes; the bound tells no more than that it was cut short.
        QVERIFY(std::chrono::steady_clock::now() - asked < std::chrono::seconds(60));
    }

    void evaluatesConstants()
    {
        const Graph graph = parsed(R"(
main (float[2] x) => (float[2] y)
<float[2] a = {1, 2}, float[2] b = {3, 4}>
{
    s = Add (a, b)
    y = Mul (s, x)
}
)");
        const auto sum = ReferenceExecutor::evaluate(graph, graph.producer(named(graph, "s")), 1 << 20);
        QVERIFY(sum.has_value());
        QCOMPARE(numbers(sum->front()), (std::vector<double>{4, 6}));
        QVERIFY(!ReferenceExecutor::evaluate(graph, graph.producer(named(graph, "y")), 1 << 20));
    }

    void gradients()
    {
        const auto text = [](std::string_view nodes, std::string_view names) {
            return fmt::format(
                "<ir_version: 8, opset_import: [\"\" : 17, \"ai.onnx.preview.training\" : 1]>\n"
                "main (float[1, 2] x, float[2, 2] w, float[2] b) => (float[1, 2] dx, float[2, 2] dw, "
                "float[2] db)\n{{ {} dx, dw, db = ai.onnx.preview.training.Gradient <{}> (x, w, b) }}",
                nodes, names);
        };
        const RunInputs inputs = {{"x", RuntimeValue(floats({1, 2}, {1, 2}))},
                                  {"w", RuntimeValue(floats({2, 2}, {1, 0, 0, 1}))},
                                  {"b", RuntimeValue(floats({2}, {0, 1}))}};
        // y = (x w + b)²: dy/db = 2 (x w + b), and what comes before by the product with x and w.
        const std::string nodes = "p = MatMul (x, w) s = Add (p, b) y = Mul (s, s)";
        const RunResult result = ran(
            parsed(text(nodes, "xs = [\"x\", \"w\", \"b\"], y = \"y\"")), inputs);
        QCOMPARE(numbers(result.outputs[0].second), (std::vector<double>{2, 6}));
        QCOMPARE(numbers(result.outputs[1].second), (std::vector<double>{2, 6, 4, 12}));
        QCOMPARE(numbers(result.outputs[2].second), (std::vector<double>{2, 6}));
        const auto why = [&](std::string_view given, std::string_view names) {
            const Graph graph = parsed(text(given, names));
            const auto failed = ReferenceExecutor(graph).run(inputs, {});
            return failed ? std::string() : render(failed.error().message, &graph);
        };
        QCOMPARE(why(nodes, "xs = [\"x\", \"w\", \"b\"], y = \"z\""),
                 std::string("Gradient names `z`, which its graph does not have."));
        QCOMPARE(why("y = Softmax (x)", "xs = [\"x\", \"w\", \"b\"], y = \"y\""),
                 std::string("Gradient cannot differentiate Softmax."));
        QCOMPARE(why(nodes, "xs = [\"x\", \"w\"], y = \"y\""),
                 std::string(
                     "The differentiated value depends on `b`, which Gradient does not list."));
    }
};

FUSESCOPE_TEST(ReferenceExecutorTest, reference_executor_test)
#include "reference_executor_test.moc"
