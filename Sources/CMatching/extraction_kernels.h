// The kernels of feature extraction, compiled once for every processor and once for AVX2: included
// by extraction.c with KERNEL(name) and TARGET defined. Each lane does the same IEEE operations in
// the same order in both, so both give the same bits; no operation may be fused or reordered.

typedef float KERNEL(v8) __attribute__((vector_size(32)));
typedef int32_t KERNEL(i8) __attribute__((vector_size(32)));
#define V8 KERNEL(v8)
#define I8 KERNEL(i8)
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

// One row blurred along itself; padded holds `taps - 1` values more on both sides.
TARGET static void KERNEL(blur_row)(const float *padded, const float *kernel, int32_t taps,
                                    float *target, int32_t stride) {
    for (int32_t x = 0; x < stride; x += 16) {
        const float *centre = padded + taps - 1 + x;
        V8 first = KERNEL(load)(centre) * kernel[0], second = KERNEL(load)(centre + 8) * kernel[0];
        for (int32_t tap = 1; tap < taps; tap++) {
            first += (KERNEL(load)(centre - tap) + KERNEL(load)(centre + tap)) * kernel[tap];
            second += (KERNEL(load)(centre + 8 - tap) + KERNEL(load)(centre + 8 + tap)) * kernel[tap];
        }
        KERNEL(store)(target + x, first);
        KERNEL(store)(target + x + 8, second);
    }
}

// Sixteen columns from rows: rows[taps - 1] is the centre.
TARGET static void KERNEL(blur_columns)(const float *const *rows, const float *kernel, int32_t taps,
                                        float *target, int32_t stride) {
    const float *const *middle = rows + taps - 1;
    for (int32_t x = 0; x < stride; x += 16) {
        V8 first = KERNEL(load)(middle[0] + x) * kernel[0];
        V8 second = KERNEL(load)(middle[0] + x + 8) * kernel[0];
        for (int32_t tap = 1; tap < taps; tap++) {
            const float *above = middle[-tap] + x, *below = middle[tap] + x;
            first += (KERNEL(load)(above) + KERNEL(load)(below)) * kernel[tap];
            second += (KERNEL(load)(above + 8) + KERNEL(load)(below + 8)) * kernel[tap];
        }
        KERNEL(store)(target + x, first);
        KERNEL(store)(target + x + 8, second);
    }
}

TARGET static void KERNEL(difference)(const float *one, const float *other, float *target,
                                      int32_t count) {
    int32_t x = 0;
    for (; x + 8 <= count; x += 8)
        KERNEL(store)(target + x, KERNEL(load)(one + x) - KERNEL(load)(other + x));
    for (; x < count; x++) target[x] = one[x] - other[x];
}

TARGET static void KERNEL(blur)(const float *source, int32_t width, int32_t height,
                                const float *kernel, int32_t taps, float *target,
                                float *difference, float *scratch) {
    int32_t stride = (width + 15) / 16 * 16, radius = taps - 1, kept = 2 * radius + 1;
    float *padded = scratch, *line = padded + stride + 2 * radius, *ring = line + stride;
    const float *rows[2 * CM_TAPS_MAX];
    int32_t done = 0;
    for (int32_t y = 0; y < height; y++) {
        for (; done < height && done <= y + radius; done++) {
            const float *from = source + (int64_t)done * width;
            for (int32_t x = 0; x < radius; x++) padded[x] = from[0];
            memcpy(padded + radius, from, (size_t)width * sizeof(float));
            for (int32_t x = radius + width; x < stride + 2 * radius; x++)
                padded[x] = from[width - 1];
            KERNEL(blur_row)(padded, kernel, taps, ring + (int64_t)(done % kept) * stride, stride);
        }
        for (int32_t offset = -radius; offset <= radius; offset++) {
            int32_t row = y + offset < 0 ? 0 : y + offset >= height ? height - 1 : y + offset;
            rows[radius + offset] = ring + (int64_t)(row % kept) * stride;
        }
        int64_t at = (int64_t)y * width;
        float *result = stride == width ? target + at : line;
        KERNEL(blur_columns)(rows, kernel, taps, result, stride);
        if (result == line) memcpy(target + at, line, (size_t)width * sizeof(float));
        if (difference) KERNEL(difference)(target + at, source + at, difference + at, width);
    }
}

// Narrows the lanes of `high` and `low` to those that no value of a row of three exceeds.
HELPER void KERNEL(outlast)(V8 value, const float *row, I8 *high, I8 *low) {
    V8 left = KERNEL(load)(row - 1), here = KERNEL(load)(row), right = KERNEL(load)(row + 1);
    *high &= (value >= left) & (value >= here) & (value >= right);
    *low &= (value <= left) & (value <= here) & (value <= right);
}

HELPER bool KERNEL(any)(I8 mask) { return __builtin_reduce_or(mask) != 0; }

// The lanes of eight places that are extrema among their 26 neighbours.
HELPER I8 KERNEL(extrema_of_eight)(const float *below, const float *here, const float *above,
                                   int32_t width, float least) {
    V8 value = KERNEL(load)(here);
    I8 high = value > KERNEL(all)(least), low = value < KERNEL(all)(-least);
    if (!KERNEL(any)(high | low)) return high & low;
    KERNEL(outlast)(value, here, &high, &low);
    KERNEL(outlast)(value, here - width, &high, &low);
    KERNEL(outlast)(value, here + width, &high, &low);
    if (!KERNEL(any)(high | low)) return high | low;
    const float *const planes[2] = {below, above};
    for (int plane = 0; plane < 2; plane++) {
        KERNEL(outlast)(value, planes[plane], &high, &low);
        KERNEL(outlast)(value, planes[plane] - width, &high, &low);
        KERNEL(outlast)(value, planes[plane] + width, &high, &low);
        if (!KERNEL(any)(high | low)) return high | low;
    }
    return high | low;
}

