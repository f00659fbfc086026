/* What judge() accepts and rejects, and what it says: a small program with one fault at a time. */
#include "nbody_inputs.h"

#include "testing.h"

/* tolerance_l2 of the float32 steps. */
static const double tolerance = 2e-3;

/* The plain loop, with a fault. All zero: right. */
struct fault {
    const char *phrase; /* in the message */
    enum outcome outcome;
    float sign, dt_of_kick;        /* 0: +1 and dt */
    int kicks, drifts;             /* 0: once */
    int no_kick, no_drift;         /* loops left out */
    int only_iteration;            /* counted from 1, in which forces act; 0: all */
    int stop_after;                /* iterations; 0: all */
    int keep_sums;                 /* sums of force go on from iteration to iteration */
    int drift_first, old_velocity; /* order of the two loops */
    int body_by_body;
    int j_short, j_long; /* the loop over j ends at the last full tile of 256, or fills it with 0 */
    int j_stale;         /* it fills the last tile with bodies of the tile before */
    int j_without_last;  /* it ends at n - 1 */
    int from, to;        /* bodies that are never computed; to = 0: none */
    int unwritten_from, unwritten_to;
    int zero;                  /* all is set to 0 at the end */
    int arrays_in, arrays_out; /* structures take the place of arrays */
    uint32_t poison;           /* POISON, if 0 */
    uint32_t computed;         /* a sum with what was never written in body 77's vy */
    uint32_t also_computed;    /* the same of body 78's */
    float component;           /* not 0: the value of body 77's vy */
    int n;                     /* 0: 1000 */
};

static void force_on(const struct body *b, int i, int from, int to, int n, float softening,
                     float f[3]) {
    for (int j = from; j < to; j++) {
        struct body other = j < n ? b[j] : (struct body){0};
        float dx = other.x - b[i].x, dy = other.y - b[i].y, dz = other.z - b[i].z;
        float inv = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + softening);
        float inv3 = inv * inv * inv;
        f[0] += dx * inv3, f[1] += dy * inv3, f[2] += dz * inv3;
    }
}

static void drift(struct body *b, float dt) {
    b->x += dt * b->vx, b->y += dt * b->vy, b->z += dt * b->vz;
}

