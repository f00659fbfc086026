/* Step 33's program: its stars are those of a brute-force scheduler, whatever the order of blocks
 * and however a sum is split; wrong schedulers are told. The mutants are one program; which of them
 * it is, the softening says, in units too small to matter. */
#include "testing.h"
#include "brute_blocks.h"
#include "edited.h"
#include "problems/cluster/cluster_problem.h"
#include "problems/technique.h"
#include "referee/play/player_process.h"

#define UNIT       1e-9
#define STEP       "33_block_steps"
#define MUTANT     "static int mutant;\n"
#define SET_MUTANT "mutant = (int)(parameters->softening * 1e9 + 0.5);\n"

/* All in double, so that the scheduler decides alike. */
static const struct edit in_double[] = {
    {"#define PULLS_THREADS 256\n", "#define PULLS_THREADS 256\n#define POSITIONS DOUBLE\n"},
    {NULL}};

enum {
    RIGHT,
    DOUBLED_ANY_TIME,
    NOT_HALVED,
    EARLIER_THAN_NOW,
    BY_OWN_STEP,
    LAST_PART,
    NEVER_DOUBLED,
    NOT_SPLIT,
    BY_PLACE,
    NOT_SENT,
    NO_FLOOR,
    LONG_FIRST
};

static const struct edit edits[] = {
    SPLICED("block_pulls.h"),
    SPLICED("travellers.h"),
    {"#include \"pulls.h\"\n", "#include \"pulls.h\"\n" MUTANT},
    {"time % (2 * step) == 0", "(mutant == 1 || time % (2 * step) == 0)"},
    {"(double)(2 * step) <= wanted", "(double)(2 * step) <= wanted && mutant != 6"},
    {"step > 1 && (double)step > wanted", "step > 1 && (double)step > wanted && mutant != 2"},
    {"job->due[i] == time", "(mutant == 3 ? job->due[i] < time : job->due[i] == time)"},
    {"(double)(time - traveller->time)",
     "(double)(mutant == 4 ? traveller->step : time - traveller->time)"},
    {"k < parts * VALUES", "k < (parts - (mutant == 5)) * VALUES"},
    {"parts = parts < most ? parts : most;",
     "parts = mutant == 7 ? 1 : parts < most ? parts : most;"},
    {"double sum = 0;", "double sum = mutant == 8 ? 1e-12 * list[0] : 0;"},
    {"if (eta * dt * j < 6 * rounding)", "if (mutant != 10 && eta * dt * j < 6 * rounding)"},
    {"/ 64, sqrt(", "/ 64, mutant == 11 ? INFINITY : sqrt("},
    {"evolution->out = out;", "evolution->out = out;\n" SET_MUTANT},
    {NULL}};

static const struct edit on_host[] = {
    {"#include \"cluster.h\"\n", "#define RESIDENT 1\n#include \"cluster.h\"\n" MUTANT},
    {"travellers[moved[k]] =", "if (mutant != 9) travellers[moved[k]] ="},
    {"evolution->out = out;", "evolution->out = out;\n" SET_MUTANT},
    {NULL}};

static double accuracy; /* of the next programs; 0: the distribution's own */

/* A program of a source with edits, as the step's default variant. */
static struct player *start(const char *step, const char *source, const struct edit *changes,
                            int mutant, const char *distribution, int n, uint64_t seed,
                            struct cluster_parameters *parameters, struct star *in) {
    static struct programs programs;
    static const struct edit *of_programs;
    static const char *of_step;
    const struct program *program;
    struct options options = {0};
    size_t bytes = cluster_problem.input_bytes(distribution, n);
    char message[512] = "";
    struct player_options of_player = {.name = "mutant",
                                       .input_bytes = bytes,
                                       .output_bytes = bytes,
                                       .threads = 1,
                                       .workers = 1,
                                       .seed = seed};
    struct player *player;
    const char *variant = !strcmp(step, STEP) ? "device" : "two_floats";

    if (of_programs != changes || !of_step || strcmp(step, of_step)) {
        options.file = edited(source, changes);
        assert_int_equal(programs_choose(&programs, catalogue_find(&catalogue, step), &options, 0),
                         0);
        assert_int_equal(programs_build(&programs, "plain", variant), 0);
        of_programs = changes;
        of_step = step;
    }
    if (!(program = programs_find(&programs, variant, "plain")))
        skip();
    of_player.path = program->path;
    cluster_problem.set_parameters(parameters, distribution, n, 2);
    cluster_problem.generate(in, distribution, n, 1);
    if (mutant >= 0)
        parameters->softening = mutant * UNIT;
    if (accuracy > 0)
        parameters->accuracy = accuracy;
    player = player_start(&of_player, message);
    if (!player || player_create(player, parameters, sizeof *parameters, bytes, bytes))
        fail_msg("%s%s", message, player ? player_message(player) : "");
    return player;
}

