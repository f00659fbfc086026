/* How exact a walk is, and for how many parts per body, over its two parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/sorted.h"
#include "walk_problem.h"

enum { BODIES = 1 << 12, FINEST = 20 /* accuracies 2^-1 to 2^-FINEST */ };

/* Angles: so many in a factor of two, below 1. */
enum { ANGLES = 12, PER_OCTAVE = 2 };

static const struct {
    const char *name;
    double share;
} percentiles[] = {{"p01", 0.01}, {"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1}};

struct seen {
    struct tree_body bodies[BODIES];
    struct walk_force out[BODIES];
    struct pulled *right; /* BODIES, after one or two passes */
    double errors[BODIES];
};

/* Sorts the relative errors of what bodies feel, and says them. */
static void say_errors(const struct surveyed *program, struct seen *seen, const char *what) {
    char name[40];

    for (int i = 0; i < BODIES; i++) {
        const double *a = seen->right[i].a;
        double x = seen->out[i].x - a[0], y = seen->out[i].y - a[1], z = seen->out[i].z - a[2];

        seen->errors[i] = sqrt((x * x + y * y + z * z) / (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
    }
    sort_ascending(seen->errors, BODIES);
    for (size_t p = 0; p < sizeof percentiles / sizeof *percentiles; p++) {
        int last = (int)ceil(percentiles[p].share * BODIES) - 1;

        snprintf(name, sizeof name, "%s_%s", what, percentiles[p].name);
        program->say(program->referee, name, seen->errors[last], "");
    }
}

/* Runs so many passes, the last one of which is looked at. Returns 0, or -1. */
static int look(const struct surveyed *program, const struct walk_parameters *parameters,
                int passes, struct seen *seen, const char *what) {
    char name[40];
    double parts = 0;

    if (program->run(program->referee, parameters, BODIES, passes, seen->bodies, seen->out))
        return -1;
    say_errors(program, seen, what);
    for (int i = 0; i < BODIES; i++)
        parts += seen->out[i].bodies + seen->out[i].nodes;
    snprintf(name, sizeof name, "%s_parts", what);
    program->say(program->referee, name, parts / BODIES, "");
    return 0;
}

/* The sums of all pairs in float, one after the other. */
static void sum_in_float(const struct walk_parameters *parameters, struct seen *seen) {
    float softening2 = (float)(parameters->softening * parameters->softening);

#pragma omp parallel for
    for (int i = 0; i < BODIES; i++) {
        const struct tree_body own = seen->bodies[i];
        float ax = 0, ay = 0, az = 0;

        for (int j = 0; j < BODIES; j++) {
            const struct tree_body *other = &seen->bodies[j];
            float x = other->x - own.x, y = other->y - own.y, z = other->z - own.z;
            float inverse = 1 / sqrtf(softening2 + x * x + y * y + z * z);
            float scale = other->mass * inverse * inverse * inverse;

            ax += scale * x;
            ay += scale * y;
            az += scale * z;
        }
        seen->out[i] = (struct walk_force){.x = ax, .y = ay, .z = az};
    }
}

/* Parameters of runs of so many passes; and what is right after them. NULL: memory is short. */
static struct pulled *begin(struct walk_parameters *parameters, struct seen *seen, int passes) {
    free(seen->right);
    walk_problem.set_parameters(parameters, "plummer", BODIES, passes);
    return seen->right = walk_answer(parameters, seen->bodies, "plummer", passes);
}

int walk_survey(const struct surveyed *program) {
    struct walk_parameters parameters;
    struct seen *seen = calloc(1, sizeof *seen);
    char name[40];
    int failed;

    if (!seen)
        return -1;
    walk_problem.generate(seen->bodies, "plummer", BODIES, 1);
    failed = !begin(&parameters, seen, 2);
    for (int k = 1; k <= FINEST && !failed; k++) {
        parameters.accuracy = ldexp(1, -k);
        snprintf(name, sizeof name, "accuracy_%02d", k);
        failed = look(program, &parameters, 2, seen, name);
    }
    failed = failed || !begin(&parameters, seen, 1);
    for (int k = 1; k <= ANGLES && !failed; k++) {
        parameters.angle = exp2(-(double)k / PER_OCTAVE);
        snprintf(name, sizeof name, "angle_%02d", k);
        failed = look(program, &parameters, 1, seen, name);
    }
    if (!failed) {
        sum_in_float(&parameters, seen);
        say_errors(program, seen, "direct");
    }
    free(seen->right);
    free(seen);
    return failed ? -1 : 0;
}
