/* The clock: what it covers, that nobody gains by working outside it, that timed outputs are
 * compared, and that a comparison which means nothing says so. */
#include "testing.h"
#include "referee/base/clock.h"
#include "referee/play/process_tree.h"
#include "protocol/player.h"
#include "play.h"
#include "referee/timing/timing.h"

enum { SAMPLES = 7, MOST_SAMPLES = 200, BODIES = 512, ITERATIONS = 10 };

static double smaller(double a, double b) {
    return a < b ? a : b;
}

/* Whether the other player ever seems to take less than half of the honest one's time, by the least
 * of many runs in turns. A busy machine may need more runs than a few for that least. */
static int gains(const char *name) {
    struct player *players[] = {play_start("honest", 30), play_start(name, 30)};
    double seconds, least[] = {1e9, 1e9};
    uint64_t seed;

    for (int i = 0; i < 2; i++)
        assert_int_equal(play_create(players[i]), OUTCOME_ACCEPTED);
    for (seed = 1; seed <= SAMPLES || (seed <= MOST_SAMPLES && least[1] < 0.5 * least[0]); seed++)
        for (int i = 0; i < 2; i++) {
            struct judgement judgement = {0};

            assert_int_equal(play_run(players[i], seed, &seconds, &judgement), OUTCOME_ACCEPTED);
            assert_string_equal(judgement.message, "");
            least[i] = smaller(least[i], seconds);
        }
    for (int i = 0; i < 2; i++)
        player_end(players[i]);
    return least[1] < 0.5 * least[0];
}

TEST(a_clock_of_its_own_gains_nothing) {
    assert_false(gains("stops_clock"));
}

TEST(a_thread_that_starts_early_gains_nothing) {
    assert_false(gains("starts_early"));
}

/* CPU time stands still between turns, whatever threads the player has left behind. */
TEST(a_player_is_stopped_outside_its_turn) {
    struct player *player = play_start("burns", 30);
    double before, seconds;

    for (uint64_t seed = 0; seed < 3; seed++) {
        assert_int_equal(seed ? play_run(player, seed, &seconds, NULL) : play_create(player),
                         OUTCOME_ACCEPTED);
        before = cpu_seconds(player_pid(player));
        usleep(50000);
        assert_true(cpu_seconds(player_pid(player)) == before);
    }
    player_end(player);
}

/* Least seconds of an empty run with buffers of these sizes. */
static double empty_run(size_t input_bytes, size_t output_bytes) {
    struct player_options options = {.path = "build/tests/players/writes_nothing",
                                     .name = "writes_nothing",
                                     .input_bytes = input_bytes,
                                     .output_bytes = output_bytes,
                                     .threads = 1};
    void *input = calloc(1, input_bytes), *output = malloc(output_bytes);
    double seconds, least = 1e9;
    char message[512];
    struct player *player = player_start(&options, message);

    assert_non_null(player);
    memset(output, 1, output_bytes); /* its pages exist before the clock runs */
    assert_int_equal(player_create(player, "", 1, input_bytes, output_bytes), OUTCOME_ACCEPTED);
    for (int i = 0; i < SAMPLES; i++) {
        memset(input, i + 1, input_bytes);
        assert_int_equal(player_run(player, input, output, 1, 0, &seconds), OUTCOME_ACCEPTED);
        least = smaller(least, seconds);
    }
    player_end(player);
    free(input);
    free(output);
    return least;
}

/* Least seconds that a copy of so many bytes takes here. */
static double copy_time(size_t bytes) {
    char *from = malloc(bytes), *to = malloc(bytes);
    double least = 1e9;

    memset(to, 1, bytes);
    for (int i = 0; i < SAMPLES; i++) {
        double start;

        memset(from, i, bytes);
        start = clock_now();
        memcpy(to, from, bytes);
        least = smaller(least, clock_now() - start);
        assert_int_equal(to[bytes / 2], i);
    }
    free(from);
    free(to);
    return least;
}

/* Else a step could answer first and finish while the referee copies. */
TEST(the_clock_covers_both_copies) {
    const size_t small = 4096, large = (size_t)64 << 20;
    double enough = 0.3 * copy_time(large);

    assert_true(empty_run(small, small) < enough);
    assert_true(empty_run(large, small) > enough);
    assert_true(empty_run(small, large) > enough);
}

