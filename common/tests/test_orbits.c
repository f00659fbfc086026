/* The problem `orbits`: its flow against orbits that are known, and its judge against outputs that
 * are right and ones that are not. */
#include "testing.h"
#include "problems/orbits/orbits_problem.h"
#include "problems/random.h"
#include "problems/stars/systems.h"

enum { MOST = 512 };
static const double tolerance = 0.05;

static struct star in[MOST], out[MOST];
static struct orbits_parameters parameters;

/* Bodies of that distribution; with `draws` the parameters are drawn as in a check. */
static void draw(const char *distribution, int n, uint64_t seed, int draws) {
    struct random random = random_of(seed, (uint64_t)n);
    const struct varied *one = orbits_problem.varied;

    orbits_problem.set_parameters(&parameters, distribution, n, 1);
    for (; draws && one->name; one++)
        varied_set(one, &parameters, one->low * pow(one->high / one->low, random_unit(&random)));
    orbits_problem.generate(in, distribution, n, seed);
}

static struct orbits_flow *move(int intervals, const struct orbits_scheme *scheme) {
    struct orbits_flow *flow = orbits_flow(&parameters, in, intervals, scheme);

    assert_non_null(flow);
    orbits_flow_end(flow, parameters.n, out);
    return flow;
}

static struct judgement judged(int intervals) {
    void *answer = orbits_problem.answer(&parameters, in, "", intervals);
    struct judgement judgement;

    assert_non_null(answer);
    orbits_problem.judge(&parameters, in, answer, out, "", intervals, tolerance, &judgement);
    free(answer);
    return judgement;
}

static void assert_judged(int intervals, enum outcome outcome, const char *words) {
    struct judgement judgement = judged(intervals);

    if (judgement.outcome != outcome || !strstr(judgement.message, words))
        fail_msg("outcome %d instead of %d with \"%s\": %s", judgement.outcome, outcome, words,
                 judgement.message);
}

/* How far two bodies, which softening hardly touches, are from where Kepler has them. */
static double error_at(double eta, int leapfrog) {
    const struct orbits_scheme scheme = {.eta = 1, .leapfrog = leapfrog};
    struct kepler orbit = stars_kepler(0.5, 7);
    struct star right[2];
    double error = 0;

    draw("kepler05", 2, 7, 0);
    parameters.interval = 3;
    parameters.softening = 1e-5;
    parameters.eta = eta;
    free(move(1, &scheme));
    stars_kepler_at(&orbit, 3, right);
    for (int c = 0; c < 3; c++)
        error = hypot(error, (out[1].x[c] - right[1].x[c]) - (out[0].x[c] - right[0].x[c]));
    return error;
}

/* A quarter of the error with half of the step. */
TEST(the_flow_is_of_second_order_on_known_orbits) {
    for (int leapfrog = 0; leapfrog < 2; leapfrog++)
        for (double eta = 8; eta > 0.1; eta /= 4) {
            double ratio = error_at(eta, leapfrog) / error_at(eta / 4, leapfrog);

            if (fabs(ratio - 4) > 1)
                fail_msg("leapfrog %d, eta %g: ratio %g", leapfrog, eta, ratio);
        }
}

TEST(pairs_take_the_steps_that_the_technique_counts_on) {
    const struct orbits_scheme scheme = {.eta = 1};
    struct orbits_flow *flow;

    draw("binaries", 512, 3, 0);
    flow = move(2, &scheme);
    for (int i = 0; i < 512; i++)
        assert_int_equal(flow->bodies[i].steps, i / 2 % 16 ? 4 : 16);
    assert_int_equal(flow->blocks, 1 + 16);
    assert_int_equal(flow->forces, 5 * 512 + 12 * 32);
    free(flow);
}

TEST(no_step_is_longer_than_the_contract_has_it) {
    static const char *const names[] = {"merger", "cold", "m31", "binaries"};
    const struct orbits_scheme scheme = {.eta = 1};

    for (size_t d = 0; d < sizeof names / sizeof *names; d++) {
        struct orbits_flow *flow;
        double tick;

        draw(names[d], 200, 5, 0);
        flow = move(1, &scheme);
        tick = parameters.interval / 0x1p20;
        for (int i = 0; i < 200; i++) {
            const struct orbits_body *body = &flow->bodies[i];
            double a =
                sqrt(body->a[0] * body->a[0] + body->a[1] * body->a[1] + body->a[2] * body->a[2]);

            assert_int_equal(body->time, 1 << 20);
            assert_true((double)body->step * tick <=
                        sqrt(2 * parameters.eta * parameters.softening / a));
        }
        free(flow);
    }
}

