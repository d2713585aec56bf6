// Binary codes of descriptors, and the words of a vocabulary. All in whole numbers: every
// implementation gives the same results.
#ifndef CMATCHING_CODES_H
#define CMATCHING_CODES_H

#include <stdint.h>

// Bytes of one code: one bit for each value of a descriptor.
#define CM_CODE_BYTES 16
// Centres of each of the two stages of the vocabulary.
#define CM_CENTRES 256
// Words that a descriptor is given.
#define CM_WORDS 3

// The vocabulary as it ships, CM_VOCABULARY_BYTES long: CM_CENTRES centres of descriptors, then CM_CENTRES centres of what
// remains, each of 128 values.
#define CM_VOCABULARY_BYTES 65536
const int8_t *cm_vocabulary(void);

// The nearest code of a catalog picture, and how far the second-nearest one is.
typedef struct {
    int32_t best;
    int32_t second;
    int32_t index;
} cm_nearest_code;

typedef struct {
    // For each query code the two nearest of `codes`, of several the first; distances in bits, 129
    // where there is none.
    void (*nearest)(const uint8_t *queries, int32_t count, const uint8_t *codes, int32_t total,
                    cm_nearest_code *nearest);
    // The indices and distances of those codes that are within `reach` bits of a query code;
    // returns their number, at most `total`.
    int32_t (*within)(const uint8_t *query, const uint8_t *codes, int32_t total, int32_t reach,
                      int32_t *indices, uint8_t *distances);
    // The products of a descriptor with `count` rows of 128 values.
    void (*products)(const int16_t *descriptor, const int16_t *rows, int32_t count,
                     int32_t *products);
} cm_codes;

// Plain C.
const cm_codes *cm_codes_portable(void);
// The same numbers with AVX2 and POPCNT where the processor has them.
const cm_codes *cm_codes_fast(void);

#endif
