#include "ops/element_copy.h"
#include "ops/element_map.h"
#include "ops/resizing/interpolation.h"
#include "ops/resizing/resizing.h"

#include <fmt/format.h>

#include <numeric>

namespace fusescope::resizing {

namespace {

// Where each version keeps its operands.
struct Layout
{
    std::optional<std::size_t> roi, scales, sizes;
};

Layout layoutOf(const Node& node, int since)
{
    if (node.op.type == "Upsample")
        return {{}, since >= 9 ? std::optional<std::size_t>(1) : std::nullopt, {}};
    if (since < 11)
        return {{}, 1, {}};
    return {1, 2, 3};
}

// The scales of a version of Upsample that has them as attributes.
std::vector<double> attributeScales(const Attributes& attributes, int since, std::size_t rank)
{
    std::vector<double> scales;
    if (since < 7) {
        scales.assign(rank, 1.0);
        if (rank >= 2) {
            scales[rank - 2] = static_cast<double>(attributes.getFloat("height_scale", 1.0F));
            scales[rank - 1] = static_cast<double>(attributes.getFloat("width_scale", 1.0F));
        }
        return scales;
    }
    for (const float scale : attributes.getFloats("scales").value_or(std::vector<float>{}))
        scales.push_back(static_cast<double>(scale));
    return scales;
}

template <class C>
Result<std::vector<std::size_t>> axesOf(const C& c, std::size_t rank)
{
    const auto given = c.sinceVersion() >= 18 ? c.attributes().getInts("axes") : std::nullopt;
    if (given)
        return wantAxes(c, *given, rank);
    std::vector<std::size_t> axes(rank);
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    return axes;
}

// The product in single precision, as the scale is: 10 * 0.7 is 7.
std::optional<std::int64_t> scaledSize(std::int64_t size, double scale)
{
    const float product = std::floor(static_cast<float>(size) * static_cast<float>(scale));
    if (!(product >= 0.0F && product < 0x1p40F))
        return std::nullopt;
    return static_cast<std::int64_t>(product);
}

Dim scaledDim(const InferenceContext& c, const Dim& dim, double scale, std::size_t axis)
{
    if (dim.isConstant()) {
        const auto size = scaledSize(*dim.constant(), scale);
        return size ? Dim(*size) : c.unknown(0, axis);
    }
    if (scale >= 1.0 && scale < 0x1p20 && scale == std::floor(scale))
        return dim * Dim(static_cast<std::int64_t>(scale));
    const double divisor = 1.0 / scale;
    if (divisor > 1.0 && divisor < 0x1p20 && divisor == std::floor(divisor))
        return floordiv(dim, static_cast<std::int64_t>(divisor));
    return c.unknown(0, axis);
}

std::string policyOf(const Attributes& attributes)
{
    return attributes.getString("keep_aspect_ratio_policy", "stretch");
}

// The scale that all axes share where the aspect is kept; each pair is a size and the wanted one.
double commonScale(const std::string& policy,
                   const std::vector<std::pair<std::int64_t, std::int64_t>>& sizes)
{
    double common = 0.0;
    bool first = true;
    for (const auto& [in, wanted] : sizes) {
        const double scale = static_cast<double>(wanted) / static_cast<double>(in);
        common = first                    ? scale
                 : policy == "not_larger" ? std::min(common, scale)
                                          : std::max(common, scale);
        first = false;
    }
    return common;
}

std::int64_t sizeAtScale(std::int64_t size, double scale)
{
    const double scaled = std::floor(scale * static_cast<double>(size) + 0.5);
    return scaled > 0.0 ? static_cast<std::int64_t>(std::min(scaled, 0x1p40)) : 0;
}

// The sizes where the aspect is kept, when everything is a number.
void inferAspect(const InferenceContext& c, const std::optional<std::vector<std::int64_t>>& wanted,
                 const std::vector<std::size_t>& axes, Shape& shape)
{
    const Shape& input = c.shape(0);
    std::vector<std::pair<std::int64_t, std::int64_t>> sizes;
    for (std::size_t i = 0; wanted && i < axes.size(); ++i) {
        const auto in = input[axes[i]].constant();
        if (!in || *in == 0)
            return;
        sizes.emplace_back(*in, (*wanted)[i]);
    }
    const double scale = commonScale(policyOf(c.attributes()), sizes);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        shape.set(axes[i], sizeAtScale(sizes[i].first, scale));
}

Result<void> inferResize(InferenceContext& c)
{
    const Shape& input = c.shape(0);
    if (!input.hasRank()) {
        c.setTensor(0, c.dtype(0), Shape::unranked());
        return {};
    }
    const std::size_t rank = input.rank();
    const Layout layout = layoutOf(c.node(), c.sinceVersion());
    FUSESCOPE_ASSIGN(const auto axes, axesOf(c, rank));
    Shape shape = input;
    for (const std::size_t axis : axes)
        shape.set(axis, c.unknown(0, axis));
    const bool plain = policyOf(c.attributes()) == "stretch";
    const bool crops = c.attributes().getString("coordinate_transformation_mode", "half_pixel") ==
                       "tf_crop_and_resize";
    std::vector<double> scales;
    const bool bySizes = layout.sizes && c.hasInput(*layout.sizes) &&
                         c.shape(*layout.sizes).elementCount() != Dim(0);
    if (bySizes && layout.scales && c.hasInput(*layout.scales) &&
        provablyDifferent(c.shape(*layout.scales).elementCount().value_or(Dim(0)), Dim(0)))
        return c.wrong(Message("ops.scales-and-sizes"));
    if (bySizes) {
        const ShapeData sizes = c.integers(*layout.sizes);
        if (sizes && sizes->size() != axes.size())
            return c.wrong(wrongShape(*layout.sizes, std::to_string(axes.size()),
                                      std::to_string(sizes->size())));
        for (std::size_t i = 0; sizes && plain && i < axes.size(); ++i)
            shape.set(axes[i], sizeFrom(c, (*sizes)[i], 0, axes[i]));
        if (!plain)
            inferAspect(c, knownInts(c, *layout.sizes), axes, shape);
    } else if (!layout.scales) {
        scales = attributeScales(c.attributes(), c.sinceVersion(), rank);
    } else if (!c.hasInput(*layout.scales)) {
        return c.wrong(missingInput(*layout.scales));
    } else if (const TensorPtr constant = c.input(*layout.scales).constant;
               constant && constant->isAvailable() && isFloatingPoint(constant->dtype())) {
        for (std::int64_t i = 0; i < constant->elementCount(); ++i)
            scales.push_back(constant->asDouble(i));
    }
    if (!bySizes && !scales.empty()) {
        if (scales.size() != axes.size())
            return c.wrong(wrongShape(layout.scales.value_or(1), std::to_string(axes.size()),
                                      std::to_string(scales.size())));
        for (std::size_t i = 0; !crops && i < axes.size(); ++i) {
            if (!(scales[i] > 0.0))
                return c.wrong(wrongValue("scales", "> 0", std::to_string(scales[i])));
            shape.set(axes[i], scaledDim(c, input[axes[i]], scales[i], axes[i]));
        }
    }
    c.setTensor(0, c.dtype(0), std::move(shape));
    return {};
}

// What one axis becomes; axes that are not named stay as they are.
Result<std::vector<AxisSampling>> samplingOf(const KernelContext& c, const Tensor& input)
{
    const std::size_t rank = input.rank();
    const Layout layout = layoutOf(c.node(), c.sinceVersion());
    FUSESCOPE_ASSIGN(const auto axes, axesOf(c, rank));
    AxisSampling base;
    base.mode = c.attributes().getString("mode", "nearest");
    if (base.mode == "bilinear")
        base.mode = "linear";
    if (c.node().op.type == "Upsample" || c.sinceVersion() < 11) {
        base.transform = "asymmetric";
        base.nearest = "floor";
    } else {
        base.transform = c.attributes().getString("coordinate_transformation_mode", "half_pixel");
        base.nearest = c.attributes().getString("nearest_mode", "round_prefer_floor");
        base.cubicA = static_cast<double>(c.attributes().getFloat("cubic_coeff_a", -0.75F));
        base.excludeOutside = c.attributes().getInt("exclude_outside", 0) != 0;
        base.antialias = c.attributes().getInt("antialias", 0) != 0;
    }
    std::vector<AxisSampling> sampling(rank, base);
    for (std::size_t axis = 0; axis < rank; ++axis) {
        sampling[axis].inSize = sampling[axis].outSize = input.shape()[axis];
        sampling[axis].transform = "asymmetric";
    }
    const Tensor* roi = layout.roi ? c.optionalTensor(*layout.roi) : nullptr;
    const bool crops = base.transform == "tf_crop_and_resize";
    if (crops && (!roi || roi->elementCount() != static_cast<std::int64_t>(2 * axes.size())))
        return c.wrong(
            wrongShape(1, std::to_string(2 * axes.size()), roi ? shapeText(roi->shape()) : "[]"));
    const Tensor* sizes = layout.sizes ? c.optionalTensor(*layout.sizes) : nullptr;
    std::vector<double> scales;
    const auto count = static_cast<std::int64_t>(axes.size());
    const Tensor* scaling = layout.scales ? c.optionalTensor(*layout.scales) : nullptr;
    if (sizes && sizes->elementCount() > 0 && scaling && scaling->elementCount() > 0)
        return c.wrong(Message("ops.scales-and-sizes"));
    if (sizes && sizes->elementCount() > 0) {
        if (sizes->elementCount() != count)
            return c.wrong(
                wrongShape(*layout.sizes, std::to_string(count), shapeText(sizes->shape())));
    } else {
        if (!layout.scales) {
            scales = attributeScales(c.attributes(), c.sinceVersion(), rank);
        } else {
            FUSESCOPE_ASSIGN(const Tensor* tensor, c.tensor(*layout.scales));
            for (std::int64_t i = 0; i < tensor->elementCount(); ++i)
                scales.push_back(tensor->asDouble(i));
        }
        if (static_cast<std::int64_t>(scales.size()) != count)
            return c.wrong(wrongShape(layout.scales.value_or(1), std::to_string(count),
                                      std::to_string(scales.size())));
    }
    const std::string policy = policyOf(c.attributes());
    std::optional<double> common;
    if (scales.empty() && policy != "stretch") {
        std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
        for (std::size_t i = 0; i < axes.size(); ++i)
            pairs.emplace_back(input.shape()[axes[i]], sizes->asInt(static_cast<std::int64_t>(i)));
        common = commonScale(policy, pairs);
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        AxisSampling& axis = sampling[axes[i]];
        axis.transform = base.transform;
        if (crops) {
            axis.roiStart = roi->asDouble(static_cast<std::int64_t>(i));
            axis.roiEnd = roi->asDouble(static_cast<std::int64_t>(i + axes.size()));
        }
        const auto in = static_cast<double>(axis.inSize);
        if (!scales.empty()) {
            axis.scale = scales[i];
            if (c.node().op.type == "Resize" && c.sinceVersion() < 11 && scales[i] < 1.0)
                axis.nearest = "ceil"; // what its version reads where it skips elements
            const double span = crops ? axis.roiEnd - axis.roiStart : 1.0;
            if (!(scales[i] > 0.0))
                return c.wrong(wrongValue("scales", "> 0", std::to_string(scales[i])));
            if (!(span >= 0.0))
                return c.wrong(wrongValue("roi", "end >= start",
                                          fmt::format("{} … {}", axis.roiStart, axis.roiEnd)));
            const auto size = scaledSize(axis.inSize, scales[i] * span);
            if (!size)
                return c.wrong(Message("ops.scaled-too-far",
                                       {{"size", axis.inSize}, {"scale", std::to_string(scales[i])}}));
            axis.outSize = *size;
        } else if (common) {
            axis.scale = *common;
            axis.outSize = sizeAtScale(axis.inSize, *common);
        } else {
            axis.outSize = sizes->asInt(static_cast<std::int64_t>(i));
            axis.scale = static_cast<double>(axis.outSize) / in;
        }
        if (axis.outSize < 0 || (axis.inSize == 0 && axis.outSize > 0))
            return c.wrong(wrongValue("sizes", axis.inSize == 0 ? "0" : ">= 0",
                                      std::to_string(axis.outSize)));
    }
    return sampling;
}

// One pass along one axis over a row-major array.
template <class V>
std::vector<V> interpolateAxis(const std::vector<V>& in, std::int64_t inner, std::int64_t inSize,
                               const std::vector<Sample>& samples)
{
    const auto outSize = static_cast<std::int64_t>(samples.size());
    const std::int64_t outer =
        inner * inSize == 0 ? 0 : static_cast<std::int64_t>(in.size()) / (inner * inSize);
    std::vector<V> out(static_cast<std::size_t>(outer * outSize * inner));
    for (std::int64_t o = 0; o < outer; ++o) {
        for (std::int64_t i = 0; i < outSize; ++i) {
            const Sample& sample = samples[static_cast<std::size_t>(i)];
            V* to = out.data() + (o * outSize + i) * inner;
            for (std::size_t k = 0; k < sample.indices.size(); ++k) {
                const V* from = in.data() + (o * inSize + sample.indices[k]) * inner;
                for (std::int64_t n = 0; n < inner; ++n)
                    to[n] += sample.weights[k] * from[n];
            }
        }
    }
    return out;
}

// All axes, one after another.
template <class V>
std::vector<V> interpolateAll(std::vector<V> values, std::vector<std::int64_t> shape,
                              const std::vector<AxisSampling>& sampling,
                              const std::vector<std::vector<Sample>>& samples)
{
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        const AxisSampling& a = sampling[axis];
        if (a.inSize == a.outSize && a.scale == 1.0 && a.transform != "tf_crop_and_resize")
            continue;
        values = interpolateAxis(values, productOf(std::span(shape).subspan(axis + 1)), a.inSize,
                                 samples[axis]);
        shape[axis] = a.outSize;
    }
    return values;
}

template <class T>
void interpolateComplex(const Tensor& input, const std::vector<AxisSampling>& sampling,
                        const std::vector<std::vector<Sample>>& samples, Tensor& output)
{
    const auto in = input.aligned<T>();
    const auto values = interpolateAll(std::vector<std::complex<double>>(in.begin(), in.end()),
                                       input.shape(), sampling, samples);
    for (std::size_t i = 0; i < values.size(); ++i)
        output.mutableElements<T>()[i] = static_cast<T>(values[i]);
}

Result<void> interpolate(const KernelContext& c, const Tensor& input,
                         const std::vector<AxisSampling>& sampling,
                         const std::vector<std::vector<Sample>>& samples, Tensor& output)
{
    const DType type = input.dtype();
    if (type == DType::complex64 || type == DType::complex128) {
        if (type == DType::complex64)
            interpolateComplex<std::complex<float>>(input, sampling, samples, output);
        else
            interpolateComplex<std::complex<double>>(input, sampling, samples, output);
        return {};
    }
    if (!isFloatingPoint(type) && !isInteger(type))
        return c.wrong(nearestOnly(type, c.attributes().getString("mode", "nearest")));
    std::vector<double> values(static_cast<std::size_t>(input.elementCount()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = input.asDouble(static_cast<std::int64_t>(i));
    values = interpolateAll(std::move(values), input.shape(), sampling, samples);
    const int bits = bitsOf(type) - (isSigned(type) ? 1 : 0);
    const double least = isSigned(type) ? -std::ldexp(1.0, bits) : 0.0;
    for (std::size_t i = 0; i < values.size(); ++i)
        output.store(static_cast<std::int64_t>(i),
                     isInteger(type) ? std::clamp(std::nearbyint(values[i]), least,
                                                  std::ldexp(1.0, bits) - 1.0)
                                     : values[i]);
    return {};
}

Result<void> runResize(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const auto sampling, samplingOf(c, *input));
    const std::size_t rank = input->rank();
    std::vector<std::int64_t> shape;
    for (const AxisSampling& axis : sampling)
        shape.push_back(axis.outSize);
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), shape));
    if (output.elementCount() == 0) {
        c.setOutput(0, std::move(output));
        return {};
    }
    std::vector<std::vector<Sample>> samples(rank);
    bool anyOutside = false;
    for (std::size_t axis = 0; axis < rank; ++axis) {
        if (!samplesOf(sampling[axis], samples[axis]))
            return c.wrong(wrongAttribute("mode", "nearest, linear, cubic",
                                          sampling[axis].mode + ", " + sampling[axis].transform));
        for (const Sample& sample : samples[axis])
            anyOutside = anyOutside || sample.outside;
    }
    if (rank > 0 && sampling[0].mode == "nearest") {
        const auto strides = stridesOf(input->shape());
        ElementCopy mover(output, *input);
        forEachIndex(shape, [&](std::int64_t to, const std::vector<std::int64_t>& index) {
            std::int64_t from = 0;
            for (std::size_t axis = 0; axis < rank; ++axis)
                from +=
                    samples[axis][static_cast<std::size_t>(index[axis])].indices[0] * strides[axis];
            mover.copy(to, from);
        });
    } else {
        FUSESCOPE_TRY(interpolate(c, *input, sampling, samples, output));
    }
    if (anyOutside) {
        const auto outside =
            static_cast<double>(c.attributes().getFloat("extrapolation_value", 0.0F));
        forEachIndex(shape, [&](std::int64_t to, const std::vector<std::int64_t>& index) {
            for (std::size_t axis = 0; axis < rank; ++axis) {
                if (samples[axis][static_cast<std::size_t>(index[axis])].outside) {
                    output.store(to, outside);
                    break;
                }
            }
        });
    }
    c.setOutput(0, std::move(output));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Resize", 10, inferResize, runResize},
    {"", "Upsample", 1, inferResize, runResize},
};

} // namespace

std::span<const OpEntry> resizes()
{
    return entries;
}

} // namespace fusescope::resizing
