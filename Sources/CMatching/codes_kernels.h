// The kernels of codes and words, compiled for every processor, for AVX2 and for AVX-512: included
// by codes.c with KERNEL(name) and TARGET defined, and CM_AVX2 and CM_AVX512 as they may be used.

TARGET static inline int32_t KERNEL(distance)(const uint64_t *one, const uint8_t *other) {
    uint64_t code[2];
    memcpy(code, other, sizeof code);
    return __builtin_popcountll(one[0] ^ code[0]) + __builtin_popcountll(one[1] ^ code[1]);
}

TARGET static inline void KERNEL(offer)(cm_nearest_code *found, int32_t bits, int32_t index) {
    if (bits >= found->second) return;
    if (bits < found->best) {
        found->second = found->best;
        found->best = bits;
        found->index = index;
    } else {
        found->second = bits;
    }
}

// Several codes at a time, each lane keeping its own two nearest as bits << 32 | index.
#if defined(CM_AVX512)
#define LANES 8
TARGET static int32_t KERNEL(nearest_lanes)(const uint64_t *query, const uint8_t *codes,
                                            int32_t total, cm_nearest_code *found) {
    const __m512i code = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)query));
    const __m512i step = _mm512_set1_epi64(LANES);
    __m512i index = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
    __m512i best = _mm512_set1_epi64(129ll << 32), second = best;
    int32_t at = 0;
    for (; at + LANES <= total; at += LANES) {
        const uint8_t *from = codes + (int64_t)at * CM_CODE_BYTES;
        __m512i one = _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(from), code));
        __m512i other = _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_loadu_si512(from + 64), code));
        __m512i bits = _mm512_add_epi64(_mm512_unpacklo_epi64(one, other),
                                        _mm512_unpackhi_epi64(one, other));
        __m512i key = _mm512_or_si512(_mm512_slli_epi64(bits, 32), index);
        second = _mm512_min_epu64(second, _mm512_max_epu64(best, key));
        best = _mm512_min_epu64(best, key);
        index = _mm512_add_epi64(index, step);
    }
    uint64_t keys[2 * LANES];
    _mm512_storeu_si512(keys, best);
    _mm512_storeu_si512(keys + LANES, second);
#elif defined(CM_AVX2)
#define LANES 4
TARGET static inline __m256i KERNEL(ones)(__m256i bytes) {
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i ones = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                          0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    __m256i first = _mm256_shuffle_epi8(ones, _mm256_and_si256(bytes, low));
    __m256i second =
        _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low));
    return _mm256_add_epi8(first, second);
}

TARGET static int32_t KERNEL(nearest_lanes)(const uint64_t *query, const uint8_t *codes,
                                            int32_t total, cm_nearest_code *found) {
    const __m256i code = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)query));
    const __m256i zero = _mm256_setzero_si256(), step = _mm256_set1_epi64x(LANES);
    __m256i index = _mm256_setr_epi64x(0, 2, 1, 3);
    // 20 bits of a lane hold the index, so that halves of lanes can be compared.
    __m256i best = _mm256_set1_epi64x(129 << 20), second = best;
    int32_t at = 0;
    if (total >= 1 << 20) return 0;
    for (; at + LANES <= total; at += LANES) {
        const __m256i *from = (const __m256i *)(codes + (int64_t)at * CM_CODE_BYTES);
        __m256i one = KERNEL(ones)(_mm256_xor_si256(_mm256_loadu_si256(from), code));
        __m256i other = KERNEL(ones)(_mm256_xor_si256(_mm256_loadu_si256(from + 1), code));
        // At most 16 ones in the two bytes that are added.
        __m256i bytes = _mm256_add_epi8(_mm256_unpacklo_epi64(one, other),
                                        _mm256_unpackhi_epi64(one, other));
        __m256i key =
            _mm256_or_si256(_mm256_slli_epi64(_mm256_sad_epu8(bytes, zero), 20), index);
        second = _mm256_min_epu32(second, _mm256_max_epu32(best, key));
        best = _mm256_min_epu32(best, key);
        index = _mm256_add_epi64(index, step);
    }
    uint64_t keys[2 * LANES];
    _mm256_storeu_si256((__m256i *)keys, best);
    _mm256_storeu_si256((__m256i *)(keys + LANES), second);
    for (int32_t lane = 0; lane < 2 * LANES; lane++)
        keys[lane] = (keys[lane] >> 20) << 32 | (keys[lane] & ((1 << 20) - 1));
