/* What commands print, for people, pipes and programs. Run from the repository's root. */
#include "testing.h"

#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <termios.h>

#include "command.h"
#include "problems/outcome.h"

static char verdicts_of_seed_5[8192];

/* The same seed gives the same figures; for another, see test_terminal(). */
TEST(test_check_and_its_seed) {
    const char *check = "build/referee check --step 02 --variant dynamic --json 1";
    struct result first = run("%s --seed 5", check), second = run("%s --seed 5", check);

    assert_json(first, 0);
    assert_string_equal(first.err, "");
    assert_says(first.out, "\"seed\": 5, \"outcome\": \"accepted\", \"code\": 0");
    assert_string_equal(first.out, second.out);
    snprintf(verdicts_of_seed_5, sizeof verdicts_of_seed_5, "%s",
             text_from(first.out, "\"verdicts\""));
}

/* In full once, then its first clause; equal ones are `as above`. JSON has all of each. */
TEST(test_a_failure_is_told_once) {
    const char *check = "build/referee check --step 02 --seed 5 --n 100 --file "
                        "build/nan.c",
               *question = "is the softening added to r^2";
    struct result text, json;

    assert_code(run("sed 's/+ softening;/+ softening + 0.0f \\/ 0.0f;/' "
                    "solutions/02_openmp/nbody.c >build/nan.c"),
                0);
    text = run("%s", check);
    assert_code(text, 31);
    assert_int_equal(occurrences(text.out, question), 1);
    assert_says(text.out,
                "\n      n = 100 (uniform): after 1 iteration: 100 of 100 bodies hold NaN or "
                "Inf: the first is body 0, whose x is ");
    assert_says(text.out, "\n      in the build with sanitizers, n = 100 (uniform): after 1 "
                          "iteration: 100 of 100 bodies hold NaN or Inf: the ...\n");
    assert_says(text.out, "\n      as above\n");
    json = run("%s --json 1", check);
    assert_json(json, 31);
    assert_true(occurrences(json.out, question) >= 4); /* two variants, memory, races */
}

/* A signal by its name, with the line that the program was at; in C as in CUDA C. */
TEST(test_crashes_of_host_code) {
    static const struct {
        const char *step, *source, *statement, *says;
        int code;
    } crashes[] = {
        {"01", "01_serial/nbody.c", "volatile int zero = 0; iterations /= zero;",
         "n = 100 (uniform): 01_serial was ended by signal 8 (Floating point exception) at "
         "build/ends.c:2: an integer was divided by zero",
         OUTCOME_MEMORY},
        {"01", "01_serial/nbody.c", "exit(3);", "ended with status 3 at build/ends.c:2 before",
         OUTCOME_EXITED},
        {"03", "03_cuda_naive/nbody.cu", "abort();",
         "was ended by signal 6 (Aborted) at build/ends.cu:2", OUTCOME_CRASHED},
        {"03", "03_cuda_naive/nbody.cu",
         "float *pinned; CUDA_CHECK(cudaMallocHost(\\&pinned, 64)); free(pinned);",
         "build/ends.cu:2: memory was given back by another function", OUTCOME_MEMORY},
    };
    size_t i;

    for (i = 0; i < sizeof crashes / sizeof *crashes; i++) {
        const char *dot = strrchr(crashes[i].source, '.');
        struct result result;

        /* The statement gets the number of a line that no other has. */
        assert_code(run("{ echo '#include <stdlib.h>'; sed '/^int simulation_run(/s|$|\\n#line "
                        "2\\n%s\\n#line 900|' solutions/%s; } >build/ends%s",
                        crashes[i].statement, crashes[i].source, dot),
                    0);
        result =
            run("build/referee check --step %s --n 100 --file build/ends%s", crashes[i].step, dot);
        assert_code(result, crashes[i].code);
        assert_says(result.out, crashes[i].says);
        assert_null(strstr(result.out, "status 66"));
    }
}

/* The student guide's first wrong program: its message is the same at any seed, though the bodies
 * beside the one that was left out are off as well at some. */