static void move(int mutant, const char *distribution, int n, uint64_t seed,
                 struct cluster_parameters *parameters, struct star *in, struct star *out) {
    struct player *player = start(STEP, "solutions/" STEP "/cluster.cu", edits, mutant,
                                  distribution, n, seed, parameters, in);
    double seconds;

    if (player_run(player, in, out, 2, 100, &seconds))
        fail_msg("mutant %d: %s", mutant, player_message(player));
    player_end(player);
}

static struct star in[MOST_TRAVELLERS], out[MOST_TRAVELLERS], other[MOST_TRAVELLERS];

static double largest_difference(const struct star *one, const struct star *two, int n) {
    double largest = 0;

    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++)
            largest = fmax(largest,
                           fmax(fabs(one[i].x[c] - two[i].x[c]), fabs(one[i].v[c] - two[i].v[c])));
    return largest;
}

/* Of the brute-force scheduler itself, and of the program in double. */
TEST(stars_are_those_of_a_brute_force_scheduler) {
    static const struct {
        const char *distribution;
        int n;
    } cases[] = {{"plummer", 130}, {"bare", 63}, {"masses", 99}, {"kepler09", 2}, {"binaries", 64}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct cluster_parameters parameters;
        struct brute brute = {.first = 1.0 / 64, .fall = 1.0 / 4};
        struct player *player = start(STEP, "solutions/" STEP "/cluster.cu", in_double, -1,
                                      cases[k].distribution, cases[k].n, 1, &parameters, in);
        double seconds, difference;

        if (player_run(player, in, out, 2, 100, &seconds))
            fail_msg("%s: %s", cases[k].distribution, player_message(player));
        player_end(player);
        brute_run(&brute, &parameters, in, other, 2);
        assert_int_equal(brute.off_grid, 0);
        assert_int_equal(brute.overtaken, 0);
        assert_int_equal(brute.late, 0);
        assert_true(cases[k].n == 2 || brute.moved < brute.blocks * cases[k].n / 2);
        difference = largest_difference(out, other, cases[k].n);
        if (!(difference < 1e-11))
            fail_msg("%s: off by %g", cases[k].distribution, difference);
    }
}

/* Where a star's sum depended on its place in the list, bits would differ. */
TEST(every_order_of_blocks_gives_the_same_bits) {
    enum { N = 200 };
    struct cluster_parameters parameters;
    int differ = 0;

    move(RIGHT, "plummer", N, 1, &parameters, in, out);
    for (uint64_t seed = 2; seed <= 3; seed++) {
        move(RIGHT, "plummer", N, seed, &parameters, in, other);
        assert_memory_equal(out, other, N * sizeof *out);
        move(BY_PLACE, "plummer", N, seed, &parameters, in, other);
        differ += memcmp(out, other, N * sizeof *out) != 0;
    }
    assert_true(differ > 0);
}

/* To the rounding of forces, which are sums in float of other stars then. */
TEST(split_and_whole_sums_are_equal_to_rounding) {
    enum { N = 200 };
    struct cluster_parameters parameters;
    double difference;

    move(RIGHT, "plummer", N, 1, &parameters, in, out);
    move(NOT_SPLIT, "plummer", N, 1, &parameters, in, other);
    assert_true(memcmp(out, other, N * sizeof *out) != 0);
    difference = largest_difference(out, other, N);
    if (!(difference < 1e-7))
        fail_msg("off by %g", difference);
}

