// The inner loop of the exhaustive search: for each query descriptor the nearest and the
// second-nearest descriptor of one catalog picture. C because Swift cannot compile one function for
// a processor feature that the rest of the program does not assume.
#ifndef CMATCHING_H
#define CMATCHING_H

#include <stdbool.h>
#include <stdint.h>

#include "CMatchingExtraction.h"

// Bytes of one descriptor, each at most 127; the squares of one descriptor sum to at most 32,767,
// so that (Cauchy-Schwarz) no product of two descriptors leaves 16 bits.
#define CM_LENGTH 128
// Descriptors of one block of a packed picture.
#define CM_LANES 16

// A score is the product minus half the square of the catalog descriptor: the squared distance is
// the square of the query descriptor minus twice the score. Equal best scores: the lowest index.
typedef struct {
    int16_t best;
    int16_t second;
    int32_t index;
} cm_nearest;

// A picture is packed in blocks of 16 descriptors: [block][group of 4 bytes][descriptor][byte].
// halves holds half of each descriptor's square; unfilled places hold zeros and half 16,384.
// blocks is 1 to 32,767.
typedef void (*cm_kernel)(const uint8_t *queries, int32_t count, const uint8_t *packed,
                          const int16_t *halves, int32_t blocks, cm_nearest *nearest);

// Plain C.
void cm_nearest_portable(const uint8_t *queries, int32_t count, const uint8_t *packed,
                         const int16_t *halves, int32_t blocks, cm_nearest *nearest);
// Whether cm_nearest_fast may be called on this processor.
bool cm_has_fast(void);
// The same numbers with AVX2; only where cm_has_fast() says so.
void cm_nearest_fast(const uint8_t *queries, int32_t count, const uint8_t *packed,
                     const int16_t *halves, int32_t blocks, cm_nearest *nearest);

#endif
