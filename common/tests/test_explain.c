/* The verb explain: a step's program beside its predecessor's. Tools that this machine may lack are
 * played by fakes/bin, the GPU by fakes/nvml.c. */
#define OWN_MAIN
#include "testing.h"
#include "command.h"
#include "fake_gpu.h"
#include "json.h"
#include "record_files.h"

#define FAKES  "PATH=$PWD/common/tests/fakes/bin:$PATH NVCC=nvcc"
#define NO_GPU "FAKE_GPUS=0"

/* The rest of the line that begins with the label, its runs of blanks one each. */
static void assert_row(const char *text, const char *label, const char *expected) {
    const char *at = text;
    char row[160], *end = row;
    size_t length = strlen(label);

    while (at && strncmp(at, label, length))
        at = (at = strchr(at, '\n')) ? at + 1 : NULL;
    if (!at)
        fail_msg("no row \"%s\" in:\n%s", label, text);
    for (at += length; *at && *at != '\n' && end < row + sizeof row - 1; at++)
        if (*at != ' ' || (end > row && end[-1] != ' '))
            *end++ = *at;
    *end = 0;
    if (strcmp(row, expected))
        fail_msg("row \"%s\" is \"%s\", not \"%s\"", label, row, expected);
}

/* Is in the text, whose sentences are broken into lines. */
static void assert_sentence(const char *text, const char *part) {
    char *line = strdup(text), *at;

    for (at = line; (at = strchr(at, '\n')); at++)
        *at = ' ';
    assert_says(line, part);
    free(line);
}

/* A machine with neither nvcc nor GPU: what the committed record says of the solution, and says so;
 * what can be counted on a CPU. */
TEST(test_without_tools) {
    struct result result = run(NO_GPU " NVCC= make -s explain STEP=05");

    assert_code(result, 0);
    assert_says(result.out, "05_tiling: solutions/05_tiling/nbody.cu (there is no ");
    assert_says(result.out, "\nbeside 04_soa: solutions/04_soa/nbody.cu, variant 256\n");
    assert_row(result.out, "  registers per thread ", "40 [c] 33 [c]");
    assert_row(result.out, "  shared memory per block", ", bytes 0 [a] 3072 [a]");
    assert_row(result.out, "  threads per block", "256 [a] 256 [a]");
    assert_row(result.out, "  occupancy, theoretical, %", "75 [e] 75 [e]");
    assert_row(result.out, "  instructions per interaction", "37.00 [c] 36.90 [c]");
    assert_row(result.out, "    sums and products (fma pipe)", "19.75 [c] 19.01 [c]");
    assert_row(result.out, "    loads of shared memory", "0.00 [c] 3.00 [c]");
    assert_row(result.out, "    loads of global memory", "3.00 [c] 0.01 [c]");
    assert_row(result.out, "  global memory, bytes per interaction", "12.01 [a] 0.05566 [a]");
    assert_row(result.out, "  copies per run of 2 iterations", "4 [a] 4 [a]");
    assert_row(result.out, "  name of the limit", "gpu_issue gpu_issue");
    assert_says(result.out,
                "  [b] docs/results/h200/h200.csv, last row with n = 131072, on NVIDIA");
    assert_says(result.out, "  [c] docs/results/h200/h200-facts.csv, of the solution, for sm_90, "
                            "executed\n");
    assert_says(result.out, "note: nvcc is not in PATH");
    assert_sentence(result.out, "0.05566 bytes of global memory per interaction instead of 12.01 "
                                "(216 times fewer)");
    assert_row(result.out, "  longest stall, cycles per instruction", "2.80 [d] 2.65 [d]");
    assert_row(result.out, "    what for", "wait wait");
    assert_row(result.out, "  ready, not chosen, cycles/instruction", "2.10 [d] 2.15 [d]");
    assert_says(result.out, "  [d] docs/results/h200/h200-facts.csv, of the solution, for sm_90, "
                            "executed: what warps wait for\n");
    assert_says(result.out, "\n04_soa, memory by source line (counted by cpucuda, n = 4096):\n");
    assert_says(result.out, "100%          -           4  float dx = bodies.x[j] - x;\n");
    assert_says(result.out, "float dx = tile_x[j] - x;\n");
    assert_null(strstr(result.out, "of spills"));

    /* Of another architecture, machine code alone; its registers nobody wrote down. */
    result = run(NO_GPU " NVCC= make -s explain STEP=05 VARIANT=aos ARCH=sm_75 N=64");
    assert_code(result, 0);
    assert_row(result.out, "  instructions per interaction", "39.75 [c] 36.75 [c]");
    assert_row(result.out, "    loads of shared memory", "0.00 [c] 1.50 [c]");
    assert_says(result.out, "for sm_75, not executed\n");
    assert_null(strstr(result.out, "registers per thread"));
    assert_null(strstr(result.out, "occupancy, theo"));
}