/* A step made of one of tests/players, as the referee knows steps. */
static struct contender *open_of(const char *problem, const char *distribution, const char *name,
                                 double expected, struct timing *timing) {
    static struct step steps[4];
    static struct programs programs[4];
    static struct program program;
    static int next;
    struct step *step = &steps[next];
    struct programs *of = &programs[next];

    next = (next + 1) % 4;
    snprintf(step->name, sizeof step->name, "%s", name);
    snprintf(step->problem, sizeof step->problem, "%s", problem);
    of->step = step;
    snprintf(program.variant, sizeof program.variant, "plain");
    snprintf(program.build, sizeof program.build, "plain");
    snprintf(program.path, sizeof program.path, "build/tests/players/%s", name);
    return contender_open(&(struct subject){.programs = of,
                                            .program = &program,
                                            .distribution = distribution,
                                            .n = BODIES,
                                            .iterations = ITERATIONS,
                                            .threads = 1,
                                            .expected = expected},
                          timing);
}

static struct contender *open_expected(const char *name, double expected, struct timing *timing) {
    return open_of("nbody", uniform, name, expected, timing);
}

static struct contender *open_contender(const char *name, struct timing *timing) {
    return open_expected(name, 0, timing);
}

/* As often doubled as fills a run, and no further than a run may go; 2 bodies never fill one. */
TEST(iterations_grow_as_asked) {
    static const struct step step = {.name = "honest", .problem = "nbody"};
    static const struct program program = {
        .variant = "plain", .build = "plain", .path = "build/tests/players/honest"};
    static const int sizes[] = {2, BODIES};
    const struct programs programs = {.step = &step};

    for (size_t i = 0; i < 2; i++) {
        struct timing timing;
        struct contender *contender = contender_open(&(struct subject){.programs = &programs,
                                                                       .program = &program,
                                                                       .distribution = uniform,
                                                                       .n = sizes[i],
                                                                       .threads = 1,
                                                                       .growth = 2},
                                                     &timing);

        assert_non_null(contender);
        time_isolated(contender, 7, 1, &timing);
        contender_close(contender);
        assert_string_equal(timing.message, "");
        assert_int_equal(timing.iterations & (timing.iterations - 1), 0);
        assert_in_range(timing.iterations, 1, problem_find("nbody")->most_iterations);
    }
}

/* How time_isolated() ends for a player; its message is in `timing`. */
static void time_player(const char *name, int repeats, struct timing *timing) {
    struct contender *contender = open_contender(name, timing);

    assert_non_null(contender);
    time_isolated(contender, 7, repeats, timing);
    contender_close(contender);
}

TEST(an_honest_player_is_timed) {
    struct timing timing;

    time_player("honest", 3, &timing);
    assert_string_equal(timing.message, "");
    assert_int_equal(timing.outcome, OUTCOME_ACCEPTED);
    assert_int_equal(timing.iterations, ITERATIONS);
    assert_int_equal(timing.repeats, 3);
    assert_true(timing.minimum > 0);
    assert_true(timing.minimum <= timing.median && timing.median <= timing.maximum);
}

TEST(timed_runs_have_parameters_of_their_own) {
    struct timing timing;

    time_player("wants_softening", 1, &timing);
    assert_int_equal(timing.outcome, OUTCOME_ACCEPTED);
    assert_true(timing.difference > 0 && timing.difference < 1e-5);
}

/* Each passes a check of one iteration, or of one input. */
TEST(cheats_in_a_timed_run_are_found) {
    static const char *const cheats[] = {"forces_last", "forces_first", "replays", "extrapolates"};
    struct timing timing;

    for (size_t i = 0; i < sizeof cheats / sizeof *cheats; i++) {
        time_player(cheats[i], 3, &timing);
        if (timing.outcome != OUTCOME_TIMED_OUTPUT || !strstr(timing.message, "trusted program"))
            fail_msg("%s was timed and found %s: %s", cheats[i], outcome_word(timing.outcome),
                     timing.message);
    }
}

TEST(other_faults_of_a_timed_run_keep_their_names) {
    struct timing timing;

    assert_null(open_contender("exits", &timing));
    assert_int_equal(timing.outcome, OUTCOME_EXITED);
    assert_non_null(strstr(timing.message, "status 0"));
    assert_null(open_contender("no_simulation", &timing));
    assert_int_equal(timing.outcome, OUTCOME_OWN_ERROR);
    time_player("writes_half", 3, &timing);
    assert_int_equal(timing.outcome, OUTCOME_UNWRITTEN);
    assert_non_null(strstr(timing.message, "256 of 512"));
}

/* Times `first` in isolation and then in turns with `second`; its time in isolation is taken for
 * `factor` times what it was. */
static void compare(const char *first, const char *second, double factor,
                    struct timing *first_timing, struct timing *timing) {
    struct timing isolated;
    struct contender *contenders[2];

    assert_non_null(contenders[0] = open_contender(first, &isolated));
    time_isolated(contenders[0], 11, 0, &isolated);
    assert_int_equal(isolated.outcome, OUTCOME_ACCEPTED);
    assert_non_null(contenders[1] = open_contender(second, timing));
    isolated.median *= factor;
    time_pair(contenders[0], contenders[1], &isolated, 12, first_timing, timing);
    contender_close(contenders[0]);
    contender_close(contenders[1]);
}

