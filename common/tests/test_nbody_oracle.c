/* The three programs that others are judged by: the oracle against orbits and conserved sums, the
 * float32 reference against the plain loop, the trusted program against the oracle. */

/* The plain loop below must not be contracted, on processors whose baseline has a multiply-add. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#include "nbody_inputs.h"

#include "testing.h"

static const int sizes[] = {1, 2, 3, 31, 255, 256, 257, 1000, 1023, 1025};
enum { SIZES = sizeof sizes / sizeof *sizes };

static struct oracle oracle_of(const struct body *in, int n) {
    struct oracle oracle;
    double *memory = malloc(oracle_doubles(n) * sizeof *memory);
    assert_non_null(memory);
    oracle_start(&oracle, memory, in, NULL, n);
    return oracle;
}

static void oracle_end(struct oracle *oracle) {
    free(oracle->x);
}

/* Two unit masses at x = -1 and 1 circle with speed 1/2: each is pulled by 1/4. */
static const struct body circle[2] = {{.x = -1, .vy = -0.5f}, {.x = 1, .vy = 0.5f}};

static double error_after_quarter(int steps) {
    const double quarter = 3.14159265358979324;
    struct parameters parameters = {2, (float)(quarter / steps), 1e-30f};
    struct oracle oracle = oracle_of(circle, 2);
    oracle_run(&oracle, &parameters, steps);
    double angle = 0.5 * steps * (double)parameters.dt;
    double error = hypot(oracle.x[1] - cos(angle), oracle.y[1] - sin(angle));
    assert_true(oracle.z[1] == 0 && oracle.x[0] == -oracle.x[1] && oracle.y[0] == -oracle.y[1]);
    oracle_end(&oracle);
    return error;
}

/* v += dt F, x += dt v is of first order: half the step, half the error. */
TEST(oracle_circles_to_first_order) {
    double coarse = error_after_quarter(1000), fine = error_after_quarter(2000);
    assert_true(fine < 1e-3);
    assert_true(fabs(coarse / fine - 2) < 0.01);
}

/* The same two bodies by the recurrence of the one vector r that separates them; r'' = -2 r / r^3,
 * since each is pulled. */
TEST(oracle_follows_the_recurrence) {
    struct parameters parameters = {2, 0.05f, 1e-3f};
    struct oracle oracle = oracle_of(circle, 2);
    long double x = 2, y = 0, vx = 0, vy = 1, dt = parameters.dt, softening = parameters.softening;
    for (int step = 1; step <= 200; step++) {
        oracle_run(&oracle, &parameters, 1);
        long double r2 = x * x + y * y + softening, cube = r2 * sqrtl(r2);
        vx -= dt * 2 * x / cube;
        vy -= dt * 2 * y / cube;
        x += dt * vx;
        y += dt * vy;
        assert_true(fabs(oracle.x[1] - oracle.x[0] - (double)x) < 1e-12);
        assert_true(fabs(oracle.y[1] - oracle.y[0] - (double)y) < 1e-12);
        assert_true(fabs(oracle.vx[1] - oracle.vx[0] - (double)vx) < 1e-12);
    }
    oracle_end(&oracle);
}

/* Kicks along the line between two bodies and drifts along v keep sum v and sum x times v. */
TEST(oracle_conserves_momentum) {
    enum { N = 777 };
    struct body *in = generated("uniform", N, 31);
    struct parameters parameters = parameters_of("uniform", N, 10);
    struct oracle oracle = oracle_of(in, N);
    double before[2] = {0}, after[2] = {0}, scale = 0;
    for (int i = 0; i < N; i++) {
        before[0] += oracle.vx[i];
        before[1] += oracle.x[i] * oracle.vy[i] - oracle.y[i] * oracle.vx[i];
    }
    oracle_run(&oracle, &parameters, 10);
    for (int i = 0; i < N; i++) {
        after[0] += oracle.vx[i];
        after[1] += oracle.x[i] * oracle.vy[i] - oracle.y[i] * oracle.vx[i];
        scale += fabs(oracle.vx[i] - in[i].vx);
    }
    assert_true(scale > 1);
    assert_true(fabs(after[0] - before[0]) < 1e-13 * scale);
    assert_true(fabs(after[1] - before[1]) < 1e-12 * scale);
    oracle_end(&oracle);
    free(in);
}

