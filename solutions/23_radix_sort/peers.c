/* Beside step 23, on a CPU: passes of 8 bits, on one core or on all. Each thread has a part of the
 * array, counts its digits and moves its keys; the parts stay in order. */
#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "radix_sort.h"

enum { BITS = 8, DIGITS = 1 << BITS };

/* A place for n keys and values. */
struct array {
    void *keys;
    unsigned *values;
};

struct radix_sort {
    struct radix_sort_parameters parameters;
    const void *in;
    void *out;
    struct array input, sorted[2];
    size_t (*counts)[DIGITS]; /* of each part; then where its next key of a digit goes */
    int parts;
};

/* The bits of a key as an unsigned number in the order of its kind, and back. */
static inline uint64_t ordered(uint64_t bits, int key_bytes, int kind) {
    uint64_t sign = UINT64_C(1) << (8 * key_bytes - 1);

    if (kind == FLOAT_KEYS && bits & sign)
        return ~bits;
    return kind == UNSIGNED_KEYS ? bits : bits ^ sign;
}

static inline uint64_t unordered(uint64_t bits, int key_bytes, int kind) {
    uint64_t sign = UINT64_C(1) << (8 * key_bytes - 1);

    if (kind == FLOAT_KEYS && !(bits & sign))
        return ~bits;
    return kind == UNSIGNED_KEYS ? bits : bits ^ sign;
}

static inline uint64_t get(const struct array *array, int i, int key_bytes) {
    return key_bytes == 8 ? ((const uint64_t *)array->keys)[i] : ((const uint32_t *)array->keys)[i];
}

static inline void set(struct array *array, int i, uint64_t bits, int key_bytes) {
    if (key_bytes == 8)
        ((uint64_t *)array->keys)[i] = bits;
    else
        ((uint32_t *)array->keys)[i] = (uint32_t)bits;
}

static int first_of(const struct radix_sort *sort, int part) {
    return (int)((long long)sort->parameters.n * part / sort->parts);
}

/* One pass; inlined, with constants for the last two arguments. */
static inline __attribute__((always_inline)) void move(struct radix_sort *sort,
                                                       const struct array *from, struct array *to,
                                                       int shift, int key_bytes, int has_values) {
    int first_pass = shift == 0, last_pass = shift == 8 * key_bytes - BITS;
    int kind = sort->parameters.key_kind, in = first_pass ? kind : UNSIGNED_KEYS;
    int out = last_pass ? kind : UNSIGNED_KEYS;
    size_t sum = 0;

    memset(sort->counts, 0, (size_t)sort->parts * sizeof *sort->counts);
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1)
#endif
    for (int part = 0; part < sort->parts; part++)
        for (int i = first_of(sort, part); i < first_of(sort, part + 1); i++)
            sort->counts[part]
                        [ordered(get(from, i, key_bytes), key_bytes, in) >> shift & (DIGITS - 1)]++;
    for (int digit = 0; digit < DIGITS; digit++)
        for (int part = 0; part < sort->parts; part++) {
            size_t count = sort->counts[part][digit];

            sort->counts[part][digit] = sum;
            sum += count;
        }
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1)
#endif
    for (int part = 0; part < sort->parts; part++)
        for (int i = first_of(sort, part); i < first_of(sort, part + 1); i++) {
            uint64_t key = ordered(get(from, i, key_bytes), key_bytes, in);
            int place = (int)sort->counts[part][key >> shift & (DIGITS - 1)]++;

            set(to, place, unordered(key, key_bytes, out), key_bytes);
            if (has_values)
                to->values[place] = from->values[i];
        }
}

static void move_any(struct radix_sort *sort, const struct array *from, struct array *to,
                     int shift) {
    if (sort->parameters.key_bytes == 4 && !sort->parameters.has_values)
        move(sort, from, to, shift, 4, 0);
    else if (sort->parameters.key_bytes == 4)
        move(sort, from, to, shift, 4, 1);
    else if (!sort->parameters.has_values)
        move(sort, from, to, shift, 8, 0);
    else
        move(sort, from, to, shift, 8, 1);
}

static int array_create(struct array *array, const struct radix_sort_parameters *parameters) {
    size_t n = (size_t)parameters->n;

    array->keys = malloc(n * (size_t)parameters->key_bytes + 1);
    array->values = malloc(n * sizeof(unsigned) + 1);
    return array->keys && array->values;
}

static void array_destroy(struct array *array) {
    free(array->keys);
    free(array->values);
}

struct radix_sort *radix_sort_create(const struct radix_sort_parameters *parameters, const void *in,
                                     void *out) {
    struct radix_sort *sort = calloc(1, sizeof *sort);

    if (!sort)
        return NULL;
    sort->parameters = *parameters;
    sort->in = in;
    sort->out = out;
    sort->parts = 1;
#ifdef _OPENMP
    sort->parts = omp_get_max_threads();
#endif
    sort->counts = malloc((size_t)sort->parts * sizeof *sort->counts);
    if (sort->counts && array_create(&sort->input, parameters) &&
        array_create(&sort->sorted[0], parameters) && array_create(&sort->sorted[1], parameters))
        return sort;
    radix_sort_destroy(sort);
    return NULL;
}

/* As many passes as a key has bytes, an even number: the result is in sorted[1]. */
static void sort_once(struct radix_sort *sort) {
    const struct array *from = &sort->input;

    for (int p = 0; p < sort->parameters.key_bytes; p++) {
        move_any(sort, from, &sort->sorted[p % 2], p * BITS);
        from = &sort->sorted[p % 2];
    }
}

static void change(struct radix_sort *sort) {
    int n = sort->parameters.n, key_bytes = sort->parameters.key_bytes;

    if (n > 0)
        set(&sort->input, 0,
            get(&sort->input, 0, key_bytes) + get(&sort->sorted[1], n / 2, key_bytes), key_bytes);
}

int radix_sort_run(struct radix_sort *sort, int sorts) {
    size_t keys_bytes = (size_t)sort->parameters.n * (size_t)sort->parameters.key_bytes;
    size_t values_bytes =
        sort->parameters.has_values ? (size_t)sort->parameters.n * sizeof(unsigned) : 0;

    memcpy(sort->input.keys, sort->in, keys_bytes);
    memcpy(sort->input.values, (const char *)sort->in + keys_bytes, values_bytes);
    for (int s = 0; s < sorts; s++) {
        if (s > 0)
            change(sort);
        sort_once(sort);
    }
    memcpy(sort->out, sort->sorted[1].keys, keys_bytes);
    memcpy((char *)sort->out + keys_bytes, sort->sorted[1].values, values_bytes);
    return 0;
}

void radix_sort_destroy(struct radix_sort *sort) {
    array_destroy(&sort->input);
    array_destroy(&sort->sorted[0]);
    array_destroy(&sort->sorted[1]);
    free(sort->counts);
    free(sort);
}
