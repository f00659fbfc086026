/* make estimate: what it says, what it refuses, and that machine code is executed rightly. */
#include "testing.h"
#include "command.h"

#include "referee/estimate/unrolled.h"

GROUP(enter_tree, leave_tree)

#define ESTIMATE "build/referee estimate --step 05 --of solutions "

static int has_nvcc(void) {
    return !system("command -v nvcc >/dev/null 2>&1");
}

static void refused(const char *command, int code, const char *line) {
    struct result result = run("%s", command);

    assert_code(result, code);
    assert_says(result.err, line);
    assert_ptr_equal(strchr(result.err, '\n'), result.err + strlen(result.err) - 1);
}

TEST(a_gpu_that_is_not_known_is_refused) {
    refused(ESTIMATE "--gpu gtx480", 18, "GPU=gtx480: its parameters are not known");
    refused(ESTIMATE "--gpu ../gpus/h200", 18, "GPU=../gpus/h200: ");
}

TEST(a_mistake_in_a_gpu_is_named) {
    static const struct {
        const char *edit, *line;
    } cases[] = {{"s/^alu_cycles/alu_cycels/", "gpus/h201:10: "},
                 {"/^alu_cycles/d", "gpus/h201 lacks alu_cycles"},
                 {"s/^alu_cycles.*/alu_cycles = 2x/", "gpus/h201:10: "},
                 {"s/^title.*/like = h999/", "gpus/h201:2: "}};
    size_t k;

    for (k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_code(run("cd common/referee/estimate/gpus && sed '%s' h200 >h201", cases[k].edit),
                    0);
        refused(ESTIMATE "--gpu h201", 18, cases[k].line);
    }
}

TEST(a_step_in_c_is_refused) {
    refused("build/referee estimate --step 02 --of solutions", 3, "02_openmp is C");
}

TEST(a_variant_that_is_not_there_is_refused) {
    refused("build/referee estimate --step 12 --of solutions --variant none --n 257", 5,
            "it has float4, float3, soa");
}

TEST(without_nvcc_there_is_no_machine_code) {
    refused("NVCC= " ESTIMATE "--n 257", 19, "no machine code for sm_90");
}

/* What a program may come to: one that is executed wrongly, here a kernel that a GPU's compiler
 * sees otherwise; a crash, in which machine code and source agree. */
TEST(what_cannot_be_executed_rightly_gets_no_estimate) {
    if (!has_nvcc())
        skip();
    assert_code(run("sed 's/float fx = 0,/float fx = SEEN,/; 1i#ifdef __CUDA_ARCH__\\n#define SEEN "
                    "5\\n#else\\n#define SEEN 0\\n#endif' solutions/05_tiling/nbody.cu >seen.cu && "
                    "sed '0,/CUDA_CHECK(cudaMemcpy/s//*(volatile int *)0 = 1; &/' "
                    "solutions/05_tiling/nbody.cu >crash.cu"),
                0);
    refused("build/referee estimate --step 05 --file seen.cu --n 300", 53,
            "ends with 32 and its source with 0");
    refused("build/referee estimate --step 05 --file crash.cu --n 300", 53, "it crashed while");
}

/* Its results are those of its source, or it would be refused. */
TEST(asynchronous_copies_are_executed) {
    if (!has_nvcc())
        skip();
    assert_code(run("build/referee estimate --step 14 --of solutions --variant async_copy --n 300"),
                0);
}

/* As the page shows it. */
TEST(the_example_is_todays) {
    char *page = read_file("docs/estimates.md", NULL);
    struct result result;

    if (!has_nvcc() || !page)
        skip();
    result = run(ESTIMATE);
    assert_code(result, 0);
    assert_non_null(strstr(page, result.out));
    free(page);
}

/* Variants of which no record has a time host to host. */
TEST(kernels_alone_may_be_on_record) {
    struct result result;

    if (!has_nvcc() || access("docs", R_OK))
        skip();
    result = run("build/referee estimate --step 15 --of solutions --variant exchange_4 --n 1024");
    assert_code(result, 0);
    assert_says(result.out, "\n  the solution's kernels alone on record: ");
    assert_null(strstr(result.out, "the solution on record"));
}

