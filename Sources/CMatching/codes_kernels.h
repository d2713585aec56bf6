// The kernels of codes and words, compiled once for every processor and once for AVX2: included by
// codes.c with KERNEL(name) and TARGET defined.

TARGET static inline int32_t KERNEL(distance)(const uint64_t *one, const uint8_t *other) {
    uint64_t code[2];
    memcpy(code, other, sizeof code);
    return __builtin_popcountll(one[0] ^ code[0]) + __builtin_popcountll(one[1] ^ code[1]);
}

TARGET static void KERNEL(nearest)(const uint8_t *queries, int32_t count, const uint8_t *codes,
                                   int32_t total, cm_nearest_code *nearest) {
    for (int32_t q = 0; q < count; q++) {
        uint64_t query[2];
        memcpy(query, queries + (int64_t)q * CM_CODE_BYTES, sizeof query);
        cm_nearest_code found = {129, 129, 0};
        for (int32_t index = 0; index < total; index++) {
            int32_t bits = KERNEL(distance)(query, codes + (int64_t)index * CM_CODE_BYTES);
            if (bits >= found.second) continue;
            if (bits < found.best) {
                found.second = found.best;
                found.best = bits;
                found.index = index;
            } else {
                found.second = bits;
            }
        }
        nearest[q] = found;
    }
}

TARGET static int32_t KERNEL(within)(const uint8_t *queryCode, const uint8_t *codes, int32_t total,
                                     int32_t reach, int32_t *indices, uint8_t *distances) {
    uint64_t query[2];
    memcpy(query, queryCode, sizeof query);
    int32_t count = 0;
    for (int32_t index = 0; index < total; index++) {
        int32_t bits = KERNEL(distance)(query, codes + (int64_t)index * CM_CODE_BYTES);
        // Written always, counted only within reach: no branch to be guessed.
        indices[count] = index;
        distances[count] = (uint8_t)bits;
        count += bits <= reach;
    }
    return count;
}

TARGET static void KERNEL(products)(const int16_t *descriptor, const int16_t *rows, int32_t count,
                                    int32_t *products) {
    for (int32_t row = 0; row < count; row++) {
        const int16_t *values = rows + (int64_t)row * CM_LENGTH;
        int32_t sum = 0;
        for (int32_t at = 0; at < CM_LENGTH; at++) sum += (int32_t)descriptor[at] * values[at];
        products[row] = sum;
    }
}

static const cm_codes KERNEL(codes) = {KERNEL(nearest), KERNEL(within), KERNEL(products)};
