#include "estimate.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "executed.h"
#include "model.h"
#include "what_if.h"
#include "problems/problem.h"
#include "referee/base/json.h"
#include "referee/lesson/parts.h"
#include "referee/inspect/one_program.h"
#include "referee/record/student_rows.h"

/* Nine in ten of the rows of docs/results/estimates-h200.txt are off by no more: of those of steps
 * with one loop over bodies, and of those with arrays or tensor cores. */
enum { LOOPS_PERCENT = 11, OTHERS_PERCENT = 32 };

/* At most so many elements, in the run that is held against the C++ build. */
enum { SMALL_RUN = 1021 };

/* What is estimated: the counts of one iteration, what copies and launches two take, and the
 * times. */
struct estimated {
    const struct step *step;
    char variant[40];
    const struct problem *problem;
    struct gpu_model gpu;
    struct machine_code one, two;
    int n;
    double work;             /* units of work of an iteration */
    double kernels;          /* seconds of an iteration, by the device's clock */
    double queueing;         /* what the host takes for its launches and fills meanwhile */
    double copies;           /* of copies in an iteration */
    double once;             /* of copies before and after all iterations */
    double host;             /* of the host between the copies of an iteration */
    struct kernel_time most; /* of the kernel that takes most */
    double seconds;          /* of an iteration, all in all */
    double recorded;         /* G/s of the solution in a record; 0: none */
    double kernels_recorded; /* the same of its kernels alone */
};

static double copies_of(const struct gpu_model *gpu, const struct machine_code *code) {
    double sum = 0;

    if (code->copies_in)
        sum += code->copies_in * copy_estimate(gpu, code->bytes_in / code->copies_in,
                                               2 * code->pinned_in > code->copies_in);
    if (code->copies_out)
        sum += code->copies_out * copy_estimate(gpu, code->bytes_out / code->copies_out,
                                                2 * code->pinned_out > code->copies_out);
    return sum;
}

/* How often a second iteration launches that kernel again; negative: two iterations never did. */
static double launches_again(const struct estimated *all, const struct kernel *kernel) {
    int k;

    for (k = 0; k < all->two.count; k++) {
        const struct kernel *other = &all->two.kernels[k];

        if (!strcmp(other->name, kernel->name) && other->blocks == kernel->blocks &&
            other->threads == kernel->threads && other->dynamic_bytes == kernel->dynamic_bytes)
            return other->launches - kernel->launches;
    }
    return -1;
}

/* Executes one iteration, and counts the launches of two; where no block is executed the host may
 * launch other kernels, by values that it reads back: then two are executed, too. */
static enum outcome count(struct estimated *all, const struct executable *executable) {
    enum outcome outcome = executed_count(executable, all->n, 1, BLOCKS_EXECUTED, &all->one);
    int k;

    if (!outcome)
        outcome = executed_count(executable, all->n, 2, 0, &all->two);
    for (k = 0; !outcome && k < all->one.count; k++)
        if (launches_again(all, &all->one.kernels[k]) < 0) {
            machine_code_free(&all->two);
            return executed_count(executable, all->n, 2, BLOCKS_EXECUTED, &all->two);
        }
    return outcome;
}

static void add_times(struct estimated *all, int iterations) {
    const struct machine_code *one = &all->one, *two = &all->two;
    double longest = -1;
    double launches = two->launches - one->launches - (two->by_graphs - one->by_graphs);
    double fills = two->fills - one->fills;
    int k;

    for (k = 0; k < one->count; k++) {
        struct kernel_time time = kernel_estimate(&one->kernels[k], &all->gpu, ROOM);
        double again = fmax(launches_again(all, time.kernel), 0);

        all->kernels += time.seconds * again;
        all->once += time.seconds * (time.kernel->launches - again);
        if (time.seconds * again > longest) {
            all->most = time;
            longest = time.seconds * again;
        }
    }
    /* A fill is a kernel of its own that is over as soon as it began. */
    all->kernels += fills * 1e-6 * all->gpu.kernel_us;
    all->queueing = 1e-6 * (all->gpu.launch_us * launches + all->gpu.fill_us * fills);
    all->copies = fmax(copies_of(&all->gpu, two) - copies_of(&all->gpu, one), 0);
    all->once += fmax(copies_of(&all->gpu, one) - all->copies, 0);
    all->once += (one->bytes_in + one->bytes_out) / (1e9 * all->gpu.input_gbps);
    if (all->copies > 0) /* in every iteration: the host waits, and works on what it brought */
        all->host = all->queueing + (two->bytes_out - one->bytes_out) / (1e9 * all->gpu.host_gbps);
    else /* it launches the next kernels while these run */
        all->kernels = fmax(all->kernels, all->queueing);
    all->seconds = all->kernels + all->copies + all->host + all->once / iterations;
}