/* With nvcc and cuobjdump: this very source's figures, of the one of its two kernels with the
 * loop over pairs. The machine has no GPU, so they are sm_90's. */
TEST(test_with_nvcc) {
    struct result result = run(NO_GPU " " FAKES " make -s explain STEP=07 N=64");

    assert_code(result, 0);
    assert_row(result.out, "  registers per thread ", "40 [b] 40 [b]");
    assert_row(result.out, "  shared memory per block", ", bytes 3072 [b] 3072 [b]");
    assert_row(result.out, "  spilled to memory", ", bytes per thread 24 [b] 24 [b]");
    assert_row(result.out, "  occupancy, theoretical, %", "75 [f] 75 [f]");
    assert_row(result.out, "  instructions per interaction", "12.00 [c] 12.00 [c]");
    assert_row(result.out, "    sums and products (fma pipe)", "4.00 [c] 4.00 [c]");
    assert_row(result.out, "    loads of shared memory", "4.00 [c] 4.00 [c]");
    assert_row(result.out, "    the rest", "3.00 [c] 3.00 [c]");
    assert_says(result.out, "  [b] ptxas, by nvcc 13.0 for sm_90\n");
    assert_says(result.out, "  [c] machine code for sm_90, by cuobjdump; not executed\n");
    assert_says(result.out, "\nMore warps do not fit because of its registers.\n");
    assert_null(strstr(result.out, "for sm_90, executed\n"));
}

/* What the launch asks for comes on top of what ptxas knows. */
TEST(test_dynamic_shared_memory) {
    struct result result;

    assert_int_equal(system("sed '/update_velocities<<</s/threads>>>/threads, 4096>>>/' "
                            "solutions/03_cuda_naive/nbody.cu >build/dynamic.cu"),
                     0);
    result = run(NO_GPU " " FAKES " make -s explain STEP=03 N=64 FILE=build/dynamic.cu");
    assert_code(result, 0);
    assert_row(result.out, "  shared memory per block", ", bytes - 7168 [b]");
    result = run(NO_GPU " NVCC= make -s explain STEP=03 N=64 FILE=build/dynamic.cu");
    assert_code(result, 0);
    assert_row(result.out, "  shared memory per block", ", bytes - 4096 [a]");
    assert_says(result.out, "of the SOLUTION and not of your source, for sm_90");
    assert_sentence(result.out, ": the solution reaches ");
    assert_sentence(result.out, "interaction instead of 22.00 (the solution's)");
}

