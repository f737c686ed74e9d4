// label: slow
#include "exec/executor.h"
#include "ops/call_sizes.h"
#include "ops/registry.h"
#include "pass_run.h"
#include "report/render.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

namespace {

std::string functionText(int number, const std::string& nodes)
{
    return "<domain: \"f\", opset_import: [\"\" : 17, \"f\" : 1]> f" + std::to_string(number) +
           " (a) => (b) { " + nodes + " }\n";
}

std::string callOf(int number, const char* to, const char* from)
{
    return std::string(to) + " = f.f" + std::to_string(number) + " (" + from + ") ";
}

constexpr const char* opening = R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
    g (float[4] x) => (float[4] y) { )";

// Each function calls the one before it twice: 2^depth nodes in all.
std::string doubled(int depth, const std::string& main)
{
    std::string text = opening + main + " }\n" + functionText(0, "b = Tanh (a)");
    for (int i = 1; i <= depth; ++i)
        text += functionText(i, callOf(i - 1, "t", "a") + callOf(i - 1, "b", "t"));
    return text;
}

std::string chained(int length)
{
    std::string text = opening + callOf(length, "y", "x") + " }\n" + functionText(0, "b = Tanh (a)");
    for (int i = 1; i <= length; ++i)
        text += functionText(i, callOf(i - 1, "t", "a") + "b = Tanh (t)");
    return text;
}

Graph parsed(const std::string& text)
{
    const auto graph = parseGraph(text);
    if (!graph)
        qFatal("a test's model is wrong: %s", render(graph.error().message, nullptr).c_str());
    return *graph;
}

} // namespace

// Calls of functions that call functions: what they come to is counted before any is opened.
class ManyCallsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sizesAreCounted()
    {
        const Graph graph = parsed(doubled(10, callOf(10, "y", "x")));
        const CallSizes sizes(graph);
        for (const BodyId id : graph.header().functions) {
            const int number = std::stoi(graph.body(id)->function->key.type.substr(1));
            QCOMPARE(*sizes.nodesOf(id), std::int64_t{1} << number);
            QCOMPARE(graph.functionOf(graph.body(id)->function->key), id);
        }
        QCOMPARE(sizes.limit(), CallSizes::openable);
        QVERIFY(sizes.checkRunnable());
        QVERIFY(!graph.functionOf(OpKey{"f", "f11", ""}));
    }

    // Of functions that call each other nobody can say how many nodes they are.
    void circlesHaveNoSize()
    {
        const Graph graph = parsed(opening + callOf(0, "y", "x") + " }\n" +
                                   functionText(0, callOf(1, "b", "a")) +
                                   functionText(1, callOf(2, "b", "a")) +
                                   functionText(2, callOf(1, "b", "a")) +
                                   functionText(3, "b = Tanh (a)"));
        const CallSizes sizes(graph);
        const auto& functions = graph.header().functions;
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(!sizes.nodesOf(functions[i]));
        QCOMPARE(*sizes.nodesOf(functions[3]), std::int64_t{1});
        const PassRun run = runPasses(graph, withoutFusion());
        QCOMPARE(run.rules(), std::string("remove-unused"));
        QVERIFY(run.refusals("inline-function").starts_with("would-create-cycle"));
    }

    // 2^31 nodes: nothing follows them one by one, in inference, in the passes or in a run.
    void whatIsTooLargeStays()
    {
        const Graph graph = parsed(doubled(31, "[big] t = f.f31 (x) [small] y = f.f2 (t)"));
        const PassRun run = runPasses(graph, withoutFusion());
        QCOMPARE(run.problem, std::string());
        // The small call is opened, its calls too; the large one stays and says why.
        QCOMPARE(operatorsOf(run.graph), std::string("f31 Tanh Tanh Tanh Tanh"));
        QVERIFY(run.refusals("inline-function").starts_with("growth-limit [big]"));
        const Message& why = run.blocked.front().miss.reasons.front().message;
        QVERIFY(render(why, &run.graph).find("2147483648") != std::string::npos);
        // Inference ends, whatever it follows.
        const auto inferred = inferGraph(graph);
        QVERIFY(inferred);
        RunInputs inputs;
        inputs["x"] = Tensor::of<float>({4}, {1, 2, 3, 4});
        const auto reference = ReferenceExecutor(graph).run(inputs, {});
        QVERIFY(!reference);
        QCOMPARE(reference.error().code, ErrorCode::unsupported);
        QCOMPARE(displayName(&graph, reference.error().node), std::string("big"));
        const auto fast = FusedExecutor::plan(graph, inputs, {});
        QVERIFY(!fast);
        QCOMPARE(fast.error().message.text.key, reference.error().message.text.key);
    }

    // 40 calls of 2^14 nodes each are more together than may be opened; those of 2^2 are not.
    void allCallsTogetherAreBounded()
    {
        std::string main;
        for (int i = 0; i < 40; ++i)
            main += "t" + std::to_string(i + 1) + " = f.f14 (" +
                    (i == 0 ? "x" : "t" + std::to_string(i)) + ") ";
        const Graph graph = parsed(doubled(14, main + callOf(2, "y", "t40")));
        const PassRun run = runPasses(graph, withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(run.steps.size(), std::size_t{7}); // one call of f2, two of f1, four of f0
        QVERIFY(CallSizes(graph).limit() < (1 << 14));
        QVERIFY(CallSizes(graph).limit() > 4);
    }

    // A chain of thousands is opened link by link, and every link is found at once.
    void aLongChainIsOpened()
    {
        constexpr int length = 1500;
        Plan plan = withoutFusion();
        plan.policy.disabled.insert("remove-noop");
        const Graph graph = parsed(chained(length));
        Optimizer optimizer(graph, plan);
        int steps = 0;
        while (true) {
            const auto step = optimizer.next();
            QVERIFY(step);
            if (!*step)
                break;
            ++steps;
        }
        QCOMPARE(steps, length + 1);
        QVERIFY(optimizer.graph().check());
        QVERIFY(optimizer.graph().header().functions.empty());
        QCOMPARE(optimizer.graph().nodeCount(), std::size_t{length + 1});
    }

    // Deeper than any stack: counted without recursion, inferred and looked through to a depth.
    void aChainDeeperThanTheStack()
    {
        const Graph graph = parsed(chained(60'000));
        const CallSizes sizes(graph);
        const Node& call = *graph.node(graph.nodes(graph.mainBody())->front());
        QCOMPARE(*sizes.nodesOf(graph.functionOf(call.op)), std::int64_t{60'001});
        QVERIFY(inferGraph(graph));
        QVERIFY(isNonDeterministic(graph, call)); // nobody looked deep enough to know
    }

    // After a function went, and when it comes back, calls find what stands there.
    void functionsThatComeAndGo()
    {
        const PassRun run = runPasses(doubled(3, callOf(3, "y", "x")), withoutFusion());
        QCOMPARE(run.problem, std::string());
        const OpKey key{"f", "f3", ""};
        QVERIFY(run.opened.functionOf(key));
        QVERIFY(!run.graph.functionOf(key));
        Graph graph = run.graph;
        for (auto step = run.steps.rbegin(); step != run.steps.rend(); ++step)
            QVERIFY(graph.apply(step->patch.inverse()));
        QCOMPARE(graph.functionOf(key), run.opened.functionOf(key));
    }
};

FUSESCOPE_TEST(ManyCallsTest, many_calls_test)
#include "many_calls_test.moc"
