/* Pairs of students whose own code is more alike than the class's. Sources are written one token a
 * line, without comments, so that layout says nothing and the lines that similarity-tester names
 * are tokens; names and numbers are all the same to it. What it finds in the skeleton, in the
 * step's solution or in its predecessor's is nobody's own. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"
#include "referee/base/files.h"
#include "folder.h"
#include "problems/sorted.h"
#include "query.h"
#include "referee/base/options.h"
#include "tokens.h"

enum {
    GIVEN_RUN = 8,  /* tokens that follow each other in the course's code too: an assignment's */
    RUN = 16,       /* tokens that follow each other in both of a pair: two or three statements */
    OWN_LEAST = 60, /* own tokens, fewer of which say nothing: about six lines */
};

static const double spreads = 4; /* median distances from the median */

/* What two usually share where no other pair shows it: only sources are listed that differ in
 * little but names. */
static const double usual_alone = 0.8;

static const char entries_sql[] =
    "SELECT total.entry, entry.source FROM total JOIN entry ON entry.id = total.entry WHERE "
    "total.step = ?1 AND total.student != '*' ORDER BY total.entry";

/* A source, and which of its tokens are its own. */
struct source {
    struct tokens tokens;
    char *common; /* not 0 for each token that stems from the course */
    int own;
    long entry;
};

struct group {
    struct source *list; /* of the students, then the bases */
    int count, bases;
    char folder[64];
};

static void read_source(struct source *source, const char *text) {
    tokens_read(&source->tokens, text);
    source->common = calloc((size_t)source->tokens.count + 1, 1);
    source->own = source->tokens.count;
}

static void free_group(struct group *group) {
    int i;

    for (i = 0; i < group->count + group->bases; i++) {
        tokens_free(&group->list[i].tokens);
        free(group->list[i].common);
    }
    free(group->list);
}

static struct source *next_source(struct group *group) {
    int count = group->count + group->bases;

    group->list = realloc(group->list, (size_t)(count + 1) * sizeof *group->list);
    memset(&group->list[count], 0, sizeof *group->list);
    return &group->list[count];
}

static void add_base(struct group *group, const char *path) {
    char *text = file_bytes(path, NULL);

    if (!text)
        return;
    read_source(next_source(group), text);
    group->bases++;
    free(text);
}

static enum outcome read_group(sqlite3 *book, const struct catalogue *catalogue,
                               const struct step *step, struct group *group) {
    const struct step *previous = catalogue_find(catalogue, step->builds_on);
    sqlite3_stmt *entries = sql_query(book, entries_sql, "t", step->name);
    enum outcome outcome;
    char path[128];

    while (query_row(entries, &outcome)) {
        struct source *source = next_source(group);
        const char *bytes = sqlite3_column_blob(entries, 1);
        char *text = strndup(bytes ? bytes : "", (size_t)sqlite3_column_bytes(entries, 1));

        source->entry = (long)sqlite3_column_int64(entries, 0);
        read_source(source, text);
        free(text);
        group->count++;
    }
    if (outcome)
        return outcome;
    snprintf(path, sizeof path, "steps/%s/%s", step->name, step->source);
    add_base(group, path);
    snprintf(path, sizeof path, "solutions/%s/%s", step->name, step->source);
    add_base(group, path);
    if (previous && previous != step) {
        snprintf(path, sizeof path, "solutions/%s/%s", previous->name, previous->source);
        add_base(group, path);
    }
    return OUTCOME_ACCEPTED;
}

/* Writes N.c for every source that has enough of its own, without what is not, and their names to
 * `list`. Returns how many. */
static int write_sources(const struct group *group, int with_bases) {
    char path[128];
    FILE *list, *file;
    int i, k, written = 0;

    snprintf(path, sizeof path, "%s/list", group->folder);
    if (!(list = fopen(path, "w")))
        return 0;
    for (i = 0; i < group->count + (with_bases ? group->bases : 0); i++) {
        const struct source *source = &group->list[i];

        if (i == group->count)
            fputs("/\n", list); /* what follows is only compared with */
        if (i < group->count && source->own < OWN_LEAST)
            continue;
        snprintf(path, sizeof path, "%s/%d.c", group->folder, i);
        if (!(file = fopen(path, "w")))
            continue;
        for (k = 0; k < source->tokens.count; k++)
            if (!source->common[k])
                fprintf(file, "%s\n", source->tokens.list[k]);
        fclose(file);
        fprintf(list, "%d.c\n", i);
        written++;
    }
    fclose(list);
    return written;
}

static FILE *compare(const struct group *group, const char *options, int run) {
    char command[256];

    snprintf(command, sizeof command, "cd %s && exec sim_c %s -r %d -i <list 2>/dev/null",
             group->folder, options, run);
    return popen(command, "r");
}

