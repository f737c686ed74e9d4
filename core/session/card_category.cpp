#include "session/card.h"

#include <unordered_map>

namespace fusescope {

namespace {

using enum OperatorCategory;

const std::unordered_map<std::string_view, OperatorCategory>& table()
{
    static const std::unordered_map<std::string_view, OperatorCategory> map = [] {
        const struct
        {
            OperatorCategory category;
            std::vector<std::string_view> types;
        } rows[] = {
            {conv,
             {"Conv", "ConvTranspose", "ConvInteger", "QLinearConv", "DeformConv", "MatMul", "Gemm",
              "MatMulInteger", "QLinearMatMul", "Einsum", "RNN", "LSTM", "GRU", "Attention"}},
            {normalization,
             {"BatchNormalization", "InstanceNormalization", "LayerNormalization",
              "GroupNormalization", "RMSNormalization", "LpNormalization", "LRN",
              "MeanVarianceNormalization", "SpatialBN"}},
            {activation,
             {"Relu", "LeakyRelu", "PRelu", "Elu", "Selu", "Celu", "ThresholdedRelu", "Sigmoid",
              "HardSigmoid", "HardSwish", "Swish", "Mish", "Softmax", "LogSoftmax", "Hardmax",
              "Softplus", "Softsign", "Tanh", "Erf", "Gelu", "Clip", "Shrink", "Dropout"}},
            {pooling,
             {"MaxPool", "AveragePool", "LpPool", "GlobalAveragePool", "GlobalMaxPool",
              "GlobalLpPool", "MaxRoiPool", "RoiAlign", "MaxUnpool", "Resize", "Upsample",
              "GridSample"}},
            {shape,
             {"Reshape", "Transpose", "Flatten", "Squeeze", "Unsqueeze", "Concat", "Split", "Slice",
              "Gather", "GatherElements", "GatherND", "ScatterElements", "ScatterND", "Scatter",
              "Expand", "Tile", "Pad", "Shape", "Size", "Identity", "Cast", "CastLike",
              "DepthToSpace", "SpaceToDepth", "Constant", "ConstantOfShape", "Range", "OneHot",
              "NonZero", "Compress", "EyeLike", "Trilu", "ReverseSequence", "CenterCropPad",
              "Col2Im", "TensorScatter", "BitCast"}},
            {elementwise,
             {"Add", "Sub", "Mul", "Div", "Pow", "Sqrt", "Exp", "Log", "Abs", "Neg", "Reciprocal",
              "Floor", "Ceil", "Round", "Sign", "Min", "Max", "Mean", "Sum", "Mod", "And", "Or",
              "Not", "Xor", "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Where",
              "IsNaN", "IsInf", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh",
              "Asinh", "Acosh", "Atanh", "BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor",
              "BitwiseNot"}},
            {reduction,
             {"ReduceMean", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1",
              "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare", "ArgMax", "ArgMin",
              "TopK", "CumSum", "CumProd", "Det", "NonMaxSuppression", "Unique"}},
            {controlFlow,
             {"If", "Loop", "Scan", "SequenceMap", "SequenceAt", "SequenceConstruct",
              "SequenceEmpty", "SequenceErase", "SequenceInsert", "SequenceLength",
              "SplitToSequence", "ConcatFromSequence", "Optional", "OptionalGetElement",
              "OptionalHasElement"}},
            {quantization,
             {"QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear"}},
        };
        std::unordered_map<std::string_view, OperatorCategory> result;
        for (const auto& row : rows) {
            for (const std::string_view type : row.types)
                result.emplace(type, row.category);
        }
        return result;
    }();
    return map;
}

OperatorCategory ofKind(std::string_view kind)
{
    if (kind.find("normalization") != kind.npos)
        return normalization;
    if (kind == "gelu" || kind == "quick-gelu" || kind == "silu" || kind == "hard-swish"
        || kind == "mish")
        return activation;
    if (kind.starts_with("conv") || kind.starts_with("gemm") || kind.starts_with("matmul")
        || kind == "attention" || kind.ends_with("conv"))
        return conv;
    return elementwise;
}

} // namespace

OperatorCategory categoryOf(const Graph& graph, const Node& node)
{
    if (node.region) {
        // What it computes as a whole; else as its main operator, which may be one of many.
        const OperatorCategory whole = ofKind(node.region->kind);
        const Node* main = graph.node(node.region->nodeOf(Role::main));
        return whole == elementwise && main && main->op.isStandard() ? categoryOf(graph, *main) : whole;
    }
    if (!node.op.isStandard())
        return custom;
    const auto found = table().find(node.op.type);
    return found == table().end() ? custom : found->second;
}

} // namespace fusescope
