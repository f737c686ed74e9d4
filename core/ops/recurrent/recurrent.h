#pragma once

#include "ops/kernel_support.h"

#include <functional>

namespace fusescope {

// What RNN, GRU and LSTM share: sizes, layout, weights of one direction, activations.
struct RecurrentCall
{
    std::int64_t directions = 1, length = 0, batch = 0, inputSize = 0, hidden = 0;
    bool batchFirst = false, firstReversed = false;
    double clip = 0; // 0: none
    const Tensor* x = nullptr;
    const Tensor* lengths = nullptr;
    std::vector<std::function<double(double)>> activations; // per direction: f, g, h

    double clipped(double v) const { return clip > 0 ? std::clamp(v, -clip, clip) : v; }
    bool reversed(std::int64_t direction) const { return direction == 1 || firstReversed; }
    std::int64_t lengthOf(std::int64_t b) const { return lengths ? lengths->asInt(b) : length; }
    // Where element h of an output or a state stands.
    std::int64_t outputAt(std::int64_t t, std::int64_t d, std::int64_t b) const
    {
        return batchFirst ? ((b * length + t) * directions + d) * hidden
                          : ((t * directions + d) * batch + b) * hidden;
    }
    std::int64_t stateAt(std::int64_t d, std::int64_t b) const
    {
        return batchFirst ? (b * directions + d) * hidden : (d * batch + b) * hidden;
    }
    std::int64_t inputAt(std::int64_t t, std::int64_t b) const
    {
        return (batchFirst ? b * length + t : t * batch + b) * inputSize;
    }
};

// Reads the attributes and checks X, W, R, B; `gates` weights rows per hidden unit.
Result<RecurrentCall> readRecurrent(const KernelContext& context, std::int64_t gates,
                                    const std::vector<std::string>& defaultActivations);

// Elements of a direction's part of a tensor as doubles; zeros of `count` when it is absent.
std::vector<double> directionPart(const Tensor* tensor, std::int64_t direction, std::int64_t count);

// The states of one direction as they run: step(x, h, c) makes the next ones in place.
using RecurrentStep = std::function<void(const std::vector<double>& x, std::vector<double>& h,
                                         std::vector<double>& c)>;
// Runs all directions and sets the outputs: Y, Y_h and, with `cell`, Y_c.
Result<void> runRecurrent(KernelContext& context, const RecurrentCall& call, bool cell,
                          const std::function<RecurrentStep(std::int64_t direction)>& stepOf);

Result<void> runRnn(KernelContext& context);
Result<void> runGru(KernelContext& context);
Result<void> runLstm(KernelContext& context);

} // namespace fusescope
