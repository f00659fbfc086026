/* How steps in CUDA C are built and checked: what the referee makes of compile errors, of faults in
 * the builds for the CPU, and of what the compiler for the GPU says. */
#include "testing.h"

#include <sched.h>

#include "command.h"

/* One size, at which a block has a tail; `NVCC=` leaves the GPU's compiler out. */
#define CHECK "build/referee check --step 05 --variant soa --n 1000 --seed 5 "

static char *solution;

static int begin(void **state) {
    setenv("NVCC", "", 1);
    return enter_tree(state) || !(solution = read_file("solutions/05_tiling/nbody.cu", NULL));
}

/* Writes build/`name` with the place-th `from` replaced; returns its line. */
static int write_mutant(const char *name, const char *from, int place, const char *to) {
    char *at = solution, *text, path[64];
    int line = 1;

    while ((at = strstr(at, from)) && --place)
        at++;
    assert_non_null(at);
    for (text = solution; text < at; text++)
        line += *text == '\n';
    assert_true(asprintf(&text, "%.*s%s%s", (int)(at - solution), solution, to, at + strlen(from)) >
                0);
    snprintf(path, sizeof path, "build/%s", name);
    write_file(path, text);
    free(text);
    return line;
}

TEST(test_a_right_step) {
    struct result result = run(CHECK "--file solutions/05_tiling/nbody.cu");

    assert_code(result, 0);
    assert_says(result.out, "backend cpucuda, seed 5");
    assert_says(result.out, "results   accepted");
    assert_says(result.out, "memory    accepted");
    assert_says(result.out, "races     accepted");
    assert_says(result.out, "skipped\n      nvcc is not installed");
    assert_string_equal(result.err, "");
}

/* Both lines are named, and the variable; the race decides and not the wrong result. */
TEST(test_a_missing_barrier) {
    char lines[2][64];
    int loads = write_mutant("load.cu", "tile_x[slot] =", 1, "");
    int uses = write_mutant("use.cu", "float dx = tile_x[", 1, "");
    struct result result;

    write_mutant("barrier.cu", "__syncthreads();", 2, "");
    result = run(CHECK "--file build/barrier.cu");
    assert_code(result, 36);
    assert_says(result.out, "two threads of one block touch the same memory without order");
    /* The two may happen to be of one warp: then __syncwarp() is named, too. */
    if (!strstr(result.out, "a barrier is missing on the way from line ") ||
        !strstr(result.out,
                ": __syncthreads(), or __syncwarp() if no other warp uses the variable"))
        assert_says(result.out, "a barrier, __syncthreads(), is missing on the way from line ");
    assert_says(result.out, "shared variable `tile_");
    assert_null(strstr(result.out, "did not repeat"));
    snprintf(lines[0], sizeof lines[0], "build/barrier.cu:%d", loads);
    snprintf(lines[1], sizeof lines[1], "build/barrier.cu:%d", uses);
    /* Which of the three components is told depends on the order. */
    lines[0][strlen(lines[0]) - 1] = lines[1][strlen(lines[1]) - 1] = 0;
    assert_says(result.out, lines[0]);
    assert_says(result.out, lines[1]);
}

/* What leaves its array also races with the threads next door: the memory error decides. */
TEST(test_behind_an_array) {
    struct result result;

    write_mutant("behind.cu", "tile_x[slot] =", 1, "(&tile_x[0])[slot + THREADS / 2] =");
    result = run(CHECK "--file build/behind.cu");
    assert_code(result, 37);
    assert_says(result.out, "write of 4 bytes outside its memory: shared variable `tile_x` of "
                            "build/behind.cu:");
    assert_says(result.out, "1024 bytes; this is byte ");
    write_mutant("small.cu", "tile_x[THREADS]", 1, "tile_x[THREADS / 2]");
    result = run(CHECK "--file build/small.cu");
    assert_code(result, 37);
    assert_says(result.out, "out of bounds for type 'float [128]'");
}

TEST(test_no_shared_variable) {
    struct result result;

    write_mutant("local.cu", "__shared__ float", 1, "float");
    result = run(CHECK "--file build/local.cu");
    assert_says(result.out, "calls __syncthreads() and has no shared variable: is __shared__");
}

/* A GPU makes 0 of it, and a CPU something else. */
TEST(test_a_negative_number_without_a_sign) {
    struct result result;

    write_mutant("cast.cu", "+= dt * fx", 1, "+= dt * fx + 0 * (float)(unsigned)(fx - 9)");
    result = run(CHECK "--file build/cast.cu");
    assert_says(result.out, "is outside the range of representable values of type 'unsigned int'");
}

/* A call of the kit that not all lanes make: the learner's line is told, too, whether a lane is
 * gone or waits elsewhere. */
