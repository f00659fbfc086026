/* Inputs of timed runs that are kept from one program to the next. */
#include "testing.h"

#include <string.h>

#include "referee/judge/rounds.h"

static const struct problem *nbody, *masses, *scan;

static int find_problems(void **state) {
    (void)state;
    nbody = problem_find("nbody");
    masses = problem_find("nbody_masses");
    scan = problem_find("scan");
    return nbody && masses && scan ? 0 : -1;
}

GROUP(find_problems, NULL)

/* What a caller has filled in is there the next time. */
TEST(a_round_is_kept) {
    struct round *round = round_get(nbody, "uniform", 100, 1);
    void *input = round->input;

    assert_int_equal(round->right_iterations, 0);
    assert_null(round->answer);
    round->right_iterations = 3;
    memset(round->right, 7, 100);
    round_get(nbody, "uniform", 100, 2);
    round = round_get(nbody, "uniform", 100, 1);
    assert_ptr_equal(round->input, input);
    assert_int_equal(round->right_iterations, 3);
    assert_int_equal(((char *)round->right)[99], 7);
}

/* It is the input of its problem, distribution, size and seed, and no other. */
TEST(rounds_differ) {
    const struct {
        const struct problem *problem;
        const char *distribution;
        int n;
        uint64_t seed;
    } others[] = {{nbody, "uniform", 100, 4},
                  {nbody, "uniform", 101, 3},
                  {nbody, "cube", 100, 3},
                  {masses, "uniform", 100, 3},
                  {scan, scan->distributions[0], 100, 3}};
    struct round *round = round_get(nbody, "uniform", 100, 3);

    round->right_iterations = 5;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        size_t bytes = others[i].problem->input_bytes(others[i].distribution, others[i].n);
        void *input = malloc(bytes);

        assert_non_null(input);
        problem_timed_input(others[i].problem, input, others[i].distribution, others[i].n,
                            others[i].seed);
        round = round_get(others[i].problem, others[i].distribution, others[i].n, others[i].seed);
        assert_int_equal(round->right_iterations, 0);
        assert_memory_equal(round->input, input, bytes);
        free(input);
    }
}

/* Many fit; the oldest are forgotten, and one that was asked for meanwhile is not. */
TEST(the_oldest_are_forgotten) {
    round_get(nbody, "uniform", 10, 100)->right_iterations = 1;
    round_get(nbody, "uniform", 10, 101)->right_iterations = 1;
    for (uint64_t seed = 200; seed < 262; seed++)
        round_get(nbody, "uniform", 10, seed);
    assert_int_equal(round_get(nbody, "uniform", 10, 100)->right_iterations, 1);
    round_get(nbody, "uniform", 10, 262);
    assert_int_equal(round_get(nbody, "uniform", 10, 100)->right_iterations, 1);
    assert_int_equal(round_get(nbody, "uniform", 10, 101)->right_iterations, 0);
}
