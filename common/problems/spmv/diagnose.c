/* What a wrong y comes from: the faults that are usual here are made on purpose, and
 * that one is named which gives the same y. */
#include "spmv_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Up to here a fault is made in a moment. */
enum { MOST_NONZEROS = 1 << 20, WARP = 32 };

/* A row that is cut, and one computed from it, fit cuts at many widths. A row's first and last
 * piece fit one, unless they are next to nothing. */
enum { FEWEST_CUT = 3, NARROWEST_PIECES = 64 };

/* Rows that a warp may have to take, and so many that are shorter and right; the last ones, of
 * which so many are wrong. */
enum { LONG_ROW = 32, OVER_TILES = 1024, FEWEST_SHORT = 8, FEWEST_LAST = 8 };

/* Widths that are tried: powers of two, and where threads have an odd number of items each, such a
 * number of them. */
enum { WIDEST = 16384, NARROWEST_ODD = 128, MOST_ODD = 15 };

/* A fault of a program; `width` is that of a block, or of what it cuts rows at. */
struct fault {
    int shift;               /* columns are off by so many */
    int width;               /* only those within the block of so many rows; 0: all */
    int no_first, no_last;   /* of a row's nonzeros */
    int cut;                 /* rows are cut at multiples of so many nonzeros; 0: they are not */
    int with_rows;           /* nonzeros and ends of rows are counted */
    int keeps_first;         /* of a row that is cut the first piece counts, else the last one */
    int keeps_both;          /* the first one and the last one do */
    int stride;              /* of a row one nonzero in so many counts; 0: each */
    const char *explanation; /* %d is the width or the cut */
};

/* The nonzeros of a row that count, with that fault, but for those from *gap up to *gap_end. */
static void range_of(const struct csr_matrix *matrix, const struct fault *fault, int row,
                     int *start, int *gap, int *gap_end, int *end) {
    int ends_before = fault->with_rows ? row : 0, first, last;

    *start = *gap = *gap_end = matrix->row_starts[row] + fault->no_first;
    *end = matrix->row_starts[row + 1] - fault->no_last;
    if (!fault->cut)
        return;
    /* Where ends count, a row that ends at an edge has its end, and nothing else, behind it. */
    first = ((*start + ends_before) / fault->cut + 1) * fault->cut - ends_before;
    last = (*end + ends_before - !fault->with_rows) / fault->cut * fault->cut - ends_before;
    if (fault->keeps_both) {
        *gap = first < last ? first : last;
        *gap_end = last;
    } else if (fault->keeps_first) {
        *end = first < *end ? first : *end;
    } else {
        *start = last > *start ? last : *start;
    }
}

/* Of a row whose block begins with row `window`. */
static int column_of(const struct csr_matrix *matrix, const struct fault *fault, int window,
                     int k) {
    int column = matrix->columns[k], shifted = column + fault->shift;

    if (shifted < 0 || shifted >= matrix->rows)
        return column;
    if (fault->width && (column < window || column - window >= fault->width))
        return column;
    return shifted;
}

static void make(const struct csr_matrix *matrix, const struct fault *fault, int passes,
                 const float *x, double *from, double *to) {
    for (int i = 0; i < matrix->rows; i++)
        to[i] = x[i];
    for (int pass = 0; pass < passes; pass++) {
        for (int i = 0; i < matrix->rows; i++)
            from[i] = to[i];
        for (int row = 0; row < matrix->rows; row++) {
            double sum = 0;
            int window = fault->width ? row / fault->width * fault->width : 0;
            int start, gap, gap_end, end;

            range_of(matrix, fault, row, &start, &gap, &gap_end, &end);
            for (int k = start; k < end; k += fault->stride ? fault->stride : 1)
                if (k < gap || k >= gap_end)
                    sum += matrix->values[k] * from[column_of(matrix, fault, window, k)];
            to[row] = sum;
        }
    }
}

static int differs(double right, double y) {
    return fabs(right - y) > 1e-4 * (fabs(right) + 1e-2);
}

/* Whether the fault explains y: rows in which the two differ are few beside those in which y
 * differs from the right answer, of which there are `fewest` or more. Those at edges may depend on
 * more than the fault. */
static int explains(const double *made, const double *right, const float *y, int n, int fewest) {
    int wrong = 0, unexplained = 0;

    for (int i = 0; i < n; i++) {
        wrong += differs(right[i], y[i]);
        unexplained += differs(made[i], y[i]);
    }
    return wrong >= fewest && 10 * unexplained <= wrong;
}

static int length_of(const struct csr_matrix *matrix, int row) {
    return matrix->row_starts[row + 1] - matrix->row_starts[row];
}

/* The length of the shortest row that is wrong of itself: not one computed from a longer one that
 * is. */
static int shortest_wrong(const struct csr_matrix *matrix, const double *right, const float *y) {
    int shortest = matrix->nonzeros;

    for (int row = 0; row < matrix->rows; row++) {
        int longest = length_of(matrix, row);

        if (!differs(right[row], y[row]))
            continue;
        for (int k = matrix->row_starts[row]; k < matrix->row_starts[row + 1]; k++) {
            int column = matrix->columns[k];

            if (differs(right[column], y[column]) && length_of(matrix, column) > longest)
                longest = length_of(matrix, column);
        }
        shortest = longest < shortest ? longest : shortest;
    }
    return shortest;
}