/* The last rates of the solution at that n in the records of the validated GPU: host to host, and
 * of its kernels alone, with the first distribution for that. */
static void recall_rates(struct estimated *all) {
    const char *const *alone = all->problem->device_distributions;
    struct student_rows rows;

    solution_rows_read(&rows);
    for (int i = 0; i < rows.count; i++) {
        const char(*field)[FIELD_BYTES] = rows.list[i].field;

        if (strcmp(field[COLUMN_step], all->step->name) ||
            strcmp(field[COLUMN_variant], all->variant) || strcmp(field[COLUMN_backend], "cuda") ||
            atoi(field[COLUMN_n]) != all->n)
            continue;
        if (strcmp(field[COLUMN_clock], "device"))
            all->recorded = atof(field[COLUMN_rate_gps]);
        else if (alone && !strcmp(field[COLUMN_distribution], *alone))
            all->kernels_recorded = atof(field[COLUMN_rate_gps]);
    }
    student_rows_free(&rows);
}

/* Of a skeleton there is nothing to estimate; a FILE may be about something else. The command says
 * which part is not written. */
static enum outcome is_written(const struct programs *programs, const struct options *options) {
    static struct parts parts;
    enum outcome outcome;

    if (programs->solution || options->file)
        return OUTCOME_ACCEPTED;
    if ((outcome = parts_read(&parts, programs->source)) || !parts_unfinished(&parts))
        return outcome;
    return complain(OUTCOME_UNFINISHED, "%s has no estimate before its parts are written",
                    programs->step->name);
}

/* Builds and executes the step's program, and fills `all` in. */
static enum outcome estimate_step(struct estimated *all, const struct step *step,
                                  const struct options *options, int solution) {
    static struct programs programs;
    char title[96], why[MOST_VALUE];
    const struct program *program, *cubin;
    struct executable executable;
    int iterations = options->iterations ? options->iterations : 10;
    enum outcome outcome;

    if (manifest_value(step->manifest, "no_estimate", why))
        return complain(OUTCOME_MACHINE_CODE, "%s has no estimate: %s", step->name, why);
    all->step = step;
    all->problem = problem_find(step->problem);
    all->n = options->n ? options->n : all->problem->sizes->on_gpu;
    all->work = all->problem->work(all->problem->distributions[0], all->n);
    if ((outcome = programs_choose(&programs, step, options, solution)) ||
        (outcome = is_written(&programs, options)))
        return outcome;
    programs.arch = all->gpu.architecture;
    snprintf(all->variant, sizeof all->variant, "%s",
             one_variant(step, options->step == step ? options->variant : NULL));
    programs.variant = all->variant;
    if ((outcome = programs_build(&programs, "sass cubin", NULL)))
        return outcome;
    program = programs_find(&programs, all->variant, "sass");
    cubin = programs_find(&programs, all->variant, "cubin");
    if (!program && !cubin && options->variant)
        return programs_no_variant(&programs, all->variant);
    snprintf(title, sizeof title, "%.50s, variant %.40s", step->name, all->variant);
    if (!program || !cubin)
        return complain(OUTCOME_NO_CODE,
                        "%s: there is no machine code for %s; nvcc and a C++ compiler make it",
                        title, all->gpu.architecture);
    executable =
        (struct executable){program->path, cubin->path, title, (int)all->gpu.multiprocessors};
    if ((outcome = executed_agrees(&executable, all->n < SMALL_RUN ? all->n : SMALL_RUN)) ||
        (outcome = count(all, &executable)))
        return outcome;
    if (all->one.devices > 1)
        return complain(OUTCOME_MACHINE_CODE, "%s: it uses %d GPUs; an estimate is of one", title,
                        all->one.devices);
    add_times(all, iterations);
    if (all->kernels <= 0)
        return complain(OUTCOME_MACHINE_CODE,
                        "%s: an iteration launches no kernel of its own, so one iteration cannot "
                        "be told from the whole run",
                        title);
    if (all->gpu.validated)
        recall_rates(all);
    return OUTCOME_ACCEPTED;
}

