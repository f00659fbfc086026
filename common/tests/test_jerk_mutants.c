/* Mutants of step 31's program, each rejected for its reason. */
#include "testing.h"
#include "jerk_inputs.h"
#include "edited.h"

static const struct step *step(void) {
    return catalogue_find(&catalogue, "31_jerk");
}

static const char *changed(const char *from, const char *to) {
    return edited("solutions/31_jerk/jerk.cu",
                  (const struct edit[]){SPLICED("gravity.h"), {from, to}, {NULL}});
}

TEST(wrong_programs_are_told_apart) {
    static const struct {
        const char *from, *to, *distribution;
        int n;
        enum outcome outcome;
        const char *phrase;
    } mutants[] = {
        /* A tile that holds the target itself counts as it is. */
        {"self < 0 ||", "1 ||", "plummer", 300, OUTCOME_WRONG, "itself is among its sources"},
        /* The target is taken for the one that another thread of its group has. */
        {"self % SHARES != share", "self % SHARES != 0", "block_16", 300, OUTCOME_WRONG,
         "wrong acceleration"},
        /* An infinite sum counts. */
        {"isfinite(sums[b].potential)", "1", "coincident", 100, OUTCOME_NOT_FINITE,
         "without softening a source at its place"},
        /* A star at the target's place is no neighbour. */
        {"sums.nearest = 0", "sums.nearest = sums.nearest", "coincident", 600, OUTCOME_WRONG,
         "wrong neighbour"},
        {"tile->low[j]) == own->index)", "tile->low[j]) == -2)", "plummer", 300, OUTCOME_WRONG,
         "itself is among its sources"},
        /* With softening a source at the target's place has a pull. */
        {"squared(r) + softening2 > 0", "squared(r) > 0", "crowded", 500, OUTCOME_WRONG,
         "wrong jerk"},
        {"-3 * (rv", "3 * (rv", "plummer", 100, OUTCOME_WRONG, "wrong jerk"},
        {"-3 * (rv", "-1 * (rv", "plummer", 100, OUTCOME_WRONG, "lacks its factor 3"},
        {"sources.low[j])), j)", "sources.low[j])) + 0.0025f, j)", "crowded", 300, OUTCOME_WRONG,
         "compare r^2 alone"},
        {"-all.sums[6]", "all.sums[6]", "plummer", 100, OUTCOME_WRONG, "has the wrong sign"},
        {": index_of(sources.low[slot])", ": slot", "plummer", 100, OUTCOME_WRONG,
         "where its index is wanted"},
        /* What all sums, or some, were multiplied by. */
        {"potential = mass * inverse", "potential = 2 * mass * inverse", "plummer", 100,
         OUTCOME_WRONG, "jerks and potentials of all targets are 2 times the right ones"},
        {"add(&sums->jerk, scale,", "add(&sums->jerk, 0.5f * scale,", "unsoftened", 100,
         OUTCOME_WRONG,
         "jerks of all targets are 0.5 times the right ones, and the accelerations "
         "and potentials are right"},
        /* The last part and the last source of each are left out. */
        {"part < parts", "part < parts - 1", "plummer", 300, OUTCOME_WRONG, "wrong acceleration"},
        {"min(from + part, sources.count)", "min(from + part, sources.count) - 1", "plummer", 100,
         OUTCOME_WRONG, "the last source is left out"},
    };

    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        struct jerk_input input = jerk_input(mutants[m].distribution, mutants[m].n, 1);
        struct force *forces = malloc((size_t)input.parameters.targets * sizeof *forces);
        const char *file = changed(mutants[m].from, mutants[m].to);
        struct judgement judgement;

        jerk_play(step(), file, "two_floats", &input, 1, forces);
        judgement = jerk_judged(&input, mutants[m].distribution, forces);
        if (judgement.outcome != mutants[m].outcome ||
            !strstr(judgement.message, mutants[m].phrase))
            fail_msg("mutant %zu: outcome %d, \"%s\"", m, judgement.outcome, judgement.message);
        free(forces);
        free(input.sources);
    }
}

GROUP(read_catalogue_without_nvcc, NULL)