/* With a GPU and ncu: what the kernel that executes most does, and what its warps wait for most. */
TEST(test_with_ncu) {
    struct result result = run(FAKES " make -s explain STEP=05 N=256");

    assert_code(result, 0);
    assert_row(result.out, "  instructions per interaction", "36.50 [d] 36.50 [d]");
    assert_row(result.out, "    sums and products (fma pipe)", "19.00 [d] 19.00 [d]");
    assert_row(result.out, "    roots and divisions (MUFU)", "2.00 [d] 2.00 [d]");
    assert_row(result.out, "    loads of shared memory", "3.00 [d] 3.00 [d]");
    assert_row(result.out, "    loads of global memory", "0.50 [d] 0.50 [d]");
    assert_row(result.out, "    the rest", "12.00 [d] 12.00 [d]");
    assert_row(result.out, "  registers per thread ", "48 [d] 48 [d]");
    assert_row(result.out, "  threads per block", "128 [d] 128 [d]");
    assert_row(result.out, "  longest stall, cycles per instruction", "12.50 [d] 12.50 [d]");
    assert_row(result.out, "    what for", "short_scoreboard short_scoreboard");
    assert_says(result.out, "  [d] executed on NVIDIA One PCIe, by ncu, n = 256\n");
    assert_sentence(result.out, "Per instruction its warps wait for data from shared memory or a "
                                "special function (short_scoreboard) for 12.50 cycles, longer than "
                                "for anything else; for 3.00 they are ready and not chosen.");

    /* As many instructions for the work of another problem. */
    result = run(FAKES " common/report/tools/executed.sh true 256 1024 element");
    assert_code(result, 0);
    assert_says(result.out, "slots 2336 1/element\n");
    assert_says(result.out, "shared_loads 192 1/element\n");
    assert_says(result.out, "registers 48 1/thread\n");
    assert_says(result.out, "l2_bytes 64 B/element\n");
    assert_says(result.out, "issue_active 40 %\n");
    assert_string_equal(text_from(result.out, "not_selected"),
                        "not_selected 3 cycles\nstall_membar 0.02 cycles\nstall_wait 0.75 cycles\n"
                        "stall_long_scoreboard 2 cycles\nstall_short_scoreboard 12.5 cycles\n");

    result = run("FAKE_NCU=denied " FAKES " make -s explain STEP=05 N=64 2>&1");
    assert_code(result, 0);
    assert_says(result.out, "executed.sh: ncu may not read this GPU's counters: run it as root");
    assert_row(result.out, "  instructions per interaction", "12.00 [c] 12.00 [c]");
    assert_says(result.out, "note: ncu told nothing");
    assert_null(strstr(result.out, "by ncu"));
}

/* Real tools, where they are: nvcc and what it makes of two solutions. */
TEST(test_real_nvcc) {
    struct result result;

    if (system("command -v nvcc >/dev/null"))
        skip();
    result = run("rm -f build/solutions/*/*/cubin; " NO_GPU " make -s explain STEP=05 N=64 JSON=1");
    assert_code(result, 0);
    assert_true(is_json(result.out));
    assert_says(result.out, "\"shared_bytes\": {\"value\": 3072, \"origin\": \"ptxas, by nvcc");
    assert_says(result.out, "\"spill_bytes\": {\"value\": 0, \"origin\": \"ptxas, by nvcc");
    assert_says(result.out, "\"registers\": {\"value\": 3");
}

/* 01 has no step before it; 02 and 03 stand beside steps in C. */
TEST(test_steps_in_c) {
    struct result result = run(NO_GPU " make -s explain STEP=01");
    char said[160];

    assert_code(result, 0);
    assert_null(strstr(result.out, "beside"));
    assert_null(strstr(result.out, "now"));
    assert_null(strstr(result.out, "warps"));
    assert_row(result.out, "  name of the limit", "rsqrt");
    assert_sentence(result.out, "The limit is the processor's roots and divisions (rsqrt): ");
    if (!system("command -v objdump >/dev/null && [ $(uname -m) = x86_64 ]")) {
        assert_says(result.out, "by objdump; not executed");
        assert_row(result.out, "    roots and divisions ", "2.00 [a]");
        assert_row(result.out, "  floats per instruction", "1 [a]");
        assert_row(result.out, "  rate, 10^9 interactions/s", "0.5415 [b]");
        assert_sentence(result.out, "That limit is what the widest vectors of the processor allow; "
                                    "the program's loop computes 1 float per instruction.");
    }

    result = run("mkdir build/bin && ln -s /usr/bin/* build/bin 2>/dev/null; rm build/bin/objdump; "
                 "PATH=$PWD/build/bin " NO_GPU " build/referee explain --step 02");
    assert_code(result, 0);
    assert_says(result.out, "note: objdump (binutils) is not in PATH");
    assert_null(strstr(result.out, "instructions per interaction"));
    assert_null(strstr(result.out, "widest"));
    /* Of the same run, though a later one has both as companions. */
    assert_row(result.out, "  rate, 10^9 interactions/s", "0.5415 [a] 7.517 [a]");
    assert_null(strstr(result.out, "companion"));
    assert_null(strstr(result.out, "in a run of its own"));
    assert_row(result.out, "  threads on the CPU", "1 [a] 16 [a]");
    assert_sentence(result.out,
                    "02_openmp beside 01_serial: 16 threads on the CPU instead of 1 (16 ");

    result = run(NO_GPU " NVCC= make -s explain STEP=03 N=64");
    assert_code(result, 0);
    assert_row(result.out, "  threads per block", "- 256 [a]");
    assert_sentence(result.out, "; that of 02_openmp is rsqrt (");
    assert_null(strstr(result.out, "widest"));
    assert_says(result.out, "h200.csv, last row with n = 30000, as a companion, on Intel");
    snprintf(said, sizeof said,
             "note: 02_openmp was timed in that run only for the comparison; in a separate run it "
             "reached %.4g at n = 30000\n",
             recorded(COLUMN_rate_gps, "02_openmp", "static", 30000));
    assert_says(result.out, said);
}

