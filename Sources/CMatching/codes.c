#include "CMatching.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define TARGET
#define KERNEL(name) cm_portable_##name
#include "codes_kernels.h"
#undef TARGET
#undef KERNEL

#if defined(__x86_64__)
#define CM_AVX2
#define TARGET __attribute__((target("avx2,popcnt")))
#define KERNEL(name) cm_avx2_##name
#include "codes_kernels.h"
#undef TARGET
#undef KERNEL

#define CM_AVX512
#define TARGET __attribute__((target("avx2,popcnt,avx512f,avx512vpopcntdq")))
#define KERNEL(name) cm_avx512_##name
#include "codes_kernels.h"

const cm_codes *cm_codes_avx2(void) {
    return cm_has_fast() && __builtin_cpu_supports("popcnt") ? &cm_avx2_codes
                                                             : &cm_portable_codes;
}

const cm_codes *cm_codes_fast(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512f")
               ? &cm_avx512_codes
               : cm_codes_avx2();
}
#else
const cm_codes *cm_codes_avx2(void) { return &cm_portable_codes; }
const cm_codes *cm_codes_fast(void) { return &cm_portable_codes; }
#endif

// Four cells of a row, then those of the next row the other way round, like a chessboard.
static const uint64_t chessboard = 0x55AA55AAAA55AA55;
static const uint64_t even = 0x5555555555555555;

uint64_t cm_half_code(const uint8_t *code) {
    uint64_t half[2];
    memcpy(half, code, sizeof half);
    uint64_t other = half[1] & chessboard;
    // Neighbours are exchanged, which moves the bits to the free places.
    return (half[0] & chessboard) | (other & even) << 1 | (other >> 1 & even);
}

const cm_codes *cm_codes_portable(void) { return &cm_portable_codes; }