TEST(test_a_call_of_the_kit) {
    static const char *const edits[] = {"if (threadIdx.x % 3)\n",
                                        "if (threadIdx.x % 32 > 20)\nreturn;"};
    char *of_05 = solution, place[64];
    struct result result;
    size_t i;
    int line;

    for (i = 0; i < sizeof edits / sizeof *edits; i++) {
        char text[96];

        snprintf(text, sizeof text, "%s sum = sum_of_lanes", edits[i]);
        solution = read_file("solutions/24_spmv/spmv.cu", NULL);
        line = write_mutant("kit.cu", "sum = sum_of_lanes", 1, text) + 1;
        free(solution);
        solution = of_05;
        result = run("build/referee check --step 24 --variant tiles --n 1000 --seed 5 --file "
                     "build/kit.cu");
        assert_code(result, 42);
        assert_says(result.out, "common/kit/products.h:");
        snprintf(place, sizeof place, "(called in build/kit.cu:%d)", line);
        assert_says(result.out, place);
    }
}

/* Whose memory it was is told, and of each line the path that the learner knows. */
TEST(test_a_tile_with_a_rest) {
    struct result result;

    write_mutant("last.cu", "n - start < THREADS ? n - start : THREADS", 1, "THREADS");
    result =
        run("build/referee check --step 05 --variant soa --n 200 --seed 5 --file build/last.cu");
    assert_code(result, 50);
    assert_says(result.out, "it was computed from shared memory that no thread wrote");
    assert_says(result.out, "at build/last.cu:");
    assert_says(result.out, "(build/last.cu:");
    assert_null(strstr(result.out, "at last.cu:"));
    result = run("build/referee check --step 05 --variant soa --n 1 --seed 5 --file build/last.cu");
    assert_says(result.out, "1 of 1 body holds NaN or Inf: the first is body 0");
}

/* A run that is not timed has the iterations that it was asked for, as far as a check has them. */
TEST(test_iterations_of_a_run) {
    static const char run_it[] = "build/referee run --step 05 --backend cpucuda --n 100 ";

    write_mutant("half.cu", "+= dt * fx", 1, "+= dt / 2 * fx");
    assert_says(run("%s --file build/half.cu", run_it).err, "after 2 iterations: ");
    assert_says(run("%s --iterations 1 --file build/half.cu", run_it).err, "after 1 iteration: ");
    assert_says(run("%s --iterations 100 --file build/half.cu", run_it).err,
                "after 5 iterations: ");
}

/* With one worker it does not fail. */
TEST(test_what_does_not_repeat) {
    struct result result;
    cpu_set_t cpus;

    if (sched_getaffinity(0, sizeof cpus, &cpus) || CPU_COUNT(&cpus) < 2)
        skip();
    write_mutant("workers.cu", "    return 0;\n}", 1,
                 "    return atoi(getenv(\"CPUCUDA_WORKERS\")) > 1;\n}");
    result = run(CHECK "--file build/workers.cu");
    assert_code(result, 28);
    assert_says(result.out, "run function returned 1 (did not repeat with one worker: the "
                            "order of threads matters)");
}

TEST(test_an_error_of_its_own) {
    struct result result;
    char words[128];
    int line = write_mutant("error.cu", "CUDA_CHECK(cudaMalloc(", 1,
                            "cudaSetDevice(7); CUDA_CHECK(cudaGetLastError()); "
                            "CUDA_CHECK(cudaMalloc(");

    result = run(CHECK "--file build/error.cu");
    assert_code(result, 28);
    snprintf(words, sizeof words,
             "reported an error of its own: build/error.cu:%d: cudaGetLastError()", line);
    assert_says(result.out, words);
}

/* The rewriter's words and the compiler's name the learner's file and line; not the stand-ins. */
TEST(test_compile_errors) {
    struct result result;
    char place[64];
    int line;

    line = write_mutant("a b.cu", "<<<blocks, threads>>>", 1, "<<<blocks>>>");
    result = run(CHECK "--file 'build/a b.cu'");
    assert_code(result, 7);
    snprintf(place, sizeof place, "build/a b.cu:%d: error: 1 argument between <<< and >>>", line);
    assert_says(result.err, place);
    line = write_mutant("c.cu", "__syncthreads();", 1, "no_such_call();");
    result = run(CHECK "--file build/c.cu");
    assert_code(result, 7);
    snprintf(place, sizeof place, "build/c.cu:%d:", line);
    assert_says(result.err, place);
    assert_says(result.err, "no_such_call");
    assert_null(strstr(result.err, "cpucuda/include"));
    line = write_mutant("c.cu", "<<<blocks, threads>>>", 1, "");
    result = run(CHECK "--file build/c.cu");
    assert_code(result, 7);
    snprintf(place, sizeof place, "build/c.cu:%d: error: update_velocities is a kernel", line);
    assert_says(result.err, place);
    write_mutant("c.cu", "no such text" + 12, 1, "");
    assert_code(run(CHECK "--file build/c.cu"), 0);
}

