#include "ops/element_map.h"
#include "ops/elementwise/elementwise.h"

namespace fusescope::elementwise {

namespace {

constexpr std::string_view training = "ai.onnx.preview.training";

// After the learning rate and the update count come, for each of n tensors, the tensor, its
// gradient and its state; the outputs are the new tensors and states, group by group.
Result<void> inferStep(InferenceContext& c, std::size_t states)
{
    const std::size_t groups = states + 2;
    if (c.inputCount() < 2 + groups || (c.inputCount() - 2) % groups != 0)
        return c.wrong(wrongValue("inputs", "2 + " + std::to_string(groups) + " n",
                                  std::to_string(c.inputCount())));
    const std::size_t n = (c.inputCount() - 2) / groups;
    for (std::size_t i = 0; i < n; ++i) {
        c.setOutput(i, c.input(2 + i).type);
        for (std::size_t s = 0; s < states; ++s)
            c.setOutput(n * (s + 1) + i, c.input(2 + n * (s + 2) + i).type);
    }
    return {};
}

Result<void> inferOneState(InferenceContext& c)
{
    return inferStep(c, 1);
}
Result<void> inferTwoStates(InferenceContext& c)
{
    return inferStep(c, 2);
}

// The executor computes it, since it differentiates other nodes of the graph: the derivatives have
// the types of the first inputs.
Result<void> inferGradient(InferenceContext& c)
{
    const auto xs = c.attributes().getStrings("xs");
    for (std::size_t i = 0; xs && i < std::min(c.outputCount(), xs->size()); ++i)
        c.setOutput(i, c.input(i).type);
    return {};
}

// One element of an update.
struct Element
{
    double x = 0.0, gradient = 0.0;
    double state[2] = {0.0, 0.0};
};

// Calls f(element) for every element of every tensor; f changes x and the state.
template <class F>
Result<void> update(KernelContext& c, std::size_t states, F f)
{
    const std::size_t groups = states + 2;
    if (c.inputCount() < 2 + groups || (c.inputCount() - 2) % groups != 0)
        return c.wrong(wrongValue("inputs", "2 + " + std::to_string(groups) + " n",
                                  std::to_string(c.inputCount())));
    const std::size_t n = (c.inputCount() - 2) / groups;
    for (std::size_t i = 0; i < n; ++i) {
        const Tensor* parts[4] = {};
        std::vector<Tensor> results;
        for (std::size_t g = 0; g < groups; ++g) {
            FUSESCOPE_ASSIGN(parts[g], c.tensor(2 + g * n + i));
            if (!isFloatingPoint(parts[g]->dtype()))
                return c.wrong(unsupportedType(c, parts[g]->dtype()));
            if (parts[g]->shape() != parts[0]->shape())
                return c.wrong(wrongShape(2 + g * n + i, shapeText(parts[0]->shape()),
                                          shapeText(parts[g]->shape())));
            if (g == 1)
                continue;
            FUSESCOPE_ASSIGN(Tensor result, c.allocate(parts[g]->dtype(), parts[g]->shape()));
            results.push_back(std::move(result));
        }
        for (std::int64_t k = 0; k < parts[0]->elementCount(); ++k) {
            Element element{parts[0]->asDouble(k), parts[1]->asDouble(k), {}};
            for (std::size_t s = 0; s < states; ++s)
                element.state[s] = parts[2 + s]->asDouble(k);
            f(element);
            results[0].store(k, element.x);
            for (std::size_t s = 0; s < states; ++s)
                results[1 + s].store(k, element.state[s]);
        }
        for (std::size_t g = 0; g < results.size(); ++g) {
            if (n * g + i < c.outputCount())
                c.setOutput(n * g + i, std::move(results[g]));
        }
    }
    return {};
}

double number(const KernelContext& c, const char* name, float fallback)
{
    return static_cast<double>(c.attributes().getFloat(name, fallback));
}

struct Schedule
{
    double rate = 0.0;
    std::int64_t count = 0;
};

Result<Schedule> scheduleOf(const KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Tensor* rate, c.tensor(0));
    FUSESCOPE_ASSIGN(const Tensor* count, c.tensor(1));
    for (const Tensor* scalar : {rate, count}) {
        if (scalar->elementCount() != 1)
            return c.wrong(wrongShape(scalar == rate ? 0 : 1, "[]", shapeText(scalar->shape())));
    }
    return Schedule{rate->asDouble(0), count->asInt(0)};
}

Result<void> runAdagrad(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Schedule schedule, scheduleOf(c));
    const double decay = number(c, "decay_factor", 0.0F);
    const double epsilon = number(c, "epsilon", 1e-6F);
    const double norm = number(c, "norm_coefficient", 0.0F);
    const double rate = schedule.rate / (1.0 + static_cast<double>(schedule.count) * decay);
    return update(c, 1, [=](Element& e) {
        const double gradient = norm * e.x + e.gradient;
        e.state[0] += gradient * gradient;
        e.x -= rate * gradient / (std::sqrt(e.state[0]) + epsilon);
    });
}

Result<void> runAdam(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Schedule schedule, scheduleOf(c));
    const double alpha = number(c, "alpha", 0.9F);
    const double beta = number(c, "beta", 0.999F);
    const double epsilon = number(c, "epsilon", 1e-6F);
    const double norm = number(c, "norm_coefficient", 0.0F);
    const double post = number(c, "norm_coefficient_post", 0.0F);
    const auto t = static_cast<double>(schedule.count);
    const double rate = schedule.count > 0 ? schedule.rate * std::sqrt(1.0 - std::pow(beta, t)) /
                                                 (1.0 - std::pow(alpha, t))
                                           : schedule.rate;
    return update(c, 2, [=](Element& e) {
        const double gradient = norm * e.x + e.gradient;
        e.state[0] = alpha * e.state[0] + (1.0 - alpha) * gradient;
        e.state[1] = beta * e.state[1] + (1.0 - beta) * gradient * gradient;
        e.x = (1.0 - post) * (e.x - rate * e.state[0] / (std::sqrt(e.state[1]) + epsilon));
    });
}

Result<void> runMomentum(KernelContext& c)
{
    FUSESCOPE_ASSIGN(const Schedule schedule, scheduleOf(c));
    const double alpha = number(c, "alpha", 0.0F);
    const double beta = schedule.count > 0 ? number(c, "beta", 0.0F) : 1.0;
    const double norm = number(c, "norm_coefficient", 0.0F);
    const std::string mode = c.attributes().getString("mode", "standard");
    if (mode != "standard" && mode != "nesterov")
        return c.wrong(wrongAttribute("mode", "standard, nesterov", mode));
    const bool nesterov = mode == "nesterov";
    return update(c, 1, [=](Element& e) {
        const double gradient = norm * e.x + e.gradient;
        e.state[0] = alpha * e.state[0] + beta * gradient;
        e.x -= schedule.rate * (nesterov ? gradient + alpha * e.state[0] : e.state[0]);
    });
}

constexpr OpEntry entries[] = {
    {training, "Adagrad", 1, inferOneState, runAdagrad},
    {training, "Adam", 1, inferTwoStates, runAdam},
    {training, "Gradient", 1, inferGradient, nullptr},
    {training, "Momentum", 1, inferOneState, runMomentum},
};

} // namespace

std::span<const OpEntry> optimizers()
{
    return entries;
}

} // namespace fusescope::elementwise
