#pragma once

// The instruction sets to compile for: one of each vector width, and the baseline. To be included
// before any other Highway header. Which names exist depends on Highway's version.
#include <hwy/detect_targets.h>

#ifdef HWY_SSSE3
#define FUSESCOPE_NO_SSSE3 HWY_SSSE3
#else
#define FUSESCOPE_NO_SSSE3 0
#endif
#ifdef HWY_AVX3_DL
#define FUSESCOPE_NO_AVX3_DL HWY_AVX3_DL
#else
#define FUSESCOPE_NO_AVX3_DL 0
#endif
#ifdef HWY_AVX3_ZEN4
#define FUSESCOPE_NO_AVX3_ZEN4 HWY_AVX3_ZEN4
#else
#define FUSESCOPE_NO_AVX3_ZEN4 0
#endif
#ifdef HWY_AVX3_SPR
#define FUSESCOPE_NO_AVX3_SPR HWY_AVX3_SPR
#else
#define FUSESCOPE_NO_AVX3_SPR 0
#endif

#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS                                                                       \
    (FUSESCOPE_NO_SSSE3 | FUSESCOPE_NO_AVX3_DL | FUSESCOPE_NO_AVX3_ZEN4 | FUSESCOPE_NO_AVX3_SPR)