/* Marks what the bases have too. */
static void subtract(struct group *group) {
    FILE *runs = compare(group, "-n -S -w 100", GIVEN_RUN);
    char line[512];
    int index, from, to;

    while (runs && fgets(line, sizeof line, runs)) {
        struct source *source;

        if (sscanf(line, "%d.c: line %d-%d", &index, &from, &to) != 3 || index < 0 ||
            index >= group->count)
            continue;
        source = &group->list[index];
        for (; from > 0 && from <= to && from <= source->tokens.count; from++) {
            source->own -= !source->common[from - 1];
            source->common[from - 1] = 1;
        }
    }
    if (runs)
        pclose(runs);
}

static double median(double *values, int count) {
    sort_ascending(values, count);
    return median_of_sorted(values, count);
}

/* The shares of all pairs of `count` sources, at [one * count + other] of the one's own tokens. */
static double *read_shares(struct group *group) {
    double *shares = calloc((size_t)group->count * (size_t)group->count, sizeof *shares);
    FILE *lines = compare(group, "-p -e -a -u -t 1", RUN);
    char line[512];
    int one, other, percent;

    while (lines && fgets(line, sizeof line, lines))
        if (sscanf(line, "%d.c consists for %d %% of %d.c material", &one, &percent, &other) == 3 &&
            one >= 0 && one < group->count && other >= 0 && other < group->count)
            shares[one * group->count + other] = percent / 100.0;
    if (lines)
        pclose(lines);
    return shares;
}

/* Of the smaller one's own tokens. */
static double share_of(const struct group *group, const double *shares, int one, int other) {
    return group->list[one].own <= group->list[other].own ? shares[one * group->count + other]
                                                          : shares[other * group->count + one];
}

/* Stores the pairs that stand out from all others of the step: they are at least half way from what
 * is usual to a whole copy, and not among what scatters about it. */
static enum outcome judge(sqlite3 *book, const struct step *step, struct group *group) {
    double *shares = read_shares(group), usual, spread;
    double *values = malloc((size_t)group->count * (size_t)group->count * sizeof *values);
    enum outcome outcome = OUTCOME_ACCEPTED;
    int count = 0, i, k;

    for (i = 0; i < group->count; i++)
        for (k = 0; k < i; k++)
            if (group->list[i].own >= OWN_LEAST && group->list[k].own >= OWN_LEAST)
                values[count++] = share_of(group, shares, k, i);
    usual = count > 1 ? median(values, count) : usual_alone;
    for (i = 0; i < count; i++)
        values[i] = values[i] > usual ? values[i] - usual : usual - values[i];
    spread = count > 1 ? median(values, count) : 0;
    for (i = 0; i < group->count && !outcome; i++)
        for (k = 0; k < i && !outcome; k++) {
            double share = share_of(group, shares, k, i);

            if (group->list[i].own >= OWN_LEAST && group->list[k].own >= OWN_LEAST &&
                share >= (1 + usual) / 2 && share > usual + spreads * spread)
                outcome =
                    query_do(book, "INSERT INTO similar VALUES (?, ?, ?, ?, ?)", "tiirr",
                             step->name, group->list[k].entry, group->list[i].entry, share, usual);
        }
    free(shares);
    free(values);
    return outcome;
}

static enum outcome find_in_step(sqlite3 *book, const struct catalogue *catalogue,
                                 const struct step *step) {
    struct group group = {0};
    enum outcome outcome = read_group(book, catalogue, step, &group);

    snprintf(group.folder, sizeof group.folder, "/tmp/course-similar.%d.XXXXXX", (int)getpid());
    if (!outcome && group.count > 1 && !mkdtemp(group.folder))
        outcome = complain(OUTCOME_INTERNAL, "no folder can be made in /tmp");
    else if (!outcome && group.count > 1) {
        if (write_sources(&group, 1))
            subtract(&group);
        if (write_sources(&group, 0) > 1)
            outcome = judge(book, step, &group);
        folder_delete(group.folder);
    }
    free_group(&group);
    return outcome;
}

enum outcome similar_find(sqlite3 *book, const struct catalogue *catalogue) {
    enum outcome outcome = OUTCOME_ACCEPTED;
    int i;

    if (sqlite3_exec(book, "SAVEPOINT similar_find; DELETE FROM similar", NULL, NULL, NULL))
        return complain(OUTCOME_GRADEBOOK, "the gradebook cannot be written: %s",
                        sqlite3_errmsg(book));
    if (system("command -v sim_c >/dev/null") != 0)
        fprintf(stderr, "Pairs of similar sources are not looked for: similarity-tester is not "
                        "installed (sh common/setup.sh grading).\n");
    else
        for (i = 0; i < catalogue->count && !outcome; i++)
            outcome = find_in_step(book, catalogue, &catalogue->steps[i]);
    sqlite3_exec(
        book, outcome ? "ROLLBACK TO similar_find; RELEASE similar_find" : "RELEASE similar_find",
        NULL, NULL, NULL);
    return outcome;
}
