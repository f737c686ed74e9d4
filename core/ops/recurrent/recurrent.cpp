#include "ops/recurrent/recurrent.h"

#include "ops/families.h"

#include <cctype>
#include <cmath>

namespace fusescope {

namespace {

std::string lowered(std::string text)
{
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

// Numbers of activation_alpha and activation_beta are taken in turn by the functions that use them.
class Parameters
{
public:
    explicit Parameters(std::vector<float> given) : m_given(std::move(given)) {}
    double next(double fallback)
    {
        return m_next < m_given.size() ? static_cast<double>(m_given[m_next++]) : fallback;
    }

private:
    std::vector<float> m_given;
    std::size_t m_next = 0;
};

std::function<double(double)> activation(const std::string& name, Parameters& alphas,
                                         Parameters& betas)
{
    if (name == "sigmoid")
        return [](double x) { return 1 / (1 + std::exp(-x)); };
    if (name == "tanh")
        return [](double x) { return std::tanh(x); };
    if (name == "relu")
        return [](double x) { return x > 0 || std::isnan(x) ? x : 0; };
    if (name == "softsign")
        return [](double x) { return x / (1 + std::abs(x)); };
    if (name == "softplus")
        return [](double x) { return std::log1p(std::exp(-std::abs(x))) + std::max(x, 0.0); };
    if (name == "affine") {
        const double a = alphas.next(1), b = betas.next(0);
        return [a, b](double x) { return a * x + b; };
    }
    if (name == "leakyrelu") {
        const double a = alphas.next(0.01);
        return [a](double x) { return x >= 0 ? x : a * x; };
    }
    if (name == "thresholdedrelu") {
        const double a = alphas.next(1);
        return [a](double x) { return x > a ? x : 0; };
    }
    if (name == "scaledtanh") {
        const double a = alphas.next(1), b = betas.next(1);
        return [a, b](double x) { return a * std::tanh(b * x); };
    }
    if (name == "hardsigmoid") {
        const double a = alphas.next(0.2), b = betas.next(0.5);
        return [a, b](double x) { return std::clamp(a * x + b, 0.0, 1.0); };
    }
    if (name == "elu") {
        const double a = alphas.next(1);
        return [a](double x) { return x >= 0 ? x : a * (std::exp(x) - 1); };
    }
    return {};
}

Result<void> inferRecurrent(InferenceContext& context)
{
    FUSESCOPE_TRY(requireRank(context, 0, 3, 3));
    FUSESCOPE_TRY(requireRank(context, 1, 3, 3));
    FUSESCOPE_TRY(requireRank(context, 2, 3, 3));
    const Shape& x = context.shape(0);
    const Shape& r = context.shape(2);
    const bool batchFirst = context.attributes().getInt("layout", 0) != 0;
    const Dim directions =
        context.attributes().getString("direction", "forward") == "bidirectional" ? 2 : 1;
    Dim hidden = context.unknown(0, 3);
    if (const Attribute* given = context.attributes().find("hidden_size");
        given && std::holds_alternative<std::int64_t>(given->value))
        hidden = Dim(std::get<std::int64_t>(given->value));
    else if (r.hasRank())
        hidden = r[2];
    const Dim length = x.hasRank() ? x[batchFirst ? 1 : 0] : context.unknown(0, 0);
    const Dim batch = x.hasRank() ? x[batchFirst ? 0 : 1] : context.unknown(0, 2);
    const DType type = context.dtype(0);
    context.setTensor(0, type, batchFirst ? Shape::of({batch, length, directions, hidden})
                                          : Shape::of({length, directions, batch, hidden}));
    for (std::size_t i = 1; i < context.outputCount(); ++i)
        context.setTensor(i, type, batchFirst ? Shape::of({batch, directions, hidden})
                                              : Shape::of({directions, batch, hidden}));
    return {};
}

constexpr OpEntry table[] = {
    {"", "RNN", 1, inferRecurrent, runRnn},
    {"", "GRU", 1, inferRecurrent, runGru},
    {"", "LSTM", 1, inferRecurrent, runLstm},
};

} // namespace

Result<RecurrentCall> readRecurrent(const KernelContext& context, std::int64_t gates,
                                    const std::vector<std::string>& defaultActivations)
{
    RecurrentCall call;
    FUSESCOPE_ASSIGN(call.x, context.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* w, context.tensor(1));
    FUSESCOPE_ASSIGN(const Tensor* r, context.tensor(2));
    FUSESCOPE_TRY(requireRank(context, *call.x, 0, 3, 3));
    FUSESCOPE_TRY(requireRank(context, *w, 1, 3, 3));
    FUSESCOPE_TRY(requireRank(context, *r, 2, 3, 3));
    const Attributes& attributes = context.attributes();
    const std::string direction = attributes.getString("direction", "forward");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
        return context.wrong(
            wrongAttribute("direction", "forward, reverse, bidirectional", direction));
    call.firstReversed = direction == "reverse";
    call.directions = direction == "bidirectional" ? 2 : 1;
    call.batchFirst = attributes.getInt("layout", 0) != 0;
    call.length = call.x->shape()[call.batchFirst ? 1 : 0];
    call.batch = call.x->shape()[call.batchFirst ? 0 : 1];
    call.inputSize = call.x->shape()[2];
    call.hidden = attributes.getInt("hidden_size", r->shape()[2]);
    if (call.hidden != r->shape()[2])
        return context.wrong(wrongAttribute("hidden_size", std::to_string(r->shape()[2]),
                                            std::to_string(call.hidden)));
    call.clip = attributes.getFloat("clip", 0);
    const std::vector<std::int64_t> wShape = {call.directions, gates * call.hidden, call.inputSize};
    const std::vector<std::int64_t> rShape = {call.directions, gates * call.hidden, call.hidden};
    if (w->shape() != wShape)
        return context.wrong(wrongShape(1, shapeText(wShape), shapeText(w->shape())));
    if (r->shape() != rShape)
        return context.wrong(wrongShape(2, shapeText(rShape), shapeText(r->shape())));
    const Tensor* bias = context.optionalTensor(3);
    if (bias && bias->elementCount() != call.directions * 2 * gates * call.hidden)
        return context.wrong(wrongShape(
            3, shapeText(std::vector<std::int64_t>{call.directions, 2 * gates * call.hidden}),
            shapeText(bias->shape())));
    call.lengths = context.optionalTensor(4);
    if (call.lengths && call.lengths->elementCount() != call.batch)
        return context.wrong(wrongShape(4, "[" + std::to_string(call.batch) + "]",
                                        shapeText(call.lengths->shape())));
    for (std::int64_t b = 0; call.lengths && b < call.batch; ++b) {
        const std::int64_t length = call.lengths->asInt(b);
        if (length < 0 || length > call.length)
            return context.wrong(wrongElement(4, "0 … " + std::to_string(call.length), length));
    }
    for (std::size_t i = 5; i < std::min<std::size_t>(context.inputCount(), 7); ++i) {
        const Tensor* state = context.optionalTensor(i);
        if (state && state->elementCount() != call.directions * call.batch * call.hidden)
            return context.wrong(wrongShape(
                i, shapeText(std::vector{call.directions, call.batch, call.hidden}),
                shapeText(state->shape())));
    }
    std::vector<std::string> names = defaultActivations;
    if (call.directions == 2)
        names.insert(names.end(), defaultActivations.begin(), defaultActivations.end());
    if (const auto given = attributes.getStrings("activations"); given && !given->empty())
        names = *given;
    Parameters alphas(attributes.getFloats("activation_alpha").value_or(std::vector<float>{}));
    Parameters betas(attributes.getFloats("activation_beta").value_or(std::vector<float>{}));
    const std::size_t wanted =
        defaultActivations.size() * static_cast<std::size_t>(call.directions);
    if (names.size() != wanted)
        return context.wrong(wrongLength("activations", wanted, names.size()));
    for (const std::string& name : names) {
        call.activations.push_back(activation(lowered(name), alphas, betas));
        if (!call.activations.back())
            return context.wrong(Message("ops.recurrent-function", {{"name", name}}));
    }
    return call;
}

std::vector<double> directionPart(const Tensor* tensor, std::int64_t direction, std::int64_t count)
{
    std::vector<double> result(static_cast<std::size_t>(count), 0.0);
    for (std::size_t i = 0; tensor && i < result.size(); ++i)
        result[i] = tensor->asDouble(direction * count + static_cast<std::int64_t>(i));
    return result;
}

Result<void> runRecurrent(KernelContext& context, const RecurrentCall& call, bool cell,
                          const std::function<RecurrentStep(std::int64_t direction)>& stepOf)
{
    const DType type = call.x->dtype();
    std::vector<std::int64_t> all = {call.length, call.directions, call.batch, call.hidden};
    std::vector<std::int64_t> last = {call.directions, call.batch, call.hidden};
    if (call.batchFirst) {
        all = {call.batch, call.length, call.directions, call.hidden};
        last = {call.batch, call.directions, call.hidden};
    }
    FUSESCOPE_ASSIGN(Tensor y, context.allocate(type, all));
    FUSESCOPE_ASSIGN(Tensor lastHidden, context.allocate(type, last));
    FUSESCOPE_ASSIGN(Tensor lastCell, context.allocate(type, last));
    const Tensor* firstHidden = context.optionalTensor(5);
    const Tensor* firstCell = cell ? context.optionalTensor(6) : nullptr;
    const auto hidden = static_cast<std::size_t>(call.hidden);
    std::vector<double> x(static_cast<std::size_t>(call.inputSize)), h(hidden), c(hidden);
    for (std::int64_t d = 0; d < call.directions; ++d) {
        const RecurrentStep step = stepOf(d);
        for (std::int64_t b = 0; b < call.batch; ++b) {
            const std::int64_t state = call.stateAt(d, b);
            for (std::size_t i = 0; i < hidden; ++i) {
                const std::int64_t at = state + static_cast<std::int64_t>(i);
                h[i] = firstHidden ? firstHidden->asDouble(at) : 0;
                c[i] = firstCell ? firstCell->asDouble(at) : 0;
            }
            const std::int64_t length = call.lengthOf(b);
            for (std::int64_t s = 0; s < length; ++s) {
                if (context.stopRequested())
                    return cancelled();
                const std::int64_t t = call.reversed(d) ? length - 1 - s : s;
                for (std::size_t i = 0; i < x.size(); ++i)
                    x[i] = call.x->asDouble(call.inputAt(t, b) + static_cast<std::int64_t>(i));
                step(x, h, c);
                for (std::size_t i = 0; i < hidden; ++i)
                    y.store(call.outputAt(t, d, b) + static_cast<std::int64_t>(i), h[i]);
            }
            for (std::size_t i = 0; i < hidden; ++i) {
                lastHidden.store(state + static_cast<std::int64_t>(i), h[i]);
                lastCell.store(state + static_cast<std::int64_t>(i), c[i]);
            }
        }
    }
    context.setOutput(0, std::move(y));
    context.setOutput(1, std::move(lastHidden));
    if (cell)
        context.setOutput(2, std::move(lastCell));
    return {};
}

namespace families {

std::span<const OpEntry> recurrent()
{
    return table;
}

} // namespace families

} // namespace fusescope