/* Host to host, copies would hide the rate of a step that is timed by the device's clock. */
TEST(test_by_device) {
    struct result result = run(NO_GPU " NVCC= make -s explain STEP=22 N=64");

    assert_code(result, 0);
    assert_says(result.out, "last row with n = 268435456, by the device's clock, on NVIDIA H200\n");
    assert_says(result.out, "of it at n = 268435456.");
}

/* A learner's program gets a learner's rows of this machine's record, a solution the solution's. */
static void write_record(void) {
    struct row rows[5] = {{{""}}};
    struct record record;
    int i;

    assert_int_equal(record_open(&record, "results", "toy"), 0);
    for (i = 0; i < 4; i++) {
        row_set(&rows[i], COLUMN_step, i < 3 ? "05_tiling" : "04_soa");
        row_set(&rows[i], COLUMN_variant, i < 3 ? "soa" : "256");
        row_set(&rows[i], COLUMN_backend, "cuda");
        row_set(&rows[i], COLUMN_gpu, "Toy");
        row_set(&rows[i], COLUMN_source, i == 1 ? "student" : "solution");
        row_set(&rows[i], COLUMN_n, "%d", i == 2 ? 65536 : 30000);
        row_set(&rows[i], COLUMN_rate_gps, "%d", 100 * (i + 1));
        row_set(&rows[i], COLUMN_limit_gps, "1000");
        row_set(&rows[i], COLUMN_error_l2, "1e-4");
        row_set(&rows[i], COLUMN_limit_share, "0.%d", i + 1);
        row_set(&rows[i], COLUMN_limit_name, i == 1 ? "gpu_lds" : "gpu_tomorrow");
        if (i != 2)
            row_set(&rows[i], COLUMN_speedup_previous, "1.5");
    }
    rows[4] = rows[0]; /* kernel-only forces, which a rate host to host is not compared with */
    row_set(&rows[4], COLUMN_rate_gps, "999");
    row_set(&rows[4], COLUMN_clock, "device");
    assert_int_equal(record_append(&record, rows, 5), 0);
}

TEST(test_record) {
    struct result result;
    char said[40];

    write_record();
    result = run(NO_GPU " NVCC= make -s explain STEP=05 N=64 MACHINE=toy");
    assert_code(result, 0);
    assert_row(result.out, "  rate, 10^9 interactions/s", "400 [b] 100 [b]");
    assert_row(result.out, "  share of the limit, %", "40.0 [b] 10.0 [b]");
    assert_says(result.out, "  [b] results/toy.csv, last row with n = 30000, on Toy\n");
    assert_sentence(result.out,
                    "The limit is now gpu_tomorrow (gpu_tomorrow): the step reaches 10%");
    assert_sentence(result.out,
                    "docs/concepts/roofline.md has the steps' pictures under the limits");
    assert_sentence(result.out,
                    "100 billion interactions per second instead of 400 (4 times fewer)");
    result = run("cp solutions/05_tiling/nbody.cu steps/05_tiling/; " NO_GPU
                 " NVCC= make -s explain STEP=05 N=64 MACHINE=toy; rm steps/05_tiling/nbody.cu");
    assert_code(result, 0);
    assert_row(result.out, "  name of the limit", "gpu_tomorrow gpu_lds");
    assert_row(result.out, "  rate, 10^9 interactions/s", "400 [b] 200 [b]");
    assert_sentence(result.out, "The limit is now shared-memory wavefronts (gpu_lds): ");

    /* Of a variant that is not in it, the committed one tells; rates of two records are not
     * compared. */
    result =
        run(NO_GPU " NVCC= build/referee explain --step 05 --n 64 --machine toy --of solutions "
                   "--variant aos");
    assert_code(result, 0);
    snprintf(said, sizeof said, "400 [f] %.1f [b]",
             recorded(COLUMN_rate_gps, "05_tiling", "aos", 131072));
    assert_row(result.out, "  rate, 10^9 interactions/s", said);
    assert_null(strstr(result.out, "billion"));
    assert_int_equal(system("echo x >>results/toy.csv"), 0);
    result = run(NO_GPU " NVCC= build/referee explain --step 05 --n 64 --machine toy");
    assert_code(result, 13);
    assert_int_equal(count_lines(result.err), 1);
    assert_int_equal(system("rm -r results"), 0);
}

