#include "CMatching.h"

#define GROUPS (CM_LENGTH / 4)
#define BLOCK_BYTES (CM_LENGTH * CM_LANES)

static void block_products(const uint8_t *query, const uint8_t *block, int16_t *products) {
    int16_t sums[CM_LANES * 4] = {0};
    for (int group = 0; group < GROUPS; group++) {
        int16_t wide[CM_LANES * 4];
        for (int lane = 0; lane < CM_LANES; lane++)
            for (int byte = 0; byte < 4; byte++) wide[lane * 4 + byte] = query[group * 4 + byte];
        for (int i = 0; i < CM_LANES * 4; i++)
            sums[i] += (int16_t)(wide[i] * (int16_t)block[group * CM_LANES * 4 + i]);
    }
    for (int lane = 0; lane < CM_LANES; lane++)
        products[lane] = (int16_t)(sums[lane * 4] + sums[lane * 4 + 1] + sums[lane * 4 + 2]
                                   + sums[lane * 4 + 3]);
}

void cm_nearest_portable(const uint8_t *queries, int32_t count, const uint8_t *packed,
                         const int16_t *halves, int32_t blocks, cm_nearest *nearest) {
    for (int32_t q = 0; q < count; q++) {
        cm_nearest found = {INT16_MIN, INT16_MIN, 0};
        for (int32_t b = 0; b < blocks; b++) {
            int16_t products[CM_LANES];
            block_products(queries + (int64_t)q * CM_LENGTH, packed + (int64_t)b * BLOCK_BYTES,
                           products);
            for (int lane = 0; lane < CM_LANES; lane++) {
                int16_t score = (int16_t)(products[lane] - halves[b * CM_LANES + lane]);
                if (score > found.best) {
                    found.second = found.best;
                    found.best = score;
                    found.index = b * CM_LANES + lane;
                } else if (score > found.second) {
                    found.second = score;
                }
            }
        }
        nearest[q] = found;
    }
}

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#define FAST __attribute__((target("avx2")))
#define TOGETHER 4

bool cm_has_fast(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2");
}

// The running best of 16 lanes.
typedef struct {
    __m256i best, second, block;
} lanes;

FAST static inline lanes lanes_seen(lanes seen, __m256i score, __m256i block) {
    __m256i better = _mm256_cmpgt_epi16(score, seen.best);
    seen.second = _mm256_max_epi16(seen.second, _mm256_min_epi16(seen.best, score));
    seen.best = _mm256_max_epi16(seen.best, score);
    seen.block = _mm256_blendv_epi8(seen.block, block, better);
    return seen;
}

FAST static cm_nearest lanes_reduced(lanes seen) {
    int16_t best[CM_LANES], second[CM_LANES], block[CM_LANES];
    _mm256_storeu_si256((__m256i *)best, seen.best);
    _mm256_storeu_si256((__m256i *)second, seen.second);
    _mm256_storeu_si256((__m256i *)block, seen.block);
    cm_nearest found = {best[0], second[0], block[0] * CM_LANES};
    for (int lane = 1; lane < CM_LANES; lane++) {
        int32_t index = block[lane] * CM_LANES + lane;
        if (best[lane] > found.best) {
            found.second = second[lane] > found.best ? second[lane] : found.best;
            found.best = best[lane];
            found.index = index;
        } else {
            if (best[lane] == found.best && index < found.index) found.index = index;
            if (best[lane] > found.second) found.second = best[lane];
        }
    }
    return found;
}

// Four query descriptors at once, so that each load of the catalog is used four times.
FAST static void nearest_of_four(const uint8_t *const query[TOGETHER], const uint8_t *packed,
                                 const int16_t *halves, int32_t blocks,
                                 cm_nearest *const nearest[TOGETHER]) {
    lanes seen[TOGETHER];
    for (int k = 0; k < TOGETHER; k++) {
        seen[k].best = seen[k].second = _mm256_set1_epi16(INT16_MIN);
        seen[k].block = _mm256_setzero_si256();
    }
    for (int32_t b = 0; b < blocks; b++) {
        const uint8_t *block = packed + (int64_t)b * BLOCK_BYTES;
        __m256i low[TOGETHER], high[TOGETHER];
        for (int k = 0; k < TOGETHER; k++) low[k] = high[k] = _mm256_setzero_si256();
        for (int group = 0; group < GROUPS; group++) {
            const __m256i *at = (const __m256i *)(block + group * CM_LANES * 4);
            __m256i first = _mm256_loadu_si256(at), last = _mm256_loadu_si256(at + 1);
            for (int k = 0; k < TOGETHER; k++) {
                int32_t four;
                memcpy(&four, query[k] + group * 4, 4);
                __m256i bytes = _mm256_set1_epi32(four);
                low[k] = _mm256_add_epi16(low[k], _mm256_maddubs_epi16(first, bytes));
                high[k] = _mm256_add_epi16(high[k], _mm256_maddubs_epi16(last, bytes));
            }
        }
        __m256i half = _mm256_loadu_si256((const __m256i *)(halves + b * CM_LANES));
        __m256i number = _mm256_set1_epi16((int16_t)b);
        for (int k = 0; k < TOGETHER; k++) {
            __m256i sums = _mm256_hadd_epi16(low[k], high[k]);
            sums = _mm256_permute4x64_epi64(sums, 0xD8);
            seen[k] = lanes_seen(seen[k], _mm256_sub_epi16(sums, half), number);
        }
    }
    for (int k = 0; k < TOGETHER; k++) *nearest[k] = lanes_reduced(seen[k]);
}

void cm_nearest_fast(const uint8_t *queries, int32_t count, const uint8_t *packed,
                     const int16_t *halves, int32_t blocks, cm_nearest *nearest) {
    for (int32_t q = 0; q < count; q += TOGETHER) {
        const uint8_t *query[TOGETHER];
        cm_nearest *out[TOGETHER];
        for (int k = 0; k < TOGETHER; k++) {
            // Past the end the last one is computed again.
            int32_t index = q + k < count ? q + k : count - 1;
            query[k] = queries + (int64_t)index * CM_LENGTH;
            out[k] = nearest + index;
        }
        nearest_of_four(query, packed, halves, blocks, out);
    }
}

#else

bool cm_has_fast(void) { return false; }

void cm_nearest_fast(const uint8_t *queries, int32_t count, const uint8_t *packed,
                     const int16_t *halves, int32_t blocks, cm_nearest *nearest) {
    cm_nearest_portable(queries, count, packed, halves, blocks, nearest);
}

#endif
