/* The problem `jerk`: what forces are, what the judge says of wrong ones, and its inputs. */
#include "testing.h"
#include "jerk_inputs.h"

static const struct problem *const jerk = &jerk_problem;

#define assert_near(value, right) assert_true(fabs((value) - (right)) <= 1e-15)

/* A source of mass 2 at distance 3 in x with velocity (1, 2, 0), softening 4: s = 5. */
TEST(forces_are_as_by_hand) {
    const struct jerk_parameters parameters = {2, 1, 4};
    const struct particle sources[] = {{{7, {1, 1, 1}, {0, 0, 0}}, 3},
                                       {{2, {4, 1, 1}, {1, 2, 0}}, 8}};
    const struct particle target = {{5, {1, 1, 1}, {0, 0, 0}}, 3},
                          apart = {{5, {1, 1, 1}, {0}}, -1};
    struct felt felt = jerk_feel(&parameters, sources, &target, RIGHT, 8);

    assert_near(felt.force.acceleration[0], 6. / 125);
    assert_near(felt.force.acceleration[1], 0);
    /* v / s^3 - 3 (r.v) r / s^5 = (1/125 - 27/3125, 2/125, 0) */
    assert_near(felt.force.jerk[0], 2 * (1. / 125 - 27. / 3125));
    assert_near(felt.force.jerk[1], 4. / 125);
    assert_near(felt.force.potential, -2. / 5);
    assert_int_equal(felt.force.neighbour, 8);
    assert_near(felt.nearest2, 9);
    assert_near(felt.given2, 9);
    /* A test point is apart from the star at its place, which softened has a potential. */
    felt = jerk_feel(&parameters, sources, &apart, RIGHT, -1);
    assert_near(felt.force.potential, -2. / 5 - 7. / 4);
    assert_int_equal(felt.force.neighbour, 3);
}

TEST(stars_at_one_place_are_neighbours_without_force) {
    const struct jerk_parameters unsoftened = {3, 1, 0};
    const struct particle sources[] = {
        {{1, {2, 0, 0}, {0}}, 9}, {{1, {1, 1, 1}, {0}}, 5}, {{1, {1, 1, 1}, {1, 0, 0}}, 4}};
    const struct particle target = {{1, {1, 1, 1}, {0}}, 7}, itself = {{1, {1, 1, 1}, {0}}, 5};
    const struct particle alone = {{1, {0}, {0}}, 9};
    struct felt felt = jerk_feel(&unsoftened, sources, &target, RIGHT, -1);

    assert_int_equal(felt.force.neighbour, 5); /* the first of those as near */
    assert_near(felt.force.potential, -1 / sqrt(3));
    assert_int_equal(jerk_feel(&unsoftened, sources, &itself, RIGHT, -1).force.neighbour, 4);
    felt = jerk_feel(&(struct jerk_parameters){1, 1, 0}, sources, &alone, RIGHT, -1);
    assert_int_equal(felt.force.neighbour, -1);
    assert_near(felt.force.potential, 0);
}

/* Forces with faults made on purpose, apart from how oracle.c makes them. */
struct fault {
    int counts_self, self_in_potential, by_place, by_slot, no_last, of_target, floats;
    int plus, no_second, no_factor, minus_v, minus_r, no_jerk, no_neighbour, own, softened, slot,
        last;
    int softening; /* 1: none; 2: not squared */
};

static void compute_wrongly(const struct jerk_input *input, const struct fault *fault,
                            struct force *forces) {
    double softening = input->parameters.softening, eps2 = softening * softening;
    int n = input->parameters.sources - fault->no_last;

    eps2 = fault->softening == 1 ? 0 : fault->softening == 2 ? softening : eps2;
    for (int i = 0; i < input->parameters.targets; i++) {
        const struct particle *own = &input->targets[i];
        struct force force = {.neighbour = -1};
        double least = INFINITY;

        for (int j = 0; j < n; j++) {
            const struct particle *other = &input->sources[j];
            double r[3], v[3], r2 = 0, rv = 0;
            double m = fault->of_target ? own->star.mass : other->star.mass;

            for (int c = 0; c < 3; c++) {
                float far = (float)other->star.x[c], near = (float)own->star.x[c];

                r[c] = fault->floats ? far - near : other->star.x[c] - own->star.x[c];
                v[c] = other->star.v[c] - own->star.v[c];
                if (fault->minus_v)
                    v[c] = -v[c];
                r2 += r[c] * r[c];
                rv += r[c] * v[c];
            }
            int self = fault->counts_self ? 0
                       : fault->by_place  ? r2 == 0
                       : fault->by_slot   ? j == own->index
                                          : other->index == own->index;
            double s2 = r2 + eps2, near2 = r2;

            if (fault->softened)
                near2 = (float)((float)r2 + (float)eps2);
            if ((!self || fault->own) && !fault->no_neighbour &&
                (near2 < least || (fault->last && near2 == least))) {
                least = near2;
                force.neighbour = fault->slot ? j : other->index;
            }
            if (self && fault->self_in_potential && eps2 > 0)
                force.potential -= m / sqrt(s2);
            if (self || s2 == 0)
                continue;
            double cube = m / (s2 * sqrt(s2));
            double second = fault->no_second ? 0 : fault->no_factor ? 1 : 3;
            for (int c = 0; c < 3; c++) {
                force.acceleration[c] += fault->minus_r ? -cube * r[c] : cube * r[c];
                force.jerk[c] += fault->no_jerk ? 0 : cube * v[c] - cube * second * rv / s2 * r[c];
            }
            force.potential += fault->plus ? m / sqrt(s2) : -m / sqrt(s2);
        }
        forces[i] = force;
    }
}

