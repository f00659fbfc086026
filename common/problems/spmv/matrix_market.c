#define _GNU_SOURCE
#include "matrix_market.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum symmetry { GENERAL, SYMMETRIC, SKEW };

struct entry {
    int row, column; /* from 0 */
    float value;
};

/* A file that is being read. */
struct market {
    FILE *file;
    const char *path;
    char *text; /* the line */
    size_t room;
    long long line;
    char *message;
    int error; /* of the system, which ended the file */
    int is_pattern;
    enum symmetry symmetry;
    int largest;                        /* number of rows, or of columns */
    long long rows, columns, announced; /* by the size line */
    struct entry *entries;
    long long count, most; /* of entries */
};

__attribute__((format(printf, 2, 3))) static int wrong(struct market *market, const char *format,
                                                       ...) {
    int length = snprintf(market->message, 512, "%s:%lld: ", market->path, market->line);
    va_list arguments;

    va_start(arguments, format);
    if (length < 512)
        vsnprintf(market->message + length, 512 - (size_t)length, format, arguments);
    va_end(arguments);
    return -1;
}

/* The next line, without its end; 0 at the end of the file. */
static int next_line(struct market *market) {
    ssize_t length = getline(&market->text, &market->room, market->file);

    market->line++;
    if (length < 0) {
        market->error = ferror(market->file) ? errno : 0;
        return 0;
    }
    market->text[strcspn(market->text, "\r\n")] = 0;
    return 1;
}

/* The next line that is neither blank nor a comment. */
static int next_content(struct market *market) {
    while (next_line(market))
        if (*market->text != '%' && market->text[strspn(market->text, " \t")])
            return 1;
    return 0;
}

static int read_banner(struct market *market) {
    static const char right[] = "%%MatrixMarket matrix coordinate real general";
    char object[32], format[32], field[32], symmetry[32], more[2];
    int is_there = next_line(market);

    if (is_there && !strncmp(market->text, "\x1f\x8b", 2))
        return wrong(market, "the file is compressed; unpack it first, as by `gunzip`");
    if (!is_there || sscanf(market->text, "%%%%MatrixMarket %31s %31s %31s %31s %1s", object,
                            format, field, symmetry, more) != 4)
        return wrong(market, "the first line should be as `%s`", right);
    if (strcasecmp(object, "matrix") || strcasecmp(format, "coordinate"))
        return wrong(market, "`%s %s` cannot be read, only `matrix coordinate`", object, format);
    market->is_pattern = !strcasecmp(field, "pattern");
    if (!market->is_pattern && strcasecmp(field, "real") && strcasecmp(field, "integer"))
        return wrong(market, "values of kind `%s` cannot be read, only real, integer and pattern",
                     field);
    if (!strcasecmp(symmetry, "general"))
        market->symmetry = GENERAL;
    else if (!strcasecmp(symmetry, "symmetric"))
        market->symmetry = SYMMETRIC;
    else if (!strcasecmp(symmetry, "skew-symmetric"))
        market->symmetry = SKEW;
    else
        return wrong(market,
                     "a matrix that is `%s` cannot be read, only general, symmetric and "
                     "skew-symmetric",
                     symmetry);
    return 0;
}

/* A whole number at *text, which then stands behind it; 0 if there is none. */
static int read_whole(const char **text, long long *value) {
    char *end;

    errno = 0;
    *value = strtoll(*text, &end, 10);
    if (errno || end == *text || (*end && !strchr(" \t", *end)))
        return 0;
    *text = end;
    return 1;
}

static int is_blank(const char *text) {
    return !text[strspn(text, " \t")];
}

static int read_size(struct market *market) {
    const char *text;

    if (!next_content(market))
        return wrong(market, "the file ends before the line with rows, columns and entries");
    text = market->text;
    if (!read_whole(&text, &market->rows) || !read_whole(&text, &market->columns) ||
        !read_whole(&text, &market->announced) || !is_blank(text) || market->rows < 0 ||
        market->columns < 0 || market->announced < 0)
        return wrong(market, "`%.80s` should be rows, columns and entries, as in `3 3 5`",
                     market->text);
    if (market->symmetry != GENERAL && market->rows != market->columns)
        return wrong(market, "%lld rows and %lld columns: a symmetric matrix has as many of both",
                     market->rows, market->columns);
    if (market->rows > market->largest || market->columns > market->largest)
        return wrong(market, "%lld rows and %lld columns: there should be at most %d of each",
                     market->rows, market->columns, market->largest);
    if (market->announced > INT_MAX)
        return wrong(market,
                     "%lld entries: they should be below 2^31, since indices here have 32 "
                     "bits",
                     market->announced);
    return 0;
}

static int append(struct market *market, struct entry entry) {
    if (market->count == market->most) {
        long long most = 2 * market->most + 1024;
        struct entry *more = realloc(market->entries, (size_t)most * sizeof *more);

        if (!more)
            return wrong(market, "no memory for %lld entries", most);
        market->entries = more;
        market->most = most;
    }
    market->entries[market->count++] = entry;
    return 0;
}

