#include "exec/kernels/elementwise.h"

#include "exec/kernels/elements.h"
#include "exec/kernels/target.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace fusescope::kernels {

namespace {

constexpr std::int64_t kTile = 256; // floats per tile; a program's tiles fit the first cache
constexpr std::int64_t kChunk = 16 * kTile;
constexpr int kMaxAxes = 16;

// The output's axes merged where all inputs allow it, and one input's strides over them.
struct Axes
{
    int count = 0;
    std::array<std::int64_t, kMaxAxes> length{};
    std::vector<std::array<std::int64_t, kMaxAxes>> strides;
};

Axes mergeAxes(std::span<const std::int64_t> shape, std::span<const ElementOperand> inputs)
{
    assert(shape.size() <= kMaxAxes);
    Axes axes;
    axes.strides.resize(inputs.size());
    std::vector<std::int64_t> dense(shape.size(), 1);
    for (std::size_t i = shape.size(); i-- > 1;)
        dense[i - 1] = dense[i] * shape[i];
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == 1)
            continue;
        const auto strideOf = [&](std::size_t input) {
            return inputs[input].strides.empty() ? dense[i] : inputs[input].strides[i];
        };
        bool merges = axes.count > 0;
        for (std::size_t k = 0; k < inputs.size() && merges; ++k)
            merges = axes.strides[k][axes.count - 1] == strideOf(k) * shape[i];
        if (!merges) {
            axes.length[axes.count++] = 1;
        }
        axes.length[axes.count - 1] *= shape[i];
        for (std::size_t k = 0; k < inputs.size(); ++k)
            axes.strides[k][axes.count - 1] = strideOf(k);
    }
    return axes;
}

enum class Access { Dense, Splat, Strided };

// Writes elements [begin, begin + count) of a broadcast input, in the output's order.
void gather(const Axes& axes, const std::array<std::int64_t, kMaxAxes>& strides, const float* data,
            std::int64_t begin, std::int64_t count, float* to)
{
    std::array<std::int64_t, kMaxAxes> index{};
    std::int64_t rest = begin;
    std::int64_t offset = 0;
    for (int i = axes.count; i-- > 0;) {
        index[i] = rest % axes.length[i];
        rest /= axes.length[i];
        offset += index[i] * strides[i];
    }
    const int last = axes.count - 1;
    const std::int64_t step = strides[last];
    while (count > 0) {
        const std::int64_t run = std::min(count, axes.length[last] - index[last]);
        const float* from = data + offset;
        if (step == 1)
            std::copy_n(from, run, to);
        else if (step == 0)
            std::fill_n(to, run, *from);
        else
            for (std::int64_t i = 0; i < run; ++i)
                to[i] = from[i * step];
        to += run;
        count -= run;
        index[last] += run;
        offset += run * step;
        for (int i = last; i > 0 && index[i] == axes.length[i]; --i) {
            offset += strides[i - 1] - index[i] * strides[i];
            index[i] = 0;
            ++index[i - 1];
        }
    }
}

