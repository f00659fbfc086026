/* The contract of a step that adds up an array: a step defines these functions and its own
 * struct reduction. Nothing else of the harness is visible to it. */
#ifndef REDUCE_H
#define REDUCE_H

#ifdef __cplusplus
#define REDUCE_BOTH __host__ __device__ /* the C++ here is CUDA */
extern "C" {
#else
#define REDUCE_BOTH
#endif

struct reduce_parameters {
    int n;         /* elements, 0 or more */
    int of_floats; /* they are of type float; 0: of type unsigned */
};

/* The step's own. */
struct reduction;

/* Prepares the reduction of parameters->n elements; not timed. `in` (n elements) and `out` (one)
 * stay where they are until reduction_destroy; their contents are not defined yet. Returns NULL on
 * failure. */
struct reduction *reduction_create(const struct reduce_parameters *parameters, const void *in,
                                   void *out);

/* Timed. Reads `in`, which is filled anew before every call, makes `passes` passes over it and
 * writes the sum of the last one to `out`. The first pass adds up the elements as they are. Each
 * later one adds up what change_integer() or change_float() makes of each element and of the sum of
 * the previous pass: no pass can begin before the previous one has ended. Sums of unsigned wrap
 * around at 2^32; on every GPU sums of int wrap around to the same bits. Returns 0 when done; any
 * other value is reported as the step's own error. */
int reduction_run(struct reduction *reduction, int passes);

void reduction_destroy(struct reduction *reduction);

/* Optional, for a step on a GPU that is also timed by the device's own clock: puts `passes` passes
 * into the default stream, over the elements of the last run, and waits for none. What it leaves
 * behind is never looked at. */
void reduction_passes(struct reduction *reduction, int passes);

/* An element in the pass after the sum `last`; `last` is 0 before the first pass. */
static inline REDUCE_BOTH unsigned change_integer(unsigned element, unsigned last) {
    return element ^ last;
}

/* The same for floats, where each element is multiplied by a factor, 1 / (1 + |last|). Floats may
 * be added up in any order, so `last` differs a little between programs; with this factor small
 * differences stay small in all later passes. */
static inline REDUCE_BOTH float factor_after(float last) {
    return 1 / (1 + (last < 0 ? -last : last));
}

static inline REDUCE_BOTH float change_float(float element, float factor) {
    return element * factor;
}

#ifdef __cplusplus
}
#endif

#endif