TEST(wrong_forces_are_told_apart) {
    enum { N = 60 };
    static const struct {
        const char *distribution;
        struct fault fault;
        const char *part, *phrase;
    } cases[] = {
        {"plummer", {0}, "", ""},
        {"unsoftened", {0}, "", ""},
        {"close", {0}, "", ""},
        {"crowded", {0}, "", ""},
        {"coincident", {0}, "", ""},
        {"block_16", {0}, "", ""},
        {"plummer", {.counts_self = 1}, "acceleration", "the target itself is among its sources"},
        {"plummer", {.self_in_potential = 1}, "potential", "a term -m / softening of the target"},
        {"crowded", {.by_place = 1}, "acceleration", "compare its index"},
        {"plummer", {.by_slot = 1}, "acceleration", "at the place in the array that its index"},
        {"plummer", {.no_last = 1}, "acceleration", "the last source is left out"},
        {"plummer", {.of_target = 1}, "acceleration", "the target's mass is taken"},
        {"close", {.floats = 1}, "acceleration", "rounded to float before they are subtracted"},
        {"plummer", {.plus = 1}, "potential", "the potential has the wrong sign"},
        {"plummer", {.no_second = 1}, "jerk", "second term, -3 (r.v) r / s^5, is left out"},
        {"plummer", {.no_factor = 1}, "jerk", "lacks its factor 3"},
        {"plummer", {.minus_v = 1}, "jerk", "v is v_source - v_target"},
        {"plummer", {.minus_r = 1}, "acceleration", "r is x_source - x_target"},
        {"plummer", {.no_jerk = 1}, "jerk", "the jerk is 0 everywhere"},
        {"plummer", {.no_neighbour = 1}, "neighbour", "no neighbour was looked for"},
        {"plummer", {.own = 1}, "neighbour", "taken for its own neighbour"},
        {"crowded", {.softened = 1}, "neighbour", "compare r^2 alone"},
        {"plummer", {.slot = 1}, "neighbour", "place in the array, where its index is wanted"},
        {"coincident", {.last = 1}, "neighbour", "it is the last; the first is wanted"},
        {"plummer", {.softening = 1}, "acceleration", "the softening is left out"},
        {"plummer", {.softening = 2}, "acceleration", "without being squared"},
    };

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct jerk_input input = jerk_input(cases[k].distribution, N, 7 + k);
        struct force forces[N];
        struct judgement judgement;
        char wrong[64];

        compute_wrongly(&input, &cases[k].fault, forces);
        judgement = jerk_judged(&input, cases[k].distribution, forces);
        snprintf(wrong, sizeof wrong, "targets have a wrong %s; the first is target",
                 cases[k].part);
        if (!*cases[k].part != !judgement.outcome || !strstr(judgement.message, cases[k].phrase) ||
            (judgement.outcome && !strstr(judgement.message, wrong)))
            fail_msg("case %zu: \"%s\"", k, judgement.message);
        free(input.sources);
    }
}

/* A body, a component, both values; what was not written; what is no number. */
TEST(messages_say_where) {
    enum { N = 20 };
    const unsigned poison[2] = {POISON, POISON};
    struct jerk_input input = jerk_input("plummer", N, 3);
    struct force forces[N];
    struct judgement judgement;
    char phrase[64];

    compute_wrongly(&input, &(struct fault){0}, forces);
    forces[11].jerk[1] += 1;
    judgement = jerk_judged(&input, "plummer", forces);
    assert_int_equal(judgement.outcome, OUTCOME_WRONG);
    snprintf(phrase, sizeof phrase, "the first is target 11, of index %d, where jerk.y is",
             input.targets[11].index);
    assert_non_null(strstr(judgement.message, phrase));
    if (strstr(judgement.message, ": "))
        fail_msg("%s", judgement.message);
    forces[11].jerk[1] -= 1;
    forces[4].potential = -INFINITY;
    judgement = jerk_judged(&input, "plummer", forces);
    assert_int_equal(judgement.outcome, OUTCOME_NOT_FINITE);
    assert_non_null(
        strstr(judgement.message, "target 4 with potential = -inf: is the target itself"));
    memcpy(&forces[4].acceleration[2], poison, sizeof poison);
    judgement = jerk_judged(&input, "plummer", forces);
    assert_int_equal(judgement.outcome, OUTCOME_UNWRITTEN);
    assert_non_null(strstr(judgement.message, "that of target 4"));
    free(input.sources);
}

