/* The problem `cluster`: its reference against orbits that are known, and its judge against outputs
 * that are right and ones that are not. */
#include "testing.h"
#include "problems/cluster/cluster_problem.h"
#include "problems/random.h"
#include "problems/stars/systems.h"

enum { MOST = 300 };
static const double tolerance = 1e-5;

static struct star in[MOST], out[MOST];
static struct cluster_parameters parameters;

static struct flow *flow_of(const char *distribution, int n, uint64_t seed, double eta,
                            double interval, const struct scheme *scheme, int intervals) {
    struct flow *flow;

    cluster_problem.set_parameters(&parameters, distribution, n, intervals);
    parameters.accuracy = eta > 0 ? eta : parameters.accuracy;
    parameters.interval = interval > 0 ? interval : parameters.interval;
    cluster_problem.generate(in, distribution, n, seed);
    assert_non_null(flow = flow_new(&parameters, in));
    assert_int_equal(flow_run(flow, scheme, intervals), 0);
    flow_end(flow, out);
    return flow;
}

/* How far the two stars are from where Kepler has them. */
static double error_after(double eccentricity, const char *distribution, double eta, double time) {
    struct kepler orbit = stars_kepler(eccentricity, 7);
    struct star right[2];
    double error = 0;

    free(flow_of(distribution, 2, 7, eta, time, &hermite, 1));
    stars_kepler_at(&orbit, time, right);
    for (int c = 0; c < 3; c++)
        error = hypot(error, (out[1].x[c] - right[1].x[c]) - (out[0].x[c] - right[0].x[c]));
    return error;
}

/* Half of the step: a sixteenth of the error. */
TEST(the_flow_is_of_fourth_order_on_known_orbits) {
    static const struct {
        const char *distribution;
        double eccentricity;
    } orbits[] = {{"kepler05", 0.5}, {"kepler09", 0.9}};

    for (int k = 0; k < 2; k++)
        for (double eta = 0.0025; eta > 1e-4; eta /= 4) {
            double ratio = error_after(orbits[k].eccentricity, orbits[k].distribution, eta, 3) /
                           error_after(orbits[k].eccentricity, orbits[k].distribution, eta / 4, 3);

            if (fabs(ratio - 16) > 4)
                fail_msg("%s, eta %g: ratio %g", orbits[k].distribution, eta, ratio);
        }
}

/* Two corrections left out are schemes of lower order, so the test above would find them. */
TEST(a_faulty_flow_is_of_lower_order) {
    struct scheme faulty = hermite;
    double errors[2];

    faulty.correct = CORRECT_NOTHING;
    for (int k = 0; k < 2; k++) {
        struct cluster_errors of;
        struct flow *right;

        free(flow_of("kepler05", 2, 7, k ? 0.000625 : 0.0025, 3, &faulty, 1));
        assert_non_null(right = flow_reference(&parameters, in, 1));
        assert_int_equal(cluster_errors(right, out, 3, &of), 0);
        errors[k] = of.max;
        free(right);
    }
    assert_true(fabs(errors[0] / errors[1] - 4) < 1);
}

TEST(circular_pairs_take_the_steps_that_the_technique_counts_on) {
    struct flow *flow = flow_of("binaries", 33, 3, 0, 0, &hermite, 2);
    double steps = 2 * parameters.interval * BINARY_SPEED / sqrt(parameters.accuracy);

    assert_true(flow->steps >= steps && flow->steps <= 1.2 * steps);
    free(flow);
}

TEST(systems_have_mass_one_and_the_same_bytes) {
    static const char *const names[] = {"plummer",  "bare",   "masses",
                                        "kepler05", "merger", "binaries"};

    for (size_t d = 0; d < sizeof names / sizeof *names; d++) {
        int n = d == 3 ? 2 : 101;
        double mass = 0;

        cluster_problem.generate(in, names[d], n, 5);
        cluster_problem.generate(out, names[d], n, 5);
        assert_memory_equal(in, out, (size_t)n * sizeof *in);
        for (int i = 0; i < n; i++)
            mass += in[i].mass;
        assert_true(fabs(mass - 1) < 1e-12);
        cluster_problem.generate(out, names[d], n, 6);
        assert_true(memcmp(in, out, (size_t)n * sizeof *in) != 0);
    }
}

