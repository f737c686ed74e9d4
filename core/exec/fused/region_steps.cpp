#include "exec/fused/epilogue_plan.h"
#include "exec/fused/steps.h"

#include <algorithm>

namespace fusescope::fused {

namespace {

bool isProduct(const Unit& unit)
{
    return unit.node->is("MatMul") || unit.node->is("Gemm");
}

bool isConvolution(const Unit& unit)
{
    return unit.node->is("Conv") || unit.node->is("ConvTranspose");
}

int onlyOutput(const Unit& unit)
{
    int found = -1;
    for (const int output : unit.outputs) {
        if (output < 0)
            continue;
        if (found >= 0)
            return -1;
        found = output;
    }
    return found;
}

} // namespace

// A convolution or product with what follows it, or a program of elementwise operators alone.
Why buildRegion(Builder& b, const Unit& unit)
{
    const int output = onlyOutput(unit);
    if (output < 0)
        return Message("kernel.several-outputs");
    const auto main = std::ranges::find_if(
        unit.body, [](const Unit& inner) { return isConvolution(inner) || isProduct(inner); });
    std::vector<int> parts;
    if (main != unit.body.end()) {
        if (main->inputs.empty() || main->outputs.empty() || main->outputs[0] < 0)
            return noKernel(*main);
        parts = {main->inputs[0]};
        const auto before = std::span(unit.body.begin(), main);
        if (before.size() > 1 ||
            (before.size() == 1 && (!before[0].node->is("Concat") ||
                                    before[0].outputs[0] != main->inputs[0] || isProduct(*main))))
            return noKernel(before[0]);
        if (before.size() == 1) {
            const auto axis = normalizeAxis(before[0].node->attributes.getInt("axis", 1), 4);
            if (axis != std::size_t{1})
                return Message("kernel.axes");
            parts = before[0].inputs;
        }
    }
    ProgramMaker maker(b);
    const auto first = main == unit.body.end() ? unit.body.begin() : main + 1;
    if (main != unit.body.end())
        maker.set(main->outputs[0], maker.program.input(main->outputs[0]));
    for (auto inner = first; inner != unit.body.end(); ++inner) {
        if (auto why = maker.add(*inner))
            return why;
    }
    if (main == unit.body.end()) {
        if (!maker.endsWith(output))
            return noKernel(unit);
        return emitProgram(b, unit, std::move(maker.program), output, "elementwise");
    }
    const bool bare = maker.program.code.empty() && output == main->outputs[0];
    if (!bare && !maker.endsWith(output))
        return noKernel(unit);
    Tail tail;
    tail.program = std::move(maker.program);
    tail.main = main->outputs[0];
    tail.output = output;
    if (isProduct(*main))
        return emitProduct(b, unit, *main, tail);
    return emitConvolution(b, unit, *main, parts, tail);
}

} // namespace fusescope::fused
