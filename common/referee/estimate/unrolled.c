#include "unrolled.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static void push(struct unrolled *to, const struct path_item *item) {
    int k;

    if (to->count + item->count > to->room) {
        to->room = 2 * (to->count + item->count);
        if (!(to->code = realloc(to->code, (size_t)to->room * sizeof(int))))
            abort();
    }
    for (k = 0; k < item->count; k++)
        to->code[to->count++] = item->first + k;
}

/* The farthest repeat whose body begins at that item, or 0; `nests` says whether another is in it.
 */
static int find_repeat(const struct path *path, int begin, int end, int *nests) {
    int k, repeat = 0;

    for (k = begin; k < end; k++)
        if (path->items[k].times && k - path->items[k].count == begin)
            repeat = k;
    for (*nests = 0, k = begin; k < repeat; k++)
        *nests |= path->items[k].times != 0;
    return repeat;
}

static double unroll_items(struct unrolled *to, const struct path *path, int begin, int end,
                           struct cut cut) {
    double sum = 0, times, k;
    int at = begin, repeat, nests;

    while (at < end) {
        if (!(repeat = find_repeat(path, at, end, &nests))) {
            if (to)
                push(to, &path->items[at]);
            sum += path->items[at++].count;
            continue;
        }
        times = fmin(path->items[repeat].times, nests ? cut.outer : cut.inner);
        if (!to)
            sum += times * unroll_items(NULL, path, at, repeat, cut);
        for (k = 0; to && k < times; k++)
            sum += unroll_items(to, path, at, repeat, cut);
        at = repeat + 1;
    }
    return sum;
}

double unroll(struct unrolled *to, const struct path *path, struct cut cut) {
    return unroll_items(to, path, 0, path->count, cut);
}