static void faulty_program(const struct fault *fault, const struct parameters *p,
                           const struct body *in, struct body *out, int iterations) {
    int n = p->n, to = fault->j_without_last ? n - 1
                       : fault->j_short      ? n - n % 256
                       : fault->j_long       ? (n + 255) / 256 * 256
                                             : n;
    float(*f)[3] = calloc((size_t)n, sizeof *f);
    float sign = fault->sign != 0 ? fault->sign : 1;
    float dt_of_kick = fault->dt_of_kick != 0 ? fault->dt_of_kick : p->dt;
    assert_non_null(f);
    memcpy(out, in, (size_t)n * sizeof *out);
    if (fault->arrays_in)
        for (int c = 0; c < 6 * n; c++)
            (&out->x)[c % n * 6 + c / n] = (&in->x)[c];
    for (int it = 1; it <= (fault->stop_after ? fault->stop_after : iterations); it++) {
        if (fault->drift_first)
            for (int i = 0; i < n; i++)
                drift(&out[i], p->dt);
        for (int i = 0; i < n; i++) {
            if (!fault->keep_sums)
                f[i][0] = f[i][1] = f[i][2] = 0;
            force_on(out, i, 0, to, n, p->softening, f[i]);
            if (fault->j_stale)
                force_on(out, i, n - 256, n - n % 256, n, p->softening, f[i]);
            if (fault->body_by_body) {
                out[i].vx += p->dt * f[i][0];
                out[i].vy += p->dt * f[i][1];
                out[i].vz += p->dt * f[i][2];
                drift(&out[i], p->dt);
            }
        }
        for (int i = 0; i < n && fault->old_velocity; i++)
            drift(&out[i], p->dt);
        int acts = !fault->no_kick && !fault->body_by_body &&
                   (!fault->only_iteration || fault->only_iteration == it);
        for (int times = 0; acts && times < (fault->kicks ? fault->kicks : 1); times++) {
            for (int i = 0; i < n; i++) {
                out[i].vx += sign * dt_of_kick * f[i][0];
                out[i].vy += sign * dt_of_kick * f[i][1];
                out[i].vz += sign * dt_of_kick * f[i][2];
            }
        }
        int moves =
            !fault->no_drift && !fault->body_by_body && !fault->drift_first && !fault->old_velocity;
        for (int times = 0; moves && times < (fault->drifts ? fault->drifts : 1); times++)
            for (int i = 0; i < n; i++)
                drift(&out[i], p->dt);
    }
    for (int i = fault->from; i < fault->to; i++)
        out[i] = in[i];
    if (fault->arrays_out) {
        struct body *right = bodies_of(n);
        memcpy(right, out, (size_t)n * sizeof *right);
        for (int c = 0; c < 6 * n; c++)
            (&out->x)[c] = (&right->x)[c % n * 6 + c / n];
        free(right);
    }
    if (fault->zero)
        memset(out, 0, (size_t)n * sizeof *out);
    uint32_t poison = fault->poison ? fault->poison : POISON;
    for (int i = fault->unwritten_from; i < fault->unwritten_to; i++)
        for (size_t c = 0; c < 6; c++)
            memcpy(&out[i].x + c, &poison, sizeof poison);
    if (fault->computed)
        memcpy(&out[77].vy, &fault->computed, sizeof fault->computed);
    if (fault->also_computed)
        memcpy(&out[78].vy, &fault->also_computed, sizeof fault->also_computed);
    if (fault->component != 0)
        out[77].vy = fault->component;
    free(f);
}

