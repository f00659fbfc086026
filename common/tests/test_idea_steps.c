/* The ideas of steps 03, 05, 06, 08 to 12, 14, 15 and 17 as the learner meets them: the solution
 * has the idea, its predecessor's and mutants have not. Of each the trace is built and run once;
 * the whole check does the same with more bodies. */
#include "testing.h"
#include "files.h"
#include "problems/nbody/nbody_problem.h"
#include "referee/inspect/one_program.h"
#include "referee/build/source_line.h"
#include "technique_of_step.h"
#include "catalogue_of_steps.h"

enum { ITERATIONS = 2 };

static int bodies = 1000;

/* What is handed in: the solution of another step or its own, or a right kernel of kernels/, with
 * the first `from` replaced, and the file `flags` beside it. `words` are part of what the check
 * says; NULL: it has the idea. */
struct handed_in {
    const char *solution, *from, *to, *flags, *words;
};

static void write_program(const struct handed_in *program, const char *path) {
    char solution[64], *text, *rest, *at, *edited = NULL;

    snprintf(solution, sizeof solution, "solutions/%s/nbody.cu", program->solution);
    if (!(text = read_file(solution, NULL))) {
        snprintf(solution, sizeof solution, "common/tests/kernels/right/%s.cu", program->solution);
        assert_non_null(at = read_file(solution, NULL));
        assert_non_null(rest = read_file("common/tests/kernels/host.cu", NULL));
        assert_true(asprintf(&text, "%s%s", at, rest) > 0);
        free(at);
        free(rest);
    }
    if (!(at = strstr(text, program->from)))
        fail_msg("%s has no \"%s\"", solution, program->from);
    assert_true(asprintf(&edited, "%.*s%s%s", (int)(at - text), text, program->to,
                         at + strlen(program->from)) > 0);
    write_file(path, edited);
    free(edited);
    free(text);
}

static void check_idea(const char *step, const char *variant, const struct handed_in *program) {
    static const char path[] = "build/tests/handed_in/nbody.cu";
    static struct programs programs;
    static struct observed observed;
    const struct options options = {.file = path};
    const struct program *trace;
    char message[512] = "";
    int follows;

    mkdir("build/tests/handed_in", 0777);
    write_program(program, path);
    write_file("build/tests/handed_in/flags", program->flags);
    assert_int_equal(programs_choose(&programs, catalogue_find(&catalogue, step), &options, 0), 0);
    assert_int_equal(programs_build(&programs, "trace", variant), 0);
    if (!(trace = programs_find(&programs, variant, "trace")))
        skip();
    observed = (struct observed){
        .n = bodies, .iterations = ITERATIONS, .flags = trace->flags, .source = programs.source};
    assert_int_equal(count_run(&programs, trace, bodies, ITERATIONS, 1, &observed.counters), 0);
    follows = step_follows(&nbody_problem, step, &observed, message);
    source_lines_in(trace->path, message, sizeof message);
    if (follows != !program->words || (program->words && !strstr(message, program->words)))
        fail_msg("%s as step %s, \"%s\" for \"%s\", flags \"%s\": %s", program->solution, step,
                 program->to, program->from, program->flags, message);
}

#define CHECK_ALL(step, variant, ...)                                                              \
    do {                                                                                           \
        static const struct handed_in all[] = {__VA_ARGS__};                                       \
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)                                      \
            check_idea(step, variant, &all[i]);                                                    \
    } while (0)

TEST(test_launch) {
    CHECK_ALL("03_cuda_naive", "256", {"03_cuda_naive", "", "", "", NULL},
              {"03_cuda_naive", "<<<blocks, threads>>>", "<<<threads, blocks>>>", "",
               "a block of update_velocities has 4 threads where THREADS is 256: the launch is "
               "<<<blocks, threads>>>"});
}

#define HALF_TILE "tile_z[j]"

