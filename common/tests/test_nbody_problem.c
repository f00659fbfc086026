/* The table's entry: parameters, cases, work, needs, and how it is found. */
#include "nbody_inputs.h"
#include "technique_of_step.h"

#include "testing.h"

TEST(problem_is_found_by_name) {
    assert_ptr_equal(problem_find("nbody"), &nbody_problem);
    assert_null(problem_find("nbod"));
    assert_null(problem_find("nbody2"));
    assert_null(problem_find(""));
}

TEST(parameters_keep_the_simulated_time) {
    static const int iterations[] = {1, 2, 10, 100, 1000};
    static const float dt[] = {0.01f, 0.01f, 0.01f, 0.001f, 0.0001f};
    for (int k = 0; k < 5; k++) {
        struct parameters p = parameters_of("uniform", 4096, iterations[k]);
        assert_int_equal(p.n, 4096);
        assert_true(p.softening == 1e-9f);
        assert_true(p.dt == dt[k]);
        assert_true(parameters_of("cube", 4096, iterations[k]).dt == dt[k]);
        assert_true(parameters_of("cube", 4096, iterations[k]).softening == 1e-9f);
        assert_true(parameters_of("soft_cube", 4096, iterations[k]).dt == dt[k] / 64);
        assert_true(parameters_of("soft_cube", 4096, iterations[k]).softening == 1e-4f);
        assert_true(parameters_of("plummer", 4096, iterations[k]).dt == dt[k] / 64);
        assert_true(parameters_of("shell", 4096, iterations[k]).dt == dt[k] / 64);
    }
}

/* From `uniform` a body moves at most a fifth of the distance of neighbours in an iteration, and
 * simulated time ends at 3; others keep theirs, softened to a third of that distance at least. What
 * honest programs part by in timed runs and what savings are wrong by both rest on that
 * (judge_timed.c). */
TEST(timed_parameters_are_fast_and_softened) {
    static const struct {
        int n, iterations;
        double dt;
    } runs[] = {
        {1, 1, 0.2}, {8, 30, 0.1}, {1000, 100, 0.02}, {1000, 1000, 0.003}, {64000, 10, 0.005}};
    struct parameters p;
    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        nbody_problem.set_timed_parameters(&p, "uniform", runs[r].n, runs[r].iterations);
        assert_int_equal(p.n, runs[r].n);
        assert_true(p.softening == 0.1f);
        assert_true(fabs(p.dt / runs[r].dt - 1) < 1e-6);
    }
    struct body *in = generated("uniform", 1000, 5), *fast = generated("uniform", 1000, 5);
    nbody_problem.quicken(fast, "soft_cube", 1000);
    assert_memory_equal(fast, in, 1000 * sizeof *in);
    nbody_problem.quicken(fast, "uniform", 1000);
    for (int i = 0; i < 1000; i++) {
        assert_true(fast[i].x == in[i].x && fast[i].y == in[i].y && fast[i].z == in[i].z);
        assert_true(fast[i].vx == 10 * in[i].vx && fast[i].vy == 10 * in[i].vy);
        assert_true(fast[i].vz == 10 * in[i].vz);
    }
    free(in);
    free(fast);
    nbody_problem.set_timed_parameters(&p, "soft_cube", 4096, 100);
    assert_true(p.dt == 0.001f / 64 && p.softening == (float)(0.1 / 64));
    nbody_problem.set_timed_parameters(&p, "cube", 4096, 10);
    assert_true(p.dt == 0.01f / 64 && p.softening == (float)(0.1 / 64));
    nbody_problem.set_timed_parameters(&p, "soft_cube", 1 << 20, 10);
    assert_true(p.softening == 1e-4f);
    nbody_problem.set_timed_parameters(&p, "plummer", 4096, 10);
    assert_true(p.dt == 0.01f / 64 && p.softening == 1e-4f);
}

static int sizes_of(const struct check_case *c, const char *distribution, int sizes[]) {
    int count = 0;
    for (; c->distribution; c++)
        if (!strcmp(c->distribution, distribution))
            sizes[count++] = c->n;
    return count;
}

TEST(cases_are_the_sizes_of_every_check) {
    /* Where a size is drawn, the least that it can be. */
    static const int plain[] = {1, 2, 255, 256, 257, 3, 259, 1000, 1023, 1024, 1025, 257, 16385};
    static const int sanitized[] = {1, 2, 129, 256, 257, 1025};
    int sizes[20];
    assert_int_equal(sizes_of(nbody_problem.cases, "uniform", sizes), 13);
    assert_memory_equal(sizes, plain, sizeof plain);
    assert_int_equal(sizes_of(nbody_problem.cases, "cube", sizes), 1);
    assert_int_equal(sizes[0], 4096);
    assert_int_equal(sizes_of(nbody_problem.sanitizer_cases, "uniform", sizes), 6);
    assert_memory_equal(sizes, sanitized, sizeof sanitized);
    assert_int_equal(sizes_of(nbody_problem.sanitizer_cases, "cube", sizes), 0);
}

