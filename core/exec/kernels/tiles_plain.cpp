#include "exec/kernels/hwytargets.h"
#include "exec/kernels/tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/tiles_plain.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/tiles-inl.h"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

void computePlain(const TileRow& row)
{
    computeRow<1, 1>(row);
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(computePlain);

void computePlainRow(const TileRow& row)
{
    HWY_DYNAMIC_DISPATCH(computePlain)(row);
}

} // namespace fusescope::kernels
#endif
