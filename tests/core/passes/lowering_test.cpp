#include "pass_run.h"
#include "report/render.h"
#include "support/test_class.h"

#include <limits>

using namespace fusescope;
using namespace fusescope::test;

// Regions as functions and as operators of com.microsoft, in the main graph and inside functions.
class LoweringTest : public QObject
{
    Q_OBJECT

    static Plan withoutInlining()
    {
        Plan plan;
        plan.policy.disabled = {"inline-function"};
        return plan;
    }

    // The run, lowered; `problem` says what failed.
    struct Lowered
    {
        PassRun run;
        Graph graph;
        std::string problem;
    };
    static Lowered lowered(std::string_view text, ExportForm form, Plan plan = withoutInlining())
    {
        Lowered result{runPasses(text, std::move(plan)), {}, {}};
        result.graph = result.run.graph;
        result.problem = result.run.problem;
        IdPool pool(result.run.opened);
        const auto patch = lower(result.graph, pool, form, &result.run.opened);
        if (!patch)
            result.problem = render(patch.error().message, &result.graph);
        else if (const auto applied = result.graph.apply(*patch); !applied)
            result.problem = render(applied.error().message, &result.graph);
        else if (const auto sound = result.graph.check(); !sound)
            result.problem = render(sound.error().message, &result.graph);
        return result;
    }

