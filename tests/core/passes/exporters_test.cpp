#include "io/document.h"
#include "pass_run.h"
#include "report/render.h"
#include "support/test_class.h"

#include <map>

// label: slow
// needs: models

using namespace fusescope;
using namespace fusescope::test;

namespace {

Graph opened(const std::string& name)
{
    const auto document =
        Document::open(std::string(FUSESCOPE_MODELS) + "/torch/" + name + "/model.onnx");
    if (!document)
        return {};
    Graph graph = (*document)->graph();
    const auto inferred = inferGraph(graph);
    if (!inferred || !graph.apply(inferred->patch))
        return {};
    return graph;
}

// How often each rule acted, and how often each refused with which reasons.
struct Tally
{
    std::map<std::string, int> acted, refused;
    PassRun run;
};

Tally tallyOf(PassRun run)
{
    Tally tally;
    for (const Step& step : run.steps)
        ++tally.acted[std::string(step.rule)];
    for (const Blocked& row : run.blocked) {
        std::string key(row.miss.rule);
        for (const Reason& reason : row.miss.reasons)
            key += " " + std::string(idOf(reason.code));
        ++tally.refused[key];
    }
    tally.run = std::move(run);
    return tally;
}

Tally tallyOf(const std::string& name, Plan plan = {})
{
    return tallyOf(runPasses(opened(name), std::move(plan)));
}

// The operators that all passes leave; what is folded into weights is rounded once.
std::string fused(std::string_view text)
{
    const PassRun run = runPasses(text);
    if (!run.problem.empty())
        return "problem: " + run.problem;
    const std::string differs = runProblem(run.opened, run.graph);
    return differs.empty() ? operatorsOf(run.graph) : "problem: " + differs;
}

int countOf(const Graph& graph, std::string_view type)
{
    int count = 0;
    for (const NodeId id : graph.allNodes())
        count += graph.node(id)->op.type == type ? 1 : 0;
    return count;
}

} // namespace

