/* The verdict on a timed run: honest programs pass, programs that save work in the iterations that
 * nobody looks at do not. */
#include "nbody_inputs.h"

#include "testing.h"

struct timed_run {
    struct parameters parameters;
    struct body *in, *trusted, *out;
    const float *masses; /* NULL: all are 1 */
    int iterations;
    double tolerance;
    struct judgement judgement;
};

static struct timed_run start(const char *distribution, int n, int iterations, uint64_t seed) {
    int has_masses = nbody_has_masses(distribution);
    const struct problem *problem = has_masses ? &nbody_masses_problem : &nbody_problem;
    struct timed_run run = {.in = malloc(problem->input_bytes(distribution, n)),
                            .trusted = bodies_of(n),
                            .out = bodies_of(n),
                            .iterations = iterations,
                            .tolerance = 2e-3};

    assert_non_null(run.in);
    nbody_problem.set_timed_parameters(&run.parameters, has_masses ? "uniform" : distribution, n,
                                       iterations);
    problem_timed_input(problem, run.in, distribution, n, seed);
    if (has_masses)
        run.masses = (const float *)(run.in + n);
    nbody_trusted_with(&run.parameters, run.in, run.masses, run.trusted, iterations);
    return run;
}

static enum outcome judge(struct timed_run *run) {
    nbody_problem.judge_timed(&run->parameters, run->in, run->trusted, run->out, run->tolerance,
                              &run->judgement);
    return run->judgement.outcome;
}

static void end(struct timed_run *run) {
    free(run->in);
    free(run->trusted);
    free(run->out);
}

/* What fp64 gives, rounded at the end. */
static void exact(struct timed_run *run) {
    int n = run->parameters.n;
    double *memory = malloc(oracle_doubles(n) * sizeof *memory);
    struct oracle right;

    assert_non_null(memory);
    oracle_start(&right, memory, run->in, run->masses, n);
    oracle_run(&right, &run->parameters, run->iterations);
    for (int i = 0; i < n; i++)
        run->out[i] = (struct body){(float)right.x[i],  (float)right.y[i],  (float)right.z[i],
                                    (float)right.vx[i], (float)right.vy[i], (float)right.vz[i]};
    free(memory);
}

/* A way to compute less than all forces in every iteration. */
struct saving {
    const char *name;
    int every, order; /* forces in every so manieth iteration; between, extrapolated: by a
                         polynomial of this order, once as many are known as that takes */
    enum {
        ALL,
        FAR,
        FIRST_ONLY,
        LAST_ONLY,
        NOT_THE_LAST_TENTH
    } which;                                                           /* FAR: of far bodies only */
    enum { EXACT, NEIGHBOURS, NOT_FAR, EVERY_SECOND, TO_HALVES } what; /* goes into a sum */
};

static const struct saving savings[] = {
    {"every 2nd, held", 2, 0, ALL, EXACT},
    {"every 2nd, linear", 2, 1, ALL, EXACT},
    {"every 2nd, quadratic", 2, 2, ALL, EXACT},
    {"every 4th, linear", 4, 1, ALL, EXACT},
    {"every 4th, cubic", 4, 3, ALL, EXACT},
    {"far ones every 2nd, held", 2, 0, FAR, EXACT},
    {"far ones every 4th, linear", 4, 1, FAR, EXACT},
    {"in the first only", 1, 0, FIRST_ONLY, EXACT},
    {"in the last only", 1, 0, LAST_ONLY, EXACT},
    {"not in the last tenth", 1, 0, NOT_THE_LAST_TENTH, EXACT},
    {"neighbours", 1, 0, ALL, NEIGHBOURS},
    {"not the farthest", 1, 0, ALL, NOT_FAR},
    {"every second body, twice", 1, 0, ALL, EVERY_SECOND},
    {"from positions in halves", 1, 0, ALL, TO_HALVES},
};

enum { MOST_KNOWN = 4 };

static float to_half(float x) {
    int exponent;
    float mantissa = frexpf(x, &exponent);

    return ldexpf(rintf(ldexpf(mantissa, 11)), exponent - 11);
}

/* Forces of what lies within `near` and beyond `far` of a body. */
static void forces(const struct timed_run *run, const struct body *b, double far, double near,
                   int stride, float (*sums)[3]) {
    int n = run->parameters.n;

    for (int i = 0; i < n; i++) {
        float sum[3] = {0};

        for (int j = 0; j < n; j += stride) {
            float d[] = {b[j].x - b[i].x, b[j].y - b[i].y, b[j].z - b[i].z};
            float r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            float inverse = 1 / sqrtf(r2 + run->parameters.softening);

            if (r2 < far * far || r2 >= near * near)
                continue;
            inverse *= inverse * inverse * (run->masses ? run->masses[j] : 1) * stride;
            for (int k = 0; k < 3; k++)
                sum[k] += d[k] * inverse;
        }
        memcpy(sums[i], sum, sizeof sum);
    }
}

