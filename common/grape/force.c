/* Forces, in two halves: the first takes bodies i and predicts bodies j, the second sums. */
#include "clusters.h"
#include "grape6.h"

#include <math.h>
#include <string.h>

static int check_targets(const struct cluster *cluster, int id) {
    if (cluster->nj < 1 || cluster->nj > GRAPE6_BODIES)
        return grape6_error(GRAPE6_BAD_ARGUMENT, id, "nj = %d is not a number from 1 to %d",
                            cluster->nj, GRAPE6_BODIES);
    for (int i = 0; i < cluster->ni; i++) {
        const struct i_body *target = &cluster->targets[i];

        if (!grape6_is_finite(target->x) || !grape6_is_finite(target->v))
            return grape6_error(GRAPE6_BAD_ARGUMENT, id,
                                "body i %d has a position or velocity that is not finite", i);
        if (!(target->eps2 >= 0 && target->eps2 < INFINITY))
            return grape6_error(GRAPE6_BAD_ARGUMENT, id, "eps2 = %g is not 0 or more",
                                target->eps2);
    }
    return 0;
}

/* Predicts bodies j for the targets. What is wrong is told here, its code also by finish(). */
static int start(struct cluster *cluster, int id) {
    cluster->is_started = 1;
    cluster->code = check_targets(cluster, id);
    if (!cluster->code) {
        cluster->code = cluster->backend->predict(cluster->state, cluster->ti, cluster->nj);
        if (cluster->code)
            grape6_error(cluster->code, id, "%s for %d predicted bodies",
                         grape6_reason(cluster->code), cluster->nj);
    }
    return cluster->code;
}

/* Something new has come: forces and lists of before are gone. */
static void stop(struct cluster *cluster) {
    cluster->is_started = cluster->has_lists = 0;
}

static int take_ni(struct cluster *cluster, int id, int ni) {
    stop(cluster);
    cluster->ni = 0;
    if (ni < 1 || ni > g6_npipes())
        return cluster->code =
                   grape6_error(GRAPE6_BAD_ARGUMENT, id, "ni = %d is not a number from 1 to %d", ni,
                                g6_npipes());
    cluster->ni = ni;
    return 0;
}

void g6calc_firsthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                      double fold[][3], double jold[][3], double phiold[], double eps2,
                      double h2[]) {
    struct cluster *cluster = grape6_enter(id);

    (void)fold, (void)jold, (void)phiold; /* scales of the hardware's numbers */
    if (!cluster)
        return;
    if (!take_ni(cluster, id, ni)) {
        for (int i = 0; i < ni; i++) {
            struct i_body *target = &cluster->targets[i];

            *target = (struct i_body){.eps2 = eps2, .h2 = h2 ? h2[i] : 0, .index = index[i]};
            memcpy(target->x, xi[i], sizeof target->x);
            memcpy(target->v, vi[i], sizeof target->v);
        }
        cluster->nj = nj;
        start(cluster, id);
    } else {
        cluster->is_started = 1; /* and failed */
    }
    grape6_leave(cluster);
}

static int sum(struct cluster *cluster, int id, int wants_nearest) {
    int wants = (cluster->has_jerk ? WANTS_JERK : 0) | (wants_nearest ? WANTS_NEAREST : 0);
    int code =
        cluster->backend->sum(cluster->state, cluster->targets, cluster->ni, wants, cluster->felt);

    if (code)
        return grape6_error(code, id, "%s for %d sums", grape6_reason(code), cluster->ni);
    for (int i = 0; i < cluster->ni; i++) {
        struct force *felt = &cluster->felt[i];

        if (!cluster->has_jerk)
            memset(felt->jerk, 0, sizeof felt->jerk);
        if (!grape6_is_finite(felt->acceleration) || !grape6_is_finite(felt->jerk) ||
            !isfinite(felt->potential))
            return grape6_error(
                GRAPE6_OVERFLOW, id,
                "the force on body i %d is not finite; a body is too near or too far", i);
    }
    return 0;
}

