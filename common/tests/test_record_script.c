/* record.sh: which pieces it measures, in which order, and what a later call does again; and the
 * ranges of steps.sh. In a tree whose referee and tools are scripts. */
#include "testing.h"
#include "recorded_tree.h"

#include <signal.h>

GROUP(enter_recorded_tree, end_folder)

#define LEFT_OUT "without a GPU and nvcc the steps in CUDA C are left out\n"
#define KEPT(rows)                                                                                 \
    "results/pc.csv has " rows " rows, which are kept; to measure all anew, move it away or name " \
    "another MACHINE\n"
#define BENCH(backend, steps)                                                                      \
    "bench --backend " backend " --of solutions --ablate 1 --resume 1 --machine pc --steps " steps \
    "\n"
#define GPU "FAKE_GPU=one"

/* Neither a GPU without nvcc nor nvcc without a GPU measures what is in CUDA C. */
TEST(test_without_a_gpu) {
    static const char *const cases[] = {"NVCC=nvcc", "FAKE_GPU=one NVCC=/none",
                                        "FAKE_GPU=one NVCC="};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin_record();
        assert_int_equal(record(cases[i], ""), 0);
        assert_lines("out", LEFT_OUT "bench: 01_serial 02_openmp\nbench: 15_last\n");
        assert_lines("err", "");
        assert_lines("calls", "machine\n" BENCH("cpu", "01-02") BENCH("cpu", "15-15"));
        assert_done("bench", "01_serial 02_openmp 15_last");
    }
    assert_int_equal(record("", ""), 0);
    assert_lines("out", KEPT("2") LEFT_OUT);
    assert_lines("calls", "machine\n");
}

/* The steps in CUDA C are built, then come all their times; then of every step ncu's counts of the
 * default and of what the texts quote, and the timelines that they quote; then what the sanitizers
 * find, and the steps in C. */
TEST(test_all_pieces) {
    begin_record();
    assert_int_equal(record(GPU, ""), 0);
    assert_lines("out", "bench: 03_first 04_second\nbench: 14_later\nown: 04_second\n"
                        "ncu: 03_first\ntimeline: 03_first\n"
                        "ncu: 04_second\ntimeline: 04_second\nncu: 14_later\n"
                        "sanitizer: 03_first 04_second 14_later\n"
                        "bench: 01_serial 02_openmp\nbench: 15_last\n");
    assert_lines("err", "");
    assert_int_equal(
        run("cd $D; sed '/^bench/,$d' calls | sort >built; "
            "sed -n '/--step 04_second.*--json/,/^timeline.*04/p; /^timeline.*04/q' calls >of_04; "
            "grep '^compute.*04_second' calls | sort >by_name"),
        0);
    assert_lines("built", "build --step 03_first --of solutions --backend cuda\n"
                          "build --step 04_second --of solutions --backend cuda\n"
                          "build --step 14_later --of solutions --backend cuda\nmachine\n"
                          "standalone --step 03_first --of solutions\n"
                          "standalone --step 04_second --of solutions\n"
                          "standalone --step 14_later --of solutions\n");
    assert_lines("of_04", "standalone --step 04_second --of solutions --variant one --json 1\n"
                          "ncu /04_second/one/standalone\n"
                          "standalone --step 04_second --of solutions --variant two --json 1\n"
                          "ncu /04_second/two/standalone\n"
                          "timeline --step 04_second --of solutions --machine pc\n");
    assert_int_equal(run("grep -x 'own results/pc-facts.csv' $D/calls"), 0);
    assert_lines("by_name",
                 "compute-sanitizer --tool memcheck --error-exitcode 99 /04_second/one/standalone "
                 "1000 1\n"
                 "compute-sanitizer --tool memcheck --error-exitcode 99 /04_second/one/standalone "
                 "257 1\n"
                 "compute-sanitizer --tool racecheck --error-exitcode 99 /04_second/one/standalone "
                 "1000 1\n"
                 "compute-sanitizer --tool racecheck --error-exitcode 99 /04_second/one/standalone "
                 "257 1\n");
    /* 2336 slots of a warp for 32 units: the fake's 74752 for 65536 units. */
    assert_int_equal(run("grep '04_second,two' $D/results/pc-facts.csv >$D/of_two"), 0);
    assert_int_equal(
        run("grep -x '[0-9]*T[0-9]*Z-[0-9]*,04_second,two,ncu_slots,36.5,1/interaction,ncu "
            "n=256' $D/of_two"),
        0);
    assert_int_equal(run("grep ',ncu_stall_short_scoreboard_n256,12.5,cycles,' $D/of_two && "
                         "grep ',ncu_threads_n256,128,' $D/of_two && "
                         "grep ',ncu_registers,48,' $D/of_two && "
                         "grep ',ncu_stall_not_selected_n256,3,' $D/of_two"),
                     0);
    assert_int_equal(run("! grep errors_ $D/of_two && "
                         "grep '04_second,one,racecheck_errors_n1000,0,1,compute-sanitizer$' "
                         "$D/results/pc-facts.csv"),
                     0);
    assert_int_equal(record(GPU, ""), 0);
    assert_lines("out", KEPT("4"));
    assert_lines("calls", "machine\n");
}