static const struct fault faults[] = {
    {.phrase = "softening added", .outcome = OUTCOME_NOT_FINITE, .component = NAN},
    {.phrase = "body 77, whose vy is inf", .outcome = OUTCOME_NOT_FINITE, .component = INFINITY},
    {.phrase = "does simulation_run write", .outcome = OUTCOME_UNWRITTEN, .unwritten_to = 1000},
    {.phrase = "232 of 1000 bodies were never written: the first is body 768, the last body 999; a "
               "loop or a copy stops short",
     .outcome = OUTCOME_UNWRITTEN,
     .unwritten_from = 768,
     .unwritten_to = 1000},
    {.phrase = "1 of 1000 bodies were never written: the first is body 5, the last body 5",
     .outcome = OUTCOME_UNWRITTEN,
     .unwritten_from = 5,
     .unwritten_to = 6},
    {.phrase = "from memory that was never written: is `in` copied to `out`",
     .outcome = OUTCOME_NOT_FINITE,
     .computed = POISON_COMPUTED},
    {.phrase = "from an array on the device that was never written: is it copied there",
     .outcome = OUTCOME_NOT_FINITE,
     .computed = POISON_DEVICE_COMPUTED},
    {.phrase = "from shared memory that no thread wrote: is the whole tile loaded",
     .outcome = OUTCOME_NOT_FINITE,
     .computed = POISON_SHARED_COMPUTED},
    {.phrase = "from shared memory that no thread wrote", /* which goes first */
     .outcome = OUTCOME_NOT_FINITE,
     .computed = POISON_SHARED_COMPUTED,
     .also_computed = POISON_DEVICE_COMPUTED},
    {.phrase = "from shared memory that no thread wrote",
     .outcome = OUTCOME_NOT_FINITE,
     .computed = POISON_SHARED_COMPUTED ^ 0x80000000u},
    {.phrase = "5 of 1000 bodies were never written",
     .outcome = OUTCOME_UNWRITTEN,
     .unwritten_to = 5,
     .poison = POISON_DEVICE},
    {.phrase = "never copied", .outcome = OUTCOME_WRONG, .no_kick = 1, .no_drift = 1},
    {.phrase = "is v += dt F missing", .outcome = OUTCOME_WRONG, .no_kick = 1},
    {.phrase = "is x += dt v missing", .outcome = OUTCOME_WRONG, .no_drift = 1},
    {.phrase = "the wrong way round", .outcome = OUTCOME_WRONG, .sign = -1},
    {.phrase = "state after 1 iteration, and 2 were", .outcome = OUTCOME_WRONG, .stop_after = 1},
    {.phrase = "state after 3 iterations, and 2 were", .outcome = OUTCOME_WRONG, .stop_after = 3},
    {.phrase = "positions moved 4.0 times", .outcome = OUTCOME_WRONG, .drifts = 4},
    {.phrase = "positions moved 2.0 times", .outcome = OUTCOME_WRONG, .drifts = 2},
    {.phrase = "are used as arrays", .outcome = OUTCOME_WRONG, .arrays_in = 1},
    {.phrase = "are used as arrays", .outcome = OUTCOME_WRONG, .arrays_in = 1, .n = 5},
    {.phrase = "has the bytes of arrays", .outcome = OUTCOME_WRONG, .arrays_out = 1},
    {.phrase = "all their numbers are 0", .outcome = OUTCOME_WRONG, .zero = 1},
    {.phrase = "forces act in only one of the 2", .outcome = OUTCOME_WRONG, .only_iteration = 2},
    {.phrase = "forces act in only one of the 2", .outcome = OUTCOME_WRONG, .only_iteration = 1},
    {.phrase = "set to zero in every iteration", .outcome = OUTCOME_WRONG, .keep_sums = 1},
    {.phrase = "not multiplied by dt", .outcome = OUTCOME_WRONG, .dt_of_kick = 1},
    {.phrase = "multiplied by dt twice", .outcome = OUTCOME_WRONG, .dt_of_kick = 1e-4f},
    {.phrase = "does the loop over j end at n - 1", .outcome = OUTCOME_WRONG, .j_without_last = 1},
    {.phrase = "it is the last body: does a loop",
     .outcome = OUTCOME_WRONG,
     .from = 999,
     .to = 1000},
    {.phrase = "did the velocity loop run more", .outcome = OUTCOME_WRONG, .kicks = 2},
    {.phrase = "x += dt v comes second", .outcome = OUTCOME_WRONG, .drift_first = 1},
    {.phrase = "velocities of before this", .outcome = OUTCOME_WRONG, .old_velocity = 1},
    {.phrase = "before the forces on all others", .outcome = OUTCOME_WRONG, .body_by_body = 1},
    {.phrase = "attract nobody", .outcome = OUTCOME_WRONG, .j_short = 1},
    {.phrase = "bodies at the origin", .outcome = OUTCOME_WRONG, .j_long = 1},
    {.phrase = "attract twice: the last tile of 256", .outcome = OUTCOME_WRONG, .j_stale = 1},
    {.phrase = "attract twice: the last tile of 256",
     .outcome = OUTCOME_WRONG,
     .j_stale = 1,
     .n = 257},
    {.phrase = "232 of 1000 bodies are off, the first is body 768",
     .outcome = OUTCOME_WRONG,
     .from = 768,
     .to = 1000},
    {.phrase = "only the last n mod 256 = 232 bodies are off: does a loop or the grid end at the "
               "last full block?; they hold their input",
     .outcome = OUTCOME_WRONG,
     .from = 768,
     .to = 1000},
    {.phrase = "only the last n mod 32 = 8 bodies",
     .outcome = OUTCOME_WRONG,
     .from = 992,
     .to = 1000},
    {.phrase = "every body from 333 on", .outcome = OUTCOME_WRONG, .from = 333, .to = 1000},
    {.phrase = "only bodies 256 to 511 are off; they hold",
     .outcome = OUTCOME_WRONG,
     .from = 256,
     .to = 512},
    {.phrase = "1 of 1000 bodies is off, body 500, the worst body 500: expected",
     .outcome = OUTCOME_WRONG,
     .from = 500,
     .to = 501},
    {.phrase = "attract nobody", .outcome = OUTCOME_WRONG, .j_short = 1, .n = 1025},
    {.phrase = "bodies at the origin", .outcome = OUTCOME_WRONG, .j_long = 1, .n = 1025},
    {.phrase = "bodies at the origin", .outcome = OUTCOME_WRONG, .j_long = 1, .n = 1023},
    {.phrase = "bodies at the origin", .outcome = OUTCOME_WRONG, .j_long = 1, .n = 2},
    {.phrase = "attract nobody", .outcome = OUTCOME_WRONG, .j_short = 1, .n = 257},
    {.phrase = "never copied", .outcome = OUTCOME_WRONG, .no_drift = 1, .n = 1},
    {.phrase = "is v += dt F missing", .outcome = OUTCOME_WRONG, .no_kick = 1, .n = 2},
    {.phrase = "the wrong way round", .outcome = OUTCOME_WRONG, .sign = -1, .n = 2},
};