static struct judgement judge(const char *distribution, int intervals) {
    struct flow *right = flow_reference(&parameters, in, intervals);
    struct judgement judgement;

    assert_non_null(right);
    cluster_problem.judge(&parameters, in, right, out, distribution, intervals, tolerance,
                          &judgement);
    free(right);
    return judgement;
}

static void assert_judged(const char *distribution, int intervals, enum outcome outcome,
                          const char *words) {
    struct judgement judgement = judge(distribution, intervals);

    if (judgement.outcome != outcome || !strstr(judgement.message, words))
        fail_msg("%s, outcome %d instead of %d with \"%s\": %s", distribution, judgement.outcome,
                 outcome, words, judgement.message);
}

/* As a check draws accuracy and interval. */
TEST(the_scheme_is_accepted_whatever_is_drawn) {
    static const char *const names[] = {"plummer",  "bare",   "masses",  "kepler05",
                                        "kepler09", "merger", "binaries"};

    for (uint64_t seed = 0; seed < 12; seed++)
        for (size_t d = 0; d < sizeof names / sizeof *names; d++) {
            struct random random = random_of(seed, d);
            double eta = 0.0025 * pow(8, random_unit(&random));
            double interval = 0.01 * pow(5, random_unit(&random));
            int n = !strncmp(names[d], "kepler", 6) ? 2 : 2 + (int)(40 * random_unit(&random));

            free(flow_of(names[d], n, seed, eta, interval, &hermite, 1 + (int)seed % 5));
            assert_judged(names[d], 1 + (int)seed % 5, OUTCOME_ACCEPTED, "");
        }
}

/* Two stars pass at a five-hundredth of a unit, one unit from the origin, and feel each other's
 * float positions. The same error of forces is a fault where the positions are not that close. */
TEST(float_positions_may_err_where_stars_pass_closely) {
    static const double apart[] = {0.002, 0.2};

    for (int wide = 0; wide < 2; wide++) {
        struct flow *rounded;
        double off = 0x1p-24 * 0.7 * (wide ? 100 : 1);

        parameters = (struct cluster_parameters){.n = 2, .accuracy = 0.01, .interval = 0.04};
        for (int s = 0; s < 2; s++)
            in[s] = (struct star){.mass = 1e-5,
                                  .x = {0.7, s ? 0.02 : 0, 0.7 + (s ? apart[wide] : 0)},
                                  .v = {0, s ? -1 : 0, 0}};
        rounded = flow_new(&parameters, in);
        assert_non_null(rounded);
        rounded->x[2][0] -= off;
        rounded->x[2][1] += off;
        flow_run(rounded, &hermite, 1);
        flow_end(rounded, out);
        free(rounded);
        out[0].x[2] += off;
        out[1].x[2] -= off;
        assert_judged("bare", 1, wide ? OUTCOME_WRONG : OUTCOME_ACCEPTED, "");
    }
}

TEST(each_fault_is_named) {
    struct {
        struct scheme scheme;
        const char *distribution;
        int n;
        const char *words;
    } faults[] = {
        {hermite, "masses", 60, "own mass as a factor"},
        {hermite, "masses", 60, "all masses are taken for equal"},
        {hermite, "plummer", 60, "the softening is left out"},
        {hermite, "plummer", 60, "it is a length, and its square is to be added"},
        {hermite, "plummer", 60, "the last star attracts nobody"},
    };

    faults[0].scheme.masses = OWN_MASS;
    faults[1].scheme.masses = MEAN_MASS;
    faults[2].scheme.softening = UNSOFTENED;
    faults[3].scheme.softening = UNSQUARED;
    faults[4].scheme.sources_left_out = 1;
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        free(flow_of(faults[f].distribution, faults[f].n, 2, 0, 0, &faults[f].scheme, 2));
        assert_judged(faults[f].distribution, 2, OUTCOME_WRONG, faults[f].words);
    }
}

TEST(what_is_not_written_or_no_number_is_told) {
    unsigned poison[2] = {POISON, POISON};

    free(flow_of("plummer", 50, 2, 0, 0, &hermite, 1));
    memcpy(&out[49].v[2], poison, sizeof poison);
    assert_judged("plummer", 1, OUTCOME_UNWRITTEN, "1 of 50 stars were never written");
    out[49].v[2] = NAN;
    assert_judged("plummer", 1, OUTCOME_NOT_FINITE, "the velocity z of star 49 is nan");
    out[49].v[2] = 0;
    out[3].mass *= 2;
    assert_judged("plummer", 1, OUTCOME_WRONG, "masses do not change");
    memcpy(out, in, sizeof out);
    assert_judged("plummer", 1, OUTCOME_WRONG, "the stars are those of the input");
}

