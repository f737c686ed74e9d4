#include "core/exec/fused_support.h"

#include "exec/compare.h"
#include "model/graph_text.h"
#include "support/test_class.h"

#include <functional>
#include <limits>
#include <thread>

using namespace fusescope;
using namespace fusescope::test;

// What a plan does besides computing: other sizes, values kept and given, limits, stopping, memory.
class FusedPlanTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plansAgainForOtherSizes();
    void takesAnOverriddenInitializer();
    void keepsIntermediates();
    void takesGivenValues();
    void regionsAreOneStep();
    void regionWithoutKernelRunsItsBody();
    void residualThatIsAlsoTheSource();
    void refusesTooLittleMemory();
    void stops();
    void limitsAndStopsLoops();
    void plansAgainWithoutWrongSizes();
    void leavesHugeResultsToTheReference();
    void looksOnceIntoEachFunction();
    void saysWhyNotFaster();
    void profilesEachStep();
    void benchesInterleaved();
    void refusesWrongInputs();
    void refusesAxesThatTheReferenceRefuses();
};

namespace {

constexpr std::string_view dynamic = R"(
g (float[N, 3, H, W] x) => (float[N, 5, H, W] y, int64[4] s)
<float[5, 3, 3, 3] W1 = random(1), float[5, 5, 1, 1] W2 = random(2)>
{
    a = Conv <pads = [1, 1, 1, 1]> (x, W1)
    b = Relu (a)
    c = Conv (b, W2)
    y = Add (c, b)
    s = Shape (y)
}
)";

constexpr std::string_view region = R"(
<ir_version: 8, opset_import: ["" : 17, "fusescope" : 1]>
g (float[1, 16, 8, 8] x) => (float[1, 16, 8, 8] y)
<float[16, 16, 3, 3] W1 = random(1), float[16] B1 = random(2)>
{
    a = Relu (x)
    y = fusescope."conv-add-activation" <kind = "conv-add-activation",
        roles = ["main", "residual", "activation"],
        body = (float[1, 16, 8, 8] p, float[16, 16, 3, 3] w, float[16] q) => (float[1, 16, 8, 8] u)
        {
            c = Conv <pads = [1, 1, 1, 1]> (p, w, q)
            d = Add (c, p)
            u = Relu (d)
        }> (a, W1, B1)
}
)";

ValueId valueNamed(const Graph& graph, std::string_view name)
{
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        const Value* value = graph.value(ValueId{i});
        if (value && value->name == name)
            return ValueId{i};
    }
    return {};
}

Tensor floats(std::vector<std::int64_t> shape, std::uint64_t seed)
{
    return randomTensor(DType::float32, std::move(shape), seed);
}

} // namespace

void FusedPlanTest::plansAgainForOtherSizes()
{
    const Graph graph = graphOf(dynamic);
    RunInputs inputs;
    inputs["x"] = floats({1, 3, 8, 8}, 1);
    PlanOptions options;
    options.poison = true;
    auto executor = FusedExecutor::plan(graph, inputs, options);
    QVERIFY(executor.has_value());
    const std::int64_t small = executor->arenaBytes();
    const std::vector<std::vector<std::int64_t>> shapes = {
        {1, 3, 8, 8},   {2, 3, 17, 5}, {1, 3, 8, 8}, {0, 3, 4, 4},
        {3, 3, 40, 41}, {1, 3, 1, 1},  {2, 3, 17, 5}};
    for (const auto& shape : shapes) {
        inputs["x"] = floats(shape, 2);
        const auto expected = ReferenceExecutor(graph).run(inputs, {});
        const auto found = executor->run(inputs, {});
        QVERIFY(expected.has_value() && found.has_value());
        for (std::size_t i = 0; i < 2; ++i)
            QVERIFY(compareValues(expected->outputs[i].second, found->outputs[i].second).pass);
    }
    inputs["x"] = floats({3, 3, 40, 41}, 2);
    QVERIFY(executor->run(inputs, {}).has_value());
    QVERIFY(executor->arenaBytes() > small);
}

