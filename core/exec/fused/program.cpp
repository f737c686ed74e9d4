#include "exec/fused/program.h"

#include "exec/kernels/normalization.h"

#include <algorithm>

namespace fusescope::fused {

using kernels::Activation;
using kernels::ElementOp;
using Ref = Program::Ref;

Ref Program::input(int var)
{
    const auto found = std::ranges::find(inputs, var);
    if (found != inputs.end())
        return {Ref::Kind::input, static_cast<int>(found - inputs.begin())};
    inputs.push_back(var);
    return {Ref::Kind::input, static_cast<int>(inputs.size()) - 1};
}

Ref Program::constant(float value)
{
    constants.push_back(value);
    return {Ref::Kind::constant, static_cast<int>(constants.size()) - 1};
}

Ref Program::push(ElementOp op, Ref a, Ref b, Ref c)
{
    code.push_back({op, a, b, c, {}});
    return {Ref::Kind::result, static_cast<int>(code.size()) - 1};
}

Ref Program::activate(kernels::ActivationSpec activation, Ref a)
{
    code.push_back({ElementOp::Activate, a, {}, {}, activation});
    return {Ref::Kind::result, static_cast<int>(code.size()) - 1};
}

namespace {

int operandCount(ElementOp op)
{
    if (op == ElementOp::Where)
        return 3;
    return op <= ElementOp::Equal ? 2 : 1;
}

} // namespace

int Program::usesOf(Ref ref, std::size_t from) const
{
    int uses = 0;
    for (std::size_t i = from; i < code.size(); ++i) {
        const int count = operandCount(code[i].op);
        uses += code[i].a == ref ? 1 : 0;
        uses += count > 1 && code[i].b == ref ? 1 : 0;
        uses += count > 2 && code[i].c == ref ? 1 : 0;
    }
    return uses;
}

kernels::ElementProgram Program::finished() const
{
    kernels::ElementProgram result;
    result.inputs = static_cast<std::uint16_t>(inputs.size());
    result.constants = constants;
    const auto number = [&](Ref ref) {
        std::size_t base = 0;
        if (ref.kind != Ref::Kind::input)
            base += inputs.size();
        if (ref.kind == Ref::Kind::result)
            base += constants.size();
        return static_cast<std::uint16_t>(base + static_cast<std::size_t>(ref.index));
    };
    for (const Op& op : code) {
        const int count = operandCount(op.op);
        kernels::ElementInstruction instruction;
        instruction.op = op.op;
        instruction.a = number(op.a);
        instruction.b = count > 1 ? number(op.b) : std::uint16_t{0};
        instruction.c = count > 2 ? number(op.c) : std::uint16_t{0};
        instruction.activation = op.activation;
        result.code.push_back(instruction);
    }
    return result;
}

void Program::simplify()
{
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        const Ref gate{Ref::Kind::result, static_cast<int>(i)};
        Op& next = code[i + 1];
        const Ref x = code[i].a;
        const bool gated = code[i].op == ElementOp::Activate && next.op == ElementOp::Mul &&
                           ((next.a == gate && next.b == x) || (next.a == x && next.b == gate)) &&
                           usesOf(gate) == 1;
        if (!gated)
            continue;
        kernels::ActivationSpec activation;
        if (code[i].activation.kind == Activation::Sigmoid)
            activation = {Activation::Silu, 1.0F, 0.0F};
        else if (code[i].activation.kind == Activation::HardSigmoid &&
                 code[i].activation.alpha == 1.0F / 6.0F && code[i].activation.beta == 0.5F)
            activation = {Activation::HardSwish, 1.0F, 0.0F};
        else
            continue;
        code[i].activation = activation;
        code.erase(code.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        const auto shift = [&](Ref& ref) {
            if (ref.kind == Ref::Kind::result && ref.index > static_cast<int>(i))
                --ref.index;
        };
        for (std::size_t k = i + 1; k < code.size(); ++k) {
            shift(code[k].a);
            shift(code[k].b);
            shift(code[k].c);
        }
    }
}

bool ElementPass::run(RunState& state, float* output) const
{
    std::vector<kernels::ElementOperand> inputs;
    inputs.reserve(operands.size());
    for (std::size_t i = 0; i < operands.size(); ++i)
        inputs.push_back({operands[i] ? state.floats(operands[i]) : output, strides[i]});
    return kernels::runElementwise(program, shape, inputs, output, state.pool);
}

namespace {

// A chain of per-channel constants on one operand and an activation, as one pass of y = s·x + t.
struct Affine
{
    int x = -1;
    std::vector<double> scale, shift;
    kernels::ActivationSpec activation;
};

// The numbers of a constant that varies by channel only, or not at all; empty for others.
std::vector<double> channelNumbers(const Builder& b, const Program& p, Ref ref, const Sizes& target)
{
    const auto channels = static_cast<std::size_t>(target[1]);
    if (ref.kind == Ref::Kind::constant)
        return std::vector<double>(
            channels, static_cast<double>(p.constants[static_cast<std::size_t>(ref.index)]));
    if (ref.kind != Ref::Kind::input)
        return {};
    const int var = p.inputs[static_cast<std::size_t>(ref.index)];
    const Sizes& own = b.shape(var);
    if (!b.isConstant(var) || own.size() > target.size() || own.size() + 1 < target.size())
        return {};
    Sizes wanted(own.size(), 1);
    wanted[1 + own.size() - target.size()] = target[1];
    if (own != wanted)
        return {};
    std::vector<double> numbers;
    for (std::size_t c = 0; c < channels; ++c)
        numbers.push_back(b.var(var).constant->asDouble(static_cast<std::int64_t>(c)));
    return numbers;
}

std::optional<Affine> affineOf(const Builder& b, const Program& p, int output, bool blocked)
{
    const Sizes& target = b.shape(output);
    if (target.size() < 2 || (!blocked && imageOf(target).spatial < 8))
        return std::nullopt;
    const auto x = std::ranges::find_if(p.inputs, [&](int var) { return !b.isConstant(var); });
    if (x == p.inputs.end() || p.inputs.size() < 2 || b.shape(*x) != target)
        return std::nullopt;
    const auto channels = static_cast<std::size_t>(target[1]);
    Affine affine{*x, std::vector<double>(channels, 1.0), {}, {}};
    // −0 leaves every sum as it is, so that a lone product keeps its sign of zero.
    affine.shift.assign(channels, -0.0);
    Ref current{Ref::Kind::input, static_cast<int>(x - p.inputs.begin())};
    for (std::size_t i = 0; i < p.code.size(); ++i) {
        const Program::Op& op = p.code[i];
        if (i > 0 && op.op == ElementOp::Activate && op.a == current && i + 1 == p.code.size()) {
            affine.activation = op.activation;
            return affine;
        }
        const bool sum = op.op == ElementOp::Add;
        const bool product = op.op == ElementOp::Mul;
        const bool difference = op.op == ElementOp::Sub && op.a == current;
        if ((!sum && !product && !difference) || (op.a == current) == (op.b == current))
            return std::nullopt;
        const auto numbers = channelNumbers(b, p, op.a == current ? op.b : op.a, target);
        if (numbers.empty())
            return std::nullopt;
        for (std::size_t c = 0; c < channels; ++c) {
            if (product) {
                affine.scale[c] *= numbers[c];
                affine.shift[c] = i == 0 ? -0.0 : affine.shift[c] * numbers[c];
            } else {
                affine.shift[c] += sum ? numbers[c] : -numbers[c];
            }
        }
        current = {Ref::Kind::result, static_cast<int>(i)};
    }
    return affine;
}

void emitAffine(Builder& b, const Unit& unit, const Affine& affine, int output, Layout layout)
{
    const kernels::ImageShape image = imageOf(b.shape(output));
    const bool blocked = layout == Layout::blocked;
    const auto vectorOf = [&](const std::vector<double>& numbers) {
        const std::vector<float> floats(numbers.begin(), numbers.end());
        return b.addConstant(Tensor::of<float>({image.channels}, floats));
    };
    Draft draft(b, unit, "affine", layout);
    const Operand from = draft.read(affine.x, layout);
    const Operand scale = draft.read(vectorOf(affine.scale));
    const Operand shift = draft.read(vectorOf(affine.shift));
    const int to = draft.write(output, layout);
    draft.mayReplace(from, to);
    draft.setFlops(2.0 * static_cast<double>(productOf(b.shape(output))));
    draft.commit([=, activation = affine.activation](RunState& state) {
        return finished(kernels::runChannelAffine(
            image, blocked, state.floats(scale), state.floats(shift), activation,
            state.floats(from), state.floatsAt(to), state.pool));
    });
}

// Leading ones up to `rank`.
Sizes aligned(const Sizes& shape, std::size_t rank)
{
    Sizes result(rank - std::min(rank, shape.size()), 1);
    result.insert(result.end(), shape.begin(), shape.end());
    return result;
}

// Over [N][C/K][spatial…][K].
Sizes blockedStrides(const Sizes& shape, std::int64_t lanes, bool blocked)
{
    Sizes result(shape.size() + 1, 0);
    std::int64_t step = blocked ? lanes : 1;
    for (std::size_t i = shape.size(); i-- > 2;) {
        result[i] = shape[i] == 1 ? 0 : step;
        step *= shape[i];
    }
    if (blocked) {
        result[shape.size()] = 1;
        result[1] = step;
        step *= kernels::channelBlocks(shape[1]);
    }
    result[0] = shape[0] == 1 ? 0 : step;
    return result;
}

} // namespace

ElementPass makePass(Builder& builder, Draft& draft, const Program& program, int output,
                     Layout layout, int resultVar)
{
    ElementPass pass;
    pass.program = program.finished();
    const Sizes& target = builder.shape(output);
    const std::int64_t lanes = kernels::blockLanes();
    pass.shape = target;
    if (layout == Layout::blocked) {
        pass.shape[1] = kernels::channelBlocks(target[1]);
        pass.shape.push_back(lanes);
    }
    for (const int input : program.inputs) {
        const Sizes own = builder.shape(input);
        if (input == resultVar) {
            pass.operands.emplace_back();
            pass.strides.emplace_back();
            continue;
        }
        if (own == target) {
            pass.operands.push_back(draft.read(input, layout));
            pass.strides.emplace_back();
        } else if (layout == Layout::plain) {
            pass.operands.push_back(draft.read(input));
            pass.strides.push_back(broadcastStrides(own, target));
        } else {
            const Sizes wide = aligned(own, target.size());
            const bool single = productOf(own) == 1;
            const bool perChannel = !single && wide[1] == target[1];
            pass.operands.push_back(perChannel
                                        ? draft.read(builder.view(input, wide), Layout::blocked)
                                        : draft.read(input));
            pass.strides.push_back(single ? Sizes(wide.size() + 1, 0)
                                          : blockedStrides(wide, lanes, perChannel));
        }
    }
    return pass;
}

Why emitProgram(Builder& builder, const Unit& unit, Program program, int output,
                const std::string& name)
{
    if (auto why = builder.whyNotFloat(program.inputs))
        return why;
    const int results[] = {output};
    if (auto why = builder.whyNotFloat(results))
        return why;
    program.simplify();
    if (!kernels::isValid(program.finished()))
        return Message("kernel.too-long",
                       {{"count", static_cast<std::int64_t>(program.code.size())}});
    if (builder.shape(output).size() > 14)
        return Message("kernel.rank",
                       {{"rank", static_cast<std::int64_t>(builder.shape(output).size())}});
    for (const int input : program.inputs) {
        if (!broadcastsToSizes(builder.shape(input), builder.shape(output)))
            return Message("kernel.broadcast", {{"value", builder.var(input).id}});
    }
    const bool blocked =
        builder.canBeBlocked(output) && std::ranges::any_of(program.inputs, [&](int input) {
            return builder.isBlocked(input) && builder.shape(input) == builder.shape(output);
        });
    const Layout layout = blocked ? Layout::blocked : Layout::plain;
    if (const auto affine = affineOf(builder, program, output, blocked)) {
        emitAffine(builder, unit, *affine, output, layout);
        return std::nullopt;
    }
    Draft draft(builder, unit, name, layout);
    draft.setFlops(static_cast<double>(productOf(builder.shape(output))) *
                   static_cast<double>(program.code.size()));
    const ElementPass pass = makePass(builder, draft, program, output, layout);
    const int to = draft.write(output, layout);
    for (std::size_t i = 0; i < pass.operands.size(); ++i) {
        if (pass.strides[i].empty())
            draft.mayReplace(pass.operands[i], to);
    }
    draft.commit(
        [pass, to](RunState& state) { return finished(pass.run(state, state.floatsAt(to))); });
    return std::nullopt;
}

} // namespace fusescope::fused
