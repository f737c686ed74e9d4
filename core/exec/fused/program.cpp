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

// The only operand's scale and shift by channel and an activation, in one pass of their own kernel.
struct Affine
{
    int x = -1, scale = -1, shift = -1;
    kernels::ActivationSpec activation;
};

std::optional<Affine> affineOf(const Builder& b, const Program& p, int output)
{
    const std::size_t count = p.code.size();
    if (count < 2 || count > 3 || p.inputs.size() != 3 || b.shape(output).size() < 2)
        return std::nullopt;
    const bool form = p.code[0].op == ElementOp::Mul && p.code[1].op == ElementOp::Add &&
                      p.code[1].a == Ref{Ref::Kind::result, 0} &&
                      p.code[0].a.kind == Ref::Kind::input && p.code[0].b.kind == Ref::Kind::input &&
                      p.code[1].b.kind == Ref::Kind::input && p.code[0].a != p.code[0].b &&
                      (count == 2 || (p.code[2].op == ElementOp::Activate &&
                                      p.code[2].a == Ref{Ref::Kind::result, 1}));
    if (!form)
        return std::nullopt;
    const auto varOf = [&](Ref ref) { return p.inputs[static_cast<std::size_t>(ref.index)]; };
    Affine affine{varOf(p.code[0].a), varOf(p.code[0].b), varOf(p.code[1].b), {}};
    if (count == 3)
        affine.activation = p.code[2].activation;
    const Sizes& target = b.shape(output);
    const auto isPerChannel = [&](int var) {
        const Sizes& own = b.shape(var);
        if (!b.isConstant(var) || own.size() > target.size())
            return false;
        Sizes wanted(own.size(), 1);
        const std::size_t leading = target.size() - own.size();
        if (leading > 1)
            return false;
        wanted[1 - leading] = target[1];
        return own == wanted;
    };
    if (b.shape(affine.x) != target || !isPerChannel(affine.scale) || !isPerChannel(affine.shift))
        return std::nullopt;
    return affine;
}

void emitAffine(Builder& b, const Unit& unit, const Affine& affine, int output, Layout layout)
{
    const kernels::ImageShape image = imageOf(b.shape(output));
    const bool blocked = layout == Layout::blocked;
    Draft draft(b, unit, "affine", layout);
    const Operand from = draft.read(affine.x, layout);
    const Operand scale = draft.read(affine.scale);
    const Operand shift = draft.read(affine.shift);
    const int to = draft.write(output, layout);
    draft.mayReplace(from, to);
    draft.setFlops(2.0 * static_cast<double>(productOf(b.shape(output))));
    draft.commit([=, activation = affine.activation](RunState& state) {
        return finished(kernels::runChannelAffine(image, blocked, state.floats(scale),
                                                  state.floats(shift), activation,
                                                  state.floats(from), state.floatsAt(to),
                                                  state.pool));
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
        return Message("kernel.too-long", {{"count", static_cast<std::int64_t>(program.code.size())}});
    if (builder.shape(output).size() > 14)
        return Message("kernel.rank", {{"rank", static_cast<std::int64_t>(
                                                    builder.shape(output).size())}});
    for (const int input : program.inputs) {
        if (!broadcastsToSizes(builder.shape(input), builder.shape(output)))
            return Message("kernel.broadcast", {{"value", builder.var(input).id}});
    }
    const bool blocked =
        builder.canBeBlocked(output) && std::ranges::any_of(program.inputs, [&](int input) {
            return builder.isBlocked(input) && builder.shape(input) == builder.shape(output);
        });
    const Layout layout = blocked ? Layout::blocked : Layout::plain;
    if (const auto affine = affineOf(builder, program, output)) {
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
    draft.commit([pass, to](RunState& state) { return finished(pass.run(state, state.floatsAt(to))); });
    return std::nullopt;
}

} // namespace fusescope::fused
