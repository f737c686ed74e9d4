#include "patterns/reasons.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;
using namespace fusescope::test;

namespace {

constexpr std::string_view rule = "conv-batchnorm";

struct Parts
{
    std::string header = R"(<ir_version: 8, opset_import: ["" : 17]>)";
    std::string inputs = "float[N, 2, 5, 6] x";
    std::string outputs = "float[N, 3, A, B] y";
    std::string type = "float";
    std::string weight = "[3, 2, 3, 3]";
    std::string channels = "3";
    std::string extra; // more initializers
    std::string body = R"(
        [conv] c = Conv (x, W, B)
        [bn] y = BatchNormalization <epsilon = 1e-3> (c, scale, shift, mean, var))";
};

std::string model(const Parts& p)
{
    return fmt::format(R"({} g ({}) => ({})
        <{} {} W = random(1), {} [{}] B = random(2), {} [{}] scale = random(3, 0.5, 2),
         {} [{}] shift = random(4), {} [{}] mean = random(5), {} [{}] var = random(6, 0.3, 3){}>
        {{ {} }})",
                       p.header, p.inputs, p.outputs, p.type, p.weight, p.type, p.channels, p.type,
                       p.channels, p.type, p.channels, p.type, p.channels, p.type, p.channels,
                       p.extra, p.body);
}

} // namespace

class ConvBatchnormRefusalsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesTraining_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("node");
        QTest::addColumn<QString>("expected");
        const QString tail = ", so its mean and variance come from each batch. | Export the model "
                             "in eval mode, or put the node into inference form. | "
                             "inference-batchnorm";
        const QString head = "training-mode-batchnorm [bn] BatchNormalization in training mode | "
                             "`bn` has ";
        QTest::newRow("17") << 17
                            << "[bn] y, m2, v2 = BatchNormalization <training_mode = 1> (c, scale, "
                               "shift, mean, var)"
                            << head + "training_mode=1" + tail;
        QTest::newRow("9") << 9
                           << "[bn] y, m2, v2, m3, v3 = BatchNormalization (c, scale, shift, mean, "
                              "var)"
                           << head + "5 outputs" + tail;
        QTest::newRow("6") << 6 << "[bn] y = BatchNormalization (c, scale, shift, mean, var)"
                           << head + "is_test=0" + tail;
        QTest::newRow("three outputs in inference")
            << 17
            << "[bn] y, m2, v2 = BatchNormalization <training_mode = 0> (c, scale, shift, mean, "
               "var)"
            << QString("training-mode-batchnorm [bn] Outputs that only training has | `bn` has "
                       "training_mode=0 and yet 2 outputs more, which only training gives. | Drop "
                       "the outputs but the first. | inference-batchnorm");
    }
    void refusesTraining()
    {
        QFETCH(int, opset);
        QFETCH(QString, node);
        QFETCH(QString, expected);
        Parts p;
        p.header = fmt::format(R"(<ir_version: 8, opset_import: ["" : {}]>)", opset);
        p.body = "[conv] c = Conv (x, W, B) " + node.toStdString();
        QCOMPARE(refusalOf(graphOf(model(p)), rule, "bn"), expected.toStdString());
    }

    void namesTheStatisticsBeforeTheirReaders()
    {
        Parts p;
        p.body = R"([conv] c = Conv (x, W, B)
                    m = ReduceMean <axes = [0, 2, 3], keepdims = 0> (c)
                    d = Sub (c, mean4)
                    q = Mul (d, d)
                    v = ReduceMean <axes = [0, 2, 3], keepdims = 0> (q)
                    [bn] y = BatchNormalization (c, scale, shift, m, v))";
        p.extra = ", float[3, 1, 1] mean4 = random(8)";
        const Graph graph = graphOf(model(p));
        QCOMPARE(codesOf(graph, rule, "bn"), std::string("batch-statistics multi-consumer"));
        QVERIFY(refusalOf(graph, rule, "bn")
                    .starts_with("batch-statistics [bn] Statistics are computed at run time | The "
                                 "mean and variance of `bn` are computed at run time from `conv`."));
    }

    void refusesReaders()
    {
        Parts p;
        p.outputs = "float[N, 3, A, B] y, float[N, 3, C, D] z";
        p.body = R"([conv] c = Conv (x, W, B)
                    [bn] y = BatchNormalization (c, scale, shift, mean, var)
                    [sigmoid] z = Sigmoid (c))";
        QCOMPARE(refusalOf(graphOf(model(p)), rule, "bn"),
                 std::string("multi-consumer [sigmoid] Result is read elsewhere too | `conv` is also "
                             "read by `sigmoid`, which needs the value before `bn`. | Give that "
                             "reader a producer of its own, or drop that reader."));

        p.body = R"([conv] z = Conv (x, W, B)
                    [bn] y = BatchNormalization (z, scale, shift, mean, var))";
        QCOMPARE(refusalOf(graphOf(model(p)), rule, "bn"),
                 std::string("graph-output [z] Result is an output | `z` is a model output, and "
                             "fusing would remove it. | Drop that output if it served debugging "
                             "only. | drop-output"));

        p.inputs += ", bool cond";
        p.body = R"([conv] c = Conv (x, W, B)
                    [bn] y = BatchNormalization (c, scale, shift, mean, var)
                    [branch] z = If (cond) <then_branch = t () => (float[N, 3, C, D] p) {
                        p = Neg (c) }, else_branch = e () => (float[N, 3, C, D] q) {
                        q = Neg (y) }>)";
        QCOMPARE(refusalOf(graphOf(model(p)), rule, "bn"),
                 std::string("subgraph-capture [branch] Result is read inside an inner graph | "
                             "`then_branch` of `branch` reads `c` by name. | Pass the value as an "
                             "output, or keep the node."));
    }

    void refusesWhatIsNotConstant()
    {
        Parts p;
        p.inputs += ", float[3, 2, 3, 3] W, float[3] scale";
        QCOMPARE(refusalOf(graphOf(model(p)), rule, "bn"),
                 std::string("overridable-initializer [W] Initializer is also a model input | `W` "
                             "and 1 more are initializers and also model inputs, so a caller may "
                             "replace them. | Freeze the initializers. | freeze-initializers"));
        // IR 3 lists initializers among the inputs: they are constants.
        p.header = R"(<ir_version: 3, opset_import: ["" : 17]>)";
        const MatchResult old = matchAt(graphOf(model(p)), rule, "bn");
        QVERIFY(std::holds_alternative<Match>(old));
        QCOMPARE(std::get<Match>(old).remarks.front().code, ReasonCode::irThreeInput);

        p = {};
        p.body = R"(W2 = Mul (W, x2)
                    [conv] c = Conv (x, W2, B)
                    [bn] y = BatchNormalization (c, scale, shift, mean, var))";
        p.inputs += ", float[1] x2";
        QVERIFY(refusalOf(graphOf(model(p)), rule, "bn")
                    .starts_with("not-constant [W2] Operand is computed at run time | `W2` is "
                                 "computed at run time by `Mul #1`."));

        const Graph bare = graphOf(R"(g (float[1, 2, 4, 4] x, float[3, 2, 3, 3] W, float[3] s)
            => (float[1, 3, 2, 2] y)
            { c = Conv (x, W)
              y = BatchNormalization (c, s, s, s, s) })");
        QVERIFY(refusalOf(bare, rule, "y")
                    .starts_with("not-constant [W] Operand is a model input | `W` is a plain model "
                                 "input: the file holds no weights at all."));

        p = {};
        p.extra = ", float[3] gone = missing";
        p.body = R"(c = Conv (x, W, B)
                    [bn] y = BatchNormalization (c, gone, shift, mean, var))";
        QCOMPARE(codesOf(graphOf(model(p)), rule, "bn"), std::string("missing-external-data"));
        // What lies in the model's own file asks for no file beside it.
        const Message tooShort("io.wrong-size", {{"tensor", std::string("w")},
                                                 {"expected", std::int64_t{96}},
                                                 {"found", std::int64_t{48}}});
        const Reason damaged = reasons::missingExternalData(ValueId{1}, tooShort);
        QCOMPARE(damaged.headline.text, TextId("headline.damaged-data"));
        QCOMPARE(damaged.unblock.text, TextId("unblock.damaged-data"));
        QCOMPARE(damaged.message, tooShort);
        const Reason missing = reasons::missingExternalData(ValueId{1}, Message("io.weights-missing"));
        QCOMPARE(missing.headline.text, TextId("headline.missing-data"));

        p.extra = ", int8[3, 2, 3, 3] q = {" + std::string(53 * 3, ' ') + "1";
        for (int i = 1; i < 54; ++i)
            p.extra += ", 1";
        p.extra += "}, float k = {0.1}";
        p.body = R"(w = DequantizeLinear (q, k)
                    c = Conv (x, w, B)
                    [bn] y = BatchNormalization (c, scale, shift, mean, var))";
        QCOMPARE(codesOf(graphOf(model(p)), rule, "bn"), std::string("quantized-neighbour"));
    }

    void refusesWrongParameters()
    {
        Parts p;
        p.extra = ", float[4] four = random(9, 0.5, 2), float[3, 2] matrix = random(9), float[3] minus = "
                  "{1, -1, 2}";
        const auto with = [&](const std::string& body) {
            p.body = body;
            return graphOf(model(p));
        };
        QCOMPARE(codesOf(with(R"([conv] c = Conv (x, W, B)
                                [bn] y = BatchNormalization (c, four, four, four, four))"),
                         rule, "bn"),
                 std::string("channel-mismatch"));
        QVERIFY(refusalOf(with(R"([conv] c = Conv (x, W, matrix)
                                 [bn] y = BatchNormalization (c, scale, shift, mean, var))"),
                          rule, "bn")
                    .starts_with("channel-mismatch [matrix] A parameter has the wrong shape | "
                                 "`matrix` has shape [3, 2]; [3] is expected."));
        QVERIFY(refusalOf(with(R"([conv] c = Conv (x, W, B)
                                 [bn] y = BatchNormalization (c, scale, shift, mean, minus))"),
                          rule, "bn")
                    .starts_with("not-finite [bn] Variance + epsilon is not positive | Channel 1 of "
                                 "`bn` has variance + epsilon = -0.99999"));
        p.header = R"(<ir_version: 8, opset_import: ["" : 7]>)";
        QVERIFY(refusalOf(with(R"([conv] c = Conv (x, W, B)
                                 [bn] y = BatchNormalization <spatial = 0> (c, scale, shift, mean,
                                 var))"),
                          rule, "bn")
                    .starts_with("unsupported-attribute [bn] An attribute does not fit | `bn` has "
                                 "spatial=0; this fusion needs 1."));
    }

    void refusesOverflow()
    {
        const Graph graph = graphOf(R"(g (float16[1, 1, 2, 2] x) => (float16[1, 2, 2, 2] y)
            <float16[2, 1, 1, 1] W = {60000, 1}, float16[2] s = {4, 1}, float16[2] z = {0, 0},
             float16[2] v = {1, 1}>
            { c = Conv (x, W)
              y = BatchNormalization (c, s, z, z, v) })");
        QCOMPARE(refusalOf(graph, rule, "y"),
                 std::string("not-finite [y] Folding gives Inf or NaN | Folding gives Inf or NaN in "
                             "1 of 2 channels, first in 0. | Check those channels, or export in "
                             "float32, which reaches farther."));
    }

    void namesWhatStandsBetween_data()
    {
        QTest::addColumn<QString>("between");
        QTest::addColumn<QString>("code");
        QTest::newRow("reshape") << "[r] d = Reshape (c, shape)" << "shape-operator-between";
        QTest::newRow("transpose") << "[r] d = Transpose <perm = [0, 1, 3, 2]> (c)"
                                   << "shape-operator-between";
        QTest::newRow("slice") << "[r] d = Slice (c, starts, ends, axes)"
                               << "shape-operator-between";
        QTest::newRow("relu") << "[r] d = Relu (c)" << "activation-between";
        QTest::newRow("cast") << "[r] d = Cast <to = 1> (c)" << "cast-between";
        QTest::newRow("quantize") << "q = QuantizeLinear (c, k) [r] d = DequantizeLinear (q, k)"
                                  << "quantized-neighbour";
        QTest::newRow("print") << "[r] d = debug.Print (c)" << "side-effect";
        QTest::newRow("identity") << "[r] d = Identity (c)" << "operator-between";
    }
    void namesWhatStandsBetween()
    {
        QFETCH(QString, between);
        QFETCH(QString, code);
        Parts p;
        p.header = R"(<ir_version: 8, opset_import: ["" : 17, "debug" : 1]>)";
        p.extra = ", int64[4] shape = {0, 3, 4, -1}, int64[1] starts = {0}, int64[1] ends = {2}, "
                  "int64[1] axes = {2}, float k = {0.1}";
        p.body = "[conv] c = Conv (x, W, B) " + between.toStdString() +
                 " [bn] y = BatchNormalization (d, scale, shift, mean, var)";
        const std::string refusal = refusalOf(graphOf(model(p)), rule, "bn");
        QVERIFY2(refusal.starts_with(code.toStdString() + " [r]"), refusal.c_str());
        QVERIFY2(refusal.find("`conv` and `bn`") != std::string::npos, refusal.c_str());
    }

    void namesWhatItReadsInstead()
    {
        Parts p;
        p.inputs = "float[N, 2, 5, 6] x, float[N, 1, 5, 6] x2";
        p.body = R"([join] c = Concat <axis = 1> (x, x2)
                    [bn] y = BatchNormalization (c, scale, shift, mean, var))";
        QCOMPARE(refusalOf(graphOf(model(p)), rule, "bn"),
                 std::string("operator-between [join] No convolution stands before it | `bn` reads "
                             "`join`, Concat, not a convolution. | Only a network with a convolution "
                             "there can be fused."));
        p.inputs = "float[N, 3, 5, 6] x";
        p.body = "[bn] y = BatchNormalization (x, scale, shift, mean, var)";
        QVERIFY(refusalOf(graphOf(model(p)), rule, "bn")
                    .starts_with("operator-between [x] No node stands before it | `bn` reads `x`, "
                                 "an input, not a convolution."));
        p.inputs = "float[N, 2, 5, 6] x";
        p.body = R"(c = ConvTranspose (x, Wt)
                    [bn] y = BatchNormalization (c, scale, shift, mean, var))";
        p.extra = ", float[2, 3, 2, 2] Wt = random(9)";
        QCOMPARE(codesOf(graphOf(model(p)), rule, "bn"), std::string("no candidate"));
    }

    // What a BatchNormalization reads is named the same before and after it went into a region.
    void looksIntoRegions()
    {
        Parts p;
        p.inputs = "float[N, 2, 5, 6] x, float[N, 3, 3, 4] z";
        p.body = R"([conv] c = Conv (x, W, B)
                    [add] a = Add (c, z)
                    [bn] y = BatchNormalization (a, scale, shift, mean, var))";
        Graph residual = graphOf(model(p));
        const std::string before = refusalOf(residual, rule, "bn");
        QVERIFY(before.starts_with("operator-between [add]"));
        QCOMPARE(rewriteProblem(residual, "conv-add-activation", "add"), std::string());
        QVERIFY(refusalOf(residual, rule, "bn").find("Add, not a convolution") !=
                std::string::npos);

        p.body = R"([conv] c = Conv (x, W, B)
                    [relu] a = Relu (c)
                    [bn] y = BatchNormalization (a, scale, shift, mean, var))";
        Graph activation = graphOf(model(p));
        QCOMPARE(codesOf(activation, rule, "bn"), std::string("activation-between"));
        QCOMPARE(rewriteProblem(activation, "conv-activation", "relu"), std::string());
        QCOMPARE(codesOf(activation, rule, "bn"), std::string("activation-between"));
    }

    void refusesAcrossGraphs()
    {
        Parts p;
        p.inputs += ", bool cond";
        p.body = R"([conv] c = Conv (x, W, B)
                    y = If (cond) <then_branch = t () => (float[N, 3, C, D] p) {
                        [bn] p = BatchNormalization (c, scale, shift, mean, var) },
                        else_branch = e () => (float[N, 3, C, D] q) { q = Neg (c) }>)";
        const std::string refusal = refusalOf(graphOf(model(p)), rule, "bn");
        QVERIFY2(refusal.starts_with("different-scope [bn] The nodes stand in different graphs | "
                                     "`conv` and `bn` stand in different graphs of the model."),
                 refusal.c_str());
        QVERIFY(refusal.find("\nsubgraph-capture") != std::string::npos);
    }

    void refusesOtherDomainsAndOperands()
    {
        Parts p;
        p.header = R"(<ir_version: 8, opset_import: ["" : 17, "com.acme" : 1]>)";
        p.body = R"([conv] c = Conv (x, W, B)
                    [bn] y = com.acme.BatchNormalization (c, scale, shift, mean, var))";
        QVERIFY(refusalOf(graphOf(model(p)), rule, "bn")
                    .starts_with("custom-domain [bn] Custom operator that shares the name | `bn` is "
                                 "com.acme.BatchNormalization, a custom operator"));
        p = {};
        p.inputs = "float[N, 3, 5, 6] x, float[1, 2, 3, 3] x2";
        p.body = R"([conv] c = Conv (x2, W, B)
                    f = Reshape (c, three)
                    [bn] y = BatchNormalization (x, c, shift, mean, var))";
        p.extra = ", int64[1] three = {3}";
        const std::string refusal = refusalOf(graphOf(model(p)), rule, "bn");
        QVERIFY2(refusal.find("operand-order [bn] Feeds another operand than the data | `conv` "
                              "feeds input 1 of `bn`, not its data input.") != std::string::npos,
                 refusal.c_str());
    }

    void refusesPinnedNodesAndValues()
    {
        const Graph graph = graphOf(model({}));
        Policy policy;
        policy.pinnedNodes.insert(nodeNamed(graph, "bn"));
        QCOMPARE(refusalOf(graph, rule, "bn", policy),
                 std::string("pinned [bn] Pinned | You pinned `bn`, so it stays. | Unpin it."));
        policy = {};
        policy.pinnedValues.insert(graph.node(nodeNamed(graph, "conv"))->output(0));
        QCOMPARE(codesOf(graph, rule, "bn", policy), std::string("pinned"));
    }
};

FUSESCOPE_TEST(ConvBatchnormRefusalsTest, conv_batchnorm_refusals_test)
#include "conv_batchnorm_refusals_test.moc"
