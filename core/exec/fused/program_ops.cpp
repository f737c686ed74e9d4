#include "exec/fused/program.h"

#include "ops/activation/clip_bounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fusescope::fused {

using kernels::Activation;
using kernels::ActivationSpec;
using kernels::ElementOp;
using Ref = Program::Ref;

namespace {

struct Row
{
    std::string_view op;
    ElementOp element;
};

constexpr std::array unaryRows{
    Row{"Neg", ElementOp::Neg},   Row{"Abs", ElementOp::Abs},
    Row{"Sqrt", ElementOp::Sqrt}, Row{"Reciprocal", ElementOp::Reciprocal},
    Row{"Exp", ElementOp::Exp},   Row{"Log", ElementOp::Log},
    Row{"Erf", ElementOp::Erf},   Row{"Floor", ElementOp::Floor},
    Row{"Ceil", ElementOp::Ceil}, Row{"Round", ElementOp::Round},
    Row{"Sign", ElementOp::Sign},
};

constexpr std::array binaryRows{
    Row{"Add", ElementOp::Add},         Row{"Sub", ElementOp::Sub},
    Row{"Mul", ElementOp::Mul},         Row{"Div", ElementOp::Div},
    Row{"Pow", ElementOp::Pow},         Row{"Less", ElementOp::Less},
    Row{"Greater", ElementOp::Greater}, Row{"LessOrEqual", ElementOp::LessEqual},
    Row{"Equal", ElementOp::Equal},     Row{"GreaterOrEqual", ElementOp::GreaterEqual},
};

template <std::size_t N>
const Row* findRow(const std::array<Row, N>& rows, std::string_view op)
{
    const auto found = std::ranges::find(rows, op, &Row::op);
    return found == rows.end() ? nullptr : &*found;
}

Message attribute(const char* name, const std::string& value)
{
    return Message("kernel.attribute", {{"name", std::string(name)}, {"value", value}});
}

} // namespace

Ref ProgramMaker::of(int var)
{
    if (const auto found = m_values.find(var); found != m_values.end())
        return found->second;
    if (const auto value = m_builder.scalar(var))
        return program.constant(static_cast<float>(*value));
    if (m_builder.isConstant(var) && m_builder.var(var).dtype != DType::float32) {
        // A mask or whole numbers: the same values as floats.
        const TensorPtr from = m_builder.var(var).constant;
        Tensor floats = Tensor::allocate(DType::float32, from->shape());
        for (std::int64_t i = 0; i < from->elementCount(); ++i)
            floats.store(i, from->asDouble(i));
        const Ref ref = program.input(m_builder.addConstant(std::move(floats)));
        m_values[var] = ref;
        return ref;
    }
    return program.input(var);
}

bool ProgramMaker::endsWith(int var) const
{
    const auto found = m_values.find(var);
    return found != m_values.end() && !program.code.empty() &&
           found->second == Ref{Ref::Kind::result, static_cast<int>(program.code.size()) - 1};
}

// Whether a float holds each of these whole numbers.
bool areExact(const Tensor& tensor)
{
    constexpr double limit = 0x1p24;
    for (std::int64_t i = 0; i < tensor.elementCount(); ++i) {
        if (!(std::abs(tensor.asDouble(i)) <= limit))
            return false;
    }
    return true;
}

// Inputs are floats, constants of one element, or values that the program makes.
Why ProgramMaker::operands(const Unit& unit) const
{
    for (const int input : unit.inputs) {
        if (input < 0 || has(input) || m_builder.isFloat(input))
            continue;
        const Var& var = m_builder.var(input);
        if (m_builder.isConstant(input) && var.constant->elementCount() > 0 &&
            (isInteger(var.dtype) || var.dtype == DType::boolean) && areExact(*var.constant))
            continue;
        const int one[] = {input};
        return m_builder.whyNotFloat(one);
    }
    for (const int output : unit.outputs) {
        const bool made = output >= 0 && m_builder.var(output).dtype == DType::boolean;
        if (made || output < 0)
            continue;
        const int one[] = {output};
        if (auto why = m_builder.whyNotFloat(one))
            return why;
    }
    return std::nullopt;
}

Why ProgramMaker::addClip(const Unit& unit)
{
    auto [low, high] =
        clipBounds(unit.node->attributes, unit.since, m_builder.var(unit.inputs[0]).dtype);
    for (std::size_t i = 1; i < unit.inputs.size(); ++i) {
        if (unit.inputs[i] < 0)
            continue;
        const auto value = m_builder.scalar(unit.inputs[i]);
        if (!value)
            return Message("kernel.not-constant", {{"value", m_builder.var(unit.inputs[i]).id}});
        (i == 1 ? low : high) = *value;
    }
    if (!(low <= high))
        return attribute("min", std::to_string(low));
    const Ref x = of(unit.inputs[0]);
    m_values[unit.outputs[0]] =
        program.activate({Activation::Clip, static_cast<float>(low), static_cast<float>(high)}, x);
    return std::nullopt;
}

