/* What a wrong y of two passes comes from: the faults that are usual here are made on purpose, and
 * that one is named which gives the same y. */
#include "spmv_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Up to here a fault is made in a moment. */
enum { MOST_NONZEROS = 1 << 20, PASSES = 2 };

/* A row that is cut, and one computed from it, fit cuts at many widths. */
enum { FEWEST_CUT = 3 };

/* A fault of a program; `width` is that of a block, or of what it cuts rows at. */
struct fault {
    int passes;              /* made, of two */
    int shift;               /* columns are off by so many */
    int width;               /* only those within the block of so many rows; 0: all */
    int no_first, no_last;   /* of a row's nonzeros */
    int cut;                 /* rows are cut at multiples of so many nonzeros; 0: they are not */
    int with_rows;           /* nonzeros and ends of rows are counted */
    int keeps_first;         /* of a row that is cut the first piece counts, else the last one */
    const char *explanation; /* %d is the width or the cut */
};

/* The nonzeros of a row that count, with that fault. */
static void range_of(const struct csr_matrix *matrix, const struct fault *fault, int row,
                     int *start, int *end) {
    int ends_before = fault->with_rows ? row : 0;

    *start = matrix->row_starts[row] + fault->no_first;
    *end = matrix->row_starts[row + 1] - fault->no_last;
    if (!fault->cut)
        return;
    if (fault->keeps_first) {
        int edge = ((*start + ends_before) / fault->cut + 1) * fault->cut - ends_before;

        *end = edge < *end ? edge : *end;
    } else {
        /* Where ends count, a row that ends at an edge has its end, and nothing else, behind it. */
        int edge = (*end + ends_before - !fault->with_rows) / fault->cut * fault->cut - ends_before;

        *start = edge > *start ? edge : *start;
    }
}

static int column_of(const struct csr_matrix *matrix, const struct fault *fault, int row, int k) {
    int column = matrix->columns[k], shifted = column + fault->shift;

    if (shifted < 0 || shifted >= matrix->rows)
        return column;
    if (fault->width && column / fault->width != row / fault->width)
        return column;
    return shifted;
}

static void make(const struct csr_matrix *matrix, const struct fault *fault, const float *x,
                 double *from, double *to) {
    for (int i = 0; i < matrix->rows; i++)
        to[i] = x[i];
    for (int pass = 0; pass < fault->passes; pass++) {
        for (int i = 0; i < matrix->rows; i++)
            from[i] = to[i];
        for (int row = 0; row < matrix->rows; row++) {
            double sum = 0;
            int start, end;

            range_of(matrix, fault, row, &start, &end);
            for (int k = start; k < end; k++)
                sum += matrix->values[k] * from[column_of(matrix, fault, row, k)];
            to[row] = sum;
        }
    }
}

/* Whether the fault explains y: rows in which the two differ are few beside those in which y
 * differs from the right answer, of which there are `fewest` or more. Those at edges may depend on
 * more than the fault. */
static int explains(const double *made, const double *right, const float *y, int n, int fewest) {
    int wrong = 0, unexplained = 0;

    for (int i = 0; i < n; i++) {
        wrong += fabs(right[i] - y[i]) > 1e-4 * (fabs(right[i]) + 1e-2);
        unexplained += fabs(made[i] - y[i]) > 1e-4 * (fabs(made[i]) + 1e-2);
    }
    return wrong >= fewest && 10 * unexplained <= wrong;
}

void spmv_diagnose(const struct csr_matrix *matrix, const float *x, const float *y, char *text,
                   size_t size) {
    static const struct fault once[] = {
        {.passes = 1,
         .explanation = ": y is what the first pass gives; does the next one read it?"},
        {.passes = 0, .explanation = ": y is x as it came; are the results stored and copied?"},
        {2, .shift = 1, .explanation = ": each column is taken for the one behind it"},
        {2, .shift = -1, .explanation = ": each column is taken for the one before it"},
        {2, .no_last = 1, .explanation = ": the last nonzero of each row is left out"},
        {2, .no_first = 1, .explanation = ": the first nonzero of each row is left out"},
    };
    static const struct fault of_width[] = {
        {2, .shift = 1, .width = 1,
         .explanation = ": where a column lies in the window of its block of %d rows, the element "
                        "behind it is taken; does the window begin where the block's rows begin?"},
        {2, .shift = -1, .width = 1,
         .explanation = ": where a column lies in the window of its block of %d rows, the element "
                        "before it is taken; does the window begin where the block's rows begin?"},
        {2, .cut = 1,
         .explanation = ": a row that is cut at a multiple of %d nonzeros lacks what lies before "
                        "the cut; who adds that piece to the row?"},
        {2, .cut = 1, .keeps_first = 1,
         .explanation = ": a row that is cut at a multiple of %d nonzeros lacks what lies behind "
                        "the cut; who adds that piece to the row?"},
        {2, .cut = 1, .with_rows = 1,
         .explanation = ": a row that is cut at a multiple of %d items, nonzeros and ends of rows, "
                        "lacks what lies before the cut; who adds that piece to the row?"},
        {2, .cut = 1, .with_rows = 1, .keeps_first = 1,
         .explanation = ": a row that is cut at a multiple of %d items, nonzeros and ends of rows, "
                        "lacks what lies behind the cut; who adds that piece to the row?"},
    };
    int n = matrix->rows, found = 0;
    double *from, *made, *right;

    *text = 0;
    if (matrix->nonzeros > MOST_NONZEROS)
        return;
    if (!(from = malloc(3 * (size_t)n * sizeof *from + 1)))
        return;
    made = from + n;
    right = made + n;
    make(matrix, &(struct fault){.passes = PASSES}, x, from, right);
    for (size_t f = 0; f < sizeof once / sizeof *once && !found; f++) {
        make(matrix, &once[f], x, from, made);
        found = explains(made, right, y, n, 1);
        if (found)
            snprintf(text, size, "%s", once[f].explanation);
    }
    for (int width = 8192; width >= 2 && !found; width /= 2)
        for (size_t f = 0; f < sizeof of_width / sizeof *of_width && !found; f++) {
            struct fault fault = of_width[f];

            fault.width *= width;
            fault.cut *= width;
            make(matrix, &fault, x, from, made);
            found = explains(made, right, y, n, FEWEST_CUT);
            if (found)
                snprintf(text, size, fault.explanation, width);
        }
    free(from);
}
