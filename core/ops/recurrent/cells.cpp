#include "ops/recurrent/recurrent.h"

#include <cmath>

namespace fusescope {

namespace {

// The weights of one direction.
struct Weights
{
    std::vector<double> w, r, wb, rb;
    std::size_t hidden = 0;

    Weights(const KernelContext& context, const RecurrentCall& call, std::int64_t direction,
            std::int64_t gates)
        : hidden(static_cast<std::size_t>(call.hidden))
    {
        const std::int64_t rows = gates * call.hidden;
        w = directionPart(context.input(1).tensor(), direction, rows * call.inputSize);
        r = directionPart(context.input(2).tensor(), direction, rows * call.hidden);
        const auto both = directionPart(context.optionalTensor(3), direction, 2 * rows);
        wb.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(rows));
        rb.assign(both.begin() + static_cast<std::ptrdiff_t>(rows), both.end());
    }

    // Row `gate`·hidden + i of W times x, of R times h.
    static double dot(const std::vector<double>& matrix, std::size_t row,
                      const std::vector<double>& vector)
    {
        const double* from = matrix.data() + row * vector.size();
        double sum = 0;
        for (std::size_t k = 0; k < vector.size(); ++k)
            sum += from[k] * vector[k];
        return sum;
    }
    double input(std::size_t gate, std::size_t i, const std::vector<double>& x) const
    {
        return dot(w, gate * hidden + i, x) + wb[gate * hidden + i];
    }
    double recurrence(std::size_t gate, std::size_t i, const std::vector<double>& h) const
    {
        return dot(r, gate * hidden + i, h) + rb[gate * hidden + i];
    }
};

} // namespace

Result<void> runRnn(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const RecurrentCall call, readRecurrent(context, 1, {"Tanh"}));
    return runRecurrent(context, call, false, [&](std::int64_t d) -> RecurrentStep {
        const Weights weights(context, call, d, 1);
        const auto f = call.activations[static_cast<std::size_t>(d)];
        return [weights, f, &call](const std::vector<double>& x, std::vector<double>& h,
                                   std::vector<double>&) {
            std::vector<double> next(h.size());
            for (std::size_t i = 0; i < h.size(); ++i)
                next[i] = f(call.clipped(weights.input(0, i, x) + weights.recurrence(0, i, h)));
            h = std::move(next);
        };
    });
}

// Gates in the order z, r, h.
Result<void> runGru(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const RecurrentCall call, readRecurrent(context, 3, {"Sigmoid", "Tanh"}));
    const bool linearFirst = context.attributes().getInt("linear_before_reset", 0) != 0;
    return runRecurrent(context, call, false, [&](std::int64_t d) -> RecurrentStep {
        const Weights weights(context, call, d, 3);
        const auto f = call.activations[static_cast<std::size_t>(2 * d)];
        const auto g = call.activations[static_cast<std::size_t>(2 * d + 1)];
        return [weights, f, g, linearFirst, &call](const std::vector<double>& x,
                                                   std::vector<double>& h, std::vector<double>&) {
            const std::size_t n = h.size();
            std::vector<double> update(n), reset(n), gatedState(n), next(n);
            for (std::size_t i = 0; i < n; ++i) {
                update[i] = f(call.clipped(weights.input(0, i, x) + weights.recurrence(0, i, h)));
                reset[i] = f(call.clipped(weights.input(1, i, x) + weights.recurrence(1, i, h)));
                gatedState[i] = reset[i] * h[i];
            }
            for (std::size_t i = 0; i < n; ++i) {
                const double state = linearFirst ? reset[i] * weights.recurrence(2, i, h)
                                                 : weights.recurrence(2, i, gatedState);
                const double candidate = g(call.clipped(weights.input(2, i, x) + state));
                next[i] = (1 - update[i]) * candidate + update[i] * h[i];
            }
            h = std::move(next);
        };
    });
}

// Gates in the order i, o, f, c; peepholes in the order i, o, f.
Result<void> runLstm(KernelContext& context)
{
    FUSESCOPE_ASSIGN(const RecurrentCall call,
                     readRecurrent(context, 4, {"Sigmoid", "Tanh", "Tanh"}));
    const Tensor* peepholes = context.optionalTensor(7);
    if (peepholes && peepholes->elementCount() != call.directions * 3 * call.hidden)
        return context.wrong(wrongShape(7, shapeText(std::vector{call.directions, 3 * call.hidden}),
                                        shapeText(peepholes->shape())));
    const bool coupled = context.attributes().getInt("input_forget", 0) != 0;
    return runRecurrent(context, call, true, [&](std::int64_t d) -> RecurrentStep {
        const Weights weights(context, call, d, 4);
        const auto peep = directionPart(peepholes, d, 3 * call.hidden);
        const auto f = call.activations[static_cast<std::size_t>(3 * d)];
        const auto g = call.activations[static_cast<std::size_t>(3 * d + 1)];
        const auto out = call.activations[static_cast<std::size_t>(3 * d + 2)];
        return [weights, peep, f, g, out, coupled, &call](
                   const std::vector<double>& x, std::vector<double>& h, std::vector<double>& c) {
            const std::size_t n = h.size();
            std::vector<double> next(n);
            const auto gate = [&](std::size_t k, std::size_t i, double peephole) {
                return call.clipped(weights.input(k, i, x) + weights.recurrence(k, i, h) + peephole);
            };
            for (std::size_t i = 0; i < n; ++i) {
                const double in = f(gate(0, i, peep[i] * c[i]));
                const double forget = coupled ? 1 - in : f(gate(2, i, peep[2 * n + i] * c[i]));
                const double candidate = g(gate(3, i, 0));
                c[i] = forget * c[i] + in * candidate;
                next[i] = f(gate(1, i, peep[n + i] * c[i])) * out(c[i]);
            }
            h = std::move(next);
        };
    });
}

} // namespace fusescope