TEST(test_tiling) {
    bodies = 4096; /* of fewer, what a thread loads of its own is too much of all */
    CHECK_ALL("05_tiling", "soa", {"05_tiling", "", "", "", NULL},
              {"nvidia_sample", "", "", "", NULL}, {"mini_nbody", "", "", "", NULL},
              {"mini_nbody", "BLOCK_SIZE = 256", "BLOCK_SIZE = 96", "", NULL},
              {"mini_nbody", "BLOCK_SIZE = 256", "BLOCK_SIZE = 1024", "", NULL},
              {"constant_memory",
               "static __global__ void accelerate(const float4 *positions, float4 *velocities) {",
               "static __constant__ float4 all[4096];\n"
               "static __global__ void accelerate(const float4 *, float4 *velocities) {\n"
               "const float4 *positions = all;",
               "", "parameters may be there, and bodies are wanted in a tile"});
    bodies = 1000;
    CHECK_ALL(
        "05_tiling", "soa",
        {"04_soa", "", "", "", "which loads `bodies.x`; with 256 threads per block at most 0.094"},
        {"05_tiling", HALF_TILE, "bodies.z[start + j]", "",
         "nbody.cu:66, which loads `bodies.z`; with 256 threads"},
        /* a tile that is there and that nobody reads */
        {"05_tiling", "tile_x[j] - x;\n            float dy = tile_y[j]",
         "bodies.x[start + j] - x;\n            float dy = "
         "bodies.y[start + j]",
         "", "which loads `bodies."},
        /* all wait for each body of the tile */
        {"05_tiling", "fz += dz * scale;", "fz += dz * scale;\n __syncthreads();", "",
         "a thread comes to 1.0"},
        /* a tile that every thread loads as a whole */
        {"05_tiling", "if (from < n) {",
         "for (slot = 0; slot < length; slot++) {\n from = start + slot;", "",
         "an interaction takes 12."});
}

#define PRAGMA "#pragma unroll unroll"

TEST(test_unroll) {
    CHECK_ALL("06_unroll", "16", {"06_unroll", "", "", "", NULL},
              {"06_unroll", PRAGMA, "#pragma unroll (2 * unroll)", "", NULL},
              {"06_unroll", PRAGMA, "", "", "no loop is unrolled"},
              {"06_unroll", PRAGMA, "#pragma unroll UNROLL", "",
               "build/tests/handed_in/nbody.cu:44: the factor of this `#pragma unroll` is a macro"},
              /* The one that nvcc does not take is named, wherever it stands. */
              {"06_unroll", PRAGMA,
               "#pragma unroll 4\n for (int j = 0; j < 0; j++);\n#pragma unroll UNROLL\n"
               " for (int j = 0; j < 0; j++);\n" PRAGMA,
               "", "nbody.cu:46: the factor of this `#pragma unroll` is a macro"});
}

/* 4 blocks of 256 threads for 1000 bodies: in two iterations 2048000 interactions are computed. */
TEST(test_rsqrt) {
    CHECK_ALL("08_rsqrt", "16", {"08_rsqrt", "", "", "", NULL},
              {"07_device_integration", "", "", "",
               "in 2000000 interactions kernels called rsqrtf 0 times, and sqrtf or another root "
               "2048000 times"},
              {"08_rsqrt", "rsqrtf(distance_squared)",
               "0.5f * (rsqrtf(distance_squared) + rsqrtf(distance_squared))", "",
               "rsqrtf 4096000 times, and sqrtf or another root 0 times"},
              {"08_rsqrt", "dt * bodies.vx[i]", "dt * sqrtf(bodies.vx[i] * bodies.vx[i])", "",
               "rsqrtf 2048000 times, and sqrtf or another root 2000 times"});
}

TEST(test_ftz) {
    CHECK_ALL("09_ftz", "16", {"09_ftz", "", "", "-ftz=true\n", NULL},
              {"09_ftz", "", "", "-ftz=true\n-ftz=false\n", "-ftz=true -ftz=false denormals"},
              {"08_rsqrt", "", "", "", "-DUNROLL=16 denormals are kept; -ftz=true is wanted"});
}