TEST(test_backends) {
    static const struct {
        const char *options, *words;
    } bad[] = {
        {"--step 05 --backend cpu", "BACKEND=cpu: 05_tiling is CUDA C; BACKEND=cpucuda runs it"},
        {"--step 05 --backend cpucuda --arch sm_90", "ARCH=sm_90: 05_tiling is CUDA C"},
        {"--step 02 --backend cpucuda", "BACKEND=cpucuda: 02_openmp is C and runs on the CPU"},
        {"--step 02 --arch sm_90", "ARCH=sm_90: 02_openmp is C"},
        {"--step 05 --arch 90", "ARCH=90: a GPU architecture is needed, as in sm_90"},
        {"--step 05 --arch 'sm_90;x'", "as in sm_90"},
    };
    size_t i;

    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_one_line(run("build/referee check %s", bad[i].options), 3, bad[i].words, "");
}

/* Stand-ins for nvcc: one that accepts everything, and one that knows no architecture, as far as
 * the list goes. No GPU is to be found. */
static void write_nvcc(const char *list) {
    char text[1024];

    snprintf(text, sizeof text,
             "#!/bin/sh\ncase $* in\n--version) echo 'release 13.0,' ;;\n--list-gpu-arch) %s ;;\n"
             "*) echo \"$*\" >>build-arguments\n"
             "   case $* in *sm_newest*) echo 'no such architecture'; exit 1 ;; esac\n"
             "   while [ \"$1\" != -o ]; do shift; done; echo >\"$2\" ;;\nesac\n",
             list);
    write_file("build/nvcc", text);
    chmod("build/nvcc", 0755);
}

TEST(test_compiled_for_gpus) {
    static const char command[] = "rm -rf build/solutions; NVCC=$PWD/build/nvcc ARCH=x86_64 "
                                  "build/referee build --step 12%s && "
                                  "cut -f2,6 build/solutions/12_float4/players.tsv";
    struct result result;

    if (!access("/dev/nvidiactl", F_OK))
        skip();
    write_nvcc("echo compute_75; echo compute_100; echo compute_86");
    result = run(command, "");
    assert_code(result, 0);
    assert_says(result.out, "builds, 3 variants\n");
    assert_says(result.out, "compiled\t-O3 -gencode arch=compute_75,code=sm_75 -gencode "
                            "arch=compute_100,code=sm_100 -DTHREADS=256 -DTILE=1024 -DUNROLL=64 "
                            "-DVECTOR=float4");
    assert_null(strstr(result.out, "code=sm_100 -DTHREADS=256 -DTILE=1024 -DUNROLL=64 "
                                   "-DVECTOR=float3")); /* another variant */
    result = run("! grep -v -e ' -cuda' build-arguments && rm build-arguments");
    assert_code(result, 0); /* nobody will run it, so nothing is linked */
    result = run(command, " --arch sm_99");
    assert_code(result, 3);
    assert_string_equal(result.err,
                        "error: ARCH=sm_99: nvcc does not know it; one of sm_75, sm_100, "
                        "sm_86 is needed\n");
    result = run(command, " --arch sm_86");
    assert_says(result.out, "-arch=sm_86 -DTHREADS=256 -DTILE=1024 -DUNROLL=64 -DVECTOR=float4");
    assert_says(result.out, "-arch=sm_86 -DTHREADS=256 -DTILE=1024 -DUNROLL=64 -DVECTOR=float3");
    result =
        run("! grep -v -e ' -c ' -e player.o build-arguments && grep -c player.o build-arguments");
    assert_string_equal(result.out, "3\n");
    write_nvcc("exit 1");
    result = run(command, "");
    assert_code(result, 7);
    assert_says(result.err, "no such architecture");
}

TEST(test_the_gpus_compiler_decides) {
    struct result result;

    if (!access("/dev/nvidiactl", F_OK) ||
        system("command -v nvcc /usr/local/cuda/bin/nvcc >/dev/null"))
        skip();
    write_mutant("error.cu", "#include \"nbody.h\"", 1,
                 "#include \"nbody.h\"\n#ifdef __CUDACC__\n#error only nvcc\n#endif");
    result = run("unset NVCC; " CHECK "--file build/error.cu");
    assert_code(result, 7);
    assert_says(result.err, "only nvcc");
    assert_says(result.err, "(variant soa, nvcc ");
    /* Warnings are shown. */
    write_mutant("warn.cu", "#include \"nbody.h\"", 1,
                 "#include \"nbody.h\"\n#ifdef __CUDACC__\n#warning only nvcc\n#endif");
    result = run("unset NVCC; build/referee build --step 05 --file build/warn.cu");
    assert_code(result, 0);
    assert_says(result.err, "only nvcc");
}

GROUP(begin, leave_tree)
