#include "exec/fused/steps.h"

#include "exec/kernels/normalization.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace fusescope::fused {

namespace {

// What a value of the body is on the way from x to the normalized result.
enum class Part {
    mean,     // of x
    centered, // x − mean
    square,   // of x or of what is centered
    variance, // the mean of the squares
    shifted,  // variance + epsilon
    root,     // of that
    inverse,  // 1 / root
    normal,   // x or what is centered, over the root
    scaled,
    complete,
};

// Reads the nodes of a layer or root-mean-square normalization written out.
class NormReader
{
public:
    explicit NormReader(const Builder& builder) : m_builder(builder) {}

    Why read(const Unit& unit);
    bool isWhole(int output) const
    {
        const auto found = m_parts.find(output);
        return found != m_parts.end() && found->second >= Part::normal;
    }

    int x = -1;
    int addendA = -1, addendB = -1; // x is their sum
    int scale = -1, shift = -1;
    std::size_t axis = 0; // the first of the normalized ones
    std::size_t end = 0;  // one past the last of them
    bool rootMeanSquare = true;
    double epsilon = 0;

private:
    std::optional<Part> partOf(int var) const
    {
        const auto found = m_parts.find(var);
        return found == m_parts.end() ? std::nullopt : std::optional(found->second);
    }
    bool isBase(int var) const { return rootMeanSquare ? var == x : partOf(var) == Part::centered; }
    bool takeX(int var);
    Why readMean(const Unit& unit);
    Why readBinary(const Unit& unit);
    bool isVector(int var) const;
    bool repeats(int var, int sum) const;

    const Builder& m_builder;
    std::map<int, Part> m_parts;
    bool m_hasAxis = false;
};

bool NormReader::takeX(int var)
{
    if (x < 0)
        x = var;
    return x == var && !partOf(var);
}

bool NormReader::isVector(int var) const
{
    const Sizes& own = m_builder.shape(var);
    const Sizes& whole = m_builder.shape(x);
    if (own.size() > whole.size() - axis)
        return false;
    std::int64_t width = 1;
    for (std::size_t i = axis; i < end; ++i)
        width *= whole[i];
    // What lies behind the normalized axes is 1.
    const std::size_t behind = whole.size() - end;
    for (std::size_t i = 0; i < behind; ++i) {
        if (i < own.size() && own[own.size() - 1 - i] != 1)
            return false;
    }
    return productOf(own) == width;
}

// Whether a value is added to each of the rows of a sum, or of its last axes, alike.
bool NormReader::repeats(int var, int sum) const
{
    const Sizes& whole = m_builder.shape(sum);
    Sizes own = m_builder.shape(var);
    while (!own.empty() && own.front() == 1)
        own.erase(own.begin());
    return own.size() <= whole.size() && std::equal(own.rbegin(), own.rend(), whole.rbegin());
}

Why NormReader::readMean(const Unit& unit)
{
    const int from = unit.inputs[0];
    const std::size_t rank = m_builder.shape(from).size();
    const auto axes = axesOf(m_builder, unit, 1, rank);
    const bool together =
        axes && !axes->empty() && axes->back() + 1 == axes->front() + axes->size() &&
        axes->back() < rank;
    if (!together || unit.node->attributes.getInt("keepdims", 1) != 1 ||
        (m_hasAxis && (axis != axes->front() || end != axes->back() + 1)))
        return Message("kernel.axes");
    axis = axes->front();
    end = axes->back() + 1;
    m_hasAxis = true;
    if (partOf(from) == Part::square) {
        m_parts[unit.outputs[0]] = Part::variance;
        return std::nullopt;
    }
    if (!takeX(from))
        return noKernel(unit);
    rootMeanSquare = false;
    m_parts[unit.outputs[0]] = Part::mean;
    return std::nullopt;
}

Why NormReader::readBinary(const Unit& unit)
{
    if (unit.inputs.size() != 2 || unit.inputs[1] < 0)
        return noKernel(unit);
    const std::string& op = unit.node->op.type;
    int a = unit.inputs[0];
    int b = unit.inputs[1];
    const int made = unit.outputs[0];
    const bool commutes = op == "Add" || op == "Mul";
    for (int turn = 0; turn < (commutes ? 2 : 1); ++turn, std::swap(a, b)) {
        const auto pa = partOf(a);
        const auto pb = partOf(b);
        const auto number = m_builder.scalar(b);
        if (op == "Sub" && a == x && pb == Part::mean)
            m_parts[made] = Part::centered;
        else if (op == "Mul" && a == b && pa == Part::centered)
            m_parts[made] = Part::square;
        else if (op == "Pow" && number == 2.0 && pa == Part::centered)
            m_parts[made] = Part::square;
        else if (((op == "Mul" && a == b) || (op == "Pow" && number == 2.0)) && takeX(a))
            m_parts[made] = Part::square;
        else if (op == "Add" && pa == Part::variance && number)
            m_parts[made] = Part::shifted, epsilon = *number;
        else if (op == "Pow" && pa == Part::shifted && number && std::abs(*number) == 0.5)
            m_parts[made] = *number > 0 ? Part::root : Part::inverse;
        else if (op == "Div" && m_builder.scalar(a) == 1.0 && pb == Part::root)
            m_parts[made] = Part::inverse;
        else if ((op == "Div" && isBase(a) && pb == Part::root) ||
                 (op == "Mul" && isBase(a) && pb == Part::inverse))
            m_parts[made] = Part::normal;
        else if (op == "Mul" && pa == Part::normal && isVector(b))
            m_parts[made] = Part::scaled, scale = b;
        else if (op == "Add" && (pa == Part::normal || pa == Part::scaled) && isVector(b))
            m_parts[made] = Part::complete, shift = b;
        else
            continue;
        return std::nullopt;
    }
    // A sum in front is the residual.
    if (op == "Add" && x < 0) {
        if (m_builder.shape(a) != m_builder.shape(made))
            std::swap(a, b);
        if (m_builder.shape(a) == m_builder.shape(made) && repeats(b, made)) {
            addendA = a;
            addendB = b;
            x = made;
            return std::nullopt;
        }
    }
    return noKernel(unit);
}

Why NormReader::read(const Unit& unit)
{
    if (unit.isRegion || !unit.node->op.domain.empty() || unit.inputs.empty() ||
        unit.inputs[0] < 0 || unit.outputs.size() != 1 || unit.outputs[0] < 0)
        return noKernel(unit);
    if (auto why = m_builder.whyNotFloat(unit.outputs))
        return why;
    const std::string& op = unit.node->op.type;
    const auto from = partOf(unit.inputs[0]);
    if (op == "ReduceMean")
        return readMean(unit);
    if (op == "Sqrt" && from == Part::shifted) {
        m_parts[unit.outputs[0]] = Part::root;
        return std::nullopt;
    }
    if (op == "Reciprocal" && from == Part::root) {
        m_parts[unit.outputs[0]] = Part::inverse;
        return std::nullopt;
    }
    return readBinary(unit);
}

} // namespace