/* The tolerance lets float sums pass, and no float places; a neighbour as near to rounding, and no
 * other one. */
TEST(roundings_pass) {
    enum { N = 30 };
    struct jerk_input input = jerk_input("unsoftened", N, 5);
    struct force forces[N];

    compute_wrongly(&input, &(struct fault){0}, forces);
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 3; c++)
            forces[i].acceleration[c] *= 1 + 3e-7;
    assert_int_equal(jerk_judged(&input, "unsoftened", forces).outcome, OUTCOME_ACCEPTED);
    for (int c = 0; c < 3; c++)
        forces[9].acceleration[c] *= 1 + 3e-5;
    assert_int_equal(jerk_judged(&input, "unsoftened", forces).outcome, OUTCOME_WRONG);
    compute_wrongly(&input, &(struct fault){0}, forces);
    /* Source 1 a little nearer than source 0, which was nearest. */
    for (int c = 0; c < 3; c++) {
        input.targets[0].star.x[c] = 0;
        input.sources[0].star.x[c] = 1e-3;
        input.sources[1].star.x[c] = -1e-3 * (1 - 1e-8);
    }
    input.targets[0].index = -1;
    compute_wrongly(&input, &(struct fault){0}, forces);
    assert_int_equal(forces[0].neighbour, input.sources[1].index);
    forces[0].neighbour = input.sources[0].index;
    assert_int_equal(jerk_judged(&input, "unsoftened", forces).outcome, OUTCOME_ACCEPTED);
    forces[0].neighbour = input.sources[2].index;
    assert_int_equal(jerk_judged(&input, "unsoftened", forces).outcome, OUTCOME_WRONG);
    free(input.sources);
}

/* Indices of sources differ, and are no places; the same seed gives the same bytes; each kind of
 * target is there. */
TEST(inputs_are_as_the_contract_says) {
    enum { N = 100 };

    for (const char *const *name = jerk->distributions; *name; name++) {
        struct jerk_input input = jerk_input(*name, N, 9), again = jerk_input(*name, N, 9);
        int count = input.parameters.targets, at_place = 0, beside = 0, points = 0;

        assert_memory_equal(input.sources, again.sources, jerk->input_bytes(*name, N));
        for (int a = 0; a < N; a++) {
            assert_true(input.sources[a].index >= 0 && input.sources[a].star.mass > 0);
            at_place += input.sources[a].index == a;
            for (int b = 0; b < a; b++)
                assert_int_not_equal(input.sources[a].index, input.sources[b].index);
        }
        assert_true(at_place <= 2);
        for (int i = 0; i < count; i++) {
            points += input.targets[i].index == -1;
            for (int j = 0; j < N; j++)
                beside += input.targets[i].index == input.sources[j].index &&
                          memcmp(input.targets[i].star.x, input.sources[j].star.x,
                                 sizeof(double[3])) != 0;
        }
        assert_true(points > 0 && beside > 0);
        free(input.sources);
        free(again.sources);
    }
}

/* Of a timed run a sample is compared, which begins elsewhere with other inputs. */
TEST(timed_runs_are_sampled) {
    enum { N = 3000 };
    static struct force trusted[N], forces[N];
    int sampled[2] = {0};

    for (int k = 0; k < 8; k++) {
        struct jerk_input input = jerk_input("unsoftened", N, (uint64_t)k);
        struct judgement judgement;
        int first = -1;

        memset(trusted, 0, sizeof trusted);
        assert_int_equal(jerk->trusted(&input.parameters, input.sources, trusted, 1), 0);
        for (int i = N - 1; i >= 0; i--)
            first = trusted[i].potential < 0 ? i : first;
        sampled[first > 2]++;
        memcpy(forces, trusted, sizeof forces);
        jerk->judge_timed(&input.parameters, input.sources, trusted, forces, 0, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_ACCEPTED);
        assert_true(jerk->sampled_error(&input.parameters, input.sources, forces) < 1e-12);
        forces[first].acceleration[0] *= 1.001;
        forces[first].potential *= 1.001;
        jerk->judge_timed(&input.parameters, input.sources, trusted, forces, 0, &judgement);
        assert_int_equal(judgement.outcome, OUTCOME_TIMED_OUTPUT);
        free(input.sources);
    }
    assert_true(sampled[0] && sampled[1]);
}
