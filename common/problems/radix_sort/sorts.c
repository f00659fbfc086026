/* Two programs that sort: one by merging, which is easy to believe, and a fast one. */
#include "sort_problem.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdlib.h>
#include <string.h>

uint64_t key_bits(const struct radix_sort_parameters *parameters, const void *array, int i) {
    return parameters->key_bytes == 8 ? ((const uint64_t *)array)[i] : ((const uint32_t *)array)[i];
}

static void set_key_bits(const struct radix_sort_parameters *parameters, void *array, int i,
                         uint64_t bits) {
    if (parameters->key_bytes == 8)
        ((uint64_t *)array)[i] = bits;
    else
        ((uint32_t *)array)[i] = (uint32_t)bits;
}

static uint64_t sign_of(const struct radix_sort_parameters *parameters) {
    return UINT64_C(1) << (8 * parameters->key_bytes - 1);
}

static uint64_t all_bits(const struct radix_sort_parameters *parameters) {
    return parameters->key_bytes == 8 ? UINT64_MAX : UINT32_MAX;
}

uint64_t key_order(const struct radix_sort_parameters *parameters, uint64_t bits) {
    uint64_t sign = sign_of(parameters);

    if (parameters->key_kind == FLOAT_KEYS && bits & sign)
        return bits ^ all_bits(parameters);
    return parameters->key_kind == UNSIGNED_KEYS ? bits : bits ^ sign;
}

static uint64_t key_of_order(const struct radix_sort_parameters *parameters, uint64_t order) {
    uint64_t sign = sign_of(parameters);

    if (parameters->key_kind == FLOAT_KEYS && !(order & sign))
        return order ^ all_bits(parameters);
    return parameters->key_kind == UNSIGNED_KEYS ? order : order ^ sign;
}

static unsigned *values_of(const struct radix_sort_parameters *parameters, const void *array) {
    return (unsigned *)((char *)array + (size_t)parameters->n * (size_t)parameters->key_bytes);
}

unsigned key_value(const struct radix_sort_parameters *parameters, const void *array, int i) {
    return values_of(parameters, array)[i];
}

static size_t bytes_of(const struct radix_sort_parameters *parameters) {
    size_t of_one = (size_t)parameters->key_bytes + (parameters->has_values ? sizeof(unsigned) : 0);

    return (size_t)parameters->n * of_one;
}

/* Changes the input of the next sort by the result of the last one. */
static void change(const struct radix_sort_parameters *parameters, void *input,
                   const void *sorted) {
    if (parameters->n > 0)
        set_key_bits(parameters, input, 0,
                     key_bits(parameters, input, 0) +
                         key_bits(parameters, sorted, parameters->n / 2));
}

struct record {
    uint64_t order;
    unsigned value;
};

/* Of two sorted runs, [0, middle) and [middle, end); equal ones of the first come first. */
static void merge(const struct record *from, size_t middle, size_t end, struct record *to) {
    size_t left = 0, right = middle;

    for (size_t i = 0; i < end; i++)
        to[i] = left < middle && (right == end || from[left].order <= from[right].order)
                    ? from[left++]
                    : from[right++];
}

/* Leaves the sorted records in one of the two arrays, and returns which. */
static struct record *merge_sort(struct record *from, struct record *to, size_t n) {
    for (size_t run = 1; run < n; run *= 2) {
        struct record *swap = from;

        for (size_t first = 0; first < n; first += 2 * run) {
            size_t end = n - first < 2 * run ? n - first : 2 * run;

            merge(from + first, run < end ? run : end, end, to + first);
        }
        from = to;
        to = swap;
    }
    return from;
}

int sort_simply(const struct radix_sort_parameters *parameters, const void *input, void *output,
                int sorts) {
    size_t n = (size_t)parameters->n;
    struct record *records = malloc(2 * n * sizeof *records + 1), *sorted;
    void *keys = malloc(bytes_of(parameters) + 1);
    int result = records && keys ? 0 : -1;

    if (!result)
        memcpy(keys, input, bytes_of(parameters));
    for (int s = 0; s < sorts && !result; s++) {
        if (s > 0)
            change(parameters, keys, output);
        for (int i = 0; i < parameters->n; i++)
            records[i] =
                (struct record){key_order(parameters, key_bits(parameters, keys, i)),
                                parameters->has_values ? key_value(parameters, keys, i) : 0};
        sorted = merge_sort(records, records + n, n);
        for (int i = 0; i < parameters->n; i++) {
            set_key_bits(parameters, output, i, key_of_order(parameters, sorted[i].order));
            if (parameters->has_values)
                values_of(parameters, output)[i] = sorted[i].value;
        }
    }
    free(keys);
    free(records);
    return result;
}

