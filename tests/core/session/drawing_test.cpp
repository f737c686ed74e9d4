#include "session/drawing.h"
#include "support/tale.h"
#include "support/test_class.h"

#include <fmt/format.h>

using namespace fusescope;

namespace {

CardSize plainSize(const CardContent& card)
{
    return {std::max(120.0, 8.0 * static_cast<double>(card.title.size() + card.key.size())),
            24.0 + (card.name.empty() ? 0 : 17) + 17.0 * static_cast<double>(card.rows.size())};
}

bool inside(const LayoutRect& outer, const LayoutRect& inner)
{
    return inner.x >= outer.x && inner.y >= outer.y && inner.right() <= outer.right() + 0.01
           && inner.bottom() <= outer.bottom() + 0.01;
}

const DrawItem& itemOf(const Drawing& drawing, NodeId node)
{
    return drawing.items[static_cast<std::size_t>(drawing.item(node))];
}

std::string chain(int count, bool named)
{
    std::string text = "<ir_version: 8, opset_import: [\"\" : 17]>\n"
                       "g (float[4] x) => (float[4] y)\n{\n";
    std::string last = "x";
    for (int block = 0; block < count; ++block) {
        constexpr const char* types[] = {"Relu", "Neg", "Abs", "Exp", "Floor"};
        for (int i = 0; i < 5; ++i) {
            const std::string out = fmt::format("v{}_{}", block, i);
            const std::string name =
                named ? fmt::format("[\"/net/layer.{}/op{}/{}\"] ", block, i, types[i]) : std::string();
            text += fmt::format("    {}{} = {} ({})\n", name, out, types[i], last);
            last = out;
        }
    }
    return text + fmt::format("    y = Identity ({})\n}}\n", last);
}

} // namespace

class DrawingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void regionsHoldWhatTheyReplace()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = tale.drawing({}, plainSize);
        const DrawItem& region = itemOf(*drawing, tale.whole);
        QVERIFY(region.region && region.frame);
        QVERIFY(region.tied.empty());
        QCOMPARE(region.nodes.size(), std::size_t{3});
        for (const NodeId member : region.nodes) {
            const DrawItem& card = itemOf(*drawing, member);
            QVERIFY(drawing->holds(drawing->item(tale.whole), drawing->item(member)));
            QVERIFY(card.compact);
            QVERIFY(inside(region.rect, card.rect));
            QVERIFY(card.rect.y >= region.rect.y + region.strip - 0.01);
        }
        QCOMPARE(itemOf(*drawing, tale.node("/layer1/relu/Relu")).parent, -1);
    }

    // One that grew stands around its own nodes; what was not fused yet stands beside it, and each
    // line between them is there.
    void grownRegionsLeaveTheOthersFree()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = tale.drawing({}, plainSize);
        const int small = drawing->item(tale.small);
        const DrawItem& grown = itemOf(*drawing, tale.small);
        const DrawItem& whole = itemOf(*drawing, tale.whole);
        QVERIFY(grown.region && grown.frame);
        QVERIFY(whole.older.empty());
        QCOMPARE(grown.parent, drawing->item(tale.whole));
        QVERIFY(inside(whole.rect, grown.rect));
        QCOMPARE(grown.nodes, (std::vector<NodeId>{tale.node("/layer1/conv2/Conv"),
                                                   tale.node("/layer1/Add")}));
        for (const NodeId member : grown.nodes) {
            QVERIFY(inside(grown.rect, itemOf(*drawing, member).rect));
            QVERIFY(itemOf(*drawing, member).rect.y >= grown.rect.y + grown.strip);
        }
        const int relu = drawing->item(tale.node("/layer1/relu_1/Relu"));
        const DrawItem& beside = drawing->items[static_cast<std::size_t>(relu)];
        QCOMPARE(beside.parent, drawing->item(tale.whole));
        QVERIFY(beside.rect.y >= grown.rect.bottom());
        int between = 0;
        int into = 0;
        for (const DrawWire& wire : drawing->wires) {
            const LayoutPath& path = drawing->paths[static_cast<std::size_t>(wire.path)];
            if (wire.from == small && wire.to == relu) {
                ++between;
                QVERIFY(std::abs(path.points.front().y - grown.rect.bottom()) < 0.1);
                QVERIFY(std::abs(path.points.back().y - beside.rect.y) < 0.1);
            }
            if (wire.to == small) {
                ++into;
                const LayoutPoint tip = path.points.back();
                QVERIFY(tip.x >= grown.rect.x - 0.1 && tip.x <= grown.rect.right() + 0.1);
                QVERIFY(tip.y >= grown.rect.y - 0.1 && tip.y <= grown.rect.bottom() + 0.1);
            }
        }
        QCOMPARE(between, 1);
        QCOMPARE(into, 2);
    }

    void foldedNodesAreOneClosedBlock()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = tale.drawing({}, plainSize);
        const NodeId log = tale.node("log");
        const NodeId exp = tale.node("exp");
        QCOMPARE(drawing->item(log), drawing->item(exp));
        const DrawItem& block = itemOf(*drawing, log);
        QVERIFY(block.kind == DrawItem::Kind::folded && !block.open);
        QCOMPARE(block.node, tale.node("shape"));
        QCOMPARE(block.rect.height, blockHeight);
        QCOMPARE(block.nodes.size(), std::size_t{2});
        DrawingOptions options;
        options.opened = {block.key};
        const DrawingPtr opened = tale.drawing(options, plainSize);
        QVERIFY(opened->item(log) != opened->item(exp));
        const DrawItem& card = itemOf(*opened, log);
        const DrawItem& frame = opened->items[static_cast<std::size_t>(card.parent)];
        QVERIFY(frame.kind == DrawItem::Kind::folded && frame.open);
        QVERIFY(inside(frame.rect, card.rect));
    }

    void cardsDoNotOverlap()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = tale.drawing({}, plainSize);
        for (std::size_t i = 0; i < drawing->items.size(); ++i) {
            for (std::size_t k = i + 1; k < drawing->items.size(); ++k) {
                const DrawItem& a = drawing->items[i];
                const DrawItem& b = drawing->items[k];
                if (a.parent != b.parent)
                    continue;
                const bool apart = a.rect.right() <= b.rect.x + 0.01 || b.rect.right() <= a.rect.x + 0.01
                                   || a.rect.bottom() <= b.rect.y + 0.01
                                   || b.rect.bottom() <= a.rect.y + 0.01;
                QVERIFY(apart);
            }
        }
    }

    void wiresOfRegionsReuseThoseOfTheirNodes()
    {
        const test::ResidualTale tale;
        const DrawingPtr drawing = tale.drawing({}, plainSize);
        const int region = drawing->item(tale.whole);
        int ofRegion = 0;
        for (const DrawWire& wire : drawing->wires) {
            QVERIFY(wire.path >= 0 && wire.from >= 0 && wire.to >= 0);
            if (wire.to == region || wire.from == region) {
                const LayoutPath& outer = drawing->paths[static_cast<std::size_t>(wire.path)];
                const auto plain = std::ranges::find_if(drawing->wires, [&](const DrawWire& other) {
                    const int end = wire.to == region ? other.to : other.from;
                    return other.bundle == wire.bundle && other.value == wire.value && end != region
                           && !drawing->items[static_cast<std::size_t>(end)].region;
                });
                QVERIFY(plain != drawing->wires.end());
                const DrawWire& pair = *plain;
                const LayoutPath& inner = drawing->paths[static_cast<std::size_t>(pair.path)];
                QVERIFY(inner.points.size() > outer.points.size());
                QCOMPARE((inner.points.size() - 1) % 3, std::size_t{0});
                const LayoutRect& box = itemOf(*drawing, tale.whole).rect;
                const LayoutPoint end = wire.to == region ? outer.points.back() : outer.points.front();
                QVERIFY(end.x >= box.x - 1 && end.x <= box.right() + 1);
                QVERIFY(std::abs(end.y - (wire.to == region ? box.y : box.bottom())) < 1);
                // The longer line is the same outside and ends at a card inside.
                const LayoutPoint far = wire.to == region ? outer.points.front() : outer.points.back();
                QVERIFY((wire.to == region ? inner.points.front() : inner.points.back()) == far);
                const LayoutRect& card = drawing->items[static_cast<std::size_t>(
                    wire.to == region ? pair.to : pair.from)].rect;
                const LayoutPoint tip = wire.to == region ? inner.points.back() : inner.points.front();
                QVERIFY(tip.x >= card.x - 0.1 && tip.x <= card.right() + 0.1);
                QVERIFY(tip.y >= card.y - 0.1 && tip.y <= card.bottom() + 0.1);
                ++ofRegion;
            }
        }
        QVERIFY(ofRegion >= 3); // two inputs and an output
    }

    void bothUsesOfAValueAreThere()
    {
        const test::Tale tale("<ir_version: 8, opset_import: [\"\" : 17]>\n"
                              "g (float[4] x) => (float[4] y)\n{ r = Relu (x)\n y = Mul (r, r) }");
        const DrawingPtr drawing = tale.drawing({}, plainSize);
        int lines = 0;
        const NodeId relu{1};
        for (const DrawWire& wire : drawing->wires)
            lines += wire.from == drawing->item(relu) ? 1 : 0;
        QCOMPARE(lines, 2);
    }

    void bodiesOpenAndCapture()
    {
        const test::Tale tale(R"(
<ir_version: 8, opset_import: ["" : 17]>
g (bool c, float[4] x) => (float[4] y)
{
    [outer] r = Relu (x)
    [if] y = If (c) <then_branch = t () => (float[4] a) { [in] a = Neg (r) },
                     else_branch = e () => (float[4] b) { b = Abs (r) }>
}
)");
        const DrawingPtr closed = tale.drawing({}, plainSize);
        const NodeId choice = tale.node("if");
        QCOMPARE(closed->item(tale.node("in")), -1);
        int captured = 0;
        for (const DrawWire& wire : closed->wires) {
            if (wire.captured) {
                ++captured;
                QCOMPARE(wire.to, closed->item(choice));
            }
        }
        QVERIFY(captured > 0);
        DrawingOptions options;
        options.opened = {itemOf(*closed, choice).key};
        const DrawingPtr opened = tale.drawing(options, plainSize);
        const DrawItem& inner = itemOf(*opened, tale.node("in"));
        const DrawItem& body = opened->items[static_cast<std::size_t>(inner.parent)];
        QVERIFY(body.kind == DrawItem::Kind::body);
        QCOMPARE(body.title, std::string("then_branch"));
        QCOMPARE(body.parent, opened->item(choice));
        QVERIFY(inside(itemOf(*opened, choice).rect, body.rect));
        QVERIFY(inside(body.rect, inner.rect));
    }

    void equalBlocksByScope()
    {
        const test::Tale tale(chain(6, true));
        DrawingOptions options;
        options.blocks = BlockMode::equal;
        const DrawingPtr drawing = tale.drawing(options, plainSize);
        QVERIFY(drawing->hasBlocks && drawing->blocksClosed);
        std::vector<std::string> titles;
        for (const DrawItem& item : drawing->items) {
            if (item.kind == DrawItem::Kind::block) {
                titles.push_back(item.title);
                QCOMPARE(item.nodes.size(), std::size_t{5});
            }
        }
        QCOMPARE(titles, (std::vector<std::string>{"layer.0", "layer.1", "layer.2", "layer.3",
                                                   "layer.4", "layer.5"}));
        options.opened = {"scope:/net/layer.2"};
        const DrawingPtr opened = tale.drawing(options, plainSize);
        QCOMPARE(opened->items.size(), drawing->items.size() + 5);
        options.blocks = BlockMode::none;
        const DrawingPtr flat = tale.drawing(options, plainSize);
        QVERIFY(flat->hasBlocks && !flat->blocksClosed);
        QCOMPARE(flat->items.size(), std::size_t{6 * 5 + 1 + 2});
    }

    void equalBlocksByRepetition()
    {
        const test::Tale tale(chain(6, false));
        DrawingOptions options;
        options.blocks = BlockMode::equal;
        const DrawingPtr drawing = tale.drawing(options, plainSize);
        int blocks = 0;
        for (const DrawItem& item : drawing->items)
            blocks += item.kind == DrawItem::Kind::block ? 1 : 0;
        QCOMPARE(blocks, 6);
    }

    void laterStepsTakePlacesOfTheirRoots()
    {
        const test::ResidualTale tale;
        Timeline early = tale.timeline();
        early.steps.clear();
        early.history = std::make_shared<const History>(tale.first());
        early.unionGraph = {};
        DrawingOptions options;
        options.layout.useGraphviz = false;
        const auto drawing = makeDrawing(early, options, plainSize);
        QVERIFY(drawing.has_value());
        QCOMPARE((*drawing)->item(tale.whole), -1);
        // What comes later lies over the drawing, which stays what it is.
        const std::size_t drawn = (*drawing)->itemOf.size();
        const LaterNodesPtr later = laterNodes(**drawing, tale.timeline(), nullptr);
        const int place = (*drawing)->item(tale.node("/layer1/relu_1/Relu"));
        QCOMPARE(itemIn(**drawing, later.get(), tale.whole), place);
        QCOMPARE(itemIn(**drawing, nullptr, tale.whole), -1);
        const auto others = othersAt(**drawing, later.get(), place);
        QVERIFY(std::find(others.begin(), others.end(), tale.whole) != others.end());
        QVERIFY(later->itemOf.size() <= 3);
        QCOMPARE((*drawing)->itemOf.size(), drawn);
        QCOMPARE(later->steps, 3);
        QCOMPARE(laterNodes(**drawing, tale.timeline(), later), later);
    }

    void cards()
    {
        const test::ResidualTale tale;
        const CardContent conv = cardContent(tale.first(), tale.node("/layer1/conv2/Conv"));
        QCOMPARE(conv.title, std::string("Conv"));
        QCOMPARE(conv.name, std::string("layer1/conv2"));
        QCOMPARE(conv.key, std::string("3×3"));
        QVERIFY(conv.category == OperatorCategory::conv);
        QCOMPARE(conv.rows.size(), std::size_t{3});
        QCOMPARE(conv.rows[0].label, std::string("W"));
        QCOMPARE(conv.rows[0].text, std::string("4×4×3×3"));
        QCOMPARE(conv.rows[2].label, std::string("pads"));
        const Graph last = tale.at(3);
        const CardContent fused = cardContent(last, tale.whole);
        QVERIFY(fused.fused);
        QCOMPARE(fused.title, std::string("ConvAddRelu"));
        QCOMPARE(fused.rows.size(), std::size_t{2}); // W and B, read through the region
        CardOptions scoped;
        scoped.scope = "/layer1";
        QCOMPARE(cardContent(tale.first(), tale.node("/layer1/conv2/Conv"), scoped).name,
                 std::string("conv2"));
    }

    // What a caller may replace is a weight all the same.
    void replaceableWeightsAreOnTheCards()
    {
        const test::Tale tale(R"(
<ir_version: 3, opset_import: ["" : 13]>
g (float[1, 4, 8, 8] x, float[4, 4, 3, 3] W) => (float[1, 4, 6, 6] y)
<float[4, 4, 3, 3] W = random(1)>
{ [c] y = Conv (x, W) }
)");
        const CardContent card = cardContent(tale.first(), tale.node("c"));
        QVERIFY(!card.rows.empty());
        QCOMPARE(card.rows[0].label, std::string("W"));
        QCOMPARE(card.rows[0].text, std::string("4×4×3×3"));
    }

    // In an inner graph names stand relative to what they all begin with.
    void namesInBodiesAreShort()
    {
        const test::Tale tale(R"(
<ir_version: 8, opset_import: ["" : 17]>
g (bool c, float[4] x) => (float[4] y)
{
    ["/net/if"] y = If (c) <
        then_branch = t () => (float[4] a) {
            ["/net/If_then/enc/one/Neg"] m = Neg (x)
            ["/net/If_then/enc/two/Abs"] a = Abs (m) },
        else_branch = e () => (float[4] b) { ["/net/If_else/Abs"] b = Abs (x) }>
}
)");
        DrawingOptions options;
        options.opened = {"node:" + std::to_string(tale.node("/net/if").value)};
        const DrawingPtr drawing = tale.drawing(options, plainSize);
        const Graph& graph = tale.first();
        const NodeId one = tale.node("/net/If_then/enc/one/Neg");
        const NodeId two = tale.node("/net/If_then/enc/two/Abs");
        const CardOptions cards = drawing->cardsIn(graph.node(one)->body);
        QCOMPARE(cardContent(graph, one, cards).name, std::string("one"));
        QCOMPARE(cardContent(graph, two, cards).name, std::string("two"));
        QCOMPARE(drawing->cardsIn(graph.mainBody()).scope, std::string());
    }

    void names()
    {
        QCOMPARE(nameInScope("/layer2/layer2.0/conv1/Conv", "/layer2/layer2.0", "Conv"),
                 std::string("conv1"));
        QCOMPARE(nameInScope("/layer2/layer2.0/conv1/Conv", "", "Conv"),
                 std::string("layer2.0/conv1"));
        QCOMPARE(nameInScope("/relu/Relu_3", "", "Relu"), std::string("relu"));
        QCOMPARE(nameInScope("", "", "Relu"), std::string());
        QCOMPARE(shapeLabel(Shape::of({Dim::symbol("N"), Dim(64)})), std::string("N×64"));
        QCOMPARE(typeLabel(Type::tensor(DType::int64, Shape::of({Dim(2)}))), std::string("int64 2"));
    }
};

FUSESCOPE_TEST(DrawingTest, drawing_test)
#include "drawing_test.moc"
