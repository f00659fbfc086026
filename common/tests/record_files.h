/* The two files of a record, so that one test serves both. */
#ifndef RECORD_FILES_H
#define RECORD_FILES_H

#include "files.h"
#include "referee/record/record.h"

/* As the design has them. A column that moves or is renamed makes every record there is a foreign
 * one, so these are not taken from record.h. */
#define ROWS_HEADER                                                                                \
    "time_utc,commit,host,cpu,gpu,driver,compiler,flags,backend,part,step,variant,source,n,"       \
    "iterations,repeats,seconds_median,seconds_min,seconds_max,rate_gps,limit_share,"              \
    "speedup_serial,speedup_previous,first_wrong_decimal,error_l2,error_p99,error_max,verdict,"    \
    "run,problem,distribution,seed,threads,clock,sm_mhz,limit_name,limit_gps,decimals,energy_j\n"
#define FACTS_HEADER "run,step,variant,name,value,unit,source\n"

enum { LINE_BYTES = 1024, MOST_LINES = 60 };

struct record_file {
    const char *name, *header;
    const char *(*path)(const struct record *record);
    /* Appends `count` lines, of the numbers from `first` on, in one call. */
    enum outcome (*append)(const struct record *record, int first, int count);
    void (*line)(char *line, int number); /* the line of that number, as the file should have it */
};

static inline const char *rows_path(const struct record *record) {
    return record->rows;
}

static inline const char *facts_path(const struct record *record) {
    return record->facts;
}

static inline enum outcome append_rows(const struct record *record, int first, int count) {
    static struct row rows[MOST_LINES];
    int i, column;

    for (i = 0; i < count; i++)
        for (column = 0; column < COLUMN_COUNT; column++)
            row_set(&rows[i], (enum column)column, "%d.%d", first + i, column);
    return record_append(record, rows, count);
}

static inline void rows_line(char *line, int number) {
    int column;

    for (*line = 0, column = 0; column < 39; column++)
        sprintf(line + strlen(line), "%s%d.%d", column ? "," : "", number, column);
    strcat(line, "\n");
}

static inline enum outcome append_facts(const struct record *record, int first, int count) {
    static struct fact facts[MOST_LINES];
    char name[16];
    int i;

    for (i = 0; i < count; i++) {
        snprintf(name, sizeof name, "name%d", first + i);
        fact_set(&facts[i], "run", "step", "variant", name, first + i + 0.5, "unit", "source");
    }
    return record_append_facts(record, facts, count);
}

static inline void facts_line(char *line, int number) {
    sprintf(line, "run,step,variant,name%d,%d.5,unit,source\n", number, number);
}

static const struct record_file rows_file = {"rows", ROWS_HEADER, rows_path, append_rows,
                                             rows_line};
static const struct record_file facts_file = {"facts", FACTS_HEADER, facts_path, append_facts,
                                              facts_line};

#endif
