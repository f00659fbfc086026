/* What can be known of a program by building it, and looking at it or running it here. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explained.h"
#include "referee/machine/gpu.h"
#include "referee/inspect/one_program.h"
#include "referee/inspect/trace_print.h"

/* As `make trace` has them. */
enum { TRACED_ITERATIONS = 2 };

static int in_path(const char *tool) {
    char command[64];

    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", tool);
    return system(command) == 0;
}

/* Without a wish only the default variant is built: the others take their time. */
static enum outcome build_variant(struct explained *explained, const char *builds,
                                  const char *wish) {
    struct programs *programs = &explained->programs;
    enum outcome outcome;

    snprintf(explained->variant, sizeof explained->variant, "%s",
             one_variant(programs->step, wish));
    outcome = programs_build(programs, builds, wish ? NULL : explained->variant);
    return outcome || !wish || programs_has(programs, wish) ? outcome
                                                            : programs_no_variant(programs, wish);
}

/* Runs a tool on the program, whose path it gets in the environment. It prints lines "name value"
 * and more; what it complains of stands on stderr. Returns whether it told anything. */
static int ask_tool(struct explained *explained, const struct program *program, const char *command,
                    struct origins *origins, const char *origin_text) {
    char name[40], line[256], origin = 0;
    double value;
    FILE *pipe;

    setenv("PROGRAM", program->path, 1);
    fflush(stdout);
    if (!(pipe = popen(command, "r")))
        return 0;
    while (fgets(line, sizeof line, pipe)) {
        if (sscanf(line, "%39s %lf", name, &value) != 2)
            continue;
        if (!origin) {
            origin = origin_letter(origins, "%s", origin_text);
            figures_begin(explained, origin);
        }
        figure_take(explained, name, value, origin);
    }
    pclose(pipe);
    return origin != 0;
}

/* Whether our scripts can find the loop in machine code: by the square root that an interaction
 * takes. Of other problems that is said. */
static int has_root(const struct explained *explained, struct origins *origins) {
    const struct problem *problem = explained_problem(explained);
    int has = !strcmp(problem->unit, "interactions");

    if (!has)
        origin_note(origins,
                    "machine code is not counted: the loop is found by its square root, and "
                    "no %s takes one",
                    problem->per);
    return has;
}

/* The loop of a step in C. */
static void read_loop(struct explained *explained, struct origins *origins) {
    const struct program *program =
        programs_find(&explained->programs, explained->variant, "plain");
    char origin[ORIGIN_BYTES];

    if (!program || !has_root(explained, origins))
        return;
    snprintf(origin, sizeof origin, "machine code of %s, by objdump; not executed",
             program->compiler);
    if (!in_path("objdump"))
        origin_note(origins,
                    "objdump (binutils) is not in PATH: what a loop in C executes is not known");
    else if (!ask_tool(explained, program,
                       "LC_ALL=C objdump -d --no-show-raw-insn \"$PROGRAM\" | "
                       "awk -f common/report/tools/x86.awk",
                       origins, origin))
        origin_note(origins, "no loop with a square root was found in the program; only x86-64's "
                             "instructions are understood");
}

static enum outcome read_trace(struct explained *explained, const struct options *options,
                               struct origins *origins) {
    const struct program *program =
        programs_find(&explained->programs, explained->variant, "trace");
    const struct problem *problem = explained_problem(explained);
    struct counters *counters = &explained->counters;
    const struct interval *most;
    struct trace_fact facts[TRACE_FACTS];
    enum outcome outcome;
    int n = options->n ? options->n : problem->trace_cases->n, i, count;
    char origin;

    if (!program) {
        origin_note(origins, "there is no C++ compiler, g++ or clang++: no trace");
        return OUTCOME_ACCEPTED;
    }
    outcome =
        count_run(&explained->programs, program, n, TRACED_ITERATIONS, options->seed, counters);
    if (outcome)
        return outcome;
    origin = origin_letter(origins, "counted by cpucuda on this CPU, n = %d", n);
    snprintf(explained->traced, sizeof explained->traced, "%s", program->path);
    explained->traced_n = n;
    explained->traced_work = problem->work(problem->distributions[0], n) * TRACED_ITERATIONS;
    count = trace_facts(counters, problem, explained->traced_work, facts);
    for (i = 0; i < count; i++) {
        if (!strncmp(facts[i].name, "trace_global_bytes_per_", 23))
            figure_set(explained, FIGURE_global_bytes, facts[i].value, origin);
        if (!strcmp(facts[i].name, "trace_varied_sectors_per_request"))
            figure_set(explained, FIGURE_sectors, facts[i].value, origin);
        if (!strcmp(facts[i].name, "trace_shared_wavefronts_per_request"))
            figure_set(explained, FIGURE_wavefronts, facts[i].value, origin);
    }
    figure_set(explained, FIGURE_copies, (double)(counters->copies_in + counters->copies_out),
               origin);
    figure_set(explained, FIGURE_pinned, (double)(counters->pinned_in + counters->pinned_out),
               origin);
    if ((most = most_roots(counters))) {
        snprintf(explained->kernel, sizeof explained->kernel, "%.*s",
                 (int)strcspn(most->kernel, "<"), most->kernel);
        figure_set(explained, FIGURE_threads, (double)most->threads, origin);
        figure_set(explained, FIGURE_shared_bytes,
                   (double)(most->static_bytes + most->dynamic_bytes), origin);
        explained->dynamic_bytes = (double)most->dynamic_bytes;
    }
    return OUTCOME_ACCEPTED;
}

