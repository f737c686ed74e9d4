#include "ops/activation/activation.h"
#include "ops/element_map.h"
#include "ops/random_numbers.h"

namespace fusescope::activation {

namespace {

// Up to version 10 the mask has the type of the data.
DType maskType(int since, DType data)
{
    return since < 10 ? data : DType::boolean;
}

Result<void> inferDropout(InferenceContext& c)
{
    FUSESCOPE_TRY(inferSame(c));
    // Nothing is dropped where no training is asked for.
    const bool training = c.sinceVersion() < 7    ? c.attributes().getInt("is_test", 0) == 0
                          : c.sinceVersion() < 12 ? false
                                                  : c.hasInput(2);
    if (!training)
        passData(c, c.shape(0).hasRank() ? c.shape(0).rank() : 2);
    if (c.outputCount() > 1)
        c.setTensor(1, maskType(c.sinceVersion(), c.dtype(0)), c.shape(0));
    return {};
}

Result<void> runDropout(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    double ratio = static_cast<double>(c.attributes().getFloat("ratio", 0.5F));
    bool training = c.sinceVersion() < 7 && c.attributes().getInt("is_test", 0) == 0;
    if (c.sinceVersion() >= 12) {
        const Tensor* ratioInput = c.optionalTensor(1);
        const Tensor* mode = c.optionalTensor(2);
        ratio = ratioInput && ratioInput->elementCount() > 0 ? ratioInput->asDouble(0) : 0.5;
        training = mode && mode->elementCount() > 0 && mode->asInt(0) != 0;
    }
    if (training && !(ratio >= 0.0 && ratio < 1.0))
        return c.wrong(wrongValue("ratio", "[0, 1)", std::to_string(ratio)));
    training = training && ratio > 0.0;
    std::vector<bool> kept(
        training || c.wantsOutput(1) ? static_cast<std::size_t>(input->elementCount()) : 0, true);
    if (!training) {
        c.setOutput(0, c.tensorPtr(0));
    } else {
        const RandomNumbers random(c);
        for (std::size_t i = 0; i < kept.size(); ++i)
            kept[i] = random.uniform(i) >= ratio;
        FUSESCOPE_ASSIGN(Tensor output, c.allocate(input->dtype(), input->shape()));
        if (!isFloatingPoint(input->dtype()))
            return c.wrong(unsupportedType(c, input->dtype()));
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i);
            output.store(at, kept[i] ? input->asDouble(at) / (1.0 - ratio) : 0.0);
        }
        c.setOutput(0, std::move(output));
    }
    if (c.wantsOutput(1)) {
        FUSESCOPE_ASSIGN(Tensor mask,
                         c.allocate(maskType(c.sinceVersion(), input->dtype()), input->shape()));
        for (std::size_t i = 0; i < kept.size(); ++i)
            mask.store(static_cast<std::int64_t>(i), kept[i] ? 1.0 : 0.0);
        c.setOutput(1, std::move(mask));
    }
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Dropout", 1, inferDropout, runDropout},
};

} // namespace

std::span<const OpEntry> dropouts()
{
    return entries;
}

} // namespace fusescope::activation
