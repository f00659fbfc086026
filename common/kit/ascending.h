/* Tables of ascending numbers: where a number is in one, and what belongs to it. */
#ifndef ASCENDING_H
#define ASCENDING_H

/* A point between entries `cell` and `cell + 1` of a table. */
struct between {
    int cell;
    double part; /* of the way from the one to the other, 0 to 1 */
};

/* Where a value is among `count` (2 or more) ascending entries, by bisection; outside the
 * table at its end. */
static inline struct between find_between(const double *ascending, int count, double value) {
    int low = 0, high = count - 1;
    double width, part;

    while (high - low > 1) {
        int middle = (low + high) / 2;

        if (ascending[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    width = ascending[low + 1] - ascending[low];
    part = width > 0 ? (value - ascending[low]) / width : 0;
    return (struct between){low, part < 0 ? 0 : part > 1 ? 1 : part};
}

/* What another table has there, by a straight line from entry to entry. */
static inline double value_at(const double *table, struct between between) {
    return table[between.cell] + between.part * (table[between.cell + 1] - table[between.cell]);
}

#endif
