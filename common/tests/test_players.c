/* Steps that cheat, fail or break out, each with the outcome and the words the referee must find.
 * That the referee lives on is part of every test: it is this process. */
#define OWN_MAIN
#include "testing.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "protocol/player.h"
#include "one_cpu.h"
#include "play.h"
#include "referee/base/wrapper.h"
#include "referee/play/process_tree.h"

/* A player, how it must end, and a word that the message must have. */
static const struct {
    const char *name;
    enum outcome outcome;
    const char *word;
} plays[] = {
    {"honest", OUTCOME_ACCEPTED, ""},
    {"computes_in_input", OUTCOME_MEMORY, "wrote to the input"},

    {"crashes", OUTCOME_CRASHED, "memory that is not its own"},
    {"aborts", OUTCOME_CRASHED, "Aborted"},
    {"divides_by_zero", OUTCOME_CRASHED, "(Floating point exception): an integer was divided by"},
    {"recurses", OUTCOME_CRASHED, "(Segmentation fault): the stack is full"},
    {"frees_twice", OUTCOME_CRASHED, "it printed: free(): double free detected"},
    {"exits", OUTCOME_EXITED, "status 0"},
    {"exits_in_constructor", OUTCOME_EXITED, "status 0"},
    {"exits_by_syscall", OUTCOME_EXITED, "status 0"},
    {"prints_pass_and_exits", OUTCOME_EXITED, "status 0"},
    {"hangs", OUTCOME_HUNG, "s, in a run of 2 iterations, and was ended"},
    {"hangs_in_launch", OUTCOME_HUNG,
     "in a run of 2 iterations, in iteration 2 if each launches the kernel once, and was ended"},
    {"floods", OUTCOME_FLOODED, "printed more"},
    {"closes_reply", OUTCOME_CLOSED, "closed the pipe"},
    {"closes_everything", OUTCOME_EXITED, "status 1"},
    {"reports_error", OUTCOME_OWN_ERROR, "run function returned 7"},
    {"no_simulation", OUTCOME_OWN_ERROR, "create function returned NULL"},

    {"writes_nothing", OUTCOME_UNWRITTEN, "600 of 600"},
    {"prints_pass", OUTCOME_UNWRITTEN, "600 of 600"},
    {"writes_half", OUTCOME_UNWRITTEN, "300 of 600"},
    {"writes_nan", OUTCOME_NOT_FINITE, "body 300, whose vy is nan"},
    {"writes_inf", OUTCOME_NOT_FINITE, "body 300, whose z is inf"},
    {"replays", OUTCOME_WRONG, "expected"},
    {"changes_input", OUTCOME_MEMORY, "wrote to the input, 0 bytes from"},
    {"overwrites_header", OUTCOME_MEMORY, "wrote to the input, -"},
    {"replaces_asserts", OUTCOME_WRONG, "expected"},
    {"forces_last", OUTCOME_WRONG, "expected"},
    {"forces_first", OUTCOME_WRONG, "expected"},

    {"answers_twice", OUTCOME_PROTOCOL, "more than once"},
    {"answers_in_create", OUTCOME_UNWRITTEN, "600 of 600"},
    {"finishes_late", OUTCOME_UNWRITTEN, "600 of 600"},

    {"forks", OUTCOME_FORKED, "system call"},
    {"vforks", OUTCOME_FORKED, "another process"},
    {"spawns", OUTCOME_FORKED, "another process"},
    {"calls_system", OUTCOME_FORKED, "another process"},
#ifdef __x86_64__
    {"calls_in_32_bits", OUTCOME_FORBIDDEN, "system call 2,"},
#endif
    {"traces_referee", OUTCOME_FORBIDDEN, "no step needs"},
    {"reads_referee", OUTCOME_FORBIDDEN, "no step needs"},
    {"kills_in_constructor", OUTCOME_FORBIDDEN, "no step needs"},
    {"stops_referee", OUTCOME_FORBIDDEN, "no step needs"},
    {"limits_referee", OUTCOME_FORBIDDEN, "no step needs"},
    {"wakes_itself", OUTCOME_FORBIDDEN, "no step needs"},
    {"wakes_by_io", OUTCOME_FORBIDDEN, "no step needs"},
    {"changes_group", OUTCOME_FORBIDDEN, "no step needs"},
    {"shrinks_input", OUTCOME_FORBIDDEN, "no step needs"},
    {"shrinks_output", OUTCOME_FORBIDDEN, "no step needs"},

    /* These get nowhere, and their right result counts. */
    {"shrinks_copies", OUTCOME_ACCEPTED, ""},
    {"opens_referee", OUTCOME_ACCEPTED, ""},
    {"stops_clock", OUTCOME_ACCEPTED, ""},
    {"boasts", OUTCOME_ACCEPTED, ""},
    {"burns", OUTCOME_ACCEPTED, ""},
};

