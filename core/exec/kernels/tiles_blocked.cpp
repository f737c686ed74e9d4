#include "exec/kernels/hwytargets.h"
#include "exec/kernels/tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/tiles_blocked.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/tiles-inl.h"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

void computeBlocked(const TileRow& row)
{
    computeRow<kLanes, 1>(row);
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(computeBlocked);

void computeBlockedRow(const TileRow& row)
{
    HWY_DYNAMIC_DISPATCH(computeBlocked)(row);
}

} // namespace fusescope::kernels
#endif