Why buildNormRegion(Builder& b, const Unit& unit)
{
    NormReader norm(b);
    for (const Unit& inner : unit.body) {
        if (auto why = norm.read(inner))
            return why;
    }
    int result = -1;
    int sum = -1;
    for (const int output : unit.outputs) {
        if (output < 0)
            continue;
        if (norm.isWhole(output) && result < 0)
            result = output;
        else if (output == norm.x && norm.addendA >= 0 && sum < 0)
            sum = output;
        else
            return Message("kernel.several-outputs");
    }
    if (result < 0 || norm.x < 0)
        return noKernel(unit);
    std::vector<int> operands{norm.addendA >= 0 ? norm.addendA : norm.x};
    if (norm.addendA >= 0)
        operands.push_back(norm.addendB);
    operands.push_back(norm.scale);
    operands.push_back(norm.shift);
    operands.push_back(result);
    if (auto why = b.whyNotFloat(operands))
        return why;
    if (b.shape(result) != b.shape(operands[0]))
        return Message("kernel.broadcast", {{"value", b.var(result).id}});
    kernels::LayerNormShape s;
    const Sizes& shape = b.shape(result);
    for (std::size_t i = 0; i < shape.size(); ++i)
        (i < norm.axis ? s.rows : i < norm.end ? s.width : s.inner) *= shape[i];
    s.epsilon = static_cast<float>(norm.epsilon);
    s.rootMeanSquare = norm.rootMeanSquare;
    if (norm.addendA >= 0 && b.shape(norm.addendB) != shape) {
        const std::int64_t count = productOf(b.shape(norm.addendB));
        if (s.inner > 1 || count % s.width != 0 || count == 0)
            return Message("kernel.broadcast", {{"value", b.var(norm.addendB).id}});
        s.residualRows = count / s.width;
    }
    std::string name = norm.rootMeanSquare ? "rms-normalization" : "layer-normalization";
    Draft draft(b, unit, norm.addendA >= 0 ? "add " + name : name, Layout::plain);
    const Operand from = draft.read(operands[0]);
    Operand residual;
    Operand scale;
    Operand shift;
    if (norm.addendA >= 0)
        residual = draft.read(norm.addendB);
    if (norm.scale >= 0)
        scale = draft.read(norm.scale);
    if (norm.shift >= 0)
        shift = draft.read(norm.shift);
    const int to = draft.write(result);
    const int added = sum >= 0 ? draft.write(sum) : -1;
    if (sum < 0)
        draft.mayReplace(from, to);
    draft.setFlops(8.0 * static_cast<double>(productOf(shape)));
    draft.commit([=](RunState& state) {
        return finished(kernels::runLayerNorm(
            s, state.floats(from), state.floats(residual), state.floats(scale), state.floats(shift),
            state.floatsAt(to), added >= 0 ? state.floatsAt(added) : nullptr, state.pool));
    });
    return std::nullopt;
}

} // namespace fusescope::fused