static void judge_fault(const struct fault *fault, struct judgement *judgement) {
    int n = fault->n ? fault->n : 1000;
    struct body *in = generated("uniform", n, 61), *out = bodies_of(n);
    struct parameters parameters = parameters_of("uniform", n, 2);
    struct answer *answer = nbody_problem.answer(&parameters, in, "uniform", 2);
    assert_non_null(answer);
    faulty_program(fault, &parameters, in, out, 2);
    nbody_problem.judge(&parameters, in, answer, out, "uniform", 2, tolerance, judgement);
    assert_int_equal(judgement->first_wrong_decimal, 0);
    assert_null(strchr(judgement->message, '\n'));
    free(in);
    free(out);
    free(answer);
}

TEST(faults_are_rejected_by_name) {
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        struct judgement judgement;
        judge_fault(&faults[f], &judgement);
        if (judgement.outcome != faults[f].outcome || !strstr(judgement.message, faults[f].phrase))
            fail_msg("fault %zu, outcome %d: \"%s\" lacks \"%s\"", f, judgement.outcome,
                     judgement.message, faults[f].phrase);
    }
}

/* No message of one cause holds the words of another. (Bodies left out are told by place.) */
TEST(each_cause_is_told_apart) {
    enum { FAULTS = sizeof faults / sizeof *faults };
    for (int f = 0; f < FAULTS; f++) {
        struct judgement judgement;
        if (faults[f].to)
            continue;
        judge_fault(&faults[f], &judgement);
        for (int other = 0; other < FAULTS; other++)
            if (!strstr(faults[f].phrase, faults[other].phrase) &&
                !strstr(faults[other].phrase, faults[f].phrase))
                if (strstr(judgement.message, faults[other].phrase))
                    fail_msg("fault %d: \"%s\" holds \"%s\"", f, judgement.message,
                             faults[other].phrase);
    }
}