/* At every size, against a loop that has neither lanes nor threads. */
TEST(oracle_sums_over_all_bodies) {
    for (int s = 0; s < SIZES; s++) {
        int n = sizes[s];
        struct body *in = generated("uniform", n, 32);
        struct parameters p = parameters_of("uniform", n, 1);
        struct oracle oracle = oracle_of(in, n);
        oracle_run(&oracle, &p, 1);
        for (int i = 0; i < n; i++) {
            double f[3] = {0};
            for (int j = 0; j < n; j++) {
                double dx = (double)in[j].x - in[i].x, dy = (double)in[j].y - in[i].y;
                double dz = (double)in[j].z - in[i].z;
                double cube = pow(dx * dx + dy * dy + dz * dz + p.softening, -1.5);
                f[0] += dx * cube, f[1] += dy * cube, f[2] += dz * cube;
            }
            double vx = in[i].vx + (double)p.dt * f[0], vy = in[i].vy + (double)p.dt * f[1];
            double vz = in[i].vz + (double)p.dt * f[2];
            double scale = 1 + fabs(vx) + fabs(vy) + fabs(vz);
            assert_true(fabs(oracle.vx[i] - vx) < 1e-12 * scale);
            assert_true(fabs(oracle.vy[i] - vy) < 1e-12 * scale);
            assert_true(fabs(oracle.vz[i] - vz) < 1e-12 * scale);
            assert_true(fabs(oracle.x[i] - (in[i].x + p.dt * vx)) < 1e-12 * (scale + n));
            assert_true(fabs(oracle.z[i] - (in[i].z + p.dt * vz)) < 1e-12 * (scale + n));
        }
        oracle_end(&oracle);
        free(in);
    }
}

/* The loop whose bits the reference must have: array of structures, one thread, order of j. */
static void plain_loop(const struct parameters *p, struct body *b, int iterations) {
    for (int iteration = 0; iteration < iterations; iteration++) {
        for (int i = 0; i < p->n; i++) {
            float fx = 0, fy = 0, fz = 0;
            for (int j = 0; j < p->n; j++) {
                float dx = b[j].x - b[i].x;
                float dy = b[j].y - b[i].y;
                float dz = b[j].z - b[i].z;
                float r2 = dx * dx + dy * dy + dz * dz + p->softening;
                float inv = 1.0f / sqrtf(r2);
                float inv3 = inv * inv * inv;
                fx += dx * inv3;
                fy += dy * inv3;
                fz += dz * inv3;
            }
            b[i].vx += p->dt * fx;
            b[i].vy += p->dt * fy;
            b[i].vz += p->dt * fz;
        }
        for (int i = 0; i < p->n; i++) {
            b[i].x += p->dt * b[i].vx;
            b[i].y += p->dt * b[i].vy;
            b[i].z += p->dt * b[i].vz;
        }
    }
}

TEST(reference_is_the_plain_loop) {
    for (int s = 0; s < SIZES; s++) {
        for (int d = 0; d < 2; d++) {
            int n = sizes[s];
            const char *distribution = d ? "cube" : "uniform";
            struct body *plain = generated(distribution, n, 33), *out = bodies_of(n);
            struct parameters parameters = parameters_of(distribution, n, 3);
            assert_true(nbody_reference(&parameters, plain, out, 3));
            plain_loop(&parameters, plain, 3);
            assert_memory_equal(out, plain, (size_t)n * sizeof *out);
            free(plain);
            free(out);
        }
    }
}

/* Percentiles, since one close encounter can cost any float program some digits. */
TEST(trusted_agrees_with_the_oracle) {
    for (int s = 0; s < SIZES; s++) {
        int n = sizes[s];
        struct body *in = generated("uniform", n, 34), *out = bodies_of(n);
        struct parameters parameters = parameters_of("uniform", n, 4);
        struct oracle oracle = oracle_of(in, n);
        oracle_run(&oracle, &parameters, 4);
        nbody_problem.trusted(&parameters, in, out, 4);
        struct errors *errors = errors_of(&oracle, in, out);
        assert_non_null(errors);
        assert_true(percentile_of(errors->relative, n, 0.5) < 5e-6);
        assert_true(errors->kick_l2 < 1e-3);
        assert_true(errors->position_l2 < 1e-4);
        free(errors);
        oracle_end(&oracle);
        free(in);
        free(out);
    }
}

/* A pair at r^2 = 1e-9, two bodies in one place, and one far away: an estimate of the root must be
 * as good there. */
TEST(trusted_bears_close_pairs) {
    enum { N = 5 };
    static const struct body in[N] = {
        {.x = 1}, {.x = 1, .y = 3.2e-5f}, {.z = -1}, {.z = -1}, {.y = 1000}};
    struct body out[N];
    struct parameters parameters = {N, 1e-9f, 1e-9f};
    struct oracle oracle = oracle_of(in, N);
    oracle_run(&oracle, &parameters, 1);
    nbody_problem.trusted(&parameters, in, out, 1);
    assert_true(oracle.vy[0] > 0.3); /* 1e-9 * 3.2e-5 / (2e-9)^(3/2) */
    for (int i = 0; i < N; i++) {
        double v = sqrt(oracle.vx[i] * oracle.vx[i] + oracle.vy[i] * oracle.vy[i] +
                        oracle.vz[i] * oracle.vz[i]);
        assert_true(v > 0);
        assert_true(fabs(out[i].vx - oracle.vx[i]) <= 2e-6 * v);
        assert_true(fabs(out[i].vy - oracle.vy[i]) <= 2e-6 * v);
        assert_true(fabs(out[i].vz - oracle.vz[i]) <= 2e-6 * v);
    }
    oracle_end(&oracle);
}
