#pragma once

#include "ops/window.h"

namespace fusescope {

Result<void> inferPool(InferenceContext& context);       // MaxPool, AveragePool, LpPool
Result<void> inferGlobalPool(InferenceContext& context); // GlobalMaxPool and its kind
Result<void> inferMaxUnpool(InferenceContext& context);
Result<void> inferMaxRoiPool(InferenceContext& context);

Result<void> runMaxUnpool(KernelContext& context);
Result<void> runMaxRoiPool(KernelContext& context);

} // namespace fusescope
