/* Timed runs where there is a GPU, which a library plays: what they are compared with, what is
 * measured beside them, what marks them. Runs in a folder of its own, whose build/ holds stand-ins
 * for the programs that need nvcc. */
#define OWN_MAIN
#include "testing.h"

#include <limits.h>

#include "referee/machine/ceilings.h"
#include "fake_gpu.h"
#include "files.h"
#include "referee/base/options.h"
#include "referee/timing/timing.h"

enum { BODIES = 512, ITERATIONS = 10 };

static char players[PATH_MAX];

static int enter_folder(void **state) {
    (void)state;
    if (!realpath("build/tests/players", players) || make_folder(folder))
        return -1;
    return chdir(folder) || mkdir("build", 0777);
}

/* A player of tests/players takes the part of the trusted program. */
static void put_trusted(const char *name) {
    char path[PATH_MAX + 32];

    snprintf(path, sizeof path, "%s/%s", players, name);
    unlink("build/trusted_nbody");
    assert_int_equal(symlink(path, "build/trusted_nbody"), 0);
}

static enum outcome open_trusted(struct trusted *trusted, char *said, size_t size) {
    struct kept_stderr kept = catch_stderr();
    enum outcome outcome = trusted_open(trusted, problem_find("nbody"), BODIES, 3);

    caught_stderr(kept, said, size);
    return outcome;
}

/* Times a player of tests/players as a program of `backend`. */
static void time_player(const char *name, const char *backend, struct trusted *trusted,
                        struct timing *timing) {
    struct step step = {.problem = "nbody"};
    struct programs programs = {.step = &step};
    struct program program = {.variant = "plain"};
    struct subject subject = {.programs = &programs,
                              .program = &program,
                              .distribution = "uniform",
                              .n = BODIES,
                              .iterations = ITERATIONS,
                              .threads = 1,
                              .trusted = trusted};
    static uint64_t seed; /* outputs that are right for one are kept, and asked of nobody again */
    struct contender *contender;

    snprintf(step.name, sizeof step.name, "%s", name);
    snprintf(program.backend, sizeof program.backend, "%s", backend);
    snprintf(program.path, sizeof program.path, "%.400s/%.60s", players, name);
    assert_non_null(contender = contender_open(&subject, timing));
    time_isolated(contender, seed++, 3, timing);
    contender_close(contender);
}

static const char *marks_of(const struct timing *timing) {
    static char text[32];

    timing_marks(timing, text);
    return text;
}

TEST(test_marks) {
    struct timing timing = {.others = 0.1};

    assert_string_equal(marks_of(&timing), "");
    timing.others = 0.11;
    assert_string_equal(marks_of(&timing), ":busy");
    timing = (struct timing){.gpu_others = 1};
    assert_string_equal(marks_of(&timing), ":gpu-busy");
    timing = (struct timing){.sm_mhz_least = 1950, .sm_mhz_most = 1980};
    assert_string_equal(marks_of(&timing), "");
    timing.sm_mhz_least = 1905;
    assert_string_equal(marks_of(&timing), ":clock");
    timing.others = 1;
    timing.gpu_others = 2;
    assert_string_equal(marks_of(&timing), ":busy:gpu-busy:clock");
}

/* Two readings a run: before the first the GPU idles. */
TEST(test_clock) {
    struct timing timing;

    setenv("FAKE_CLOCKS", "345 1980 1980 1975 1975 1970", 1);
    time_player("honest", "cuda", NULL, &timing);
    assert_int_equal(timing.outcome, OUTCOME_ACCEPTED);
    assert_true(timing.sm_mhz == 1975);
    assert_true(timing.sm_mhz_least == 1970 && timing.sm_mhz_most == 1980);
    assert_null(strstr(marks_of(&timing), ":clock"));
    assert_true(timing.energy > 4.99 && timing.energy < 5.01);
    unsetenv("FAKE_CLOCKS");
}

/* The library counts its readings, and those of the test before have used up six. */
TEST(test_clock_that_moves) {
    struct timing timing;

    setenv("FAKE_CLOCKS", "0 0 0 0 0 0 1980 1980 1980 1980 1980 1900", 1);
    time_player("honest", "cuda", NULL, &timing);
    assert_true(timing.sm_mhz == 1980 && timing.sm_mhz_least == 1900);
    assert_non_null(strstr(marks_of(&timing), ":clock"));
    time_player("honest", "cpu", NULL,
                &timing); /* what does not use the GPU is not marked for it */
    assert_true(timing.sm_mhz == 0);
    assert_null(strstr(marks_of(&timing), ":clock"));
    unsetenv("FAKE_CLOCKS");
}

