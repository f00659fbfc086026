#include "nbody_problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int nbody_all_finite(const struct body *out, int n, struct judgement *judgement) {
    static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz"};
    enum { FLOATS = 6 };
    int unwritten = 0, first_unwritten = -1, last_unwritten = -1;
    int not_finite = 0, first_not_finite = -1, component = 0, of_poison = 0;
    for (int i = 0; i < n; i++) {
        float values[FLOATS];
        uint32_t bits[FLOATS];
        memcpy(values, &out[i], sizeof values);
        memcpy(bits, &out[i], sizeof bits);
        int poison = 0, bad = -1;
        for (int f = FLOATS - 1; f >= 0; f--) {
            poison |= bits[f] == POISON;
            of_poison |= bits[f] == POISON_COMPUTED;
            if (!isfinite(values[f]))
                bad = f;
        }
        if (poison) {
            if (!unwritten++)
                first_unwritten = i;
            last_unwritten = i;
        } else if (bad >= 0) {
            if (!not_finite++) {
                first_not_finite = i;
                component = bad;
            }
        }
    }
    if (unwritten) {
        judgement->outcome = OUTCOME_UNWRITTEN;
        snprintf(judgement->message, sizeof judgement->message,
                 "%d of %d bodies were never written: the first is body %d, the last body %d%s",
                 unwritten, n, first_unwritten, last_unwritten,
                 unwritten == n ? "; does simulation_run write to `out`?"
                 : last_unwritten == n - 1 && unwritten == n - first_unwritten
                     ? "; a loop or a copy stops short of n"
                     : "");
        return 0;
    }
    if (not_finite) {
        float values[FLOATS];
        memcpy(values, &out[first_not_finite], sizeof values);
        judgement->outcome = OUTCOME_NOT_FINITE;
        snprintf(judgement->message, sizeof judgement->message,
                 "%d of %d bodies hold NaN or Inf: the first is body %d, whose %s is %g; %s",
                 not_finite, n, first_not_finite, names[component], (double)values[component],
                 of_poison ? "it was computed from memory that was never written: is `in` copied "
                             "to `out` before the loops use it, does a loop read behind the last "
                             "body?"
                 : isnan(values[component]) ? "is the softening added to r^2, so that a body's own "
                                              "term is 0 and not 0/0? Is every sum set to 0 first?"
                                            : "is something divided by 0?");
        return 0;
    }
    return 1;
}