/* `soft_cube` is `cube` but for the softening. */
TEST(every_distribution_is_its_own) {
    struct body *bodies[4];
    int count = 0;
    for (int d = 0; nbody_problem.distributions[d]; d++)
        if (strcmp(nbody_problem.distributions[d], "soft_cube"))
            bodies[count++] = generated(nbody_problem.distributions[d], 10, 81);
    assert_int_equal(count, 4);
    assert_string_equal(nbody_problem.distributions[0], "uniform");
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++)
            assert_memory_not_equal(bodies[a], bodies[b], 10 * sizeof(struct body));
    for (int a = 0; a < count; a++)
        free(bodies[a]);
}

TEST(work_counts_every_pair) {
    assert_true(nbody_problem.work("uniform", 1) == 1);
    assert_true(nbody_problem.work("cube", 30000) == 9e8);
    assert_true(nbody_problem.work("uniform", nbody_problem.largest) == 281474976710656.0);
    assert_int_equal(nbody_problem.input_bytes("uniform", 3), 72);
    assert_int_equal(nbody_problem.output_bytes("cube", 1), 24);
}

/* Of a resource; 0 if it costs nothing, or nobody has counted. */
static double amount(const char *step, const char *variant, const char *resource) {
    return step_cost(&nbody_problem, step, variant, "cuda", "uniform", resource);
}

TEST(costs_are_known_for_counted_steps) {
    static const char *const steps[] = {"01_serial", "02_openmp"};

    for (int s = 0; s < 2; s++) {
        assert_true(step_cost(&nbody_problem, steps[s], "any", "cpu", "uniform", "fma") == 12);
        assert_true(step_cost(&nbody_problem, steps[s], "any", "cpu", "uniform", "rsqrt") == 1);
    }
    assert_true(step_cost(&nbody_problem, "01_serial", "gcc_fast", "cpu", "cube", "fma") == 16);
    assert_true(step_cost(&nbody_problem, "01_serial", "gcc_fast", "cpu", "cube", "rsqrt") == 0);
    assert_true(step_cost(&nbody_problem, "03_cuda_naive", "256", "cpu", "uniform", "fma") == 0);
    assert_true(step_cost(&nbody_problem, "99_none", "256", "cpu", "uniform", "fma") == 0);
    assert_true(amount("01_serial", "gcc_O3", "fma") == 0);
    assert_true(amount("12_float4", "without_ftz", "gpu_fma") == 0);
}

/* 12 slots are the formula, 7 its root and reciprocal, and each turn of a loop is dearer
 * the fewer interactions share it. */
TEST(costs_on_the_gpu) {
    static const char *const unrolled[] = {"1", "2", "4", "8", "16", "24", "32"};
    for (int u = 0; u < 7; u++) {
        double slots = amount("06_unroll", unrolled[u], "gpu_issue");
        assert_true(slots > 19 + 2 + 3 && slots < 50);
        if (u)
            assert_true(slots < amount("06_unroll", unrolled[u - 1], "gpu_issue"));
        assert_true(amount("06_unroll", unrolled[u], "gpu_mufu") == 2);
        assert_true(amount("06_unroll", unrolled[u], "gpu_fma") == 19);
        assert_true(amount("06_unroll", unrolled[u], "gpu_lds") == 3);
    }
    assert_true(amount("05_tiling", "soa", "gpu_issue") == amount("06_unroll", "4", "gpu_issue"));
    assert_true(amount("05_tiling", "aos", "gpu_lds") == 2);
    assert_true(amount("07_device_integration", "16", "gpu_issue") ==
                amount("06_unroll", "16", "gpu_issue"));
    assert_true(amount("03_cuda_naive", "256", "gpu_issue") == 36.5);
    assert_true(amount("04_soa", "256", "gpu_issue") == 37);
    assert_true(amount("03_cuda_naive", "256", "gpu_lds") == 0);
    /* A product with the mass is one slot more; where the softening is small nothing is gained by
     * tensor cores. */
    assert_true(step_cost(&nbody_masses_problem, "14_register_blocking", "4", "cuda", "masses",
                          "gpu_issue") == amount("14_register_blocking", "4", "gpu_issue") + 1);
    assert_true(step_cost(&nbody_masses_problem, "16_tensor_cores", "two_halves", "cuda", "plummer",
                          "gpu_issue") == 9);
    assert_true(amount("16_tensor_cores", "two_halves", "gpu_issue") == 2.5);
}