/* Whether that mangled name is the kernel's: _Z17update_velocities6bodies10parameters, or with C's
 * linkage the name itself. */
static int is_kernel(const char *mangled, const char *kernel) {
    char part[64];

    snprintf(part, sizeof part, "%zu%s", strlen(kernel), kernel);
    return *kernel && (!strcmp(mangled, kernel) || strstr(mangled, part));
}

/* What ptxas says of the kernel that takes most roots, in N-body that with the loop over pairs. */
static void read_ptxas(struct explained *explained, const struct program *program,
                       struct origins *origins) {
    char path[600], line[1024], name[512] = "", *at, origin;
    int stores, loads, registers;
    FILE *file;

    snprintf(path, sizeof path, "%s.log", program->path);
    if (!(file = fopen(path, "r")))
        return;
    while (fgets(line, sizeof line, file)) {
        sscanf(line, "ptxas info : Compiling entry function '%511[^']'", name);
        if (!is_kernel(name, explained->kernel))
            continue;
        origin = origin_letter(origins, "ptxas, by %s for %s", program->compiler,
                               explained->architecture);
        if (sscanf(line, " %*d bytes stack frame, %d bytes spill stores, %d bytes spill loads",
                   &stores, &loads) == 2)
            figure_set(explained, FIGURE_spill_bytes, stores + loads, origin);
        if (sscanf(line, "ptxas info : Used %d registers", &registers) != 1)
            continue;
        figure_set(explained, FIGURE_registers, registers, origin);
        if ((at = strstr(line, " bytes smem")))
            while (at > line && isdigit((unsigned char)at[-1]))
                at--;
        figure_set(explained, FIGURE_shared_bytes, (at ? atoi(at) : 0) + explained->dynamic_bytes,
                   origin);
    }
    fclose(file);
}

static void read_machine_code(struct explained *explained, struct origins *origins) {
    const struct program *program =
        programs_find(&explained->programs, explained->variant, "cubin");
    const char *architecture = program ? strstr(program->flags, "-arch=") : NULL;
    char origin[ORIGIN_BYTES];

    if (!program) {
        origin_note(origins,
                    "nvcc is not in PATH: registers and spills of this source are not known");
        return;
    }
    if (architecture)
        sscanf(architecture, "-arch=%7s", explained->architecture);
    read_ptxas(explained, program, origins);
    if (!has_root(explained, origins))
        return;
    if (!in_path("cuobjdump")) {
        origin_note(origins, "cuobjdump (of the CUDA toolkit) is not in PATH: instructions of this "
                             "source are not counted");
        return;
    }
    snprintf(origin, sizeof origin, "machine code for %s, by cuobjdump; not executed",
             explained->architecture);
    setenv("STEP_NAME", explained->programs.step->name, 1);
    ask_tool(explained, program,
             "cuobjdump -sass \"$PROGRAM\" | "
             "awk -v program=\"$STEP_NAME\" -f common/report/tools/sass.awk",
             origins, origin);
}

/* What a GPU counts while it executes the program. */
static void read_counters(struct explained *explained, const struct options *options,
                          struct origins *origins) {
    const struct program *program =
        programs_find(&explained->programs, explained->variant, "standalone");
    const struct problem *problem = explained_problem(explained);
    int n = options->n ? options->n : problem->sizes->on_gpu; /* fills a GPU */
    char command[160], origin[ORIGIN_BYTES];
    struct gpu gpu;

    if (!program || !in_path("ncu") || !gpu_describe(gpu_of_programs(), &gpu)) {
        origin_note(origins, "to count what warps of this source wait for takes a GPU, nvcc and "
                             "ncu (Nsight Compute)");
        return;
    }
    snprintf(command, sizeof command, "common/report/tools/executed.sh \"$PROGRAM\" %d %.0f %s", n,
             problem->work(problem->distributions[0], n), problem->per);
    snprintf(origin, sizeof origin, "executed on %s, by ncu, n = %d", gpu.name, n);
    if (!ask_tool(explained, program, command, origins, origin))
        origin_note(origins, "ncu told nothing; its reason stands above");
}

enum outcome explained_build(struct explained *explained, const struct options *options,
                             struct origins *origins) {
    struct programs *programs = &explained->programs;
    int gpu = gpu_of_programs() >= 0;
    enum outcome outcome;

    if (!step_is_cuda(programs->step)) {
        if (!(outcome = build_variant(explained, "plain", options->variant)))
            read_loop(explained, origins);
        return outcome;
    }
    if (!programs->arch && !gpu)
        programs->arch = RECORDED_ARCHITECTURE;
    snprintf(explained->architecture, sizeof explained->architecture, "%.7s",
             programs->arch ? programs->arch : RECORDED_ARCHITECTURE);
    if ((outcome = build_variant(explained, gpu ? "trace cubin standalone" : "trace cubin",
                                 options->variant)) ||
        (outcome = read_trace(explained, options, origins)))
        return outcome;
    read_machine_code(explained, origins);
    read_counters(explained, options, origins);
    return OUTCOME_ACCEPTED;
}
