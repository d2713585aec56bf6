// CRC-32C with the instructions of the processor. They have a latency of three cycles and begin one
// every cycle, so long inputs are taken as three streams whose registers are joined: a register
// followed by n zero bytes is a linear function of it, kept as tables by its bytes.
#include "CChecksum.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define SL_TARGET __attribute__((target("sse4.2")))
static int has_instructions(void) { return __builtin_cpu_supports("sse4.2") != 0; }
SL_TARGET static inline uint64_t step8(uint64_t state, uint64_t word) { return _mm_crc32_u64(state, word); }
SL_TARGET static inline uint32_t step1(uint32_t state, uint8_t byte) { return _mm_crc32_u8(state, byte); }
#elif defined(__aarch64__)
#include <arm_acle.h>
#include <sys/auxv.h>
#define SL_TARGET __attribute__((target("crc")))
static int has_instructions(void) { return (getauxval(AT_HWCAP) & (1 << 7)) != 0; }
SL_TARGET static inline uint64_t step8(uint64_t state, uint64_t word) { return __crc32cd((uint32_t)state, word); }
SL_TARGET static inline uint32_t step1(uint32_t state, uint8_t byte) { return __crc32cb(state, byte); }
#endif

#ifdef SL_TARGET

enum { STREAM = 1024 };
static const uint32_t polynomial = 0x82F63B78;

static pthread_once_t once = PTHREAD_ONCE_INIT;
// What a byte of a register becomes behind STREAM zero bytes, by its place.
static uint32_t behind[4][256];

static void make_tables(void) {
    uint32_t bits[32];
    for (int bit = 0; bit < 32; bit++) {
        uint32_t state = 1u << bit;
        for (int i = 0; i < STREAM * 8; i++) state = state & 1 ? state >> 1 ^ polynomial : state >> 1;
        bits[bit] = state;
    }
    for (int place = 0; place < 4; place++)
        for (int byte = 0; byte < 256; byte++) {
            uint32_t sum = 0;
            for (int bit = 0; bit < 8; bit++)
                if (byte >> bit & 1) sum ^= bits[place * 8 + bit];
            behind[place][byte] = sum;
        }
}

static inline uint32_t skip_stream(uint32_t state) {
    return behind[0][state & 0xFF] ^ behind[1][state >> 8 & 0xFF] ^ behind[2][state >> 16 & 0xFF]
        ^ behind[3][state >> 24];
}

static inline uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

int sl_crc32c_has_instructions(void) { return has_instructions(); }

SL_TARGET uint32_t sl_crc32c_update(uint32_t state, const void *start, size_t count) {
    const uint8_t *bytes = start;
    if (count >= 3 * STREAM) pthread_once(&once, make_tables);
    while (count >= 3 * STREAM) {
        uint64_t one = state, two = 0, three = 0;
        for (size_t i = 0; i < STREAM; i += 8) {
            one = step8(one, word_at(bytes + i));
            two = step8(two, word_at(bytes + STREAM + i));
            three = step8(three, word_at(bytes + 2 * STREAM + i));
        }
        state = skip_stream(skip_stream((uint32_t)one) ^ (uint32_t)two) ^ (uint32_t)three;
        bytes += 3 * STREAM;
        count -= 3 * STREAM;
    }
    uint64_t wide = state;
    for (; count >= 8; bytes += 8, count -= 8) wide = step8(wide, word_at(bytes));
    state = (uint32_t)wide;
    for (; count > 0; bytes++, count--) state = step1(state, *bytes);
    return state;
}

#else

int sl_crc32c_has_instructions(void) { return 0; }
uint32_t sl_crc32c_update(uint32_t state, const void *bytes, size_t count) {
    (void)bytes;
    (void)count;
    return state;
}

#endif