/* Estimates are printed beside the rows of a GPU that has a file, if no record has judged it. */
TEST(test_estimates_beside_rows) {
    static const struct {
        const char *gpu, *called;
    } cases[] = {
        {"'FAKE_GPU=GPU 0   NVIDIA One PCIe, driver 5'",
         "errors ^(03_first|04_second)$ 131072 one results/pc.csv\n"},
        {"'FAKE_GPU=GPU 0   Fast RTX 77, driver 5'",
         "errors ^(03_first|04_second)$ 131072 rtx77 results/pc.csv\n"},
        {"'FAKE_GPU=GPU 0   NVIDIA Ones, driver 5'", ""},
        {"'FAKE_GPU=GPU 0   NVIDIA Judged, driver 5'", ""},
    };

    assert_int_equal(run("mkdir -p $D/common/referee/estimate/gpus; "
                         "cd $D/common/referee/estimate/gpus; "
                         "for g in one rtx77; do echo 'validated = no' >$g; done; "
                         "echo 'validated = yes' >judged"),
                     0);
    put_script("common/report/tools/estimate_errors.sh", "#!/bin/sh\necho \"errors $*\" >>calls\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        begin_record();
        assert_int_equal(record(cases[k].gpu, "ONLY=03-04"), 0);
        assert_int_equal(run("grep ^errors $D/calls >$D/called; true"), 0);
        assert_lines("called", cases[k].called);
        assert_lines("err", "");
    }
}

/* A machine with a GPU that lacks NVIDIA's tools. */
TEST(test_without_tools) {
    begin_record();
    assert_int_equal(
        run("cd $D; mkdir -p few; for t in $(ls /bin /usr/bin); do case $t in ncu | "
            "compute-sanitizer | nvcc) ;; *) ln -sf $(command -v $t) few/$t ;; esac; done; "
            "cp bin/nvcc few; " GPU " PATH=$D/few common/report/record.sh pc ONLY=03 >out"),
        0);
    assert_lines("out", "bench: 03_first\ntimeline: 03_first\n");
}

/* A variant that needs what is not installed has no counts; without any the piece is not done. */
TEST(test_missing_variant) {
    begin_record();
    assert_int_equal(record(GPU " MISSING=two", "ONLY=04"), 0);
    assert_done("ncu", "04_second");
    assert_int_equal(run("grep -q 04_second,one,ncu_slots $D/results/pc-facts.csv"), 0);
    assert_int_equal(run("grep -q 04_second,two,ncu_slots $D/results/pc-facts.csv"), 1);
    begin_record();
    assert_int_equal(record(GPU " MISSING=plain", "ONLY=03"), 1);
    assert_done("ncu", "");
}

/* What fails is not done: the others are, the first exit code is the call's, and the next call
 * does just that again. */
