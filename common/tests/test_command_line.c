/* Each kind of bad input ends in its own exit code and one line that says what was wrong and what
 * would be right, and touches nothing. Run from the repository's root. */
#include "testing.h"
#include "command.h"
#include "referee/machine/machine.h"
#include "record_files.h"

struct bad {
    const char *arguments;
    int code;
    const char *wrong, *right; /* both stand in the line */
};

static const struct bad words[] = {
    {"", 3, "usage", "make help ALL=1"},
    {"frobnicate", 3, "frobnicate", "make help ALL=1"},
    {"check --colour red", 3, "--colour", "make help ALL=1"},
    {"check step 02", 3, "step", "--step 02"},
    {"check --step", 3, "--step", "--step 02"},
    {"check -- 02", 3, "--", "make help ALL=1"},
    {"check --step 99", 4, "STEP=99", "01_serial to "},
    {"check --step 2x", 4, "STEP=2x", "steps/ lists"},
    {"run --step ''", 4, "STEP=", "steps/ lists"},
    {"bench --step openmp", 4, "STEP=openmp", "steps/ lists"},
    {"diff --step 0", 4, "STEP=0", "steps/ lists"},
    {"run", 3, "needs a step", "make run STEP=02"},
    {"diff", 3, "needs a step", "make diff STEP=02"},
    {"diff --step 01", 3, "01_serial builds on no other step", "STEP=02"},
    {"ladder --step 02", 3, "STEP", "make run STEP=02"},
    {"bench --steps 03-99", 4, "STEPS=03-99", "from 01_serial"},
    {"bench --steps 3-x", 3, "STEPS=3-x", "STEPS=03-09"},
    {"bench --steps 01 --step 01", 3, "STEPS=01", "leave STEP out"},
    {"check --steps 01-02", 3, "STEPS is not for check", "takes STEP, OF, FILE"},
    {"reset --step 05 --of solutions", 3, "OF is not for reset", "takes STEP;"},
    {"trace --step 05 --clock device", 3, "CLOCK is not for trace", "leave it out"},
    {"next --json 1", 3, "JSON is not for next", "takes no variable"},
    {"bench --step 02 --ablate 1", 3, "ABLATE=1: 02_openmp has no", "leave it out"},
    {"check --step 99 --ablate 1", 4, "STEP=99", "01_serial to "},
    {"ladder --variant static", 3, "VARIANT", "make run STEP=02"},
    {"check --file x.c", 3, "FILE=", "need a STEP="},
    {"check --variant static", 3, "VARIANT=", "need a STEP="},
    {"bench --file x.c", 3, "FILE=", "need a STEP="},
    {"run --step 02 --variant xyz", 5, "VARIANT=xyz", "static, dynamic, guided"},
    {"check --step 02 --variant stat", 5, "VARIANT=stat", "static, dynamic, guided"},
    {"build --step 02 --variant xyz", 5, "VARIANT=xyz", "static, dynamic, guided"},
    {"run --step 02 --file no/such.c", 6, "no/such.c", "no such file"},
    {"check --step 02 --file ''", 6, "FILE=", "no such file"},
    {"explain --step 02 --file no/such.c", 6, "no/such.c", "no such file"},
    {"hint --step ''", 4, "STEP=", "steps/ lists"},
    {"check --step ''", 4, "STEP=", "steps/ lists"},
    {"check --step 02 --variant ''", 3, "VARIANT=", "leave VARIANT out"},
    {"bench --steps ''", 3, "STEPS=", "leave STEPS out"},
    {"check --json 2", 3, "JSON=2", "0 or 1"},
    {"check --json ''", 3, "JSON=", "0 or 1"},
    {"bench --ablate yes", 3, "ABLATE=yes", "0 or 1"},
    {"trace --step 05 --variant xyz", 5, "VARIANT=xyz", "soa, aos"},
    {"check --step 05 --arch ''", 3, "ARCH=", "as in sm_90"},
    {"check --step 02 --of steps", 6, "steps/02_openmp/nbody.c", "no such file"},
    {"run --step 02 --of step", 3, "OF=step", "steps, solutions"},
    {"run --step 02 --backend xyz", 3, "BACKEND=xyz", "cpu, cuda, cpucuda"},
    {"run --step 02 --backend CPU", 3, "BACKEND=CPU", "cpu, cuda, cpucuda"},
    {"run --step 02 --distribution xyz", 3, "xyz", "uniform, cube"},
    {"bench --step 02 --distribution ''", 3, "distribution", "uniform, cube"},
    {"check --step 24 --distribution file:", 3, "distribution", "file:PATH is needed"},
    {"check --step 24 --distribution file:/", 16, "/", "Is a directory"},
    {"bench --step 24 --distribution file:no.mtx", 16, "no.mtx", "No such file"},
    {"bench --step 21 --clock sundial", 3, "clock=sundial", "referee, device"},
};

