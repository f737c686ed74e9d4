#include "ops/element_copy.h"
#include "ops/infer_support.h"
#include "ops/shaping/shaping.h"

#include <numeric>

namespace fusescope::shaping {

namespace {

const char* padsAttribute(int since)
{
    return since < 2 ? "paddings" : "pads";
}

Result<void> inferPad(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    const std::size_t rank = input.rank();
    ShapeData pads;
    if (c.sinceVersion() >= 11) {
        pads = c.integers(1);
    } else if (const auto ints = c.attributes().getInts(padsAttribute(c.sinceVersion()))) {
        pads = std::vector<Dim>(ints->begin(), ints->end());
    }
    const AxesArgument axes = c.sinceVersion() >= 18 ? axesArgument(c, true, 3) : AxesArgument{};
    if (!pads || (axes.given && !axes.values)) {
        c.setTensor(0, c.dtype(0), c.unknownShape(0, rank));
        return {};
    }
    std::vector<std::size_t> list(rank);
    std::iota(list.begin(), list.end(), std::size_t{0});
    if (axes.given) {
        FUSESCOPE_ASSIGN(list, wantAxes(c, *axes.values, rank));
    }
    if (pads->size() != 2 * list.size())
        return c.wrong(
            wrongShape(1, std::to_string(2 * list.size()), std::to_string(pads->size())));
    Shape shape = input;
    for (std::size_t i = 0; i < list.size(); ++i) {
        Dim size = input[list[i]] + (*pads)[i] + (*pads)[i + list.size()];
        if (size.isConstant() && *size.constant() < 0)
            return c.wrong(wrongValue("pads", ">= " + (Dim(-1) * input[list[i]]).text(),
                                      ((*pads)[i] + (*pads)[i + list.size()]).text()));
        const bool plain = (*pads)[i].isConstant() && (*pads)[i + list.size()].isConstant();
        shape.set(list[i],
                  plain || provablyNonNegative(size) ? std::move(size) : c.unknown(0, list[i]));
    }
    c.setTensor(0, c.dtype(0), std::move(shape));
    return {};
}

// Where position i of a padded axis reads from; -1: the constant. `size` > 0 for the other modes.
std::int64_t padSource(std::string_view mode, std::int64_t i, std::int64_t size)
{
    if (i >= 0 && i < size)
        return i;
    if (mode == "edge")
        return i < 0 ? 0 : size - 1;
    if (mode == "wrap")
        return ((i % size) + size) % size;
    if (mode == "reflect") {
        if (size == 1)
            return 0;
        const std::int64_t period = 2 * (size - 1);
        const std::int64_t m = ((i % period) + period) % period;
        return m < size ? m : period - m;
    }
    return -1;
}

Result<Tensor> padConstant(const KernelContext& c, DType type)
{
    if (c.sinceVersion() >= 11) {
        if (const Tensor* value = c.optionalTensor(2)) {
            if (value->elementCount() != 1)
                return c.wrong(wrongShape(2, "[]", shapeText(value->shape())));
            if (value->dtype() != type)
                return c.wrong(
                    wrongType(2, std::string(nameOf(type)), std::string(nameOf(value->dtype()))));
            return *value;
        }
        return Tensor::allocate(type, {1});
    }
    Tensor value = Tensor::allocate(type, {1});
    value.store(0, static_cast<double>(c.attributes().getFloat("value", 0.0F)));
    return value;
}

Result<void> runPad(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    const std::size_t rank = input->rank();
    std::vector<std::int64_t> pads;
    if (c.sinceVersion() >= 11) {
        FUSESCOPE_ASSIGN(pads, wantInts(c, 1));
    } else {
        pads = intsOr(c.attributes(), padsAttribute(c.sinceVersion()), {});
    }
    std::vector<std::size_t> axes(rank);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    if (c.sinceVersion() >= 18 && c.hasInput(3)) {
        FUSESCOPE_ASSIGN(const auto given, wantInts(c, 3));
        FUSESCOPE_ASSIGN(axes, wantAxes(c, given, rank));
    }
    if (pads.size() != 2 * axes.size())
        return c.wrong(wrongShape(1, std::to_string(2 * axes.size()), std::to_string(pads.size())));
    const std::string mode = c.attributes().getString("mode", "constant");
    if (mode != "constant" && mode != "reflect" && mode != "edge" && mode != "wrap")
        return c.wrong(wrongAttribute("mode", "constant, reflect, edge, wrap", mode));
    constexpr std::int64_t limit = std::int64_t{1} << 40;
    std::vector<std::int64_t> shape = input->shape();
    std::vector<std::int64_t> before(rank, 0);
    std::vector<std::int64_t> kept = shape;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t low = pads[i];
        const std::int64_t high = pads[i + axes.size()];
        for (const std::int64_t pad : {low, high}) {
            if (pad <= -limit || pad >= limit)
                return c.wrong(wrongValue("pads", "> -2^40, < 2^40", std::to_string(pad)));
        }
        if (shape[axes[i]] + low + high < 0)
            return c.wrong(wrongValue("pads", ">= -" + std::to_string(shape[axes[i]]),
                                      std::to_string(low) + ", " + std::to_string(high)));
        before[axes[i]] = low;
        kept[axes[i]] += std::min<std::int64_t>(low, 0) + std::min<std::int64_t>(high, 0);
        shape[axes[i]] += low + high;
    }
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), shape));
    FUSESCOPE_ASSIGN(const Tensor constant, padConstant(c, input->dtype()));
    const bool isConstant = mode == "constant";
    if (!isConstant && input->elementCount() == 0 && output.elementCount() != 0)
        return c.wrong(wrongShape(0, "> 0", shapeText(input->shape())));
    if (output.elementCount() == 0) {
        c.setOutput(0, std::move(output));
        return {};
    }
    const auto cropped = std::ranges::find_if(kept, [](std::int64_t size) { return size < 1; });
    if (!isConstant && cropped != kept.end())
        return c.wrong(wrongValue("pads", "> -" + std::to_string(input->shape()[static_cast<std::size_t>(
                                                      cropped - kept.begin())]),
                                  shapeText(pads)));
    if (isConstant) {
        ElementCopy(output, constant).fill(0, 0, output.elementCount());
        const auto to = stridesOf(shape);
        const auto from = stridesOf(input->shape());
        std::vector<std::int64_t> copied(rank);
        StridedSide toSide{0, to};
        StridedSide fromSide{0, from};
        for (std::size_t axis = 0; axis < rank; ++axis) {
            const std::int64_t first = std::max<std::int64_t>(-before[axis], 0);
            const std::int64_t last = std::min(input->shape()[axis], shape[axis] - before[axis]);
            copied[axis] = std::max<std::int64_t>(last - first, 0);
            fromSide.offset += first * from[axis];
            toSide.offset += (first + before[axis]) * to[axis];
        }
        copyStrided(output, toSide, *input, fromSide, copied);
    } else {
        // A table of source positions for each axis, of what negative pads leave.
        const auto from = stridesOf(input->shape());
        std::vector<std::vector<std::int64_t>> sources(rank);
        for (std::size_t axis = 0; axis < rank; ++axis) {
            for (std::int64_t i = 0; i < shape[axis]; ++i)
                sources[axis].push_back(
                    (padSource(mode, i - std::max<std::int64_t>(before[axis], 0), kept[axis]) +
                     std::max<std::int64_t>(-before[axis], 0)) *
                    from[axis]);
        }
        ElementCopy mover(output, *input);
        forEachIndex(shape, [&](std::int64_t to, const std::vector<std::int64_t>& index) {
            std::int64_t at = 0;
            for (std::size_t axis = 0; axis < rank; ++axis)
                at += sources[axis][static_cast<std::size_t>(index[axis])];
            mover.copy(to, at);
        });
    }
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferCenterCropPad(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    std::vector<std::size_t> axes(input.rank());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    if (const auto given = c.attributes().getInts("axes")) {
        FUSESCOPE_ASSIGN(axes, wantAxes(c, *given, input.rank()));
    }
    const ShapeData target = c.integers(1);
    if (target && target->size() != axes.size())
        return c.wrong(wrongShape(1, std::to_string(axes.size()), std::to_string(target->size())));
    Shape shape = input;
    for (std::size_t i = 0; i < axes.size(); ++i)
        shape.set(axes[i], target && provablyNonNegative((*target)[i]) ? (*target)[i]
                                                                       : c.unknown(0, axes[i]));
    c.setTensor(0, c.dtype(0), std::move(shape));
    return {};
}