Why ProgramMaker::addChain(const Unit& unit, ElementOp op, bool mean)
{
    if (std::ranges::any_of(unit.inputs, [](int input) { return input < 0; }))
        return Message("kernel.none", {{"op", unit.node->op.type}});
    if (unit.inputs.size() == 1) {
        m_values[unit.outputs[0]] = of(unit.inputs[0]);
        return std::nullopt;
    }
    Ref sum = of(unit.inputs[0]);
    for (std::size_t i = 1; i < unit.inputs.size(); ++i)
        sum = program.push(op, sum, of(unit.inputs[i]));
    if (mean)
        sum = program.push(ElementOp::Div, sum,
                           program.constant(static_cast<float>(unit.inputs.size())));
    m_values[unit.outputs[0]] = sum;
    return std::nullopt;
}

Why ProgramMaker::addBatchNormalization(const Unit& unit)
{
    const Attributes& attributes = unit.node->attributes;
    if (attributes.getInt("training_mode", 0) != 0 || attributes.getInt("spatial", 1) != 1)
        return attribute("training_mode", "1");
    if (unit.since < 7 && attributes.getInt("is_test", 0) == 0)
        return attribute("is_test", "0");
    if (std::ranges::any_of(unit.outputs.begin() + 1, unit.outputs.end(),
                            [](int output) { return output >= 0; }))
        return Message("kernel.several-outputs");
    if (unit.inputs.size() != 5 || m_builder.shape(unit.inputs[0]).size() < 2)
        return Message("kernel.none", {{"op", unit.node->op.type}});
    const std::int64_t channels = m_builder.shape(unit.inputs[0])[1];
    for (std::size_t i = 1; i < 5; ++i) {
        if (!m_builder.isConstant(unit.inputs[i]))
            return Message("kernel.not-constant", {{"value", m_builder.var(unit.inputs[i]).id}});
        if (m_builder.var(unit.inputs[i]).constant->elementCount() != channels)
            return Message("kernel.broadcast", {{"value", m_builder.var(unit.inputs[i]).id}});
    }
    const auto parameter = [&](std::size_t i, std::int64_t c) {
        return m_builder.var(unit.inputs[i]).constant->asDouble(c);
    };
    const double epsilon = attributes.getFloat("epsilon", 1e-5F);
    Sizes wide(m_builder.shape(unit.inputs[0]).size() - 1, 1);
    wide[0] = channels;
    Tensor scale = Tensor::allocate(DType::float32, wide);
    Tensor shift = Tensor::allocate(DType::float32, wide);
    for (std::int64_t c = 0; c < channels; ++c) {
        const double factor = parameter(1, c) / std::sqrt(parameter(4, c) + epsilon);
        // A difference times infinity is not the difference of two infinities.
        if (!std::isfinite(factor))
            return attribute("epsilon", std::to_string(epsilon));
        scale.mutableElements<float>()[c] = static_cast<float>(factor);
        shift.mutableElements<float>()[c] =
            static_cast<float>(parameter(2, c) - parameter(3, c) * factor);
    }
    const Ref x = of(unit.inputs[0]);
    const Ref scaled =
        program.push(ElementOp::Mul, x, program.input(m_builder.addConstant(std::move(scale))));
    m_values[unit.outputs[0]] = program.push(
        ElementOp::Add, scaled, program.input(m_builder.addConstant(std::move(shift))));
    return std::nullopt;
}