static struct judgement judge(const struct cluster_parameters *parameters,
                              const char *distribution) {
    struct flow *right = flow_reference(parameters, in, 2);
    struct judgement judgement;

    cluster_problem.judge(parameters, in, right, out, distribution, 2, 4e-5, &judgement);
    free(right);
    return judgement;
}

/* Runs and ends a player that got stars of `bare`. */
static void judge_bare(struct player *player, const struct cluster_parameters *parameters,
                       int mutant, int is_wrong) {
    struct judgement judgement;
    double seconds;

    if (player_run(player, in, out, 2, 100, &seconds))
        fail_msg("%s", player_message(player));
    player_end(player);
    judgement = judge(parameters, "bare");
    if (judgement.outcome != (is_wrong ? OUTCOME_WRONG : OUTCOME_ACCEPTED))
        fail_msg("mutant %d: outcome %d, \"%s\"", mutant, judgement.outcome, judgement.message);
}

TEST(wrong_schedulers_are_told) {
    static const struct {
        int mutant;
        const char *distribution;
        int n;
        const char *phrase;
    } mutants[] = {
        {RIGHT, "bare", 99, ""},
        {DOUBLED_ANY_TIME, "bare", 99, "does its last step end with the interval?"},
        {NOT_HALVED, "bare", 99, ""},
        {EARLIER_THAN_NOW, "bare", 99, "the stars are those of the input"},
        {BY_OWN_STEP, "bare", 33, ""},
        {LAST_PART, "bare", 99, ""},
    };

    for (size_t m = 0; m < sizeof mutants / sizeof *mutants; m++) {
        struct cluster_parameters parameters;
        struct judgement judgement;

        move(mutants[m].mutant, mutants[m].distribution, mutants[m].n, 1, &parameters, in, out);
        judgement = judge(&parameters, mutants[m].distribution);
        if (judgement.outcome != (m ? OUTCOME_WRONG : OUTCOME_ACCEPTED) ||
            !strstr(judgement.message, mutants[m].phrase))
            fail_msg("mutant %d: outcome %d, \"%s\"", mutants[m].mutant, judgement.outcome,
                     judgement.message);
    }
}

/* The device predicts a star from where it was before it moved. */
TEST(stars_that_moved_are_sent) {
    static const int mutants[] = {RIGHT, NOT_SENT};

    for (int m = 0; m < 2; m++) {
        struct cluster_parameters parameters;
        struct player *player = start(STEP, "solutions/" STEP "/variants/host.cu", on_host,
                                      mutants[m], "bare", 99, 1, &parameters, in);

        judge_bare(player, &parameters, mutants[m], m);
    }
}

/* The jerk of star 0 at that velocity, without softening. */
static void jerk_at(const double velocity[3], int n, double jerk[3]) {
    memset(jerk, 0, 3 * sizeof *jerk);
    for (int i = 1; i < n; i++) {
        double r[3], v[3], square = 0, product = 0;

        for (int c = 0; c < 3; c++) {
            r[c] = in[i].x[c] - in[0].x[c];
            v[c] = in[i].v[c] - velocity[c];
            square += r[c] * r[c];
            product += r[c] * v[c];
        }
        for (int c = 0; c < 3; c++)
            jerk[c] += in[i].mass * (v[c] - 3 * product / square * r[c]) / pow(square, 1.5);
    }
}