enum { PLAYS = sizeof plays / sizeof *plays };

/* Long enough for any honest turn on a busy machine; short for those that hang. */
static double grace_for(const char *name) {
    return strncmp(name, "hangs", 5) ? 30 : 0.3;
}

/* The turns of a check: create, two runs on fresh inputs, destroy. Returns how it ended; `message`
 * (512 bytes) gets the referee's words for it. */
static enum outcome play(struct player *player, char *message) {
    struct judgement judgement = {0};
    enum outcome outcome = play_create(player);
    double seconds;

    for (uint64_t seed = 1; seed <= 2 && !outcome && !judgement.outcome; seed++)
        outcome = play_run(player, seed, &seconds, &judgement);
    if (!outcome && !judgement.outcome)
        outcome = player_destroy(player);
    snprintf(message, 512, "%.511s", outcome ? player_message(player) : judgement.message);
    return outcome ? outcome : judgement.outcome;
}

static void ends_as_it_must(void **state) {
    size_t i = (size_t)(intptr_t)*state;
    struct player *player = play_start(plays[i].name, grace_for(plays[i].name));
    char message[512];
    enum outcome outcome = play(player, message);

    if (outcome != plays[i].outcome || !strstr(message, plays[i].word))
        fail_msg("%s ended as %s, not as %s with `%s`: %s", plays[i].name, outcome_word(outcome),
                 outcome_word(plays[i].outcome), plays[i].word, message);
    if (outcome != OUTCOME_ACCEPTED && outcome < OUTCOME_UNWRITTEN)
        assert_ptr_equal(strstr(message, plays[i].name), message);
    player_end(player);
}

TEST(what_is_printed_is_kept_and_never_believed) {
    struct player *player = play_start("prints_pass", 30);
    char message[512];

    assert_int_equal(play(player, message), OUTCOME_UNWRITTEN);
    assert_non_null(strstr(player_printed(player), "[  PASSED  ]"));
    assert_null(strstr(message, "PASSED"));
    player_end(player);
}

TEST(figures_out_of_range_are_zero) {
    struct player *player = play_start("boasts", 30);
    struct figures said;
    double seconds;

    assert_int_equal(play_create(player), OUTCOME_ACCEPTED);
    assert_int_equal(play_run(player, 1, &seconds, NULL), OUTCOME_ACCEPTED);
    said = player_figures(player);
    assert_true(said.force_seconds == 0);
    assert_true(said.position_seconds == 0);
    assert_true(said.device_seconds == 0);
    player_end(player);
}

TEST(figures_in_range_are_taken_and_cleared) {
    struct player *player = play_start("boasts_a_little", 30);
    struct figures said;
    double seconds;

    assert_int_equal(play_create(player), OUTCOME_ACCEPTED);
    assert_int_equal(play_run(player, 1, &seconds, NULL), OUTCOME_ACCEPTED);
    said = player_figures(player);
    assert_true(said.force_seconds == 0.25);
    assert_true(said.position_seconds == 0.125);
    assert_true(said.device_seconds == 1e-6);
    assert_int_equal(player_destroy(player), OUTCOME_ACCEPTED);
    said = player_figures(player);
    assert_true(said.force_seconds == 0);
    player_end(player);
}

TEST(an_answer_before_the_question_is_refused) {
    struct player *player = play_start("answers_unasked", 30);
    int waits;

    for (waits = 0; player_figures(player).force_seconds != 1; waits++) {
        assert_true(waits < 10000);
        usleep(1000);
    }
    assert_int_equal(play_create(player), OUTCOME_PROTOCOL);
    assert_non_null(strstr(player_message(player), "before it was asked"));
    player_end(player);
}

/* By whatever way a player goes on when it is stopped: here the test itself continues it. */
TEST(work_outside_its_turn_is_found) {
    struct player *player = play_start("burns", 30);
    double seconds, before;

    assert_int_equal(play_create(player), OUTCOME_ACCEPTED);
    before = cpu_seconds(player_pid(player));
    kill(player_pid(player), SIGCONT);
    while (cpu_seconds(player_pid(player)) < before + 0.01) {
    }
    assert_int_equal(play_run(player, 1, &seconds, NULL), OUTCOME_PROTOCOL);
    assert_non_null(strstr(player_message(player), "outside its turn"));
    player_end(player);
}

