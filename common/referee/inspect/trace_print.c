#include "trace_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "problems/text.h"
#include "referee/build/source_line.h"
#include "referee/base/json.h"

/* All accesses of a line of the source, of one space, kind and width. */
struct traced {
    struct source_place place;
    char name[600]; /* "nbody.cu:47" */
    struct trace_line sum;
};

static const char *const spaces[MEMORY_SPACES] = {"global", "shared", "constant"};

static void add(struct trace_line *sum, const struct trace_line *line) {
    sum->requests += line->requests;
    sum->bytes += line->bytes;
    sum->sectors += line->sectors;
    sum->broadcasts += line->broadcasts;
    sum->varied_requests += line->varied_requests;
    sum->varied_sectors += line->varied_sectors;
    sum->wavefronts += line->wavefronts;
    sum->again += line->again;
}

static double ratio(uint64_t part, double whole) {
    return whole > 0 ? (double)part / whole : 0;
}

/* "trace_global_bytes_per_interaction", of that many bytes in all. */
static struct trace_fact bytes_per_unit(const char *memory, uint64_t bytes,
                                        const struct problem *problem, double work) {
    struct trace_fact fact = {.unit = "B", .value = ratio(bytes, work)};

    snprintf(fact.name, sizeof fact.name, "trace_%s_bytes_per_%s", memory, problem->per);
    return fact;
}

int trace_facts(const struct counters *counters, const struct problem *problem, double work,
                struct trace_fact facts[TRACE_FACTS]) {
    struct trace_line sums[MEMORY_SPACES] = {0};
    const struct trace_line *global = &sums[GLOBAL_MEMORY], *shared = &sums[SHARED_MEMORY];
    const struct trace_line *line = NULL;
    int count = 0;

    while ((line = next_traced_line(counters, line)))
        add(&sums[line->space], line);
    if (work > 0) {
        facts[count++] = bytes_per_unit("global", counters->global_bytes, problem, work);
        facts[count++] = bytes_per_unit("shared", shared->bytes, problem, work);
    }
    if (global->varied_requests)
        facts[count++] =
            (struct trace_fact){"trace_varied_sectors_per_request", "sectors",
                                ratio(global->varied_sectors, (double)global->varied_requests)};
    if (shared->requests)
        facts[count++] = (struct trace_fact){"trace_shared_wavefronts_per_request", "wavefronts",
                                             ratio(shared->wavefronts, (double)shared->requests)};
    return count;
}

static int is_same(const struct traced *row, const char *name, const struct source_place *place,
                   const struct trace_line *line) {
    return !strcmp(row->name, name) && !strcmp(row->place.path, place->path) &&
           row->sum.space == line->space && row->sum.stores == line->stores &&
           row->sum.width == line->width;
}

static int by_place(const void *a, const void *b) {
    const struct traced *x = a, *y = b;
    int order = strcmp(x->place.path, y->place.path);

    order = order ? order : x->place.line - y->place.line;
    order = order ? order : x->sum.space - y->sum.space;
    order = order ? order : x->sum.stores - y->sum.stores;
    return order ? order : x->sum.width - y->sum.width;
}

/* Returns the number of rows, of TRACE_LINES at most. */
static int make_rows(const char *program, const struct counters *counters, struct traced *rows) {
    const struct trace_line *line = NULL;
    int count = 0, k;

    while ((line = next_traced_line(counters, line))) {
        struct source_place place;
        char name[600];

        source_place(program, line->offset, &place);
        source_line(program, line->offset, name, sizeof name);
        for (k = 0; k < count && !is_same(&rows[k], name, &place, line); k++)
            ;
        if (k == count) {
            memset(&rows[count], 0, sizeof rows[count]);
            rows[count].place = place;
            strcpy(rows[count].name, name);
            rows[count].sum.space = line->space;
            rows[count].sum.stores = line->stores;
            rows[count].sum.width = line->width;
            count++;
        }
        add(&rows[k].sum, line);
    }
    qsort(rows, (size_t)count, sizeof *rows, by_place);
    return count;
}

