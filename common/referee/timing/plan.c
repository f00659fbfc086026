#include "plan.h"

#include <string.h>

/* Of a rate over n. */
enum { SMALLEST_OVER_N = 1024, LARGEST_OVER_N = 1048576 };

int plan_is_timed(const char *backend) {
    return strcmp(backend, "cpucuda") != 0;
}

static int has_size(const int *sizes, int n) {
    while (*sizes && *sizes != n)
        sizes++;
    return *sizes != 0;
}

/* The GPU's own number of iterations at n. */
static int iterations_of(const struct planned *planned, int n) {
    if (planned->iterations)
        return planned->iterations;
    return !strcmp(planned->backend, "cuda") && has_size(planned->sizes->timed, n)
               ? planned->sizes->iterations
               : 0;
}

/* Adds the size in its place, unless it is there. Returns how many there are. */
static int add(const struct planned *planned, struct occasion *occasions, int count, int n) {
    int quick = n <= planned->sizes->with_errors && (strcmp(planned->backend, "cpu") || !count);
    int errors = quick || !plan_is_timed(planned->backend), at = count;

    while (at > 0 && occasions[at - 1].n >= n)
        at--;
    if (at < count && occasions[at].n == n)
        return count;
    memmove(&occasions[at + 1], &occasions[at], (size_t)(count - at) * sizeof *occasions);
    occasions[at] = (struct occasion){n, iterations_of(planned, n), errors};
    return count + 1;
}

/* One iteration makes the output that is judged; the clock is not the referee's. */
static int plan_device_clock(const struct planned *planned, struct occasion occasions[MOST_SIZES]) {
    const int asked[] = {planned->n, 0};
    const int *n = planned->n ? asked : planned->sizes->by_device;
    int count = 0;

    while (*n && (!count || count < planned->device_sizes || planned->is_default))
        occasions[count++] = (struct occasion){*n++, 1, 1};
    return count;
}

int plan_occasions(const struct planned *planned, struct occasion occasions[MOST_SIZES]) {
    int small = !plan_is_timed(planned->backend) || (planned->ladder && !planned->gpu);
    int all = !strcmp(planned->backend, "cuda") ||
              (planned->is_default && !planned->threads && !planned->ladder);
    const int one[] = {planned->n ? planned->n : planned->sizes->small, 0};
    const int *sizes = planned->n || small ? one : planned->sizes->timed;
    int count = 0, n;

    if (!planned->is_default &&
        (planned->ladder || (planned->device_too && planned->sizes->device_alone)))
        return 0;
    if (planned->device_clock)
        return plan_device_clock(planned, occasions);
    for (; *sizes && (all || !count); sizes++)
        if (!(planned->companion && planned->gpu && *sizes > planned->sizes->beside &&
              !strcmp(planned->backend, "cpu")))
            count = add(planned, occasions, count, *sizes);
    if (planned->over_n && planned->is_default && !planned->ladder && !planned->n &&
        !strcmp(planned->backend, "cuda"))
        for (n = SMALLEST_OVER_N; n <= LARGEST_OVER_N; n *= 2)
            count = add(planned, occasions, count, n);
    return count;
}

int plan_largest(const struct sizes *sizes) {
    const int *lists[] = {sizes->timed, sizes->by_device};
    int largest = LARGEST_OVER_N, i;

    for (i = 0; i < 2; i++)
        for (const int *n = lists[i]; n && *n; n++)
            largest = *n > largest ? *n : largest;
    return largest;
}
