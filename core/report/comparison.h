#pragma once

#include "base/ids.h"
#include "base/message.h"
#include "model/dtype.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fusescope {

struct Tolerance
{
    double rtol = 0, atol = 0;
};

// Two tensors. It passes if shapes and types are equal, NaN stands in the same places, and each
// |before−after| ≤ atol + rtol·max|before|, of the tensor (integers, bools and strings: equal).
struct TensorComparison
{
    std::string name;
    std::string nameAfter; // when the other file calls it something else
    ValueId value;
    bool pass = false;
    Message why;        // when it fails: which rule
    DType dtype = DType::undefined;
    std::vector<std::int64_t> shape;
    double maxAbs = 0, maxRel = 0; // relative to the element's own |before|; those of 0 left out
    double maxUlp = 0;
    double cosine = 1;  // 1 when both are zero
    std::optional<std::vector<std::int64_t>> worstIndex;
    double worstBefore = 0, worstAfter = 0;
    std::int64_t nanBefore = 0, nanAfter = 0, infBefore = 0, infAfter = 0;
    Tolerance tolerance;
};

enum class VerificationStatus { pass, partial, fail, notRun };

// How the model before and after compare on the same inputs.
struct Comparison
{
    VerificationStatus status = VerificationStatus::notRun;
    Message why;
    std::vector<NodeId> cut; // nodes without a kernel, cut on both sides
    std::uint64_t seed = 0;
    std::string executor; // "reference" or "unfused"
    // The folder beside the model whose sizes, and values that steer, the inputs have; floats are the
    // seed's. Empty: nothing was taken of one.
    std::string dataSet;
    std::vector<TensorComparison> outputs, intermediates;
    std::vector<std::pair<std::string, std::int64_t>> assumedDims; // symbol, size
    double beforeMs = 0, afterMs = 0;
    // Over a folder of inputs: how often the largest (five largest) entries agree; −1: not asked.
    double top1Agreement = -1, top5Agreement = -1;
    int samples = 1;
};

} // namespace fusescope
