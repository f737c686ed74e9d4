#include "ops/input_checks.h"

#include "ops/kernel_support.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace fusescope {

namespace {

// The highest rank that each input of an operator may have, a digit an input and '-' for any.
struct MostRanks
{
    std::string_view type;
    int since = 1;
    std::string_view ranks;
};

constexpr MostRanks mostRanks[] = {
    // sizes, axes, ends, repeats
    {"CenterCropPad", 1, "-1"},
    {"Col2Im", 1, "-11"},
    {"ConstantOfShape", 1, "1"},
    {"CumProd", 1, "-1"},
    {"CumSum", 1, "-1"},
    {"DFT", 1, "-11"},
    {"Expand", 1, "-1"},
    {"OneHot", 1, "-11"},
    {"Pad", 1, "-111"},
    {"Range", 1, "111"},
    {"ReduceL1", 1, "-1"},
    {"ReduceL2", 1, "-1"},
    {"ReduceLogSum", 1, "-1"},
    {"ReduceLogSumExp", 1, "-1"},
    {"ReduceMax", 1, "-1"},
    {"ReduceMean", 1, "-1"},
    {"ReduceMin", 1, "-1"},
    {"ReduceProd", 1, "-1"},
    {"ReduceSum", 1, "-1"},
    {"ReduceSumSquare", 1, "-1"},
    {"Reshape", 1, "-1"},
    {"Resize", 1, "-111"},
    {"SequenceAt", 1, "-1"},
    {"SequenceErase", 1, "-1"},
    {"SequenceInsert", 1, "--1"},
    {"Slice", 1, "-1111"},
    {"Split", 1, "-1"},
    {"SplitToSequence", 1, "-1"},
    {"Squeeze", 1, "-1"},
    {"STFT", 1, "-111"},
    {"Tile", 1, "-11"},
    {"TopK", 1, "-1"},
    {"Trilu", 1, "-1"},
    {"Unsqueeze", 1, "-1"},
    {"Upsample", 1, "-1"},
    // one number, or one for each batch, channel or box
    {"Attention", 24, "------1"},
    {"BatchNormalization", 9, "-1111"},
    {"BlackmanWindow", 1, "1"},
    {"CausalConvWithState", 1, "--1"},
    {"Clip", 1, "-11"},
    {"Compress", 1, "-1"},
    {"ConvInteger", 1, "--11"},
    {"DeformConv", 1, "---1"},
    {"Dropout", 1, "-11"},
    {"GroupNormalization", 1, "-11"},
    {"HammingWindow", 1, "1"},
    {"HannWindow", 1, "1"},
    {"InstanceNormalization", 1, "-11"},
    {"MaxUnpool", 1, "--1"},
    {"MelWeightMatrix", 1, "11111"},
    {"NegativeLogLikelihoodLoss", 1, "--1"},
    {"NonMaxSuppression", 1, "33111"},
    {"QLinearConv", 1, "-11-11111"},
    {"ReverseSequence", 1, "-1"},
    {"RoiAlign", 1, "421"},
    {"RotaryEmbedding", 1, "4332"},
    {"SoftmaxCrossEntropyLoss", 1, "--1"},
    {"TensorScatter", 1, "--1"},
    // recurrences
    {"GRU", 1, "333213"},
    {"LSTM", 1, "33321332"},
    {"RNN", 1, "333213"},
};

// Whether the list of a parameter holds tensors of this type, or optional ones.
bool takesTensor(const FormalParameter& parameter, DType type)
{
    const std::string_view name = nameOf(type);
    return std::ranges::any_of(parameter.types, [name](std::string_view allowed) {
        if (allowed.starts_with("optional("))
            allowed = allowed.substr(9, allowed.size() - 10);
        return allowed.starts_with("tensor(") && allowed.substr(7, allowed.size() - 8) == name;
    });
}

// What the checks ask of an input: also of one that is only planned.
struct Found
{
    Type::Kind kind = Type::Kind::undefined;
    DType dtype = DType::undefined;
    std::optional<std::size_t> rank;