TEST(a_skeleton_gets_no_estimate) {
    struct result result;

    assert_code(run("build/referee reset --step 05"), 0);
    result = run("build/referee estimate --step 05");
    assert_code(result, 39);
    assert_says(result.err, "error: 05_tiling has no estimate before its parts are written\n"
                            "steps/05_tiling/nbody.cu:23: part 1 is not written yet: ");
    assert_code(run("rm steps/05_tiling/nbody.cu"), 0);
}

/* Where few blocks cannot stand for all, the step's manifest says why. */
TEST(steps_without_an_estimate_say_why) {
    refused("build/referee estimate --step 41 --of solutions", 53,
            "41_tree_build has no estimate: its blocks wait for each other, and only a few of");
}

static double rate_on(const char *gpu, const char *file) {
    struct result result =
        run("build/referee estimate --step 05 --file %s --gpu %s --json 1", file, gpu);
    const char *rate = strstr(result.out, "\"device_rate_gps\": ");

    assert_code(result, 0);
    assert_non_null(rate);
    return atof(rate + strlen("\"device_rate_gps\": "));
}

/* A root of a double, for each pair, by a GPU with a double for two floats and one with a double
 * for 64. */
TEST(doubles_take_longer) {
    const char *floats = "solutions/05_tiling/nbody.cu";
    double rate;

    if (!has_nvcc())
        skip();
    assert_code(run("sed 's/sqrtf(distance_squared)/(float)sqrt((double)distance_squared)/' "
                    "solutions/05_tiling/nbody.cu >double.cu"),
                0);
    rate = rate_on("h200", "double.cu") / rate_on("h200", floats);
    assert_true(rate > 0.5 && rate < 0.9);
    rate = rate_on("rtx4090", "double.cu") / rate_on("rtx4090", floats);
    assert_true(rate > 0.05 && rate < 0.2);
}

/* The last line of a check of the default variant or another one; not of a program that is wrong,
 * not at an n that was asked for, and not for programs that read. */
TEST(a_check_without_a_gpu_ends_with_the_estimate) {
    static const char check[] = "build/referee check --step 03 --variant 256";
    struct result result;

    if (!has_nvcc())
        skip();
    result = run("%s --of solutions", check);
    assert_code(result, 0);
    assert_says(result.out, "\n03_cuda_naive 256, n = 131072, estimated for an H200: ");
    result = run("%s --of solutions --n 257", check);
    assert_code(result, 0);
    assert_null(strstr(result.out, "estimated"));
    result = run("%s --of solutions --json 1", check);
    assert_code(result, 0);
    assert_null(strstr(result.out, "estimated"));
    assert_code(run("sed 's/float fx = 0/float fx = 1/' solutions/03_cuda_naive/nbody.cu >one.cu"),
                0);
    result = run("%s --file one.cu", check);
    assert_says(result.out, "FAILED");
    assert_null(strstr(result.out, "estimated"));
}

static void count(struct machine_code *code, const char *path) {
    assert_int_equal(machine_code_read(code, path), 0);
    assert_int_equal(code->count, 1);
}

static double issued(const struct machine_code *code, unsigned operation) {
    double sum = 0;
    int k;

    for (k = 0; k < code->kernels[0].code_count; k++)
        if (!operation || code->kernels[0].code[k].operation == operation)
            sum += code->kernels[0].code[k].issued;
    return sum;
}

/* Instructions of all warps' paths, of one block. */
static double path_length(const struct machine_code *code) {
    double sum = 0;
    int k;

    for (k = 0; k < code->kernels[0].path_count; k++)
        sum += unroll(NULL, &code->kernels[0].paths[k], (struct cut){INFINITY, INFINITY});
    return sum;
}

