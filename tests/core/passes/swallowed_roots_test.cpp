#include "passes/optimizer.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

using namespace fusescope;
using namespace fusescope::test;

// A refusal outlives its root's way into a region, unless that region fused what was refused.
class SwallowedRootsTest : public QObject
{
    Q_OBJECT

    static std::vector<std::string> blockedRules(std::string_view text)
    {
        Optimizer optimizer(graphOf(text), Plan{});
        for (;;) {
            const auto step = optimizer.next();
            if (!step || !*step)
                break;
        }
        std::vector<std::string> rules;
        for (const Blocked& blocked : optimizer.blocked())
            rules.emplace_back(blocked.miss.rule);
        return rules;
    }

    static bool has(const std::vector<std::string>& rules, std::string_view rule)
    {
        return std::ranges::find(rules, rule) != rules.end();
    }

private Q_SLOTS:
    void aRefusedPadStaysTold()
    {
        const auto rules = blockedRules(R"(g (float[1, 2, 5, 5] x) => (float[1, 3, A, B] y)
            <float[3, 2, 3, 3] W = random(1), int64[8] p = {0, 0, 1, 1, 0, 0, 1, 1}>
            { z = Pad <mode = "reflect"> (x, p)
              c = Conv (z, W)
              y = Relu (c) })");
        QVERIFY(has(rules, "pad-conv"));
    }

    void aResidualThatDoesNotFitStaysTold()
    {
        const auto rules = blockedRules(R"(g (float[N, 3, 5, 5] x, float[M, 3, 5, 5] z) =>
            (float[A, 3, 5, 5] y) <float[3, 3, 1, 1] W = random(1)>
            { c = Conv (x, W)
              a = Add (c, z)
              y = Relu (a) })");
        QVERIFY(has(rules, "conv-add-activation"));
    }

    void whatWasFusedAfterAllIsNotTold()
    {
        Graph graph = graphOf(R"(g (float[1, 3, 5, 5] x) => (float[1, 3, 5, 5] y)
            <float[3, 3, 1, 1] W = random(1)>
            { c = Conv (x, W)
              a = Add (c, x)
              y = Relu (a) })");
        QVERIFY(blockedRules(printGraph(graph, {.maxElements = -1})).empty());
    }
};

FUSESCOPE_TEST(SwallowedRootsTest, swallowed_roots_test)
#include "swallowed_roots_test.moc"