TEST(test_company_on_the_gpu) {
    struct timing timing;
    char pid[16];

    time_player("honest", "cuda", NULL, &timing);
    assert_int_equal(timing.gpu_others, 0);
    snprintf(pid, sizeof pid, "%d", (int)getppid());
    setenv("FAKE_PROCESSES", pid, 1);
    time_player("honest", "cuda", NULL, &timing);
    assert_int_equal(timing.gpu_others, 1);
    time_player("honest", "cpu", NULL, &timing);
    assert_int_equal(timing.gpu_others, 0);
    unsetenv("FAKE_PROCESSES");
}

/* Outputs are held against the player's, which has had a turn then. */
TEST(test_trusted_player) {
    struct trusted trusted = {0};
    struct timing timing;
    char said[1024];

    put_trusted("honest");
    assert_int_equal(open_trusted(&trusted, said, sizeof said), OUTCOME_ACCEPTED);
    assert_string_equal(said, "");
    assert_int_equal(trusted.count, 1);
    time_player("honest", "cuda", &trusted, &timing);
    assert_string_equal(timing.message, "");
    assert_int_equal(trusted.programs[0].n, BODIES);
    time_player("forces_last", "cpu", &trusted, &timing);
    assert_int_equal(timing.outcome, OUTCOME_TIMED_OUTPUT);
    trusted_close(&trusted);
}

TEST(test_trusted_player_that_is_wrong) {
    static const char *const wrong[] = {"writes_half", "writes_nan", "crashes"};
    struct trusted trusted = {0};
    char said[1024];

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        put_trusted(wrong[i]);
        assert_int_equal(open_trusted(&trusted, said, sizeof said), OUTCOME_INTERNAL);
        assert_non_null(strstr(said, "build/trusted_nbody, is not right"));
        assert_int_equal(count_lines(said), 1);
        assert_int_equal(trusted.count, 0);
    }
}

TEST(test_no_trusted_player) {
    struct trusted trusted = {0};
    struct timing timing;
    char said[1024];

    unlink("build/trusted_nbody");
    assert_int_equal(open_trusted(&trusted, said, sizeof said), OUTCOME_ACCEPTED);
    assert_int_equal(trusted.count, 0);
    time_player("honest", "cpu", &trusted, &timing);
    assert_int_equal(timing.outcome, OUTCOME_ACCEPTED);
    put_trusted("writes_nan"); /* not even asked where there is no GPU */
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    assert_int_equal(open_trusted(&trusted, said, sizeof said), OUTCOME_ACCEPTED);
    unsetenv("CUDA_VISIBLE_DEVICES");
}

static enum outcome read_ceilings(const char *text, struct ceiling *ceilings, int *count,
                                  char *said, size_t size) {
    FILE *file = fmemopen((char *)text, strlen(text), "r");
    struct kept_stderr kept = catch_stderr();
    enum outcome outcome = ceilings_read(file, "it", GPU_CEILINGS, ceilings, count);

    caught_stderr(kept, said, size);
    fclose(file);
    return outcome;
}

