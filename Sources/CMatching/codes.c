#include "CMatching.h"

#include <string.h>

#define TARGET
#define KERNEL(name) cm_portable_##name
#include "codes_kernels.h"
#undef TARGET
#undef KERNEL

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx2,popcnt")))
#define KERNEL(name) cm_fast_##name
#include "codes_kernels.h"

const cm_codes *cm_codes_fast(void) {
    __builtin_cpu_init();
    return cm_has_fast() && __builtin_cpu_supports("popcnt") ? &cm_fast_codes : &cm_portable_codes;
}
#else
const cm_codes *cm_codes_fast(void) { return &cm_portable_codes; }
#endif

const cm_codes *cm_codes_portable(void) { return &cm_portable_codes; }
