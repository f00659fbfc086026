/* What surrounds a build: flags of make, a user's environment, other builds at the same time, and
 * what a compiler comes without. Run from the repository's root. */
#include "testing.h"

#include <sys/file.h>

#include "record_files.h"
#include "small_step.h"

TEST(test_flags_of_make) {
    static const char *const ways[] = {"make -j4", "make -k", "make -j4 -k -s",
                                       "MAKEFLAGS=-j4 make", "make --no-print-directory -l 50 -j"};
    size_t i;

    for (i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct result result = run("rm -rf build/solutions; %s run STEP=02 " MAKE_SMALL, ways[i]);

        assert_code(result, 0);
        assert_string_equal(result.err, "");
        assert_says(result.out, "output right");
    }
}

/* What a user's environment holds under our variables' names has another meaning. */
TEST(test_environment) {
    struct result result;

    result = run("OUT=/tmp FILE=no.c STEPS=3 STEP=01 ARCH=x86 make run STEP=02 " MAKE_SMALL);
    assert_code(result, 0);
    assert_says(result.out, "output right");
    result = run("cd steps/02_openmp && OUT=/tmp ARCH=x86 make run " MAKE_SMALL);
    assert_code(result, 0);
    result =
        run("FLAGS=-DX OPENMP=yes VARIANTS=x PEERS=1 make -s build STEP=01 OF=solutions && cut "
            "-f 1,4,6 build/solutions/01_serial/players.tsv");
    assert_code(result, 0);
    assert_says(result.out, "\ngcc_O0\tone\t-O0\n");
}

/* The lines of what was said, but for that the harness is built first. */
static int count_said(const char *said) {
    static const char building[] = "building the harness ...\n";

    return count_lines(strncmp(said, building, strlen(building)) ? said : said + strlen(building));
}

/* Runs both at the same time; neither may say anything but what it says alone. */
static void assert_both(const char *first, int first_code, const char *second, int second_code) {
    pid_t children[2] = {start_command(first, "first"), start_command(second, "second")};
    struct result results[2] = {end_command(children[0], "first"),
                                end_command(children[1], "second")};

    assert_code(results[0], first_code);
    assert_code(results[1], second_code);
    assert_int_equal(count_said(results[0].err), first_code != 0);
    assert_int_equal(count_said(results[1].err), second_code != 0);
}

TEST(test_builds_at_once) {
    const char *same = "build/referee run --step 02 " SMALL;
    int round;

    write_file("build/right.c", good);
    write_file("build/wrong.c", failing);
    for (round = 0; round < 2; round++) {
        run("rm -rf build/solutions build/file");
        assert_both(same, 0, same, 0);
        assert_both("build/referee run --step 02 " SMALL " --file build/right.c", 0,
                    "build/referee run --step 02 " SMALL " --file build/wrong.c", 28);
        /* Each file has its own programs, so that neither takes the other's. */
        assert_code(run("[ $(ls build/file | wc -l) -eq 2 ]"), 0);
    }
    /* Some of the objects: to build all takes half a minute and shows no more. */
    run("rm -rf build/common/player build/common/problems build/referee "
        "build/solutions");
    assert_both("make run STEP=02 " MAKE_SMALL, 0, "make run STEP=02 " MAKE_SMALL, 0);
}

/* make does not touch the referee's objects while another command builds. The first command of all,
 * for which the harness is built, says why it takes its time. */