/* The forces of the targets, to those of the arrays that are not NULL. */
static int finish(struct cluster *cluster, int id, double acc[][3], double jerk[][3], double pot[],
                  int nearest[]) {
    int code = cluster->is_started ? cluster->code : start(cluster, id);

    if (!code)
        code = sum(cluster, id, nearest != NULL);
    for (int i = 0; !code && i < cluster->ni; i++) {
        const struct force *felt = &cluster->felt[i];

        memcpy(acc[i], felt->acceleration, sizeof felt->acceleration);
        memcpy(jerk[i], felt->jerk, sizeof felt->jerk);
        pot[i] = felt->potential;
        if (nearest)
            nearest[i] = felt->neighbour;
    }
    return code;
}

int g6calc_lasthalf2(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                     double eps2, double h2[], double acc[][3], double jerk[][3], double pot[],
                     int nearest[]) {
    struct cluster *cluster = grape6_enter(id);
    int code;

    (void)index, (void)xi, (void)vi, (void)eps2, (void)h2; /* as the first half took them */
    if (!cluster)
        return GRAPE6_NOT_OPEN;
    if (!cluster->is_started)
        code = grape6_error(GRAPE6_NO_FORCE, id, "no first half comes before this second one");
    else if (!cluster->code && (ni != cluster->ni || nj != cluster->nj))
        code = grape6_error(GRAPE6_BAD_ARGUMENT, id,
                            "the first half had ni = %d and nj = %d, the second %d and %d",
                            cluster->ni, cluster->nj, ni, nj);
    else
        code = finish(cluster, id, acc, jerk, pot, nearest);
    grape6_leave(cluster);
    return code;
}

int g6calc_lasthalf(int id, int nj, int ni, int index[], double xi[][3], double vi[][3],
                    double eps2, double h2[], double acc[][3], double jerk[][3], double pot[]) {
    return g6calc_lasthalf2(id, nj, ni, index, xi, vi, eps2, h2, acc, jerk, pot, NULL);
}

SAME(g6calc_lasthalfn, g6calc_lasthalf);
SAME(g6calc_lasthalf2n, g6calc_lasthalf2);
SAME(GPUcalc_firsthalf, g6calc_firsthalf);
SAME(GPUcalc_lasthalf, g6calc_lasthalf);
SAME(GPUcalc_lasthalf2, g6calc_lasthalf2);

/* The same in smaller pieces, which come in any order. */

void g6_set_i_particle(int id, int pipe, int index, double x[3], double v[3], double eps2,
                       double h2) {
    struct cluster *cluster = grape6_enter(id);

    if (!cluster)
        return;
    if (pipe < 0 || pipe >= g6_npipes()) {
        grape6_error(0, id, "there is no pipe %d; they are 0 to %d", pipe, g6_npipes() - 1);
    } else {
        struct i_body *target = &cluster->targets[pipe];

        *target = (struct i_body){.eps2 = eps2, .h2 = h2, .index = index};
        memcpy(target->x, x, sizeof target->x);
        memcpy(target->v, v, sizeof target->v);
        stop(cluster);
    }
    grape6_leave(cluster);
}

void g6_set_nip(int id, int ni) {
    struct cluster *cluster = grape6_enter(id);

    if (!cluster)
        return;
    take_ni(cluster, id, ni);
    grape6_leave(cluster);
}

void g6_set_njp(int id, int nj) {
    struct cluster *cluster = grape6_enter(id);

    if (!cluster)
        return;
    stop(cluster);
    cluster->nj = nj;
    grape6_leave(cluster);
}

int g6_get_force_etc(int id, double acc[][3], double jerk[][3], double pot[], int nearest[],
                     int flag[]) {
    struct cluster *cluster = grape6_enter(id);
    int code;

    if (!cluster)
        return GRAPE6_NOT_OPEN;
    if (!cluster->ni)
        code = grape6_error(GRAPE6_NO_FORCE, id, "it has no bodies i; g6_set_nip() comes first");
    else
        code = finish(cluster, id, acc, jerk, pot, nearest);
    for (int i = 0; !code && flag && i < cluster->ni; i++)
        flag[i] = 0;
    grape6_leave(cluster);
    return code;
}

int g6_get_force(int id, double acc[][3], double jerk[][3], double pot[], int flag[]) {
    return g6_get_force_etc(id, acc, jerk, pot, NULL, flag);
}

int g6_set_jerk_mode(int id, int mode) {
    struct cluster *cluster = grape6_enter(id);

    if (!cluster)
        return GRAPE6_NOT_OPEN;
    cluster->has_jerk = mode != 0;
    grape6_leave(cluster);
    return 0;
}
