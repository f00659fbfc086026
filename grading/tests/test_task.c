/* Tasks, with scripts in the referee's place. */
#include "testing.h"
#include "cgroup.h"
#include "engine.h"
#include "fake_course.h"
#include "task_do.h"

static const struct limits small = {20, 200, 40, 8, 1};
static struct task one = {.entry = 7, .kind = TASK_CHECK, .step = "02_openmp", .seed = 4711};

/* Does the task in a process of its own, as engines do. */
static int do_task(const struct limits *limits) {
    pid_t child;
    int status;

    one.source = "solutions/02_openmp/nbody.c";
    unlink("result");
    if ((child = fork()) == 0) {
        engine_stop_on_signals();
        _exit((int)task_do_within(&one, limits, "result"));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static json_t *result(void) {
    json_t *whole = json_load_file("result", 0, NULL);

    assert_non_null(whole);
    return whole;
}

static void assert_limit(const char *script, const char *limit) {
    json_t *whole;

    referee(script);
    assert_int_equal(do_task(&small), 0);
    whole = result();
    assert_string_equal(field(whole, "limit"), limit);
    assert_string_equal(field(whole, "outcome"), "limit");
    json_decref(whole);
}

TEST(test_result) {
    json_t *whole, *printed;
    char *text;

    referee(
        "read seed; echo \"$7 is odd\" >&2; touch \"$TMPDIR/x\" || exit 9\n"
        "printf '{\"verb\": \"%s\", \"step\": \"%s\", \"file\": \"%s\", \"seed\": %s, \"level\": "
        "%s, \"gpu\": %s, \"sandbox\": \"%s\"}' $1 $5 $7 $seed $SANDBOX_LEVEL $SANDBOX_GPU $9\n"
        "exit 32");
    assert_int_equal(do_task(&small), 0);
    whole = result();
    assert_string_equal(field(whole, "outcome"), "wrong");
    assert_string_equal(field(whole, "limit"), "");
    assert_string_equal(field(whole, "kind"), "check");
    assert_string_equal(field(whole, "seed"), "4711");
    assert_string_equal(field(whole, "words"), "nbody.c is odd\n");
    assert_int_equal(json_integer_value(json_object_get(whole, "entry")), 7);
    assert_int_equal(json_integer_value(json_object_get(whole, "level")), 2);
    printed = json_object_get(whole, "referee");
    assert_string_equal(field(printed, "verb"), "check");
    assert_string_equal(field(printed, "step"), "02_openmp");
    assert_string_equal(field(printed, "file"), "nbody.c");
    assert_string_equal(field(printed, "sandbox"), "build/sandbox");
    assert_int_equal(json_integer_value(json_object_get(printed, "seed")), 4711);
    json_decref(whole);
    text = read_file("result", NULL);
    assert_null(strstr(text, "course-grading")); /* else no two runs say the same */
    free(text);
}

TEST(test_what_cannot_be_read) {
    json_t *whole;

    referee("printf '{\"outcome\": \"accepted\"'; printf 'a\\377b\\001\\n' >&2; exit 20");
    assert_int_equal(do_task(&small), 0);
    whole = result();
    assert_string_equal(field(whole, "outcome"), "crashed");
    assert_true(json_is_null(json_object_get(whole, "referee")));
    assert_string_equal(field(whole, "words"), "a?b?\n");
    json_decref(whole);
}

/* Of much that the compiler says its first error is kept, and how it ended: halves of the room. */
TEST(test_both_ends_of_long_words) {
    enum { ROOM = 16384, LINE = 8, LINES = 20000 };
    static const char dots[] = "\n...\n";
    char *all = malloc(LINES * LINE + 1);
    int lines, i;

    for (i = 0; i < LINES; i++)
        snprintf(all + i * LINE, LINE + 1, "%07d\n", i);
    for (lines = ROOM / LINE; lines <= LINES; lines += LINES - ROOM / LINE) {
        char script[128];
        const char *words;
        size_t length;
        json_t *whole;

        snprintf(script, sizeof script,
                 "awk 'BEGIN { for (i = 0; i < %d; i++) printf \"%%07d\\n\", i }' >&2; exit 7",
                 lines);
        referee(script);
        assert_int_equal(do_task(&small), 0);
        whole = result();
        assert_non_null(words = json_string_value(json_object_get(whole, "words")));
        length = strlen(words);
        assert_int_equal(length, ROOM);
        if (lines == ROOM / LINE) {
            assert_memory_equal(words, all, ROOM);
        } else {
            const char *behind = words + ROOM / 2 + sizeof dots - 1;

            assert_memory_equal(words, all, ROOM / 2);
            assert_memory_equal(words + ROOM / 2, dots, sizeof dots - 1);
            assert_string_equal(behind, all + LINES * LINE - strlen(behind));
        }
        json_decref(whole);
    }
    free(all);
}

TEST(test_flags_lie_beside_the_source) {
    json_t *whole;

    write_file("solutions/02_openmp/flags", "-ftz=true\n");
    referee("printf '\"%s\"' \"$(cat $(dirname $7)/flags)\"");
    assert_int_equal(do_task(&small), 0);
    unlink("solutions/02_openmp/flags");
    whole = result();
    assert_true(json_is_null(json_object_get(whole, "referee")) ||
                !strcmp(field(whole, "referee"), "-ftz=true"));
    json_decref(whole);
}

TEST(test_limits) {
    assert_limit("awk 'BEGIN { for (s = \"0123456789\"; length(s) < 600000000;) s = s s; "
                 "system(\"sleep 60\") }'",
                 "memory");
    assert_limit("i=0; while [ $i -lt 60 ]; do sleep 60 & i=$((i + 1)); done; wait", "processes");
    assert_limit("head -c 20000000 /dev/zero >$TMPDIR/big; sleep 60", "disk");
    assert_limit("head -c 3000000 /dev/zero; sleep 60", "output");
}

TEST(test_time) {
    const struct limits short_one = {0.5, 200, 40, 8, 1};
    json_t *whole;

    referee("sleep 60");
    assert_int_equal(do_task(&short_one), 0);
    whole = result();
    assert_string_equal(field(whole, "limit"), "time");
    json_decref(whole);
}

/* The referee itself may hold as much as it needs. */
TEST(test_referee_is_trusted) {
    referee("x=$(head -c 300000000 /dev/zero | tr '\\0' x); sleep 0.5; exit 0");
    assert_int_equal(do_task(&(struct limits){120, 250, 40, 8, 1}), 0);
    json_t *whole = result();
    assert_string_equal(field(whole, "limit"), "");
    json_decref(whole);
}

/* In a cgroup the kernel keeps the limit, of memory that comes and goes between two looks. */
TEST(test_cgroup) {
    struct limits limits = {20, 64, 40, 8, 1};
    struct cgroup cgroup;
    char path[CGROUP_BYTES + 16];
    const char *limit;
    pid_t child;

    cgroup_make(&cgroup, "course-grading.test", &limits);
    if (!cgroup.count) {
        print_message("left out: no cgroup can be made here\n");
        skip();
    }
    if ((child = fork()) == 0) {
        volatile char *bytes = malloc(200 << 20); /* or the compiler would not write them */
        size_t i;

        snprintf(path, sizeof path, "%s/cgroup.procs", cgroup.paths[0]);
        write_file(path, "0");
        for (i = 0; i < 200 << 20; i += 4096)
            bytes[i] = 1;
        _exit(0);
    }
    waitpid(child, NULL, 0);
    limit = cgroup_limit(&cgroup);
    cgroup_remove(&cgroup);
    assert_non_null(limit);
    assert_string_equal(limit, "memory");
    assert_int_not_equal(access(cgroup.paths[0], F_OK), 0);
}

TEST(test_nobody_is_left) {
    referee("setsid sh -c 'echo $$ >left; exec sleep 600' >/dev/null 2>&1 </dev/null &\n"
            "while [ ! -s left ]; do sleep 0.01; done");
    assert_int_equal(do_task(&small), 0);
    assert_true(is_gone("left"));
    unlink("left");
}

TEST(test_again) {
    json_t *whole;

    referee("echo no more room >&2; exit 1");
    assert_int_equal(do_task(&small), OUTCOME_INTERNAL);
    assert_int_not_equal(access("result", F_OK), 0);

    referee("[ -e second ] && exit 0; touch second; exit 1");
    assert_int_equal(do_task(&small), 0);
    unlink("second");
    referee("[ -e second ] && exit 0; touch second; exit 22");
    assert_int_equal(do_task(&small), 0);
    whole = result();
    assert_string_equal(field(whole, "outcome"), "accepted");
    json_decref(whole);
    referee("exit 22");
    assert_int_equal(do_task(&small), 0);
    whole = result();
    assert_string_equal(field(whole, "outcome"), "hung");
    json_decref(whole);
}

static int level_in_child(const char *answer, const char *asked) {
    char script[128];
    pid_t child;
    int status;

    snprintf(script, sizeof script, "#!/bin/sh\necho '%s'\n", answer);
    write_script("build/sandbox", script);
    if ((child = fork()) == 0) {
        if (asked)
            setenv("SANDBOX_LEVEL", asked, 1);
        _exit(task_level());
    }
    waitpid(child, &status, 0);
    write_script("build/sandbox", "#!/bin/sh\necho 2\n");
    return WEXITSTATUS(status);
}

TEST(test_level) {
    assert_int_equal(level_in_child("2", NULL), 2);
    assert_int_equal(level_in_child("2", "1"), 1);
    assert_int_equal(level_in_child("1: no user namespaces", "2"), 1);
    assert_int_equal(level_in_child("0: neither", NULL), 0);
    assert_int_equal(level_in_child("", NULL), 0);
}

GROUP(enter_course, leave_course)