static const struct bad numbers[] = {
    {"0", 9, "", ""},
    {"-1", 9, "", ""},
    {"1e9", 9, "", ""},
    {"abc", 9, "", ""},
    {"5.5", 9, "", ""},
    {"''", 9, "", ""},
    {"'7 '", 9, "", ""},
    {"0x10", 9, "", ""},
    {"1073741825", 9, "", ""},
    {"4294967297", 9, "", ""}, /* 1 in 32 bits */
    {"18446744073709551617", 9, "", ""},
};

static const struct bad values[] = {
    {"seed abc", 3, "SEED=abc", "2^64 - 1"},
    {"seed -1", 3, "SEED=-1", "2^64 - 1"},
    {"seed ' -1'", 3, "SEED= -1", "2^64 - 1"},
    {"seed 1.5", 3, "SEED=1.5", "2^64 - 1"},
    {"seed ''", 3, "SEED=", "2^64 - 1"},
    {"seed 18446744073709551616", 3, "SEED=18446744073709551616", "2^64 - 1"},
    {"machine a/b", 3, "MACHINE=a/b", "letters, digits"},
    {"machine a,b", 3, "MACHINE=a,b", "letters, digits"},
    {"machine ..", 3, "MACHINE=..", "letters, digits"},
    {"machine 'a b'", 3, "MACHINE=a b", "letters, digits"},
    {"machine ''", 3, "MACHINE=", "letters, digits"},
    {"machine a123456789b123456789c123456789d123456789e123456789f123456789g", 3, "MACHINE=a1",
     "up to 60"},
    {"damping 2", 3, "DAMPING=2", "above 0 and at most 1"},
    {"damping 0", 3, "DAMPING=0", "above 0 and at most 1"},
    {"damping -0.5", 3, "DAMPING=-0.5", "above 0 and at most 1"},
    {"damping nan", 3, "DAMPING=nan", "above 0 and at most 1"},
    {"dt 0", 3, "DT=0", "above 0 and at most 1"},
    {"dt abc", 3, "DT=abc", "above 0 and at most 1"},
    {"dt inf", 3, "DT=inf", "above 0 and at most 1"},
    {"dt 0.01s", 3, "DT=0.01s", "above 0 and at most 1"},
    {"dt 1e-400", 3, "DT=1e-400", "above 0 and at most 1"},
};

static char *before; /* what the copy held before the test */

static int remember(void **state) {
    (void)state;
    before = fingerprint();
    return !before;
}

static int compare(void **state) {
    char *after = fingerprint();
    int same = !strcmp(before, after);

    (void)state;
    if (!same)
        print_error("a file was touched\n");
    free(before);
    free(after);
    return same ? 0 : -1;
}

static void assert_complaint(struct result result, const struct bad *bad) {
    assert_one_line(result, bad->code, bad->wrong, bad->right);
    assert_string_equal(result.out, "");
}

TEST_IN(remember, compare, test_words) {
    size_t i;

    for (i = 0; i < sizeof words / sizeof *words; i++)
        assert_complaint(run("build/referee %s", words[i].arguments), &words[i]);
}