/* The entry of this line, and its mirror image. */
static int read_entry(struct market *market) {
    const char *text = market->text, *form = market->is_pattern ? "4 2" : "4 2 0.5";
    long long row, column;
    double value = 1;
    char *end;

    if (!read_whole(&text, &row) || !read_whole(&text, &column))
        return wrong(market, "`%.80s` should be an entry, as in `%s`", market->text, form);
    if (!market->is_pattern) {
        value = strtod(text, &end);
        if (end == text)
            return wrong(market, "`%.80s` should be an entry with a value, as in `%s`",
                         market->text, form);
        text = end;
    }
    if (!is_blank(text))
        return wrong(market, "`%.80s` should end after %s, as in `%s`", market->text,
                     market->is_pattern ? "its column" : "its value", form);
    if (row < 1 || row > market->rows)
        return wrong(market, "row %lld: rows count from 1 to %lld", row, market->rows);
    if (column < 1 || column > market->columns)
        return wrong(market, "column %lld: columns count from 1 to %lld", column, market->columns);
    if (!isfinite((float)value))
        return wrong(market, "the value should be a finite number of type float");
    if (market->symmetry != GENERAL && row < column)
        return wrong(market,
                     "row %lld, column %lld lies above the diagonal: of a symmetric matrix "
                     "the file has the lower triangle",
                     row, column);
    if (market->symmetry == SKEW && row == column)
        return wrong(market, "row %lld, column %lld: a skew-symmetric matrix has no diagonal", row,
                     column);
    if (append(market, (struct entry){(int)row - 1, (int)column - 1, (float)value}))
        return -1;
    if (market->symmetry == GENERAL || row == column)
        return 0;
    if (market->symmetry == SKEW)
        value = -value;
    return append(market, (struct entry){(int)column - 1, (int)row - 1, (float)value});
}

static int read_entries(struct market *market) {
    long long read = 0;

    while (next_content(market)) {
        if (read == market->announced)
            return wrong(market, "entry %lld, and the size line says %lld", read + 1,
                         market->announced);
        if (read_entry(market))
            return -1;
        read++;
    }
    if (read < market->announced)
        return wrong(market, "the file ends after %lld entries, and the size line says %lld", read,
                     market->announced);
    if (market->rows + market->count > INT_MAX)
        return wrong(market, "%lld rows and %lld nonzeros: together they should be below 2^31",
                     market->rows, market->count);
    return 0;
}

/* One turn of a sort by counting, which keeps the order of equals. `starts` has number + 1 elements
 * and gets, for each key, how many entries have a smaller one. */
static void sort_by(const struct entry *from, struct entry *to, long long count, int by_row,
                    int *starts, int number) {
    memset(starts, 0, ((size_t)number + 1) * sizeof *starts);
    for (long long i = 0; i < count; i++)
        starts[(by_row ? from[i].row : from[i].column) + 1]++;
    for (int i = 0; i < number; i++)
        starts[i + 1] += starts[i];
    for (long long i = 0; i < count; i++)
        to[starts[by_row ? from[i].row : from[i].column]++] = from[i];
}

/* Entries, by row and column, become rows; those of one place are added up. */
static int compress(struct market *market, struct market_matrix *matrix) {
    int rows = (int)market->rows, columns = (int)market->columns, kept = 0;
    size_t count = (size_t)market->count, keys = (size_t)(rows > columns ? rows : columns) + 1;
    struct entry *sorted = malloc(count * sizeof *sorted + 1);
    int *starts = malloc(keys * sizeof *starts);

    *matrix = (struct market_matrix){rows,
                                     columns,
                                     0,
                                     calloc((size_t)rows + 1, sizeof(int)),
                                     malloc(count * sizeof(int) + 1),
                                     malloc(count * sizeof(float) + 1)};
    if (!sorted || !starts || !matrix->row_starts || !matrix->column_of || !matrix->values) {
        free(sorted);
        free(starts);
        matrix_market_free(matrix);
        return wrong(market, "no memory for %lld entries", market->count);
    }
    sort_by(market->entries, sorted, market->count, 0, starts, columns);
    sort_by(sorted, market->entries, market->count, 1, starts, rows);
    for (size_t i = 0; i < count; i++) {
        const struct entry *entry = &market->entries[i];

        if (i && entry->row == entry[-1].row && entry->column == entry[-1].column) {
            matrix->values[kept - 1] += entry->value;
            continue;
        }
        matrix->column_of[kept] = entry->column;
        matrix->values[kept++] = entry->value;
        matrix->row_starts[entry->row + 1]++;
    }
    for (int row = 0; row < rows; row++)
        matrix->row_starts[row + 1] += matrix->row_starts[row];
    matrix->nonzeros = kept;
    free(sorted);
    free(starts);
    return 0;
}

/* Each entry is finite; those of one place together need not be. */
static int check_sums(const struct market *market, struct market_matrix *matrix) {
    for (int row = 0; row < matrix->rows; row++)
        for (int k = matrix->row_starts[row]; k < matrix->row_starts[row + 1]; k++)
            if (!isfinite(matrix->values[k])) {
                snprintf(market->message, 512,
                         "%s: the entries of row %d, column %d should add up to a finite number of "
                         "type float",
                         market->path, row + 1, matrix->column_of[k] + 1);
                matrix_market_free(matrix);
                return -1;
            }
    return 0;
}

int matrix_market_read(const char *path, int most, struct market_matrix *matrix, char *message) {
    struct market market = {
        .file = fopen(path, "r"), .path = path, .message = message, .largest = most};
    int failed;

    memset(matrix, 0, sizeof *matrix);
    if (!market.file) {
        snprintf(message, 512, "%s: %s", path, strerror(errno));
        return -1;
    }
    failed = read_banner(&market) || read_size(&market) || read_entries(&market) ||
             compress(&market, matrix) || check_sums(&market, matrix);
    if (failed && market.error)
        snprintf(message, 512, "%s: %s", path, strerror(market.error));
    fclose(market.file);
    free(market.text);
    free(market.entries);
    return failed ? -1 : 0;
}

void matrix_market_free(struct market_matrix *matrix) {
    free(matrix->row_starts);
    free(matrix->column_of);
    free(matrix->values);
    memset(matrix, 0, sizeof *matrix);
}
