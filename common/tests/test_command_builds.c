/* What is built from which source, whatever it is called and however old it is. Run from the
 * repository's root. */
#include "testing.h"

#include "record_files.h"
#include "small_step.h"

static void assert_run(const char *arguments, int code) {
    struct result result = run("build/referee run --step 02 " SMALL " %s", arguments);

    assert_code(result, code);
    assert_int_equal(count_lines(result.err), code != 0);
}

TEST(test_content_decides) {
    const struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
    int round;

    for (round = 0; round < 3; round++) {
        write_file("build/mine.c", round == 1 ? failing : good);
        assert_int_equal(utimensat(AT_FDCWD, "build/mine.c", old, 0), 0);
        assert_run("--file build/mine.c", round == 1 ? 28 : 0);
    }
    write_file("build/mine.c", broken);
    assert_int_equal(utimensat(AT_FDCWD, "build/mine.c", old, 0), 0);
    run("build/referee run --step 02 --file build/mine.c");
    write_file("build/mine.c", good);
    assert_int_equal(utimensat(AT_FDCWD, "build/mine.c", old, 0), 0);
    assert_run("--file build/mine.c", 0);
}

/* The compiler names the file as the user named it, after a copy too. */
TEST(test_compile_error) {
    static const char *const names[] = {"build/broken.c", "./build/other.c", "build/not C"};
    static const char *const verbs[] = {"run", "check", "build", "bench --results build/r"};
    char place[64];
    int i;

    for (i = 0; i < 4; i++) {
        const char *name = names[i % 3];
        struct result result;

        write_file(name, broken);
        setenv("F", name, 1);
        result = run("build/referee %s --step 02 --file \"$F\"", verbs[i]);
        assert_code(result, 7);
        snprintf(place, sizeof place, "%s:2:", name);
        assert_says(result.err, place);
        snprintf(place, sizeof place, "error: %s does not compile", name);
        assert_says(result.err, place);
        assert_null(strstr(result.err, "build/file"));
        assert_string_equal(result.out, "");
    }
    write_file("build/empty.c", "\n");
    assert_code(run("build/referee run --step 02 --file build/empty.c"), 7);
}

/* Of the variants, a check with VARIANT builds that one. */
TEST(test_one_variant) {
    static const char check[] = "NVCC= build/referee check --step 04 --n 10 --file build/half.cu";

    assert_code(run("{ cat solutions/04_soa/nbody.cu; echo '#if THREADS == 1024';"
                    "  echo '#error 1024'; echo '#endif'; } >build/half.cu"),
                0);
    assert_code(run("%s --variant 256", check), 0);
    assert_code(run("[ ! -e build/file/04_soa-*/1024/plain.log ]"), 0);
    assert_code(run("%s", check), OUTCOME_COMPILE);
    assert_code(run("[ -e build/file/04_soa-*/1024/plain.log ]"), 0);
}

/* Without AVX-512 the third law's forces would not be asked, and wrong ones be accepted. */
TEST(test_a_processor_that_lacks) {
    int has = !system("grep -qw avx512f /proc/cpuinfo");
    struct result result =
        run("build/referee run --step 13 --of solutions --variant third_law --n 100");

    assert_int_equal(result.code, has ? 0 : 5);
    if (!has)
        assert_says(result.err, "third_law of 13_cpu_simd needs a processor with AVX-512");
}

TEST(test_names) {
    static const char *const names[] = {
        "my file.c", "it's.c", "a\"b.c", "a\\b.c", "a$b.c",      "$(x).c", "#x.c",       "a%b:c;.c",
        "=.c",       "a\tb.c", "-x.c",   "no dot", "\xc3\xbc.c", "x.cu",   "d.1 e/f g.c"};
    char path[128];
    size_t i;

    mkdir("build/d.1 e", 0777);
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "build/%s", names[i]);
        write_file(path, failing);
        setenv("F", path, 1);
        assert_run("--file \"$F\"", 28);
    }
    write_file("-x.c", failing);
    assert_run("--file -x.c", 28);
    unlink("-x.c");
    write_file("build/my file's.c", failing);
    assert_says(run("make run STEP=02 " MAKE_SMALL " FILE=\"build/my file's.c\"").err, "Error 28");
}

