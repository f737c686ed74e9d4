#include "fuzz/node_hints.h"

#include <algorithm>
#include <vector>

namespace fusescope::test {

namespace {

struct Hint
{
    std::string_view name, text;
};

// Several rows of one operator are alternatives.
constexpr Hint byOperator[] = {
    {"AffineGrid", "N 2 3|4"},
    {"AffineGrid", "N 3 4|5"},
    {"ArrayFeatureExtractor", "A B|D"},
    {"Attention", "B H S D|B H T D|B H T E|S T|B H P D|B H P E|B"},
    {"Attention", "B S 4D|B T 4D|B T 4E"},
    {"AveragePool", "N C *"},
    {"BatchNormalization", "N C *|C|C|C|C"},
    {"BlackmanWindow", ""},
    {"CausalConvWithState", "B C L|C 1 3|C|B C 2"},
    {"CausalConvWithState", "B C L|C 1 K|C"},
    {"Col2Im", "N 4C L|2|2"},
    {"Col2Im", "N 4C 4|2|2"},
    {"Compress", "A B C|L"},
    {"ConstantOfShape", "L"},
    {"Conv", "N C *|M C k|M"},
    {"Conv", "N 2C *|2M C k|2M"},
    {"ConvInteger", "N C *|M C k||"},
    {"ConvInteger", "N C *|M C k||M"},
    {"ConvTranspose", "N C *|C M k|M"},
    {"ConvTranspose", "N 2C *|2C M k|2M"},
    {"DFT", "B S 1|"},
    {"DFT", "B S 2|"},
    {"DFT", "B S T 2|"},
    {"DeformConv", "N C H W|M C 1 1|N 2 H W|M|N 1 H W"},
    {"DeformConv", "N C 4 4|M C 2 2|N 8 3 3|M|N 4 3 3"},
    {"DepthToSpace", "N 4C H W"},
    {"DequantizeLinear", "A B C||"},
    {"DequantizeLinear", "A B C|B|B"},
    {"DequantizeLinear", "A 4 C|A 2 C|A 2 C"},
    {"Det", "A B B"},
    {"Det", "A 3 3"},
    {"Dropout", "^||"},
    {"Einsum", "A B|B C"},
    {"Einsum", "A B C|A C D"},
    {"Einsum", "A A|A"},
    {"EyeLike", "A B"},
    {"FlexAttention", "B H S D|B H T D|B H T E"},
    {"GRU", "S B I|G 3H I|G 3H H|G 6H|B|G B H"},
    {"GatherElements", "^|^"},
    {"GatherND", "A B C|D 2"},
    {"GatherND", "A B C|A D 1"},
    {"Gemm", "M K|K N|M N"},
    {"Gemm", "M K|K N|N"},
    {"Gemm", "K K|K K|K"},
    {"GridSample", "N C H W|N S T 2"},
    {"GridSample", "N C D H W|N S T U 3"},
    {"GroupNormalization", "N C *|C|C"},
    {"GroupNormalization", "N 2C *|2|2"},
    {"HammingWindow", ""},
    {"HannWindow", ""},
    {"If", ""},
    {"ImageDecoder", "D"},
    {"InstanceNormalization", "N C *|C|C"},
    {"LRN", "N C *"},
    {"LSTM", "S B I|G 4H I|G 4H H|G 8H|B|G B H|G B H|G 3H"},
    {"LayerNormalization", "A B C|C|C"},
    {"LayerNormalization", "A B C|B C|B C"},
    {"LinearAttention", "B S D|B S D|B S D|B 1 D D|B S D|B S 1"},
    {"LinearAttention", "B S 2D|B S 2D|B S 2D|B 2 D D|B S 2|B S 2"},
    {"Loop", "||A B"},
    {"LpPool", "N C *"},
    {"MatMul", "M K|K N"},
    {"MatMul", "B M K|K N"},
    {"MatMul", "B M K|B K N"},
    {"MatMul", "K|K N"},
    {"MatMulInteger", "M K|K N||"},
    {"MatMulInteger", "B M K|B K N|M|N"},
    {"MaxPool", "N C *"},
    {"MaxRoiPool", "N C H W|R 5"},
    {"MaxUnpool", "N C H W|N C H W|4"},
    {"MelWeightMatrix", "||||"},
    {"Multinomial", "N C"},
    {"NegativeLogLikelihoodLoss", "N C *|N *|C"},
    {"NonMaxSuppression", "N S 4|N C S|1|1|1"},
    {"OneHot", "A B||2"},
    {"PRelu", "N C *|C 1 1"},
    {"QLinearConv", "N C *|||M C k|||||M"},
    {"QLinearConv", "N C *|||M C k|M|M|||M"},
    {"QLinearMatMul", "M K|||K N||||"},
    {"QuantizeLinear", "A B C||"},
    {"QuantizeLinear", "A B C|B|B"},
    {"QuantizeLinear", "A 4 C|A 2 C|A 2 C"},
    {"RMSNormalization", "A B C|C"},
    {"RNN", "S B I|G H I|G H H|G 2H|B|G B H"},
    {"Range", ""},
    {"ReverseSequence", "S B *|B"},
    {"RoiAlign", "N C H W|R 4|R"},
    {"RotaryEmbedding", "B H S 4|P 2|P 2|B S"},
    {"RotaryEmbedding", "B S 4H|B S 2|B S 2"},
    {"STFT", "B S 1||F|"},
    {"STFT", "B S 2||F|"},
    {"Scatter", "^|^|^"},
    {"ScatterElements", "^|^|^"},
    {"ScatterND", "A B C|D 1|D B C"},
    {"ScatterND", "A B C|D 3|D"},
    {"SoftmaxCrossEntropyLoss", "N C *|N *|C"},
    {"SpaceToDepth", "N C 4 4"},
    {"SwiGLU", "^|^"},
    {"TensorScatter", "B H S D|B H P D|B"},
    {"TfIdfVectorizer", "N C"},
    {"TopK", "A B C|1"},
    {"Trilu", "A B|"},
    {"Trilu", "N A B|"},
    {"Upsample", "N C H W|r"},
};

constexpr Hint byName[] = {
    {"axes", "L"},      {"axis", ""},        {"block_shape", "2"}, {"cond", ""},
    {"delta", ""},      {"depth", ""},       {"dft_length", ""},   {"ends", "L"},
    {"frame_step", ""}, {"image_shape", "2"}, {"K", "1"},          {"k", ""},
    {"limit", ""},      {"M", ""},           {"max", ""},          {"min", ""},
    {"pads", "2r"},     {"position", ""},    {"R", ""},            {"ratio", ""},
    {"repeats", "r"},   {"roi", "2r"},       {"scales", "r"},      {"shape", "r"},
    {"size", ""},       {"sizes", "r"},      {"split", "L"},       {"start", ""},
    {"starts", "L"},    {"steps", "L"},      {"T", ""},            {"training_mode", ""},
    {"constant_value", ""}, {"output_shape", "r"}, {"frame_length", ""},
};

constexpr std::string_view sizeNames[] = {
    "shape",      "repeats",   "split",       "output_shape", "image_shape",
    "block_shape", "K",        "depth",       "size",         "M",
    "sizes",      "sequence_lens", "nonpad_kv_seqlen", "frame_step", "frame_length",
    "dft_length", "num_mel_bins", "sample_rate", "max_output_boxes_per_class", "kernel_shape",
    "strides",    "dilations", "group",       "blocksize",    "num_heads",
    "q_num_heads", "kv_num_heads", "num_groups", "num_outputs", "p",
    "output_height", "output_width", "pooled_shape", "offset_group", "block_size",
    "sample_size", "max_gram_length", "min_gram_length", "num_scan_inputs", "n_targets",
    "targets",    "n_supports", "vectors_per_class", "chunk_size", "zeros"};
constexpr std::string_view axisNames[] = {"axes",       "axis",      "batch_axis", "time_axis",
                                          "batch_dims", "perm",      "scan_input_axes",
                                          "scan_output_axes"};
constexpr std::string_view dtypeNames[] = {"to",         "dtype",           "output_dtype",
                                           "precision",  "output_datatype", "softmax_precision",
                                           "stash_type"};
constexpr std::string_view flagNames[] = {
    "keepdims",   "transA",   "transB",      "exclusive",        "reverse",
    "ceil_mode",  "upper",    "align_corners", "training_mode",  "noop_with_empty_axes",
    "layout",     "inverse",  "onesided",    "allowzero",        "select_last_index",
    "periodic",   "largest",  "sorted",      "is_causal",        "scan_input_directions",
    "interleaved", "fmod",    "broadcast",   "antialias",        "scan_output_directions",
    "new_axis",   "saturate", "storage_order", "linear_before_reset", "center_point_box",
    "consumed_inputs", "is_test", "spatial", "exclude_outside",  "input_forget"};

struct Strings
{
    std::string_view attribute;
    std::vector<std::string_view> values;
};

const std::vector<Strings>& strings()
{
    static const std::vector<Strings> table = {
        {"activation", {"silu", "none", "swish"}},
        {"activations",
         {"Sigmoid", "Tanh", "Relu", "Affine", "LeakyRelu", "ThresholdedRelu", "ScaledTanh",
          "HardSigmoid", "Elu", "Softsign", "Softplus", "tanh"}},
        {"aggregate_function", {"SUM", "AVERAGE", "MIN", "MAX"}},
        {"approximate", {"none", "tanh"}},
        {"auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"}},
        {"case_change_action", {"NONE", "LOWER", "UPPER"}},
        {"cast_to", {"TO_FLOAT", "TO_INT64", "TO_STRING"}},
        {"coordinate_transformation_mode",
         {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
          "tf_crop_and_resize", "output_half_pixel", "tf_half_pixel_for_nn"}},
        {"delimiter", {"", " ", "a", "ab"}},
        {"direction", {"forward", "reverse", "bidirectional", "LEFT", "RIGHT"}},
        {"equation",
         {"ij,jk->ik", "ij->ji", "ii->i", "ii", "ijk,ikl->ijl", "...ij,...jk->...ik", "i,j->ij", "->",
          "ij,j", "...->", "ab...,b", "ii,i->i", "ij,jk", "a...a", "ij->iji", "i..j", ",", "ij->k"}},
        {"kernel_type", {"LINEAR", "POLY", "RBF", "SIGMOID"}},
        {"keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"}},
        {"locale", {"", "en_US", "C"}},
        {"map_form", {"DENSE", "SPARSE"}},
        {"mode",
         {"constant", "reflect", "edge", "wrap", "nearest", "linear", "bilinear", "cubic", "bicubic",
          "DCR", "CRD", "avg", "max", "TF", "IDF", "TFIDF", "standard", "nesterov", "circular"}},
        {"nearest_mode",
         {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"}},
        {"nodes_modes",
         {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "LEAF"}},
        {"norm", {"MAX", "L1", "L2"}},
        {"padding_mode", {"zeros", "border", "reflection"}},
        {"pattern",
         {"a*", "(a|b)+", "[a-z]{2,3}", "^.*$", "((((", "[", "a{1000}", "(a*)*b", "\\d+", "x{2,1}",
          "\\", "(?:a)", "[^]"}},
        {"pixel_format", {"RGB", "BGR", "Grayscale"}},
        {"post_transform", {"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"}},
        {"reduction", {"none", "add", "mul", "min", "max", "mean", "sum"}},
        {"round_mode", {"up", "down", "nearest"}},
        {"update_rule", {"linear", "gated", "delta", "gated_delta"}},
    };
    return table;
}

bool isIn(std::span<const std::string_view> names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

} // namespace

std::string_view shapeHint(std::string_view op, std::uint64_t choice)
{
    const auto [first, last] = std::ranges::equal_range(byOperator, op, {}, &Hint::name);
    const auto count = static_cast<std::uint64_t>(last - first);
    return count == 0 ? std::string_view("?") : (first + static_cast<std::ptrdiff_t>(choice % count))->text;
}

bool shapeHintByName(std::string_view input, std::string_view& hint)
{
    const auto found = std::ranges::find(byName, input, &Hint::name);
    if (found == std::end(byName))
        return false;
    hint = found->text;
    return true;
}

IntegerRole integerRole(std::string_view name)
{
    if (isIn(sizeNames, name))
        return IntegerRole::size;
    if (isIn(axisNames, name))
        return IntegerRole::axis;
    if (isIn(dtypeNames, name))
        return IntegerRole::dtype;
    return isIn(flagNames, name) ? IntegerRole::flag : IntegerRole::any;
}

std::span<const std::string_view> knownStrings(std::string_view attribute)
{
    const auto found = std::ranges::find(strings(), attribute, &Strings::attribute);
    return found == strings().end() ? std::span<const std::string_view>() : found->values;
}

} // namespace fusescope::test