/* Bodies that go by no one factor: no loop ran more than once. */
TEST(nothing_is_said_of_no_factor) {
    enum { N = 1000 };
    struct body *in = generated("uniform", N, 61), *out = bodies_of(N);
    struct parameters parameters = parameters_of("uniform", N, 1);
    struct answer *answer = nbody_problem.answer(&parameters, in, "uniform", 1);
    struct judgement judgement;
    for (int i = 0; i < N; i++)
        out[i] = in[(i + 7) % N];
    nbody_problem.judge(&parameters, in, answer, out, "uniform", 1, tolerance, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    assert_null(strstr(judgement.message, "times as far"));
    free(in);
    free(out);
    free(answer);
}

/* Beside velocities of 1e3 even forces without dt, which give 30, leave a hundredth of the error.
 */
TEST(huge_numbers_have_no_name) {
    enum { N = 1000 };
    struct body *in = generated("uniform", N, 61), *out = bodies_of(N);
    struct parameters parameters = parameters_of("uniform", N, 2);
    struct answer *answer = nbody_problem.answer(&parameters, in, "uniform", 2);
    struct judgement judgement;
    assert_true(nbody_reference(&parameters, in, out, 2));
    for (int i = 0; i < N; i++)
        out[i].vx += i % 2 ? 1e3f : -1e3f, out[i].vy += i % 3 ? 1e3f : -1e3f;
    nbody_problem.judge(&parameters, in, answer, out, "uniform", 2, tolerance, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++)
        if (faults[f].dt_of_kick != 0)
            assert_null(strstr(judgement.message, faults[f].phrase));
    free(in);
    free(out);
    free(answer);
}

/* The plain loop and the trusted program, at the sizes of the check up to 1025 and at a size that
 * is no multiple of anything. */
TEST(right_programs_are_accepted) {
    static const struct check_case more[] = {{"plummer", 999}, {"shell", 999}, {"uniform", 4099}};
    for (int c = 0; c < 12; c++) {
        struct check_case at = c < 9 ? nbody_problem.cases[c] : more[c - 9];
        struct body *in = generated(at.distribution, at.n, 62), *out = bodies_of(at.n);
        struct parameters parameters = parameters_of(at.distribution, at.n, 2);
        struct answer *answer = nbody_problem.answer(&parameters, in, at.distribution, 2);
        struct judgement judgement;
        faulty_program(&(struct fault){0}, &parameters, in, out, 2);
        nbody_problem.judge(&parameters, in, answer, out, at.distribution, 2, tolerance,
                            &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
        assert_string_equal(judgement.message, "");
        assert_true(judgement.error_l2 > 0 || at.n == 1);
        assert_true(judgement.error_p99 <= judgement.error_max);
        nbody_problem.trusted(&parameters, in, out, 2);
        nbody_problem.judge(&parameters, in, answer, out, at.distribution, 2, tolerance,
                            &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
        free(in);
        free(out);
        free(answer);
    }
}

/* Where no norm and no percentile sees it: one body of 16384. */
TEST(one_wrong_body_of_many_is_found) {
    enum { N = 16384 };
    struct body *in = generated("uniform", N, 63), *out = bodies_of(N);
    struct parameters parameters = parameters_of("uniform", N, 2);
    struct answer *answer = nbody_problem.answer(&parameters, in, "uniform", 2);
    struct judgement judgement;
    assert_true(nbody_reference(&parameters, in, out, 2));
    for (int i = 0; i < N; i += 1489) {
        struct body right = out[i], wrongs[] = {right, right, right, right};
        wrongs[0].vx = in[i].vx, wrongs[0].vy = in[i].vy, wrongs[0].vz = in[i].vz;
        wrongs[1].x = in[i].x, wrongs[1].y = in[i].y, wrongs[1].z = in[i].z;
        wrongs[2] = out[(i + 1) % N];
        wrongs[3].vx += 0.05f * (right.vx - in[i].vx); /* a force that is 5% too strong */
        wrongs[3].vy += 0.05f * (right.vy - in[i].vy);
        wrongs[3].vz += 0.05f * (right.vz - in[i].vz);
        for (int w = 0; w < 4; w++) {
            char where[40];
            out[i] = wrongs[w];
            nbody_problem.judge(&parameters, in, answer, out, "uniform", 2, tolerance, &judgement);
            assert_int_equal(judgement.outcome, OUTCOME_WRONG);
            snprintf(where, sizeof where, "is off, body %d,", i);
            assert_non_null(strstr(judgement.message, "1 of 16384 bodies is off"));
            assert_non_null(strstr(judgement.message, where));
        }
        out[i] = right;
        nbody_problem.judge(&parameters, in, answer, out, "uniform", 2, tolerance, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
    }
    free(in);
    free(out);
    free(answer);
}

/* The right body i, but `kick` times its change of velocity, at `place` times its position. */
static struct body off_by(const struct oracle *right, const struct body *in, int i, double kick,
                          double place) {
    return (struct body){(float)(place * right->x[i]),
                         (float)(place * right->y[i]),
                         (float)(place * right->z[i]),
                         (float)(in[i].vx + kick * (right->vx[i] - in[i].vx)),
                         (float)(in[i].vy + kick * (right->vy[i] - in[i].vy)),
                         (float)(in[i].vz + kick * (right->vz[i] - in[i].vz))};
}

/* Each of the four limits, by an output that the other three accept. */
TEST(every_limit_counts) {
    enum { N = 1000 };
    struct body *in = generated("uniform", N, 64), *out = bodies_of(N);
    struct parameters parameters = parameters_of("uniform", N, 2);
    in[1] = in[0]; /* a close pair, whose kick of 1e3 hides the others from L2 */
    in[1].x += 3e-3f;
    struct answer *answer = nbody_problem.answer(&parameters, in, "uniform", 2);
    const struct oracle *right = &answer->oracle;
    struct judgement judgement;
    for (int limit = 0; limit < 5; limit++) {
        static const char *const phrases[] = {"", "by 0.003 (L2", "99th percentile",
                                              "the positions are wrong by 0.004", "single bodies"};
        for (int i = 0; i < N; i++) {
            double v = limit == 1 && i < 2      ? 1.003
                       : limit == 2 && i > 1    ? 1.01
                       : limit == 4 && i == 500 ? 1.5
                                                : 1;

            out[i] = off_by(right, in, i, v, limit == 3 ? 1.004 : 1);
        }
        nbody_problem.judge(&parameters, in, answer, out, "uniform", 2, tolerance, &judgement);
        assert_int_equal(judgement.outcome, limit ? OUTCOME_WRONG : OUTCOME_ACCEPTED);
        assert_non_null(strstr(judgement.message, phrases[limit]));
    }
    free(in);
    free(out);
    free(answer);
}

/* Halves may bring two bodies as near each other as they like: what these feel is all of L2. */
TEST(two_bodies_that_halves_bring_together_count_as_two) {
    enum { N = 1000 };
    static const struct {
        double factor; /* of a body's change */
        int bodies;
        enum outcome outcome;
    } cases[] = {{50, 2, OUTCOME_ACCEPTED}, {102, 2, OUTCOME_WRONG}, {1.6, N, OUTCOME_WRONG}};
    struct body *in = generated("uniform", N, 65), *out = bodies_of(N);
    struct parameters parameters = parameters_of("uniform", N, 2);
    struct answer *answer;
    struct judgement judgement;

    in[1] = in[0];
    in[1].x += 3e-3f;
    answer = nbody_problem.answer(&parameters, in, "uniform", 2);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int i = 0; i < N; i++)
            out[i] = off_by(&answer->oracle, in, i, i < cases[c].bodies ? cases[c].factor : 1, 1);
        nbody_problem.judge(&parameters, in, answer, out, "uniform", 2, 10, &judgement);
        assert_int_equal(judgement.outcome, cases[c].outcome);
    }
    free(in);
    free(out);
    free(answer);
}

TEST(percentiles_are_by_nearest_rank) {
    double values[1000];
    for (int i = 0; i < 1000; i++)
        values[i] = (i * 7 + 3) % 1000 + 1;
    assert_true(percentile_of(values, 1000, 0.99) == 990);
    assert_true(percentile_of(values, 1000, 0.5) == 500);
    assert_true(percentile_of(values, 1000, 1) == 1000);
    sort_ascending(values, 1000);
    assert_true(percentile_of(values, 10, 0.99) == 10);
    assert_true(percentile_of(values, 3, 0.5) == 2);
    assert_true(percentile_of(values, 1, 0.01) == 1);
    assert_true(relative_error(3, 2) == 1.5);
    assert_true(relative_error(3, 0) == 3);
}