TEST(test_ceilings_are_read) {
    static const char *const garbage[] = {
        "gpu_mufu 4e12",
        "gpu_mufu 4e12 lanes/s more",
        "gpu_mufu 4e12 lanes/s 1",
        "fma 4e12 lanes/s",
        "fma 4e12 lanes/s 0",
        "fma 4e12 lanes/s 2 3",
        "fma -1 lanes/s 2",
        "gpu_mufu x lanes/s",
        "gpu_mufu 4e12x lanes/s",
        "gpu_mufu -1 lanes/s",
        "gpu_mufu 0 lanes/s",
        "gpu_mufu nan lanes/s",
        "gpu_mufu inf lanes/s",
        "gpu_mufu 4e12 B/s",
        "gpu_nothing 1 lanes/s",
        "copy_in_pinned_2048 1e9 B/s",
        "copy_in_pinned_6000 1e9 B/s",
        "copy_in_pinned_134217728 1e9 B/s",
        "copy_in_pinned_4096 1e9 lanes/s",
        "copy_in_pinned 1e9 B/s",
        "gpu_issue 2e13 lanes/s",
        "",
        "CUDA error: out of memory",
        "gpu_mufu_and_what_is_much_too_long_for_a_name 1 lanes/s"};
    struct ceiling ceilings[GPU_CEILINGS];
    char text[512], said[1024];
    int count;

    assert_int_equal(read_ceilings("gpu_issue 3.25e+13 lanes/s\ngpu_copy_in_pinned 5e10 B/s\n"
                                   "copy_out_pageable_67108864 2e9 B/s\ncopy 0 B/s 1\n"
                                   "copy 3e9 B/s 1\nfma 1e10 lanes/s 16\n",
                                   ceilings, &count, said, sizeof said),
                     OUTCOME_ACCEPTED);
    assert_int_equal(count, 6);
    assert_string_equal(ceilings[0].resource, "gpu_issue");
    assert_string_equal(ceilings[0].unit, "lanes/s");
    assert_true(ceilings[0].value == 3.25e13 && ceilings[0].threads == 0);
    assert_string_equal(ceilings[1].resource, "gpu_copy_in_pinned");
    assert_string_equal(ceilings[2].resource, "copy_out_pageable_67108864");
    assert_string_equal(ceilings[5].resource, "fma");
    assert_true(ceilings[5].value == 1e10 && ceilings[5].threads == 16);
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        snprintf(text, sizeof text, "gpu_issue 3e13 lanes/s\n%s\n", garbage[i]);
        if (read_ceilings(text, ceilings, &count, said, sizeof said) != OUTCOME_INTERNAL)
            fail_msg("taken: %s", garbage[i]);
        assert_non_null(strstr(said, garbage[i]));
        assert_int_equal(count_lines(said), 1);
    }
}

static void put_script(const char *text) {
    write_file("build/ceilings_gpu", text);
    assert_int_equal(chmod("build/ceilings_gpu", 0755), 0);
}

#define WHOLE                                                                                      \
    "#!/bin/sh\nfor r in issue fma mufu lds; do echo gpu_$r 1e12 lanes/s; done\n"                  \
    "for d in in out; do for h in pageable pinned; do echo gpu_copy_${d}_$h 1e10 B/s; done; "      \
    "done\n"                                                                                       \
    "echo gpu_memory 3e12 B/s\n"                                                                   \
    "echo gpu_tensor 3e14 multiply-adds/s\necho l2_bytes 62914560 B\n"                             \
    "b=4096; while [ $b -le 67108864 ]; do for d in in out; do for h in pageable pinned; do "      \
    "echo copy_${d}_${h}_$b 1e9 B/s; done; done; b=$((b * 2)); done\n"

TEST(test_ceilings_program) {
    static const char *const broken[] = {"#!/bin/sh\necho gpu_issue 1e12 lanes/s\n",
                                         WHOLE "exit 1\n", "#!/bin/sh\nexit 0\n"};
    struct ceiling ceilings[GPU_CEILINGS];
    struct kept_stderr kept;
    char said[1024];
    int count;

    assert_int_equal(ceilings_gpu(ceilings, &count), OUTCOME_ACCEPTED);
    assert_int_equal(count, 0); /* nothing was built */
    put_script(WHOLE);
    assert_int_equal(ceilings_gpu(ceilings, &count), OUTCOME_ACCEPTED);
    assert_int_equal(count, GPU_CEILINGS);
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        enum outcome outcome;

        put_script(broken[i]);
        kept = catch_stderr();
        outcome = ceilings_gpu(ceilings, &count);
        caught_stderr(kept, said, sizeof said);
        assert_int_equal(outcome, OUTCOME_INTERNAL);
        assert_non_null(strstr(said, "run it to see why"));
    }
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    assert_int_equal(ceilings_gpu(ceilings, &count), OUTCOME_ACCEPTED);
    assert_int_equal(count, 0);
    unsetenv("CUDA_VISIBLE_DEVICES");
}

int main(int argc, char **argv) {
    (void)argc;
    play_gpus(argv, "1");
    return run_listed(enter_folder, end_folder);
}
