/* Reports of sanitizers, captured and live, and the check's other looks at step 02: its idea. */
#include "testing.h"

#include <sched.h>

#include "edited.h"
#include "referee/judge/sanitizer.h"
#include "sanitizer_reports.h"

static const char solution[] = "solutions/02_openmp/nbody.c";
static struct check check;

TEST(captured_reports_are_read) {
    static const struct {
        const char *report;
        enum outcome outcome;
        const char *words[3];
    } rows[] = {
        {tsan_global,
         OUTCOME_RACE,
         {"write of 4 bytes at steps/02_openmp/nbody.c:27 and",
          "write of 4 bytes at steps/02_openmp/nbody.c:39", "declare it inside"}},
        {tsan_stack,
         OUTCOME_RACE,
         {"write of 4 bytes at steps/02_openmp/nbody.c:78 and", "in another thread, write of 4",
          "declare it inside"}},
        {tsan_output,
         OUTCOME_RACE,
         {"read of 4 bytes at steps/02_openmp/nbody.c:51 and",
          "write of 4 bytes at steps/02_openmp/nbody.c:39", ""}},
        {asan_gcc,
         OUTCOME_MEMORY,
         {"steps/02_openmp/nbody.c:72: ", "read of 4 bytes behind the end of `in`", ""}},
        {asan_clang,
         OUTCOME_MEMORY,
         {"steps/02_openmp/nbody.c:72: ", "read of 4 bytes behind the end of `in`", ""}},
        {ubsan_gcc, OUTCOME_MEMORY, {"steps/02_openmp/nbody.c:72: ", "shift exponent 33", ""}},
        {tsan_division,
         OUTCOME_MEMORY,
         {"steps/02_openmp/nbody.c:72: ", "an integer was divided by zero",
          "(ThreadSanitizer: FPE)"}},
        {tsan_null,
         OUTCOME_MEMORY,
         {"steps/02_openmp/nbody.c:72: ", "NULL", "(ThreadSanitizer: SEGV)"}},
        {asan_abort,
         OUTCOME_CRASHED,
         {"steps/02_openmp/nbody.c:72: ", "abort() was called", "ABRT)"}},
        {asan_twice,
         OUTCOME_MEMORY,
         {"steps/02_openmp/nbody.c:72: ", "freed before",
          "(AddressSanitizer: attempting double-free)"}},
        {ubsan_clang, OUTCOME_MEMORY, {"steps/02_openmp/nbody.c:72: ", "shift exponent 33", ""}},
    };
    char message[SANITIZER_MESSAGE];

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(sanitizer_read(rows[i].report, "steps/02_openmp/nbody.c", message),
                         rows[i].outcome);
        for (int word = 0; word < 3; word++)
            if (!strstr(message, rows[i].words[word]))
                fail_msg("report %zu has no `%s`: %s", i, rows[i].words[word], message);
        assert_null(strchr(message, '\n'));
    }
}

/* The output buffer is shared on purpose: no advice to declare it elsewhere. */
TEST(advice_is_for_variables_only) {
    char message[SANITIZER_MESSAGE];

    sanitizer_read(tsan_output, "steps/02_openmp/nbody.c", message);
    assert_null(strstr(message, "declare it"));
}

TEST(what_is_no_report_is_none) {
    char message[SANITIZER_MESSAGE];

    assert_int_equal(sanitizer_read("", "nbody.c", message), OUTCOME_ACCEPTED);
    assert_int_equal(sanitizer_read(ARCHER "nbody.c:12: error\n", "nbody.c", message),
                     OUTCOME_ACCEPTED);
    assert_true(sanitizer_knows_openmp(tsan_stack));
    assert_false(sanitizer_knows_openmp(strstr(tsan_stack, "WARNING")));
}

/* One size is enough to see a race; a whole check takes several seconds. */
enum { ALL_SIZES = 0, ONE_SIZE = 1000 };

/* Checks the default variant of `file` as step 02. */
static void check_file(const char *file, int n) {
    struct options options = {.file = file, .variant = "static", .seed = 3, .n = n};
    static struct programs programs;

    assert_int_equal(programs_choose(&programs, catalogue_find(&catalogue, "02"), &options, 0),
                     OUTCOME_ACCEPTED);
    assert_int_equal(check_step(&programs, &options, &check), OUTCOME_ACCEPTED);
}

static const struct verdict *verdict_on(const char *aspect) {
    for (int i = 0; i < check.count; i++)
        if (!strcmp(check.verdicts[i].aspect, aspect))
            return &check.verdicts[i];
    fail_msg("there is no verdict on %s", aspect);
    return NULL;
}

/* The verdict on races; skips the test where they cannot be seen. */
static const struct verdict *verdict_on_races(void) {
    const struct verdict *verdict = verdict_on("thread");

    if (verdict->skipped) {
        print_message("%s\n", verdict->message);
        skip();
    }
    return verdict;
}

/* The number behind "`file`:" in `text`, and where the text goes on. */
static int line_of(const char **text, const char *file) {
    char prefix[128];
    const char *found;

    snprintf(prefix, sizeof prefix, "%s:", file);
    if (!(found = strstr(*text, prefix)))
        fail_msg("no line of %s in: %s", file, *text);
    *text = found + strlen(prefix);
    return atoi(*text);
}

