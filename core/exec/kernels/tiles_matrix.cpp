#include "exec/kernels/hwytargets.h"
#include "exec/kernels/tiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "exec/kernels/tiles_matrix.cpp"
#include <hwy/foreach_target.h>

#include "exec/kernels/tiles-inl.h"
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fusescope::kernels {
namespace HWY_NAMESPACE {

void computeMatrix(const TileRow& row)
{
    computeRow<1, kMatrixRows>(row);
}

} // namespace HWY_NAMESPACE
} // namespace fusescope::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fusescope::kernels {

HWY_EXPORT(computeMatrix);

void computeMatrixRow(const TileRow& row)
{
    HWY_DYNAMIC_DISPATCH(computeMatrix)(row);
}

} // namespace fusescope::kernels
#endif
