/* The technique and costs that the manifest of a step in steps/ names. For tests that start in the
 * repository's root. */
#ifndef TECHNIQUE_OF_STEP_H
#define TECHNIQUE_OF_STEP_H

#include "referee/build/catalogue.h"
#include "files.h"
#include "referee/build/manifest.h"
#include "problems/technique.h"

/* As technique_check(); -1 also for a step that there is not. */
static inline int step_follows(const struct problem *problem, const char *step,
                               const struct observed *observed, char *message) {
    char path[128], value[MOST_VALUE], *manifest;

    snprintf(path, sizeof path, "steps/%s/manifest", step);
    manifest = read_file(path, NULL);
    manifest_value(manifest, "technique", value);
    free(manifest);
    return technique_check(problem, value, observed, message);
}

/* What a variant costs of a resource; 0: nothing is known. */
static inline double step_cost(const struct problem *problem, const char *name, const char *variant,
                               const char *backend, const char *distribution,
                               const char *resource) {
    struct step step = {0};
    struct cost costs[MOST_COSTS];
    char path[128], *manifest;
    int count;

    snprintf(step.problem, sizeof step.problem, "%s", problem->name);
    snprintf(path, sizeof path, "steps/%s/manifest", name);
    step.manifest = manifest = read_file(path, NULL);
    count = step_costs(&step, variant, backend, distribution, costs);
    free(manifest);
    while (count-- > 0)
        if (!strcmp(costs[count].resource, resource))
            return costs[count].amount;
    return 0;
}

#endif
