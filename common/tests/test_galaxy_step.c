/* Programs of the step that makes a galaxy: wrong ones, each told by its own cause. */
#include "testing.h"
#include "built.h"

TEST(programs_are_told_by_their_cause) {
    static const struct edit no_kit = {NULL};
    static const struct built_mutant mutants[] = {
        {{{"f_there * (cube(k + 1) - cube(k))", "f_there"}},
         300,
         OUTCOME_WRONG,
         "velocities with speed v grows as v^2 dv"},
        {{{"sqrt(-2 * value_at(galaxy->potential, at))", "sqrt(-value_at(galaxy->potential, at))"}},
         300,
         OUTCOME_WRONG,
         "0.707 times as fast"},
        {{{"sqrt(fmax(0, stream2))", "sqrt(circular2)"}}, 300, OUTCOME_WRONG, "asymmetric drift"},
        {{{"(2 * circular2[i] + rise)", "circular2[i]"}},
         300,
         OUTCOME_WRONG,
         "as around a point mass"},
        {{{"*galaxy->seed + (uint64_t)pass", "*galaxy->seed"}},
         300,
         OUTCOME_WRONG,
         "these are the bodies of *seed"},
        {{{"        centre(galaxy->out, p->n);", ""}}, 300, OUTCOME_WRONG, "centre of mass is not"},
    };

    assert_builds_rejected("44_galaxy", &no_kit, mutants, sizeof mutants / sizeof *mutants);
}

/* Right, but one thread makes all bodies. What another does before, for the tables, is not timed
 * and hides nothing. */
TEST(one_thread_is_not_enough) {
    static const struct edit other_first = {
        "    tabulate_disk(galaxy);\n    return",
        "    tabulate_disk(galaxy);\n"
        "    extern int omp_get_thread_num(void);\n"
        "#pragma omp parallel num_threads(2)\n"
        "    for (volatile int i = 0; i < 100000000 * omp_get_thread_num(); i++) {\n    }\n"
        "    return"};
    static const struct mutant alone = {"#pragma omp parallel for\n            for (int i = galaxy",
                                        "            for (int i = galaxy", 0, OUTCOME_IDEA,
                                        "one thread did"};

    assert_rejected("44_galaxy", "solutions/44_galaxy/galaxy.c", other_first, &alone, 1);
}

GROUP(read_catalogue, NULL)
