#include "patterns/target.h"

#include "ops/axes.h"
#include "patterns/formula.h"
#include "patterns/reasons.h"

#include <algorithm>
#include <array>

namespace fusescope {

namespace {

// Rules that change weights and take away what they fold.
constexpr std::array<RuleId, 9> folds{
    "conv-batchnorm", "conv-bias",       "conv-scale", "scale-conv",     "batchnorm-conv",
    "gemm-bias",      "gemm-batchnorm",  "batchnorm-chain", "convtranspose-batchnorm"};

constexpr int reach = 8; // how far behind a node the last one of its fusion may stand

// The kernels that ONNX Runtime's CPU provider has for its fused operators: of float, a convolution
// that is no transposed one, a residual of its own shape, a product of matrices, the last axis.
bool isFloat(const GraphView& view, const Match& match)
{
    const Node* root = view.node(match.root);
    return root && view.dtype(root->output(0)) == DType::float32;
}

bool isConvOfFloat(const GraphView& view, const Match& match)
{
    const Node* conv = view.node(match.node("conv"));
    if (!conv || !conv->is("Conv") || !isFloat(view, match))
        return false;
    const Node* add = view.node(match.node("add"));
    return !add || provablyEqual(view.shape(add->input(0)), view.shape(add->input(1)));
}

bool isGemmOfFloat(const GraphView& view, const Match& match)
{
    const Node* product = view.node(match.node("product"));
    return product && product->is("Gemm") && isFloat(view, match);
}

bool isSkipOfFloat(const GraphView& view, const Match& match)
{
    const Node* add = view.node(match.node("add"));
    const Node* norm = view.node(match.node("norm"));
    if (!add || !norm || !isFloat(view, match))
        return false;
    const Shape& sum = view.shape(add->output(0));
    const auto axis = normalizeAxis(norm->attributes.getInt("axis", -1), sum.rank());
    return sum.rank() == 3 && axis == std::size_t{2} &&
           provablyEqual(view.shape(add->input(0)), view.shape(add->input(1)));
}

bool isNative(const GraphView& view, const Target& target, RuleId rule, const Match& match)
{
    const auto row = std::find_if(target.native.begin(), target.native.end(),
                                  [rule](const NativeFusion& n) { return n.rule == rule; });
    if (row == target.native.end() || (row->takes && !row->takes(view, match)))
        return false;
    const Node* activation = view.node(match.node("activation"));
    if (!activation || row->activations.empty())
        return true;
    const std::string_view type =
        activation->region ? std::string_view(activation->region->kind) : activation->op.type;
    return std::find(row->activations.begin(), row->activations.end(), type) !=
           row->activations.end();
}

bool takesPart(const Match& match, NodeId node)
{
    return std::any_of(match.nodes.begin(), match.nodes.end(),
                       [node](const auto& entry) { return entry.second == node; });
}

} // namespace

std::span<const Target> allTargets()
{
    static const std::vector<Target> targets = {
        {"generic", "generic", "target.generic", {}},
        // The CPU provider at its highest level: FusedConv and its blocked form, FusedGemm,
        // FusedMatMul, SkipLayerNormalization and the Gelu family. What folds into weights is done
        // here all the same, since the file is read with it.
        {"onnxruntime",
         "ONNX Runtime",
         "target.onnxruntime",
         {{"layer-normalization", {}, isFloat},
          {"skip-layer-normalization", {}, isSkipOfFloat},
          {"gelu", {}, isFloat},
          {"quick-gelu", {}, isFloat},
          {"matmul-scale", {}, isFloat},
          {"transpose-matmul", {}, isFloat},
          {"conv-add-activation",
           {"Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "HardSigmoid"},
           isConvOfFloat},
          {"conv-activation",
           {"Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "HardSigmoid"},
           isConvOfFloat},
          {"gemm-activation",
           {"Relu", "Sigmoid", "Tanh", "LeakyRelu", "Elu", "HardSigmoid", "Selu", "Softplus",
            "Softsign", "ThresholdedRelu"},
           isGemmOfFloat}}},
        // Its builder joins pads and element-wise layers of every kind to a convolution or a
        // product, several element-wise layers to one, and recognizes attention.
        {"tensorrt",
         "TensorRT",
         "target.tensorrt",
         {{"pad-conv", {}},
          {"gelu", {}},
          {"hard-swish", {}},
          {"mish", {}},
          {"quick-gelu", {}},
          {"silu", {}},
          {"attention", {}},
          {"matmul-scale", {}},
          {"transpose-matmul", {}},
          {"conv-add-activation", {}},
          {"conv-activation", {}},
          {"gemm-activation", {}},
          {"add-activation", {}},
          {"elementwise-chain", {}}}},
        // A neural processor whose convolutions and products clamp their results.
        {"npu",
         "NPU",
         "target.npu",
         {{"conv-add-activation", {"Relu", "Clip"}},
          {"conv-activation", {"Relu", "Clip"}},
          {"gemm-activation", {"Relu", "Clip"}}}},
    };
    return targets;
}

const Target* findTarget(std::string_view id)
{
    for (const Target& target : allTargets()) {
        if (target.id == id)
            return &target;
    }
    return nullptr;
}

std::optional<Reason> leftToTarget(const MatchContext& context, RuleId rule, const Match& match)
{
    const Target* target = findTarget(context.policy.target);
    if (!target)
        return std::nullopt;
    if (isNative(context.view, *target, rule, match))
        return reasons::targetFusesNatively(match.root, std::string(target->name));
    // What folds into weights leaves the node that the target fuses with others where it is.
    if (std::find(folds.begin(), folds.end(), rule) != folds.end())
        return std::nullopt;
    for (const auto& [role, node] : match.nodes) {
        if (isHeldForTarget(context, node, rule))
            return reasons::targetFusesNatively(node, std::string(target->name));
    }
    return std::nullopt;
}

bool isHeldForTarget(const MatchContext& context, NodeId node, RuleId rule)
{
    const GraphView& view = context.view;
    const Target* target = findTarget(context.policy.target);
    if (!target || target->native.empty())
        return false;
    const MatchContext silent{view, context.policy, nullptr};
    NodeId root = node;
    for (int step = 0; step < reach && root; ++step) {
        const Node& last = *view.node(root);
        for (const FusionPattern* pattern : allPatterns()) {
            if (pattern->rule() == rule)
                break;
            const auto types = pattern->rootTypes();
            const bool listed = std::any_of(
                target->native.begin(), target->native.end(),
                [pattern](const NativeFusion& native) { return native.rule == pattern->rule(); });
            if (!listed || context.policy.disabled.contains(std::string(pattern->rule())) ||
                std::find(types.begin(), types.end(), last.op.type) == types.end())
                continue;
            const MatchResult result = pattern->match(silent, root);
            const auto* match = std::get_if<Match>(&result);
            if (match && takesPart(*match, node) &&
                isNative(view, *target, pattern->rule(), *match))
                return true;
        }
        root = last.outputs.size() == 1 && last.output(0) ? onlyReader(view, last.output(0))
                                                          : NodeId{};
    }
    return false;
}

} // namespace fusescope
