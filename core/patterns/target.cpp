#include "patterns/target.h"

#include "patterns/formula.h"
#include "patterns/reasons.h"

#include <algorithm>

namespace fusescope {

namespace {

constexpr int reach = 8; // how far behind a node the last one of its fusion may stand

bool isNative(const GraphView& view, const Target& target, RuleId rule, const Match& match)
{
    const auto row = std::find_if(target.native.begin(), target.native.end(),
                                  [rule](const NativeFusion& n) { return n.rule == rule; });
    if (row == target.native.end())
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
         {{"layer-normalization", {}},
          {"skip-layer-normalization", {}},
          {"gelu", {}},
          {"quick-gelu", {}},
          {"matmul-scale", {}},
          {"transpose-matmul", {}},
          {"conv-add-activation",
           {"Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "HardSigmoid"}},
          {"conv-activation", {"Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "HardSigmoid"}},
          {"gemm-activation",
           {"Relu", "Sigmoid", "Tanh", "LeakyRelu", "Elu", "HardSigmoid", "Selu", "Softplus",
            "Softsign", "ThresholdedRelu"}}}},
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
    if (!target || !isNative(context.view, *target, rule, match))
        return std::nullopt;
    return reasons::targetFusesNatively(match.root, std::string(target->name));
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
