#include "diff/graph_diff.h"
#include "diff/union_graph.h"
#include "ops/patch_builder.h"
#include "report/render.h"
#include "support/rewrite_check.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;

namespace {

constexpr std::string_view model = R"(
<ir_version: 8, opset_import: ["" : 17]>
g (float[1, 3, 8, 8] x) => (float[1, 4, 8, 8] y)
<float[4, 3, 3, 3] W = random(1), float[4] s = random(2), float[4] b = random(3),
 float[4] m = random(4), float[4] v = random(5, 0.5, 1)>
{
    [conv] c = Conv <pads = [1, 1, 1, 1]> (x, W)
    [bn] n = BatchNormalization (c, s, b, m, v)
    [relu] r = Relu (n)
    [dead] d = Neg (r)
    [out] y = Neg (r)
}
)";

// The batch normalization goes into the convolution, the dead node goes, the rest is fused.
struct Story
{
    Graph first = test::graphOf(model);
    NodeId conv = test::nodeNamed(first, "conv");
    NodeId bn = test::nodeNamed(first, "bn");
    NodeId relu = test::nodeNamed(first, "relu");
    NodeId dead = test::nodeNamed(first, "dead");
    NodeId region;
    History history{first};
    IdPool pool{first};

    void step(NodeId root, const std::function<void(PatchBuilder&)>& build)
    {
        PatchBuilder builder(history.latest(), pool, "test", root);
        build(builder);
        Result<GraphPatch> patch = builder.finish();
        QVERIFY2(patch.has_value(), patch ? "" : render(patch.error().message, nullptr).c_str());
        const auto appended =
            history.append(std::make_shared<const GraphPatch>(std::move(*patch)));
        QVERIFY(appended.has_value());
    }

    Story()
    {
        step(bn, [&](PatchBuilder& b) {
            const float one = 1;
            const ValueId bias = b.addConstant(first.mainBody(), "bias",
                                               Tensor::splat(DType::float32, {4}, &one));
            const ValueId out = first.node(bn)->output(0);
            b.removeNode(bn);
            b.editNode(conv, [&](Node& n) {
                n.inputs.push_back(bias);
                n.outputs = {out};
            });
        });
        step(dead, [&](PatchBuilder& b) { b.removeNode(dead); });
        step(relu, [&](PatchBuilder& b) {
            region = b.makeRegion("conv-activation", {conv, relu},
                                  {{conv, Role::main}, {relu, Role::activation}});
        });
    }

    GraphDiff diff(std::size_t a, std::size_t b) const
    {
        GraphPatch all;
        for (std::size_t i = a; i < b; ++i)
            all = all.then(history.patch(i));
        return diffOfPatch(history.at(a), history.at(b), all);
    }
};

} // namespace

class UnionGraphTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void lifespans()
    {
        const Story story;
        UnionGraph all;
        all.extend(story.history);
        QCOMPARE(all.steps(), 3);
        QCOMPARE(all.lifespans().size(), std::size_t{6});
        const Lifespan* conv = all.lifespan(story.conv);
        QCOMPARE(conv->first, 0);
        QCOMPARE(conv->last, 2); // the region holds it from step 3 on
        QCOMPARE(conv->changedAt, std::vector<int>{1});
        QCOMPARE(all.lifespan(story.bn)->last, 0);
        QCOMPARE(all.lifespan(story.dead)->last, 1);
        const Lifespan* region = all.lifespan(story.region);
        QCOMPARE(region->first, 3);
        QCOMPARE(region->last, -1);
        QVERIFY(!region->aliveAt(2) && region->aliveAt(3));
        QCOMPARE(all.lastRecord(story.conv)->inputs.size(), std::size_t{3}); // before it was swallowed
        QVERIFY(!all.lifespan(NodeId{4000}));
    }

    void successors()
    {
        const Story story;
        UnionGraph all;
        all.extend(story.history);
        QCOMPARE(all.successors(story.bn), std::vector<NodeId>{story.conv});
        QCOMPARE(all.successors(story.conv), std::vector<NodeId>{story.region});
        QVERIFY(all.successors(story.dead).empty());
        QVERIFY(all.successors(story.region).empty());
        QCOMPARE(all.standsForAt(story.bn, 0), std::vector<NodeId>{story.bn});
        QCOMPARE(all.standsForAt(story.bn, 1), std::vector<NodeId>{story.conv});
        QCOMPARE(all.standsForAt(story.bn, 3), std::vector<NodeId>{story.region});
    }

    // Step by step gives what all at once gives; copies stay as they were.
    void incremental()
    {
        const Story story;
        History growing(story.first);
        UnionGraph parts;
        parts.extend(growing);
        const UnionGraph atStart = parts;
        for (std::size_t i = 0; i < story.history.size(); ++i) {
            QVERIFY(growing
                        .append(std::make_shared<const GraphPatch>(story.history.patch(i)))
                        .has_value());
            parts.extend(growing);
            QCOMPARE(parts.steps(), static_cast<int>(i) + 1);
        }
        UnionGraph whole;
        whole.extend(story.history);
        QCOMPARE(parts.lifespans().size(), whole.lifespans().size());
        for (const Lifespan& life : whole.lifespans()) {
            const Lifespan* other = parts.lifespan(life.node);
            QVERIFY(other && other->first == life.first && other->last == life.last);
            QCOMPARE(other->changedAt, life.changedAt);
            QCOMPARE(parts.successors(life.node), whole.successors(life.node));
        }
        QCOMPARE(atStart.steps(), 0);
        QCOMPARE(atStart.lifespan(story.bn)->last, -1);
        QVERIFY(atStart.successors(story.bn).empty());
    }

    void diffOfOneStep()
    {
        const Story story;
        const GraphDiff fold = story.diff(0, 1);
        QCOMPARE(fold.find(story.bn)->kind, ChangeKind::removed);
        QCOMPARE(fold.find(story.bn)->related, std::vector<NodeId>{story.conv});
        QCOMPARE(fold.find(story.conv)->kind, ChangeKind::changed);
        QVERIFY(!fold.find(story.relu));
        int added = 0;
        for (const ValueChange& change : fold.values)
            added += change.kind == ChangeKind::added ? 1 : 0;
        QCOMPARE(added, 1); // the bias
        QVERIFY(story.diff(1, 1).empty());
    }

    void swallowedCountsAsRemoved()
    {
        const Story story;
        const GraphDiff fuse = story.diff(2, 3);
        QCOMPARE(fuse.nodes.size(), std::size_t{3});
        QCOMPARE(fuse.find(story.conv)->kind, ChangeKind::removed);
        QCOMPARE(fuse.find(story.conv)->related, std::vector<NodeId>{story.region});
        QCOMPARE(fuse.find(story.relu)->kind, ChangeKind::removed);
        const NodeChange* region = fuse.find(story.region);
        QCOMPARE(region->kind, ChangeKind::added);
        QCOMPARE(region->related, (std::vector<NodeId>{story.conv, story.relu}));
        QVERIFY(region->after && !region->before);
    }

    void diffOfAllSteps()
    {
        const Story story;
        const GraphDiff all = story.diff(0, 3);
        QCOMPARE(all.find(story.bn)->kind, ChangeKind::removed);
        QVERIFY(all.find(story.dead)->related.empty());
        QCOMPARE(all.find(story.region)->kind, ChangeKind::added);
        QVERIFY(!all.find(test::nodeNamed(story.first, "out"))); // untouched
    }

    void largeHistoriesAreCheap()
    {
        std::string text = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                           "g (float[4] x) => (float[4] y)\n{\n";
        constexpr int count = 12000;
        for (int i = 0; i < count; ++i)
            text += fmt::format("[n{0}] v{0} = Relu ({1})\n", i,
                                i == 0 ? "x" : fmt::format("v{}", i - 1));
        text += fmt::format("y = Neg (v{})\n}}\n", count - 1);
        const Result<Graph> graph = parseGraph(text);
        QVERIFY(graph.has_value());
        const History history(*graph);
        UnionGraph all;
        all.extend(history);
        const UnionGraph copy = all;
        QCOMPARE(copy.lifespans().size(), std::size_t{count + 1});
        // The records are those of the model: none is copied.
        for (const Lifespan& life : copy.lifespans())
            QCOMPARE(copy.lastRecord(life.node), graph->node(life.node));
    }
};

FUSESCOPE_TEST(UnionGraphTest, union_graph_test)
#include "union_graph_test.moc"
