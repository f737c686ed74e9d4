#include "exec/fused/epilogue_plan.h"
#include "exec/fused/steps.h"
#include "ops/input_checks.h"
#include "report/node_form.h"

#include <algorithm>
#include <array>

namespace fusescope::fused {

namespace {

// The kernels of each operator, best first; the reference kernel stands behind them all.
struct KernelRow
{
    std::string_view op;
    std::string_view kernel;
    Why (*build)(Builder&, const Unit&);
};

constexpr std::array rows{
    KernelRow{"Conv", "convolution", buildConvolution},
    KernelRow{"ConvTranspose", "convolution", buildConvolution},
    KernelRow{"Gemm", "gemm", buildProduct},
    KernelRow{"MatMul", "matmul", buildProduct},
    KernelRow{"MaxPool", "pool", buildPool},
    KernelRow{"AveragePool", "pool", buildPool},
    KernelRow{"GlobalAveragePool", "global pool", buildGlobalPool},
    KernelRow{"GlobalMaxPool", "global pool", buildGlobalPool},
    KernelRow{"ReduceMean", "global pool", buildSpatialMean},
    KernelRow{"ReduceMean", "reduce", buildReduce},
    KernelRow{"ReduceMax", "global pool", buildSpatialMean},
    KernelRow{"ReduceMax", "reduce", buildReduce},
    KernelRow{"ReduceSum", "reduce", buildReduce},
    KernelRow{"ReduceMin", "reduce", buildReduce},
    KernelRow{"ReduceL1", "reduce", buildReduce},
    KernelRow{"ReduceProd", "reduce", buildReduce},
    KernelRow{"ReduceSumSquare", "reduce", buildReduce},
    KernelRow{"Softmax", "softmax", buildSoftmax},
    KernelRow{"LogSoftmax", "softmax", buildSoftmax},
    KernelRow{"LayerNormalization", "layer-normalization", buildLayerNormalization},
    KernelRow{"RMSNormalization", "rms-normalization", buildLayerNormalization},
    KernelRow{"InstanceNormalization", "group-normalization", buildGroupNormalization},
    KernelRow{"GroupNormalization", "group-normalization", buildGroupNormalization},
    KernelRow{"LRN", "lrn", buildLrn},
    KernelRow{"Reshape", "view", buildView},
    KernelRow{"Flatten", "view", buildView},
    KernelRow{"Squeeze", "view", buildView},
    KernelRow{"Unsqueeze", "view", buildView},
    KernelRow{"Identity", "view", buildView},
    KernelRow{"Dropout", "view", buildView},
    KernelRow{"Cast", "view", buildView},
    KernelRow{"Transpose", "transpose", buildTranspose},
    KernelRow{"DepthToSpace", "transpose", buildDepthToSpace},
    KernelRow{"SpaceToDepth", "transpose", buildDepthToSpace},
    KernelRow{"Concat", "blocked concat", buildBlockedConcat},
    KernelRow{"Concat", "concat", buildConcat},
    KernelRow{"Split", "view of blocks", buildBlockedSplit},
    KernelRow{"Split", "split", buildSplit},
    KernelRow{"Slice", "slice", buildSlice},
    KernelRow{"Expand", "expand", buildExpand},
    KernelRow{"Pad", "pad", buildPad},
    KernelRow{"Resize", "nearest", buildNearest},
    KernelRow{"Upsample", "nearest", buildNearest},
};

// Whether the reference kernel would take the node at all.
bool isWhole(const Builder& builder, const Unit& unit)
{
    const OpSchema* schema = findSchema(unit.node->op.domain, unit.node->op.type, unit.since);
    if (!schema || !wrongAttributes(*schema, *unit.node).empty())
        return false;
    std::vector<Type> types;
    for (std::size_t i = 0; i < unit.inputs.size(); ++i) {
        const int input = unit.inputs[i];
        // A value that is named and that nothing makes.
        if (input < 0 && unit.node->input(i))
            return false;
        types.push_back(input < 0 ? Type() : builder.var(input).known.type);
    }
    return checkInputTypes(*schema, *unit.node, unit.id, types).has_value();
}

} // namespace

bool emitFast(Builder& builder, const Unit& unit)
{
    if (unit.isRegion) {
        auto why = buildRegion(builder, unit);
        if (!why)
            return true;
        builder.reject("region", std::move(*why));
        why = buildNormRegion(builder, unit);
        if (!why)
            return true;
        builder.reject("normalization", std::move(*why));
        return false;
    }
    // What inference or a check refuses is for the reference kernel to refuse, in its words.
    const bool isTyped = std::ranges::all_of(unit.outputs, [&builder](int output) {
        return output < 0 || builder.var(output).known.type.isKnown();
    });
    if (!unit.node->op.domain.empty() || !unit.node->bodies.empty() || !isTyped ||
        !isWhole(builder, unit)) {
        builder.reject("fast", noKernel(unit));
        return false;
    }
    bool listed = false;
    for (const KernelRow& row : rows) {
        if (row.op != unit.node->op.type)
            continue;
        listed = true;
        auto why = row.build(builder, unit);
        if (!why)
            return true;
        builder.reject(row.kernel, std::move(*why));
    }
    if (listed)
        return false;
    auto why = buildElementwise(builder, unit);
    if (!why)
        return true;
    builder.reject("elementwise", std::move(*why));
    return false;
}

} // namespace fusescope::fused
