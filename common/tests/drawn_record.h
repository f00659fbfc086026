/* A record of all twelve steps, made up, and a repository of its own that draws it, without the
 * records that are published in this one. For tests that start in the repository's root. */
#ifndef DRAWN_RECORD_H
#define DRAWN_RECORD_H

#include "record_files.h"
#include "scratch.h"
#include "svg_picture.h"

static const int sizes[] = {30000, 65536, 131072};

/* All twelve steps with their default variants, and what they build on. No two rates that stand in
 * one picture are equal. */
static const struct {
    const char *step, *variant, *before, *verdict;
    double rate; /* G/s at 30000 */
} steps[] = {
    {"01_serial", "gcc", NULL, "accepted", 0.5},
    {"02_openmp", "static", "01_serial", "accepted", 6.1},
    {"03_cuda_naive", "256", "02_openmp", "accepted", 139},
    {"04_soa", "256", "03_cuda_naive", "accepted", 223},
    {"05_tiling", "soa", "04_soa", "accepted", 268},
    {"06_unroll", "16", "05_tiling", "accepted", 274},
    {"07_device_integration", "16", "06_unroll", "accepted", 294},
    {"08_rsqrt", "16", "07_device_integration", "accepted", 820},
    {"09_ftz", "16", "08_rsqrt", "accepted", 990},
    {"10_fp16", "seed", "09_ftz", "decimals", 700},
    {"11_pinned", "16", "09_ftz", "accepted", 1080},
    {"12_float4", "float4", "11_pinned", "accepted", 1371},
};
enum { STEPS = sizeof steps / sizeof steps[0] };

static inline double rate_of(int step, int size) {
    return steps[step].rate * (1 + 0.3 * size);
}

static inline int step_named(const char *name) {
    for (int i = 0; i < STEPS; i++)
        if (strcmp(steps[i].step, name) == 0)
            return i;
    fail_msg("no step %s", name);
    return -1;
}

struct written {
    const char *run, *step, *variant;
    int n;
    double rate;
    const char *verdict, *serial, *previous; /* the last two: speed-ups, may be empty */
    const char *source, *clock;
    int threads;
    const char *error;
    const char *problem; /* NULL: nbody */
};

#define PLAIN "accepted", "", "", "solution", "referee", 1, "1e-5"

static inline void write_row(FILE *file, struct written row) {
    int iterations = row.rate > 100 ? 10 : 1;
    fprintf(file, "2026-01-02T03:04:05Z,c,host,some cpu,some gpu,,gcc,-O3,%s,I,%s,%s,%s,%d,%d,10,",
            strcmp(row.step, "03") < 0 ? "cpu" : "cuda", row.step, row.variant, row.source, row.n,
            iterations);
    double seconds = (double)row.n * row.n * iterations / row.rate / 1e9;
    fprintf(file, "%.9g,%.9g,%.9g,%.9g,0.5,%s,%s,4,%s,%s,%s,%s,%s,%s,uniform,1,%d,%s,1980,,,,\n",
            seconds, seconds / 2, seconds * 2, row.rate, row.serial, row.previous, row.error,
            row.error, row.error, row.verdict, row.run, row.problem ? row.problem : "nbody",
            row.threads, row.clock);
}

static inline FILE *open_record(const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(ROWS_HEADER "\n", file);
    return file;
}

static inline void draw(void) {
    need_gnuplot();
    run("rm -rf $D/out");
    if (run("$D/common/report/pictures/draw.sh $D/own.csv $D/out"))
        fail_msg("%s", read_text("said"));
}

static inline int make_tree(void **state) {
    char text[1024] = "";
    if (make_scratch(state))
        return -1;
    for (int i = 0; i < STEPS; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\tI\tnbody\tnbody.c\t%s\n",
                 steps[i].step, steps[i].before ? steps[i].before : "-");
    write_manifests(folder, text);
    return 0;
}

#endif
