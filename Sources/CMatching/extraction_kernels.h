// The kernels of feature extraction, compiled once for every processor and once for AVX2: included
// by extraction.c with KERNEL(name) and TARGET defined. Whole numbers wherever planes are concerned;
// of the rest each lane does the same IEEE operations in the same order in both, so both give the
// same bits; no operation may be fused or reordered.

typedef float KERNEL(v8) __attribute__((vector_size(32)));
typedef int32_t KERNEL(i8) __attribute__((vector_size(32)));
typedef uint16_t KERNEL(u16) __attribute__((vector_size(32)));
typedef uint32_t KERNEL(w16) __attribute__((vector_size(64)));
typedef int16_t KERNEL(s16) __attribute__((vector_size(32)));
typedef uint16_t KERNEL(u8) __attribute__((vector_size(16)));
#define V8 KERNEL(v8)
#define I8 KERNEL(i8)
#define U16 KERNEL(u16)
#define W16 KERNEL(w16)
#define S16 KERNEL(s16)
#define HELPER TARGET static inline __attribute__((always_inline))

HELPER V8 KERNEL(load)(const float *at) {
    V8 value;
    memcpy(&value, at, sizeof value);
    return value;
}

HELPER void KERNEL(store)(float *at, V8 value) { memcpy(at, &value, sizeof value); }

HELPER V8 KERNEL(either)(I8 mask, V8 yes, V8 no) {
    return (V8)((mask & (I8)yes) | (~mask & (I8)no));
}

HELPER V8 KERNEL(all)(float value) {
    return (V8){value, value, value, value, value, value, value, value};
}

HELPER U16 KERNEL(load_units)(const uint16_t *at) {
    U16 value;
    memcpy(&value, at, sizeof value);
    return value;
}

HELPER void KERNEL(store_units)(uint16_t *at, U16 value) { memcpy(at, &value, sizeof value); }

HELPER U16 KERNEL(all_units)(uint16_t value) { return (U16){} + value; }

// The mean of two values, halves rounded up.
HELPER U16 KERNEL(mean)(U16 one, U16 other) {
    W16 sum = __builtin_convertvector(one, W16) + __builtin_convertvector(other, W16) + 1;
    return __builtin_convertvector(sum >> 1, U16);
}

// A share in 1/65536 of each value, rounded down.
HELPER U16 KERNEL(share_of)(U16 value, uint16_t share) {
    W16 product = __builtin_convertvector(value, W16)
                * __builtin_convertvector(KERNEL(all_units)(share), W16);
    return __builtin_convertvector(product >> 16, U16);
}

// One row blurred along itself; padded holds `taps - 1` values more on both sides. Half a unit for
// each product makes up for its rounding down.
TARGET static void KERNEL(blur_row)(const uint16_t *padded, const uint16_t *kernel, int32_t taps,
                                    uint16_t *target, int32_t stride) {
    U16 start = KERNEL(all_units)((uint16_t)(taps / 2));
    for (int32_t x = 0; x < stride; x += 2 * LANES) {
        const uint16_t *centre = padded + taps - 1 + x, *next = centre + LANES;
        U16 first = start + KERNEL(share_of)(KERNEL(load_units)(centre), kernel[0]);
        U16 second = start + KERNEL(share_of)(KERNEL(load_units)(next), kernel[0]);
        for (int32_t tap = 1; tap < taps; tap++) {
            first += KERNEL(share_of)(KERNEL(mean)(KERNEL(load_units)(centre - tap),
                                                   KERNEL(load_units)(centre + tap)),
                                      kernel[tap]);
            second += KERNEL(share_of)(KERNEL(mean)(KERNEL(load_units)(next - tap),
                                                    KERNEL(load_units)(next + tap)),
                                       kernel[tap]);
        }
        KERNEL(store_units)(target + x, first);
        KERNEL(store_units)(target + x + LANES, second);
    }
}