#endif
#ifdef LANES
    uint64_t first = 129ull << 32, next = first;
    for (int32_t lane = 0; lane < 2 * LANES; lane++) {
        if (keys[lane] < first) {
            next = first;
            first = keys[lane];
        } else if (keys[lane] < next) {
            next = keys[lane];
        }
    }
    found->best = (int32_t)(first >> 32);
    found->index = (int32_t)(uint32_t)first;
    found->second = (int32_t)(next >> 32);
    return at;
}
#undef LANES
#else
TARGET static int32_t KERNEL(nearest_lanes)(const uint64_t *query, const uint8_t *codes,
                                            int32_t total, cm_nearest_code *found) {
    (void)query, (void)codes, (void)total, (void)found;
    return 0;
}
#endif

TARGET static void KERNEL(nearest)(const uint8_t *queries, int32_t count, const uint8_t *codes,
                                   int32_t total, cm_nearest_code *nearest) {
    for (int32_t q = 0; q < count; q++) {
        uint64_t query[2];
        memcpy(query, queries + (int64_t)q * CM_CODE_BYTES, sizeof query);
        cm_nearest_code found = {129, 129, 0};
        int32_t index = KERNEL(nearest_lanes)(query, codes, total, &found);
        for (; index < total; index++) {
            int32_t bits = KERNEL(distance)(query, codes + (int64_t)index * CM_CODE_BYTES);
            KERNEL(offer)(&found, bits, index);
        }
        nearest[q] = found;
    }
}

// Query features ahead whose postings are asked for before they are needed.
#define AHEAD 4

// What is searched for at one word: a feature of the query with its half code.
typedef struct {
    uint64_t code;
    uint16_t own;
    // Of the word, in 1/64.
    uint8_t weight;
} KERNEL(wanted);

TARGET static inline void KERNEL(vote)(const KERNEL(wanted) *wanted, uint32_t at, int32_t bits,
                                       const cm_postings *postings, const cm_vote_weights *weights,
                                       const cm_tally *tally, int32_t *touched, cm_hits *hits) {
    uint16_t slot = postings->slots[at];
    if (!tally->counts[slot]) tally->touched[(*touched)++] = slot;
    tally->counts[slot]++;
    tally->sums[slot] += weights->weights[bits] * wanted->weight >> 6;
    hits->hits[hits->count++] =
        (cm_hit){postings->places[at], wanted->own, slot, (uint8_t)bits, wanted->weight};
}

// The votes of the features from `at` on that `near` has a bit of.
TARGET static inline void KERNEL(vote_all)(const KERNEL(wanted) *wanted, unsigned near, uint32_t at,
                                           const cm_postings *postings,
                                           const cm_vote_weights *weights, const cm_tally *tally,
                                           int32_t *touched, cm_hits *hits) {
    for (; near; near &= near - 1) {
        uint32_t place = at + (uint32_t)__builtin_ctz(near);
        int32_t bits = __builtin_popcountll(postings->codes[place] ^ wanted->code);
        KERNEL(vote)(wanted, place, bits, postings, weights, tally, touched, hits);
    }
}

TARGET static void KERNEL(scan_word)(const KERNEL(wanted) *wanted, const cm_postings *postings,
                                     uint32_t at, uint32_t end, const cm_vote_weights *weights,
                                     const cm_tally *tally, int32_t *touched, cm_hits *hits) {
#if defined(CM_AVX512)
    const __m512i code = _mm512_set1_epi64((int64_t)wanted->code);
    const __m512i reach = _mm512_set1_epi64(weights->reach);
    for (; at + 8 <= end; at += 8) {
        __m512i differ = _mm512_xor_si512(_mm512_loadu_si512(postings->codes + at), code);
        unsigned near = _mm512_cmple_epu64_mask(_mm512_popcnt_epi64(differ), reach);
        KERNEL(vote_all)(wanted, near, at, postings, weights, tally, touched, hits);
    }
#elif defined(CM_AVX2)
    const __m256i code = _mm256_set1_epi64x((int64_t)wanted->code);
    const __m256i reach = _mm256_set1_epi64x(weights->reach);
    for (; at + 4 <= end; at += 4) {
        __m256i other = _mm256_loadu_si256((const __m256i *)(postings->codes + at));
        __m256i bits = _mm256_sad_epu8(KERNEL(ones)(_mm256_xor_si256(other, code)),
                                       _mm256_setzero_si256());
        int beyond = _mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpgt_epi64(bits, reach)));
        KERNEL(vote_all)(wanted, ~beyond & 15, at, postings, weights, tally, touched, hits);
    }
#endif
    for (; at < end; at++) {
        int32_t bits = __builtin_popcountll(postings->codes[at] ^ wanted->code);
        if (bits <= weights->reach)
            KERNEL(vote)(wanted, at, bits, postings, weights, tally, touched, hits);
    }
}