TEST(test_other_compiler) {
    if (run("command -v gcc && command -v clang").code)
        skip();
    write_file("build/cc.c", "#ifdef __clang__\n#error clang\n#endif\n#error gcc\n");
    assert_says(run("CC=gcc build/referee run --step 02 --file build/cc.c").err, "#error gcc");
    assert_says(run("make run STEP=02 FILE=build/cc.c CC=clang").err, "clang");
    write_file("build/cc.c", good);
    assert_run("--file build/cc.c", 0);
    run("CC=clang build/referee run --step 02 " SMALL " --file build/cc.c");
    /* The compilers leave their names in what they build. */
    assert_code(run("grep -q 'clang version' build/file/*/static/plain"), 0);
}

/* Flags are in the step's manifest. */
TEST(test_other_flags) {
    write_file("build/mine.c", good);
    assert_run("--file build/mine.c", 0);
    assert_code(run("cp -p steps/02_openmp/manifest build/kept && "
                    "sed -i 's/^variant_static = /&-DBODY=body -include nosuch.h /' "
                    "steps/02_openmp/manifest && touch -d 2001-01-01 steps/02_openmp/manifest"),
                0);
    struct result result = run("build/referee run --step 02 " SMALL " --file build/mine.c");
    assert_code(run("cp -p build/kept steps/02_openmp/manifest"), 0);
    assert_code(result, 7);
    assert_says(result.err, "nosuch.h");
    assert_run("--file build/mine.c", 0);
}

static int remove_own(void **state) {
    (void)state;
    return unlink("steps/02_openmp/nbody.c");
}

/* steps/ comes before solutions/, and the output says whose code ran. */
TEST_IN(NULL, remove_own, test_whose_code) {
    struct result result;

    result = run("build/referee run --step 02 " SMALL);
    assert_code(result, 0);
    assert_says(result.out,
                "02_openmp: solutions/02_openmp/nbody.c (there is no steps/02_openmp/nbody.c)");
    write_file("steps/02_openmp/nbody.c", failing);
    result = run("build/referee run --step 02 " SMALL);
    assert_code(result, 28);
    result = run("build/referee run --step 02 " SMALL " --of solutions");
    assert_code(result, 0);
    assert_says(result.out, "02_openmp: solutions/02_openmp/nbody.c, variant static, backend cpu");
    assert_run("--file solutions/02_openmp/nbody.c", 0);
    write_file("steps/02_openmp/nbody.c", good);
    result = run("build/referee run --step 02 " SMALL);
    assert_code(result, 0);
    assert_says(result.out, "02_openmp: steps/02_openmp/nbody.c, variant static, backend cpu");
    result = run("build/referee diff --step 02");
    assert_code(result, 0); /* the same text, by chance of this test */
}

TEST(test_step_folder) {
    struct result result;

    result = run("make -C steps/02_openmp run " MAKE_SMALL);
    assert_code(result, 0);
    assert_says(result.out, "02_openmp: solutions/02_openmp/nbody.c");
    result = run("make -C steps/01_serial build");
    assert_says(result.out, "01_serial: solutions/01_serial/nbody.c");
    result = run("make -C steps/02_openmp diff");
    assert_code(result, 0);
    assert_says(result.out, "+++ solutions/02_openmp/nbody.c");
    write_file("steps/02_openmp/my try.c", broken);
    result = run("cd steps/02_openmp && make check FILE='my try.c'");
    unlink("steps/02_openmp/my try.c");
    assert_code(result, 2);
    assert_says(result.err, "steps/02_openmp/my try.c:2:");
    assert_says(result.err, "Error 7");
    result = run("cd steps/02_openmp && make FILE=no.c");
    assert_says(result.err, "02_openmp/no.c");
    assert_says(result.err, ": check] Error 6");
}