/* No fault that is made here: which rows are wrong, if those are the long ones or the last ones. */
static void tell_which(const struct csr_matrix *matrix, const double *right, const float *y,
                       char *text, size_t size) {
    int shortest = shortest_wrong(matrix, right, y), short_ones = 0, wrong = 0, first = -1;

    for (int row = 0; row < matrix->rows; row++) {
        int is_wrong = differs(right[row], y[row]), length = length_of(matrix, row);

        first = is_wrong && first < 0 ? row : first;
        wrong += is_wrong;
        short_ones += !is_wrong && length > 0 && length < shortest;
    }
    if (wrong && shortest > LONG_ROW && short_ones >= FEWEST_SHORT)
        snprintf(text, size,
                 ": rows of fewer than %d nonzeros are wrong only where they are computed from a "
                 "longer one; who adds up %s",
                 shortest,
                 shortest > OVER_TILES
                     ? "the pieces of a row over several tiles, and is each of them added once?"
                     : "long rows, and what if two lanes of a warp have one?");
    else if (first > 0 && wrong >= FEWEST_LAST && 10 * wrong >= 9 * (matrix->rows - first))
        snprintf(text, size,
                 ": from row %d on nearly all are wrong, and none before; what is different in the "
                 "last tile: fewer items and rows, and so more lanes for each row?",
                 first);
}

static int is_tried(int width) {
    int odd = width;

    while (odd % 2 == 0)
        odd /= 2;
    return odd == 1 || (odd <= MOST_ODD && width / odd >= NARROWEST_ODD);
}

void spmv_diagnose(const struct csr_matrix *matrix, const float *x, const float *y, int passes,
                   char *text, size_t size) {
    static const struct fault once[] = {
        {.shift = 1, .explanation = ": each column is taken for the one behind it"},
        {.shift = -1, .explanation = ": each column is taken for the one before it"},
        {.no_last = 1, .explanation = ": the last nonzero of each row is left out"},
        {.no_first = 1, .explanation = ": the first nonzero of each row is left out"},
    };
    static const struct fault of_width[] = {
        {.shift = 1,
         .width = 1,
         .explanation = ": where a column lies in the window of its block of %d rows, the element "
                        "behind it is taken; does the window begin where the block's rows begin?"},
        {.shift = -1,
         .width = 1,
         .explanation = ": where a column lies in the window of its block of %d rows, the element "
                        "before it is taken; does the window begin where the block's rows begin?"},
        {.cut = 1,
         .explanation = ": a row that is cut at a multiple of %d nonzeros lacks what lies before "
                        "the cut; who adds that piece to the row?"},
        {.cut = 1,
         .keeps_first = 1,
         .explanation = ": a row that is cut at a multiple of %d nonzeros lacks what lies behind "
                        "the cut; who adds that piece to the row?"},
        {.cut = 1,
         .with_rows = 1,
         .explanation = ": a row that is cut at a multiple of %d items, nonzeros and ends of rows, "
                        "lacks what lies before the cut; who adds that piece to the row?"},
        {.cut = 1,
         .with_rows = 1,
         .keeps_first = 1,
         .explanation = ": a row that is cut at a multiple of %d items, nonzeros and ends of rows, "
                        "lacks what lies behind the cut; who adds that piece to the row?"},
        {.cut = 1,
         .with_rows = 1,
         .keeps_both = 1,
         .explanation =
             ": of a row that is cut at multiples of %d items, nonzeros and ends of rows, "
             "only its first and its last piece count; who adds up those between?"},
    };
    const struct fault none = {0};
    int n = matrix->rows, found = 0, longest = 0;
    double *from, *made, *right;

    *text = 0;
    if (matrix->nonzeros > MOST_NONZEROS)
        return;
    if (!(from = malloc(3 * (size_t)n * sizeof *from + 1)))
        return;
    made = from + n;
    right = made + n;
    make(matrix, &none, passes, x, from, right);
    for (int pass = 0; pass < passes && !found; pass++) {
        make(matrix, &none, pass, x, from, made);
        found = explains(made, right, y, n, 1);
        if (found && pass)
            snprintf(text, size, ": y is what %s gives; does the next one read it?",
                     pass == 1 ? "the first pass" : "a pass before the last");
        else if (found)
            snprintf(text, size, ": y is x as it came; are the results stored and copied?");
    }
    for (size_t f = 0; f < sizeof once / sizeof *once && !found; f++) {
        make(matrix, &once[f], passes, x, from, made);
        found = explains(made, right, y, n, 1);
        if (found)
            snprintf(text, size, "%s", once[f].explanation);
    }
    for (int row = 0; row < n; row++)
        longest = length_of(matrix, row) > longest ? length_of(matrix, row) : longest;
    for (int stride = 2; stride <= WARP && !found; stride *= 2) {
        char others[64] = "no other";

        make(matrix, &(struct fault){.stride = stride}, passes, x, from, made);
        found = explains(made, right, y, n, FEWEST_CUT);
        if (stride < longest)
            snprintf(others, sizeof others, "those behind it in steps of %d", stride);
        if (found)
            snprintf(
                text, size,
                ": of a row the first nonzero counts, and %s; how far do lanes go on, and does "
                "each row get what all of its lanes have?",
                others);
    }
    for (int width = WIDEST; width >= 2 && !found; width--)
        for (size_t f = 0; f < sizeof of_width / sizeof *of_width && is_tried(width) && !found;
             f++) {
            struct fault fault = of_width[f];

            fault.width *= width;
            fault.cut *= width;
            make(matrix, &fault, passes, x, from, made);
            found = explains(made, right, y, n,
                             fault.keeps_both && width >= NARROWEST_PIECES ? 1 : FEWEST_CUT);
            if (found)
                snprintf(text, size, fault.explanation, width);
        }
    if (!found)
        tell_which(matrix, right, y, text, size);
    free(from);
}