void FusedPlanTest::takesAnOverriddenInitializer()
{
    const Graph graph = graphOf(R"(
g (float[1, 3, 4, 4] x, float[2, 3, 1, 1] w) => (float[1, 2, 4, 4] y)
<float[2, 3, 1, 1] w = random(1)> { y = Conv (x, w) })");
    RunInputs inputs;
    inputs["x"] = floats({1, 3, 4, 4}, 3);
    auto executor = FusedExecutor::plan(graph, inputs, {});
    QVERIFY(executor.has_value());
    for (int round = 0; round < 3; ++round) {
        if (round == 1)
            inputs["w"] = floats({2, 3, 1, 1}, 9);
        if (round == 2)
            inputs.erase("w");
        const auto expected = ReferenceExecutor(graph).run(inputs, {});
        const auto found = executor->run(inputs, {});
        QVERIFY(expected.has_value() && found.has_value());
        QVERIFY(compareValues(expected->outputs[0].second, found->outputs[0].second).pass);
    }
}

void FusedPlanTest::keepsIntermediates()
{
    const Graph graph = graphOf(dynamic);
    RunInputs inputs;
    inputs["x"] = floats({2, 3, 9, 9}, 4);
    RunOptions run;
    for (const char* name : {"x", "a", "b", "c", "y", "s", "W1"})
        run.keep.insert(valueNamed(graph, name));
    PlanOptions options;
    options.poison = true;
    auto executor = FusedExecutor::plan(graph, inputs, options);
    QVERIFY(executor.has_value());
    const auto expected = ReferenceExecutor(graph).run(inputs, run);
    const auto found = executor->run(inputs, run);
    QVERIFY(expected.has_value() && found.has_value());
    for (const char* name : {"a", "b", "c", "y", "s"}) {
        const ValueId id = valueNamed(graph, name);
        QVERIFY2(found->kept.contains(id), name);
        QVERIFY2(compareValues(expected->kept.at(id), found->kept.at(id)).pass, name);
    }
    // Inside a region nothing can be seen.
    const Graph fused = graphOf(region);
    RunInputs others;
    others["x"] = floats({1, 16, 8, 8}, 5);
    RunOptions hidden;
    hidden.keep = {valueNamed(fused, "c"), valueNamed(fused, "a")};
    auto second = FusedExecutor::plan(fused, others, options);
    QVERIFY(second.has_value());
    const auto result = second->run(others, hidden);
    QVERIFY(result.has_value());
    QCOMPARE(result->kept.size(), std::size_t{1});
    QVERIFY(result->kept.contains(valueNamed(fused, "a")));
}

void FusedPlanTest::takesGivenValues()
{
    const Graph graph = graphOf(R"(
<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]>
g (float[2, 3] x) => (float[2, 3] y)
<float[2, 3] b>
{ a = Relu (x) b = com.acme.Unknown (a) y = Add (b, a) })");
    RunInputs inputs;
    inputs["x"] = floats({2, 3}, 6);
    auto executor = FusedExecutor::plan(graph, inputs, {});
    QVERIFY(executor.has_value());
    QVERIFY(!executor->run(inputs, {}).has_value());
    RunOptions run;
    run.given[valueNamed(graph, "b")] = floats({2, 3}, 7);
    const auto expected = ReferenceExecutor(graph).run(inputs, run);
    const auto found = executor->run(inputs, run);
    QVERIFY(expected.has_value() && found.has_value());
    QVERIFY(compareValues(expected->outputs[0].second, found->outputs[0].second).pass);
}

void FusedPlanTest::regionsAreOneStep()
{
    const Graph graph = graphOf(region);
    const RunInputs inputs = inputsOf(graph);
    QCOMPARE(differences(graph, inputs), QString());
    PlanOptions options;
    const auto fused = FusedExecutor::plan(graph, inputs, options);
    options.fused = false;
    const auto unfused = FusedExecutor::plan(graph, inputs, options);
    QVERIFY(fused.has_value() && unfused.has_value());
    QCOMPARE(kernelsOf(*fused), QStringLiteral("elementwise, reorder, conv3x3 winograd-f2"));
    QCOMPARE(kernelsOf(*unfused), QStringLiteral("elementwise, reorder, conv3x3 winograd-f2, "
                                                 "elementwise, elementwise"));
    QVERIFY(fused->arenaBytes() <= unfused->arenaBytes());
}