// Columns from rows: rows[taps - 1] is the centre.
TARGET static void KERNEL(blur_columns)(const uint16_t *const *rows, const uint16_t *kernel,
                                        int32_t taps, uint16_t *target, int32_t stride) {
    const uint16_t *const *middle = rows + taps - 1;
    U16 start = KERNEL(all_units)((uint16_t)(taps / 2));
    for (int32_t x = 0; x < stride; x += 2 * LANES) {
        U16 first = start + KERNEL(share_of)(KERNEL(load_units)(middle[0] + x), kernel[0]);
        U16 second = start + KERNEL(share_of)(KERNEL(load_units)(middle[0] + x + LANES), kernel[0]);
        for (int32_t tap = 1; tap < taps; tap++) {
            const uint16_t *above = middle[-tap] + x, *below = middle[tap] + x;
            first += KERNEL(share_of)(
                KERNEL(mean)(KERNEL(load_units)(above), KERNEL(load_units)(below)), kernel[tap]);
            second += KERNEL(share_of)(KERNEL(mean)(KERNEL(load_units)(above + LANES),
                                                    KERNEL(load_units)(below + LANES)),
                                       kernel[tap]);
        }
        KERNEL(store_units)(target + x, first);
        KERNEL(store_units)(target + x + LANES, second);
    }
}

TARGET static void KERNEL(difference)(const uint16_t *one, const uint16_t *other, int16_t *target,
                                      int32_t count) {
    for (int32_t x = 0; x < count; x++) target[x] = (int16_t)(uint16_t)(one[x] - other[x]);
}