TEST(test_the_guides_wrong_program) {
    int seed;

    assert_code(run("sed '/^static void update_positions/,/^}/s/i < \\([^;]*\\);/i < \\1 - 1;/' "
                    "solutions/01_serial/nbody.c >build/last.c && ! cmp -s build/last.c "
                    "solutions/01_serial/nbody.c"),
                0);
    for (seed = 1; seed <= 8; seed++) {
        struct result result = run(
            "build/referee check --step 01 --variant gcc_O3 --seed %d --file build/last.c", seed);

        assert_code(result, OUTCOME_WRONG);
        assert_says(result.out, "n = 1000 (uniform): ");
        assert_says(result.out, "it is the last body: does a loop or a copy end at n - 1?; their "
                                "positions hold the input while velocities changed");
    }
}

/* Only the first program is waited for. */
TEST(test_a_program_that_hangs) {
    struct result result = run("sed '0,/for (int i = 0; i < n; i++)/s//for (int i = 0; i < n; i -= "
                               "i > 0)/' solutions/01_serial/nbody.c >build/hangs.c && "
                               "build/referee check --step 01 --file build/hangs.c");
    const char *other;

    assert_code(result, OUTCOME_HUNG);
    assert_says(result.out, "memory    not run\n      not run, since the default variant does not");
    assert_says(result.out, "gcc_O0           results   not run\n  gcc_O2 ");
    assert_says(result.out, "s, in a run of ");
    assert_says(result.out, "and was ended at build/hangs.c:");
    assert_null(strstr(result.out, "as above"));
    other = strstr(result.out, "did not answer within");
    assert_non_null(other);
    assert_null(strstr(other + 1, "did not answer within"));
}

TEST(test_one_size_has_masses_too) {
    struct result result;

    assert_code(run("sed 's/= simulation->masses ? simulation->masses.i. : 1;/= 1;/' "
                    "solutions/13_cpu_simd/nbody.c >build/ones.c"),
                0);
    result = run("build/referee check --step 13 --variant omp_simd --n 100 --file build/ones.c");
    assert_code(result, 32);
    assert_says(result.out, "n = 100 (masses)");
}

TEST(test_no_wrong_decimal) {
    const char *check = "build/referee check --step 01 --variant gcc_O2 --seed 5 --file "
                        "solutions/01_serial/nbody.c";
    struct result text = run("%s", check), json = run("%s --json 1", check);

    assert_code(text, 0);
    assert_says(text.out, " over bodies), no wrong decimal\n");
    assert_says(json.out, "\"first_wrong_decimal\": 10,");
}

/* In a pipe: nothing on stderr that is no error. */
TEST(test_pipe) {
    struct result result =
        run("build/referee bench --step 01 --variant gcc_O2 " SMALL " --machine pc "
            "--results build/p; code=$?; [ $code -eq 40 ] || exit $code");

    assert_code(result, 0);
    assert_string_equal(result.err, "");
    assert_null(strpbrk(result.out, "\r\033"));
    assert_says(result.out, "recorded in build/p/pc.csv, seed ");
}

/* Runs a command with a terminal for its stderr; `shown` gets what came there. */
static struct result run_on_terminal(const char *command, char *shown, size_t size) {
    int terminal = posix_openpt(O_RDWR | O_NOCTTY), status;
    char line[512];
    size_t length = 0;
    ssize_t got;
    pid_t child;

    if (terminal < 0)
        skip(); /* a system without pseudo-terminals */
    assert_true(!grantpt(terminal) && !unlockpt(terminal));
    snprintf(line, sizeof line, "%s 2>%s", command, ptsname(terminal));
    status = open(ptsname(terminal), O_RDWR | O_NOCTTY); /* so that the first reader finds one */
    child = start_command(line, "terminal");
    for (;;) {
        struct pollfd ready = {terminal, POLLIN, 0};
        siginfo_t ended = {0};

        if (poll(&ready, 1, 50) == 1 && (ready.revents & POLLIN)) {
            got = read(terminal, shown + length, size - 1 - length);
            length += got > 0 ? (size_t)got : 0;
        } else if (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                   ended.si_pid == child)
            break;
    }
    shown[length] = 0;
    close(status);
    close(terminal);
    return end_command(child, "terminal");
}

