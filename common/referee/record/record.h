/* The record: results/<machine>.csv, one row a measurement, and results/<machine>-facts.csv, one
 * row a fact. No field holds a comma, a quote or a newline. */
#ifndef RECORD_H
#define RECORD_H

#include "columns.h"
#include "problems/outcome.h"

enum column {
#define COLUMN_ENUM(name) COLUMN_##name,
    COLUMNS(COLUMN_ENUM, COLUMN_ENUM)
#undef COLUMN_ENUM
        COLUMN_COUNT
};

enum { FIELD_BYTES = 160 };

struct row {
    char field[COLUMN_COUNT][FIELD_BYTES];
};

/* Sets a field; characters that a field may not hold become spaces. */
__attribute__((format(printf, 3, 4))) void row_set(struct row *row, enum column column,
                                                   const char *format, ...);

/* A fact's row of the second file. */
enum fact_column {
    FACT_run,
    FACT_step,
    FACT_variant,
    FACT_name,
    FACT_value,
    FACT_unit,
    FACT_source,
    FACT_COLUMNS
};

struct fact {
    char field[FACT_COLUMNS][FIELD_BYTES]; /* FACTS_HEADER */
};

void fact_set(struct fact *fact, const char *run, const char *step, const char *variant,
              const char *name, double value, const char *unit, const char *source);

/* A run's name: when it began, UTC, and the process. */
enum { RUN_BYTES = 40 };
void record_name_run(char run[RUN_BYTES]);

struct record {
    char folder[256], rows[384], facts[384]; /* paths */
};

/* Makes the folder and looks at both files: they can be written, have the right header and end in
 * whole rows. Nothing is written yet. */
enum outcome record_open(struct record *record, const char *folder, const char *machine);

/* Appends rows under the folder's lock: all of them or none, even when the writer is killed. */
enum outcome record_append(const struct record *record, const struct row *rows, int count);
enum outcome record_append_facts(const struct record *record, const struct fact *facts, int count);

/* Reads all rows, or facts; the caller frees them. Of a record without facts there are none. */
enum outcome record_read(const struct record *record, struct row **rows, int *count);
enum outcome record_read_facts(const struct record *record, struct fact **facts, int *count);

/* Becomes the script that draws the record: all pictures of rows, or `what` (timeline, survey);
 * NULL: all. With `json` stdout is the caller's alone. Returns only if that fails. */
enum outcome record_draw(const struct record *record, const char *what, int json);

#endif