static double rate_of(const struct estimated *all) {
    return all->work / all->seconds / 1e9;
}

static void free_estimated(struct estimated *all) {
    machine_code_free(&all->one);
    machine_code_free(&all->two);
}

/* A kernel's name as its source has it: after _Z, its length and its letters. */
static const char *kernel_title(const struct kernel *kernel, char title[64]) {
    const char *at = kernel->name + strcspn(kernel->name, "0123456789");
    size_t length = (size_t)atoi(at);

    at += strspn(at, "0123456789");
    snprintf(title, 64, "%.*s", (int)(length && length < 63 ? length : 63),
             length ? at : kernel->name);
    return title;
}

/* The changes that would shorten the kernel that takes most; none that is below a fiftieth. */
static void print_what_if(const struct estimated *all) {
    static const char *const begin[] = {"what would change it most", "then"};
    struct what_if found[CHANGES];
    int said = 0, k;

    if (all->kernels <= all->queueing) {
        printf("  the host's launches bound it; %s: fewer and longer kernels, or a graph\n",
               *begin);
        return;
    }
    if (!strcmp(all->most.limit, "issue"))
        printf("  %s: fewer instructions (one less per %s: %.1f%% less time)\n", begin[said++],
               all->problem->per, 100 / (32 * all->most.slots / all->work));
    what_if(all->most.kernel, &all->gpu, found);
    for (k = 0; k < CHANGES && said < 2 && found[k].left <= 0.98; k++)
        printf("  %s: %s (%.0f%% less time)\n", begin[said++], found[k].change,
               100 - 100 * found[k].left);
    if (!said)
        printf("  none of the changes that were tried would shorten it by 2%%\n");
}

static void print_first_line(const struct estimated *all) {
    char error[64] = " (not validated: no record of this GPU)";
    int is_other = !strcmp(all->step->part, "III") || all->most.played.busy[PIPE_TENSOR] > 0;

    if (all->gpu.validated)
        snprintf(error, sizeof error, " (+- %d%%)", is_other ? OTHERS_PERCENT : LOOPS_PERCENT);
    printf("%s %s, n = %d, estimated for %s %s: %.4g G/s, %.4g s per iteration%s\n",
           all->step->name, all->variant, all->n, strchr("AH", *all->gpu.title) ? "an" : "a",
           all->gpu.title, rate_of(all), all->seconds, error);
}

static void print_estimate(const struct estimated *all, const struct estimated *before) {
    const struct kernel_time *most = &all->most;
    const double *busy = most->played.busy;
    char title[64];

    print_first_line(all);
    printf("  %s: bound by %s; %.4g slots per %s; schedulers issue in %.0f%% of cycles\n",
           kernel_title(most->kernel, title), most->limit, 32 * most->slots / all->work,
           all->problem->per, 100 * most->played.issuing);
    printf("  FMA pipe %.0f%%, ALU %.0f%%, XU %.0f%%, tensor %.0f%%, shared memory %.0f%%, L2 "
           "%.0f%%, DRAM %.0f%%\n",
           100 * busy[PIPE_FMA], 100 * busy[PIPE_ALU], 100 * busy[PIPE_XU], 100 * busy[PIPE_TENSOR],
           100 * most->shared_share, 100 * most->l2_share, 100 * most->dram_share);
    printf("  grid: %.0f blocks of %d on %.0f multiprocessors, %d resident, %.2f waves\n",
           most->kernel->blocks, most->kernel->threads, all->gpu.multiprocessors, most->resident,
           most->waves);
    printf("  kernels alone %.4g G/s; copies %.3g ms, launches and host %.3g ms of %.4g ms\n",
           all->work / all->kernels / 1e9, 1e3 * (all->seconds - all->kernels - all->host),
           1e3 * all->host, 1e3 * all->seconds);
    print_what_if(all);
    printf("  executed here: %.2g instructions of that kernel; %.2g are counted\n",
           most->kernel->executed, most->slots);
    if (all->recorded > 0)
        printf("  the solution on record: %.4g G/s\n", all->recorded);
    else if (all->kernels_recorded > 0)
        printf("  the solution's kernels alone on record: %.4g G/s\n", all->kernels_recorded);
    if (before && before->seconds > 0) {
        printf("  %s %s estimated: %.4g G/s, so x %.2f", before->step->name, before->variant,
               rate_of(before), rate_of(all) / rate_of(before));
        if (all->recorded > 0 && before->recorded > 0)
            printf(" (on record x %.2f)", all->recorded / before->recorded);
        printf("\n");
    }
}

