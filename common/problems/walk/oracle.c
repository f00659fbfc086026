/* Accelerations by direct summation, in double. */
#include "walk_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 256 };

static double length_of(const double a[3]) {
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

struct pulled walk_pull(const struct walk_parameters *parameters, const struct tree_body *bodies,
                        int i, enum walk_rule rule) {
    const struct tree_body own = bodies[i];
    double softening = rule == UNSOFTENED_PULL ? 0 : parameters->softening, x = 0, y = 0, z = 0;
    double softening2 = rule == UNSQUARED_PULL ? softening : softening * softening, all = 0;
    double sign = rule == OPPOSITE_PULL ? -1 : 1;

#pragma omp simd reduction(+ : x, y, z, all)
    for (int j = 0; j < parameters->n; j++) {
        double dx = (double)bodies[j].x - own.x, dy = (double)bodies[j].y - own.y;
        double dz = (double)bodies[j].z - own.z, r2 = dx * dx + dy * dy + dz * dz;
        double s2 = r2 + softening2, scale = 0;

        if (s2 > 0)
            scale = sign * bodies[j].mass / (rule == TOO_LONG_PULL ? s2 : s2 * sqrt(s2));
        x += scale * dx;
        y += scale * dy;
        z += scale * dz;
        all += fabs(scale) * sqrt(r2);
    }
    return (struct pulled){{x, y, z}, all, 0};
}

/* The input of pass number `pass`, from 1 on; NULL when memory is short. */
static struct tree_body *bodies_of(const struct walk_parameters *parameters,
                                   const struct tree_body *input, int pass) {
    const struct tree_parameters of_tree = {parameters->n, parameters->leaf};
    int moved = tree_build(&of_tree, input, pass, NULL);
    struct tree_body *bodies = malloc((size_t)parameters->n * sizeof *bodies + 1);

    if (!bodies || moved < 0) {
        free(bodies);
        return NULL;
    }
    if (parameters->n > 0) {
        memcpy(bodies, input, (size_t)parameters->n * sizeof *bodies);
        bodies[0] = input[moved];
        bodies[0].mass = input[0].mass;
    }
    return bodies;
}

/* Bodies begin, begin + step, ... in their places of this pass; returns 0, or -1. */
static int pull_some(const struct walk_parameters *parameters, const struct tree_body *input,
                     int pass, int begin, int step, struct pulled *pulled) {
    struct tree_body *bodies = bodies_of(parameters, input, pass);

    if (!bodies)
        return -1;
#pragma omp parallel for schedule(dynamic) if ((double)parameters->n / step * parameters->n > 1e5)
    for (int i = begin; i < parameters->n; i += step) {
        double known = length_of(pulled[i].a);

        pulled[i] = walk_pull(parameters, bodies, i, RIGHT_PULL);
        pulled[i].known = pass > 1 ? known : 0;
    }
    free(bodies);
    return 0;
}

void *walk_answer(const void *memory, const void *input, const char *distribution, int passes) {
    const struct walk_parameters *parameters = memory;
    struct pulled *pulled = calloc((size_t)parameters->n + 1, sizeof *pulled);

    (void)distribution;
    for (int pass = passes > 1 ? passes - 1 : 1; pulled && pass <= passes; pass++)
        if (pull_some(parameters, input, pass, 0, 1, pulled)) {
            free(pulled);
            return NULL;
        }
    return pulled;
}

int walk_sample(const struct walk_parameters *parameters, const struct tree_body *input,
                int *step) {
    uint32_t bits;

    memcpy(&bits, &input[0].x, sizeof bits);
    *step = (parameters->n + SAMPLE - 1) / SAMPLE;
    return 1 + (int)(bits * UINT32_C(0x9e3779b9) % (uint32_t)*step);
}

int walk_trusted(const void *memory, const void *input, void *output, int passes) {
    const struct walk_parameters *parameters = memory;
    struct tree_body *bodies = bodies_of(parameters, input, passes);
    struct sampled *sampled = output;
    int step, first;

    if (!bodies || parameters->n == 0) {
        free(bodies);
        return bodies ? 0 : -1;
    }
    first = walk_sample(parameters, input, &step);
#pragma omp parallel for schedule(dynamic)
    for (int i = first; i < parameters->n; i += step) {
        struct pulled right = walk_pull(parameters, bodies, i, RIGHT_PULL);

        sampled[i] = (struct sampled){{(float)right.a[0], (float)right.a[1], (float)right.a[2]},
                                      (float)right.all,
                                      (float)length_of(right.a),
                                      passes == 1};
    }
    free(bodies);
    return 0;
}

double walk_sampled_error(const void *memory, const void *input, const void *output) {
    const struct walk_parameters *parameters = memory;
    const struct walk_force *forces = output;
    int step, first = walk_sample(parameters, input, &step);
    double of_errors = 0, of_all = 0;

#pragma omp parallel for schedule(dynamic) reduction(+ : of_errors, of_all)
    for (int i = first; i < parameters->n; i += step) {
        struct pulled right = walk_pull(parameters, input, i, RIGHT_PULL);
        const double off[3] = {forces[i].x - right.a[0], forces[i].y - right.a[1],
                               forces[i].z - right.a[2]};

        of_errors += pow(length_of(off), 2);
        of_all += pow(length_of(right.a), 2);
    }
    return of_all > 0 ? sqrt(of_errors / of_all) : 0;
}
