#pragma once

#include "model/graph.h"
#include "report/step.h"

#include <optional>
#include <vector>

namespace fusescope {

// The numbers of one fold of a BatchNormalization into a convolution or product, read off the graphs
// before and after the step.
struct BatchnormFold
{
    NodeId conv, batchnorm; // conv: or the MatMul or Gemm
    ValueId gamma, beta, mean, variance;      // before
    ValueId weightBefore, biasBefore;         // no bias: absent
    ValueId weightAfter, biasAfter;
    TensorPtr weight, newWeight;
    std::vector<double> g, b, m, v;           // γ, β, μ, σ² of each channel
    std::vector<double> bias, newBias;        // zeros where there is none
    double epsilon = 1e-5;
    std::vector<double> scale;                // s = γ / √(σ² + ε)
    bool transposed = false;  // ConvTranspose
    bool isProduct = false;   // the weight is a matrix, its columns are the channels
    bool columnsAreRows = false; // of a product with transB
    std::int64_t groups = 1;

    int channels() const { return static_cast<int>(scale.size()); }
    // Index of the first element of kernel [channel, 0, …] in both weights, and how many elements of
    // it are one kernel; of a product the channel's column, whose elements are `kernelStride` apart.
    std::int64_t kernelStart(int channel) const;
    std::int64_t kernelSize() const;
    std::int64_t kernelStride() const;
    // The largest |new − (old·s)| over the weights and |b′ − ((b − μ)·s + β)| over the biases.
    double largestDifference() const;
};

// Nothing where the step is no such fold or its constants cannot be read.
std::optional<BatchnormFold> batchnormFold(const Graph& before, const Graph& after,
                                           const Step& step);

} // namespace fusescope
