/* The verdict by first wrong decimal, at its edges and on programs right and wrong. */
#include "nbody_inputs.h"

#include <float.h>
#include "testing.h"

/* No 10^-k is a float or a double, so every edge lies between two neighbours. */
TEST(decimal_changes_at_the_power_of_ten) {
    for (int k = 1; k <= 9; k++) {
        long double power = 1.0L;
        for (int factor = 0; factor < k; factor++)
            power /= 10.0L;
        float above = (float)power;
        if ((long double)above < power)
            above = nextafterf(above, 1.0f);
        float below = nextafterf(above, 0.0f);
        assert_int_equal(first_wrong_decimal(above, 0.0f), k);
        assert_int_equal(first_wrong_decimal(0.0f, above), k);
        assert_int_equal(first_wrong_decimal(-above, 0.0f), k);
        assert_int_equal(first_wrong_decimal(below, 0.0f), k + 1);
    }
}

TEST(decimal_of_plain_numbers) {
    assert_int_equal(first_wrong_decimal(0.0f, 0.0f), 10);
    assert_int_equal(first_wrong_decimal(0.0f, -0.0f), 10);
    assert_int_equal(first_wrong_decimal(7.5f, 7.5f), 10);
    assert_int_equal(first_wrong_decimal(3.0f, 1.0f), 1);
    assert_int_equal(first_wrong_decimal(-5.0f, 5.0f), 1);
    assert_int_equal(first_wrong_decimal(FLT_MAX, -FLT_MAX), 1);
    assert_int_equal(first_wrong_decimal(0.5f, 0.45f), 2);
    assert_int_equal(first_wrong_decimal(1.125f, 1.0f), 1);
    assert_int_equal(first_wrong_decimal(1.0f, 0.9375f), 2);        /* 1/16 */
    assert_int_equal(first_wrong_decimal(64.0f, 63.998046875f), 3); /* 1/512 */
    assert_int_equal(first_wrong_decimal(0x1p-30f, 0.0f), 10);      /* 9.3e-10 */
    /* 0.1f is 0.1 + 1.5e-9; rounded to float, the difference would be 0.1f again. */
    assert_int_equal(first_wrong_decimal(0.1f, 0.0f), 1);
    assert_int_equal(first_wrong_decimal(0.1f, 2e-9f), 2);
    assert_int_equal(first_wrong_decimal(NAN, 1.0f), 1);
    assert_int_equal(first_wrong_decimal(1.0f, NAN), 1);
    assert_int_equal(first_wrong_decimal(INFINITY, 1.0f), 1);
}

/* 100 bodies, 300 coordinates: 3 may be wrong. */
TEST(one_percent_may_be_wrong) {
    enum { N = 100 };
    struct body *reference = generated("cube", N, 51), *out = generated("cube", N, 51);
    struct judgement judgement;
    nbody_decimals(reference, out, N, &judgement);
    assert_int_equal(judgement.first_wrong_decimal, 10);
    assert_int_equal(judgement.decimals[9], 3 * N);

    out[0].x += 0.5f;
    out[50].y += 0.05f;
    out[99].z += 0.05f;
    out[7].vx += 100; /* velocities are not asked */
    nbody_decimals(reference, out, N, &judgement);
    assert_int_equal(judgement.decimals[0], 1);
    assert_int_equal(judgement.decimals[1], 2);
    assert_int_equal(judgement.decimals[9], 3 * N - 3);
    assert_int_equal(judgement.first_wrong_decimal, 10);

    out[3].x += 0.0005f;
    nbody_decimals(reference, out, N, &judgement);
    assert_int_equal(judgement.decimals[3], 1);
    assert_int_equal(judgement.first_wrong_decimal, 4);

    out[4].x += 0.05f;
    nbody_decimals(reference, out, N, &judgement);
    assert_int_equal(judgement.first_wrong_decimal, 2);
    free(reference);
    free(out);
}

/* a * b + c with one rounding: the product of two floats is exact in double. (The sum is rounded
 * twice, which differs from a true multiply-add once in 2^29.) */
static inline float contracted(float a, float b, float c) {
    return (float)((double)a * (double)b + (double)c);
}