void FusedPlanTest::regionWithoutKernelRunsItsBody()
{
    const Graph graph = graphOf(R"(
<ir_version: 8, opset_import: ["" : 17, "fusescope" : 1]>
g (float[2, 3] x) => (float[2, 3] y)
<int64 axis = {1}>
{
    y = fusescope.strange <kind = "strange", roles = ["part", "part"],
        body = (float[2, 3] p, int64 i) => (float[2, 3] u)
        {
            q = Softmax (p)
            u = CumSum (q, i)
        }> (x, axis)
})");
    const RunInputs inputs = inputsOf(graph);
    QCOMPARE(differences(graph, inputs), QString());
    const auto executor = FusedExecutor::plan(graph, inputs, {});
    QVERIFY(executor.has_value());
    QCOMPARE(kernelsOf(*executor), QStringLiteral("softmax, reference"));
    QVERIFY(!executor->steps()[0].rejected.empty());
    QCOMPARE(executor->steps()[0].rejected[0].first, std::string("region"));
}

void FusedPlanTest::residualThatIsAlsoTheSource()
{
    // The operand dies here, but the convolution still reads it while it writes.
    const Graph graph = graphOf(region);
    const RunInputs inputs = inputsOf(graph);
    PlanOptions options;
    options.winograd = false;
    auto executor = FusedExecutor::plan(graph, inputs, options);
    QVERIFY(executor.has_value());
    const auto expected = ReferenceExecutor(graph).run(inputs, {});
    const auto found = executor->run(inputs, {});
    QVERIFY(expected.has_value() && found.has_value());
    QVERIFY(compareValues(expected->outputs[0].second, found->outputs[0].second).pass);
}

void FusedPlanTest::refusesTooLittleMemory()
{
    const Graph graph = graphOf(dynamic);
    RunInputs inputs;
    inputs["x"] = floats({1, 3, 64, 64}, 8);
    PlanOptions options;
    options.memoryLimit = 10'000;
    const auto refused = FusedExecutor::plan(graph, inputs, options);
    QVERIFY(!refused.has_value());
    QCOMPARE(std::string(refused.error().message.text.key), std::string("exec.memory-limit"));
    QVERIFY(refused.error().node);
    options.memoryLimit = std::int64_t{1} << 30;
    auto planned = FusedExecutor::plan(graph, inputs, options);
    QVERIFY(planned.has_value());
    RunOptions run;
    run.memoryLimit = 10'000;
    const auto unrun = planned->run(inputs, run);
    QVERIFY(!unrun.has_value() && unrun.error().node);
    QVERIFY(planned->run(inputs, {}).has_value());
}

void FusedPlanTest::stops()
{
    const Graph graph = graphOf(R"(
g (float[1, 64, 256, 256] x) => (float[1, 64, 256, 256] y)
<float[64, 64, 3, 3] W1 = random(1)>
{ a = Conv <pads = [1, 1, 1, 1]> (x, W1) b = Conv <pads = [1, 1, 1, 1]> (a, W1)
  c = Conv <pads = [1, 1, 1, 1]> (b, W1) d = Conv <pads = [1, 1, 1, 1]> (c, W1)
  e = Conv <pads = [1, 1, 1, 1]> (d, W1) y = Conv <pads = [1, 1, 1, 1]> (e, W1) })");
    const RunInputs inputs = inputsOf(graph);
    PlanOptions options;
    options.threads = 2;
    options.winograd = false;
    auto executor = FusedExecutor::plan(graph, inputs, options);
    QVERIFY(executor.has_value());
    std::stop_source source;
    RunOptions run;
    run.stop = source.get_token();
    std::jthread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        source.request_stop();
    });
    const auto result = executor->run(inputs, run);
    QVERIFY(!result.has_value());
    QVERIFY(result.error().code == ErrorCode::cancelled);
    // A stopped run leaves the executor whole.
    QVERIFY(executor->run(inputs, {}).has_value());
    const auto refused = FusedExecutor::plan(graph, inputs, options, run.stop);
    QVERIFY(!refused.has_value() && refused.error().code == ErrorCode::cancelled);
}

void FusedPlanTest::saysWhyNotFaster()
{
    const Graph graph = graphOf(R"(
g (double[2, 3] d, float[1, 16, 5, 5] x) => (double[2, 3] y, float[1, 16, 3, 3] z)
<float[16, 16, 3, 3] W1 = random(1)>
{ y = Softmax (d) z = Conv (x, W1) })");
    const auto executor = FusedExecutor::plan(graph, inputsOf(graph), {});
    QVERIFY(executor.has_value());
    const auto steps = executor->steps();
    QCOMPARE(steps.size(), std::size_t{3});
    QCOMPARE(steps[0].kernel, std::string("reference"));
    QCOMPARE(steps[0].rejected.size(), std::size_t{1});
    QCOMPARE(std::string(steps[0].rejected[0].second.text.key), std::string("kernel.type"));
    QCOMPARE(steps[2].kernel, std::string("conv3x3 direct"));
    QCOMPARE(std::string(steps[2].rejected.at(0).second.text.key),
             std::string("kernel.winograd-channels"));
}