/* Of the step before: a row of the same size, of those of the same run, of those with most threads;
 * not the last one, nor the fastest. */
TEST(test_row_of_the_step_before) {
    static const struct {
        const char *step, *run;
        int n, threads, rate;
    } given[] = {
        {"02_openmp", "r", 30000, 16, 50},     {"02_openmp", "r", 30000, 1, 5},
        {"03_cuda_naive", "r", 30000, 1, 600}, {"02_openmp", "s", 30000, 32, 70},
        {"02_openmp", "r", 65536, 64, 90},
    };
    enum { ROWS = sizeof given / sizeof *given };
    struct row rows[ROWS] = {{{""}}};
    struct record record;
    struct result result;
    int i;

    assert_int_equal(record_open(&record, "results", "toy"), 0);
    for (i = 0; i < ROWS; i++) {
        int cuda = !strcmp(given[i].step, "03_cuda_naive");

        row_set(&rows[i], COLUMN_step, "%s", given[i].step);
        row_set(&rows[i], COLUMN_run, "%s", given[i].run);
        row_set(&rows[i], COLUMN_n, "%d", given[i].n);
        row_set(&rows[i], COLUMN_threads, "%d", given[i].threads);
        row_set(&rows[i], COLUMN_rate_gps, "%d", given[i].rate);
        row_set(&rows[i], COLUMN_variant, cuda ? "256" : "static");
        row_set(&rows[i], COLUMN_backend, cuda ? "cuda" : "cpu");
        row_set(&rows[i], COLUMN_source, "solution");
        row_set(&rows[i], COLUMN_limit_gps, "1000");
        row_set(&rows[i], COLUMN_limit_share, "0.5");
        row_set(&rows[i], COLUMN_limit_name, "rsqrt");
        row_set(&rows[i], COLUMN_error_l2, "1e-4");
    }
    assert_int_equal(record_append(&record, rows, ROWS), 0);
    result = run(NO_GPU " NVCC= build/referee explain --step 03 --n 64 --machine toy");
    assert_code(result, 0);
    assert_row(result.out, "  threads on the CPU", "16 [b] -");
    assert_row(result.out, "  rate, 10^9 interactions/s", "50 [b] 600 [b]");
    assert_sentence(result.out,
                    "600 billion interactions per second instead of 50 (12 times as many)");
    assert_int_equal(system("rm -r results"), 0);
}

/* A step that the first of the committed records does not have. */
TEST(test_other_record) {
    struct result result = run(NO_GPU " build/referee explain --step 30 --n 64 --of solutions");

    assert_code(result, 0);
    assert_says(result.out, "docs/results/two-cores/two-cores.csv, last row with n = ");
    assert_null(strstr(result.out, "docs/results/h200/h200.csv"));
}

