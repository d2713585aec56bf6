// The inner loops of feature extraction.
#ifndef CMATCHING_EXTRACTION_H
#define CMATCHING_EXTRACTION_H

#include <stdint.h>

// Values of half a symmetric blur kernel, its centre included, at most.
#define CM_TAPS_MAX 32
// Cells of a descriptor along a side, with a border of one.
#define CM_PADDED_CELLS 6
// Steps of the table of weights in one unit of its exponent, and its length.
#define CM_STEPS_PER_UNIT 128
#define CM_TABLE_LENGTH 2048

// Values behind a plane's last one that may be read, whatever they are.
#define CM_SLACK 16

// The pixels of a plane around a keypoint at (x, y); the bounds are included, and inside the plane's
// border of one. For `describe`: the direction in turns, and as a vector over the side of a cell in
// pixels. The table holds e to the power of minus each step's middle.
typedef struct {
    const float *values;
    const float *table;
    int32_t width;
    int32_t top, bottom, left, right;
    float x, y;
    float turns;
    float cosine, sine;
} cm_patch;

typedef struct {
    // A separable symmetric blur, the picture continued by its last pixel; `difference`, if it is
    // not null, becomes target minus source. `scratch` has `cm_blur_scratch` values.
    void (*blur)(const float *source, int32_t width, int32_t height, const float *kernel,
                 int32_t taps, float *target, float *difference, float *scratch);
    // The places, row by row, whose size exceeds `least` and that no value around them in three
    // planes exceeds; at most `limit`. The planes have `border` >= 5 and a side above 2 * border.
    int32_t (*extrema)(const float *below, const float *here, const float *above, int32_t width,
                       int32_t height, int32_t border, float least, int32_t *found, int32_t limit);
    // Adds the gradients of a patch to 6 by 6 cells of 8 directions.
    void (*describe)(const cm_patch *patch, float *histogram);
    // Adds the gradients of a patch to 36 directions; the weight of a pixel is the table's at its
    // squared distance times `scale`.
    void (*orient)(const cm_patch *patch, float scale, float *histogram);
} cm_extraction;

// Plain C.
const cm_extraction *cm_extraction_portable(void);
// The same bits with AVX2 where the processor has it, otherwise the portable ones.
const cm_extraction *cm_extraction_fast(void);
// Values of scratch space that a blur needs.
int64_t cm_blur_scratch(int32_t width, int32_t taps);

#endif
