/* Which steps there are: a step is a folder of steps/ with a manifest. */
#ifndef CATALOGUE_H
#define CATALOGUE_H

#include "cost.h"
#include "referee/base/options.h"

enum { MOST_STEPS = 64 };

struct step {
    char name[40];       /* of its folder: NN_name */
    char part[8];        /* I, II, ... */
    char problem[16];    /* nbody */
    char source[32];     /* nbody.cu */
    char builds_on[40];  /* a step's name; empty: none */
    char expected[128];  /* accepted,seed=decimals */
    char tolerance[128]; /* 1e-4,seed=1 */
    char title[96];
    const char *manifest; /* its text; NULL: that of no step in steps/ */
};

struct catalogue {
    struct step steps[MOST_STEPS];
    int count;
};

/* Reads the manifests of a folder's steps, in the order of their names; says what is wrong with a
 * line. */
enum outcome catalogue_read(struct catalogue *catalogue, const char *folder);

/* The step called `name` in full or by its number; NULL if there is none. */
const struct step *catalogue_find(const struct catalogue *catalogue, const char *name);

/* The end of Part I's ladder on the GPU: the last N-body step of that part in CUDA C; NULL: none.
 */
const struct step *catalogue_end(const struct catalogue *catalogue);

/* Whether its source is CUDA C. */
int step_is_cuda(const struct step *step);

/* Whether it has the backend that BACKEND asks for; ARCH asks for cuda. */
int step_has_backend(const struct step *step, const struct options *options);

/* The cell's value for a variant: a default, then variant=value, joined by commas. Written to
 * `value` (32 bytes). */
void cell_value(const char *cell, const char *variant, char *value);

/* OUTCOME_ACCEPTED, or how the results are wrong of a variant that the course shows for that. */
enum outcome step_expects(const struct step *step, const char *variant);

/* What a variant costs on the backend with inputs of that distribution: of the line
 * `cost_BACKEND_VARIANT`, else `cost_BACKEND`. Returns how many resources; 0 if nobody has counted.
 */
int step_costs(const struct step *step, const char *variant, const char *backend,
               const char *distribution, struct cost costs[MOST_COSTS]);

#endif