    static const Body* functionNamed(const Graph& graph, std::string_view type)
    {
        for (const BodyId id : graph.header().functions) {
            if (graph.body(id)->function->key.type == type)
                return graph.body(id);
        }
        return nullptr;
    }

private Q_SLOTS:
    // A function has imports of its own: that of a region inside it keeps its versions, and it
    // imports the domain that it calls.
    void regionsInsideFunctions()
    {
        const Lowered made = lowered(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[1, 2, 4, 4] x, float[2, 2, 1, 1] W) => (float[1, 2, 4, 4] y)
            { y = f.act (x, W) }
            <domain: "f", opset_import: ["" : 13]> act (a, w) => (b)
            { c = Conv (a, w)  b = Relu (c) })",
                                     ExportForm::functions);
        QCOMPARE(made.problem, std::string());
        const Body* outer = functionNamed(made.graph, "act");
        const Body* inner = functionNamed(made.graph, "ConvActivation");
        QVERIFY(outer && inner);
        QCOMPARE(opsetIn(outer->function->opsets, "fusescope"), std::int64_t{1});
        QCOMPARE(opsetIn(inner->function->opsets, ""), std::int64_t{13});
        QVERIFY(made.graph.header().opset("fusescope") > 0);
        QCOMPARE(runProblem(made.run.opened, made.graph), std::string());
    }

    // What refers to the call of the function around goes through the new call.
    void attributeReferencesAreHandedOn()
    {
        const Lowered made = lowered(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[1, 2, 4, 4] x, float[2, 2, 1, 1] W) => (float[1, 2, 4, 4] y, float[1, 2, 4, 4] z)
            { y = f.act <alpha = 0.5> (x, W)
              z = f.act <alpha = 0.25> (x, W) }
            <domain: "f", opset_import: ["" : 17]> act <alpha> (a, w) => (b)
            { c = Conv (a, w)  b = LeakyRelu <alpha: float = @alpha> (c) })",
                                     ExportForm::functions);
        QCOMPARE(made.problem, std::string());
        const Body* inner = functionNamed(made.graph, "ConvActivation");
        QVERIFY(inner);
        QCOMPARE(inner->function->attributes, std::vector<std::string>{"alpha"});
        QCOMPARE(runProblem(made.run.opened, made.graph), std::string());
    }

    // Bodies that look the same under other imports are not.
    void functionsOfOtherVersionsAreApart()
    {
        const Lowered made = lowered(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[1, 2, 4, 4] x, float[2, 2, 1, 1] W) => (float[1, 2, 4, 4] y, float[1, 2, 4, 4] z)
            { y = f.act (x, W)
              c = Conv (x, W)  z = Relu (c) }
            <domain: "f", opset_import: ["" : 13]> act (a, w) => (b)
            { c = Conv (a, w)  b = Relu (c) })",
                                     ExportForm::functions);
        QCOMPARE(made.problem, std::string());
        QVERIFY(functionNamed(made.graph, "ConvActivation"));
        QVERIFY(functionNamed(made.graph, "ConvActivation2"));
        QCOMPARE(runProblem(made.run.opened, made.graph), std::string());
    }

    void aCallOfADomainThatIsNotImportedIsNoSoundGraph()
    {
        Graph graph = graphOf("g (float[4] x) => (float[4] y) { y = Relu (x) }");
        const NodeId id = graph.allNodes().front();
        auto call = std::make_shared<Node>(*graph.node(id));
        call->op = {std::string(regionDomain), "Act", ""};
        GraphPatch patch;
        patch.nodes.push_back({id, graph.nodePtr(id), call});
        QVERIFY(graph.apply(patch));
        const auto sound = graph.check();
        QVERIFY(!sound);
        QCOMPARE(std::string(sound.error().message.text.key), std::string("model.domain-not-imported"));
    }

    void contribInsideFunctions()
    {
        const Lowered made = lowered(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[1, 2, 4, 4] x, float[2, 2, 1, 1] W) => (float[1, 2, 4, 4] y)
            { y = f.act <alpha = 0.5> (x, W) }
            <domain: "f", opset_import: ["" : 17]> act <alpha> (a, w) => (b)
            { c = Conv (a, w)  d = Relu (c)  e = Conv (d, w)  b = LeakyRelu <alpha: float = @alpha> (e) })",
                                     ExportForm::contrib);
        QCOMPARE(made.problem, std::string());
        const Body* function = functionNamed(made.graph, "act");
        int fused = 0;
        bool leaky = false;
        for (const NodeId id : made.graph.allNodes()) {
            fused += made.graph.node(id)->op.type == "FusedConv" ? 1 : 0;
            leaky = leaky || made.graph.node(id)->is("LeakyRelu");
        }
        // Only where the shape inside the function is known is there one; a number that stands at the
        // call is no parameter.
        QVERIFY(leaky);
        if (fused > 0)
            QVERIFY(opsetIn(function->function->opsets, "com.microsoft") > 0);
    }

    // A bound that is not there is the limit of the type. Doc string and metadata go with the node.
    void contribClipsWithinItsBounds()
    {
        const std::string text = R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1), float low = {-0.5}>
            { [conv] c = Conv (x, W)  y = Clip (c, low) })";
        Graph opened = graphOf(text);
        const NodeId conv = nodeNamed(opened, "conv");
        auto noted = std::make_shared<Node>(*opened.node(conv));
        noted->docString = "first";
        noted->metadata = {{"from", "here"}};
        GraphPatch edit;
        edit.nodes.push_back({conv, opened.nodePtr(conv), noted});
        QVERIFY(opened.apply(edit));
        const PassRun run = runPasses(opened);
        Graph graph = run.graph;
        IdPool pool(opened);
        const auto patch = lower(graph, pool, ExportForm::contrib, &opened);
        QVERIFY(patch && graph.apply(*patch));
        QCOMPARE(operatorsOf(graph), std::string("FusedConv"));
        const Node& fused = *graph.node(graph.allNodes().front());
        const auto bounds = fused.attributes.getFloats("activation_params");
        QVERIFY(bounds && bounds->size() == 2);
        QCOMPARE(bounds->front(), -0.5F);
        QCOMPARE(bounds->back(), std::numeric_limits<float>::max());
        QCOMPARE(fused.docString, std::string("first"));
        QCOMPARE(fused.metadata.size(), std::size_t{1});
    }
};

FUSESCOPE_TEST(LoweringTest, lowering_test)
#include "lowering_test.moc"