/* Every warp goes through all n bodies, in tiles; the root and its reciprocal are a MUFU each. */
TEST(machine_code_of_four_architectures_is_executed) {
    static const char *const gpus[] = {"t4", "a100", "rtx4090", "h200"};
    size_t k;

    if (!has_nvcc())
        skip();
    for (k = 0; k < 4; k++) {
        struct result result = run(ESTIMATE "--variant soa --n 257 --gpu %s", gpus[k]);
        struct machine_code code;

        assert_code(result, 0);
        assert_says(result.out, "05_tiling soa, n = 257, estimated for ");
        assert_int_equal(strstr(result.out, "not validated") != NULL, k < 3);
        assert_int_equal(strstr(result.out, "(+- ") != NULL, k == 3);
        assert_int_equal(
            system("mv build/solutions/05_tiling/soa/sass.257.1.*.counts build/counts"), 0);
        count(&code, "build/counts");
        assert_true(issued(&code, SASS_MUFU) == 2 * 16 * 257);
        assert_int_equal(code.kernels[0].threads, 256);
        assert_true(code.kernels[0].blocks == 2);
        assert_true(code.kernels[0].static_bytes == 3072);
        machine_code_free(&code);
        result = run("cd build/solutions/05_tiling/soa && CPUCUDA_SASS=cubin ./sass 257 2");
        assert_code(result, 0);
        assert_says(result.out, "accepted");
    }
}

/* Two or eight blocks, whose loop is skipped, stand for all; then all are executed, whole. A loop
 * over tiles with barriers, and one without. */
TEST(skipped_iterations_are_counted) {
    static const struct {
        const char *step, *variant;
        int n, executed;
    } cases[] = {{"05_tiling", "soa", 5120, 8}, {"03_cuda_naive", "256", 4096, 2}};
    size_t k;
    int i;

    if (!has_nvcc())
        skip();
    for (k = 0; k < 2; k++) {
        struct machine_code part, whole;

        assert_code(run("build/referee estimate --step %.2s --of solutions --variant %s --n 257",
                        cases[k].step, cases[k].variant),
                    0);
        for (i = 0; i < 2; i++)
            assert_code(run("cd build/solutions/%s/%s && CPUCUDA_SASS=cubin CPUCUDA_SASS_OUT=%s "
                            "CPUCUDA_SASS_BLOCKS=%s ./sass %d 1",
                            cases[k].step, cases[k].variant, i ? "whole" : "part", i ? "99" : "2",
                            cases[k].n),
                        0);
        assert_code(run("mv build/solutions/%s/%s/part build/solutions/%s/%s/whole .",
                        cases[k].step, cases[k].variant, cases[k].step, cases[k].variant),
                    0);
        count(&part, "part");
        count(&whole, "whole");
        assert_true(part.kernels[0].executed <
                    0.9 * issued(&part, 0) * cases[k].executed / part.kernels[0].blocks);
        assert_true(fabs(whole.kernels[0].executed - issued(&whole, 0)) < 1);
        assert_true(fabs(issued(&part, 0) / issued(&whole, 0) - 1) < 0.002);
        assert_true(fabs(issued(&part, SASS_MUFU) / issued(&whole, SASS_MUFU) - 1) < 1e-9);
        assert_true(fabs(path_length(&part) / path_length(&whole) - 1) < 0.002);
        assert_true(fabs(path_length(&part) * part.kernels[0].blocks / issued(&part, 0) - 1) <
                    0.002);
        assert_true(fabs(part.kernels[0].loaded / whole.kernels[0].loaded - 1) < 0.01);
        machine_code_free(&part);
        machine_code_free(&whole);
    }
}

static double slots(const char *arguments) {
    struct result result = run("build/referee estimate --of solutions --json 1 %s", arguments);
    const char *found = strstr(result.out, "\"slots\": ");

    assert_code(result, 0);
    assert_non_null(found);
    return atof(found + strlen("\"slots\": "));
}

/* Short launches are executed whole, so values that they compute decide rightly: of step 16, which
 * kernel is launched and which products a tile takes (3.79 slots by Nsight Compute); of step 31,
 * which tiles are summed again. */
TEST(what_values_decide_is_counted) {
    if (!has_nvcc())
        skip();
    assert_true(fabs(slots("--step 16 --n 131072") / 3.79 - 1) < 0.1);
    assert_true(fabs(slots("--step 31 --n 16384") / 38.5 - 1) < 0.02);
}

/* Its bits, advanced by as much as in one iteration each, come to nothing for long. */
TEST(a_loop_that_counts_in_floats_is_executed_to_its_end) {
    if (!has_nvcc())
        skip();
    assert_code(run("sed 's/for (int j = 0; j < n; j++)/float left = n;\\n#pragma unroll 1\\n"
                    "for (int j = 0; left > 0; j++, left -= 1)/' solutions/03_cuda_naive/nbody.cu "
                    ">floats.cu && ! cmp -s floats.cu solutions/03_cuda_naive/nbody.cu"),
                0);
    assert_true(fabs(slots("--step 03 --file floats.cu --n 40000") - 40.2) < 1);
}

