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
// Centres of the first stage whose words are looked at.
#define CM_BRANCHES 6

// The vocabulary as it ships, CM_VOCABULARY_BYTES long: CM_CENTRES centres of descriptors, then CM_CENTRES centres of what
// remains, each of 128 values.
#define CM_VOCABULARY_BYTES 65536
const int8_t *cm_vocabulary(void);
// What a vote by each of the CM_CENTRES * CM_CENTRES words counts: the rarer the word, the more.
const uint8_t *cm_word_weights(void);

// The nearest code of a catalog picture, and how far the second-nearest one is.
typedef struct {
    int32_t best;
    int32_t second;
    int32_t index;
} cm_nearest_code;

// A vocabulary made ready. `columns` holds the rows of both stages two values at a time: for each
// pair of places the pairs of all 2 * CM_CENTRES rows.
typedef struct {
    const int16_t *columns;
    // Half the square of each centre of the first stage.
    const int32_t *half_squares;
    // What each word costs beside the products of its two centres.
    const int32_t *costs;
} cm_words;

// The features of a segment in the order of their words.
typedef struct {
    // Where each word's features begin; one more behind the last word.
    const uint32_t *starts;
    // Half of each feature's code (`cm_half_code`).
    const uint64_t *codes;
    // The picture that each feature is of.
    const uint16_t *slots;
    // Where each feature is: x and y in steps, the logarithm of its scale in 1/16 octave and its
    // direction in 1/256 turn, 8 bits each from the lowest on.
    const uint32_t *places;
} cm_postings;

// What votes weigh.
typedef struct {
    // Bits in which two half codes may differ.
    int32_t reach;
    // Votes of one query feature for one picture beyond which `shares` has no element.
    int32_t burst_max;
    // The weight at each difference.
    const uint32_t *weights;
    // The weight of each word, in 1/64.
    const uint8_t *words;
    // What each number of votes of one query feature for one picture counts, in 1/4,096 of their
    // sum.
    const uint32_t *shares;
} cm_vote_weights;

// The votes of the pictures of a segment. `sums`, `counts` and `touched` are scratch space, one
// element a picture, all zero before and after.
typedef struct {
    uint32_t *totals;
    uint32_t *sums;
    uint16_t *counts;
    uint16_t *touched;
} cm_tally;

// A feature of a picture of the catalog that a feature of the query is near.
typedef struct {
    // As in cm_postings.
    uint32_t place;
    // The query's feature.
    uint16_t own;
    // The picture.
    uint16_t slot;
    // Bits in which the half codes differ.
    uint8_t bits;
    // Of the word, in 1/64.
    uint8_t weight;
} cm_hit;

// Hits in the order of the query's features, with room for all that a scan may find.
typedef struct {
    cm_hit *hits;
    int64_t count;
} cm_hits;

// Where the query's features are, each as a place of cm_postings, but with x and y between steps.
typedef struct {
    const float *x;
    const float *y;
    const uint8_t *scales;
    const uint8_t *angles;
    // 2^(n/16) for n from -255 to 255.
    const float *powers;
    // The cosine of each of 256 directions.
    const float *cosines;
} cm_query_places;

// Every other bit of a code, alternately the even and the odd ones of neighbouring cells.
uint64_t cm_half_code(const uint8_t *code);

typedef struct {
    // For each query code the two nearest of `codes`, of several the first; distances in bits, 129
    // where there is none.
    void (*nearest)(const uint8_t *queries, int32_t count, const uint8_t *codes, int32_t total,
                    cm_nearest_code *nearest);
    // Adds the votes of the query features `from` up to `to` to the totals of a segment's pictures.
    // Each has CM_WORDS words and one half code; `count` is the number of all of them. Appends each
    // vote to `hits`.
    void (*scan)(const uint16_t *words, const uint64_t *codes, int32_t from, int32_t to,
                 int32_t count, const cm_postings *postings, const cm_vote_weights *weights,
                 const cm_tally *tally, cm_hits *hits);
    // How many features of the query agree, by their nearest hits of one picture, on a turn, a scale
    // and a shift. Hits of one feature stand together.
    int32_t (*agreeing)(const cm_hit *hits, int32_t count, const cm_query_places *query);
    // The CM_WORDS nearest words of each of `count` descriptors, the nearest first.
    void (*words)(const uint8_t *descriptors, int32_t count, const cm_words *vocabulary,
                  uint16_t *words);
    // The products of a descriptor with `count` rows of 128 values.
    void (*products)(const int16_t *descriptor, const int16_t *rows, int32_t count,
                     int32_t *products);
} cm_codes;

// Plain C.
const cm_codes *cm_codes_portable(void);
// The same numbers with AVX2 and POPCNT where the processor has them, otherwise the portable ones.
const cm_codes *cm_codes_avx2(void);
// The same numbers with AVX-512's VPOPCNTDQ where the processor has it, otherwise as with AVX2.
const cm_codes *cm_codes_fast(void);

#endif
