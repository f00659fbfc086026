/* Step 31's program: the same bits whatever the order of blocks, right forces of close stars, and
 * what its technique check wants. */
#include "testing.h"
#include "jerk_inputs.h"
#include "catalogue_of_steps.h"
#include "technique_of_step.h"

static const struct step *step(void) {
    return catalogue_find(&catalogue, "31_jerk");
}

/* Several blocks of targets and parts of sources; stars at one place. */
TEST(every_order_of_blocks_gives_the_same_bits) {
    static const char *const distributions[] = {"crowded", "block_16"};
    static struct force forces[2][600];

    for (int d = 0; d < 2; d++) {
        struct jerk_input input = jerk_input(distributions[d], d ? 4000 : 600, 2);

        memset(forces, 0, sizeof forces);
        for (uint64_t seed = 1; seed <= 4; seed++) {
            jerk_play(step(), NULL, "two_floats", &input, seed, forces[seed > 1]);
            for (int i = 0; i < input.parameters.targets; i++)
                assert_memory_equal(&forces[0][i], &forces[seed > 1][i],
                                    offsetof(struct force, neighbour) + sizeof(int));
        }
        free(input.sources);
    }
}

/* Of stars a few millionths of the sphere apart the force is right to 1e-6 of itself with two
 * floats, and wrong by more than a thousandth with one. */
TEST(close_stars_need_two_floats) {
    enum { N = 240 };
    static struct force forces[N];
    static const char *const variants[] = {"two_floats", "floats"};
    struct jerk_input input = jerk_input("close", N, 4);
    double largest[2] = {0};

    for (int v = 0; v < 2; v++) {
        jerk_play(step(), NULL, variants[v], &input, 1, forces);
        for (int i = 0; i < N; i++) {
            struct felt right =
                jerk_feel(&input.parameters, input.sources, &input.targets[i], RIGHT, -1);
            double errors[3];

            jerk_errors(&right, &forces[i], errors);
            largest[v] = fmax(largest[v], errors[0]);
        }
    }
    assert_true(largest[0] < 1e-6);
    assert_true(largest[1] > 1e-3);
    free(input.sources);
}

/* What a pass leaves out, and a source that is loaded for each target, is told. */
TEST(technique_is_all_roots_and_few_loads) {
    static struct observed observed;
    struct trace_line *line = observed.counters.lines;
    char message[512];

    observed.n = 512;
    observed.iterations = 2;
    observed.counters.rsqrtf_calls = 2 * 512 * 512;
    observed.counters.traced_lines = 1;
    *line =
        (struct trace_line){.space = SHARED_MEMORY, .width = 16, .requests = 1, .broadcasts = 1};
    line->bytes = 16 * 3 * 2 * 512 * 512 / 4;
    assert_int_equal(step_follows(&jerk_problem, "31_jerk", &observed, message), 1);
    line->bytes *= 4;
    assert_int_equal(step_follows(&jerk_problem, "31_jerk", &observed, message), 0);
    assert_non_null(strstr(message, "3.00 loads of sources"));
    line->bytes /= 4;
    observed.counters.rsqrtf_calls /= 2;
    assert_int_equal(step_follows(&jerk_problem, "31_jerk", &observed, message), 0);
    assert_non_null(strstr(message, "0.50 roots"));
}

GROUP(read_catalogue_without_nvcc, NULL)
