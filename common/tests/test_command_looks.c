/* The verbs trace and standalone, which look into a step's program. Run from the repository's root.
 */
#include "testing.h"
#include "command.h"
#include "json.h"

/* What 03, 04 and 05 teach: 04 needs fewer sectors per request, 05 fewer bytes per interaction. */
TEST(test_trace_tells_the_story) {
    static const struct {
        const char *step, *parts[4];
    } cases[] = {
        {"03",
         {"n = 256, 2 iterations", "100%          -           4  float dx = bodies[j].x - x;\n",
          "trace_global_bytes_per_interaction     12.14 B\n",
          "trace_varied_sectors_per_request       24 sectors\n"}},
        {"04",
         {"solutions/04_soa/nbody.cu", "float dx = bodies.x[j] - x;\n",
          "trace_global_bytes_per_interaction     12.14 B\n",
          "trace_varied_sectors_per_request       4 sectors\n"}},
        {"05",
         {"variant soa", "trace_global_bytes_per_interaction     0.1875 B\n",
          "trace_shared_bytes_per_interaction     12.05 B\n",
          "trace_shared_wavefronts_per_request    1 wavefront\n"}},
    };
    size_t i, k;

    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result result = run("make -s trace STEP=%s N=256", cases[i].step);

        assert_code(result, 0);
        for (k = 0; k < 4; k++)
            assert_says(result.out, cases[i].parts[k]);
    }
}

TEST(test_trace_as_json) {
    struct result result =
        run("make -s -C steps/05_tiling trace VARIANT=aos N=64 ITERATIONS=1 JSON=1");

    assert_code(result, 0);
    assert_true(is_json(result.out));
    assert_says(result.out, "\"variant\": \"aos\", \"backend\": \"cpucuda\", \"n\": 64, "
                            "\"iterations\": 1, \"trace\": {\"interactions\": 4096,");
    assert_says(result.out, "\"source\": \"float dx = tile[j].x - x;");
}

/* What the course adds to a step beside the learner's source is no part of a learner's check. */
TEST(test_variant_with_its_own_source) {
    struct result result = run("build/referee check --step 05 --n 33 --of solutions");

    assert_code(result, 0);
    assert_says(result.out, "\n  aos              results   accepted");
    assert_int_equal(system("cp solutions/05_tiling/nbody.cu steps/05_tiling/nbody.cu"), 0);
    result = run("build/referee check --step 05 --n 33");
    assert_code(result, 0);
    assert_says(result.out, "05_tiling: steps/05_tiling/nbody.cu, ");
    assert_null(strstr(result.out, "aos"));
    result = run("mv solutions/05_tiling/variants build/ && "
                 "build/referee trace --step 05 --variant aos; "
                 "code=$?; mv build/variants solutions/05_tiling && exit $code");
    assert_code(result, 5);
    assert_string_equal(result.err, "error: VARIANT=aos of 05_tiling is built from "
                                    "solutions/05_tiling/variants/aos.cu, which is not in this "
                                    "copy of the course; leave VARIANT out\n");
    /* One that is given with the step is in every copy. */
    result = run("mv solutions/22_scan build/ && build/referee check --step 22 --n 300 "
                 "--variant conflicts; code=$?; mv build/22_scan solutions && exit $code");
    assert_code(result, 0);
    assert_says(result.out, "22_scan: steps/22_scan/work_efficient.cu, ");
    assert_null(strstr(result.out, "memory")); /* as of any variant but the default */
    result = run("build/referee check --step 15 --n 33 --variant exchange_4");
    assert_code(result, 0);
    assert_says(result.out, "\n  exchange_4       races     accepted");
}