TEST_IN(remember, compare, test_numbers) {
    static const char *const options[] = {"n", "iterations"},
                             *const names[] = {"N=", "ITERATIONS="},
                             *const ranges[] = {"1 to 1073741824", "1 to 100"};
    size_t i;
    int option;

    for (option = 0; option < 2; option++)
        for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
            struct bad bad = {NULL, 9, names[option], ranges[option]};

            assert_complaint(
                run("build/referee run --step 02 --%s %s", options[option], numbers[i].arguments),
                &bad);
        }
}

TEST_IN(remember, compare, test_values) {
    size_t i;

    for (i = 0; i < sizeof values / sizeof *values; i++)
        assert_complaint(run("build/referee film --n 64 --%s", values[i].arguments), &values[i]);
}

/* What a FILE can be besides a source: each ends in a line of its own. */
TEST_IN(remember, compare, test_files) {
    static const struct {
        const char *make, *why;
    } files[] = {
        {"mkdir build/odd", "that is a folder"},
        {"mkfifo build/odd", "a pipe or a device"},
        {"ln -s /dev/zero build/odd", "a pipe or a device"},
        {": >build/odd", "it is empty"},
        {"printf 'int x;\\0' >build/odd", "no text"},
        {"ln -s odd build/odd", "Too many levels"},
        {"echo 'int x;' >build/odd; chmod 0 build/odd", "Permission denied"},
    };
    size_t i;

    for (i = 0; i < sizeof files / sizeof *files; i++) {
        const struct bad bad = {NULL, 6, "FILE=build/odd: ", files[i].why};

        if (strstr(files[i].make, "chmod") && !geteuid())
            continue; /* root may read it */
        assert_code(run("rm -rf build/odd; %s", files[i].make), 0);
        assert_complaint(run("build/referee check --step 02 --file build/odd"), &bad);
    }
    run("rm -rf build/odd");
}

TEST_IN(remember, compare, test_temporary_folder) {
    static const struct bad bad[] = {{"/no/such", 3, "TMPDIR=/no/such: ", "can be written"},
                                     {"Makefile", 3, "TMPDIR=Makefile: ", "can be written"}};
    size_t i;

    for (i = 0; i < 2; i++)
        assert_complaint(
            run("TMPDIR=%s build/referee check --step 02 --of solutions", bad[i].arguments),
            &bad[i]);
}

TEST_IN(remember, compare, test_demands_of_a_gpu) {
    const struct bad none = {NULL, 8, "BACKEND=cuda", "leave BACKEND out"};
    struct machine machine;

    machine_describe(&machine);
    if (*machine.gpu)
        skip();
    assert_complaint(run("build/referee run --step 02 --backend cuda"), &none);
    assert_complaint(run("build/referee check --backend cuda"), &none);
}

/* A PATH with everything but clang. */
TEST_IN(remember, compare, test_missing_compiler) {
    const struct bad missing = {NULL, 5, "VARIANT=clang_fast",
                                "needs clang, which is not installed"};
    char path[128];
    const char *verbs[] = {"run", "check", "bench"};
    int i;

    snprintf(path, sizeof path, "%s/build/path", tree);
    run("mkdir %s && IFS=: && for d in $PATH; do ln -s \"$d\"/* %s 2>/dev/null; done; "
        "rm -f %s/clang*",
        path, path, path);
    for (i = 0; i < 3; i++)
        assert_complaint(run("PATH=%s build/referee %s --step 01 --variant clang_fast --results "
                             "build/results",
                             path, verbs[i]),
                         &missing);
}

/* What nothing here can run is not accepted, nor recorded so; a part that is not written is told
 * all the same. Follows test_missing_compiler(), whose PATH it takes. */