TEST(test_terminal) {
    const char *cleared = "\r\033[K";
    char shown[65536];
    struct result result = run_on_terminal(
        "build/referee check --step 02 --variant dynamic --json 1", shown, sizeof shown);

    assert_code(result, 0);
    assert_says(shown, "% 02_openmp, variant dynamic");
    assert_null(strchr(shown, '\n')); /* one line, written over */
    assert_true(strlen(shown) > strlen(cleared));
    assert_string_equal(shown + strlen(shown) - strlen(cleared), cleared);
    assert_json(result, 0);
    assert_null(strstr(result.out, "\"seed\": 5,"));
    assert_string_not_equal(text_from(result.out, "\"verdicts\""), verdicts_of_seed_5);

    /* An error does not stand behind the progress. */
    result = run_on_terminal("build/referee bench --step 02 --variant xyz --results build/p", shown,
                             sizeof shown);
    assert_code(result, 5);
    assert_says(shown, "building 02_openmp");
    assert_says(shown, "\r\033[Kerror: VARIANT=xyz");
}

/* At a terminal messages are broken between words, and verdicts have colours unless NO_COLOR is
 * set; elsewhere neither is. */
TEST(test_wrapped_and_coloured) {
    const char *check =
        "build/referee check --step 02 --variant dynamic --n 100 --file build/nan.c";
    char command[256], shown[65536], *line;
    int messages = 0;

    assert_code(run("sed 's/+ softening;/+ softening + 0.0f \\/ 0.0f;/' "
                    "solutions/02_openmp/nbody.c >build/nan.c"),
                0);
    snprintf(command, sizeof command, "{ stty cols 60 <&2; TERM=xterm NO_COLOR= %s >&2; }", check);
    assert_code(run_on_terminal(command, shown, sizeof shown), OUTCOME_NOT_FINITE);
    assert_says(shown, "results   \033[31mFAILED\033[0m\r\n      n = 100 (uniform): ");
    for (line = strtok(shown, "\r\n"); line; line = strtok(NULL, "\r\n")) {
        assert_true(strncmp(line, "      ", 6) || strlen(line) <= 60);
        messages += !strncmp(line, "      ", 6);
    }
    assert_true(messages > 2);

    snprintf(command, sizeof command, "{ TERM=xterm NO_COLOR=1 %s >&2; }", check);
    assert_code(run_on_terminal(command, shown, sizeof shown), OUTCOME_NOT_FINITE);
    assert_says(shown, "results   FAILED\r\n");
}

/* A run that has no time takes the input that was asked for. */
TEST(test_run_of_a_distribution) {
    struct result result;

    assert_code(
        run("sed 's/+ softening/- softening/' solutions/04_soa/nbody.cu >build/unsoftened.cu"), 0);
    result = run("NVCC= build/referee run --step 04 --n 100 --distribution plummer "
                 "--file build/unsoftened.cu");
    assert_code(result, OUTCOME_NOT_FINITE);
    assert_says(result.err, "n = 100 (plummer): ");
}

/* The last line of a part of a check says what was accepted and what was not looked at. */
TEST(test_part_of_a_check) {
    struct result result =
        run("build/referee check --step 01 --variant gcc_O2 --n 100 --of solutions | tail -n 1");

    assert_says(result.out, "01_serial gcc_O2 at n = 100 accepted; not checked: gcc_O3_native, ");
    assert_says(result.out, ", gcc_O3, gcc_fast, clang_O3_native, clang_fast, other sizes\n");
}

/* A variant whose macro changes nothing is not accepted; a source that knows no variant is judged
 * by its default one, unless another is named. */