static double determinant(double a[3][3]) {
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* Gives star 0 a velocity at which its jerk is `share` of what it was. It is linear in that: by
 * Cramer's rule. */
static void shrink_jerk(int n, double share) {
    double at_rest[3], column[3], matrix[3][3], found[3];

    jerk_at((double[3]){0}, n, at_rest);
    for (int k = 0; k < 3; k++) {
        jerk_at((double[3]){k == 0, k == 1, k == 2}, n, column);
        for (int c = 0; c < 3; c++)
            matrix[c][k] = column[c] - at_rest[c];
    }
    for (int k = 0; k < 3; k++) {
        double replaced[3][3];

        memcpy(replaced, matrix, sizeof replaced);
        for (int c = 0; c < 3; c++)
            replaced[c][k] = -at_rest[c];
        found[k] = determinant(replaced) / determinant(matrix);
    }
    for (int c = 0; c < 3; c++)
        in[0].v[c] = found[c] + share * (in[0].v[c] - found[c]);
}

/* Whose jerk changes soon. */
static void innermost_first(int n) {
    struct star first = in[0];
    double least = INFINITY;
    int innermost = 0;

    for (int i = 0; i < n; i++) {
        double square = in[i].x[0] * in[i].x[0] + in[i].x[1] * in[i].x[1] + in[i].x[2] * in[i].x[2];

        if (square < least) {
            least = square;
            innermost = i;
        }
    }
    in[0] = in[innermost];
    in[innermost] = first;
}

/* Of some thousand stars one has such a jerk by chance. */
TEST(a_small_jerk_makes_no_long_first_step) {
    enum { N = 200 };
    static const int mutants[] = {RIGHT, LONG_FIRST};

    for (int m = 0; m < 2; m++) {
        struct cluster_parameters parameters;
        struct player *player = start(STEP, "solutions/" STEP "/cluster.cu", edits, mutants[m],
                                      "bare", N, 1, &parameters, in);

        innermost_first(N);
        shrink_jerk(N, 1.0 / 1000);
        judge_bare(player, &parameters, mutants[m], m);
    }
}

/* A step of which rounding is all that the criterion reads would become ever shorter. */
TEST(steps_do_not_collapse) {
    static const struct {
        int mutant;
        const char *distribution;
        int n;
        double accuracy;
        enum outcome outcome;
    } cases[] = {{RIGHT, "kepler09", 2, 0.0006, OUTCOME_ACCEPTED},
                 {RIGHT, "plummer", 99, 0.0025, OUTCOME_ACCEPTED},
                 {RIGHT, "binaries", 128, 0.0004, OUTCOME_ACCEPTED},
                 {NO_FLOOR, "binaries", 128, 0.0004, OUTCOME_OWN_ERROR}};

    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct cluster_parameters parameters;
        struct player *player;
        enum outcome outcome;
        double seconds;

        accuracy = cases[k].accuracy;
        player = start(STEP, "solutions/" STEP "/cluster.cu", edits, cases[k].mutant,
                       cases[k].distribution, cases[k].n, 1, &parameters, in);
        outcome = player_run(player, in, out, 1, 100, &seconds);
        if (outcome && !strstr(player_message(player), "time step fell"))
            fail_msg("%s", player_message(player));
        player_end(player);
        accuracy = 0;
        if (outcome != cases[k].outcome)
            fail_msg("%s, mutant %d: outcome %d", cases[k].distribution, cases[k].mutant, outcome);
    }
}

/* Fewer forces than one step for all takes, and no copy within a run. */
TEST(other_techniques_are_told) {
    enum { STARS = 128 };
    static const struct {
        const char *step, *source;
        const struct edit *changes;
        int mutant;
        const char *phrase;
    } programs[] = {
        {STEP, "solutions/" STEP "/cluster.cu", edits, RIGHT, NULL},
        {STEP, "solutions/" STEP "/cluster.cu", edits, NEVER_DOUBLED, "are steps doubled"},
        {STEP, "solutions/" STEP "/variants/host.cu", on_host, RIGHT, "the host has no part"},
        {"32_hermite", "solutions/32_hermite/cluster.cu", edits + sizeof edits / sizeof *edits - 1,
         -1, "only when its own step ends"},
    };
    char technique[MOST_VALUE];

    manifest_value(catalogue_find(&catalogue, STEP)->manifest, "technique", technique);
    for (size_t p = 0; p < sizeof programs / sizeof *programs; p++) {
        struct cluster_parameters parameters;
        struct player *player = start(programs[p].step, programs[p].source, programs[p].changes,
                                      programs[p].mutant, "binaries", STARS, 1, &parameters, in);
        struct observed observed = {.n = STARS, .iterations = 2};
        char message[512] = "";
        double seconds;
        int follows;

        if (player_run(player, in, out, 2, 100, &seconds))
            fail_msg("%zu: %s", p, player_message(player));
        observed.counters = player_counters(player);
        player_end(player);
        follows = technique_check(&cluster_problem, technique, &observed, message);
        if (follows != !programs[p].phrase ||
            (programs[p].phrase && !strstr(message, programs[p].phrase)))
            fail_msg("program %zu: %d, %s", p, follows, message);
    }
}

GROUP(read_catalogue_without_nvcc, NULL)
