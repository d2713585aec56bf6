#include "CMatching.h"

#if defined(__x86_64__)
bool cm_has_fast(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}
#else
bool cm_has_fast(void) { return false; }
#endif