TEST(test_fp16) {
    CHECK_ALL("10_fp16", "seed", {"10_fp16", "", "", "", NULL},
              {"09_ftz", "", "", "",
               "0% of the loads from global memory are of 2 bytes per thread, and those at "
               "build/tests/handed_in/nbody.cu:"},
              /* float in global memory, half in the tile */
              {"10_fp16", "typedef __half number;", "typedef float number;", "",
               "of the loads from global memory are of 2 bytes per thread"},
              /* half in global memory, float in the tile */
              {"10_fp16", "__shared__ __half tile_x", "__shared__ float tile_x", "",
               " of 4; most are to be of 2"});
}

TEST(test_pinned) {
    CHECK_ALL("11_pinned", "16", {"11_pinned", "", "", "", NULL},
              {"09_ftz", "", "", "", "0 of 1 copies to the device and 0 of 1 back"},
              {"11_pinned", "CUDA_CHECK(cudaMemcpy(host,",
               "host = (float *)malloc(bytes); CUDA_CHECK(cudaMemcpy(host,", "",
               "1 of 1 copies to the device and 0 of 1 back"},
              {"11_pinned", "CUDA_CHECK(cudaMemcpy(device, host, bytes,",
               "CUDA_CHECK(cudaMemcpy(device, host, 4, cudaMemcpyHostToDevice)); "
               "CUDA_CHECK(cudaMemcpy(device, &simulation->in->x, bytes,",
               "", "1 of 2 copies to the device and 1 of 1 back"});
}

#define SCALARS "const vector &other = " /* no copy: the loop loads member by member */

TEST(test_float4) {
    CHECK_ALL("12_float4", "float4", {"12_float4", "", "", "", NULL},
              {"11_pinned", "", "", "",
               "0% of the loads from shared memory are of 16 bytes per thread, and those at "
               "build/tests/handed_in/nbody.cu:"},
              {"12_float4", "vector other = ", SCALARS, "", " of 4; most are to be of 16"},
              /* without a tile */
              {"12_float4", "vector other = tile[j]", "vector other = bodies.position[start + j]",
               "", NULL},
              {"12_float4", "vector other = tile[j]", SCALARS "bodies.position[start + j]", "",
               "of the loads from global memory"});
}

TEST(test_register_blocking) {
    CHECK_ALL("14_register_blocking", "2", {"14_register_blocking", "", "", "", NULL});
    CHECK_ALL("14_register_blocking", "1",
              {"14_register_blocking", "", "", "",
               "loads from shared or global memory, most of them at "
               "build/tests/handed_in/nbody.cu:"});
}

/* 250 blocks of 2 warps for 1000 bodies; a thread a body and row is two rows of 250. */
TEST(test_threads_per_body) {
    CHECK_ALL("15_threads_per_body", "chosen", {"15_threads_per_body", "", "", "", NULL},
              {"15_threads_per_body", "#define LANES 32", "#define LANES 1", "",
               "kernel has 256 threads for 1000 bodies"},
              /* Each thread's sums leave the block. */
              {"15_threads_per_body", "add_up<VALUES>(values, lane, sums[worker]);",
               "add_up<VALUES>(values, lane, sums[worker]);\n"
               "for (int k = 0; k < VALUES && first + k / 4 < job.n; k++)\n"
               "    next[first + k / 4].w = values[k];",
               "", "bytes in global memory for a body and an iteration; at most 96 are wanted"});
}

/* Three devices of 334 bodies, in blocks of 512. */
TEST(test_multi_gpu) {
    CHECK_ALL("17_multi_gpu", "all", {"17_multi_gpu", "", "", "", NULL},
              {"14_register_blocking", "", "", "", "device 0 of 3 took 100% of the roots"},
              {"17_multi_gpu", "#include \"ranks.h\"",
               "#undef DEVICES\n#define DEVICES 1\n#include \"ranks.h\"", "",
               "device 0 of 3 took 100% of the roots"},
              {"17_multi_gpu", "own.first = rank * share;",
               "own.first = 0, left = n, share = n; (void)rank;", "",
               "3 devices took 3.1 roots per interaction in all"},
              {"17_multi_gpu", "add_forces(simulation, NEAR, now);",
               "exchange_wait(exchange), add_forces(simulation, NEAR, now);", "",
               "0 of 24 kernels could run while positions were in flight"});
}

GROUP(read_catalogue_without_nvcc, NULL)