bool ProgramMaker::addActivation(const Unit& unit)
{
    const std::string& op = unit.node->op.type;
    const Attributes& a = unit.node->attributes;
    ActivationSpec spec;
    if (op == "Relu")
        spec.kind = Activation::Relu;
    else if (op == "Sigmoid")
        spec.kind = Activation::Sigmoid;
    else if (op == "Tanh")
        spec.kind = Activation::Tanh;
    else if (op == "LeakyRelu")
        spec = {Activation::LeakyRelu, a.getFloat("alpha", 0.01F), 0};
    else if (op == "HardSigmoid")
        spec = {Activation::HardSigmoid, a.getFloat("alpha", 0.2F), a.getFloat("beta", 0.5F)};
    else if (op == "HardSwish")
        spec.kind = Activation::HardSwish;
    else if (op == "Elu")
        spec = {Activation::Elu, a.getFloat("alpha", 1.0F), 0};
    else if (op == "Softplus")
        spec.kind = Activation::Softplus;
    else if (op == "Mish")
        spec.kind = Activation::Mish;
    else if (op == "Swish")
        spec = {Activation::Silu, a.getFloat("alpha", 1.0F), 0};
    else if (op == "Gelu" && a.getString("approximate", "none") == "tanh")
        spec.kind = Activation::GeluTanh;
    else if (op == "Gelu" && a.getString("approximate", "none") == "none")
        spec.kind = Activation::GeluErf;
    else
        return false;
    const Ref x = of(unit.inputs[0]);
    m_values[unit.outputs[0]] = program.activate(spec, x);
    return true;
}

Why ProgramMaker::add(const Unit& unit)
{
    const Node& node = *unit.node;
    const std::string& op = node.op.type;
    const auto none = [&] { return Message("kernel.none", {{"op", op}}); };
    if (!node.op.domain.empty() || unit.isRegion || unit.outputs.empty() || unit.outputs[0] < 0 ||
        unit.inputs.empty() || unit.inputs[0] < 0)
        return none();
    if (op == "BatchNormalization") {
        const int ends[] = {unit.inputs[0], unit.outputs[0]};
        if (auto why = m_builder.whyNotFloat(ends); why && !has(unit.inputs[0]))
            return why;
        return addBatchNormalization(unit);
    }
    if (auto why = operands(unit))
        return why;
    if (op == "Clip")
        return addClip(unit);
    if (op == "Sum" || op == "Mean")
        return addChain(unit, ElementOp::Add, op == "Mean");
    if (op == "Min" || op == "Max")
        return addChain(unit, op == "Min" ? ElementOp::Min : ElementOp::Max, false);
    if (op == "Identity") {
        m_values[unit.outputs[0]] = of(unit.inputs[0]);
        return std::nullopt;
    }
    if (addActivation(unit))
        return std::nullopt;
    if (const Row* row = findRow(unaryRows, op)) {
        const Ref x = of(unit.inputs[0]);
        m_values[unit.outputs[0]] = program.push(row->element, x);
        return std::nullopt;
    }
    if (op == "Softsign") {
        const Ref x = of(unit.inputs[0]);
        const Ref size = program.push(ElementOp::Abs, x);
        const Ref below = program.push(ElementOp::Add, size, program.constant(1.0F));
        m_values[unit.outputs[0]] = program.push(ElementOp::Div, x, below);
        return std::nullopt;
    }
    if (unit.inputs.size() < 2 || unit.inputs[1] < 0)
        return none();
    // Attributes of the versions before 7 place the second operand.
    if (node.attributes.has("axis") || node.attributes.has("broadcast"))
        return attribute("broadcast", "1");
    if (op == "Pow" && m_builder.scalar(unit.inputs[1]) == 2.0) {
        const Ref x = of(unit.inputs[0]);
        m_values[unit.outputs[0]] = program.push(ElementOp::Mul, x, x);
        return std::nullopt;
    }
    if (const Row* row = findRow(binaryRows, op)) {
        const Ref a = of(unit.inputs[0]);
        const Ref b = of(unit.inputs[1]);
        m_values[unit.outputs[0]] = program.push(row->element, a, b);
        return std::nullopt;
    }
    if (op == "PRelu") {
        // Before version 7 a row of slopes is one for each channel, of axis 1.
        const Sizes& slopes = m_builder.shape(unit.inputs[1]);
        const bool single = std::ranges::all_of(slopes, [](std::int64_t n) { return n == 1; });
        if (unit.since < 7 && !single)
            return Message("kernel.broadcast", {{"value", m_builder.var(unit.inputs[1]).id}});
        const Ref x = of(unit.inputs[0]);
        const Ref slope = of(unit.inputs[1]);
        const Ref below = program.push(ElementOp::Less, x, program.constant(0.0F));
        const Ref sloped = program.push(ElementOp::Mul, x, slope);
        m_values[unit.outputs[0]] = program.push(ElementOp::Where, below, sloped, x);
        return std::nullopt;
    }
    if (op == "Where" && unit.inputs.size() == 3 && unit.inputs[2] >= 0) {
        const Ref a = of(unit.inputs[0]);
        const Ref b = of(unit.inputs[1]);
        const Ref c = of(unit.inputs[2]);
        m_values[unit.outputs[0]] = program.push(ElementOp::Where, a, b, c);
        return std::nullopt;
    }
    return none();
}

} // namespace fusescope::fused