TARGET static int32_t KERNEL(extrema)(const float *below, const float *here, const float *above,
                                      int32_t width, int32_t height, int32_t border, float least,
                                      int32_t *found, int32_t limit) {
    int32_t count = 0;
    for (int32_t y = border; y < height - border; y++) {
        for (int32_t x = border; x < width - border; x += 8) {
            // The last eight begin early and leave out what was seen.
            int32_t start = x + 8 > width - border ? width - border - 8 : x;
            if (start < 1) start = 1;
            int32_t at = y * width + start;
            I8 lanes = KERNEL(extrema_of_eight)(below + at, here + at, above + at, width, least);
            if (!KERNEL(any)(lanes)) continue;
            for (int32_t lane = 0; lane < 8; lane++) {
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

// Lengths and directions of the gradients at eight places.
HELPER void KERNEL(gradients)(const float *values, int32_t width, V8 *length, V8 *turns) {
    V8 dx = KERNEL(load)(values + 1) - KERNEL(load)(values - 1);
    V8 dy = KERNEL(load)(values + width) - KERNEL(load)(values - width);
    *length = __builtin_elementwise_sqrt(dx * dx + dy * dy);
    *turns = KERNEL(turns)(dx, dy);
}

// Shares a value among the eight nearest cells and directions; row and column are 0..<5 from the
// centre of the first border cell.
HELPER void KERNEL(share)(float value, float row, float column, float bin, float *histogram) {
    int32_t r = (int32_t)row, c = (int32_t)column, b = (int32_t)bin;
    float dr = row - (float)r, dc = column - (float)c, db = bin - (float)b;
    V8 first = KERNEL(load)(cm_first_bin[b & 7]), turn = KERNEL(load)(cm_next_bin[b & 7]) * db;
    float *at = histogram + (r * CM_PADDED_CELLS + c) * 8;
    float *below = at + CM_PADDED_CELLS * 8;
    float lower = value * dr, upper = value - lower;
    float upperRight = upper * dc, upperLeft = upper - upperRight;
    float lowerRight = lower * dc, lowerLeft = lower - lowerRight;
    KERNEL(store)(at, KERNEL(load)(at) + (first * upperLeft + turn * upperLeft));
    KERNEL(store)(at + 8, KERNEL(load)(at + 8) + (first * upperRight + turn * upperRight));
    KERNEL(store)(below, KERNEL(load)(below) + (first * lowerLeft + turn * lowerLeft));
    KERNEL(store)(below + 8, KERNEL(load)(below + 8) + (first * lowerRight + turn * lowerRight));
}

TARGET static void KERNEL(describe)(const cm_patch *patch, float *histogram) {
    const V8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
    const V8 edge = KERNEL(all)(2.5f), minus = KERNEL(all)(-2.5f), zero = KERNEL(all)(0);
    for (int32_t y = patch->top; y <= patch->bottom; y++) {
        float dy = (float)y - patch->y;
        float acrossDown = dy * patch->sine, downDown = dy * patch->cosine;
        for (int32_t x = patch->left; x <= patch->right; x += 8) {
            V8 dx = (KERNEL(all)((float)x) + steps) - KERNEL(all)(patch->x);
            V8 column = dx * patch->cosine + KERNEL(all)(acrossDown);
            V8 row = KERNEL(all)(downDown) - dx * patch->sine;
            I8 inside = (column < edge) & (column > minus) & (row < edge) & (row > minus);
            if (!KERNEL(any)(inside)) continue;
            V8 step = (column * column + row * row) * KERNEL(all)(0.125f * CM_STEPS_PER_UNIT);
            V8 length, bin;
            KERNEL(gradients)(patch->values + (int64_t)y * patch->width + x, patch->width, &length,
                              &bin);
            bin -= KERNEL(all)(patch->turns);
            bin = KERNEL(either)(bin < zero, bin + KERNEL(all)(1), bin) * KERNEL(all)(8);
            row += edge;
            column += edge;
            int32_t count = patch->right - x < 7 ? patch->right - x + 1 : 8;
            for (int32_t lane = 0; lane < count; lane++) {
                if (!inside[lane]) continue;
                float weight = patch->table[(int32_t)step[lane]];
                KERNEL(share)(length[lane] * weight, row[lane], column[lane], bin[lane], histogram);
            }
        }
    }
}

TARGET static void KERNEL(orient)(const cm_patch *patch, float scale, float *histogram) {
    const V8 steps = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int32_t y = patch->top; y <= patch->bottom; y++) {
        V8 dy = KERNEL(all)((float)y - patch->y);
        for (int32_t x = patch->left; x <= patch->right; x += 8) {
            V8 dx = (KERNEL(all)((float)x) + steps) - KERNEL(all)(patch->x);
            V8 step = (dx * dx + dy * dy) * KERNEL(all)(scale) * KERNEL(all)(CM_STEPS_PER_UNIT);
            V8 length, bin;
            KERNEL(gradients)(patch->values + (int64_t)y * patch->width + x, patch->width, &length,
                              &bin);
            bin = bin * KERNEL(all)(36) + KERNEL(all)(0.5f);
            int32_t count = patch->right - x < 7 ? patch->right - x + 1 : 8;
            for (int32_t lane = 0; lane < count; lane++) {
                int32_t at = (int32_t)bin[lane], place = (int32_t)step[lane];
                float weight = place < CM_TABLE_LENGTH ? patch->table[place] : 0;
                histogram[at == 36 ? 0 : at] += weight * length[lane];
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
#undef HELPER