TEST(test_one_program_twice) {
    static const char same[] =
        "the same program as variant %s: SCHEDULE changes nothing in the source";
    const char *check = "build/referee check --step 02 --n 100 --file build/same.c";
    char text[128];
    struct result result;

    assert_code(run("{ echo '#define guided dynamic'; cat solutions/02_openmp/nbody.c; } "
                    ">build/same.c"),
                0);
    result = run("%s", check);
    assert_code(result, OUTCOME_IDEA);
    assert_says(result.out, "dynamic          results   accepted");
    snprintf(text, sizeof text, same, "dynamic");
    assert_says(result.out, "guided           technique FAILED\n      ");
    assert_says(result.out, text);

    assert_code(run("sed 's/SCHEDULE/static/' solutions/02_openmp/nbody.c >build/same.c"), 0);
    result = run("%s", check);
    assert_code(result, 0);
    snprintf(text, sizeof text, same, "static");
    assert_says(result.out, "accepted; not checked: dynamic (the same program as variant static: ");
    assert_says(result.out, text);
    assert_code(run("%s --variant guided", check), OUTCOME_IDEA);

    /* Headers that it does not include have the macro, too. */
    assert_code(run("sed 's/THREADS/256/g' solutions/04_soa/nbody.cu >build/same.cu"), 0);
    result = run("build/referee check --step 04 --n 100 --file build/same.cu");
    assert_code(result, 0);
    assert_says(result.out, "not checked: 1024 (the same program as variant 256: THREADS changes ");
}

/* The one line of the verb in what make help says, or NULL. */
static const char *line_of_help(const char *said, const char *verb) {
    char line[64];
    const char *at;

    snprintf(line, sizeof line, "\n  make %-10s ", verb);
    if ((at = !strncmp(said, line + 1, strlen(line + 1)) ? said : strstr(said, line)))
        at += *at == '\n';
    if (!at || strstr(at, line) || isspace((unsigned char)at[strlen(line + 1)]))
        return NULL;
    return at;
}

/* With ALL=1 each rule of the Makefile has a line, without it ten of them have the same one. */
TEST(test_help) {
    static const char *const ten[] = {"next", "progress", "predict", "check",  "hint",
                                      "run",  "bench",    "explain", "report", "submit"};
    struct result all = run("make help ALL=1"), result = run("make help");
    char *makefile = read_file("Makefile", NULL), *line, *rest;
    int verbs = 0, lines = 0;
    const char *at;

    assert_code(all, 0);
    assert_code(result, 0);
    assert_string_equal(result.err, "");
    for (line = strtok_r(makefile, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyz");

        if (!length || line[length] != ':' || line[length + 1] == '=')
            continue;
        line[length] = '\0';
        if (!strcmp(line, "all") || !strcmp(line, "referee") || !strcmp(line, "grader"))
            continue;
        if (!line_of_help(all.out, line))
            fail_msg("not one line of %s in %s", line, all.out);
        verbs++;
    }
    for (at = all.out; (at = strstr(at, "  make ")); at++)
        lines++;
    assert_int_equal(lines, verbs);
    assert_true(verbs > 20);

    for (lines = 0, at = result.out; (at = strstr(at, "  make ")); at++)
        lines++;
    assert_int_equal(lines, sizeof ten / sizeof *ten);
    for (size_t i = 0; i < sizeof ten / sizeof *ten; i++) {
        const char *here = line_of_help(result.out, ten[i]), *there = line_of_help(all.out, ten[i]);

        if (!here || strncmp(here, there, strcspn(there, "\n") + 1))
            fail_msg("not the line of %s in %s", ten[i], result.out);
    }
    assert_says(result.out, "make help ALL=1");
    free(makefile);
}

TEST(test_codes) {
    struct result result = run("build/referee codes");
    char *page = read_file("docs/exit-codes.md", NULL), *at, expected[256], printed[256];
    int count = 0;

    assert_code(result, 0);
    if (!page)
        skip();
    at = strstr(page, "| code | word | meaning |\n");
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    at = strchr(at, '\n') + 1; /* the line of dashes */
    *printed = 0;
#define COMPARE(code, name, hints, word, sentence)                                                 \
    snprintf(expected, sizeof expected, "| %d | %s | %s |\n", code, word, sentence);               \
    if (strncmp(at, expected, strlen(expected)))                                                   \
        fail_msg("docs/exit-codes.md has not, in its place: %s", expected);                        \
    at += strlen(expected);                                                                        \
    snprintf(printed, sizeof printed, "%d\t%s\t%s\n", code, word, sentence);                       \
    assert_says(result.out, printed);                                                              \
    assert_string_equal(outcome_word((enum outcome)(code)), word);                                 \
    count++;
    OUTCOMES(COMPARE)
#undef COMPARE
    assert_int_equal(*at, '\n'); /* and no more */
    assert_int_equal(count_lines(result.out), count);
    free(page);
}

GROUP(enter_tree, leave_tree)