static int is_computed(const struct saving *saving, int iteration, int iterations) {
    switch (saving->which) {
    case FIRST_ONLY:
        return iteration == 0;
    case LAST_ONLY:
        return iteration == iterations - 1;
    case NOT_THE_LAST_TENTH:
        return iteration < iterations - iterations / 10;
    default:
        return iteration <= saving->order || iteration % saving->every == 0;
    }
}

static void save(struct timed_run *run, const struct saving *saving) {
    const double split = 3, all = 1e9, edge = cbrt(run->parameters.n);
    int n = run->parameters.n, known = 0, at[MOST_KNOWN];
    float dt = run->parameters.dt;
    struct body *b = run->out, *rounded = bodies_of(n);
    float(*sums[MOST_KNOWN + 1])[3];

    for (int k = 0; k <= MOST_KNOWN; k++)
        assert_non_null(sums[k] = calloc((size_t)n, sizeof *sums[k]));
    memcpy(b, run->in, (size_t)n * sizeof *b);
    for (int iteration = 0; iteration < run->iterations; iteration++) {
        double weight[MOST_KNOWN] = {0};

        if (is_computed(saving, iteration, run->iterations)) {
            float(*oldest)[3] = sums[MOST_KNOWN - 1];

            memmove(sums + 1, sums, (MOST_KNOWN - 1) * sizeof *sums);
            memmove(at + 1, at, (MOST_KNOWN - 1) * sizeof *at);
            sums[0] = oldest;
            at[0] = iteration;
            known += known < MOST_KNOWN;
            weight[0] = 1;
            memcpy(rounded, b, (size_t)n * sizeof *b);
            for (int i = 0; saving->what == TO_HALVES && i < n; i++)
                rounded[i].x = to_half(b[i].x), rounded[i].y = to_half(b[i].y),
                rounded[i].z = to_half(b[i].z);
            forces(run, rounded, saving->which == FAR ? split : 0,
                   saving->what == NEIGHBOURS ? split
                   : saving->what == NOT_FAR  ? 0.8 * edge
                                              : all,
                   saving->what == EVERY_SECOND ? 2 : 1, sums[0]);
        } else if (saving->which == ALL || saving->which == FAR) {
            for (int k = 0; k <= saving->order && k < known; k++) {
                weight[k] = 1;
                for (int other = 0; other <= saving->order && other < known; other++)
                    if (other != k)
                        weight[k] *= (double)(iteration - at[other]) / (at[k] - at[other]);
            }
        }
        if (saving->which == FAR)
            forces(run, b, 0, split, 1, sums[MOST_KNOWN]);
        for (int i = 0; i < n; i++) {
            float *v[] = {&b[i].vx, &b[i].vy, &b[i].vz}, *x[] = {&b[i].x, &b[i].y, &b[i].z};

            for (int c = 0; c < 3; c++) {
                float force = sums[MOST_KNOWN][i][c];

                for (int k = 0; k < known; k++)
                    force += (float)weight[k] * sums[k][i][c];
                *v[c] += dt * force;
                *x[c] += dt * *v[c];
            }
        }
    }
    for (int k = 0; k <= MOST_KNOWN; k++)
        free(sums[k]);
    free(rounded);
}

/* Half as many iterations, each twice as long. */
static void half_the_iterations(struct timed_run *run) {
    struct parameters twice = run->parameters;

    twice.dt *= 2;
    nbody_trusted_with(&twice, run->in, run->masses, run->out, run->iterations / 2);
}

/* The plain serial loop in float and fp64, on either side of what an honest program gives. */
TEST(honest_runs_are_accepted) {
    static const struct {
        const char *distribution;
        int n, iterations, seeds;
    } runs[] = {{"uniform", 1, 10, 1},     {"uniform", 2, 1000, 20},    {"uniform", 3, 1000, 20},
                {"uniform", 17, 1000, 20}, {"uniform", 256, 1000, 2},   {"uniform", 1024, 1, 6},
                {"uniform", 1024, 10, 6},  {"uniform", 1500, 100, 1},   {"uniform", 300, 1000, 1},
                {"uniform", 4096, 10, 1},  {"masses", 17, 1000, 20},    {"masses", 1024, 10, 6},
                {"masses", 1500, 100, 1},  {"plummer", 1024, 10, 3},    {"shell", 1024, 10, 3},
                {"cube", 1024, 10, 3},     {"soft_cube", 400, 1000, 1}, {"soft_cube", 2048, 10, 1}};

    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++)
        for (int seed = 1; seed <= runs[r].seeds; seed++) {
            struct timed_run run =
                start(runs[r].distribution, runs[r].n, runs[r].iterations, (uint64_t)seed);

            exact(&run);
            if (judge(&run))
                fail_msg("%s, n = %d, %d iterations, seed %d: %s", runs[r].distribution, runs[r].n,
                         runs[r].iterations, seed, run.judgement.message);
            if (!run.masses) {
                assert_true(nbody_reference(&run.parameters, run.in, run.out, run.iterations));
                assert_int_equal(judge(&run), OUTCOME_ACCEPTED);
                assert_string_equal(run.judgement.message, "");
            }
            end(&run);
        }
}