Result<void> runCenterCropPad(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const auto target, wantInts(c, 1));
    const std::size_t rank = input->rank();
    std::vector<std::size_t> axes(rank);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    if (const auto given = c.attributes().getInts("axes")) {
        FUSESCOPE_ASSIGN(axes, wantAxes(c, *given, rank));
    }
    if (target.size() != axes.size())
        return c.wrong(wrongShape(1, std::to_string(axes.size()), std::to_string(target.size())));
    std::vector<std::int64_t> shape = input->shape();
    for (std::size_t i = 0; i < axes.size(); ++i)
        shape[axes[i]] = target[i];
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), shape));
    const auto to = stridesOf(shape);
    const auto from = stridesOf(input->shape());
    StridedSide toSide{0, to};
    StridedSide fromSide{0, from};
    std::vector<std::int64_t> kept(rank);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        const std::int64_t size = input->shape()[axis];
        kept[axis] = std::min(size, shape[axis]);
        fromSide.offset += (size - kept[axis]) / 2 * from[axis];
        toSide.offset += (shape[axis] - kept[axis]) / 2 * to[axis];
    }
    copyStrided(output, toSide, *input, fromSide, kept);
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Pad", 1, inferPad, runPad},
    {"", "CenterCropPad", 18, inferCenterCropPad, runCenterCropPad},
};

} // namespace

std::span<const OpEntry> padding()
{
    return entries;
}

} // namespace fusescope::shaping