    bool isTensor() const { return kind == Type::Kind::tensor; }
};

Found foundIn(const RuntimeValue& value)
{
    if (const Tensor* tensor = value.tensor())
        return {Type::Kind::tensor, tensor->dtype(), tensor->rank()};
    return {value.sequence()   ? Type::Kind::sequence
            : value.optional() ? Type::Kind::optional
            : value.map()      ? Type::Kind::map
            : value.sparse()   ? Type::Kind::sparseTensor
                               : Type::Kind::undefined,
            DType::undefined,
            {}};
}

bool takes(const FormalParameter& parameter, const Found& value)
{
    if (value.isTensor())
        return value.dtype == DType::undefined || takesTensor(parameter, value.dtype);
    // Operators of sequences take an optional that holds one.
    const std::string_view kind = value.kind == Type::Kind::sequence ? "seq("
                                  : value.kind == Type::Kind::map    ? "map("
                                                                     : "";
    return kind.empty() || std::ranges::any_of(parameter.types, [kind](std::string_view allowed) {
               return allowed.find(kind) != std::string_view::npos;
           });
}

std::string listed(std::span<const std::string_view> types)
{
    std::string text;
    for (std::string_view type : types) {
        if (type.starts_with("tensor("))
            type = type.substr(7, type.size() - 8);
        text += (text.empty() ? "" : ", ") + std::string(type);
    }
    return text;
}

using TextOf = std::function<std::string(std::size_t input)>;

Error wrongInput(const Node& node, NodeId id, Message message)
{
    Error error;
    error.code = ErrorCode::failed;
    error.message = std::move(message);
    error.node = id;
    return withValueName(std::move(error), node);
}

Result<void> checkRanks(const OpSchema& schema, const Node& node, NodeId id,
                        std::span<const Found> inputs)
{
    if (!schema.domain.empty())
        return {};
    const auto row = std::ranges::find(mostRanks, schema.name, &MostRanks::type);
    if (row == std::end(mostRanks) || schema.sinceVersion < row->since)
        return {};
    for (std::size_t i = 0; i < std::min(inputs.size(), row->ranks.size()); ++i) {
        const auto rank = inputs[i].rank;
        const int most = row->ranks[i] == '-' ? std::numeric_limits<int>::max()
                                              : row->ranks[i] - '0';
        if (rank && static_cast<int>(*rank) > most)
            return tl::unexpected(wrongInput(
                node, id, wrongRank(i, most == 1 ? "0 to 1" : std::to_string(most), *rank)));
    }
    return {};
}

Result<void> check(const OpSchema& schema, const Node& node, NodeId id,
                   std::span<const Found> inputs, const TextOf& textOf)
{
    // The first tensor of each type variable, by the number of its input.
    std::vector<std::pair<std::string_view, std::size_t>> bound;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const FormalParameter* parameter = schema.input(i);
        if (!parameter || inputs[i].kind == Type::Kind::undefined)
            continue;
        if (!takes(*parameter, inputs[i])) {
            const OpSchema* newest =
                findSchema(schema.domain, schema.name, std::numeric_limits<int>::max());
            const FormalParameter* later = newest ? newest->input(i) : nullptr;
            if (!later || !takes(*later, inputs[i]))
                return tl::unexpected(wrongInput(
                    node, id, wrongType(i, listed(parameter->types), textOf(i))));
        }
        const bool isVariable = parameter->typeName.find('(') == std::string_view::npos;
        if (!inputs[i].isTensor() || inputs[i].dtype == DType::undefined || !isVariable ||
            (parameter->option == ParamOption::variadic && !parameter->homogeneous))
            continue;
        const auto first = std::ranges::find(bound, parameter->typeName,
                                             &std::pair<std::string_view, std::size_t>::first);
        if (first == bound.end()) {
            bound.emplace_back(parameter->typeName, i);
        } else if (const DType wanted = inputs[first->second].dtype; wanted != inputs[i].dtype) {
            return tl::unexpected(wrongInput(
                node, id, wrongType(i, std::string(nameOf(wanted)), textOf(i))));
        }
    }
    return checkRanks(schema, node, id, inputs);
}

} // namespace

