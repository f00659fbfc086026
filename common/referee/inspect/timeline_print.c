#include "timeline_print.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "referee/build/source_line.h"
#include "referee/base/json.h"

static int kept(const struct counters *counters) {
    return counters->interval_count < MOST_INTERVALS ? (int)counters->interval_count
                                                     : MOST_INTERVALS;
}

static int by_begin(const void *a, const void *b) {
    const struct interval *x = a, *y = b;

    return (x->begin > y->begin) - (x->begin < y->begin);
}

struct timeline_sums timeline_sum(const struct counters *counters) {
    static struct interval sorted[MOST_INTERVALS];
    struct timeline_sums sums = {0};
    double end = 0;
    int count = kept(counters), i;

    memcpy(sorted, counters->intervals, sizeof sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, by_begin);
    for (i = 0; i < count; i++) {
        const struct interval *interval = &sorted[i];
        double duration = interval->end - interval->begin;

        sums.kernels += interval->kind == KERNEL;
        sums.copies += interval->kind != KERNEL;
        sums.bytes += interval->bytes;
        *(interval->kind == KERNEL ? &sums.computing : &sums.copying) += duration;
        if (interval->begin > end)
            sums.neither += interval->begin - end;
        end = interval->end > end ? interval->end : end;
    }
    sums.whole = end;
    return sums;
}

void timeline_name(const char *program, const struct interval *interval, char name[TIMELINE_NAME]) {
    struct source_place place;
    char line[512], *start, *end;

    if (interval->kind != KERNEL || *interval->kernel) {
        snprintf(name, TIMELINE_NAME, "%s",
                 interval->kind == COPY_IN    ? "copy in"
                 : interval->kind == COPY_OUT ? "copy out"
                                              : interval->kernel);
        return;
    }
    snprintf(name, TIMELINE_NAME, "kernel");
    if (source_place(program, interval->offset, &place))
        return;
    source_text(&place, line, sizeof line);
    if (!(end = strstr(line, "<<<")))
        return;
    if (end > line && end[-1] == '>') /* arguments of a template */
        for (*end = 0; end > line && *end != '<'; end--)
            ;
    for (start = end; start > line && (isalnum((unsigned char)start[-1]) || start[-1] == '_');)
        start--;
    if (start < end)
        snprintf(name, TIMELINE_NAME, "%.*s", (int)(end - start), start);
}

void timeline_print(const struct program *program, const struct counters *counters) {
    const struct timeline_sums sums = timeline_sum(counters);
    int timed = !strcmp(program->backend, "cuda"), count = kept(counters), i;

    printf("  %-24s %12s", "what", "bytes");
    printf(timed ? " %12s %12s\n" : "\n", "begin, ms", "takes, ms");
    for (i = 0; i < count; i++) {
        const struct interval *interval = &counters->intervals[i];
        char name[TIMELINE_NAME], bytes[24] = "-";

        timeline_name(program->path, interval, name);
        if (interval->kind != KERNEL)
            snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)interval->bytes);
        printf("  %-24s %12s", name, bytes);
        if (timed)
            printf(" %12.4f %12.4f", 1e3 * interval->begin,
                   1e3 * (interval->end - interval->begin));
        printf("\n");
    }
    if (counters->interval_count > MOST_INTERVALS)
        printf("  these are the first %d of %llu; fewer ITERATIONS show all\n", MOST_INTERVALS,
               (unsigned long long)counters->interval_count);
    printf("  %d cop%s, %llu bytes in all, %d kernel%s", sums.copies,
           sums.copies == 1 ? "y" : "ies", (unsigned long long)sums.bytes, sums.kernels,
           sums.kernels == 1 ? "" : "s");
    if (timed && sums.whole > 0)
        printf("; copies %.4f ms (%.1f%%), kernels %.4f ms (%.1f%%), neither %.4f ms (%.1f%%)\n",
               1e3 * sums.copying, 100 * sums.copying / sums.whole, 1e3 * sums.computing,
               100 * sums.computing / sums.whole, 1e3 * sums.neither,
               100 * sums.neither / sums.whole);
    else
        printf("; cpucuda has no times: a CPU that plays a GPU tells nothing of speed\n");
}

void timeline_print_json(const struct program *program, const struct counters *counters) {
    const struct timeline_sums sums = timeline_sum(counters);
    int timed = !strcmp(program->backend, "cuda"), count = kept(counters), i;

    print_json("copies=%d bytes=%" PRIu64 " kernels=%d", sums.copies, sums.bytes, sums.kernels);
    if (timed)
        print_json("copy_seconds=%.6g kernel_seconds=%.6g neither_seconds=%.6g", sums.copying,
                   sums.computing, sums.neither);
    print_json("interval_count=%" PRIu64 " intervals=[", counters->interval_count);
    for (i = 0; i < count; i++) {
        const struct interval *interval = &counters->intervals[i];
        char name[TIMELINE_NAME];

        timeline_name(program->path, interval, name);
        print_json("{ what=%s bytes=%" PRIu64, name, interval->bytes);
        if (timed)
            print_json("begin=%.9g end=%.9g", interval->begin, interval->end);
        print_json("}");
    }
    print_json("]");
}

int timeline_facts(const char *step, const struct program *program, const struct counters *counters,
                   int n, const char *run, struct fact facts[MOST_TIMELINE_FACTS]) {
    const struct timeline_sums sums = timeline_sum(counters);
    const struct {
        const char *name, *unit;
        double value;
    } whole[] = {{"copies", "s", sums.copying},
                 {"kernels", "s", sums.computing},
                 {"neither", "s", sums.neither},
                 {"copy_share", "1", sums.whole > 0 ? sums.copying / sums.whole : 0}};
    const char *variant = program->variant;
    char name[FIELD_BYTES], what[TIMELINE_NAME], *letter;
    int count = 0, i;

    for (i = 0; i < kept(counters); i++) {
        const struct interval *interval = &counters->intervals[i];

        timeline_name(program->path, interval, what);
        for (letter = what; *letter; letter++)
            if (!isalnum((unsigned char)*letter))
                *letter = '_';
        snprintf(name, sizeof name, "timeline_n%d_%02d_%s_begin", n, i, what);
        fact_set(&facts[count++], run, step, variant, name, interval->begin, "s", "step");
        snprintf(name, sizeof name, "timeline_n%d_%02d_%s_end", n, i, what);
        fact_set(&facts[count++], run, step, variant, name, interval->end, "s", "step");
    }
    for (i = 0; i < 4; i++) {
        snprintf(name, sizeof name, "timeline_n%d_%s", n, whole[i].name);
        fact_set(&facts[count++], run, step, variant, name, whole[i].value, whole[i].unit, "step");
    }
    return count;
}
