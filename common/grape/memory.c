/* The memory of bodies j, and the time that they are predicted to. */
#include "clusters.h"
#include "grape6.h"

#include <math.h>
#include <string.h>

static int write_body(struct cluster *cluster, int id, int address, const struct j_body *source) {
    int code;

    if (address < 0 || address >= GRAPE6_BODIES)
        return grape6_error(GRAPE6_BAD_ARGUMENT, id, "there is no address %d; they are 0 to %d",
                            address, GRAPE6_BODIES - 1);
    if (!grape6_is_finite(source->x) || !grape6_is_finite(source->v) ||
        !grape6_is_finite(source->aby2) || !grape6_is_finite(source->a1by6) ||
        !grape6_is_finite(source->a2by18) || !isfinite(source->mass) || !isfinite(source->tj))
        return grape6_error(GRAPE6_BAD_ARGUMENT, id,
                            "the body for address %d has numbers that are not finite", address);
    code = cluster->backend->write(cluster->state, address, source);
    return code
               ? grape6_error(code, id, "%s for a body at address %d", grape6_reason(code), address)
               : 0;
}

static void copy(double to[3], const double from[3]) {
    memcpy(to, from, 3 * sizeof *to);
}

int g6_set_j_particle(int id, int address, int index, double tj, double dtj, double mass,
                      double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3]) {
    struct cluster *cluster = grape6_enter(id);
    struct j_body source = {.mass = mass, .tj = tj, .index = index};
    int code;

    (void)dtj;
    if (!cluster)
        return GRAPE6_NOT_OPEN;
    copy(source.a2by18, a2by18);
    copy(source.a1by6, a1by6);
    copy(source.aby2, aby2);
    copy(source.v, v);
    copy(source.x, x);
    code = write_body(cluster, id, address, &source);
    grape6_leave(cluster);
    return code;
}

int g6_set_j_particle_mxonly(int id, int address, int index, double mass, double x[3]) {
    double zero[3] = {0};

    return g6_set_j_particle(id, address, index, 0, 0, mass, zero, zero, zero, zero, x);
}

int g6_set_ti(int id, double ti) {
    struct cluster *cluster = grape6_enter(id);
    int code = 0;

    if (!cluster)
        return GRAPE6_NOT_OPEN;
    if (isfinite(ti))
        cluster->ti = ti;
    else
        code = grape6_error(GRAPE6_BAD_ARGUMENT, id, "the time %g is not finite", ti);
    grape6_leave(cluster);
    return code;
}

SAME(GPU_set_j_particle, g6_set_j_particle);
SAME(GPU_set_ti, g6_set_ti);

void g6_get_predicted_j_particles(int id, int nj, double x[][3], double v[][3]) {
    struct cluster *cluster = grape6_enter(id);

    if (!cluster)
        return;
    if (nj < 0 || nj > GRAPE6_BODIES)
        grape6_error(0, id, "there are no %d bodies j; an address is 0 to %d", nj,
                     GRAPE6_BODIES - 1);
    else
        for (int j = 0; j < nj; j++)
            cluster->backend->locate(cluster->state, cluster->ti, j, x[j], v[j]);
    grape6_leave(cluster);
}

int g6_getnjmax(int id) {
    (void)id;
    return GRAPE6_BODIES;
}