TEST(test_nothing_to_run_it) {
    static const char check[] = "rm -f build/path/*++* build/path/nvcc; PATH=$PWD/build/path "
                                "build/referee check --step 05 --results build/unchecked";
    struct result result;

    assert_code(run("cp solutions/05_tiling/nbody.cu steps/05_tiling"), 0);
    result = run("%s", check);
    assert_code(result, OUTCOME_UNCHECKED);
    assert_says(result.out, "soa              results   skipped\n"
                            "      a C++ compiler is not installed\n");
    assert_says(result.out,
                "\n05_tiling NOT CHECKED: nothing here can run it; `sh common/setup.sh` "
                "installs a C++ compiler (exit code 49)\n");
    result = run("%s --json 1", check);
    assert_code(result, OUTCOME_UNCHECKED);
    assert_says(result.out, "\"outcome\": \"unchecked\"");
    assert_code(run("[ ! -e build/unchecked ]"), 0);

    assert_code(
        run("awk -v want=skeleton -f common/referee/lesson/fences.awk solutions/05_tiling/nbody.cu "
            ">steps/05_tiling/nbody.cu"),
        0);
    result = run("%s", check);
    assert_code(result, OUTCOME_UNFINISHED);
    assert_says(result.out, ": part 1 is not written yet: ");
    assert_code(run("rm -rf steps/05_tiling/nbody.cu build/unchecked"), 0);
}

/* The words of make: the referee's line, then make's own with the referee's code. */
TEST_IN(remember, compare, test_make) {
    static const struct bad lines[] = {
        {"check STEP=99", 4, "STEP=99", "steps/ lists"},
        {"run STEP=02 N=1e9", 9, "N=1e9", "1 to 1073741824"},
        {"run STEP=02 N=16777217", 9, "N=16777217", "1 to 16777216 is needed for 02_openmp"},
        {"run STEP=02 FILE=\"it's not there.c\"", 6, "it's not there.c", "no such file"},
        {"run STEP=02 VARIANT=xyz", 5, "VARIANT=xyz", "static, dynamic, guided"},
        {"diff STEP=01", 3, "01_serial builds on", "STEP=02"},
        {"film DT=0", 3, "DT=0", "above 0"},
        {"live PORT=65536", 3, "PORT=65536", "1 to 65535"},
        {"-k -j4 bench STEP=02 ITERATIONS=0", 9, "ITERATIONS=0", "1 to 100"},
        {"check STEP=", 4, "STEP=", "steps/ lists"},
        {"run STEP=", 4, "STEP=", "steps/ lists"},
        {"check N=", 9, "N=", "1 to 1073741824"},
        {"check JSON=2", 3, "JSON=2", "0 or 1"},
        {"machine ARCH=90", 3, "ARCH=90", "sm_90"},
        {"model MACHINE=\"o'r\"", 13, "results/o'r.csv", "not there"},
    };
    const struct bad alone[] = {{"check STPE=02", 2, "STPE", "STEP"},
                                {"help COLOUR=red", 2, "COLOUR", "STEP"},
                                {"help CC=/no/such", 2, "CC=/no/such: ", "leave CC out"},
                                {"help CC=Makefile", 2, "CC=Makefile: ", "leave CC out"},
                                {"help CXX=", 2, "CXX=: ", "leave CXX out"},
                                {"help CXX=true", 2, "CXX=true: ", "leave CXX out"},
                                {"help N=3", 2, "N is not for help", "takes ALL;"},
                                {"model N=3", 2, "N is not for model", "takes MACHINE;"},
                                {"skeletons N=3", 2, "N is not for skeletons", "no variable"},
                                {"handout STEP=05", 2, "STEP is not for handout", "OUT STEPS;"},
                                {"help NVCC=/no/such", 2, "NVCC=/no/such: ", "leave NVCC out"},
                                {"help NVCC=true", 2, "NVCC=true: ", "leave NVCC out"},
                                {"-C steps/02_openmp check X=1", 2, "X", "STEP"}};
    enum { ALONE = sizeof alone / sizeof *alone - 1 };
    char code[32];
    size_t i;

    for (i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct result result = run("make %s", lines[i].arguments);

        assert_code(result, 2);
        if (count_lines(result.err) != 2)
            fail_msg("not two lines: %s", result.err);
        assert_says(result.err, lines[i].wrong);
        assert_says(result.err, lines[i].right);
        snprintf(code, sizeof code, "Error %d\n", lines[i].code);
        assert_says(strchr(result.err, '\n'), code);
        assert_string_equal(result.out, "");
    }
    for (i = 0; i < ALONE; i++)
        assert_complaint(run("make %s", alone[i].arguments), &alone[i]);
    assert_code(run("make help NVCC= CC='env gcc'"), 0);
    /* From a step's folder a second line, the outer make's, follows. */
    struct result result = run("make %s", alone[ALONE].arguments);
    assert_code(result, 2);
    assert_says(result.err, "unknown variable X=1;");
}