/* Of one leaf, and of many. */
static const struct {
    const char *distribution;
    int n, seeds;
} inputs[] = {{"plummer", 0, 1},   {"plummer", 1, 4},  {"plummer", 2, 20}, {"plummer", 100, 4},
              {"masses", 2, 40},   {"few", 3, 40},     {"few", 17, 40},    {"few", 64, 12},
              {"kepler05", 2, 60}, {"merger", 120, 2}, {"cold", 120, 2},   {"m31", 120, 3}};

/* As a check draws them: with numbers of float, of both kinds, with steps half as long, and with a
 * power of two below where rounding has it. */
TEST(right_schemes_are_accepted) {
    static const double etas[] = {1, 0.999999, 0.25};

    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++)
        for (int s = 0; s < 2 * inputs[k].seeds; s++) {
            int intervals = 1 + s / 2 % 5;
            void *answer;

            draw(inputs[k].distribution, inputs[k].n, (uint64_t)s + 1,
                 s % 2 && strcmp(inputs[k].distribution, "m31") != 0);
            answer = orbits_problem.answer(&parameters, in, "", intervals);
            for (int way = 0; way < 12; way++) {
                const struct orbits_scheme scheme = {
                    .eta = etas[way / 4], .leapfrog = way % 2, .in_float = way / 2 % 2};
                struct judgement judgement;

                free(move(intervals, &scheme));
                orbits_problem.judge(&parameters, in, answer, out, "", intervals, tolerance,
                                     &judgement);
                if (judgement.outcome)
                    fail_msg("%s, n = %d, seed %d, way %d: %s", inputs[k].distribution, inputs[k].n,
                             s + 1, way, judgement.message);
            }
            free(answer);
        }
}

/* All in one leaf, with the usual parameters; each in numbers of float. */
TEST(each_fault_is_named) {
    static const struct {
        const char *distribution, *words;
        int n;
    } faults[ORBITS_FAULTS] = {
        [ORBITS_NO_CORRECTOR] = {"kepler05", "without the corrector", 2},
        [ORBITS_NEW_ALONE] = {"kepler05", "the new acceleration alone", 2},
        [ORBITS_OLD_PLACE] = {"kepler05", "places lack", 2},
        [ORBITS_WHOLE_PLACE] = {"kepler05", "it is dt^2 / 4", 2},
        [ORBITS_NEW_VELOCITY] = {"kepler05", "made with the new velocity", 2},
        [ORBITS_OTHERS_STAY] = {"few", "predicted to the block's time", 64},
        [ORBITS_BY_OWN_STEP] = {"few", "to the ends of their own steps", 64},
        [ORBITS_LONG_STEPS] = {"kepler05", "twice as long as eta allows", 2},
        [ORBITS_UNSOFTENED_STEPS] = {"kepler05", "the softening is left out", 2},
        [ORBITS_WHOLE_INTERVALS] = {"kepler05", "as long as the interval", 2},
        [ORBITS_LEFT_BEHIND] = {"few", "the last block of an interval", 64},
        [ORBITS_UNSOFTENED] = {"few", "without softening", 64},
        [ORBITS_UNSQUARED] = {"few", "its square is wanted", 64},
        [ORBITS_EQUAL_MASSES] = {"few", "all masses are taken for equal", 64},
        [ORBITS_LAST_FORGOTTEN] = {"few", "the last body attracts nobody", 64},
    };

    for (int f = 1; f < ORBITS_FAULTS; f++)
        for (int s = 0; s < 16; s++) {
            const struct orbits_scheme scheme = {
                .eta = 1, .leapfrog = s % 2, .in_float = 1, .fault = (enum orbits_fault)f};

            draw(faults[f].distribution, faults[f].n, (uint64_t)s + 1, 0);
            free(move(2, &scheme));
            assert_judged(2, OUTCOME_WRONG, faults[f].words);
        }
}

/* Two bodies too far apart for their softening to do much. */
TEST(a_fault_within_the_limit_is_named) {
    int within = 0;

    for (int s = 0; s < 40; s++) {
        const struct orbits_scheme scheme = {
            .eta = 1, .leapfrog = s % 2, .in_float = 1, .fault = ORBITS_UNSOFTENED};
        struct judgement judgement;

        draw("masses", 2, (uint64_t)s + 1, 1);
        free(move(2, &scheme));
        judgement = judged(2);
        if (strstr(judgement.message, "but in the way of a known fault: ")) {
            assert_int_equal(judgement.outcome, OUTCOME_WRONG);
            assert_non_null(strstr(judgement.message, "without softening"));
            within++;
        }
    }
    assert_true(within >= 2);
}