// What exporters write and a reader would not expect, by number.
class ExportersTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // CastLike makes the bias of every Conv of a raw dynamo file; it reads its second input only for
    // the type.
    void s01CastLikeHidesEveryConvBatchnorm()
    {
        const Tally tally = tallyOf("resnet50_dynamo18_raw");
        QCOMPARE(tally.run.problem, std::string());
        QCOMPARE(tally.acted.at("conv-batchnorm"), 53);
        QCOMPARE(tally.acted.at("conv-activation"), 33);
        QCOMPARE(tally.acted.at("conv-add-activation"), 16);
        QVERIFY(tally.run.blocked.empty());
        QCOMPARE(countOf(tally.run.graph, "CastLike"), 0);
    }

    // Bounds by CastLike, and a Shape, read the result before folding: no readers after it.
    void s02FalseSecondReaders()
    {
        QCOMPARE(fused(R"(<ir_version: 8, opset_import: ["" : 20]>
            g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1), double low = {0}, double high = {6}>
            { c = Conv (x, W) a = CastLike (low, c) b = CastLike (high, c) r = Clip (c, a, b)
              s = Shape (c) y = Reshape (r, s) })"),
                 std::string("region(Conv Clip)"));
    }

    void s03CastLikeIsACastToTheTypeOfItsSecondInput()
    {
        QCOMPARE(optimized(R"(<ir_version: 8, opset_import: ["" : 20]>
            g (float[2, 3] x) => (float[2, 3] y) <double[3] k = {0.5, 1.25, -2}>
            { c = CastLike (k, x) y = Sub (x, c) })"),
                 std::string("Sub"));
    }

    // One output and no training_mode, but mean and variance are the batch's own.
    void s04StatisticsComputedAtRunTime()
    {
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[2, 2, 4, 4] x) => (float[2, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1), float[2] s = {1, 2}, float[2] b = {0, 1}>
            { [conv] c = Conv (x, W) m = ReduceMean <axes = [0, 2, 3], keepdims = 0> (c)
              k = ReduceMean <axes = [0, 2, 3]> (c) d = Sub (c, k) q = Mul (d, d)
              v = ReduceMean <axes = [0, 2, 3], keepdims = 0> (q)
              [bn] y = BatchNormalization (c, s, b, m, v) })");
        const auto row = std::find_if(run.blocked.begin(), run.blocked.end(), [](const Blocked& b) {
            return b.miss.rule == "conv-batchnorm";
        });
        QVERIFY(row != run.blocked.end());
        QCOMPARE(idOf(row->miss.reasons.front().code), std::string_view("batch-statistics"));
        QVERIFY(render(row->miss.reasons.front().message, &run.graph).find("conv") !=
                std::string::npos);
        const Tally tally = tallyOf("norms_ts17");
        QCOMPARE(tally.refused.at("conv-batchnorm training-mode-batchnorm batch-statistics "
                                  "multi-consumer"),
                 1);
    }

    // The form says inference, and it is what counts; a Dropout left in training is named.
    void s05TrainModeOfDynamo()
    {
        const Tally tally = tallyOf("dropout_train_ts13");
        QCOMPARE(tally.refused.at("remove-dropout training-mode-dropout"), 3);
        QCOMPARE(tally.refused.at("conv-batchnorm training-mode-batchnorm"), 3);
        QCOMPARE(fused(R"(<ir_version: 10, opset_import: ["" : 18]>
            g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1), float[2] s = {1, 2}, float[2] b = {0, 1},
             float[2] m = {1, 0}, float[2] v = {1, 2}>
            { c = Conv (x, W) y = BatchNormalization (c, s, b, m, v) })"),
                 std::string("Conv"));
    }

    // Equal tensors are stored once and stand in several roles behind Identities.
    void s06IdentityOfInitializers()
    {
        const Tally tally = tallyOf("resnet18_ts17_untrained");
        QCOMPARE(tally.acted.at("conv-batchnorm"), 20);
        QVERIFY(tally.run.blocked.empty());
        // One tensor is scale and variance here, scale there: none is edited in place.
        QCOMPARE(fused(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1), float[2] ones = {1, 2}, float[2] zeros = {0, 0.5}>
            { w2 = Identity (W) o2 = Identity (ones) o3 = Identity (o2) z2 = Identity (zeros)
              c = Conv (x, W, zeros) n = BatchNormalization (c, ones, zeros, z2, o2)
              d = Conv (n, w2, o3) y = BatchNormalization (d, o2, ones, zeros, o3) })"),
                 std::string("Conv Conv"));
    }

    void s07EqualCalls()
    {
        constexpr std::string_view twice = R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1)> { c = Conv (x, W) [add] y = Add (c, c) })";
        QCOMPARE(runPasses(twice).refusals("conv-add-activation"),
                 std::string("multi-consumer [add]"));
        QCOMPARE(fused(R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1)>
            { c = Conv (x, W) d = Conv (x, W) y = Add (c, d) })"),
                 std::string("Conv region(Conv Add)"));
    }

    void s08PadsAreComputed()
    {
        const Tally tally = tallyOf("paddings_ts17");
        QCOMPARE(tally.run.problem, std::string());
        QCOMPARE(tally.acted.at("pad-conv"), 2);
        QCOMPARE(tally.acted.at("pad-pool"), 1);
        QCOMPARE(tally.refused.at("pad-conv unsupported-attribute"), 3); // reflect, edge
    }

    void s09OneActivationManySpellings()
    {
        const Tally tally = tallyOf("activations_ts17");
        QCOMPARE(tally.acted.at("gelu"), 2);
        QCOMPARE(tally.acted.at("mish"), 1);
        QCOMPARE(tally.acted.at("silu"), 1);
        QCOMPARE(tally.acted.at("conv-batchnorm"), 22);
        for (const char* zero : {"Max (c, zero)", "Max (zero, c)", "Clip (c, zero)"})
            QCOMPARE(fused("g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y) "
                               "<float[2, 2, 1, 1] W = random(1), float zero = {0}> "
                               "{ c = Conv (x, W) y = " +
                                   std::string(zero) + " }")
                         .substr(0, 12),
                     std::string("region(Conv "));
    }

    void s10Normalizations()
    {
        QCOMPARE(tallyOf("convnext_ts13").acted.at("layer-normalization"), 10);
        QCOMPARE(tallyOf("gpt2_ts14").acted.at("layer-normalization"), 5);
        QCOMPARE(tallyOf("llama_dynamo18_opt").acted.at("rms-normalization"), 5);
    }

    void s11Attention()
    {
        for (const auto& [name, count] :
             {std::pair("vit_ts17", 3), {"swin_ts17", 4}, {"gpt2_ts14", 2},
              {"bert_ts13_dynamic", 2}, {"llama_dynamo18_opt", 2}}) {
            const Tally tally = tallyOf(name);
            QCOMPARE(tally.acted.at("attention"), count);
            QVERIFY(!tally.refused.contains("attention"));
        }
        QCOMPARE(countOf(tallyOf("vit_dynamo23_opt").run.graph, "Attention"), 3);
    }

    // Sequences in an ordinary network: no constants, and nothing that stops what is around them.
    void s12ChunkIsASequence()
    {
        const std::string text = R"(<ir_version: 8, opset_import: ["" : 18]>
            g (float[1, 4, 4, 4] x) => (float[1, 2, 4, 4] y)
            <float[2, 2, 1, 1] W = random(1), int64 two = {2}, int64 i = {0}, int64 j = {1}>
            { s = SplitToSequence <axis = 1> (x, two) a = SequenceAt (s, i) b = SequenceAt (s, j)
              c = Conv (a, W) r = Relu (c) y = Mul (r, b) })";
        const PassRun run = runPasses(text);
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph),
                 std::string("SplitToSequence SequenceAt SequenceAt region(Conv Relu) Mul"));
        QCOMPARE(runProblem(run.opened, run.graph), std::string());
    }

    // Indices behind Cast and Reshape; one shared 0.0 is the seed of a bias and an addend.
    void s13IndicesAndSharedScalars()
    {
        QCOMPARE(fused(R"(<ir_version: 8, opset_import: ["" : 18]>
            g (float[1, 2, 6, 4] x) => (float[1, 2, 2, 4] y)
            <float[2, 2, 1, 1] W = random(1), float zero = {0}, int32 one = {1}, int32 three = {3},
             int64[1] flat = {-1}, int64[1] two = {2}>
            { a = Cast <to = 7> (one) b = Reshape (a, flat) e = Cast <to = 7> (three)
              f = Reshape (e, flat) s = Slice (x, b, f, two) z = Expand (zero, two)
              c = Conv (s, W, z) r = Relu (c) y = Sub (r, zero) })"),
                 std::string("Slice region(Conv Relu)"));
    }

    void s14FlattenIsAReshape()
    {
        QCOMPARE(optimized(R"(<ir_version: 8, opset_import: ["" : 17]>
            g (float[2, 3, 4, 5] x) => (float[2, 3, 20] y)
            <int64[1] zero = {0}, int64[1] two = {2}, int64[1] minus = {-1}>
            { s = Shape (x) h = Slice (s, zero, two, zero) t = Concat <axis = 0> (h, minus)
              y = Reshape (x, t) })"),
                 std::string("Reshape"));
    }

    // Both sides of every Add come from one value through the same arithmetic on symbols.
    void s15ResidualsUnderSymbolicSizes()
    {
        const Tally tally = tallyOf("mobilenet_v2_ts13_dynamic");
        QCOMPARE(tally.acted.at("conv-add-activation"), 11);
        QVERIFY(tally.run.blocked.empty());
    }

    void s16WeightsThatAreInputs()
    {
        const Tally kept = tallyOf("resnet18_ts13_keepinit");
        QCOMPARE(kept.refused.at("conv-batchnorm overridable-initializer"), 20);
        QVERIFY(!kept.acted.contains("conv-batchnorm"));
        const PassRun run = runPasses(opened("no_params_ts17"));
        for (const Blocked& row : run.blocked) {
            for (const Reason& reason : row.miss.reasons) {
                if (reason.code == ReasonCode::notConstant)
                    QVERIFY2(render(reason.message, &run.graph).find("run time") ==
                                 std::string::npos,
                             render(reason.message, &run.graph).c_str());
            }
        }
    }

    void s17ModulesAsFunctions()
    {
        const Tally tally = tallyOf("modules_as_functions_ts17");
        QCOMPARE(tally.acted.at("inline-function"), 12);
        QCOMPARE(tally.acted.at("conv-batchnorm"), 3);
        QVERIFY(tally.run.blocked.empty());
        Plan calls;
        calls.policy.disabled.insert("inline-function");
        const Tally kept = tallyOf("modules_as_functions_ts17", calls);
        QVERIFY(!kept.acted.contains("conv-batchnorm"));
        for (const auto& [key, count] : kept.refused)
            QVERIFY2(!key.starts_with("conv-batchnorm") ||
                         key.find("different-scope") != std::string::npos,
                     key.c_str());
    }

    void s18BranchesThatCapture()
    {
        QCOMPARE(tallyOf("cond_dynamo20").acted.at("conv-add-activation"), 1);
        const Tally tally = tallyOf("control_flow_ts17");
        QCOMPARE(tally.run.problem, std::string());
        QCOMPARE(tally.refused.at("conv-batchnorm different-scope subgraph-capture"), 1);
    }

    // Kept quantizable: weights, scale and bias come from DequantizeLinear.
    void s19QuantizedModels()
    {
        QCOMPARE(tallyOf("qdq_cnn_ts13").acted.at("remove-dead"), 2);
        const Tally tally = tallyOf("qdq_bn_kept_ts13");
        QCOMPARE(tally.refused.at("conv-batchnorm quantized-neighbour quantized-neighbour"), 4);
        QVERIFY(!tally.acted.contains("conv-batchnorm"));
        QCOMPARE(countOf(tally.run.graph, "BatchNormalization"), 4);
    }

    // Asked for 11, delivered 18: the opset in the file is what counts.
    void s20TheOpsetInTheFileCounts()
    {
        const Tally tally = tallyOf("resnet18_external_dynamo18");
        QCOMPARE(tally.run.opened.header().opset(""), std::int64_t{18});
        QCOMPARE(tally.acted.at("conv-add-activation"), 8);
        QVERIFY(tally.run.blocked.empty());
    }

    void s21UnknownNodesOfTheDefaultDomain()
    {
        const Tally tally = tallyOf("tf_erfc_unknown_op17");
        QCOMPARE(tally.run.problem, std::string());
        QVERIFY(countOf(tally.run.opened, "Erfc") > 0);
        QCOMPARE(countOf(tally.run.graph, "Erfc"), countOf(tally.run.opened, "Erfc"));
        QVERIFY(!tally.run.steps.empty());
    }

    // A scale between a Conv and the residual Add goes into the Conv first.
    void s22ScaleBehindAConv()
    {
        const Tally tally = tallyOf("convnext_dynamo20_opt");
        QCOMPARE(tally.acted.at("conv-scale"), 5);
        QCOMPARE(tally.acted.at("conv-add-activation"), 5);
        QVERIFY(tally.run.blocked.empty());
        QCOMPARE(tallyOf("tf_mobilenet_v2_op15").acted.at("conv-scale"), 17);
    }

    void s23BatchnormBehindOthers()
    {
        QCOMPARE(tallyOf("densenet_ts13").refused.at("conv-batchnorm operator-between"), 18);
        const Tally tally = tallyOf("preact_ts17");
        QCOMPARE(tally.acted.at("batchnorm-conv"), 1);
        QCOMPARE(tally.refused.at("batchnorm-conv padding-sees-shift"), 1);
    }

    // Numbers, paths and colons are names like any other; those of outputs stay.
    void s24NamesOfAnyKind()
    {
        for (const char* name :
             {"modules_as_functions_ts17", "tf_mobilenet_v2_op15", "convnext_ts13"}) {
            const PassRun run = runPasses(opened(name));
            QCOMPARE(run.problem, std::string());
            const Body& before = *run.opened.body(run.opened.mainBody());
            const Body& after = *run.graph.body(run.graph.mainBody());
            QCOMPARE(after.outputs.size(), before.outputs.size());
            for (std::size_t i = 0; i < before.outputs.size(); ++i)
                QCOMPARE(run.graph.value(after.outputs[i])->name,
                         run.opened.value(before.outputs[i])->name);
        }
    }
};

FUSESCOPE_TEST(ExportersTest, exporters_test)
#include "exporters_test.moc"