static void print_estimate_json(const struct estimated *all, const struct estimated *before) {
    const struct kernel_time *most = &all->most;

    print_json("{ step=%s variant=%s n=%d gpu=%s validated=%c seconds=%.6g rate_gps=%.6g "
               "kernel_seconds=%.6g device_rate_gps=%.6g host=%.6g limit=%s slots=%.6g "
               "issuing=%.4g executed=%.6g counted=%.6g recorded_gps=%.6g before_gps=%.6g }",
               all->step->name, all->variant, all->n, all->gpu.name, all->gpu.validated,
               all->seconds, rate_of(all), all->kernels, all->work / all->kernels / 1e9, all->host,
               most->limit, 32 * most->slots / all->work, most->played.issuing,
               most->kernel->executed, most->slots, all->recorded > 0 ? all->recorded : NAN,
               before && before->seconds > 0 ? rate_of(before) : NAN);
}

static enum outcome read_gpu(struct gpu_model *gpu, const char *name) {
    char message[256];
    int status = gpu_model_read(gpu, name, message);

    return !status       ? OUTCOME_ACCEPTED
           : status == 1 ? complain(OUTCOME_NO_MODEL,
                                    "GPU=%s: its parameters are not known; those in "
                                    "common/referee/estimate/gpus are",
                                    name)
                         : complain(OUTCOME_NO_MODEL, "GPU=%s: %s", name, message);
}

enum outcome estimate(const struct options *options) {
    const struct step *step = options->step, *previous;
    struct estimated all = {0}, before = {0};
    enum outcome outcome;

    if (!step_is_cuda(step))
        return complain(OUTCOME_USAGE,
                        "%s is C; estimates are for CUDA C, as in `make estimate STEP=03`",
                        step->name);
    if ((outcome = read_gpu(&all.gpu, options->gpu ? options->gpu : "h200")))
        return outcome;
    before.gpu = all.gpu;
    outcome = estimate_step(&all, step, options, 0);
    previous = *step->builds_on ? catalogue_find(options->catalogue, step->builds_on) : NULL;
    if (!outcome && previous && step_is_cuda(previous) && programs_there(previous, options) &&
        !options->file && !options->variant && !strcmp(previous->problem, step->problem))
        estimate_step(&before, previous, options, 1);
    if (!outcome)
        (options->json ? print_estimate_json : print_estimate)(&all, &before);
    free_estimated(&all);
    free_estimated(&before);
    return outcome;
}

int estimate_line(const struct options *options, const struct step *step, const char *run,
                  struct fact *fact) {
    struct estimated all = {0};
    char message[256], name[32];
    int done, nowhere = open("/dev/null", O_WRONLY), kept = dup(STDERR_FILENO);

    if (nowhere < 0 || kept < 0 || !step_is_cuda(step) || gpu_model_read(&all.gpu, "h200", message))
        return 0;
    fflush(stderr);
    dup2(nowhere, STDERR_FILENO); /* why there is none is for `make estimate` to say */
    if ((done = !estimate_step(&all, step, options, 0))) {
        print_first_line(&all);
        snprintf(name, sizeof name, "estimated_gps_%d", all.n);
        if (fact)
            fact_set(fact, run, step->name, all.variant, name, rate_of(&all), "G/s", all.gpu.name);
    }
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(nowhere);
    close(kept);
    free_estimated(&all);
    return done;
}