/* A step whose idea is a flag: the file `flags` beside a source. */
TEST(test_diff_of_flags) {
    struct result result;

    result = run("build/referee diff --step 02");
    assert_null(strstr(result.out, "flags"));
    write_file("solutions/02_openmp/flags", "-O9\n");
    result = run("build/referee diff --step 02");
    assert_code(result, 0);
    assert_says(result.out, "+++ solutions/02_openmp/nbody.c");
    assert_says(result.out, "--- solutions/01_serial/flags");
    assert_says(result.out, "+++ solutions/02_openmp/flags");
    assert_says(result.out, "\n+-O9\n");
    write_file("solutions/01_serial/flags", "-O8\n");
    assert_int_equal(unlink("solutions/02_openmp/flags"), 0);
    write_file("build/mine.c", good);
    result = run("build/referee diff --step 02 --file build/mine.c");
    assert_null(strstr(result.out, "flags")); /* they stand elsewhere */
    write_file("build/flags", "-O7\n"); /* that of the file, which is not in the step's folder */
    result = run("build/referee diff --step 02 --file build/mine.c");
    assert_says(result.out, "\n--O8\n+-O7\n");
    unlink("build/flags");
    unlink("solutions/01_serial/flags");
}

/* Writes the file with `before` in front of its text and `after` behind it. */
static void write_around(const char *path, const char *before, const char *text,
                         const char *after) {
    char *whole = malloc(strlen(before) + strlen(text) + strlen(after) + 1);

    sprintf(whole, "%s%s%s", before, text, after);
    write_file(path, whole);
    free(whole);
}

/* A leave-one-out program beside a solution, a variant for each word of the manifest's list
 * `without`. */
TEST(test_leave_one_out) {
    static const char manifest[] = "steps/01_serial/manifest",
                      source[] = "solutions/01_serial/leave_one_out.c";
    char *own = read_file(manifest, NULL);
    struct result result;

    result = run("rm -f solutions/*/leave_one_out.*; build/referee bench --ablate 1");
    assert_code(result, 3);
    assert_says(result.err, "ABLATE=1: the catalogue has no leave-one-out program");
    write_around(source, "", good, "#ifdef WRONG\n#error left out too much\n#endif\n");
    result = run("build/referee check --step 02 --ablate 1");
    assert_code(result, 3);
    assert_says(result.err, "ABLATE=1: 02_openmp has no leave-one-out program");
    result = run("build/referee ladder --ablate 1");
    assert_code(result, 3);
    assert_says(result.err, "make run STEP=02");
    result = run("build/referee build --step 01 --ablate 1");
    assert_code(result, 3);
    assert_says(result.err, "steps/01_serial/manifest has no list `without`");
    write_around(manifest,
                 "without = nothing sums\nwithout_nothing = -O1\nwithout_sums = -DWRONG\n", own,
                 "");
    result = run("build/referee build --step 01 --ablate 1");
    assert_code(result, 7);
    assert_says(result.err, "solutions/01_serial/leave_one_out.c does not compile (variant "
                            "without_sums,");
    assert_says(result.err, "solutions/01_serial/leave_one_out.c:");
    write_around(manifest,
                 "without = nothing unroll\nwithout_nothing = -O1\nwithout_unroll = -O0 -DX=1\n",
                 own, "");
    result = run("build/referee build --step 01");
    assert_code(result, 0);
    assert_says(result.out, "7 variants");
    result = run("make -C steps/01_serial check ABLATE=1 N=257 OF=solutions");
    assert_code(result, 0);
    assert_says(result.out, "gcc_O0");
    assert_says(result.out, "without_nothing");
    assert_says(result.out, "without_unroll");
    result = run("cut -f 1,6 build/beside/01_serial/leave_one_out.c/players.tsv");
    assert_string_equal(result.out, "without_nothing\t-O1\nwithout_unroll\t-O0 -DX=1\n");
    result = run("build/referee run --step 01 --ablate 1 --variant without_unroll " SMALL);
    assert_code(result, 0);
    assert_says(result.out, "01_serial: solutions/01_serial/leave_one_out.c, variant "
                            "without_unroll");
    result = run("build/referee run --step 01 --variant without_unroll " SMALL);
    assert_code(result, 5);
    result = run("ABLATE=1 build/referee run --step 01 " SMALL); /* another's variable */
    assert_code(result, 0);
    assert_says(result.out, "solutions/01_serial/nbody.c");
    unlink(source);
    write_file(manifest, own);
    free(own);
}