/* The path that is played has as many instructions, with its skipped repeats. */
TEST(any_n_takes_few_instructions) {
    struct result result;
    double slots, executed;

    if (!has_nvcc())
        skip();
    result = run(ESTIMATE "--variant soa --n 1048576 --json 1");
    assert_code(result, 0);
    slots = atof(strstr(result.out, "\"slots\":") + 8);
    executed = atof(strstr(result.out, "\"executed\":") + 11);
    assert_true(fabs(slots - 36.9) < 0.1); /* what Nsight Compute counted at n = 131072 */
    assert_true(executed > 1e5 && executed < 1e7);
}

/* A program that asks for the device's size is told of the GPU's, not of the one that cpucuda
 * plays. */
TEST(what_would_change_it_most_is_said) {
    struct result result;

    if (!has_nvcc())
        skip();
    result = run(ESTIMATE "--variant soa");
    assert_says(result.out, "bound by issue");
    assert_says(result.out, "  what would change it most: fewer instructions (one less per "
                            "interaction: 2.7% less time)\n  then: ");
    result = run(ESTIMATE "--variant soa --n 257");
    assert_says(result.out, "  what would change it most: ");
    assert_null(strstr(result.out, "fewer instructions"));
    result = run("build/referee estimate --step 21 --of solutions --n 1024 --gpu a100");
    assert_says(result.out, "  the host's launches bound it; ");
}

TEST(grid_for_the_gpu_in_question) {
    if (!has_nvcc())
        skip();
    assert_says(run("build/referee estimate --step 12 --of solutions --n 16384").out,
                "  grid: 128 blocks of 128 on 132 multiprocessors");
    assert_says(run("build/referee estimate --step 21 --of solutions --n 4194304 --gpu a100").out,
                "  grid: 864 blocks of 256 on 108 multiprocessors");
}

/* Step 21's blocks load the sum before, which is in one sector with the sum that they all add to;
 * and step 12 moves bodies in place. Of the tests above. */
TEST(what_blocks_do_to_memory_is_told) {
    struct machine_code code;
    int contended = 0, k;

    if (!has_nvcc())
        skip();
    assert_code(run("cp build/solutions/21_reduce/chosen/sass.4194304.1.2.108.counts "
                    "build/solutions/12_float4/float4/sass.16384.1.2.132.counts ."),
                0);
    count(&code, "sass.4194304.1.2.108.counts");
    for (k = 0; k < code.kernels[0].code_count; k++)
        contended += code.kernels[0].code[k].contended;
    assert_int_equal(contended, 1);
    assert_true(code.fills > 0 && code.by_graphs == 0);
    machine_code_free(&code);
    assert_int_equal(machine_code_read(&code, "sass.16384.1.2.132.counts"), 0);
    assert_int_equal(code.count, 2);
    for (k = 0; k < code.count; k++)
        if (strstr(code.kernels[k].name, "update_positions"))
            assert_true(code.kernels[k].rewritten == 16384 * 16 / 32);
    machine_code_free(&code);
}

/* The figures behind +- are the committed errors', and so are the page's tables. */
TEST(the_errors_are_the_recorded_ones) {
    const char *const names[] = {"LOOPS_PERCENT = %d", "OTHERS_PERCENT = %d"};
    char *errors, *page, *source, *line;
    int k;

    if (access("docs", R_OK))
        skip();
    line = errors = read_file("docs/results/estimates-h200.txt", NULL);
    page = read_file("docs/estimates.md", NULL);
    source = read_file("common/referee/estimate/estimate.c", NULL);
    for (k = 0; k < 2; k++) {
        int within;
        char copied[128], said[64];

        assert_non_null(line = strstr(line + 1, "| all | "));
        snprintf(copied, sizeof copied, "%.*s", (int)strcspn(line, "\n"), line);
        assert_int_equal(sscanf(copied, "| all | %*d | %*f%% | %d%%", &within), 1);
        assert_says(page, copied);
        snprintf(said, sizeof said, names[k], within);
        assert_says(source, said);
    }
    free(errors);
    free(page);
    free(source);
}
