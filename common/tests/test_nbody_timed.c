/* The verdict on a timed run: honest programs pass, programs that save work in the iterations that
 * nobody looks at do not. */
#include "nbody_inputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct timed_run {
    struct parameters parameters;
    struct body *in, *trusted, *out;
    int iterations;
    struct judgement judgement;
};

static struct timed_run start(const char *distribution, int n, int iterations) {
    struct timed_run run = {.parameters = parameters_of(distribution, n, iterations),
                            .in = generated(distribution, n, 71),
                            .trusted = bodies_of(n),
                            .out = bodies_of(n),
                            .iterations = iterations};
    nbody_problem.trusted(&run.parameters, run.in, run.trusted, iterations);
    return run;
}

static enum outcome judge(struct timed_run *run) {
    nbody_problem.judge_timed(&run->parameters, run->in, run->trusted, run->out, &run->judgement);
    return run->judgement.outcome;
}

static void end(struct timed_run *run) {
    free(run->in);
    free(run->trusted);
    free(run->out);
}

/* Moves along straight lines but for one iteration. */
static void force_in_last_iteration(struct timed_run *run) {
    int n = run->parameters.n;
    struct body *b = bodies_of(n);
    memcpy(b, run->in, (size_t)n * sizeof *b);
    for (int iteration = 1; iteration < run->iterations; iteration++) {
        for (int i = 0; i < n; i++) {
            b[i].x += run->parameters.dt * b[i].vx;
            b[i].y += run->parameters.dt * b[i].vy;
            b[i].z += run->parameters.dt * b[i].vz;
        }
    }
    assert_true(nbody_reference(&run->parameters, b, run->out, 1));
    free(b);
}

/* Half as many iterations, each twice as long. */
static void half_the_iterations(struct timed_run *run) {
    struct parameters twice = run->parameters;
    twice.dt *= 2;
    assert_true(nbody_reference(&twice, run->in, run->out, run->iterations / 2));
}

static void honest_runs_are_accepted(void **state) {
    (void)state;
    static const struct {
        const char *distribution;
        int n, iterations;
    } runs[] = {{"uniform", 1, 10},    {"uniform", 2, 10},     {"uniform", 1023, 1},
                {"uniform", 1024, 10}, {"uniform", 1024, 100}, {"plummer", 1024, 10},
                {"shell", 1024, 10},   {"uniform", 4096, 10}};
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        struct timed_run run = start(runs[r].distribution, runs[r].n, runs[r].iterations);
        assert_true(nbody_reference(&run.parameters, run.in, run.out, run.iterations));
        assert_int_equal(judge(&run), OUTCOME_ACCEPTED);
        assert_string_equal(run.judgement.message, "");
        assert_true(run.judgement.error_p99 < 2e-3); /* a hundredth of the limit */
        end(&run);
    }
}

static void savings_are_rejected(void **state) {
    (void)state;
    static const char *const distributions[] = {"uniform", "plummer", "shell"};
    for (int d = 0; d < 3; d++) {
        for (int iterations = 10; iterations <= 100; iterations *= 10) {
            struct timed_run run = start(distributions[d], 1024, iterations);
            force_in_last_iteration(&run);
            assert_int_equal(judge(&run), OUTCOME_TIMED_OUTPUT);
            assert_non_null(strstr(run.judgement.message, "velocities of the timed run differ"));
            if (iterations == 10) {
                half_the_iterations(&run);
                assert_int_equal(judge(&run), OUTCOME_TIMED_OUTPUT);
            }
            end(&run);
        }
    }
}

/* Both quantities, both limits. */
static void every_limit_counts(void **state) {
    (void)state;
    enum { N = 1000 };
    static const struct {
        double v, x;
        int wrong;
        const char *phrase;
    } cases[] = {
        {0.0005, 0, N, ""},
        {0.002, 0, N, "velocities of the timed run differ from the trusted program's by 0.002"},
        {0, 0.0005, N, ""},
        {0, 0.002, N, "positions of the timed run differ from the trusted program's by 0.002"},
        {0.5, 0.5, 10, ""},
        {0.06, 0.06, 11, ""}, /* as bodies that met */
        {0.3, 0, 11, "velocities"},
        {0, 0.3, 11, "positions"},
        {0.01, 0.01, 400, ""},
    };
    struct timed_run run = start("uniform", N, 10);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        memcpy(run.out, run.trusted, N * sizeof *run.out);
        for (int i = 0; i < cases[c].wrong; i++) {
            struct body *b = &run.out[i];
            const struct body *a = &run.in[i];
            b->x += (float)cases[c].x * (b->x - a->x);
            b->y += (float)cases[c].x * (b->y - a->y);
            b->z += (float)cases[c].x * (b->z - a->z);
            b->vx += (float)cases[c].v * (b->vx - a->vx);
            b->vy += (float)cases[c].v * (b->vy - a->vy);
            b->vz += (float)cases[c].v * (b->vz - a->vz);
        }
        assert_int_equal(judge(&run), *cases[c].phrase ? OUTCOME_TIMED_OUTPUT : OUTCOME_ACCEPTED);
        assert_non_null(strstr(run.judgement.message, cases[c].phrase));
    }
    end(&run);
    run = start("uniform", 5000, 1);
    memcpy(run.out, run.trusted, 5000 * sizeof *run.out);
    for (int i = 0; i < 60; i++)
        run.out[i].vx += 0.06f * (run.out[i].vx - run.in[i].vx),
            run.out[i].vy += 0.06f * (run.out[i].vy - run.in[i].vy),
            run.out[i].vz += 0.06f * (run.out[i].vz - run.in[i].vz);
    assert_int_equal(judge(&run), OUTCOME_TIMED_OUTPUT); /* of more bodies less is allowed */
    end(&run);
}

static void holes_are_rejected_by_name(void **state) {
    (void)state;
    struct timed_run run = start("uniform", 300, 10);
    uint32_t poison = POISON;
    memcpy(run.out, run.trusted, 300 * sizeof *run.out);
    memcpy(&run.out[299].z, &poison, sizeof poison);
    assert_int_equal(judge(&run), OUTCOME_UNWRITTEN);
    assert_non_null(strstr(run.judgement.message, "body 299"));
    run.out[299].z = NAN;
    assert_int_equal(judge(&run), OUTCOME_NOT_FINITE);
    run.out[299].z = -INFINITY;
    assert_int_equal(judge(&run), OUTCOME_NOT_FINITE);
    assert_non_null(strstr(run.judgement.message, "body 299, whose z is -inf"));
    run.out[299].z = run.trusted[299].z;
    run.trusted[0].x = NAN; /* not the step's fault */
    assert_int_equal(judge(&run), OUTCOME_INTERNAL);
    end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_runs_are_accepted),
        cmocka_unit_test(savings_are_rejected),
        cmocka_unit_test(every_limit_counts),
        cmocka_unit_test(holes_are_rejected_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
