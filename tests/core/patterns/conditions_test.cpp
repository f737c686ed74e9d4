#include "patterns/conditions.h"

#include "patterns/constants.h"
#include "patterns/walk.h"
#include "report/render.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

#include <cmath>

using namespace fusescope;
using namespace fusescope::test;

namespace {

ValueId valueNamed(const Graph& graph, std::string_view name)
{
    for (std::uint32_t i = 1; i < graph.valueLimit(); ++i) {
        const Value* value = graph.value(ValueId{i});
        if (value && value->name == name)
            return ValueId{i};
    }
    return {};
}

std::string codeOf(const std::optional<Reason>& reason)
{
    return reason ? std::string(idOf(reason->code)) : std::string();
}

class Recorder final : public ConditionSink
{
public:
    void record(ConditionRecord condition) override { records.push_back(std::move(condition)); }
    std::vector<ConditionRecord> records;
};

constexpr std::string_view convModel = R"(g (float[N, 2, 4, 4] x) => (float[N, 2, A, B] y)
    <float[2, 2, 1, 1] W = random(1), float[2] s = {1, 2}>
    { [conv] c = Conv (x, W)
      [bn] y = BatchNormalization (c, s, s, s, s) })";

} // namespace

class ConditionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsConstantsAsDoubles()
    {
        const Graph graph = graphOf(R"(g (float x) => (float y)
            <float16[3] h = {0.1, 65504, -2}, bfloat16[2] b = {1.5, 3}, float[1000, 1000] f =
             fill(0.25), int64[2] i = {-1, 9007199254740993}, float[2] gone = missing,
             string[2] t = {"a", "b"}>
            { y = Neg (x) })");
        const GraphView view(graph);
        const DoubleTensor half = constantAsDouble(view, valueNamed(graph, "h"));
        QCOMPARE(half.count, std::int64_t{3});
        QCOMPARE(half.at(0), 0.0999755859375);
        QCOMPARE(half.at(1), 65504.0);
        QCOMPARE(constantAsDouble(view, valueNamed(graph, "b")).at(0), 1.5);
        const DoubleTensor fill = constantAsDouble(view, valueNamed(graph, "f"));
        QCOMPARE(fill.count, std::int64_t{1000000});
        QCOMPARE(fill.values.size(), std::size_t{1});
        QCOMPARE(fill.at(999999), 0.25);
        QCOMPARE(*integerConstant(view, valueNamed(graph, "i")),
                 (std::vector<std::int64_t>{-1, 9007199254740993}));
        QCOMPARE(constantAsDouble(view, valueNamed(graph, "gone")).count, std::int64_t{0});
        QCOMPARE(constantAsDouble(view, valueNamed(graph, "t")).count, std::int64_t{0});
        QVERIFY(!scalarConstant(view, valueNamed(graph, "h")));
    }

    void countsEdgesNotNodes()
    {
        const Graph graph = graphOf(R"(g (float[2] x) => (float[2] y)
            { a = Neg (x)
              y = Add (a, a) })");
        const Policy policy;
        const MatchContext context{GraphView(graph), policy};
        const auto reasons = otherReaders(context, valueNamed(graph, "a"), nodeNamed(graph, "y"));
        QCOMPARE(reasons.size(), std::size_t{1});
        QCOMPARE(reasons[0].code, ReasonCode::multiConsumer);
    }

    // Each reader of a value that thousands read is refused for all others: it names a few, counts
    // all, and reads none of them.
    void namesAFewOfManyReaders()
    {
        for (const int count : {20, 2000}) {
            std::string text = "g (float[2] x) => (float[2] y0) { c = Exp (x)\n";
            for (int i = 0; i < count; ++i)
                text += "y" + std::to_string(i) + " = Neg (c)\n";
            const Graph graph = graphOf(text + "}");
            const Policy policy;
            ReadSet reads;
            const MatchContext context{GraphView(graph, &reads), policy};
            const auto reasons =
                otherReaders(context, valueNamed(graph, "c"), nodeNamed(graph, "y0"));
            QCOMPARE(reasons.size(), std::size_t{1});
            QVERIFY(reasons[0].culprits.size() < 12);
            QVERIFY(reads.nodes.size() < 6);
            const std::string sentence = render(reasons[0].message, &graph);
            QVERIFY2(sentence.find(fmt::format("by {} other nodes", count - 1)) != std::string::npos,
                     sentence.c_str());
        }
    }

    // Every obstacle is told, in the order in which a person should hear them.
    void tellsEveryReader()
    {
        const Graph graph = graphOf(R"(g (float[2] x, bool b) => (float[2] y, float[2] a, float[2] z)
            { a = Neg (x)
              y = Abs (a)
              z = If (b) <then_branch = t () => (float[2] p) { p = Exp (a) },
                          else_branch = e () => (float[2] q) { q = Sin (a) }> })");
        const Policy policy;
        const MatchContext context{GraphView(graph), policy};
        Conditions conditions(context, "conv-bias", nodeNamed(graph, "y"));
        conditions.checkSingleReader(valueNamed(graph, "a"), nodeNamed(graph, "y"));
        const MissReason miss = std::move(conditions).miss(1, {});
        QCOMPARE(miss.reasons.size(), std::size_t{3});
        QCOMPARE(miss.reasons[0].code, ReasonCode::subgraphCapture);
        QCOMPARE(miss.reasons[2].code, ReasonCode::graphOutput);
        // A fix that lifts one of several obstacles would promise too much.
        QVERIFY(!miss.reasons[2].fix);
    }

    void provesShapesEqual()
    {
        const Graph graph = graphOf(R"(g (float[N, 4] x, float[N, 4] y, float[M, 4] m, float[N, 5] f,
            float[] u) => (float[N, 4] z) { z = Add (x, y) })");
        const Policy policy;
        const MatchContext context{GraphView(graph), policy};
        const auto at = [&](std::string_view name) { return valueNamed(graph, name); };
        QCOMPARE(codeOf(sameShape(context, at("x"), at("y"))), std::string());
        QCOMPARE(codeOf(sameShape(context, at("x"), at("m"))), std::string("unknown-shape"));
        QCOMPARE(codeOf(sameShape(context, at("x"), at("f"))), std::string("shape-mismatch"));
        QCOMPARE(codeOf(sameShape(context, at("x"), at("u"))), std::string("unknown-shape"));
    }

    void walksOneKindOfChain()
    {
        const Graph graph = graphOf(R"(g (float[1, 2, 4, 4] x) => (float[8, 4] y, float[8, 4] z)
            <int64[2] s = {8, 4}, float[2, 2, 1, 1] W = random(1)>
            { c = Conv (x, W)
              a = Reshape (c, s)
              i = Identity (a)
              b = Transpose (i)
              [chain] y = Transpose (b)
              r = Relu (a)
              [mixed] z = Neg (r) })");
        const GraphView view(graph);
        const auto isConv = [](NodeId, const Node& node) { return node.is("Conv"); };
        const auto found = findProducer(view, nodeNamed(graph, "chain"), valueNamed(graph, "b"),
                                        isConv);
        QVERIFY(found.has_value());
        QCOMPARE(found->kind, BetweenKind::shape);
        QCOMPARE(found->length, 3);
        QCOMPARE(found->between, nodeNamed(graph, "b"));
        QCOMPARE(found->reader, nodeNamed(graph, "a"));
        QVERIFY(!findProducer(view, nodeNamed(graph, "mixed"), valueNamed(graph, "r"), isConv));
    }

    void dropsANoopThatStandsBetween()
    {
        const Graph graph = graphOf(R"(g (float[1, 2, 4, 4] x) => (float[1, 2, 4, 4] y)
            <int64[4] s = {1, 2, 4, 4}, float[2, 2, 1, 1] W = random(1), float[2] p = {1, 2}>
            { c = Conv (x, W)
              [noop] r = Reshape (c, s)
              [bn] y = BatchNormalization (r, p, p, p, p) })");
        QVERIFY(refusalOf(graph, "conv-batchnorm", "bn").ends_with("| drop-noop"));
    }

    void tellsTheSinkWhatItSaw()
    {
        const Graph graph = graphOf(convModel);
        const Policy policy;
        Recorder recorder;
        const MatchContext context{GraphView(graph), policy, &recorder};
        const MatchResult result =
            findPattern("conv-batchnorm")->match(context, nodeNamed(graph, "bn"));
        QVERIFY(std::holds_alternative<Match>(result));
        QVERIFY(recorder.records.size() > 8);
        bool single = false;
        for (const ConditionRecord& record : recorder.records) {
            QVERIFY(record.holds);
            single = single || render(record.saw, &graph) == "`c` has one reader.";
        }
        QVERIFY(single);
    }

    // What a matching read decides when it is asked again: the weight must be in it.
    void recordsWhatItRead()
    {
        const Graph graph = graphOf(convModel);
        const Policy policy;
        ReadSet reads;
        const MatchContext context{GraphView(graph, &reads), policy};
        QVERIFY(std::holds_alternative<Match>(
            findPattern("conv-batchnorm")->match(context, nodeNamed(graph, "bn"))));
        for (const char* name : {"c", "W", "s"}) {
            QVERIFY(std::ranges::find(reads.values, valueNamed(graph, name)) !=
                    reads.values.end());
        }
        QVERIFY(std::ranges::find(reads.nodes, nodeNamed(graph, "conv")) != reads.nodes.end());
    }

    // Files may hold any nonsense: a sentence, no crash.
    void survivesNonsense_data()
    {
        QTest::addColumn<QString>("weights");
        QTest::addColumn<QString>("body");
        QTest::newRow("groups that do not divide")
            << "float[4, 2, 2, 2] W = random(1), float[6] s = fill(1)"
            << "c = ConvTranspose <group = 3> (x, W) y = BatchNormalization (c, s, s, s, s)";
        QTest::newRow("no channels") << "float[0, 4, 1, 1] W = {}, float[0] s = {}"
                                     << "c = Conv (x, W) y = BatchNormalization (c, s, s, s, s)";
        QTest::newRow("a weight of rank 1") << "float[4] W = random(1), float[4] s = fill(1)"
                                            << "c = Conv (x, W) y = BatchNormalization (c, s, s, s, "
                                               "s)";
        QTest::newRow("a weight of rank 1, forward")
            << "float[4] W = random(1), float[4] s = fill(1)"
            << "c = BatchNormalization (x, s, s, s, s) y = Conv (c, W)";
        QTest::newRow("no weight") << "float[4] s = fill(1)"
                                   << "c = Conv (x) y = BatchNormalization (c, s, s, s, s)";
        QTest::newRow("strings") << "float[4, 4, 1, 1] W = random(1), string[4] s = {\"a\", \"b\", "
                                    "\"c\", \"d\"}"
                                 << "c = Conv (x, W) y = BatchNormalization (c, s, s, s, s)";
        QTest::newRow("huge pads") << "float[4, 4, 1, 1] W = random(1), int64[8] p = {0, 0, "
                                      "9223372036854775807, 1, 0, 0, 9223372036854775807, 1}"
                                   << "c = Pad (x, p) y = Conv <pads = [9223372036854775807, 1, 1, "
                                      "1]> (c, W)";
        QTest::newRow("a kernel of another rank")
            << "float[4, 4, 1, 1] W = random(1), int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}"
            << "c = Pad (x, p) y = Conv <kernel_shape = [1, 1, 1]> (c, W)";
        QTest::newRow("a negative group")
            << "float[4, 4, 1, 1] W = random(1), float k = {2}"
            << "c = Conv <group = -4> (x, W) y = Mul (c, k)";
    }
    void survivesNonsense()
    {
        QFETCH(QString, weights);
        QFETCH(QString, body);
        const Graph graph = graphOf(fmt::format("g (float[1, 4, 3, 3] x) => (float[] y) <{}> {{ {} }}",
                                                weights.toStdString(), body.toStdString()));
        for (const FusionPattern* pattern : allPatterns()) {
            const auto types = pattern->rootTypes();
            const Node* node = graph.node(nodeNamed(graph, "y"));
            if (std::ranges::find(types, node->op.type) == types.end())
                continue;
            Graph copy = graph;
            if (codesOf(copy, pattern->rule(), "y") == "match")
                QCOMPARE(rewriteProblem(copy, pattern->rule(), "y",
                                        {.policy = {}, .run = false}),
                         std::string());
        }
    }
};

FUSESCOPE_TEST(ConditionsTest, conditions_test)
#include "conditions_test.moc"