TARGET static void KERNEL(scan)(const uint16_t *words, const uint64_t *codes, int32_t from,
                                int32_t to, int32_t count, const cm_postings *postings,
                                const cm_vote_weights *weights, const cm_tally *tally,
                                cm_hits *hits) {
    for (int32_t own = from; own < to; own++) {
        for (int32_t at = 0; at < CM_WORDS; at++) {
            if (own + 2 * AHEAD < count)
                __builtin_prefetch(postings->starts + words[(own + 2 * AHEAD) * CM_WORDS + at]);
            if (own + AHEAD < count) {
                const uint32_t *start = postings->starts + words[(own + AHEAD) * CM_WORDS + at];
                for (uint32_t line = start[0]; line < start[1]; line += 8)
                    __builtin_prefetch(postings->codes + line);
            }
        }
        int32_t touched = 0;
        for (int32_t at = 0; at < CM_WORDS; at++) {
            uint16_t word = words[own * CM_WORDS + at];
            const uint32_t *start = postings->starts + word;
            const KERNEL(wanted) wanted = {codes[own], (uint16_t)own, weights->words[word]};
            KERNEL(scan_word)(&wanted, postings, start[0], start[1], weights, tally, &touched, hits);
        }
        for (int32_t index = 0; index < touched; index++) {
            uint16_t slot = tally->touched[index];
            int32_t votes = tally->counts[slot];
            uint32_t share = weights->shares[votes < weights->burst_max ? votes
                                                                        : weights->burst_max];
            tally->totals[slot] += (uint32_t)((uint64_t)tally->sums[slot] * share >> 12);
            tally->sums[slot] = 0;
            tally->counts[slot] = 0;
            tally->touched[index] = 0;
        }
    }
}

// Features of the query that are compared with each other, at most.
#define AGREEING_MAX 256
// Those that propose, at most, about: every second, third … of more.
#define PROPOSERS 64
// Steps of a place within which a pair agrees, squared.
#define TOLERANCE 144.0f
// Difference of directions, in 1/256 turn, and of scales, in 1/16 octave, up to which one agrees.
#define TURN_MAX 32
#define SCALE_MAX 16

// The hits of one picture, one for each feature of the query, as the proposals that they are.
typedef struct {
    float x[AGREEING_MAX], y[AGREEING_MAX], own_x[AGREEING_MAX], own_y[AGREEING_MAX];
    int32_t scales[AGREEING_MAX], turns[AGREEING_MAX];
    int32_t count;
} KERNEL(pairs);

TARGET static void KERNEL(choose)(const cm_hit *hits, int32_t count, const cm_query_places *query,
                                  KERNEL(pairs) *pairs) {
    pairs->count = 0;
    for (int32_t at = 0; at < count && pairs->count < AGREEING_MAX;) {
        cm_hit best = hits[at++];
        // Of equally near ones that with the lowest place, whatever their order.
        for (; at < count && hits[at].own == best.own; at++)
            if (hits[at].bits < best.bits ||
                (hits[at].bits == best.bits && hits[at].place < best.place))
                best = hits[at];
        int32_t index = pairs->count++;
        pairs->x[index] = (float)(best.place & 255);
        pairs->y[index] = (float)(best.place >> 8 & 255);
        pairs->own_x[index] = query->x[best.own];
        pairs->own_y[index] = query->y[best.own];
        pairs->scales[index] = query->scales[best.own] - (int32_t)(best.place >> 16 & 255);
        pairs->turns[index] = (query->angles[best.own] - (int32_t)(best.place >> 24)) & 255;
    }
}

TARGET static int32_t KERNEL(agreeing)(const cm_hit *hits, int32_t count,
                                       const cm_query_places *query) {
    KERNEL(pairs) pairs;
    KERNEL(choose)(hits, count, query, &pairs);
    int32_t most = 0, step = pairs.count / PROPOSERS + 1;
    for (int32_t from = 0; from < pairs.count; from += step) {
        float power = query->powers[pairs.scales[from] + 255];
        float real = power * query->cosines[pairs.turns[from]];
        // A sine is the cosine of a quarter turn less.
        float imaginary = power * query->cosines[(pairs.turns[from] + 192) & 255];
        int32_t agreeing = 0;
        for (int32_t to = 0; to < pairs.count; to++) {
            float x = pairs.x[to] - pairs.x[from], y = pairs.y[to] - pairs.y[from];
            float error_x = pairs.own_x[from] + (real * x - imaginary * y) - pairs.own_x[to];
            float error_y = pairs.own_y[from] + (imaginary * x + real * y) - pairs.own_y[to];
            int32_t turn = ((pairs.turns[to] - pairs.turns[from] + 128) & 255) - 128;
            int32_t scale = pairs.scales[to] - pairs.scales[from];
            agreeing += (error_x * error_x + error_y * error_y < TOLERANCE) & (turn <= TURN_MAX) &
                        (turn >= -TURN_MAX) & (scale <= SCALE_MAX) & (scale >= -SCALE_MAX);
        }
        most = agreeing > most ? agreeing : most;
    }
    return most;
}

