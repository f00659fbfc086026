/* A tree of its own, whose steps are all one player of tests/players, for benches of steps in CUDA
 * C on a GPU that a library plays. For tests that start in the repository's root. */
#ifndef GPU_TREE_H
#define GPU_TREE_H

#include <limits.h>

#include "fake_gpu.h"
#include "files.h"
#include "referee/record/record.h"

static char built[PATH_MAX]; /* the repository's build/ */

/* A step whose players are all $PLAYER of tests/players, 03's $BEFORE if that is set; VARIANTS "256
 * 1024". */
static inline void put_step(const char *name, const char *source, const char *variants) {
    char path[128], text[2 * PATH_MAX + 1200];

    snprintf(path, sizeof path, "steps/%s", name);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "solutions/%s", name);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "solutions/%s/%s", name, source);
    write_file(path, "");
    snprintf(
        text, sizeof text,
        "KIND := $(if $(filter %%.c,$(NAME)),plain cpu,$(if $(filter cuda,$(BUILDS)),$(FOR_GPU) "
        "cuda,"
        "plain cpucuda))\n"
        "players:\n\t@mkdir -p $(OUT); for v in $(if $(ABLATE),$(LEFT_OUT),%s); do printf "
        "'%%s\\t%%s\\t%%s\\tone\\tgcc 1\\t-"
        "\\t%s/tests/players/$(%s)\\n' $$v $(KIND); done >$(OUT)/players.tsv\n"
        "\t@$(if $(and $(DEVICE),$(filter device,$(BUILDS))),for v in $(or $(TIMED),256); do "
        "printf '%%s\\tdevice\\tcuda\\tone\\t"
        "gcc 1\\t-\\t%s/tests/players/$(DEVICE)\\n' $$v; done >>$(OUT)/players.tsv)\n",
        variants, built, strcmp(name, "03_cuda_naive") ? "PLAYER" : "or $(BEFORE),$(PLAYER)",
        built);
    snprintf(path, sizeof path, "steps/%s/Makefile", name);
    write_file(path, text);
}

static inline int enter_tree(void **state) {
    char fake[PATH_MAX];

    (void)state;
    if (!realpath("build", built) || !realpath("common/tests/fakes/ceilings_cpu", fake) ||
        make_folder(folder) || chdir(folder))
        return -1;
    if (mkdir("steps", 0777) || mkdir("solutions", 0777) || mkdir("build", 0777) ||
        mkdir("build/tests", 0777) || symlink(fake, "build/ceilings_cpu"))
        return -1;
    write_manifests(".", "01_serial\tI\tnbody\tnbody.c\t-\taccepted\t2e-3\tone\n"
                         "02_openmp\tI\tnbody\tnbody.c\t01_serial\taccepted\t2e-3\ttwo\n"
                         "03_cuda_naive\tI\tnbody\tnbody.cu\t02_openmp\taccepted\t2e-3\tthree\n"
                         "04_soa\tI\tnbody\tnbody.cu\t03_cuda_naive\taccepted\t2e-3\tfour\n");
    if (system("for s in 01_serial 02_openmp; do echo 'cost_cpu = formula fma 12 rsqrt 1' "
               ">>steps/$s/manifest; done; for s in 03_cuda_naive 04_soa; do echo 'cost_cuda = "
               "counted gpu_issue 37 gpu_fma 19 gpu_mufu 2' >>steps/$s/manifest; done"))
        return -1;
    put_step("01_serial", "nbody.c", "O3 O0");
    put_step("02_openmp", "nbody.c", "static");
    put_step("03_cuda_naive", "nbody.cu", "256 1024");
    put_step("04_soa", "nbody.cu", "256 1024");
    write_file("solutions/04_soa/leave_one_out.cu", "");
    write_file(
        "build/ceilings_gpu",
        "#!/bin/sh\nfor r in issue fma mufu; do echo gpu_$r 1e12 lanes/s; done\n"
        "echo gpu_lds 9e8 lanes/s\n"
        "for d in in out; do for h in pageable pinned; do echo gpu_copy_${d}_$h 1e10 B/s; "
        "done; done\necho gpu_memory 3e12 B/s\n"
        "echo gpu_tensor 3e14 multiply-adds/s\necho l2_bytes 62914560 B\n"
        "b=4096; while [ $b -le 67108864 ]; do for d in in out; do for h in pageable pinned; "
        "do echo copy_${d}_${h}_$b 1e9 B/s; done; done; b=$((b * 2)); done\n");
    return chmod("build/ceilings_gpu", 0755);
}

/* Runs the referee, and reads the rows of the record if there is one. */
static inline int referee_goes_on(const char *arguments, struct row **rows, int *count) {
    char command[PATH_MAX + 256];
    struct record record = {.rows = "results/pc.csv"};
    int status;

    snprintf(command, sizeof command, "%s/referee %s --seed 5 >out 2>err", built, arguments);
    status = system(command);
    if (WEXITSTATUS(status)) {
        char *said = read_file("err", NULL);

        print_message("%s: %s", arguments, said);
        free(said);
    }
    if (rows)
        assert_int_equal(record_read(&record, rows, count), OUTCOME_ACCEPTED);
    return WEXITSTATUS(status);
}

/* The same with a new record, and again while a busy machine leaves a comparison inconclusive. */
static inline int referee(const char *arguments, struct row **rows, int *count) {
    enum { TRIES = 10 };
    int tries = 0, code;

    do {
        if (tries && rows)
            free(*rows);
        remove("results/pc.csv");
        remove("results/pc-facts.csv");
        code = referee_goes_on(arguments, rows, count);
    } while (code == OUTCOME_INCONCLUSIVE && ++tries < TRIES);
    return code;
}

#define BENCH " --n 256 --iterations 2 --machine pc --results results"

static inline const char *field(const struct row *row, enum column column) {
    return row->field[column];
}

/* The row of a step and variant; NULL if there is none. Fails if there are two. */
static inline const struct row *find(const struct row *rows, int count, const char *step,
                                     const char *variant) {
    const struct row *found = NULL;

    for (int i = 0; i < count; i++)
        if (!strcmp(field(&rows[i], COLUMN_step), step) &&
            !strcmp(field(&rows[i], COLUMN_variant), variant)) {
            assert_null(found);
            found = &rows[i];
        }
    return found;
}

static inline void assert_filled(const struct row *row, const enum column *columns, int count) {
    for (int i = 0; i < count; i++)
        if (!*field(row, columns[i]))
            fail_msg("column %d of %s is empty", (int)columns[i], field(row, COLUMN_step));
}

static inline void assert_empty(const struct row *row, const enum column *columns, int count) {
    for (int i = 0; i < count; i++)
        assert_string_equal(field(row, columns[i]), "");
}

#define FILLED(row, columns) assert_filled(row, columns, sizeof columns / sizeof *columns)
#define EMPTY(row, columns)  assert_empty(row, columns, sizeof columns / sizeof *columns)

/* Starts the test anew with a GPU; what Makefile and players of the tree read is set. */
static inline void play_tree(char **words) {
    setenv("FAKE_CLOCKS", "1980", 1);
    setenv("FOR_GPU", "cuda", 1);
    setenv("PLAYER", "honest", 1);
    setenv("LEFT_OUT", "without_nothing without_tiling", 1);
    play_gpus(words, "1");
}

#endif