enum { BITS = 8, DIGITS = 1 << BITS, MOST_THREADS = 256 };

static int first_of(int part, int parts, int n) {
    return (int)((long long)n * part / parts);
}

/* One pass: keys and values go to where those with their digit lie. Each thread has a part of the
 * array, in order; counts[part] is where the next key of each digit goes. */
static inline __attribute__((always_inline)) void
move_by_digit(const struct radix_sort_parameters *parameters, const void *from, void *to, int shift,
              size_t (*counts)[DIGITS], int key_bytes, int has_values) {
    struct radix_sort_parameters own = *parameters;
    int parts = 1;
    size_t sum = 0;

    own.key_bytes = key_bytes; /* a constant here */
#ifdef _OPENMP
    if (own.n >= WORTH_THREADS)
        parts = omp_get_max_threads() < MOST_THREADS ? omp_get_max_threads() : MOST_THREADS;
#endif
    memset(counts, 0, (size_t)parts * sizeof *counts);
#pragma omp parallel for schedule(static, 1) if (parts > 1)
    for (int part = 0; part < parts; part++)
        for (int i = first_of(part, parts, own.n); i < first_of(part + 1, parts, own.n); i++)
            counts[part][key_bits(&own, from, i) >> shift & (DIGITS - 1)]++;
    for (int digit = 0; digit < DIGITS; digit++)
        for (int part = 0; part < parts; part++) {
            size_t count = counts[part][digit];

            counts[part][digit] = sum;
            sum += count;
        }
#pragma omp parallel for schedule(static, 1) if (parts > 1)
    for (int part = 0; part < parts; part++)
        for (int i = first_of(part, parts, own.n); i < first_of(part + 1, parts, own.n); i++) {
            uint64_t bits = key_bits(&own, from, i);
            int place = (int)counts[part][bits >> shift & (DIGITS - 1)]++;

            set_key_bits(&own, to, place, bits);
            if (has_values)
                values_of(&own, to)[place] = values_of(&own, from)[i];
        }
}

/* From `keys` to `output`; both, and `between`, hold keys as unsigned numbers while it runs. */
static void sort_once(const struct radix_sort_parameters *parameters, const void *keys,
                      void *between, void *output, size_t (*counts)[DIGITS]) {
    const void *from = between;
    void *to = output;

#pragma omp parallel for if (parameters->n >= WORTH_THREADS)
    for (int i = 0; i < parameters->n; i++) {
        set_key_bits(parameters, between, i, key_order(parameters, key_bits(parameters, keys, i)));
        if (parameters->has_values)
            values_of(parameters, between)[i] = key_value(parameters, keys, i);
    }
    for (int shift = 0; shift < 8 * parameters->key_bytes; shift += BITS) {
        if (parameters->key_bytes == 4 && !parameters->has_values)
            move_by_digit(parameters, from, to, shift, counts, 4, 0);
        else if (parameters->key_bytes == 4)
            move_by_digit(parameters, from, to, shift, counts, 4, 1);
        else if (!parameters->has_values)
            move_by_digit(parameters, from, to, shift, counts, 8, 0);
        else
            move_by_digit(parameters, from, to, shift, counts, 8, 1);
        from = to;
        to = to == output ? between : output;
    }
    /* An even number of passes leaves them in `between`. */
#pragma omp parallel for if (parameters->n >= WORTH_THREADS)
    for (int i = 0; i < parameters->n; i++) {
        set_key_bits(parameters, output, i,
                     key_of_order(parameters, key_bits(parameters, between, i)));
        if (parameters->has_values)
            values_of(parameters, output)[i] = values_of(parameters, between)[i];
    }
}

int sort_fast(const struct radix_sort_parameters *parameters, const void *input, void *output,
              int sorts) {
    size_t(*counts)[DIGITS] = malloc(MOST_THREADS * sizeof *counts);
    void *changed = sorts > 1 ? malloc(bytes_of(parameters) + 1) : NULL;
    void *between = malloc(bytes_of(parameters) + 1);
    int result = counts && between && (changed || sorts <= 1) ? 0 : -1;

    if (!result && changed)
        memcpy(changed, input, bytes_of(parameters));
    for (int s = 0; s < sorts && !result; s++) {
        if (s > 0)
            change(parameters, changed, output);
        sort_once(parameters, changed ? changed : input, between, output, counts);
    }
    free(between);
    free(changed);
    free(counts);
    return result;
}
