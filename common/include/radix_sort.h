/* The contract of a step that sorts an array of keys, with values or without: a step defines these
 * functions and its own struct radix_sort. Nothing else of the harness is visible to it. */
#ifndef RADIX_SORT_H
#define RADIX_SORT_H

#ifdef __cplusplus
extern "C" {
#endif

/* How the bits of a key are read. Floats are in the total order of IEEE 754: NaNs with the sign
 * bit, -infinity, ..., -0, +0, ..., +infinity, NaNs without it; NaNs are ordered by their bits. */
enum key_kind { UNSIGNED_KEYS, SIGNED_KEYS, FLOAT_KEYS };

struct radix_sort_parameters {
    int n;          /* keys, from 0 to 2^28 */
    int key_bytes;  /* 4 or 8 */
    int key_kind;   /* enum key_kind */
    int has_values; /* each key has a value of type unsigned */
};

/* The step's own. */
struct radix_sort;

/* Prepares sorting; not timed. `in` and `out` hold n keys each and, if keys have values, n values
 * behind them. They stay where they are until radix_sort_destroy; their contents are not defined
 * yet. Returns NULL on failure. */
struct radix_sort *radix_sort_create(const struct radix_sort_parameters *parameters, const void *in,
                                     void *out);

/* Timed. Reads `in`, which is filled anew before every call, sorts `sorts` times and writes what
 * the last sort gave to `out`: the keys in ascending order, each value where its key is; equal keys
 * and their values stay in the order of the input. Before each sort but the first, key 0 of the
 * input changes: the key at place n / 2 of the last result is added to it, both as unsigned
 * numbers, which wrap around. So no sort can begin before the last one has ended. All other keys,
 * and all values, stay those of `in`. Returns 0 when done; any other value is reported as the
 * step's own error. */
int radix_sort_run(struct radix_sort *sort, int sorts);

void radix_sort_destroy(struct radix_sort *sort);

/* Optional, for a step on a GPU that is also timed by the device's own clock: puts `sorts` sorts
 * into the default stream, of the keys of the last run, and waits for none. What it leaves behind
 * is never looked at. */
void radix_sort_passes(struct radix_sort *sort, int sorts);

#ifdef __cplusplus
}
#endif

#endif