TEST(test_as_json) {
    struct result result = run(NO_GPU " NVCC= make -s -C steps/05_tiling explain N=64 JSON=1");

    assert_code(result, 0);
    assert_true(is_json(result.out));
    assert_says(result.out, "{\"after\": {\"step\": \"05_tiling\", \"source\": "
                            "\"solutions/05_tiling/nbody.cu\", \"variant\": \"soa\"");
    assert_says(result.out, "\"slots\": {\"value\": 36.895, \"origin\": \"docs/results/h200/");
    assert_says(result.out, "\"before\": {\"step\": \"04_soa\"");
    assert_says(result.out, "\"trace\": {\"interactions\": 8192,");
    assert_says(result.out, "\"sentences\": [\"05_tiling beside 04_soa: ");
    result = run(NO_GPU " NVCC= build/referee explain --step 01 --json 1");
    assert_code(result, 0);
    assert_true(is_json(result.out));
    assert_says(result.out, "\"before\": null");
}

/* An unfinished source says so. In a copy without solutions a step stands beside the learner's own
 * of the step before, or alone if that is not accepted yet. */
TEST(test_learners_copy) {
    struct result result;

    write_file("build/fences", "/* part 1, 2 lines: What is left to do. */\n/* until solved */\n"
                               "/* end of until solved */\n/* end of part 1 */\n");
    assert_int_equal(system("cat build/fences solutions/05_tiling/nbody.cu | "
                            "sed '5,$ { /^ *.. part [0-9]/d; /^ *.. end of part/d }' "
                            ">steps/05_tiling/nbody.cu; "
                            "mkdir -p results/passed/04_soa; mv solutions build/kept; "
                            "cp build/kept/04_soa/nbody.cu results/passed/04_soa/"),
                     0);
    result = run(NO_GPU " NVCC= make -s explain STEP=05 N=64");
    assert_code(result, 0);
    assert_says(result.out,
                "\nbeside 04_soa: results/passed/04_soa/nbody.cu (yours, as it was last "
                "accepted), variant 256\n");
    assert_says(result.out, "note: steps/05_tiling/nbody.cu:1: part 1 is not written yet: What is "
                            "left to do");
    assert_row(result.out, "  global memory, bytes per interaction", "12.56 [a] 1.312 [a]");
    assert_says(result.out, "of the SOLUTION and not of your source");
    assert_int_equal(system("rm -r results"), 0);
    result = run(NO_GPU " NVCC= make -s explain STEP=05 N=64");
    assert_code(result, 0);
    assert_null(strstr(result.out, "\nbeside"));
    assert_says(result.out, "note: 04_soa is missing beside it: this copy of the course has no "
                            "solutions, and yours is not accepted yet: `make check STEP=04`\n");
    assert_int_equal(system("mv build/kept solutions; rm steps/05_tiling/nbody.cu"), 0);
}

/* One line each; and nothing is written. */
TEST(test_refused) {
    static const struct {
        const char *arguments;
        int code, lines;
        const char *why;
    } cases[] = {
        {"explain", 3, 1, "explain needs a step, as in `make explain STEP=02`"},
        {"explain --step 99", 4, 1, "there is no such step"},
        {"explain --step 05 --variant none", 5, 1, "it has soa, aos"},
        {"explain --step 05 --file build/none.cu", 6, 1, "there is no such file"},
        {"explain --step 05 --file build/broken.cu", 7, 0, "build/broken.cu does not compile"},
        {"explain --step 05 --backend cpucuda", 3, 1, "leave BACKEND out"},
        {"explain --step 01 --arch sm_90", 3, 1, "01_serial is C"},
    };
    char *before, *after;
    size_t i;

    assert_int_equal(system("sed 's/float dx/flote dx/' solutions/05_tiling/nbody.cu "
                            ">build/broken.cu"),
                     0);
    before = fingerprint();
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result result = run(NO_GPU " NVCC= build/referee %s", cases[i].arguments);

        assert_code(result, cases[i].code);
        assert_says(result.err, cases[i].why);
        assert_string_equal(result.out, "");
        if (cases[i].lines)
            assert_int_equal(count_lines(result.err), cases[i].lines);
        else
            assert_says(result.err, "build/broken.cu:"); /* the compiler's words */
    }
    after = fingerprint();
    assert_string_equal(before, after);
    free(before);
    free(after);
}

int main(int argc, char **argv) {
    (void)argc;
    play_gpus(argv, "1");
    return run_listed(enter_tree, leave_tree);
}
