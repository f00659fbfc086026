#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "techniques.h"

static double launches_per_iteration(const struct observed *observed) {
    return (double)observed->counters.launches / observed->iterations;
}

static void say_launches(const struct observed *observed, double bound, char *message) {
    unsigned long long launches = observed->counters.launches;

    (void)bound;
    snprintf(message, 512,
             "%llu kernel launch%s in %d iterations: the forces of every iteration are to be "
             "computed by a kernel",
             launches, launches == 1 ? "" : "es", observed->iterations);
}

/* The value of the last -DNAME=value among the flags of the compile line; -1 without one. */
static long macro_of(const char *flags, const char *name) {
    size_t length = strlen(name);
    const char *at = flags;
    long value = -1;

    for (; (at = strstr(at, "-D")); at += 2)
        if (!strncmp(at + 2, name, length) && at[2 + length] == '=')
            value = atol(at + 2 + length + 1);
    return value;
}

/* The first kernel whose blocks have other than THREADS threads, if that is a number above 0.
 * Blocks and threads exchanged compute the same, as far as a block may have so many threads. */
static const struct interval *other_block(const struct observed *observed) {
    const struct interval *kernel = NULL;
    long threads = macro_of(observed->flags, "THREADS");

    while ((kernel = next_kernel(&observed->counters, kernel)))
        if (threads > 0 && kernel->threads != (uint64_t)threads)
            break;
    return kernel;
}

static double has_blocks_as_given(const struct observed *observed) {
    return !other_block(observed);
}

static void say_block(const struct observed *observed, double bound, char *message) {
    const struct interval *interval = other_block(observed);

    (void)bound;
    snprintf(message, 512,
             "a block of %s has %llu thread%s where THREADS is %ld: the launch is <<<blocks, "
             "threads>>>",
             interval->kernel, (unsigned long long)interval->threads,
             interval->threads == 1 ? "" : "s", macro_of(observed->flags, "THREADS"));
}

static double unrolled(const struct observed *observed) {
    const struct counters *counters = &observed->counters;

    return counters->unrolled_loops && counters->other_unroll != UNROLL_BY_MACRO &&
           counters->other_unroll != UNROLL_BY_NO_CONSTANT;
}

static void say_unroll(const struct observed *observed, double bound, char *message) {
    static const char wanted[] =
        "; a constant has the variant's factor, so `#pragma unroll unroll` "
        "and `static const int unroll = UNROLL;` are wanted";
    const struct counters *counters = &observed->counters;
    const char *why;

    (void)bound;
    if (!counters->other_unroll) {
        snprintf(message, 512,
                 "no loop is unrolled: a `#pragma unroll unroll` before the loop over the bodies "
                 "of a tile is wanted");
        return;
    }
    why =
        counters->other_unroll == UNROLL_BY_MACRO
            ? "the factor of this `#pragma unroll` is a macro, which nvcc does not take, since no "
              "macro is expanded in a #pragma"
        : counters->other_unroll == UNROLL_BY_NO_CONSTANT
            ? "what stands behind this `#pragma unroll` is no constant expression of integers; "
              "nvcc "
              "ignores it or refuses the file"
        : counters->other_unroll == UNROLL_BY_NUMBER
            ? "the factor of this `#pragma unroll` is a number, so all variants are one program"
            : "this `#pragma unroll` has no factor, so all variants are one program";
    snprintf(message, 512, "%s:%llu: %s%s", observed->source,
             (unsigned long long)counters->other_unroll_line, why, wanted);
}

/* Of both ways, if they are as many; else none is right. */
static double copies_each_way(const struct observed *observed) {
    const struct counters *counters = &observed->counters;

    return counters->copies_in == counters->copies_out ? (double)counters->copies_in : NAN;
}

static void say_copies(const struct observed *observed, double bound, char *message) {
    const struct counters *counters = &observed->counters;

    (void)bound;
    snprintf(message, 512,
             "a run of %d iterations copied %llu times to the device and %llu times back; one copy "
             "each way is wanted: between iterations the bodies stay on the device",
             observed->iterations, (unsigned long long)counters->copies_in,
             (unsigned long long)counters->copies_out);
}

