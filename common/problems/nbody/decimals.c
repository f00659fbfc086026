#include "nbody_problem.h"

#include <math.h>
#include <string.h>

/* Compared in double: the difference of two floats is exact there unless one is 2^29 times the
 * other, and no float difference lies between 10^-k and the double nearest to it. In float, 0.1f is
 * above 0.1 and 0.01f below 0.01, and a difference just short of 0.01 would count as 0.01. NaN
 * counts as wrong from the first decimal on. */
int first_wrong_decimal(float a, float b) {
    static const double power[] = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
    double difference = fabs((double)a - (double)b);
    int k = 1;
    while (k < DECIMALS && difference < power[k - 1])
        k++;
    return k;
}

void nbody_decimals(const struct body *reference, const struct body *out, int n,
                    struct judgement *judgement) {
    memset(judgement->decimals, 0, sizeof judgement->decimals);
    for (int i = 0; i < n; i++) {
        judgement->decimals[first_wrong_decimal(reference[i].x, out[i].x) - 1]++;
        judgement->decimals[first_wrong_decimal(reference[i].y, out[i].y) - 1]++;
        judgement->decimals[first_wrong_decimal(reference[i].z, out[i].z) - 1]++;
    }
    long wrong = 0, coordinates = 3L * n;
    int k = 0;
    do
        wrong += judgement->decimals[k++];
    while (k < DECIMALS && 100 * wrong <= coordinates);
    judgement->first_wrong_decimal = k;
}