/* A program to compare with is no step, and is looked at no less. */
TEST(test_a_peer_that_does_not_compile) {
    static const char manifest[] = "steps/01_serial/manifest",
                      source[] = "solutions/01_serial/peers.c";
    char *own = read_file(manifest, NULL);
    struct result result;

    write_around(manifest, "peers_c = other\npeer_other = -O1\n", own, "");
    write_around(source, "", good, "#error of another's\n");
    result = run("build/referee bench --step 01 --of solutions " SMALL);
    assert_code(result, 7);
    assert_says(result.err, "solutions/01_serial/peers.c does not compile (variant peer_other,");
    assert_says(result.err, "of another's");
    unlink(source);
    write_file(manifest, own);
    free(own);
}

/* `nvcc_flags` are every variant's, but for one that has its own, if they are none: make tells what
 * it would do. */
TEST(test_flags_for_nvcc) {
    struct result result =
        run("SOURCE=$PWD/solutions/12_float4/leave_one_out.cu SHOWN=x make -ns -C steps/12_float4 "
            "players "
            "NAME=leave_one_out.cu OUT=$PWD/build/dry PROBLEM=nbody BUILDS=plain ABLATE=1 | "
            "grep -o 'without_[a-z0-9]*.tplain[^/]*'");

    assert_code(result, 0);
    assert_int_equal(count_lines(result.out), 11);
    assert_says(result.out, "without_nothing\\tplain");
    assert_says(result.out, "-DUNROLL=64 -DWITHOUT_SOA -ftz=true\\t");
    assert_says(result.out, "-DUNROLL=64 -ftz=true\\t");
    assert_says(result.out, "-DUNROLL=64\\t"); /* without_ftz */
}

/* A source whose header of the kit has the function that the device's clock times has that build,
 * and nvcc compiles it once: make tells what it would do. */
TEST(test_build_for_the_device_clock) {
    static const char *const sources[] = {"solutions/15_threads_per_body/variants/papers.cu",
                                          "steps/22_scan/work_efficient.cu",
                                          "solutions/05_tiling/nbody.cu"};

    for (int s = 0; s < 3; s++) {
        struct result result =
            run("SOURCE=$PWD/%s SHOWN=x make -ns -C steps/15_threads_per_body players NVCC=true "
                "GPU_ARCH=sm_90 NAME=x.cu OUT=$PWD/build/dry%d PROBLEM=nbody_masses "
                "BUILDS='cuda device' VARIANTS=chosen | "
                "awk '/lineinfo/ { c++ } /device_clock.o/ { d++ } END { print c + 0, d + 0 }'",
                sources[s], s);

        assert_string_equal(result.out, s < 2 ? "1 1\n" : "1 0\n");
    }
}

/* gcc skips a byte-order mark where a file begins. */
TEST(test_byte_order_mark) {
    struct result result;

    write_around("build/mark.c", "\xef\xbb\xbf", good, "");
    result = run("build/referee build --step 02 --file build/mark.c");
    assert_code(result, 0);
}

GROUP(begin, leave_tree)