TEST(test_refused) {
    static const struct {
        const char *arguments;
        int code;
        const char *why;
    } cases[] = {
        {"trace --step 01", 3, "01_serial is C"},
        {"trace", 3, "trace needs a step"},
        {"trace --step 05 --variant none", 5, "it has soa, aos"},
        {"trace --step 05 --arch sm_90", 3, "only cpucuda"},
        {"standalone --step 01 --variant none", 5, "it has gcc_O3_native, "},
        {"trace --step 05 --file build/own_error.cu", 28, "05_tiling, variant soa, n = 4096: "},
    };
    size_t i;

    assert_int_equal(system("sed 's/return 0;/return 1;/' solutions/05_tiling/nbody.cu "
                            ">build/own_error.cu"),
                     0);
    for (i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_one_line(run("build/referee %s", cases[i].arguments), cases[i].code, cases[i].why,
                        "");
}

/* `make bench` writes the sums down, of the default variant; `make run` has no time for it. Without
 * a GPU it ends with an estimate, which is a fact, never a row. */
TEST(test_bench_records_the_trace) {
    struct result result = run("build/referee bench --step 04 --n 256 --results build/r --machine "
                               "toy; grep -c ,trace$ build/r/toy-facts.csv");
    char *facts;

    assert_code(result, 0);
    assert_says(result.out, "\n3\n");
    facts = read_file("build/r/toy-facts.csv", NULL);
    if (!system("command -v nvcc >/dev/null")) {
        assert_says(result.out, "\n04_soa 256, n = 256, estimated for an H200: ");
        assert_says(facts, ",04_soa,256,estimated_gps_256,");
        assert_says(facts, ",G/s,h200\n");
    }
    assert_says(facts, ",04_soa,256,trace_global_bytes_per_interaction,12.0088,B,trace\n");
    assert_says(facts, ",04_soa,256,trace_varied_sectors_per_request,4,sectors,trace\n");
    free(facts);
}

/* The program runs by itself, and a debugger looks for its source in the root. */
TEST(test_standalone) {
    static const char *const steps[] = {"01 VARIANT=gcc_O2", "02", "05"};
    static const char *const examples[] = {"perf stat /", "perf stat /",
                                           "CPUCUDA_SEED=1 gdb --args /"};
    size_t i;

    for (i = 0; i < 3; i++) {
        struct result result =
            run("make -s standalone STEP=%s | tee build/said; "
                "p=$(sed -n 's/^usage: \\([^ ]*\\) .*/\\1/p' build/said); $p 257; "
                "sed -n 's/^  \\(CPU[^ ]*\\)* *gdb --args //p' build/said | sh; "
                "readelf --debug-dump=info $p | grep DW_AT_comp_dir | grep -c /steps/",
                steps[i]);

        assert_code(result, 1); /* no line is counted */
        assert_says(result.out, examples[i]);
        assert_says(result.out, "n = 257, 2 iterations: accepted");
        assert_says(result.out, "n = 257, 1 iteration: done");
        assert_says(result.out, "\n0\n");
        result = run("make -s standalone STEP=%s JSON=1", steps[i]);
        assert_code(result, 0);
        assert_true(is_json(result.out));
        assert_says(result.out, "/standalone\", \"on_gpu\": 131072, \"work\": 17179869184, "
                                "\"per\": \"interaction\", ");
    }
}

/* It does what `make bench` times, whose softening is 0.1: step 16 leaves half precision without
 * it, and ncu would count another kernel than the one that is timed. */
TEST(test_standalone_is_what_is_timed) {
    struct result result = run(
        "sed 's/^ *float dt = .*softening;/&\\nprintf(\"softening %%g vx %%.3f\\\\n\", "
        "(double)softening, (double)bodies[1].vx);/; "
        "1i #include <stdio.h>' solutions/01_serial/nbody.c >build/says.c; "
        "make -s standalone STEP=01 FILE=build/says.c | sed -n 's/^usage: \\([^ ]*\\) .*/\\1/p' "
        ">build/path; $(cat build/path) 257 1");

    assert_code(result, 0);
    assert_says(result.out, "softening 0.1 vx 0.701\n");
}

GROUP(enter_tree, leave_tree)