/* The line of the file in which `word` stands, the first behind `after`. */
static int line_with(const char *path, const char *after, const char *word) {
    FILE *file = fopen(path, "r");
    char line[256];
    int number = 0, behind = 0;

    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        number++;
        behind |= strstr(line, after) != NULL;
        if (behind && strstr(line, word))
            break;
    }
    fclose(file);
    return number;
}

/* All four aspects of the solution, with no report and nothing missing. */
static int solution_is_accepted(void) {
    check_file(solution, ALL_SIZES);
    for (int i = 0; i < check.count; i++)
        if (check.verdicts[i].outcome != OUTCOME_ACCEPTED) {
            print_error("%s: %s\n", check.verdicts[i].aspect, check.verdicts[i].message);
            return 0;
        }
    return check.outcome == OUTCOME_ACCEPTED && !verdict_on("technique")->skipped &&
           !verdict_on("plain")->skipped && !verdict_on("address")->skipped;
}

/* Two threads of one CPU share the work, too. Before all other checks: gcc's OpenMP does not
 * survive a fork of a process that has used it. */
TEST(the_idea_is_seen_on_one_cpu) {
    int status = -1;
    pid_t pid = fork();

    if (pid == 0) {
        cpu_set_t one;

        CPU_ZERO(&one);
        CPU_SET(sched_getcpu(), &one);
        _exit(sched_setaffinity(0, sizeof one, &one) || !solution_is_accepted());
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

TEST(a_shared_accumulator_is_a_race) {
    const struct verdict *verdict;
    const char *message;
    const char *path = edited(
        solution, (const struct edit[]){
                      {"float fx = 0, fy = 0, fz = 0;", "fx = fy = fz = 0;", "update_velocities"},
                      {"};", "}; static float fx, fy, fz;", "struct simulation"},
                      {NULL}});
    int first, last;

    check_file(path, ONE_SIZE);
    verdict = verdict_on_races();
    assert_int_equal(verdict->outcome, OUTCOME_RACE);
    message = verdict->message;
    first = line_with(path, "update_velocities", "fx = fy = fz = 0");
    last = line_with(path, "update_velocities", "bodies[i].vz += dt * fz");
    for (int access = 0; access < 2; access++)
        assert_in_range(line_of(&message, path), first, last);
    assert_non_null(strstr(message, "declare it inside"));
}

TEST(a_loop_that_every_thread_runs_is_a_race) {
    const struct verdict *verdict;
    const char *message;
    const char *path = edited(solution, (const struct edit[]){{"#pragma omp for schedule(SCHEDULE)",
                                                               "", "static void update_positions"},
                                                              {NULL}});
    int first, last;

    check_file(path, ONE_SIZE);
    assert_int_equal(verdict_on("plain")->outcome, OUTCOME_WRONG);
    verdict = verdict_on_races();
    assert_int_equal(verdict->outcome, OUTCOME_RACE);
    message = verdict->message;
    first = line_with(path, "update_velocities", "bodies[i].vx += dt");
    last = line_with(path, "update_positions", "bodies[i].z += dt");
    for (int access = 0; access < 2; access++)
        assert_in_range(line_of(&message, path), first, last);
}

/* What the memory check says of a copy with a statement behind simulation_run's copy of the input.
 */
static void memory_fault(const char *statement, const char *word) {
    static const char place[] = "* sizeof *bodies);";
    const struct verdict *verdict;
    const char *message, *path;
    char text[128];

    snprintf(text, sizeof text, "%s\n%s", place, statement);
    path = edited(solution, (const struct edit[]){{place, text, "int simulation_run"}, {NULL}});
    check_file(path, ALL_SIZES); /* the largest has no room behind it */
    verdict = verdict_on("address");
    message = verdict->message;
    assert_int_equal(verdict->outcome, OUTCOME_MEMORY);
    assert_non_null(strstr(message, word));
    assert_int_equal(line_of(&message, path), line_with(path, "int simulation_run", statement));
}

TEST(a_read_past_the_input_is_a_memory_error) {
    memory_fault("bodies->x += 0 * simulation->in[parameters->n].x;", "read of 4 bytes behind");
}

TEST(a_shift_too_far_is_a_memory_error) {
    memory_fault("bodies->x += 0 * (1 << (31 + iterations));", "shift exponent");
}

TEST(the_solution_is_clean_and_has_its_idea) {
    assert_true(solution_is_accepted());
    verdict_on_races();
}

TEST(the_predecessor_lacks_the_idea) {
    check_file("solutions/01_serial/nbody.c", ALL_SIZES);
    assert_int_equal(verdict_on("plain")->outcome, OUTCOME_ACCEPTED);
    assert_int_equal(verdict_on("technique")->outcome, OUTCOME_IDEA);
    assert_non_null(strstr(verdict_on("technique")->message, "one thread did"));
    assert_int_equal(check.outcome, OUTCOME_IDEA);
}

/* Over two iterations it looks shared: each is another thread's. */
TEST(a_loop_that_one_thread_runs_lacks_the_idea) {
    const char *path =
        edited(solution, (const struct edit[]){{"#pragma omp for schedule(SCHEDULE)",
                                                "#pragma omp single", "update_velocities"},
                                               {NULL}});

    check_file(path, ALL_SIZES);
    assert_int_equal(verdict_on("plain")->outcome, OUTCOME_ACCEPTED);
    assert_int_equal(verdict_on("technique")->outcome, OUTCOME_IDEA);
    assert_non_null(strstr(verdict_on("technique")->message, "one thread did"));
}

GROUP(read_catalogue, NULL)