Error withValueName(Error error, const Node& node)
{
    std::int64_t number = 0;
    for (const auto& [name, value] : error.message.args) {
        if (const auto* given = std::get_if<std::int64_t>(&value); given && name == "input")
            number = *given;
    }
    const ValueId value = number > 0 ? node.input(static_cast<std::size_t>(number - 1)) : ValueId{};
    if (!value)
        return error;
    struct Named
    {
        TextId text, withValue;
    };
    constexpr Named named[] = {
        {"ops.rank", "ops.value-rank"},
        {"ops.shape", "ops.value-shape"},
        {"ops.type", "ops.value-type"},
        {"ops.broadcast", "ops.value-broadcast"},
        {"ops.broadcast-to", "ops.value-broadcast-to"},
        {"ops.inner-sizes", "ops.value-inner-sizes"},
        {"ops.input-out-of-range", "ops.value-out-of-range"},
        {"ops.size-at-axis", "ops.value-size-at-axis"},
        {"ops.element", "ops.value-element"},
        {"ops.square", "ops.value-square"},
    };
    const auto row = std::ranges::find(named, error.message.text, &Named::text);
    if (row == std::end(named))
        return error;
    error.message.text = row->withValue;
    error.message.args.emplace_back("value", value);
    return error;
}

Result<void> checkInputs(const OpSchema& schema, const Node& node, NodeId id,
                         std::span<const RuntimeValue> inputs)
{
    std::vector<Found> found;
    found.reserve(inputs.size());
    for (const RuntimeValue& input : inputs)
        found.push_back(foundIn(input));
    return check(schema, node, id, found, [inputs](std::size_t i) {
        const Tensor* tensor = inputs[i].tensor();
        return tensor ? std::string(nameOf(tensor->dtype())) : inputs[i].type().text();
    });
}

Result<void> checkInputTypes(const OpSchema& schema, const Node& node, NodeId id,
                             std::span<const Type> inputs)
{
    std::vector<Found> found;
    for (const Type& type : inputs)
        found.push_back({type.kind, type.dtype,
                         type.shape.hasRank() ? std::optional(type.shape.rank()) : std::nullopt});
    return check(schema, node, id, found, [inputs](std::size_t i) {
        return inputs[i].isTensor() ? std::string(nameOf(inputs[i].dtype)) : inputs[i].text();
    });
}

std::optional<Message> differingBranches(const Graph& graph, const Node& node,
                                         const std::function<Type(ValueId)>& typeOf)
{
    if (!node.is("If"))
        return std::nullopt;
    const Body* whenTrue = graph.body(node.attributes.getBody("then_branch"));
    const Body* whenFalse = graph.body(node.attributes.getBody("else_branch"));
    if (!whenTrue || !whenFalse)
        return std::nullopt;
    const std::size_t count = std::min(whenTrue->outputs.size(), whenFalse->outputs.size());
    for (std::size_t i = 0; i < count; ++i) {
        const Type a = typeOf(whenTrue->outputs[i]), b = typeOf(whenFalse->outputs[i]);
        const bool elements = a.dtype != DType::undefined && b.dtype != DType::undefined;
        if (a.isKnown() && b.isKnown() && (a.kind != b.kind || (elements && a.dtype != b.dtype)))
            return Message("ops.branch-types", {{"output", static_cast<std::int64_t>(i) + 1},
                                                {"then", a.text()},
                                                {"else", b.text()}});
    }
    return std::nullopt;
}

std::optional<Message> differingBranches(const Graph& graph, const Node& node)
{
    return differingBranches(graph, node, [&graph](ValueId id) {
        const Value* value = graph.value(id);
        return value ? value->type : Type();
    });
}

} // namespace fusescope
