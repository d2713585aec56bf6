#include "CMatching.h"

#include <float.h>
#include <stdbool.h>
#include <string.h>

// Values of one vector of a plane, and the multiple that rows are rounded up to.
#define LANES 16
#define ROW_UNIT 32

// A direction's whole value, and what a step towards the next direction takes and gives.
static const float cm_first_bin[8][8] = {
    {1, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0, 0, 0},
    {0, 0, 0, 1, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 1, 0, 0},
    {0, 0, 0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 0, 0, 1},
};
static const float cm_next_bin[8][8] = {
    {-1, 1, 0, 0, 0, 0, 0, 0}, {0, -1, 1, 0, 0, 0, 0, 0}, {0, 0, -1, 1, 0, 0, 0, 0},
    {0, 0, 0, -1, 1, 0, 0, 0}, {0, 0, 0, 0, -1, 1, 0, 0}, {0, 0, 0, 0, 0, -1, 1, 0},
    {0, 0, 0, 0, 0, 0, -1, 1}, {1, 0, 0, 0, 0, 0, 0, -1},
};

// The helpers that take vectors are always inlined: no call passes one.
#pragma clang diagnostic ignored "-Wpsabi"

#define TARGET
#define KERNEL(name) cm_portable_##name
#include "extraction_kernels.h"
#undef TARGET
#undef KERNEL

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2")))
#define KERNEL(name) cm_fast_##name
#include "extraction_kernels.h"

const cm_extraction *cm_extraction_fast(void) {
    return cm_has_fast() ? &cm_fast_extraction : &cm_portable_extraction;
}
#else
const cm_extraction *cm_extraction_fast(void) { return &cm_portable_extraction; }
#endif

const cm_extraction *cm_extraction_portable(void) { return &cm_portable_extraction; }

int64_t cm_blur_scratch(int32_t width, int32_t taps) {
    int64_t stride = (width + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT;
    return stride * (2 * taps + 1) + 2 * taps;
}
