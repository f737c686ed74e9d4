#include "ops/casting/casting.h"
#include "ops/element_map.h"

namespace fusescope::casting {

namespace {

// Version 1 names the type by a string.
DType targetType(const Attributes& attributes, int since)
{
    if (since >= 6)
        return dtypeAttribute(attributes, "to", DType::undefined);
    std::string name = attributes.getString("to", "");
    std::ranges::transform(name, name.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return dtypeFromName(name).value_or(DType::undefined);
}

// The type of `to`, or what is wrong with the attribute.
template <class C>
Result<DType> wantTarget(const C& c)
{
    const DType to = targetType(c.attributes(), c.sinceVersion());
    if (to != DType::undefined)
        return to;
    if (!c.attributes().has("to"))
        return c.wrong(missingAttribute("to"));
    return c.wrong(Message(
        "ops.element-type",
        {{"name", "to"},
         {"found", c.sinceVersion() < 6 ? c.attributes().getString("to", "?")
                                        : std::to_string(c.attributes().getInt("to", 0))}}));
}

void passCastData(InferenceContext& c, DType to)
{
    if (!carriesData(c.dtype(0)) || !carriesData(to) || to == DType::boolean)
        return;
    if (ShapeData data = wholeNumbers(c, 0))
        c.setData(0, *std::move(data));
}

Result<void> inferCast(InferenceContext& c)
{
    FUSESCOPE_ASSIGN(const DType to, wantTarget(c));
    c.setTensor(0, to, c.shape(0));
    passCastData(c, to);
    return {};
}

Result<void> inferCastLike(InferenceContext& c)
{
    c.setTensor(0, c.dtype(1), c.shape(0));
    passCastData(c, c.dtype(1));
    return {};
}

Result<void> runTo(KernelContext& c, DType to)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    if (input->dtype() == to) {
        c.setOutput(0, c.tensorPtr(0));
        return {};
    }
    CastRules rules;
    rules.saturate = c.attributes().getInt("saturate", 1) != 0;
    rules.roundMode = c.attributes().getString("round_mode", "up");
    FUSESCOPE_ASSIGN(Tensor output, castTensor(c, *input, to, rules));
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> runCast(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const DType to, wantTarget(c));
    return runTo(c, to);
}

Result<void> runCastLike(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* like, c.tensor(1));
    return runTo(c, like->dtype());
}

Result<void> inferBitCast(InferenceContext& c)
{
    FUSESCOPE_ASSIGN(const DType to, wantTarget(c));
    if (c.dtype(0) != DType::undefined && bitsOf(to) != bitsOf(c.dtype(0)))
        return c.wrong(wrongAttribute("to", std::to_string(bitsOf(c.dtype(0))) + " bits",
                                      std::string(nameOf(to))));
    c.setTensor(0, to, c.shape(0));
    return {};
}

Result<void> runBitCast(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* input, c.tensor(0));
    FUSESCOPE_ASSIGN(const DType to, wantTarget(c));
    if (input->isString() || to == DType::string || bitsOf(to) != bitsOf(input->dtype()))
        return c.wrong(wrongAttribute("to", std::to_string(bitsOf(input->dtype())) + " bits",
                                      std::string(nameOf(to))));
    FUSESCOPE_ASSIGN(Tensor output, c.allocate(to, input->shape()));
    const Tensor source = input->isSplat() ? input->materialized() : *input;
    if (source.elementCount() > 0)
        std::memcpy(output.mutableData(), source.data(),
                    static_cast<std::size_t>(source.byteSize()));
    c.setOutput(0, std::move(output));
    return {};
}

Result<void> inferIdentity(InferenceContext& c)
{
    c.setOutput(0, c.input(0).type);
    if (c.input(0).data)
        c.setData(0, *c.input(0).data);
    else if (c.input(0).constant)
        passData(c, c.shape(0).hasRank() ? c.shape(0).rank() : 2);
    return {};
}

Result<void> runIdentity(KernelContext& c)
{
    if (!c.hasInput(0))
        return c.wrong(missingInput(0));
    c.setOutput(0, c.input(0));
    return {};
}

constexpr OpEntry entries[] = {
    {"", "Cast", 1, inferCast, runCast},
    {"", "CastLike", 15, inferCastLike, runCastLike},
    {"", "BitCast", 26, inferBitCast, runBitCast},
    {"", "Identity", 1, inferIdentity, runIdentity},
};

} // namespace

std::span<const OpEntry> casts()
{
    return entries;
}

} // namespace fusescope::casting