TEST(test_waits_for_a_build) {
    int lock = open("build", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct result result;
    pid_t child;

    if (run("command -v flock").code)
        skip();
    assert_int_equal(unlink("build/referee"), 0);
    assert_int_equal(flock(lock, LOCK_EX), 0);
    child = start_command("make machine", "machine");
    usleep(700000);
    assert_int_equal(access("build/referee", F_OK), -1);
    close(lock);
    result = end_command(child, "machine");
    assert_code(result, 0);
    assert_string_equal(result.err, "building the harness ...\n");
    result = run("make machine");
    assert_code(result, 0);
    assert_string_equal(result.err, "");
}

TEST(test_benches_at_once) {
    const char *bench =
        "build/referee bench --step 01 --variant gcc_O2 --n 1024 --machine pc --results build/r; "
        "code=$?; [ $code -eq 40 ] || exit $code";
    struct record record;
    struct row *rows;
    int count, i, changes = 0;

    run("rm -rf build/r build/solutions");
    assert_both(bench, 0, bench, 0);
    assert_int_equal(record_open(&record, "build/r", "pc"), OUTCOME_ACCEPTED);
    assert_int_equal(record_read(&record, &rows, &count), OUTCOME_ACCEPTED);
    assert_int_equal(count, 4); /* the default variant's and gcc_O2's of each */
    for (i = 0; i < count; i++) {
        assert_string_equal(rows[i].field[COLUMN_n], "1024");
        changes += strcmp(rows[i].field[COLUMN_run], rows[0].field[COLUMN_run]) != 0;
    }
    assert_int_equal(changes, 2);
    free(rows);
}

/* A lab server's compiler may come without the sanitizers' runtimes; what is not looked for is
 * said, and never called accepted. */
TEST(test_no_sanitizers) {
    static const char compiler[] = "#!/bin/sh\n"
                                   "case $* in *-fsanitize*) exit 1 ;; esac\n"
                                   "name=$0; exec env PATH=${PATH#*:} ${name##*/} \"$@\"\n";
    struct result result;

    assert_int_equal(system("mkdir -p build/poor"), 0);
    write_file("build/poor/gcc", compiler);
    write_file("build/poor/clang", compiler);
    assert_int_equal(system("chmod +x build/poor/*"), 0);
    result = run("PATH=$PWD/build/poor:$PATH build/referee check --step 02 --variant static");
    assert_code(result, 0);
    assert_says(result.out,
                "memory    skipped\n      this compiler comes without AddressSanitizer\n");
    assert_says(result.out, "races     skipped\n");
    assert_says(result.out, "\n02_openmp static accepted; not checked: memory (this compiler comes "
                            "without AddressSanitizer), races (");
}

/* gold may not find where this compiler keeps the library of C++; then it is not used. */
TEST(test_a_linker_without_libraries) {
    static const char compiler[] = "#!/bin/sh\n"
                                   "case $* in *'-x c '*) ;; *fuse-ld=gold*) echo 'ld.gold: error: "
                                   "cannot open it'; exit 1 ;; esac\n"
                                   "exec env PATH=${PATH#*:} g++ \"$@\"\n";

    assert_int_equal(system("mkdir -p build/linker"), 0);
    write_file("build/linker/g++", compiler);
    assert_int_equal(system("chmod +x build/linker/g++"), 0);
    assert_code(run("PATH=$PWD/build/linker:$PATH build/referee run --step 03 --of solutions "
                    "--backend cpucuda " SMALL),
                0);
}

/* What a compiler reads of the engine's headers once is used, but neither where a header has
 * changed since, nor waited for where it cannot be kept. */
TEST(test_kept_headers) {
    static const struct {
        const char *before;
        int code;
    } builds[] = {
        {":", 0},
        /* what stands beside the kept header is for other flags alone */
        {"for f in build/common/cpucuda/include/*/cuda.h; do echo '#error read again' >$f; done",
         0},
        /* clang takes what is kept or nothing */
        {"for f in build/common/cpucuda/include/thread-*/*.gch; do truncate -s 100000 $f; done", 0},
        {"echo '#error today' >>common/cpucuda/include/cuda_runtime.h", OUTCOME_COMPILE},
        {"sed -i '$d' common/cpucuda/include/cuda_runtime.h", 0},
        {"rm -r build/common/cpucuda/include && : >build/common/cpucuda/include", 0},
    };

    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        struct result result =
            run("export NVCC=; %s && rm -rf build/solutions/07* && "
                "{ [ %zu != 1 ] || ls build/common/cpucuda/include/plain-*/cuda.h.gch >&2; } && "
                "build/referee check --step 07 --of solutions --n 10",
                builds[i].before, i);

        if (i == 1 && strstr(result.err, "No such file")) { /* this compiler is not g++ */
            skip();
        }
        assert_code(result, builds[i].code);
    }
    assert_code(run("rm build/common/cpucuda/include"), 0);
}

GROUP(begin, leave_tree)
