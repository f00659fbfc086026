#include "make_galaxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/galaxy/galaxy_problem.h"
#include "problems/orbits/orbits_problem.h"
#include "referee/base/clock.h"
#include "referee/base/progress.h"
#include "referee/inspect/one_program.h"
#include "survey.h"

/* Of `orbits`, by which bodies are moved: at its scale length the bulge turns twice. In M31 an
 * interval has 32 or 64 block steps. */
enum { INTERVALS = 10, MOST_BLOCKS = 256 /* in an interval */ };

static const char moved[] = "moved"; /* the variant of their facts */

/* Bodies, and who made them. */
struct galaxy_made {
    struct snapshot bodies;
    const char *step, *variant; /* of the facts */
    char maker[192];
};

static enum outcome check_options(const struct options *options) {
    const struct step *step = options->step;
    char message[512];

    if (!step && (options->of || options->file || options->variant))
        return complain(OUTCOME_USAGE, "OF, FILE and VARIANT of a galaxy need a step");
    if (step && strcmp(step->problem, galaxy_problem.name) != 0)
        return complain(OUTCOME_USAGE,
                        "%s is of the problem %s; a step that makes a galaxy is needed", step->name,
                        step->problem);
    if (options->from && (step || options->n))
        return complain(OUTCOME_USAGE, "FROM=%s: the bodies are in a file; leave %s out",
                        options->from, step ? "STEP" : "N");
    if ((options->from && !snapshot_format(options->from, message)) ||
        (options->to && !snapshot_format(options->to, message)))
        return complain(OUTCOME_USAGE, "%s", message);
    return OUTCOME_ACCEPTED;
}

/* Tipsy's stars are of one kind. If there are as many of them and of dark bodies as in M31, they
 * are its components, in their order. */
static void tell_components(struct snapshot *bodies) {
    struct galaxy_parameters m31;

    galaxy_problem.set_parameters(&m31, galaxy_problem.distributions[0], bodies->first[COMPONENTS],
                                  1);
    if (bodies->first[STELLAR_HALO] == bodies->first[DISK] &&
        bodies->first[STELLAR_HALO] == galaxy_first(&m31, STELLAR_HALO))
        for (int c = 0; c < COMPONENTS; c++)
            bodies->first[c] = galaxy_first(&m31, c);
}

static enum outcome read_galaxy(const char *path, struct galaxy_made *made) {
    char message[512];
    enum outcome outcome = snapshot_read(path, &made->bodies, message);

    if (outcome)
        return complain(outcome, "%s", message);
    tell_components(&made->bodies);
    made->step = "file";
    snprintf(made->maker, sizeof made->maker, "read from %s", path);
    return OUTCOME_ACCEPTED;
}

static enum outcome make(const struct options *options, struct galaxy_made *made) {
    static struct programs programs;
    const struct program *program = NULL;
    const struct step *step = options->step;
    const int n = options->n ? options->n : galaxy_problem.sizes->on_cpu;
    const uint64_t seed = 1;
    struct galaxy_parameters parameters;
    char message[WHAT_BYTES];
    enum outcome outcome;

    if ((step && (outcome = programs_choose(&programs, step, options, 0))) ||
        (step && (outcome = one_program(&programs, "plain", options->variant, &program))))
        return outcome;
    if (galaxy_m31(n, &parameters, &made->bodies, message))
        return complain(OUTCOME_INTERNAL, "%d bodies: %s", n, message);
    made->step = program ? step->name : "trusted";
    made->variant = program ? program->variant : made->variant;
    snprintf(made->maker, sizeof made->maker, "of M31 made by %s",
             program ? programs_source(&programs, program) : "the trusted program");
    return survey_run(&galaxy_problem, &programs, program, &parameters, n, &seed,
                      made->bodies.stars);
}

/* Writes down what the bodies are like. */
static enum outcome keep(const struct galaxy_made *made, const char *variant, const char *run,
                         const struct record *record) {
    struct fact *facts = NULL;
    enum outcome outcome;
    int count = 0;

    outcome =
        survey_bodies(&galaxy_problem, made->step, variant, &made->bodies, run, &facts, &count);
    if (!outcome)
        outcome = record_append_facts(record, facts, count);
    free(facts);
    return outcome;
}

static int intervals; /* by which bodies are moved */

static void show_progress(int done) {
    progress_show((double)done / intervals, "moved by %d of %d intervals", done, intervals);
}

/* Moves the bodies, and writes down what they are like then. Bodies of another kind of galaxy, or
 * in other units, may stay where they are. */
static enum outcome move(struct galaxy_made *made, const char *run, const struct record *record) {
    const int n = made->bodies.first[COMPONENTS];
    const struct orbits_scheme scheme = {.eta = 1,
                                         .leapfrog = 1,
                                         .by_tree = 1,
                                         .most_blocks = (long)MOST_BLOCKS * intervals,
                                         .after = show_progress};
    struct orbits_parameters parameters;
    struct orbits_flow *flow;
    struct fact fact = {0};
    double start = clock_now(), years;

    orbits_problem.set_parameters(&parameters, galaxy_problem.distributions[0], n, 1);
    years = intervals * parameters.interval * YEARS;
    flow = orbits_flow(&parameters, made->bodies.stars, intervals, &scheme);
    progress_end();
    if (!flow) {
        printf("they are not moved: memory is short, or steps would be below a %dth of %.2g "
               "million years; are masses or lengths in other units?\n",
               MOST_BLOCKS, 1e-6 * parameters.interval * YEARS);
        return OUTCOME_ACCEPTED;
    }
    orbits_flow_end(flow, n, made->bodies.stars);
    printf("moved by %.3g million years, %ld block steps with the forces of an octree, in %.1f s\n",
           1e-6 * years, flow->blocks, clock_now() - start);
    free(flow);
    fact_set(&fact, run, made->step, moved, "years", years, "years", "survey");
    return record_append_facts(record, &fact, 1) ? OUTCOME_RESULTS : keep(made, moved, run, record);
}

enum outcome make_galaxy(const struct options *options) {
    struct galaxy_made made = {.variant = galaxy_problem.name};
    struct record record;
    char run[RUN_BYTES], message[512];
    double start = clock_now();
    enum outcome outcome = check_options(options);

    if (!outcome)
        outcome = record_open(&record, options->results, galaxy_problem.name);
    if (!outcome)
        outcome = options->from ? read_galaxy(options->from, &made) : make(options, &made);
    if (!outcome && options->to && (outcome = snapshot_write(options->to, &made.bodies, message)))
        complain(outcome, "%s", message);
    record_name_run(run);
    if (!outcome)
        outcome = keep(&made, made.variant, run, &record);
    if (!outcome) {
        printf("%d bodies %s, and looked at, in %.1f s\n", made.bodies.first[COMPONENTS],
               made.maker, clock_now() - start);
        if (options->to)
            printf("written to %s\n", options->to);
        fflush(stdout);
        intervals = options->iterations ? options->iterations : INTERVALS;
        outcome = move(&made, run, &record);
    }
    free(made.bodies.stars);
    return outcome ? outcome : record_draw(&record, "survey", 0);
}