void FusedPlanTest::profilesEachStep()
{
    const Graph graph = graphOf(region);
    const RunInputs inputs = inputsOf(graph);
    PlanOptions options;
    options.profile = true;
    auto executor = FusedExecutor::plan(graph, inputs, options);
    QVERIFY(executor.has_value());
    const auto result = executor->run(inputs, {});
    QVERIFY(result.has_value());
    const PlanProfile& profile = result->profile;
    QCOMPARE(profile.nodes.size(), std::size_t{3});
    double sum = 0;
    for (const NodeProfile& node : profile.nodes) {
        QVERIFY(node.medianMs >= 0 && !node.kernel.empty() && !node.originals.empty());
        sum += node.medianMs;
    }
    QVERIFY(sum <= profile.medianMs);
    QCOMPARE(profile.nodes[2].flops, 2.0 * 9 * 64 * 16 * 16);
    QVERIFY(profile.arenaBytes > 0 && profile.weightBytes > 0);
    QCOMPARE(profile.name, std::string("fused"));
}

void FusedPlanTest::benchesInterleaved()
{
    const Graph graph = graphOf(region);
    const RunInputs inputs = inputsOf(graph);
    PlanOptions options;
    options.profile = true;
    auto fused = FusedExecutor::plan(graph, inputs, options);
    options.fused = false;
    auto unfused = FusedExecutor::plan(graph, inputs, options);
    QVERIFY(fused.has_value() && unfused.has_value());
    const auto profiles = benchInterleaved({{"a", &*fused}, {"b", &*unfused}}, inputs, 7);
    QVERIFY(profiles.has_value());
    QCOMPARE(profiles->size(), std::size_t{2});
    for (const PlanProfile& profile : *profiles) {
        QCOMPARE(profile.runs, 7);
        QVERIFY(profile.minMs > 0 && profile.minMs <= profile.medianMs &&
                profile.medianMs <= profile.p90Ms);
        for (const NodeProfile& node : profile.nodes)
            QVERIFY(node.minMs <= node.medianMs && node.medianMs <= node.p90Ms);
    }
    QCOMPARE((*profiles)[1].name, std::string("b"));
    QCOMPARE((*profiles)[1].nodes.size(), std::size_t{5});
}

// Axes that come with each run may be wrong ones, though the sizes that they leave are known.
void FusedPlanTest::refusesAxesThatTheReferenceRefuses()
{
    const Graph graph = graphOf("g (int64[1, 1] x, int64[2] axes) => (int64[] y) "
                                "{ y = Squeeze (x, axes) }");
    RunInputs inputs;
    inputs["x"] = RuntimeValue(Tensor::allocate(DType::int64, {1, 1}));
    for (const std::int64_t second : {0, 1}) {
        inputs["axes"] = RuntimeValue(Tensor::vector({0, second}));
        auto executor = FusedExecutor::plan(graph, inputs, {});
        const bool runs = executor.has_value() && executor->run(inputs, {}).has_value();
        QCOMPARE(runs, second == 1);
        QCOMPARE(ReferenceExecutor(graph).run(inputs, {}).has_value(), second == 1);
    }
}

void FusedPlanTest::refusesWrongInputs()
{
    const Graph graph = graphOf(dynamic);
    RunInputs inputs;
    QVERIFY(!FusedExecutor::plan(graph, inputs, {}).has_value());
    inputs["x"] = floats({1, 4, 8, 8}, 1);
    QVERIFY(!FusedExecutor::plan(graph, inputs, {}).has_value());
    inputs["x"] = floats({1, 3, 8, 8}, 1);
    auto executor = FusedExecutor::plan(graph, inputs, {});
    QVERIFY(executor.has_value());
    inputs["z"] = floats({1}, 1);
    QVERIFY(!executor->run(inputs, {}).has_value());
}