/* Where no filter keeps a player from waking itself, it is found if it works, and blocks nobody. */
TEST(a_player_that_wakes_itself_is_ended) {
    struct player *player = play_open("wakes_itself", 30, 1);
    enum outcome outcome = play_create(player);
    double seconds, before, worked;

    for (uint64_t turn = 0; turn < 50 && outcome == OUTCOME_ACCEPTED; turn++) {
        before = cpu_seconds(player_pid(player));
        usleep(10000);
        worked = cpu_seconds(player_pid(player)) - before;
        outcome = play_run(player, turn, &seconds, NULL);
        if (worked > 0.002)
            assert_int_equal(outcome, OUTCOME_PROTOCOL);
    }
    /* On a busy machine its timers can be lost at the first stop; then it was stopped for good. */
    if (outcome != OUTCOME_ACCEPTED)
        assert_int_equal(outcome, OUTCOME_PROTOCOL);
    player_end(player);
}

/* How a turn of 0.3 s, create or run, ends on a CPU on which so many others work. */
static enum outcome work_among(const char *name, int others, int in_create) {
    pid_t pids[16];
    cpu_set_t before = take_one_cpu();
    struct player *player;
    enum outcome outcome;
    double seconds;

    player = play_start(name, 0.3);
    if (!in_create)
        assert_int_equal(play_create(player), OUTCOME_ACCEPTED);
    for (int i = 0; i < others; i++)
        if (!(pids[i] = fork()))
            for (prctl(PR_SET_PDEATHSIG, SIGKILL);;)
                ;
    outcome = in_create ? play_create(player) : play_run(player, 1, &seconds, NULL);
    for (int i = 0; i < others; i++) {
        kill(pids[i], SIGKILL);
        waitpid(pids[i], NULL, 0);
    }
    player_end(player);
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    return outcome;
}

/* A third of a CPU is too little for the work in 0.3 s, and a 16th is too little in any case. */
TEST(seconds_without_a_cpu_do_not_count_up_to_a_limit) {
    assert_int_equal(work_among("works", 2, 0), OUTCOME_ACCEPTED);
    assert_int_equal(work_among("works_in_create", 2, 1), OUTCOME_ACCEPTED);
    assert_int_equal(work_among("works", 15, 0), OUTCOME_HUNG);
}

TEST(a_full_command_pipe_does_not_block_the_referee) {
    struct player *player = play_start("fills_commands", 0.3);
    enum outcome outcome;
    double seconds;

    assert_int_equal(play_create(player), OUTCOME_ACCEPTED);
    assert_int_equal(play_run(player, 1, &seconds, NULL), OUTCOME_ACCEPTED);
    outcome = play_run(player, 2, &seconds, NULL);
    if (getenv("TEST_SANDBOX")) /* there it cannot open the pipe */
        assert_int_equal(outcome, OUTCOME_HUNG);
    else
        assert_int_equal(outcome, OUTCOME_PROTOCOL);
    assert_true(getenv("TEST_SANDBOX") || strstr(player_message(player), "pipe"));
    player_end(player);
}

TEST(open_files_are_not_passed_on) {
    int file = open("/dev/null", O_RDONLY); /* as fopen() opens: without O_CLOEXEC */
    struct player *player = play_start("finds_files", 30);
    char message[512];

    assert_int_equal(play(player, message), OUTCOME_ACCEPTED);
    player_end(player);
    close(file);
}

TEST(a_program_that_is_not_there_ends_by_name) {
    struct player *player = play_start("no_such_player", 30);

    assert_int_equal(play_create(player), OUTCOME_EXITED);
    assert_non_null(strstr(player_message(player), "status 127"));
    assert_non_null(strstr(player_printed(player), "No such file"));
    player_end(player);
}

/* After a failure the player is gone; every further turn says so and nothing waits. */
TEST(a_player_that_has_ended_gets_no_turn) {
    struct player *player = play_start("exits", 30);
    double seconds;

    assert_int_equal(play_create(player), OUTCOME_ACCEPTED);
    assert_int_equal(play_run(player, 1, &seconds, NULL), OUTCOME_EXITED);
    assert_int_equal(play_run(player, 2, &seconds, NULL), OUTCOME_EXITED);
    assert_non_null(strstr(player_message(player), "had ended"));
    player_end(player);
    player_end(NULL);
}

int main(void) {
    static struct CMUnitTest ends[PLAYS];
    int failed;

    wrapper_use(getenv("TEST_SANDBOX")); /* grading/tests runs all of this in its sandbox, too */

    for (int i = 0; i < PLAYS; i++)
        ends[i] = (struct CMUnitTest){.name = plays[i].name,
                                      .test_func = ends_as_it_must,
                                      .initial_state = (void *)(intptr_t)i};
    failed = cmocka_run_group_tests_name("players", ends, NULL, NULL);
    return failed + run_listed(NULL, NULL);
}