TARGET static void KERNEL(blur)(const uint16_t *source, int32_t width, int32_t height,
                                const uint16_t *kernel, int32_t taps, uint16_t *target,
                                int16_t *difference, uint16_t *scratch) {
    int32_t stride = (width + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT;
    int32_t radius = taps - 1, kept = 2 * radius + 1;
    uint16_t *padded = scratch, *line = padded + stride + 2 * radius, *ring = line + stride;
    const uint16_t *rows[2 * CM_TAPS_MAX];
    int32_t done = 0;
    for (int32_t y = 0; y < height; y++) {
        for (; done < height && done <= y + radius; done++) {
            const uint16_t *from = source + (int64_t)done * width;
            for (int32_t x = 0; x < radius; x++) padded[x] = from[0];
            memcpy(padded + radius, from, (size_t)width * sizeof *from);
            for (int32_t x = radius + width; x < stride + 2 * radius; x++)
                padded[x] = from[width - 1];
            KERNEL(blur_row)(padded, kernel, taps, ring + (int64_t)(done % kept) * stride, stride);
        }
        for (int32_t offset = -radius; offset <= radius; offset++) {
            int32_t row = y + offset < 0 ? 0 : y + offset >= height ? height - 1 : y + offset;
            rows[radius + offset] = ring + (int64_t)(row % kept) * stride;
        }
        int64_t at = (int64_t)y * width;
        uint16_t *result = stride == width ? target + at : line;
        KERNEL(blur_columns)(rows, kernel, taps, result, stride);
        if (result == line) memcpy(target + at, line, (size_t)width * sizeof *line);
        if (difference) KERNEL(difference)(target + at, source + at, difference + at, width);
    }
}

HELPER S16 KERNEL(load_signed)(const int16_t *at) {
    S16 value;
    memcpy(&value, at, sizeof value);
    return value;
}

HELPER bool KERNEL(any_signed)(S16 mask) { return __builtin_reduce_or(mask) != 0; }

// The largest and the least of three neighbours in a row.
HELPER void KERNEL(range)(const int16_t *row, S16 *most, S16 *least) {
    S16 left = KERNEL(load_signed)(row - 1), here = KERNEL(load_signed)(row);
    S16 right = KERNEL(load_signed)(row + 1);
    *most = __builtin_elementwise_max(__builtin_elementwise_max(left, right), here);
    *least = __builtin_elementwise_min(__builtin_elementwise_min(left, right), here);
}

// Narrows the lanes to those that no value of a row before them exceeds.
HELPER void KERNEL(outlast)(S16 value, const int16_t *row, S16 *high, S16 *low) {
    S16 most, least;
    KERNEL(range)(row, &most, &least);
    *high &= value >= most;
    *low &= value <= least;
}

// Narrows the lanes to those that exceed every value of a row behind them.
HELPER void KERNEL(exceed)(S16 value, const int16_t *row, S16 *high, S16 *low) {
    S16 most, least;
    KERNEL(range)(row, &most, &least);
    *high &= value > most;
    *low &= value < least;
}

// The lanes of sixteen places that are extrema among their 26 neighbours.
HELPER S16 KERNEL(extrema_of_vector)(const int16_t *below, const int16_t *here, const int16_t *above,
                                     int32_t width, int16_t size) {
    S16 value = KERNEL(load_signed)(here);
    S16 high = value > size, low = value < (int16_t)-size;
    if (!KERNEL(any_signed)(high | low)) return high & low;
    S16 left = KERNEL(load_signed)(here - 1), right = KERNEL(load_signed)(here + 1);
    high &= (value >= left) & (value > right);
    low &= (value <= left) & (value < right);
    KERNEL(outlast)(value, here - width, &high, &low);
    KERNEL(exceed)(value, here + width, &high, &low);
    if (!KERNEL(any_signed)(high | low)) return high | low;
    for (int32_t row = -1; row <= 1; row++) {
        KERNEL(outlast)(value, below + row * width, &high, &low);
        KERNEL(exceed)(value, above + row * width, &high, &low);
    }
    return high | low;
}

TARGET static int32_t KERNEL(extrema)(const int16_t *below, const int16_t *here,
                                      const int16_t *above, int32_t width, int32_t height,
                                      int32_t border, int16_t least, int32_t *found, int32_t limit) {
    int32_t count = 0;
    for (int32_t y = border; y < height - border; y++) {
        for (int32_t x = border; x < width - border; x += LANES) {
            // The last vector begins early and leaves out what was seen.
            int32_t start = x + LANES > width - border ? width - border - LANES : x;
            if (start < 1) start = 1;
            int32_t at = y * width + start;
            S16 lanes =
                KERNEL(extrema_of_vector)(below + at, here + at, above + at, width, least);
            if (!KERNEL(any_signed)(lanes)) continue;
            for (int32_t lane = 0; lane < LANES; lane++) {
                bool isNew = start + lane >= x && start + lane < width - border;
                if (lanes[lane] && isNew && count < limit) found[count++] = at + lane;
            }
        }
    }
    return count;
}

// Abramowitz and Stegun 4.4.47, error below 2e-6 turn.
HELPER V8 KERNEL(turns)(V8 x, V8 y) {
    V8 zero = KERNEL(all)(0);
    V8 width = KERNEL(either)(x < zero, zero - x, x);
    V8 height = KERNEL(either)(y < zero, zero - y, y);
    V8 low = KERNEL(either)(width > height, height, width);
    V8 high = KERNEL(either)(width > height, width, height);
    // The smallest normal number keeps 0/0 away and changes no other quotient's meaning.
    V8 ratio = low / (high + KERNEL(all)(FLT_MIN));
    V8 square = ratio * ratio;
    V8 sum = KERNEL(all)(0.0208351f) * square;
    sum = (sum - KERNEL(all)(0.0851330f)) * square;
    sum = (sum + KERNEL(all)(0.1801410f)) * square;
    sum = (sum - KERNEL(all)(0.3302995f)) * square;
    sum = (sum + KERNEL(all)(0.9998660f)) * ratio * KERNEL(all)(0.15915494f);
    sum = KERNEL(either)(height > width, KERNEL(all)(0.25f) - sum, sum);
    sum = KERNEL(either)(x < zero, KERNEL(all)(0.5f) - sum, sum);
    sum = KERNEL(either)(y < zero, KERNEL(all)(1) - sum, sum);
    return KERNEL(either)(sum >= KERNEL(all)(1), zero, sum);
}

HELPER I8 KERNEL(clamp)(I8 value, int32_t most) {
    value = __builtin_elementwise_max(value, (I8){});
    return __builtin_elementwise_min(value, (I8){} + most);
}

// Pairs of neighbours of a plane at eight places: the left one in the lower half.
HELPER I8 KERNEL(pairs)(const uint16_t *values, I8 at) {
    int32_t pairs[8];
    for (int lane = 0; lane < 8; lane++) memcpy(pairs + lane, values + at[lane], 4);
    I8 result;
    memcpy(&result, pairs, sizeof result);
    return result;
}

HELPER V8 KERNEL(between)(I8 pairs, V8 share) {
    V8 left = __builtin_convertvector(pairs & 0xFFFF, V8);
    V8 right = __builtin_convertvector((pairs >> 16) & 0xFFFF, V8);
    return left + (right - left) * share;
}

// Eight values between those of a plane; places in 1/65536, the plane continued by its last pixel.
HELPER V8 KERNEL(interpolated)(const cm_patch *patch, I8 x, I8 y) {
    x = KERNEL(clamp)(x, ((patch->width - 1) << 16) - 1);
    y = KERNEL(clamp)(y, ((patch->height - 1) << 16) - 1);
    I8 at = (y >> 16) * patch->width + (x >> 16);
    V8 across = __builtin_convertvector(x & 0xFFFF, V8) * KERNEL(all)(1 / 65536.0f);
    V8 down = __builtin_convertvector(y & 0xFFFF, V8) * KERNEL(all)(1 / 65536.0f);
    V8 top = KERNEL(between)(KERNEL(pairs)(patch->values, at), across);
    V8 bottom = KERNEL(between)(KERNEL(pairs)(patch->values + patch->width, at), across);
    return top + (bottom - top) * down;
}

// The samples of a patch with one more around it, in rows of CM_SAMPLE_STRIDE.
TARGET static void KERNEL(sample)(const cm_patch *patch, float *samples) {
    const I8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
    float half = (CM_SAMPLES + 1) * 0.5f;
    int32_t stepX = (int32_t)(patch->step_x * 65536), stepY = (int32_t)(patch->step_y * 65536);
    // The first sample: half a patch back along both axes.
    int32_t startX = (int32_t)((patch->x - (patch->step_x - patch->step_y) * half) * 65536);
    int32_t startY = (int32_t)((patch->y - (patch->step_y + patch->step_x) * half) * 65536);
    for (int32_t row = 0; row < CM_SAMPLES + 2; row++) {
        for (int32_t column = 0; column < CM_SAMPLE_STRIDE; column += 8) {
            I8 along = steps + column;
            I8 x = along * stepX + (startX - row * stepY);
            I8 y = along * stepY + (startY + row * stepX);
            KERNEL(store)(samples + row * CM_SAMPLE_STRIDE + column,
                          KERNEL(interpolated)(patch, x, y));
        }
    }
}

// A row of gradients: weighted lengths, what each has beyond its direction, and the direction.
typedef struct {
    float length[CM_SAMPLE_STRIDE];
    float beyond[CM_SAMPLE_STRIDE];
    int32_t direction[CM_SAMPLE_STRIDE];
} KERNEL(gradient_row);

HELPER void KERNEL(gradients)(const float *samples, const float *weights,
                              KERNEL(gradient_row) *row) {
    for (int32_t column = 0; column < CM_SAMPLE_STRIDE; column += 8) {
        const float *at = samples + column;
        V8 dx = KERNEL(load)(at + 2) - KERNEL(load)(at);
        V8 dy = KERNEL(load)(at + CM_SAMPLE_STRIDE + 1) - KERNEL(load)(at - CM_SAMPLE_STRIDE + 1);
        V8 length = __builtin_elementwise_sqrt(dx * dx + dy * dy) * KERNEL(load)(weights + column);
        V8 bin = KERNEL(turns)(dx, dy) * KERNEL(all)(8);
        I8 whole = __builtin_convertvector(bin, I8);
        KERNEL(store)(row->length + column, length);
        KERNEL(store)(row->beyond + column, length * (bin - __builtin_convertvector(whole, V8)));
        whole &= 7;
        memcpy(row->direction + column, &whole, sizeof whole);
    }
}

// The share of the second cell in a sample between the centres of two.
HELPER float KERNEL(second_share)(int32_t place) {
    return ((float)place + 0.5f) * (1.0f / CM_SAMPLES_PER_CELL);
}

// The directions of a row in its four cells; what lies beyond the outer centres is shared with
// nobody.
HELPER void KERNEL(cells_of_row)(const KERNEL(gradient_row) *row, V8 *cells) {
    for (int32_t cell = 0; cell < 4; cell++) cells[cell] = KERNEL(all)(0);
    for (int32_t group = 0; group < 5; group++) {
        V8 sum = KERNEL(all)(0), second = KERNEL(all)(0);
        for (int32_t place = 0; place < CM_SAMPLES_PER_CELL; place++) {
            int32_t column = group * CM_SAMPLES_PER_CELL + place;
            int32_t direction = row->direction[column];
            V8 value = KERNEL(load)(cm_first_bin[direction]) * row->length[column]
                     + KERNEL(load)(cm_next_bin[direction]) * row->beyond[column];
            sum += value;
            second += value * KERNEL(second_share)(place);
        }
        if (group > 0) cells[group - 1] += sum - second;
        if (group < 4) cells[group] += second;
    }
}

TARGET static void KERNEL(describe)(const cm_patch *patch, const float *weights, float *histogram) {
    // Sixteen values more than are sampled: what the last vector reads.
    float samples[(CM_SAMPLES + 2) * CM_SAMPLE_STRIDE + LANES] = {0};
    KERNEL(sample)(patch, samples);
    V8 cells[16];
    for (int32_t cell = 0; cell < 16; cell++) cells[cell] = KERNEL(all)(0);
    for (int32_t y = 0; y < CM_SAMPLES; y++) {
        KERNEL(gradient_row) row;
        KERNEL(gradients)(samples + (y + 1) * CM_SAMPLE_STRIDE, weights + y * CM_SAMPLE_STRIDE,
                          &row);
        V8 here[4];
        KERNEL(cells_of_row)(&row, here);
        int32_t group = y / CM_SAMPLES_PER_CELL;
        float share = KERNEL(second_share)(y % CM_SAMPLES_PER_CELL);
        for (int32_t cell = 0; cell < 4; cell++) {
            V8 second = here[cell] * share;
            if (group > 0) cells[(group - 1) * 4 + cell] += here[cell] - second;
            if (group < 4) cells[group * 4 + cell] += second;
        }
    }
    memcpy(histogram, cells, sizeof cells);
}

HELPER V8 KERNEL(eight_units)(const uint16_t *at) {
    KERNEL(u8) value;
    memcpy(&value, at, sizeof value);
    return __builtin_convertvector(__builtin_convertvector(value, I8), V8);
}

TARGET static void KERNEL(orient)(const cm_surrounding *patch, float scale, float *histogram) {
    const V8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int32_t y = patch->top; y <= patch->bottom; y++) {
        V8 down = KERNEL(all)((float)y - patch->y);
        for (int32_t x = patch->left; x <= patch->right; x += 8) {
            const uint16_t *at = patch->values + (int64_t)y * patch->width + x;
            V8 across = (KERNEL(all)((float)x) + steps) - KERNEL(all)(patch->x);
            V8 step = (across * across + down * down) * KERNEL(all)(scale)
                    * KERNEL(all)(CM_STEPS_PER_UNIT);
            V8 dx = KERNEL(eight_units)(at + 1) - KERNEL(eight_units)(at - 1);
            V8 dy = KERNEL(eight_units)(at + patch->width) - KERNEL(eight_units)(at - patch->width);
            V8 length = __builtin_elementwise_sqrt(dx * dx + dy * dy);
            V8 bin = KERNEL(turns)(dx, dy) * KERNEL(all)(CM_DIRECTIONS) + KERNEL(all)(0.5f);
            int32_t count = patch->right - x < 7 ? patch->right - x + 1 : 8;
            for (int32_t lane = 0; lane < count; lane++) {
                int32_t direction = (int32_t)bin[lane], place = (int32_t)step[lane];
                float weight = place < CM_TABLE_LENGTH ? patch->table[place] : 0;
                histogram[direction == CM_DIRECTIONS ? 0 : direction] += weight * length[lane];
            }
        }
    }
}

static const cm_extraction KERNEL(extraction) = {
    KERNEL(blur),
    KERNEL(extrema),
    KERNEL(describe),
    KERNEL(orient),
};

#undef V8
#undef I8
#undef U16
#undef W16
#undef S16
#undef HELPER
