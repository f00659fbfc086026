/* Lists of the bodies j that are nearer than each body i asks for. */
#include "clusters.h"
#include "grape6.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static int find(struct cluster *cluster, int id) {
    int code;

    if (!cluster->is_started || cluster->code)
        return grape6_error(GRAPE6_NO_FORCE, id,
                            "neighbours are those of a force; none was computed");
    for (int i = 0; i < cluster->ni; i++)
        if (isnan(cluster->targets[i].h2))
            return grape6_error(GRAPE6_BAD_ARGUMENT, id, "h2 of body i %d is not a number", i);
    code = cluster->backend->find(cluster->state, cluster->targets, cluster->ni, cluster->lists);
    if (code)
        return grape6_error(code, id, "%s for the neighbours of %d bodies i", grape6_reason(code),
                            cluster->ni);
    cluster->has_lists = 1;
    return 0;
}

int g6_read_neighbour_list(int id) {
    struct cluster *cluster = grape6_enter(id);
    int code;

    if (!cluster)
        return GRAPE6_NOT_OPEN;
    code = find(cluster, id);
    grape6_leave(cluster);
    return code;
}

int g6_get_neighbour_list(int id, int pipe, int most, int *count, int list[]) {
    struct cluster *cluster = grape6_enter(id);
    int code = 0;

    if (!cluster)
        return GRAPE6_NOT_OPEN;
    if (!cluster->has_lists) {
        code = grape6_error(GRAPE6_NO_FORCE, id,
                            "it has no lists; g6_read_neighbour_list() comes first");
    } else if (pipe < 0 || pipe >= cluster->ni) {
        code = grape6_error(GRAPE6_BAD_ARGUMENT, id, "there is no list %d; they are 0 to %d", pipe,
                            cluster->ni - 1);
    } else {
        const struct neighbours *found = &cluster->lists[pipe];
        int copied = found->count < most ? found->count : most;

        if (copied > 0)
            memcpy(list, found->index, copied * sizeof *list);
        *count = found->count;
        code = found->count > most;
    }
    grape6_leave(cluster);
    return code;
}

static atomic_int sort_mode;

void g6_set_neighbour_list_sort_mode(int mode) {
    sort_mode = mode;
}

int g6_get_neighbour_list_sort_mode(void) {
    return sort_mode;
}
