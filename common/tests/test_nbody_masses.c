/* The problem `nbody_masses`: inputs, oracle and trusted program with masses, and the adapter. */
#include "nbody_inputs.h"

#include "testing.h"
#include "protocol/nbody_masses_parameters.h"
#include "nbody_masses.h"
#include "protocol/player.h"

static const struct problem *const massive = &nbody_masses_problem;

/* What a simulation was created with. */
static struct {
    const struct parameters *parameters;
    const struct body *in;
    const float *masses;
    struct body *out;
} created;

struct simulation *simulation_create_with_masses(const struct parameters *parameters,
                                                 const struct body *in, const float *masses,
                                                 struct body *out) {
    created.parameters = parameters;
    created.in = in;
    created.masses = masses;
    created.out = out;
    return (struct simulation *)&created;
}

int simulation_run(struct simulation *running, int iterations) {
    (void)running;
    return iterations;
}

void simulation_destroy(struct simulation *ended) {
    (void)ended;
}

/* n bodies and their masses, and parameters. */
struct input {
    struct nbody_masses_parameters parameters;
    struct body *bodies;
    float *masses;
};

static struct input input_of(const char *distribution, int n, int iterations, uint64_t seed) {
    struct input input = {.bodies = malloc(massive->input_bytes(distribution, n))};

    assert_non_null(input.bodies);
    input.masses = (float *)(input.bodies + n);
    massive->set_parameters(&input.parameters, distribution, n, iterations);
    massive->generate(input.bodies, distribution, n, seed);
    return input;
}

TEST(bodies_are_those_of_uniform) {
    enum { N = 1000 };
    struct body *uniform = generated("uniform", N, 5);
    struct input input = input_of("masses", N, 2, 5), again = input_of("masses", N, 2, 5);
    struct input other = input_of("masses", N, 2, 6);

    assert_int_equal(massive->input_bytes("masses", 3), 3 * (sizeof(struct body) + sizeof(float)));
    assert_memory_equal(input.bodies, uniform, N * sizeof *uniform);
    assert_memory_equal(input.masses, again.masses, N * sizeof(float));
    assert_memory_not_equal(input.masses, other.masses, N * sizeof(float));
    free(uniform);
    free(input.bodies);
    free(again.bodies);
    free(other.bodies);
}

TEST(masses_spread_over_six_decades) {
    enum { N = 80000 };
    struct input input = input_of("masses", N, 2, 7);
    int decade[6] = {0}, without = 0;

    for (int i = 0; i < N; i++) {
        float mass = input.masses[i];

        without += mass == 0;
        assert_int_equal(mass == 0, i % 8 == 1);
        assert_true(mass < 4 && (mass == 0 || mass >= 0x1p-18f));
        if (mass > 0)
            decade[(int)fmin(5, -log10(mass / 4))]++;
    }
    assert_int_equal(without, N / 8);
    for (int d = 0; d < 6; d++) /* about as many in each */
        assert_in_range(decade[d], N / 10, N / 5);
    free(input.bodies);
}

TEST(only_masses_have_masses) {
    for (int d = 0; massive->distributions[d]; d++) {
        const char *name = massive->distributions[d];
        struct input input = input_of(name, 10, 2, 8);
        int has_masses = strstr(name, "masses") != NULL;

        assert_int_equal(input.parameters.has_masses, has_masses);
        for (int i = 0; i < 10; i++)
            assert_true(has_masses || input.masses[i] == 1);
        free(input.bodies);
    }
}

/* The bodies of `cube`, and the masses of `masses`. */
TEST(soft_cubes_are_those_of_the_cube) {
    enum { N = 1000 };
    struct body *cube = generated("cube", N, 5);
    struct input soft = input_of("soft_cube", N, 2, 5),
                 heavy = input_of("soft_cube_masses", N, 2, 5);
    struct input masses = input_of("masses", N, 2, 5);

    assert_memory_equal(soft.bodies, cube, N * sizeof *cube);
    assert_memory_equal(heavy.bodies, cube, N * sizeof *cube);
    assert_memory_equal(heavy.masses, masses.masses, N * sizeof(float));
    assert_true(soft.parameters.parameters.softening == 1e-4f);
    assert_true(heavy.parameters.parameters.softening == 1e-4f);
    assert_true(heavy.parameters.parameters.dt == (float)(0.01 / sqrt(N)));
    assert_true(masses.parameters.parameters.softening == 1e-9f);
    free(cube);
    free(soft.bodies);
    free(heavy.bodies);
    free(masses.bodies);
}

