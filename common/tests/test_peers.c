/* The peers that run on a CPU: what a bench measures beside a solution is held to the same. */
#include "testing.h"
#include "referee/judge/check.h"
#include "catalogue_of_steps.h"

static int is_peer(const struct program *program) {
    return !strncmp(program->variant, "peer_", 5) && !strcmp(program->backend, "cpu");
}

/* They are right at three sizes, are built from peers.c, and are there for a bench alone. */
TEST(peers_on_a_cpu_are_right) {
    static const int sizes[] = {1, 5003, 10007};
    static const struct options options = {.of = "solutions"};
    static struct programs programs;
    int peers = 0;

    for (int s = 0; s < catalogue.count; s++) {
        const struct step *step = &catalogue.steps[s];
        char source[128];

        if (!strstr(step->manifest, "\npeers_c = "))
            continue;
        snprintf(source, sizeof source, "solutions/%s/peers.c", step->name);
        assert_int_equal(programs_choose(&programs, step, &options, 1), 0);
        programs.peers = 1;
        assert_int_equal(programs_build_timed(&programs, NULL, 0, 0), 0);
        for (int p = 0; p < programs.count; p++) {
            const struct program *program = &programs.list[p];
            struct verdict verdict;

            if (!is_peer(program))
                continue;
            peers++;
            assert_int_equal(program->all_threads, !strcmp(program->variant, "peer_openmp"));
            assert_string_equal(programs_source(&programs, program), source);
            for (int n = 0; n < 3; n++) {
                assert_int_equal(check_accuracy(&programs, program, sizes[n],
                                                problem_find(step->problem)->distributions[0], 0, 1,
                                                &verdict),
                                 0);
                if (verdict.outcome)
                    fail_msg("%s, %s: %s", step->name, program->variant, verdict.message);
            }
        }
        programs.peers = 0;
        assert_int_equal(programs_build_timed(&programs, NULL, 0, 0), 0);
        for (int p = 0; p < programs.count; p++)
            assert_false(is_peer(&programs.list[p]));
    }
    assert_int_equal(peers, 8); /* serial and openmp of four steps */
}

GROUP(read_catalogue_without_nvcc, NULL)
