// The inner loops of feature extraction.
//
// A plane holds 256 units a grey level as whole numbers of 16 bits, row by row without padding, and
// CM_SLACK values behind the last one that may be read, whatever they are.
#ifndef CMATCHING_EXTRACTION_H
#define CMATCHING_EXTRACTION_H

#include <stdint.h>

// Units of a plane in one grey level.
#define CM_UNITS_PER_GREY 256
// Values of half a symmetric blur kernel, its centre included, at most.
#define CM_TAPS_MAX 32
// Steps of the table of weights in one unit of its exponent, and its length.
#define CM_STEPS_PER_UNIT 128
#define CM_TABLE_LENGTH 2048
// Values behind a plane's last one.
#define CM_SLACK 32
// Samples of a descriptor's patch along the side of a cell and of all five of them, in rows of
// CM_SAMPLE_STRIDE.
#define CM_SAMPLES_PER_CELL 6
#define CM_SAMPLES 30
#define CM_SAMPLE_STRIDE 32
// Bins of an orientation histogram.
#define CM_DIRECTIONS 36

// A place in a plane whose sides are 16 to 8,191 values: its centre, and a step between samples as a
// vector along the patch's rows, in values.
typedef struct {
    const uint16_t *values;
    int32_t width, height;
    float x, y;
    float step_x, step_y;
} cm_patch;

// The inner pixels of a plane around a keypoint, the bounds included and inside the plane's border
// of one; e to the power of minus each step's middle as a table.
typedef struct {
    const uint16_t *values;
    const float *table;
    int32_t width;
    int32_t top, bottom, left, right;
    float x, y;
} cm_surrounding;

typedef struct {
    // A separable symmetric blur, the picture continued by its last pixel. The kernel is in 1/65536:
    // the centre, then twice each value beside it. `difference` becomes target minus source, unless
    // it is null. `scratch` has `cm_blur_scratch` values.
    void (*blur)(const uint16_t *source, int32_t width, int32_t height, const uint16_t *kernel,
                 int32_t taps, uint16_t *target, int16_t *difference, uint16_t *scratch);
    // The places, row by row, whose size exceeds `least` and that no value around them in three
    // planes exceeds; of equal neighbours the last. At most `limit`. The planes have `border` >= 5
    // and a side above 2 * border.
    int32_t (*extrema)(const int16_t *below, const int16_t *here, const int16_t *above,
                       int32_t width, int32_t height, int32_t border, int16_t least, int32_t *found,
                       int32_t limit);
    // The gradients of a patch in 4 by 4 cells of 8 directions, 128 values. `weights` has a row of
    // CM_SAMPLE_STRIDE for each row of samples.
    void (*describe)(const cm_patch *patch, const float *weights, float *histogram);
    // Adds the gradients around a keypoint to CM_DIRECTIONS bins; the weight of a pixel is the
    // table's at its squared distance times `scale`.
    void (*orient)(const cm_surrounding *surrounding, float scale, float *histogram);
} cm_extraction;

// Plain C.
const cm_extraction *cm_extraction_portable(void);
// The same bits with AVX2 where the processor has it, otherwise the portable ones.
const cm_extraction *cm_extraction_fast(void);
// Values of scratch space that a blur needs.
int64_t cm_blur_scratch(int32_t width, int32_t taps);

#endif