// A loop of 2^60 trips ends with an error, or when it is stopped, however it runs.
void FusedPlanTest::limitsAndStopsLoops()
{
    const Graph graph = graphOf(R"(
g (float x) => (float y)
<int64 n = {1152921504606846976}>
{
    y = Loop <body = b (int64 i, bool c, float v) => (bool d, float w)
        {
            d = Identity (c)
            w = Neg (v)
        }> (n, "", x)
}
)");
    const RunInputs inputs = inputsOf(graph);
    auto plan = FusedExecutor::plan(graph, inputs, {});
    QVERIFY(plan);
    const auto runs = {
        std::function([&](const RunOptions& o) { return ReferenceExecutor(graph).run(inputs, o); }),
        std::function([&](const RunOptions& o) { return plan->run(inputs, o); })};
    for (const auto& run : runs) {
        RunOptions limited;
        limited.maxTrips = 1000;
        const auto ended = run(limited);
        QVERIFY(!ended);
        QCOMPARE(std::string(ended.error().message.text.key), std::string("ops.too-many-trips"));
        QVERIFY(ended.error().node);

        std::stop_source source;
        RunOptions endless;
        endless.maxTrips = std::numeric_limits<std::int64_t>::max();
        endless.stop = source.get_token();
        std::thread stopper([&source] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            source.request_stop();
        });
        const auto stopped = run(endless);
        stopper.join();
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::cancelled);
    }
}

// The body says [2]; what it makes has the sizes of its input.
void FusedPlanTest::plansAgainWithoutWrongSizes()
{
    const Graph graph = graphOf(R"(
g (bool c, float[4] x, int64[1] s) => (y)
{
    a = If <then_branch = t () => (float[2] p) { p = Reshape (x, s) },
            else_branch = e () => (float[2] q) { q = Reshape (x, s) }> (c)
    y = Relu (a)
}
)");
    const RunInputs inputs = {{"c", Tensor::scalar(true)},
                              {"x", Tensor::of<float>({4}, {-1, 2, -3, 4})},
                              {"s", Tensor::vector({4})}};
    const auto expected = ReferenceExecutor(graph).run(inputs, {});
    QVERIFY(expected);
    auto plan = FusedExecutor::plan(graph, inputs, {});
    QVERIFY(plan);
    for (int i = 0; i < 2; ++i) {
        const auto found = plan->run(inputs, {});
        QVERIFY2(found, found ? "" : qPrintable(textOf(found.error(), graph)));
        QVERIFY(compareValues(expected->outputs[0].second, found->outputs[0].second).pass);
    }
}

void FusedPlanTest::leavesHugeResultsToTheReference()
{
    const Graph graph = graphOf(R"(
g (float[1, 1] x) => (y)
<int64[2] s = {1152921504606846976, 4}>
{
    a = Expand (x, s)
    y = Relu (a)
}
)");
    const RunInputs inputs = inputsOf(graph);
    auto plan = FusedExecutor::plan(graph, inputs, {});
    auto result = plan ? plan->run(inputs, {}) : Result<RunResult>(tl::unexpected(plan.error()));
    QVERIFY(!result);
    QCOMPARE(std::string(result.error().message.text.key), std::string("ops.memory-limit"));
    QVERIFY(result.error().node);
}

// Each function calls the next one twice: 2^40 nodes, were the calls written out. Whatever looks into
// functions before they run comes to an end.
void FusedPlanTest::looksOnceIntoEachFunction()
{
    std::string text = "<ir_version: 8, opset_import: [\"\" : 17, \"f\" : 1]>\n"
                       "g (float[2] x) => (y) { y = f.f0 (x) }\n";
    for (int i = 0; i < 40; ++i)
        text += "<domain: \"f\", opset_import: [\"\" : 17, \"f\" : 1]> f" + std::to_string(i) +
                " (v) => (w) { a = f.f" + std::to_string(i + 1) + " (v) w = f.f" +
                std::to_string(i + 1) + " (a) }\n";
    text += "<domain: \"f\", opset_import: [\"\" : 17]> f40 (v) => (w) { w = Neg (v) }\n";
    const Graph graph = graphOf(text);
    const auto plan = FusedExecutor::plan(graph, inputsOf(graph), {});
    QVERIFY(!plan);
    QCOMPARE(std::string(plan.error().message.text.key), std::string("ops.calls-too-large"));
}

FUSESCOPE_TEST(FusedPlanTest, fused_plan_test)
#include "fused_plan_test.moc"
