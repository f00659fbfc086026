#include "plan.h"

#include <string.h>

/* The homework's sizes and iterations behind Part I; and a size that one slow core can climb. */
static const int sizes[] = {30000, 65536, 131072};
enum { SIZES = sizeof sizes / sizeof *sizes, GPU_ITERATIONS = 10, SMALL = 4096 };

/* The smallest size of a rate over n, and the largest at which the oracle is quick. */
enum { SMALLEST_OVER_N = 1024, LARGEST_WITH_ERRORS = 131072, LARGEST_COMPANION = 65536 };

int plan_is_timed(const char *backend) {
    return strcmp(backend, "cpucuda") != 0;
}

/* The GPU's own number of iterations at n. */
static int iterations_of(const struct planned *planned, int n) {
    int i;

    if (planned->iterations)
        return planned->iterations;
    for (i = 0; i < SIZES; i++)
        if (!strcmp(planned->backend, "cuda") && n == sizes[i])
            return GPU_ITERATIONS;
    return 0;
}

/* Adds the size in its place, unless it is there. Returns how many there are. */
static int add(const struct planned *planned, struct occasion *occasions, int count, int n,
               int errors) {
    int at = count;

    while (at > 0 && occasions[at - 1].n >= n)
        at--;
    if (at < count && occasions[at].n == n)
        return count;
    memmove(&occasions[at + 1], &occasions[at], (size_t)(count - at) * sizeof *occasions);
    occasions[at] = (struct occasion){n, iterations_of(planned, n), errors};
    return count + 1;
}

/* One iteration makes the positions; the clock is not the referee's. */
static int plan_forces(const struct planned *planned, struct occasion occasions[MOST_SIZES]) {
    static const int ns[] = {131072, 1024, 4096, 16384, LARGEST_PLANNED};
    int count = planned->n || !planned->is_default ? 1 : sizeof ns / sizeof *ns, i;

    for (i = 0; i < count; i++) {
        int n = planned->n ? planned->n : ns[i];

        occasions[i] = (struct occasion){n, 1, 1};
    }
    return count;
}

int plan(const struct planned *planned, struct occasion occasions[MOST_SIZES]) {
    int small = !plan_is_timed(planned->backend) || (planned->ladder && !planned->gpu);
    int all = !strcmp(planned->backend, "cuda") ||
              (planned->is_default && !planned->threads && !planned->ladder);
    int wanted = planned->n || small || !all ? 1 : SIZES, count = 0, i, n;

    if (planned->ladder && !planned->is_default)
        return 0;
    if (planned->forces)
        return plan_forces(planned, occasions);
    for (i = 0; i < wanted; i++) {
        n = planned->n ? planned->n : small ? SMALL : sizes[i];
        if (!(planned->companion && planned->gpu && n > LARGEST_COMPANION &&
              !strcmp(planned->backend, "cpu")))
            count = add(planned, occasions, count, n,
                        n <= LARGEST_WITH_ERRORS || !plan_is_timed(planned->backend));
    }
    if (planned->over_n && planned->is_default && !planned->ladder && !planned->n &&
        !strcmp(planned->backend, "cuda"))
        for (n = SMALLEST_OVER_N; n <= LARGEST_PLANNED; n *= 2)
            count = add(planned, occasions, count, n, n <= LARGEST_WITH_ERRORS);
    return count;
}
