/* The table of a run, as people read it. */
#ifndef TABLE_H
#define TABLE_H

#include "record.h"

/* Prints the rows of the last row's run. */
void table_print(const struct row *rows, int count);

/* Prints the same rows as a JSON array of objects with the record's columns. */
void table_print_json(const struct row *rows, int count);

#endif