// The products of a descriptor with all rows of a vocabulary.
TARGET static void KERNEL(all_products)(const uint8_t *descriptor, const int16_t *columns,
                                        int32_t *products) {
#ifdef CM_AVX2
    for (int32_t row = 0; row < 2 * CM_CENTRES; row += 64) {
        __m256i sums[8];
        for (int32_t part = 0; part < 8; part++) sums[part] = _mm256_setzero_si256();
        for (int32_t at = 0; at < CM_LENGTH; at += 2) {
            __m256i pair = _mm256_set1_epi32(descriptor[at] | descriptor[at + 1] << 16);
            const int16_t *column = columns + (at * 2 * CM_CENTRES + 2 * row);
            for (int32_t part = 0; part < 8; part++) {
                __m256i values = _mm256_loadu_si256((const __m256i *)(column + 16 * part));
                sums[part] = _mm256_add_epi32(sums[part], _mm256_madd_epi16(pair, values));
            }
        }
        for (int32_t part = 0; part < 8; part++)
            _mm256_storeu_si256((__m256i *)(products + row + 8 * part), sums[part]);
    }
#else
    memset(products, 0, 2 * CM_CENTRES * sizeof *products);
    for (int32_t at = 0; at < CM_LENGTH; at += 2) {
        int32_t one = descriptor[at], other = descriptor[at + 1];
        const int16_t *column = columns + at * 2 * CM_CENTRES;
        for (int32_t row = 0; row < 2 * CM_CENTRES; row++)
            products[row] += one * column[2 * row] + other * column[2 * row + 1];
    }
#endif
}

// The places of the CM_BRANCHES least values, ascending by value, then by place.
TARGET static void KERNEL(least)(const int32_t *values, int32_t *places) {
    int32_t count = 0;
    for (int32_t index = 0; index < CM_CENTRES; index++) {
        if (count == CM_BRANCHES && values[index] >= values[places[count - 1]]) continue;
        int32_t place = count < CM_BRANCHES ? count++ : CM_BRANCHES - 1;
        for (; place > 0 && values[index] < values[places[place - 1]]; place--)
            places[place] = places[place - 1];
        places[place] = index;
    }
}

TARGET static void KERNEL(descriptor_words)(const int32_t *products, const cm_words *vocabulary,
                                            uint16_t *words) {
    int32_t firsts[CM_CENTRES], branches[CM_BRANCHES], costs[CM_CENTRES];
    for (int32_t index = 0; index < CM_CENTRES; index++)
        firsts[index] = vocabulary->half_squares[index] - products[index];
    KERNEL(least)(firsts, branches);
    int32_t best[CM_WORDS];
    for (int32_t at = 0; at < CM_WORDS; at++) best[at] = INT32_MAX;
    for (int32_t branch = 0; branch < CM_BRANCHES; branch++) {
        int32_t first = branches[branch];
        const int32_t *own = vocabulary->costs + first * CM_CENTRES;
        for (int32_t start = 0; start < CM_CENTRES; start += 32) {
            int32_t least = INT32_MAX;
            for (int32_t at = start; at < start + 32; at++) {
                costs[at] = firsts[first] + own[at] - products[CM_CENTRES + at];
                least = costs[at] < least ? costs[at] : least;
            }
            if (least >= best[CM_WORDS - 1]) continue;
            for (int32_t at = start; at < start + 32; at++) {
                if (costs[at] >= best[CM_WORDS - 1]) continue;
                int32_t place = CM_WORDS - 1;
                for (; place > 0 && costs[at] < best[place - 1]; place--) {
                    best[place] = best[place - 1];
                    words[place] = words[place - 1];
                }
                best[place] = costs[at];
                words[place] = (uint16_t)(first * CM_CENTRES + at);
            }
        }
    }
}

TARGET static void KERNEL(words)(const uint8_t *descriptors, int32_t count,
                                 const cm_words *vocabulary, uint16_t *words) {
    int32_t products[2 * CM_CENTRES];
    for (int32_t index = 0; index < count; index++) {
        KERNEL(all_products)(descriptors + (int64_t)index * CM_LENGTH, vocabulary->columns,
                             products);
        KERNEL(descriptor_words)(products, vocabulary, words + (int64_t)index * CM_WORDS);
    }
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

static const cm_codes KERNEL(codes) = {KERNEL(nearest), KERNEL(scan), KERNEL(agreeing),
                                       KERNEL(words),
                                       KERNEL(products)};
