#pragma once

#include "ops/patch_builder.h"
#include "session/drawing.h"
#include "support/rewrite_check.h"

#include <QtGlobal>

#include <functional>
#include <memory>

namespace fusescope::test {

// A model from text and rewrites made by hand, as a timeline.
class Tale
{
public:
    explicit Tale(std::string_view text)
        : m_first(graphOf(text)), m_history(m_first), m_pool(m_first)
    {
    }

    NodeId node(std::string_view name) const
    {
        for (const NodeId id : m_first.allNodes()) {
            if (m_first.node(id)->name == name)
                return id;
        }
        return {};
    }

    void step(NodeId root, Stage stage, const std::function<void(PatchBuilder&)>& build)
    {
        PatchBuilder builder(m_history.latest(), m_pool, "test", root);
        build(builder);
        Result<GraphPatch> patch = builder.finish();
        if (!patch || !m_history.append(std::make_shared<const GraphPatch>(*patch)))
            qFatal("the rewrite does not apply");
        auto step = std::make_shared<Step>();
        step->number = static_cast<int>(m_steps.size()) + 1;
        step->stage = stage;
        step->rule = "test";
        step->root = root;
        step->patch = *patch;
        m_steps.push_back(step);
    }

    NodeId fuse(const std::vector<NodeId>& nodes, NodeId main)
    {
        NodeId region;
        step(nodes.back(), Stage::fusion, [&](PatchBuilder& b) {
            std::vector<std::pair<NodeId, Role>> roles{{main, Role::main}};
            region = b.makeRegion("conv-activation", nodes, roles);
        });
        return region;
    }

    Timeline timeline() const
    {
        Timeline result;
        result.finished = true;
        result.history = std::make_shared<const History>(m_history);
        result.steps = m_steps;
        result.unionGraph.extend(m_history);
        return result;
    }
    const Graph& first() const { return m_first; }
    Graph at(int step) const { return m_history.at(static_cast<std::size_t>(step)); }

    DrawingPtr drawing(DrawingOptions options, const MeasureCard& measure) const
    {
        options.layout.useGraphviz = false;
        const auto made = makeDrawing(timeline(), options, measure);
        if (!made)
            qFatal("no drawing");
        return *made;
    }

private:
    Graph m_first;
    History m_history;
    IdPool m_pool;
    std::vector<std::shared_ptr<const Step>> m_steps;
};

inline constexpr std::string_view residual = R"(
<ir_version: 8, opset_import: ["" : 17]>
g (float[1, 4, 8, 8] x) => (float[1, 4, 8, 8] y)
<float[4, 4, 3, 3] W1 = random(1), float[4, 4, 3, 3] W2 = random(2), float[4] B2 = random(3),
 float[4] k = random(4), int64[4] t = {1, 4, 1, 1}>
{
    ["/layer1/conv1/Conv"] c1 = Conv <pads = [1, 1, 1, 1]> (x, W1)
    ["/layer1/relu/Relu"] r1 = Relu (c1)
    ["/layer1/conv2/Conv"] c2 = Conv <pads = [1, 1, 1, 1]> (r1, W2, B2)
    ["/layer1/Add"] s = Add (c2, x)
    ["/layer1/relu_1/Relu"] r2 = Relu (s)
    [exp] e = Exp (k)
    [log] l = Log (e)
    [shape] q = Reshape (l, t)
    [out] y = Mul (r2, q)
}
)";

// The convolution, the addition and the activation become one; before that, what is constant is
// folded and an activation of its own is fused.
struct ResidualTale : Tale
{
    ResidualTale() : Tale(residual)
    {
        step(node("log"), Stage::folding, [this](PatchBuilder& b) {
            const float one = 1;
            const ValueId old = b.node(node("log"))->output(0);
            const ValueId now = b.addConstant(first().mainBody(), "folded",
                                              Tensor::splat(DType::float32, {4}, &one));
            b.rewire(old, now);
            b.removeNode(node("log"));
        });
        const NodeId conv = node("/layer1/conv2/Conv");
        small = fuse({conv, node("/layer1/Add")}, conv);
        whole = fuse({small, node("/layer1/relu_1/Relu")}, conv);
    }
    NodeId small, whole;
};

} // namespace fusescope::test