TEST(what_is_not_written_or_no_number_is_told) {
    const struct orbits_scheme scheme = {.eta = 1};
    unsigned poison[2] = {POISON, POISON};

    draw("masses", 50, 2, 0);
    free(move(1, &scheme));
    memcpy(&out[49].v[2], poison, sizeof poison);
    assert_judged(1, OUTCOME_UNWRITTEN,
                  "1 of 50 bodies were never written, or not wholly: the "
                  "first is body 49");
    out[49].v[2] = NAN;
    assert_judged(1, OUTCOME_NOT_FINITE, "the velocity z of body 49 is nan");
    free(move(1, &scheme));
    for (int i = 0; i < 50; i++)
        out[i].mass = (float)out[i].mass;
    assert_judged(1, OUTCOME_ACCEPTED, "");
    out[3].mass *= 1.001;
    assert_judged(1, OUTCOME_WRONG, "masses do not change");
    memcpy(out, in, sizeof out);
    assert_judged(1, OUTCOME_WRONG, "the bodies are those of the input");
}

/* By so many times the accuracy's share of its kick, to one side or to either. */
static void shift(const struct orbits_flow *right, double size, int is_one_side) {
    for (int i = 0; i < parameters.n; i++)
        out[i].v[0] += size * right->bodies[i].kick * (is_one_side || i % 2 ? 1 : -1);
}

TEST(errors_of_nodes_are_allowed_and_a_drift_is_not) {
    const struct orbits_scheme scheme = {.eta = 1};
    const double share = 0.3 * pow(0x1p-9, 0.65);
    struct orbits_flow *right;

    draw("plummer", 300, 4, 0);
    right = move(2, &scheme);
    shift(right, 1.5 * share, 0);
    assert_judged(2, OUTCOME_ACCEPTED, "");
    shift(right, -1.5 * share, 0);
    shift(right, 1.5 * share, 1);
    assert_judged(2, OUTCOME_WRONG, "the momentum is not kept");
    shift(right, -1.5 * share, 1);
    shift(right, 4 * share, 0);
    assert_judged(2, OUTCOME_WRONG, "off by more than eta and accuracy allow");
    shift(right, -4 * share, 0);
    out[7].v[1] += 100 * share * right->bodies[7].kick;
    assert_judged(2, OUTCOME_WRONG, "the worst is body 7");
    free(right);
}

/* The verdict on a timed run in which every so many bodies are faster by that part of what forces
 * may be off by. */
static void assert_timed(const struct star *trusted, int every, double limits, enum outcome outcome,
                         const char *words) {
    struct star moved[MOST];
    struct judgement judgement;
    double share = tolerance * (6 * pow(0x1p-9, 0.65) + 0.49);

    memcpy(moved, trusted, sizeof moved);
    for (int i = 0; i < parameters.n && every; i += every)
        for (int c = 0; c < 3; c++)
            moved[i].v[c] += limits * share * (trusted[i].v[c] - in[i].v[c]);
    orbits_problem.judge_timed(&parameters, in, trusted, moved, tolerance, &judgement);
    if (judgement.outcome != outcome || !strstr(judgement.message, words))
        fail_msg("every %d by %g: outcome %d, %s", every, limits, judgement.outcome,
                 judgement.message);
}

TEST(a_timed_run_is_held_against_the_trusted_program) {
    const struct orbits_scheme scheme = {.eta = 1};
    static struct star trusted[MOST];
    struct judgement judgement;

    draw("plummer", 400, 4, 0);
    assert_int_equal(orbits_problem.trusted(&parameters, in, trusted, 2), 0);
    assert_timed(trusted, 0, 0, OUTCOME_ACCEPTED, "");
    assert_timed(trusted, 200, 50, OUTCOME_ACCEPTED, "");
    assert_timed(trusted, 400, 200, OUTCOME_TIMED_OUTPUT, "the velocity of body 0 ");
    assert_timed(trusted, 20, 20, OUTCOME_TIMED_OUTPUT, "1 in 100");
    free(move(1, &scheme)); /* half of the intervals */
    orbits_problem.judge_timed(&parameters, in, trusted, out, tolerance, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
}
