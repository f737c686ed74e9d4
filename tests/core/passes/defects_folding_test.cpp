#include "defect.h"
#include "support/test_class.h"

#include <bit>

using namespace fusescope;
using namespace fusescope::test;

// Folding and dead code that other engines got wrong, by the number that the project gives each of
// them (46 to 68).
//
// Not here: 60, a number without a graph.
class DefectsFoldingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void constants_data()
    {
        addDefectColumns();
        addDefect("47 a chain of views of one constant",
                  R"(g (float[2, 2] x) => (float[2, 2] y)
            <float[4] k = {1, 2, 3, 4}, int64[3] s = {1, 2, 2}, int64[1] a = {0}>
            { r = Reshape (k, s)
              q = Squeeze (r, a)
              u = Unsqueeze (q, a)
              w = Squeeze (u, a)
              y = Add (x, w) })",
                  "Add", "", 0);
        addDefect("48 the shape of a huge fill",
                  R"(g (float[2] x) => (int64[2] s, float[2] y)
            <int64[2] k = {100000, 100000}>
            { z = ConstantOfShape (k)
              s = Shape (z)
              y = Relu (x) })",
                  "Relu", "", 0);
        addDefect("50 a quantized constant without a zero point",
                  R"(g (float[2, 2] x) => (float[2, 2] y)
            <int8[4] w = {12, -45, 7, -3}, float s = {0.02}, int64[2] k = {2, 2}>
            { d = DequantizeLinear (w, s)
              r = Reshape (d, k)
              y = Add (x, r) })",
                  "DequantizeLinear Reshape Add", "fold-constant quantized-neighbour", 0);
        addDefect("51 a fill costs one element",
                  R"(g (float[2, 1000] x, int64[2] i) => (float[2, 1000] y)
            <float[1] k = {0.5}, int64[2] s = {1000, 1000}>
            { z = Expand (k, s)
              h = Gather (z, i)
              y = Add (x, h) })",
                  "Gather Add", "", 0);
        addDefect("52 a symbolic size is not frozen",
                  R"(g (float[N, 4] x) => (float[A, B] y)
            <int64[1] zero = {0}, int64[1] rest = {-1}, int64 i = {0}>
            { e = Relu (x)
              s = Shape (x)
              n = Gather (s, i)
              d = Add (n, n)
              u = Unsqueeze (d, zero)
              t = Concat <axis = 0> (u, rest)
              y = Reshape (e, t) })",
                  "Relu Shape Gather Add Unsqueeze Concat Reshape", "", 0);
        addDefect("54 the axes of a Squeeze inside a branch that is inlined",
                  R"(g (float[1, 3] x) => (float[3] y) <bool t = {1}>
            { r = Relu (x)
              y = If (t) <then_branch = a () => (float[3] p) <int64[1] axes = {0}>
                              { p = Squeeze (r, axes) },
                          else_branch = b () => (float[3] q) <int64[1] axes = {0}>
                              { n = Neg (r) q = Squeeze (n, axes) }> })",
                  "Relu Squeeze", "", 0);
        addDefect("57 an unused second output of an If",
                  R"(g (float[3] x) => (float[3] y) <bool t = {1}>
            { y, u = If (t) <then_branch = a () => (float[3] p, float[3] q)
                                 { p = Neg (x) q = Exp (x) },
                             else_branch = b () => (float[3] p2, float[3] q2)
                                 { p2 = Abs (x) q2 = Sqrt (x) }> })",
                  "Neg", "", 0);
        addDefect("58 Range is computed, Bernoulli is not",
                  R"(g (int64[5] x) => (int64[5] y, float[2] z)
            <int64 a = {0}, int64 b = {5}, int64 d = {1}, float[2] p = {0.5, 0.5}>
            { r = Range (a, b, d)
              y = Add (x, r)
              z = Bernoulli (p) })",
                  "Add Bernoulli", "fold-constant non-deterministic", 0);
    }
    void constants() { QCOMPARE(wrongWithRow(), std::string()); }

    void deadCode_data()
    {
        addDefectColumns();
        addDefect("59 a branch without nodes",
                  R"(g (float[2] x) => (float[2] y) <bool t = {1}>
            { z = If (t) <then_branch = a () => (float[2] p) <float[2] p = {1, 2}> { },
                          else_branch = b () => (float[2] q) { q = Abs (x) }>
              y = Sub (z, x) })",
                  "Sub", "", 0);
        addDefect("59 a branch without nodes that stays",
                  R"(g (float[2] x, bool c) => (float[2] y)
            { y = If (c) <then_branch = a () => (float[2] p) <float[2] p = {1, 2}> { },
                          else_branch = b () => (float[2] q) { q = Abs (x) }> })",
                  "If", "", 0);
        addDefect("62 equal nodes, one with a second output that is read",
                  R"(g (float[1, 1, 4, 4] x) => (float[1, 1, 2, 2] y, int64[1, 1, 2, 2] i)
            { a = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
              b, i = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (x)
              c = Neg (a)
              y = Div (c, b) })",
                  "MaxPool MaxPool region(Neg Div)", "", 0);
        addDefect("63 a branch whose output is an outer value",
                  R"(g (float[3] x, bool c) => (float[3] y)
            { r = Relu (x)
              y = If (c) <then_branch = a () => (float[3] p) { p = Identity (r) },
                          else_branch = b () => (float[3] q) { q = Neg (r) }> })",
                  "Relu If", "", 0);
        addDefect("63 a constant condition and an outer value",
                  R"(g (float[3] x) => (float[3] y) <bool t = {1}>
            { r = Relu (x)
              z = If (t) <then_branch = a () => (float[3] p) { p = Identity (r) },
                          else_branch = b () => (float[3] q) { q = Neg (r) }>
              y = Neg (z) })",
                  "region(Relu Neg)", "", 0);
        addDefect("66 a dead node inside an If",
                  R"(g (float[2] x, bool c) => (float[2] y)
            { y = If (c) <then_branch = a () => (float[2] p) { d = Exp (x) p = Neg (x) },
                          else_branch = b () => (float[2] p) { p = Abs (x) }> })",
                  "If", "", 0);
        addDefect("67 two Clips of other bounds are not one",
                  R"(g (float[3] x) => (float[3] y)
            <float a = {0}, float b = {0.6}, float c = {0.1}, float d = {0.5}>
            { p = Clip (x, a, b)
              y = Clip (p, c, d) })",
                  "Clip", "", 0);
        addDefect("67 two Casts of other types are not one",
                  R"(g (float[3] x) => (float[3] y)
            { p = Cast <to = 6> (x)
              q = Cast <to = 1> (p)
              y = Neg (q) })",
                  "Cast Cast Neg", "cast-chain lossy-cast", 0);
        const auto toText = [](const char* name, const char* source, int between, bool joins) {
            static std::vector<std::string> texts; // as long as the rows
            texts.push_back(fmt::format(R"(g ({}[8] x) => (string[8] y)
            {{ a = Cast <to = {}> (x)
              y = Cast <to = 8> (a) }})",
                                        source, between));
            addDefect(name, texts.back().c_str(), joins ? "Cast" : "Cast Cast",
                      joins ? "" : "cast-chain lossy-cast", 0);
        };
        toText("float has fewer digits than double", "float", 11, false);
        toText("float16 has fewer digits than float", "float16", 1, false);
        toText("a bool is no number as text", "bool", 1, false);
        toText("a bool is no integer as text", "bool", 7, false);
        toText("an integer has no point as text", "int32", 11, false);
        toText("integers have the same digits", "int32", 7, true);
        addDefect("68 two Identities of one value",
                  R"(g (float[2] x) => (float[2] y1, float[2] y2)
            { q = Relu (x)
              y1 = Identity (q)
              y2 = Identity (q) })",
                  "Relu Identity", "", 0);
    }
    void deadCode() { QCOMPARE(wrongWithRow(), std::string()); }

    // What a text says is cut to a float first: "1e40" is none, "16777217" another integer.
    void textIsReadAsWhatItIsCastTo()
    {
        const auto refused = [](int between, int target) {
            return runPasses(fmt::format(R"(g (string[2] x) => ({}[2] y)
                {{ a = Cast <to = {}> (x)
                  y = Cast <to = {}> (a) }})",
                                         nameOf(static_cast<DType>(target)), between, target),
                             withoutFusion())
                .refusals("cast-chain");
        };
        QVERIFY(refused(1, 7).starts_with("lossy-cast"));
        QVERIFY(refused(11, 1).starts_with("lossy-cast"));
    }

    // Before opset 7 an attribute names the axis that the second operand stands at: the Add does not
    // fit another rank.
    void oldBroadcastsAreNotMoved()
    {
        const auto left = [](int opset, const char* attributes) {
            const PassRun run = runPasses(
                fmt::format(R"(<ir_version: 3, opset_import: ["" : {}]>
                    g (float[2, 3] x) => (float[2, 3] y)
                    <int64[4] s1 = {{1, 1, 2, 3}}, int64[2] s2 = {{2, 3}}, float[1] c = {{1}}>
                    {{ a = Reshape (x, s1)
                      b = Add {} (a, c)
                      y = Reshape (b, s2) }})",
                            opset, attributes),
                withoutFusion());
            const std::string differs = run.problem + runProblem(run.opened, run.graph, 0);
            return differs.empty() ? operatorsOf(run.graph) : differs;
        };
        QCOMPARE(left(6, "<axis = 3, broadcast = 1>"), std::string("Reshape Add Reshape"));
        QCOMPARE(left(7, ""), std::string("Add"));
    }

    // 46: bytes that are not there are no zeros.
    void dataThatIsMissingIsNotFolded()
    {
        const PassRun run = runPasses(R"(g (float[2] x) => (float[2] y)
            <float[2] W = missing, float one = {1}>
            { w = Add (W, one)
              y = Mul (x, w) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Add Mul"));
        QVERIFY(run.refusals("fold-constant").starts_with("missing-external-data [W]"));
    }

    // 48: refused before anything is allocated.
    void aHugeTileIsRefusedByItsSize()
    {
        const PassRun run = runPasses(R"(g (int64[1] i) => (float[A, B] y)
            <float[2] e = {1, 2}, int64[2] r = {100000, 50000}, int64[1] zero = {0}>
            { u = Unsqueeze (e, zero)
              t = Tile (u, r)
              y = Gather <axis = 0> (t, i) })");
        QCOMPARE(run.problem, std::string());
        QVERIFY(run.refusals("fold-constant").starts_with("growth-limit"));
        QVERIFY(operatorsOf(run.graph).starts_with("Tile"));
    }

    // 49: the outputs of a body go on being made in it.
    void outputsOfABodyStayInIt()
    {
        const PassRun run = runPasses(R"(g (float x) => (float y) <int64 n = {3}, bool c = {1}>
            { y = Loop (n, c, x) <body = b (int64 i, bool k, float a) => (bool ko, float ao)
                <float two = {2}>
                { t = Constant <value = bool {1}> ()
                  ko = And (t, t)
                  ao = Add (two, two) }> })");
        QCOMPARE(run.problem, std::string());
        const BodyId body = run.graph.node(nodeNamed(run.graph, "y"))->bodies.front();
        for (const ValueId output : run.graph.body(body)->outputs)
            QVERIFY(run.graph.producer(output));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    // 53: a function holds no initializers.
    void constantsOfAFunctionAreNodes()
    {
        Plan plan;
        plan.policy.disabled = {"inline-function"};
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[2] x) => (float[2] y) { y = f.plus (x) }
            <domain: "f", opset_import: ["" : 17]> plus (a) => (y)
            { one = Constant <value = float {1}> ()
              c = Add (one, one)
              y = Add (a, c) })",
                                      plan);
        QCOMPARE(run.problem, std::string());
        const BodyId function = run.graph.header().functions.front();
        QVERIFY(run.graph.body(function)->initializers.empty());
        QCOMPARE(run.graph.nodes(function)->size(), std::size_t{2});
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }

    // 55: what cannot be computed stays where it is.
    void whatCannotBeComputedKeepsItsPlace()
    {
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 17, "acme" : 1]>
            g (float[2] x) => (float[2] y) <float[2] a = {1, 2}>
            { b = acme.Mystery (a)
              c = Add (x, b)
              d = acme.Mystery (a)
              y = Mul (c, d) })");
        QCOMPARE(run.problem, std::string());
        QVERIFY(operatorsOf(run.graph).starts_with("Mystery"));
        QVERIFY(run.graph.check());
    }

    // 56: the numbers of a file are little-endian on every machine.
    void rawDataIsLittleEndian()
    {
        const Graph graph = graphOf("g (float[1] x) => (float[1] y) <float[1] k = {1}>"
                                    " { y = Add (x, k) }");
        const Node& add = *graph.node(nodeNamed(graph, "y"));
        const TensorPtr tensor = graph.constant(add.input(1));
        QVERIFY(std::endian::native == std::endian::little);
        QCOMPARE(tensor->load<std::uint32_t>(0), std::uint32_t{0x3F800000});
    }

    // 61: attributes that are tensors of strings are compared by their strings.
    void stringAttributesAreCompared()
    {
        const auto merged = [](const char* second) {
            std::string text = R"(<ir_version: 8, opset_import: ["" : 17, "ai.onnx.ml" : 4]>
                g (string[2] x) => (int64[2] y)
                { a = ai.onnx.ml.LabelEncoder <keys_tensor = string[2] {"p", "q"},
                                               values_tensor = int64[2] {1, 2},
                                               default_tensor = int64[1] {0}> (x)
                  b = ai.onnx.ml.LabelEncoder <keys_tensor = string[2] {"p", "SECOND"},
                                               values_tensor = int64[2] {1, 2},
                                               default_tensor = int64[1] {0}> (x)
                  c = Neg (a)
                  d = Abs (b)
                  y = Mul (c, d) })";
            text.replace(text.find("SECOND"), 6, second);
            const PassRun run = runPasses(text, withoutFusion());
            return run.problem.empty() ? operatorsOf(run.graph) : run.problem;
        };
        QCOMPARE(merged("q"), std::string("LabelEncoder Neg Abs Mul"));
        QCOMPARE(merged("r"), std::string("LabelEncoder LabelEncoder Neg Abs Mul"));
    }

    // 64: two nodes with equal bodies keep their names apart.
    void equalBodiesTwice()
    {
        const PassRun run = runPasses(R"(g (float[2] x, float[2] z) => (seq(float[2]) y, seq(float[2]) w)
            { s = SequenceConstruct (x, z)
              y = SequenceMap (s) <body = b (float[2] e) => (float[2] n) { t = Exp (e) n = Neg (t) }>
              w = SequenceMap (s) <body = b (float[2] e) => (float[2] n) { t = Exp (e) n = Neg (t) }> })");
        QCOMPARE(run.problem, std::string());
        QVERIFY(run.graph.check());
    }

    // 65: constants of one function that is called twice.
    void aFunctionWithAConstantTwice()
    {
        const PassRun run = runPasses(R"(<ir_version: 8, opset_import: ["" : 17, "f" : 1]>
            g (float[2] x) => (float[2] y, float[2] z)
            { y = f.plus (x)
              u = Neg (x)
              z = f.plus (u) }
            <domain: "f", opset_import: ["" : 17]> plus (a) => (y)
            { one = Constant <value = float {1.5}> ()
              t = Mul (a, one)
              y = Exp (t) })",
                                      withoutFusion());
        QCOMPARE(run.problem, std::string());
        QCOMPARE(operatorsOf(run.graph), std::string("Constant Mul Exp Neg Constant Mul Exp"));
        QCOMPARE(runProblem(run.opened, run.graph, 0), std::string());
    }
};

FUSESCOPE_TEST(DefectsFoldingTest, defects_folding_test)
#include "defects_folding_test.moc"