/* Paths with spaces, which make cannot have, and a checkout that cannot be written. */
TEST_IN(remember, compare, test_folders_that_do_not_do) {
    static const struct bad spaced = {"", 2, "has a space", "move the course"};
    static const struct bad locked = {"", 2, "cannot be written", "copy the course"};
    struct result result;

    run("mkdir -p 'build/a b' build/locked && cp Makefile 'build/a b' && "
        "cp Makefile build/locked && touch build/locked/build");
    assert_complaint(run("make -s --no-print-directory -C 'build/a b' check"), &spaced);
    result = run("make -s --no-print-directory -C build/locked check");
    assert_code(result, locked.code);
    assert_int_equal(count_lines(result.err), 2); /* the second is make's own */
    assert_says(result.err, locked.wrong);
    assert_says(result.err, locked.right);
}

TEST_IN(remember, compare, test_record_refused) {
    static const struct {
        const char *rows, *facts;
        struct bad report, bench;
    } files[] = {
        {NULL, NULL, {"", 13, "is not there yet", "make run"}, {0}},
        {"", NULL, {"", 13, "build/r/pc.csv", "empty"}, {0}},
        {ROWS_HEADER "\n", NULL, {"", 13, "build/r/pc.csv", "no rows"}, {0}},
        {"a,b\n1,2\n",
         NULL,
         {"", 11, "build/r/pc.csv", "MACHINE="},
         {"", 11, "pc.csv", "MACHINE="}},
        {ROWS_HEADER "\n1,2\n",
         NULL,
         {"", 13, "pc.csv:2 ", "remove"},
         {"", 13, "pc.csv:2 ", "remove"}},
        {NULL, "a,b\n", {"", 11, "pc-facts.csv", "MACHINE="}, {"", 11, "pc-facts.csv", "MACHINE="}},
        {NULL,
         FACTS_HEADER "\n1",
         {"", 13, "facts.csv:2 ", "mend"},
         {"", 13, "facts.csv:2 ", "mend"}},
    };
    size_t i;

    for (i = 0; i < sizeof files / sizeof *files; i++) {
        run("rm -rf build/r && mkdir build/r");
        if (files[i].rows)
            write_file("build/r/pc.csv", files[i].rows);
        if (files[i].facts)
            write_file("build/r/pc-facts.csv", files[i].facts);
        run("tar -C build -cf build/before.tar r");
        assert_complaint(run("build/referee report --machine pc --results build/r"),
                         &files[i].report);
        if (files[i].bench.arguments)
            assert_complaint(
                run("build/referee bench --step 02 --n 64 --machine pc --results build/r"),
                &files[i].bench);
        assert_code(run("tar -C build -cf build/after.tar r && cmp build/before.tar "
                        "build/after.tar"),
                    0);
    }
    const struct bad file = {"", 10, "build/file", "not a folder"};
    write_file("build/file", "mine\n");
    assert_complaint(run("build/referee report --results build/file"), &file);
    assert_complaint(run("build/referee bench --step 02 --results build/file"), &file);
    assert_complaint(run("build/referee film --results build/file"), &file);
    assert_code(run("[ \"$(cat build/file)\" = mine ]"), 0);
}

GROUP(enter_tree, leave_tree)