/* Each star is right to the tolerance, and what the cluster keeps is not. */
TEST(a_drift_of_all_stars_to_one_side_is_found) {
    static const struct {
        double along_velocity, velocity, place, turn;
        const char *words;
    } drifts[] = {
        {0, 0, 0, 0, ""},
        {1, 0, 0, 0, "the energy is not kept"},
        {0, 1, 0, 0, "the momentum is not kept"},
        {0, 0, 1, 0, "the centre of mass is not kept"},
        {0, 0, 0, 1, "the angular momentum is not kept"},
    };

    for (size_t d = 0; d < sizeof drifts / sizeof *drifts; d++) {
        struct flow *right = flow_of("plummer", 200, 4, 0, 0.2, &hermite, 1);
        double kick = 0, size;

        for (int i = 0; i < 200; i++)
            kick += right->kick[i] / 200;
        size = 0.6 * tolerance * kick;
        for (int i = 0; i < 200; i++) {
            double speed = sqrt(out[i].v[0] * out[i].v[0] + out[i].v[1] * out[i].v[1] +
                                out[i].v[2] * out[i].v[2]);
            double radius = hypot(out[i].x[0], out[i].x[1]) + 0.3;

            for (int c = 0; c < 3; c++)
                out[i].v[c] += drifts[d].along_velocity * size * 1.5 * out[i].v[c] / speed;
            out[i].v[0] += drifts[d].velocity * size;
            out[i].x[0] += drifts[d].place * size * parameters.interval;
            out[i].v[0] -= drifts[d].turn * size * out[i].x[1] / radius;
            out[i].v[1] += drifts[d].turn * size * out[i].x[0] / radius;
        }
        free(right);
        assert_judged("plummer", 1, *drifts[d].words ? OUTCOME_WRONG : OUTCOME_ACCEPTED,
                      drifts[d].words);
    }
}

/* The verdict on a timed run in which so many stars of 200 are faster by so many limits. */
static enum outcome timed_with(const struct star *trusted, int stars, double limits, char *words) {
    static struct star moved[200];
    struct judgement judgement;
    double change = 0;

    memcpy(moved, trusted, sizeof moved);
    for (int i = 0; i < 200; i++)
        for (int c = 0; c < 3; c++)
            change += pow(trusted[i].v[c] - in[i].v[c], 2) / 200;
    for (int i = 0; i < stars; i++)
        moved[7 * i].v[1] +=
            limits * sqrt(change) * tolerance * (0.2 + pow(parameters.accuracy / 0.01, 2));
    cluster_problem.judge_timed(&parameters, in, trusted, moved, tolerance, &judgement);
    strcpy(words, judgement.message);
    return judgement.outcome;
}

TEST(a_timed_run_is_held_against_the_trusted_program) {
    static struct star trusted[200];
    struct judgement judgement;
    char words[sizeof judgement.message];

    free(flow_of("plummer", 200, 4, 0, 0, &hermite, 2));
    assert_int_equal(cluster_problem.trusted(&parameters, in, trusted, 2), 0);
    cluster_problem.judge_timed(&parameters, in, trusted, out, tolerance, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
    assert_int_equal(timed_with(trusted, 2, 1000, words), OUTCOME_ACCEPTED);
    assert_int_equal(timed_with(trusted, 1, 3000, words), OUTCOME_TIMED_OUTPUT);
    assert_non_null(strstr(words, "velocity of star 0 "));
    assert_int_equal(timed_with(trusted, 3, 1.9, words), OUTCOME_ACCEPTED);
    assert_int_equal(timed_with(trusted, 3, 2.1, words), OUTCOME_TIMED_OUTPUT);
    assert_non_null(strstr(words, "1 in 100"));
    free(flow_of("plummer", 200, 4, 0, 0, &hermite, 1)); /* half of the intervals */
    cluster_problem.judge_timed(&parameters, in, trusted, out, tolerance, &judgement);
    assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
}