TEST(savings_are_rejected) {
    static const struct {
        const char *distribution;
        int n, iterations;
    } runs[] = {{"uniform", 600, 10}, {"uniform", 200, 100}, {"masses", 600, 10}};

    for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
        struct timed_run run = start(runs[r].distribution, runs[r].n, runs[r].iterations, 71);

        for (size_t s = 0; s < sizeof savings / sizeof *savings; s++) {
            save(&run, &savings[s]);
            if (judge(&run) != OUTCOME_TIMED_OUTPUT ||
                !strstr(run.judgement.message, "velocities of the timed run differ"))
                fail_msg("%s, n = %d, %d iterations, %s: %s %s", runs[r].distribution, runs[r].n,
                         runs[r].iterations, savings[s].name, outcome_word(run.judgement.outcome),
                         run.judgement.message);
        }
        half_the_iterations(&run);
        assert_int_equal(judge(&run), OUTCOME_TIMED_OUTPUT);
        end(&run);
    }
}

/* The simulation of the savings is right where it saves nothing. */
TEST(what_saves_nothing_is_accepted) {
    static const struct saving nothing = {"nothing", 1, 0, ALL, EXACT},
                               far_anew = {"far ones in every", 1, 0, FAR, EXACT};
    struct timed_run run = start("masses", 1024, 10, 71);

    save(&run, &nothing);
    assert_int_equal(judge(&run), OUTCOME_ACCEPTED);
    save(&run, &far_anew);
    assert_int_equal(judge(&run), OUTCOME_ACCEPTED);
    end(&run);
}

/* The smallest saving at the most iterations, where each moves a body least. */
TEST(the_most_iterations_still_tell) {
    struct timed_run run = start("uniform", 200, nbody_problem.most_iterations, 71);

    save(&run, &savings[2]);
    assert_int_equal(judge(&run), OUTCOME_TIMED_OUTPUT);
    end(&run);
}

/* Both quantities, both limits. */
TEST(every_limit_counts) {
    enum { N = 1000 };
    static const struct {
        double v, x;
        int wrong;
        const char *phrase;
        double tolerance; /* 0: a float program's */
    } cases[] = {
        {8e-5, 0, N, "", 0},
        {1.2e-4, 0, N, "velocities of the timed run differ from the trusted program's by 0.00012",
         0},
        {0, 8e-5, N, "", 0},
        {0, 2e-4, N, "positions of the timed run differ from the trusted program's by 0.0001", 0},
        {4e-4, 4e-4, 1, "", 0},
        {1e-3, 0, 1, "velocities", 0},
        {0, 2e-3, 1, "positions", 0},
        /* two halves, and one */
        {3.8e-4, 3.8e-4, N, "", 4e-3},
        {4.2e-4, 0, N, "velocities", 4e-3},
        {0, 6e-4, N, "positions", 4e-3},
        {1.6e-3, 1.6e-3, 1, "", 4e-3},
        {4e-3, 0, 1, "velocities", 4e-3},
        {4.2e-4, 0, N, "velocities", 1e-2},
        /* a step whose result is not good enough */
        {0.2, 0, N, "", 10},
        {0.3, 0, N, "velocities", 10},
    };
    struct timed_run run = start("uniform", N, 10, 71);

    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        memcpy(run.out, run.trusted, N * sizeof *run.out);
        for (int i = N - cases[c].wrong; i < N; i++) {
            struct body *b = &run.out[i];
            const struct body *a = &run.in[i];

            b->x += (float)cases[c].x * (b->x - a->x);
            b->y += (float)cases[c].x * (b->y - a->y);
            b->z += (float)cases[c].x * (b->z - a->z);
            b->vx += (float)cases[c].v * (b->vx - a->vx);
            b->vy += (float)cases[c].v * (b->vy - a->vy);
            b->vz += (float)cases[c].v * (b->vz - a->vz);
        }
        run.tolerance = cases[c].tolerance > 0 ? cases[c].tolerance : 2e-3;
        assert_int_equal(judge(&run), *cases[c].phrase ? OUTCOME_TIMED_OUTPUT : OUTCOME_ACCEPTED);
        assert_non_null(strstr(run.judgement.message, cases[c].phrase));
        if (cases[c].wrong == 1 && *cases[c].phrase)
            assert_non_null(strstr(run.judgement.message, "body 999"));
    }
    end(&run);
}

TEST(holes_are_rejected_by_name) {
    struct timed_run run = start("uniform", 300, 10, 71);
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