/* Against a loop with neither lanes nor threads, at sizes around the padding. */
TEST(oracle_weighs_every_body) {
    static const int sizes[] = {1, 2, 3, 127, 129, 1023, 1025};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        struct input input = input_of("masses", n, 1, 9);
        const struct parameters *p = &input.parameters.parameters;
        struct answer *answer = massive->answer(p, input.bodies, "masses", 1);

        assert_non_null(answer);
        assert_true(answer->oracle.m[n] == 0); /* what fills up a tile attracts nobody */
        for (int i = 0; i < n; i++) {
            const struct body *own = &input.bodies[i];
            double f = 0;

            for (int j = 0; j < n; j++) {
                const struct body *other = &input.bodies[j];
                double dx = (double)other->x - own->x, dy = (double)other->y - own->y;
                double dz = (double)other->z - own->z;

                f += input.masses[j] * dx *
                     pow(dx * dx + dy * dy + dz * dz + (double)p->softening, -1.5);
            }
            double vx = own->vx + (double)p->dt * f;
            assert_true(fabs(answer->oracle.vx[i] - vx) < 1e-12 * (1 + fabs(vx)));
        }
        free(answer);
        free(input.bodies);
    }
}

/* Forces are m_i a_i; the sum of all is zero but for rounding. */
TEST(oracle_conserves_momentum) {
    enum { N = 777 };
    struct input input = input_of("masses", N, 10, 10);
    struct answer *answer = massive->answer(&input.parameters, input.bodies, "masses", 10);
    double change = 0, scale = 0;

    for (int i = 0; i < N; i++) {
        double kick = input.masses[i] * (answer->oracle.vz[i] - input.bodies[i].vz);

        change += kick;
        scale += fabs(kick);
    }
    assert_true(scale > 0.01);
    assert_true(fabs(change) < 1e-13 * scale);
    free(answer);
    free(input.bodies);
}

static struct judgement judged(const struct input *input, const char *distribution,
                               const struct body *out, int iterations) {
    struct judgement judgement;
    void *answer = massive->answer(&input->parameters, input->bodies, distribution, iterations);

    massive->judge(&input->parameters, input->bodies, answer, out, distribution, iterations, 2e-3,
                   &judgement);
    free(answer);
    return judgement;
}

TEST(trusted_program_is_right) {
    static const int sizes[] = {1, 2, 3, 255, 1000, 1025};

    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int d = 0; d < 2 - (sizes[s] < 255);
             d++) { /* few small masses pull less than rounds */
            const char *distribution = d ? "masses" : "uniform";
            struct input input = input_of(distribution, sizes[s], 2, 11);
            struct body *out = bodies_of(sizes[s]);

            massive->trusted(&input.parameters, input.bodies, out, 2);
            struct judgement judgement = judged(&input, distribution, out, 2);
            if (judgement.outcome)
                fail_msg("%s, n = %d: %s", distribution, sizes[s], judgement.message);
            free(out);
            free(input.bodies);
        }
    }
}

/* What programs do that forget the masses, or take those of another body. */
TEST(wrong_masses_are_seen) {
    enum { N = 1000 };
    struct input input = input_of("masses", N, 2, 12), wrong = input_of("masses", N, 2, 12);
    struct body *out = bodies_of(N);
    float first = wrong.masses[0];

    memmove(wrong.masses, wrong.masses + 1, (N - 1) * sizeof(float));
    wrong.masses[N - 1] = first;
    massive->trusted(&wrong.parameters, wrong.bodies, out, 2);
    assert_int_equal(judged(&input, "masses", out, 2).outcome, OUTCOME_WRONG);
    wrong.parameters.has_masses = 0;
    massive->trusted(&wrong.parameters, wrong.bodies, out, 2);
    assert_int_equal(judged(&input, "masses", out, 2).outcome, OUTCOME_WRONG);
    free(out);
    free(input.bodies);
    free(wrong.bodies);
}

/* A fault is imitated with the masses, or its name would not be told. */
TEST(faults_are_named) {
    enum { N = 1000 };
    struct input input = input_of("masses", N, 2, 13), late = input_of("masses", N, 2, 13);
    struct body *out = bodies_of(N);

    late.parameters.parameters.dt *= late.parameters.parameters.dt; /* dt twice in the kick */
    massive->trusted(&late.parameters, input.bodies, out, 1);
    for (int i = 0; i < N; i++) {
        float dt = input.parameters.parameters.dt;

        out[i].x = input.bodies[i].x + dt * out[i].vx;
        out[i].y = input.bodies[i].y + dt * out[i].vy;
        out[i].z = input.bodies[i].z + dt * out[i].vz;
    }
    struct judgement judgement = judged(&input, "masses", out, 1);
    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    assert_non_null(strstr(judgement.message, "the force is multiplied by dt twice"));
    free(out);
    free(input.bodies);
    free(late.bodies);
}

