/* A record in a folder of its own, and its two files, so that one test serves both. */
#ifndef RECORD_OF_BOTH_H
#define RECORD_OF_BOTH_H

#include "record_files.h"

static char results[128];
static struct record record;

static inline int begin(void **state) {
    (void)state;
    if (make_folder(folder))
        return -1;
    chmod(folder, 0755); /* another user's process has to come through */
    snprintf(results, sizeof results, "%s/results", folder);
    return record_open(&record, results, "pc") ? -1 : 0;
}

enum { MOST_LINES = 60 };

struct record_file {
    const char *header, *path;
    /* Appends `count` lines, of the numbers from `first` on, in one call. */
    enum outcome (*append)(int first, int count);
    void (*line)(char *line, int number); /* the line of that number, as the file should have it */
};

static inline enum outcome append_rows(int first, int count) {
    static struct row rows[MOST_LINES];
    int i, column;

    for (i = 0; i < count; i++)
        for (column = 0; column < COLUMN_COUNT; column++)
            row_set(&rows[i], (enum column)column, "%d.%d", first + i, column);
    return record_append(&record, rows, count);
}

static inline void rows_line(char *line, int number) {
    int column;

    for (*line = 0, column = 0; column < COLUMN_COUNT; column++)
        sprintf(line + strlen(line), "%s%d.%d", column ? "," : "", number, column);
    strcat(line, "\n");
}

static inline enum outcome append_facts(int first, int count) {
    static struct fact facts[MOST_LINES];
    char name[16];
    int i;

    for (i = 0; i < count; i++) {
        snprintf(name, sizeof name, "name%d", first + i);
        fact_set(&facts[i], "run", "step", "variant", name, first + i + 0.5, "unit", "source");
    }
    return record_append_facts(&record, facts, count);
}

static inline void facts_line(char *line, int number) {
    sprintf(line, "run,step,variant,name%d,%d.5,unit,source\n", number, number);
}

static const struct record_file rows_file = {ROWS_HEADER "\n", record.rows, append_rows, rows_line};
static const struct record_file facts_file = {FACTS_HEADER "\n", record.facts, append_facts,
                                              facts_line};

/* A test of both files, which it finds in *state. */
#define TEST_OF_BOTH(name)                                                                         \
    static void name(void **state);                                                                \
    TEST_OF(rows, name)                                                                            \
    TEST_OF(facts, name)                                                                           \
    static void name(void **state)
#define TEST_OF(file, name)                                                                        \
    LIST_TEST(file##_##name, {#name " of " #file, name, begin, end_folder, (void *)&file##_file})

#endif