class Run
{
public:
    Run(const ElementProgram& program, Axes axes, std::span<const ElementOperand> inputs,
        std::int64_t total, float* output)
        : m_program(program), m_axes(std::move(axes)), m_inputs(inputs), m_total(total),
          m_output(output), m_lanes(blockLanes())
    {
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const auto& strides = m_axes.strides[i];
            bool splat = true;
            for (int k = 0; k < m_axes.count; ++k)
                splat = splat && strides[k] == 0;
            const bool dense = m_axes.count == 1 && strides[0] == 1;
            std::int64_t expected = 1;
            bool same = true;
            for (int k = m_axes.count; k-- > 0;) {
                same = same && strides[k] == expected;
                expected *= m_axes.length[k];
            }
            m_access.push_back(splat ? Access::Splat
                                     : (dense || same ? Access::Dense : Access::Strided));
        }
    }

    void chunk(std::int64_t number) const
    {
        const std::size_t known = m_program.inputs + m_program.constants.size();
        const std::size_t values = known + m_program.code.size();
        // Not initialized: every tile is written before it is read.
        alignas(64) float tiles[kMaxElementValues * kTile];
        const auto tile = [&](std::size_t value) { return tiles + value * kTile; };
        const std::int64_t begin = number * kChunk;
        const std::int64_t end = std::min(m_total, begin + kChunk);
        const std::int64_t widest =
            std::min(kTile, (end - begin + m_lanes - 1) / m_lanes * m_lanes);
        for (std::size_t i = 0; i < m_program.inputs; ++i)
            if (m_access[i] == Access::Splat)
                std::fill_n(tile(i), widest, *m_inputs[i].data);
        for (std::size_t i = 0; i < m_program.constants.size(); ++i)
            std::fill_n(tile(m_program.inputs + i), widest, m_program.constants[i]);
        const float* at[kMaxElementValues];
        for (std::size_t i = 0; i < values; ++i)
            at[i] = tile(i);
        for (std::int64_t first = begin; first < end; first += kTile) {
            const std::int64_t count = std::min(kTile, end - first);
            const std::int64_t rounded = (count + m_lanes - 1) / m_lanes * m_lanes;
            for (std::size_t i = 0; i < m_program.inputs; ++i) {
                if (m_access[i] == Access::Dense && rounded == count) {
                    at[i] = m_inputs[i].data + first;
                } else if (m_access[i] != Access::Splat) {
                    if (m_access[i] == Access::Dense)
                        std::copy_n(m_inputs[i].data + first, count, tile(i));
                    else
                        gather(m_axes, m_axes.strides[i], m_inputs[i].data, first, count, tile(i));
                    std::fill(tile(i) + count, tile(i) + rounded, 1.0F);
                    at[i] = tile(i);
                }
            }
            for (std::size_t i = 0; i < m_program.code.size(); ++i) {
                const ElementInstruction& op = m_program.code[i];
                const bool last = i + 1 == m_program.code.size();
                float* out = last && rounded == count ? m_output + first : tile(known + i);
                const int operands = operandCount(op.op);
                evaluate(op, at[op.a], operands > 1 ? at[op.b] : nullptr,
                         operands > 2 ? at[op.c] : nullptr, out, rounded);
            }
            if (m_program.code.empty())
                std::memmove(m_output + first, at[0], sizeof(float) * count);
            else if (rounded != count)
                std::copy_n(tile(values - 1), count, m_output + first);
        }
    }

private:
    const ElementProgram& m_program;
    Axes m_axes;
    std::span<const ElementOperand> m_inputs;
    std::int64_t m_total;
    float* m_output;
    std::int64_t m_lanes;
    std::vector<Access> m_access;
};

} // namespace

bool isValid(const ElementProgram& program)
{
    std::size_t known = program.inputs + program.constants.size();
    if (known + program.code.size() > kMaxElementValues || known == 0)
        return false;
    if (program.code.empty() && program.inputs == 0)
        return false;
    for (const ElementInstruction& op : program.code) {
        const int operands = operandCount(op.op);
        if (op.a >= known || (operands > 1 && op.b >= known) || (operands > 2 && op.c >= known))
            return false;
        ++known;
    }
    return true;
}

bool runElementwise(const ElementProgram& program, std::span<const std::int64_t> shape,
                    std::span<const ElementOperand> inputs, float* output, ThreadPool& pool)
{
    std::int64_t total = 1;
    for (const std::int64_t length : shape)
        total *= length;
    if (total == 0)
        return !pool.stopped();
    const Run run(program, mergeAxes(shape, inputs), inputs, total, output);
    return pool.parallelFor((total + kChunk - 1) / kChunk,
                            [&](std::int64_t chunk, int) { run.chunk(chunk); });
}

} // namespace fusescope::kernels