/* Twice its time in isolation is more than any neighbour's noise. */
TEST(threads_left_behind_slow_nobody) {
    struct timing first, second;

    compare("honest", "burns", 2, &first, &second);
    assert_string_equal(first.message, "");
    assert_string_equal(second.message, "");
    assert_int_equal(second.outcome, OUTCOME_ACCEPTED);
    assert_int_equal(first.repeats, REPEATS);
    assert_int_equal(second.repeats, REPEATS);
}

TEST(a_comparison_in_which_one_slows_is_inconclusive) {
    struct timing first, second;

    unlink("build/tests/company");
    compare("slows_in_company", "is_company", 1, &first, &second);
    assert_int_equal(second.outcome, OUTCOME_INCONCLUSIVE);
    assert_int_equal(first.outcome, OUTCOME_ACCEPTED);
    assert_non_null(strstr(second.message, "slows_in_company plain ran"));
    assert_non_null(strstr(second.message, "interleaved with is_company plain"));
    assert_true(second.median > 0); /* it is recorded beside its verdict */
}

/* The machine itself may have slowed since the first was timed in isolation: then it counts what
 * the first takes in isolation now. Noise of less than a factor of two is not this test's matter.
 */
TEST(a_first_time_that_no_longer_holds_is_taken_again) {
    struct timing first, second;
    const char *percent;

    compare("honest", "honest", 0.1, &first, &second);
    if (second.outcome != OUTCOME_ACCEPTED) {
        assert_int_equal(second.outcome, OUTCOME_INCONCLUSIVE);
        assert_non_null(percent = strstr(second.message, " ran "));
        assert_true(atof(percent + 5) < 100);
    }
}

TEST(a_cheat_in_company_is_found_and_the_other_is_not_blamed) {
    struct timing first, second;

    compare("honest", "forces_last", 1, &first, &second);
    assert_int_equal(second.outcome, OUTCOME_TIMED_OUTPUT);
    assert_int_equal(first.outcome, OUTCOME_ACCEPTED);
}

TEST(slow_programs_run_less_often) {
    assert_int_equal(timing_repeats(0.9), REPEATS);
    assert_int_equal(timing_repeats(1.1), SLOW_REPEATS);
    assert_int_equal(timing_repeats(9), SLOW_REPEATS);
    assert_int_equal(timing_repeats(11), 1);
}

/* The one that ends in its first run ends in a warm-up, if there is one. */
TEST(what_is_known_to_take_long_is_not_warmed_up) {
    struct contender *contender;
    struct timing timing;

    assert_null(open_expected("exits", 0.9, &timing));
    assert_non_null(contender = open_expected("exits", 1.1, &timing));
    time_isolated(contender, 7, 0, &timing);
    assert_int_equal(timing.outcome, OUTCOME_EXITED);
    contender_close(contender);
}

/* Of a pair each has its own number of runs, but the first never more than the second. */
TEST(a_slow_companion_does_not_cut_the_other_s_repeats) {
    static const struct {
        double first, second; /* seconds per iteration that are expected; a run has ITERATIONS */
        int repeats[2];
    } cases[] = {{2, 0, {1, REPEATS}}, {0, 2, {1, 1}}};
    struct timing first, second;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct timing isolated = {.median = 1e3};
        struct contender *a = open_expected("honest", cases[i].first, &first);
        struct contender *b = open_expected("honest", cases[i].second, &second);

        time_pair(a, b, &isolated, 12, &first, &second);
        assert_string_equal(first.message, "");
        assert_string_equal(second.message, "");
        assert_int_equal(first.repeats, cases[i].repeats[0]);
        assert_int_equal(second.repeats, cases[i].repeats[1]);
        contender_close(a);
        contender_close(b);
    }
}

/* Each has an input, and a right output, of its own problem: outputs of the same bodies with other
 * masses are far from each other. */
TEST(programs_of_two_problems_are_compared) {
    static const char *const distributions[] = {uniform, "masses"};
    struct timing first, second, isolated = {.median = 1e3};

    for (size_t i = 0; i < 2; i++) {
        struct contender *a = open_of("nbody", uniform, "honest", 0, &first);
        struct contender *b =
            open_of("nbody_masses", distributions[i], "honest_masses", 0, &second);

        time_pair(a, b, &isolated, 12, &first, &second);
        assert_string_equal(first.message, "");
        assert_string_equal(second.message, "");
        time_pair(b, a, &isolated, 12, &second, &first);
        assert_string_equal(first.message, "");
        assert_string_equal(second.message, "");
        contender_close(a);
        contender_close(b);
    }
}