static double other_roots(const struct observed *observed) {
    return (double)observed->counters.other_roots;
}

static double rsqrtf_per_interaction(const struct observed *observed) {
    return (double)observed->counters.rsqrtf_calls / nbody_interactions(observed);
}

static void say_roots(const struct observed *observed, double bound, char *message) {
    const struct counters *counters = &observed->counters;

    (void)bound;
    snprintf(
        message, 512,
        "in %.0f interactions kernels called rsqrtf %llu times, and sqrtf or another root %llu "
        "times; one rsqrtf per interaction and no other root are wanted: rsqrtf(x) is "
        "1.0f / sqrtf(x)",
        nbody_interactions(observed), (unsigned long long)counters->rsqrtf_calls,
        (unsigned long long)counters->other_roots);
}

/* Whether the word that begins at `at` is one of these two. */
static int is_word(const char *at, size_t length, const char *one, const char *other) {
    return (strlen(one) == length && !strncmp(at, one, length)) ||
           (strlen(other) == length && !strncmp(at, other, length));
}

/* As nvcc reads them: of several -ftz the last one counts, and any goes before -use_fast_math,
 * wherever it stands. */
static double flushes_to_zero(const struct observed *observed) {
    int ftz = 0, ftz_given = 0, is_value = 0, fast_math = 0;
    const char *at = observed->flags;
    size_t length;

    for (; (length = strcspn(at += strspn(at, " ="), " =")); at += length) {
        if (is_value)
            ftz = is_word(at, length, "true", "true");
        is_value = is_word(at, length, "-ftz", "--ftz");
        ftz_given |= is_value;
        fast_math |= is_word(at, length, "-use_fast_math", "--use_fast_math");
    }
    return ftz_given ? ftz : fast_math;
}

static void say_flags(const struct observed *observed, double bound, char *message) {
    (void)bound;
    snprintf(message, 512,
             "with the flags %s denormals are kept; -ftz=true is wanted, in the file `flags` "
             "beside the source",
             observed->flags);
}

/* The lesser share of the two ways; a way without copies has none. */
static double page_locked(const struct observed *observed) {
    const struct counters *counters = &observed->counters;

    if (!counters->copies_in || !counters->copies_out)
        return 0;
    return fmin((double)counters->pinned_in / (double)counters->copies_in,
                (double)counters->pinned_out / (double)counters->copies_out);
}

static void say_pinned(const struct observed *observed, double bound, char *message) {
    const struct counters *counters = &observed->counters;

    (void)bound;
    snprintf(
        message, 512,
        "%llu of %llu copies to the device and %llu of %llu back had page-locked memory on the "
        "host's side; all are to have it, and one each way at least: cudaMallocHost instead of "
        "malloc",
        (unsigned long long)counters->pinned_in, (unsigned long long)counters->copies_in,
        (unsigned long long)counters->pinned_out, (unsigned long long)counters->copies_out);
}

const struct technique nbody_techniques_run[] = {
    {.name = "launches_per_iteration", .measure = launches_per_iteration, .say = say_launches},
    {.name = "threads_per_block_as_given",
     .measure = has_blocks_as_given,
     .say = say_block,
     .unbounded = 1},
    {.name = "unrolled_by_constant", .measure = unrolled, .say = say_unroll, .unbounded = 1},
    {.name = "copies_each_way", .measure = copies_each_way, .say = say_copies},
    {.name = "other_roots", .measure = other_roots, .say = say_roots},
    {.name = "rsqrtf_per_interaction", .measure = rsqrtf_per_interaction, .say = say_roots},
    {.name = "denormals_flushed", .measure = flushes_to_zero, .say = say_flags, .unbounded = 1},
    {.name = "page_locked_copies", .measure = page_locked, .say = say_pinned},
    {NULL},
};