TEST(test_what_fails) {
    begin_record();
    assert_int_equal(record(GPU " FAIL=timeline", "ONLY=03-04"), 34);
    assert_lines("out", "bench: 03_first 04_second\nown: 04_second\nncu: 03_first\n"
                        "ncu: 04_second\nsanitizer: 03_first 04_second\n");
    assert_lines("err", "timeline: 03_first, exit code 34; to be measured again\n"
                        "timeline: 04_second, exit code 34; to be measured again\n");
    assert_done("timeline", "");
    assert_done("ncu", "03_first 04_second");
    assert_int_equal(record(GPU, "ONLY=03-04"), 0);
    assert_lines("out", KEPT("1") "timeline: 03_first\ntimeline: 04_second\n");
    assert_done("timeline", "03_first 04_second");

    begin_record();
    assert_int_equal(record(GPU " FOUND=racecheck FAIL=timeline", "ONLY=03-04"), 34);
    assert_lines("err", "timeline: 03_first, exit code 34; to be measured again\n"
                        "timeline: 04_second, exit code 34; to be measured again\n"
                        "found\n03_first plain, n = 257: racecheck found something\n"
                        "found\n03_first plain, n = 1000: racecheck found something\n"
                        "sanitizer: 03_first 04_second, exit code 1; to be measured again\n");
    assert_done("sanitizer", "");
    assert_int_equal(run("grep 03_first.*check_errors $D/results/pc-facts.csv"), 1);
    assert_int_equal(record(GPU, "ONLY=03-04"), 0);
    assert_lines("out", KEPT("1") "timeline: 03_first\ntimeline: 04_second\n"
                                  "sanitizer: 03_first 04_second\n");

    begin_record();
    assert_int_equal(record(GPU " FOUND=memcheck ENDS=139", "ONLY=03"), 1);
    assert_lines("err", "found\n03_first plain, n = 257: memcheck ended with exit code 139\n"
                        "found\n03_first plain, n = 1000: memcheck ended with exit code 139\n"
                        "sanitizer: 03_first, exit code 1; to be measured again\n");

    begin_record();
    assert_int_equal(record(GPU " FAKE_NCU=denied", "ONLY=03"), 1);
    assert_lines("out", "bench: 03_first\ntimeline: 03_first\nsanitizer: 03_first\n");
    assert_done("ncu", "");

    begin_record(); /* nothing that could be added to */
    assert_int_equal(record("FAIL=bench", ""), 34);
    assert_lines("out", LEFT_OUT);
    assert_done("bench", "");
    assert_int_equal(record("", ""), 0);
    assert_done("bench", "01_serial 02_openmp 15_last");
}

/* A range after another measures what is new in it. */
TEST(test_ranges) {
    static const struct {
        const char *range;
        int code;
        const char *line;
    } bad[] = {
        {"9", 4, "error: ONLY=9: there is no step 9; steps/ lists them\n"},
        {"03-99", 4, "error: ONLY=03-99: there is no step 99; steps/ lists them\n"},
        {"14-03", 3, "error: ONLY=14-03: the range begins behind its end\n"},
        {"03-", 3, "error: ONLY=03-: a range is needed, as in ONLY=03-09, or a step\n"},
        {"", 3, "error: ONLY=: a range is needed, as in ONLY=03-09, or a step\n"},
        {"all", 3, "error: ONLY=all: a range is needed, as in ONLY=03-09, or a step\n"},
    };
    static const struct {
        const char *range, *steps;
    } good[] = {
        {"03", "03_first\n"},
        {"01-01", "01_serial\n"},
        {"02-04", "02_openmp\n03_first\n04_second\n"},
        {"04-15", "04_second\n14_later\n15_last\n"},
    };
    char arguments[32], *said;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(arguments, sizeof arguments, "ONLY=%s", bad[i].range);
        begin_record();
        assert_int_equal(record(GPU, arguments), bad[i].code);
        assert_lines("out", "");
        assert_lines("err", bad[i].line);
        assert_int_equal(run("cd $D; ls calls results 2>/dev/null"), 2);
        assert_int_equal(run("common/report/steps.sh $D ONLY=%s >$D/out 2>&1", bad[i].range),
                         bad[i].code);
        assert_lines("out", bad[i].line);
    }
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(run("common/report/steps.sh $D STEPS=%s >$D/table", good[i].range), 0);
        assert_int_equal(run("sed 1d $D/table | cut -f1 >$D/out"), 0);
        assert_lines("out", good[i].steps);
    }
    said = read_text("table");
    assert_int_equal(strncmp(said, "step\tpart\tproblem\t", 18), 0);
    free(said);
    begin_record();
    assert_int_equal(record("", "ONLY=02-15"), 0);
    assert_lines("out", LEFT_OUT "bench: 02_openmp\nbench: 15_last\n");
    assert_int_equal(record("", ""), 0);
    assert_lines("out", KEPT("2") LEFT_OUT "bench: 01_serial 02_openmp\n");
    assert_lines("calls", "machine\n" BENCH("cpu", "01-02"));
    begin_record();
    assert_int_equal(record(GPU, "ONLY=03"), 0);
    assert_int_equal(record(GPU, "ONLY=03-04"), 0);
    assert_lines("out", KEPT("1") "bench: 03_first 04_second\nown: 04_second\nncu: 04_second\n"
                                  "timeline: 04_second\nsanitizer: 04_second\n");
    assert_int_equal(run("grep '^build.*03_first' $D/calls"), 1);
}