/* v += dt F and x += dt v, once, F the sum of pulls with the masses that are asked for. */
static void move_by(const struct input *input, int by_others, int by_own, int n, struct body *out) {
    struct parameters p = input->parameters.parameters;

    memcpy(out, input->bodies, (size_t)n * sizeof *out);
    for (int i = 0; i < n; i++) {
        double force[3] = {0};

        for (int j = 0; j < n; j++) {
            const struct body *a = &input->bodies[i], *b = &input->bodies[j];
            double d[3] = {(double)b->x - a->x, (double)b->y - a->y, (double)b->z - a->z};
            double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + p.softening;
            double pull = (by_others ? input->masses[j] : 1) * (by_own ? input->masses[i] : 1) /
                          (square * sqrt(square));

            for (int k = 0; k < 3; k++)
                force[k] += pull * d[k];
        }
        out[i].x += p.dt * (out[i].vx += p.dt * (float)force[0]);
        out[i].y += p.dt * (out[i].vy += p.dt * (float)force[1]);
        out[i].z += p.dt * (out[i].vz += p.dt * (float)force[2]);
    }
}

TEST(wrong_masses_are_named) {
    enum { N = 1000 };
    static const struct {
        int by_others, by_own;
        const char *cause; /* NULL: right */
    } faults[] = {{1, 0, NULL},
                  {0, 0, "as if their masses were 1"},
                  {0, 1, "has its own mass m_i"},
                  {1, 1, "has both masses"}};
    struct input input = input_of("masses", N, 1, 14);
    struct body *out = bodies_of(N);

    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        move_by(&input, faults[f].by_others, faults[f].by_own, N, out);
        struct judgement judgement = judged(&input, "masses", out, 1);
        assert_int_equal(judgement.outcome, faults[f].cause ? OUTCOME_WRONG : OUTCOME_ACCEPTED);
        if (faults[f].cause && !strstr(judgement.message, faults[f].cause))
            fail_msg("\"%s\" lacks \"%s\"", judgement.message, faults[f].cause);
    }
    free(out);
    free(input.bodies);
}

TEST(adapter_hands_over_the_masses) {
    enum { N = 7 };
    struct body out[N];

    assert_string_equal(step_problem, "nbody_masses");
    for (int d = 0; d < 2; d++) {
        struct input input = input_of(d ? "masses" : "uniform", N, 2, 14);

        assert_int_equal(step_create(&input.parameters, input.bodies, out), 0);
        assert_int_equal(created.parameters->n, N);
        assert_ptr_equal(created.in, input.bodies);
        assert_ptr_equal(created.masses, d ? input.masses : NULL);
        assert_ptr_equal(created.out, out);
        assert_int_equal(step_run(3), 3);
        step_destroy();
        free(input.bodies);
    }
}

/* Of kernel-only forces: one figure, over the first bodies; the masses count. */
TEST(forces_are_judged_over_a_sample) {
    enum { N = 5000, SAMPLE = 4096 };
    struct input input = input_of("soft_cube_masses", N, 1, 11);
    struct body *out = bodies_of(N);
    double error;

    assert_int_equal(massive->trusted(&input.parameters, input.bodies, out, 1), 0);
    error = massive->sampled_error(&input.parameters, input.bodies, out);
    assert_true(error > 0 && error < 1e-5);
    out[SAMPLE].vx += 1e3f;
    assert_true(massive->sampled_error(&input.parameters, input.bodies, out) == error);
    for (int i = 0; i < SAMPLE; i++) /* the size of the change, all of it wrong */
        out[i] = input.bodies[i];
    error = massive->sampled_error(&input.parameters, input.bodies, out);
    assert_true(fabs(error - 1) < 1e-12);
    input.parameters.has_masses = 0;
    assert_int_equal(massive->trusted(&input.parameters, input.bodies, out, 1), 0);
    input.parameters.has_masses = 1;
    assert_true(massive->sampled_error(&input.parameters, input.bodies, out) > 0.1);
    free(out);
    free(input.bodies);
}