static void print_row(const struct traced *row, double work) {
    const struct trace_line *sum = &row->sum;
    const double requests = (double)sum->requests;
    char source[48], sectors[16] = "-", wavefronts[16] = "-", bytes[16] = "-";

    source_text(&row->place, source, sizeof source);
    if (sum->space != SHARED_MEMORY)
        snprintf(sectors, sizeof sectors, "%.2f", ratio(sum->sectors, requests));
    else
        snprintf(wavefronts, sizeof wavefronts, "%.2f", ratio(sum->wavefronts, requests));
    if (work > 0)
        snprintf(bytes, sizeof bytes, "%.4g", ratio(sum->bytes, work));
    printf("  %-16s %-8s %-5s %5u %11llu %9s %9.0f%% %10s %11s  %s\n", row->name,
           spaces[sum->space], sum->stores ? "store" : "load", sum->width,
           (unsigned long long)sum->requests, sectors, 100 * ratio(sum->broadcasts, requests),
           wavefronts, bytes, source);
}

/* The head of the last column, which is 11 wide: "/interact." */
static void name_unit(const struct problem *problem, char head[12]) {
    const char *one = problem->per;

    snprintf(head, 12, strlen(one) > 10 ? "/%.8s." : "/%s", one);
}

void trace_print(const char *program, const struct counters *counters,
                 const struct problem *problem, double work) {
    struct traced *rows = malloc(TRACE_LINES * sizeof *rows);
    struct trace_fact facts[TRACE_FACTS];
    char head[12];
    int count, i;

    if (!rows)
        return;
    count = make_rows(program, counters, rows);
    name_unit(problem, head);
    printf("  %-16s %-8s %-5s %5s %11s %9s %10s %10s %11s\n", "", "", "", "bytes", "", "sectors",
           "broadcast", "wavefronts", "bytes");
    printf("  %-16s %-8s %-5s %5s %11s %9s %10s %10s %11s\n", "line", "memory", "", "/lane",
           "requests", "/request", "", "/request", head);
    for (i = 0; i < count; i++)
        print_row(&rows[i], work);
    count = trace_facts(counters, problem, work, facts);
    for (i = 0; i < count; i++) {
        char fact[64];

        snprintf(fact, sizeof fact, "%.4g %s", facts[i].value, facts[i].unit);
        text_agree(fact, sizeof fact);
        printf("  %-38s %s\n", facts[i].name, fact);
    }
    free(rows);
}

void trace_print_json(const char *program, const struct counters *counters,
                      const struct problem *problem, double work) {
    struct traced *rows = malloc(TRACE_LINES * sizeof *rows);
    struct trace_fact facts[TRACE_FACTS];
    int count, i;

    if (!rows)
        return;
    print_json("trace={ %s=%.17g", problem->unit, work);
    count = trace_facts(counters, problem, work, facts);
    for (i = 0; i < count; i++)
        print_json("%s=%.6g", facts[i].name, facts[i].value);
    print_json("lines=[");
    count = make_rows(program, counters, rows);
    for (i = 0; i < count; i++) {
        const struct trace_line *sum = &rows[i].sum;
        char source[256];

        source_text(&rows[i].place, source, sizeof source);
        print_json("{ line=%s source=%s space=%s access=%s width=%d requests=%" PRIu64
                   " bytes=%" PRIu64 " sectors=%" PRIu64 " broadcasts=%" PRIu64
                   " varied_requests=%" PRIu64 " varied_sectors=%" PRIu64 " wavefronts=%" PRIu64
                   " }",
                   rows[i].name, source, spaces[sum->space], sum->stores ? "store" : "load",
                   sum->width, sum->requests, sum->bytes, sum->sectors, sum->broadcasts,
                   sum->varied_requests, sum->varied_sectors, sum->wavefronts);
    }
    print_json("] }");
    free(rows);
}