/* Ended as by Ctrl-C, it stops, and the next call goes on. */
TEST(test_interrupted) {
    char hangs[160];
    int status, waited;
    pid_t child;

    begin_record();
    run("rm -f $D/hangs");
    snprintf(hangs, sizeof hangs, "%s/hangs", folder);
    if (!(child = fork())) {
        setpgid(0, 0);
        signal(SIGINT, SIG_DFL); /* a shell starts what runs in the background without it */
        if (chdir(folder) || !freopen("out", "w", stdout) || !freopen("err", "w", stderr))
            _exit(1);
        execl("/bin/sh", "sh", "-c",
              GPU " HANG=timeline NVCC=nvcc TMPDIR=$PWD/tmp PATH=$PWD/bin:$PATH exec "
                  "common/report/record.sh pc ONLY=03-04",
              (char *)NULL);
        _exit(127);
    }
    for (waited = 0; access(hangs, F_OK) && waited < 1000; waited++)
        usleep(10000);
    kill(-child, SIGINT);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(waited < 1000);
    assert_false(WIFEXITED(status) && !WEXITSTATUS(status));
    assert_lines("out", "bench: 03_first 04_second\nown: 04_second\nncu: 03_first\n");
    assert_int_equal(run("ls $D/tmp | grep ."), 1); /* no folder of its own stays */
    assert_int_equal(record(GPU, "ONLY=03-04"), 0);
    assert_lines("out", KEPT("1") "timeline: 03_first\nncu: 04_second\n"
                                  "timeline: 04_second\nsanitizer: 03_first 04_second\n");
}

/* No record is of two kinds of machines; of another one of its kind the rest may come. */
TEST(test_two_machines) {
    static const char *const others[] = {"pc-000002,another cpu,a gpu", "pc-000001,a cpu,",
                                         "pc-000001,a cpu,a gpu of another kind"};

    begin_record();
    assert_int_equal(record("FAKE_HOST='pc-000001,a cpu,a gpu'", "ONLY=01"), 0);
    assert_lines("err", "");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char set[80], said[200];

        snprintf(set, sizeof set, "FAKE_HOST='%s'", others[i]);
        assert_int_equal(record(set, ""), 3);
        snprintf(said, sizeof said,
                 "error: results/pc.csv has rows of pc-000001,a cpu,a gpu, and this machine is "
                 "%s: move it away or name another MACHINE\n",
                 others[i]);
        assert_lines("err", said);
        assert_lines("out", "");
        assert_lines("calls", "machine\n");
    }
    assert_int_equal(record("FAKE_HOST='pc-000002,a cpu,a gpu'", ""), 0);
    assert_lines("err", "");
    assert_true(run("grep -q '^results/pc.csv has rows of pc-000001,a cpu,a gpu, and this machine "
                    "is pc-000002,a cpu,a gpu; where' $D/out") == 0);
    assert_int_equal(record("FAKE_HOST='pc-000001,a cpu,a gpu'", ""), 0);
}
