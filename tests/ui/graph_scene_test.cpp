#include "graph_fixture.h"

using namespace fusescope;

namespace {

SceneState stateOf(const GraphScene& scene, NodeId node)
{
    return scene.items[static_cast<std::size_t>(scene.drawing->item(node))];
}

} // namespace

class GraphSceneTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void statesBetweenTwoSteps()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = test::drawingOf(tale);
        const auto scene = test::sceneOf(tale, drawing, 0, 3, SceneMode::overlay);
        QCOMPARE(stateOf(*scene, tale.whole), SceneState::added);
        QCOMPARE(stateOf(*scene, tale.node("/layer1/conv2/Conv")), SceneState::removed);
        QCOMPARE(stateOf(*scene, tale.node("/layer1/Add")), SceneState::removed);
        QCOMPARE(stateOf(*scene, tale.node("/layer1/conv1/Conv")), SceneState::same);
        QCOMPARE(stateOf(*scene, tale.node("shape")), SceneState::changed); // reads a constant now
        QVERIFY(scene->isGhost(drawing->item(tale.node("/layer1/Add"))));
        QCOMPARE(scene->counts.added, 1);
        QCOMPARE(scene->counts.removed, 5); // Conv, Add, Relu, Exp, Log
        QCOMPARE(scene->counts.changed, 1);
        QCOMPARE(scene->changes.size(), std::size_t{7});
    }

    void modesHideTheOtherSide()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = test::drawingOf(tale);
        const auto before = test::sceneOf(tale, drawing, 0, 3, SceneMode::before);
        const auto after = test::sceneOf(tale, drawing, 0, 3, SceneMode::after);
        const NodeId add = tale.node("/layer1/Add");
        QCOMPARE(stateOf(*before, tale.whole), SceneState::hidden);
        QCOMPARE(stateOf(*before, add), SceneState::removed);
        QVERIFY(!before->isGhost(drawing->item(add)));
        QCOMPARE(stateOf(*after, tale.whole), SceneState::added);
        QCOMPARE(stateOf(*after, add), SceneState::hidden);
        QCOMPARE(after->visibleItem(add), drawing->item(tale.whole)); // the region around it
    }

    // All modes and steps look at one drawing: nothing jumps.
    void nothingMoves()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = test::drawingOf(tale);
        const auto one = test::sceneOf(tale, drawing, 0, 1, SceneMode::after);
        const auto two = test::sceneOf(tale, drawing, 2, 3, SceneMode::overlay);
        QCOMPARE(one->drawing, two->drawing);
        const NodeId conv = tale.node("/layer1/conv1/Conv");
        QCOMPARE(one->visibleItem(conv), two->visibleItem(conv));
    }

    void grownRegionsShowTheOneThatStands()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = test::drawingOf(tale);
        const NodeId relu = tale.node("/layer1/relu_1/Relu");
        const NodeId add = tale.node("/layer1/Add");
        const auto one = test::sceneOf(tale, drawing, 1, 2, SceneMode::after);
        QCOMPARE(stateOf(*one, tale.small), SceneState::added);
        QCOMPARE(stateOf(*one, tale.whole), SceneState::hidden);
        QCOMPARE(stateOf(*one, relu), SceneState::same);
        QCOMPARE(one->visibleItem(add), drawing->item(tale.small));
        const auto over = test::sceneOf(tale, drawing, 1, 2, SceneMode::overlay);
        QVERIFY(over->isFrame(drawing->item(tale.small)));
        QVERIFY(over->isGhost(drawing->item(add)));
        // Every node that a step takes away is a ghost, also one that was fused before.
        const auto two = test::sceneOf(tale, drawing, 2, 3, SceneMode::overlay);
        QCOMPARE(two->counts.removed, 2);
        QVERIFY(two->isGhost(drawing->item(tale.small)));
        QVERIFY(two->isGhost(drawing->item(relu)));
        QVERIFY(two->isFrame(drawing->item(tale.whole)));
        QCOMPARE(two->visibleItem(add), drawing->item(tale.small));
        const auto after = test::sceneOf(tale, drawing, 2, 3, SceneMode::after);
        QVERIFY(!after->isVisible(drawing->item(tale.small)));
        QCOMPARE(after->visibleItem(add), drawing->item(tale.whole));
        QVERIFY(!test::sceneOf(tale, drawing, 0, 1, SceneMode::after)
                     ->isVisible(drawing->item(tale.whole)));
    }

    void wiresOutsideARegionAreTheSame()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = test::drawingOf(tale);
        const auto scene = test::sceneOf(tale, drawing, 1, 3, SceneMode::overlay);
        const int region = drawing->item(tale.whole);
        const int relu = drawing->item(tale.node("/layer1/relu/Relu"));
        int seen = 0;
        for (std::size_t i = 0; i < drawing->wires.size(); ++i) {
            const DrawWire& wire = drawing->wires[i];
            if (wire.from != relu)
                continue;
            ++seen;
            if (wire.to == region)
                QCOMPARE(scene->wires[i], SceneState::same);
            else if (wire.to == drawing->item(tale.small))
                QCOMPARE(scene->wires[i], SceneState::hidden); // came and went
            else
                QCOMPARE(scene->wires[i], SceneState::removed);
        }
        QCOMPARE(seen, 3);
        // Only where the region's own line is drawn does it stand for the others.
        const auto isCovered = [](int cover) { return cover >= 0; };
        QVERIFY(std::ranges::any_of(scene->coveredBy, isCovered));
        const auto before = test::sceneOf(tale, drawing, 1, 3, SceneMode::before);
        QVERIFY(std::ranges::none_of(before->coveredBy, isCovered));
    }

    void indexFindsWhatIsThere()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = test::drawingOf(tale);
        const SceneIndex index(drawing);
        for (int i = 0; i < static_cast<int>(drawing->items.size()); ++i) {
            const QRectF box = toRect(drawing->items[static_cast<std::size_t>(i)].rect);
            const std::vector<int> found = index.items(QRectF(box.center(), QSizeF(1, 1)));
            QVERIFY(std::ranges::find(found, i) != found.end());
        }
        for (int i = 0; i < static_cast<int>(drawing->wires.size()); ++i) {
            const QPointF middle = index.wireMiddle(i);
            QVERIFY(index.distance(i, middle) < 1);
            const std::vector<int> found = index.wires(QRectF(middle, QSizeF(1, 1)));
            QVERIFY(std::ranges::find(found, i) != found.end());
        }
        QVERIFY(index.items(QRectF(-900, -900, 10, 10)).empty());
    }

    void rowsTellWhatChanged()
    {
        test::Tale tale(test::residual);
        const NodeId conv = tale.node("/layer1/conv1/Conv");
        tale.step(conv, Stage::fusion, [&](PatchBuilder& b) {
            const float one = 1;
            const ValueId weight = b.addConstant(tale.first().mainBody(), "W1n",
                                                 Tensor::splat(DType::float32, {4, 4, 3, 3}, &one));
            const ValueId bias = b.addConstant(tale.first().mainBody(), "B1",
                                               Tensor::splat(DType::float32, {4}, &one));
            b.editNode(conv, [&](Node& node) { node.inputs = {node.inputs[0], weight, bias}; });
        });
        const DrawingPtr drawing = test::drawingOf(tale);
        const auto scene = test::sceneOf(tale, drawing, 0, 1, SceneMode::overlay);
        const CardFace face = faceOf(*scene, drawing->item(conv));
        QCOMPARE(face.content.rows.size(), std::size_t{3}); // W, B, pads
        QCOMPARE(face.rows[0], SceneState::changed);
        QCOMPARE(face.rows[1], SceneState::added);
        QCOMPARE(face.rows[2], SceneState::same);
        const auto before = test::sceneOf(tale, drawing, 0, 1, SceneMode::before);
        QCOMPARE(faceOf(*before, drawing->item(conv)).content.rows.size(), std::size_t{2});
    }

    void blockedMarksTheVeryEdge()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = test::drawingOf(tale);
        const NodeId conv = tale.node("/layer1/conv1/Conv");
        const NodeId relu = tale.node("/layer1/relu/Relu");
        Blocked row;
        row.miss.root = relu;
        row.miss.nodes = {conv, relu};
        row.miss.reasons.push_back({});
        row.miss.reasons.front().code = ReasonCode::multiConsumer;
        const auto scene = test::sceneOf(tale, drawing, 0, 0, SceneMode::after, {row});
        QCOMPARE(scene->counts.blocked, 1);
        QCOMPARE(scene->blocked.size(), std::size_t{1});
        const DrawWire& wire =
            drawing->wires[static_cast<std::size_t>(scene->blocked.front().wire)];
        QCOMPARE(wire.from, drawing->item(conv));
        QCOMPARE(wire.to, drawing->item(relu));
        row.miss.reasons.front().code = ReasonCode::notProfitable; // is no octagon
        QCOMPARE(test::sceneOf(tale, drawing, 0, 0, SceneMode::after, {row})->counts.blocked, 0);
    }
};

FUSESCOPE_TEST(GraphSceneTest, graph_scene_test)
#include "graph_scene_test.moc"
