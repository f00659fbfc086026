/* One build of a step's solution at a time, a fraction of a whole check: of wrong versions, and of
 * what a check does not ask. For tests that start in the repository's root. */
#ifndef BUILT_H
#define BUILT_H

#include "edited.h"
#include "referee/inspect/one_program.h"
#include "referee/judge/check_program.h"
#include "technique_of_step.h"

/* A build of a solution's `file`, NULL for the step's source, with the kit's headers in their place
 * and edits, each list up to one without `from`; `variant` NULL is the default. NULL: there is no
 * compiler that could. */
static inline const struct program *built(const char *step_name, const char *file,
                                          const struct edit *kit, const struct edit *edits,
                                          const char *variant, const char *build,
                                          struct programs *programs) {
    const struct step *step = catalogue_find(&catalogue, step_name);
    char variants[MOST_VALUE], source[128];
    struct options options = {.variant = variant ? variant : default_variant(step, variants)};
    struct edit all[8] = {{NULL}};
    int count = 0;

    while (kit->from)
        all[count++] = *kit++;
    while (edits->from)
        all[count++] = *edits++;
    snprintf(source, sizeof source, "solutions/%s/%s", step_name, file ? file : step->source);
    options.file = edited(source, all);
    assert_int_equal(programs_choose(programs, step, &options, 0), 0);
    assert_int_equal(programs_build(programs, build, options.variant), 0);
    const struct program *program = programs_find(programs, options.variant, build);

    if (!program && (!programs->count || strcmp(programs->list[0].build, "missing")))
        fail_msg("%s has no build \"%s\"", step_name, build);
    return program;
}

/* Whether a build of n elements with edits follows the step's technique, and what is said of it. */
static inline int built_follows(const char *step_name, const char *file, const struct edit *kit,
                                const struct edit *edits, int n, char message[512]) {
    static struct programs programs;
    const struct program *trace = built(step_name, file, kit, edits, NULL, "trace", &programs);
    struct observed observed = {.n = n, .iterations = 2};

    *message = 0;
    if (!trace)
        skip();
    assert_int_equal(count_run(&programs, trace, n, 2, 1, &observed.counters), 0);
    return step_follows(problem_find(programs.step->problem), step_name, &observed, message);
}

struct built_mutant {
    struct edit edits[3];
    int n;
    enum outcome outcome;
    const char *phrase;
    const char *build, *variant, *file; /* NULL: plain, the default, the step's source */
};

/* Whether a build is rejected for the mutant's reason in a case of sanitizers, from the first on,
 * with its n, and in none before with another outcome. */
static inline int built_rejected(const struct programs *programs, const struct program *program,
                                 const struct built_mutant *mutant, struct verdict *verdict) {
    const struct check_case *from = problem_find(programs->step->problem)->sanitizer_cases;
    const char *last = "";
    uint64_t seed = 0; /* it draws how often a case is run */

    for (; from->distribution; last = from++->distribution) {
        const struct options options = {
            .n = mutant->n, .distribution = from->distribution, .seed = ++seed};

        if (!strcmp(from->distribution, last))
            continue;
        assert_int_equal(check_program(programs, program, &options, verdict, NULL), 0);
        if (verdict->outcome == mutant->outcome && verdict_says(verdict, mutant->phrase))
            return 1;
        if (verdict->outcome && verdict->outcome != mutant->outcome)
            return 0;
    }
    return 0;
}

static inline void assert_builds_rejected(const char *step_name, const struct edit *kit,
                                          const struct built_mutant *mutants, size_t count) {
    static struct programs programs;
    static struct verdict verdict;

    for (size_t m = 0; m < count; m++) {
        const char *build = mutants[m].build ? mutants[m].build : "plain";
        const struct program *program = built(step_name, mutants[m].file, kit, mutants[m].edits,
                                              mutants[m].variant, build, &programs);

        if (!program)
            skip();
        if (!built_rejected(&programs, program, &mutants[m], &verdict))
            fail_msg("mutant %zu: at last outcome %d, \"%s\", \"%s\"", m, verdict.outcome,
                     verdict.message, verdict.cases[0].message);
    }
}

#endif