/* Two iterations as a compiler makes them that contracts. Lanes along i, for speed. */
static void contracted_program(const struct parameters *p, const struct body *in,
                               struct body *out) {
    enum { LANES = 16 };
    struct body *old = bodies_of(p->n);
    memcpy(out, in, (size_t)p->n * sizeof *out);
    for (int iteration = 0; iteration < 2; iteration++) {
        memcpy(old, out, (size_t)p->n * sizeof *out);
#pragma omp parallel for
        for (int first = 0; first < p->n; first += LANES) {
            float x[LANES] = {0}, y[LANES] = {0}, z[LANES] = {0};
            float fx[LANES] = {0}, fy[LANES] = {0}, fz[LANES] = {0};
            for (int l = 0; l < LANES && first + l < p->n; l++)
                x[l] = old[first + l].x, y[l] = old[first + l].y, z[l] = old[first + l].z;
            for (int j = 0; j < p->n; j++) {
                float xj = old[j].x, yj = old[j].y, zj = old[j].z;
#pragma omp simd
                for (int l = 0; l < LANES; l++) {
                    float dx = xj - x[l], dy = yj - y[l], dz = zj - z[l];
                    float r2 = contracted(dz, dz, contracted(dy, dy, dx * dx)) + p->softening;
                    float inv = 1.0f / sqrtf(r2);
                    float inv3 = inv * inv * inv;
                    fx[l] = contracted(dx, inv3, fx[l]);
                    fy[l] = contracted(dy, inv3, fy[l]);
                    fz[l] = contracted(dz, inv3, fz[l]);
                }
            }
            for (int l = 0; l < LANES && first + l < p->n; l++) {
                struct body *b = &out[first + l];
                b->vx = contracted(p->dt, fx[l], b->vx);
                b->vy = contracted(p->dt, fy[l], b->vy);
                b->vz = contracted(p->dt, fz[l], b->vz);
                b->x = contracted(p->dt, b->vx, b->x);
                b->y = contracted(p->dt, b->vy, b->y);
                b->z = contracted(p->dt, b->vz, b->z);
            }
        }
    }
    free(old);
}

/* The homework's size. The float32 reference is itself off by 0.3% against fp64 there, so a rule
 * of "no coordinate at all" would reject right programs. */
TEST(contraction_is_accepted) {
    enum { N = 30000 };
    struct body *in = generated("cube", N, 52), *out = bodies_of(N);
    struct parameters parameters = parameters_of("cube", N, 2);
    struct answer *answer = nbody_problem.answer(&parameters, in, "cube", 2);
    struct judgement judgement;
    assert_non_null(answer);

    contracted_program(&parameters, in, out);
    nbody_problem.judge(&parameters, in, answer, out, "cube", 2, 0, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
    assert_true(judgement.first_wrong_decimal > 2);
    assert_true(judgement.decimals[0] + judgement.decimals[1] > 0);
    assert_true(judgement.decimals[9] < 3 * N);

    nbody_problem.trusted(&parameters, in, out, 2);
    nbody_problem.judge(&parameters, in, answer, out, "cube", 2, 0, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
    free(in);
    free(out);
    free(answer);
}

/* 4% of the bodies, so 1.3% of the coordinates, off by a step that shows at one decimal. */
TEST(decimals_one_and_two_decide) {
    enum { N = 1000 };
    static const float steps[] = {0.5f, 0.05f, 0.005f};
    struct body *in = generated("cube", N, 54), *out = bodies_of(N);
    struct parameters parameters = parameters_of("cube", N, 1);
    struct answer *answer = nbody_problem.answer(&parameters, in, "cube", 1);
    struct judgement judgement;
    assert_non_null(answer);
    for (int k = 1; k <= 3; k++) {
        memcpy(out, answer->reference, N * sizeof *out);
        for (int i = 0; i < N; i += 25)
            out[i].y += steps[k - 1];
        nbody_problem.judge(&parameters, in, answer, out, "cube", 2, 0, &judgement);
        assert_int_equal(judgement.first_wrong_decimal, k);
        assert_int_equal(judgement.outcome, k < 3 ? OUTCOME_DECIMALS : OUTCOME_ACCEPTED);
    }
    free(in);
    free(out);
    free(answer);
}

/* One block of 256 bodies of 16384 is 1.6%. */
TEST(a_block_left_out_is_rejected) {
    enum { N = 16384 };
    struct body *in = generated("cube", N, 53), *out = bodies_of(N);
    struct parameters parameters = parameters_of("cube", N, 2);
    struct answer *answer = nbody_problem.answer(&parameters, in, "cube", 2);
    struct judgement judgement;
    assert_non_null(answer);
    assert_non_null(answer->reference);
    memcpy(out, answer->reference, N * sizeof *out);
    nbody_problem.judge(&parameters, in, answer, out, "cube", 2, 0, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
    assert_int_equal(judgement.decimals[9], 3 * N);

    memcpy(out + 4096, in + 4096, 256 * sizeof *out);
    nbody_problem.judge(&parameters, in, answer, out, "cube", 2, 0, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_DECIMALS);
    assert_true(judgement.first_wrong_decimal <= 2);
    assert_non_null(strstr(judgement.message, "decimal 1 or 2"));
    assert_non_null(strstr(judgement.message, "they hold their input"));
    free(in);
    free(out);
    free(answer);
}
