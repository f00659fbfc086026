#include "nbody_problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Memory that a float may come from, or have been computed from, before anybody wrote there. */
static const struct {
    uint32_t copied, computed;
    const char *question;
} unwritten_memory[] = {
    {POISON_SHARED, POISON_SHARED_COMPUTED,
     "it was computed from shared memory that no thread wrote: is the whole tile loaded before it "
     "is used, and does the loop over the last tile end at the last body?"},
    {POISON_DEVICE, POISON_DEVICE_COMPUTED,
     "it was computed from an array on the device that was never written: is it copied there "
     "before the launch, all of it, does a thread or a loop read behind the last body?"},
    {POISON, POISON_COMPUTED,
     "it was computed from memory that was never written: is `in` copied to `out` before the loops "
     "use it, does a loop read behind the last body?"},
};
enum { MEMORIES = sizeof unwritten_memory / sizeof *unwritten_memory };

int nbody_all_finite(const struct body *out, int n, struct judgement *judgement) {
    static const char *const names[] = {"x", "y", "z", "vx", "vy", "vz"};
    enum { FLOATS = 6 };
    int unwritten = 0, first_unwritten = -1, last_unwritten = -1;
    int not_finite = 0, first_not_finite = -1, component = 0, from = MEMORIES;
    for (int i = 0; i < n; i++) {
        float values[FLOATS];
        uint32_t bits[FLOATS];
        memcpy(values, &out[i], sizeof values);
        memcpy(bits, &out[i], sizeof bits);
        int poison = 0, bad = -1;
        for (int f = FLOATS - 1; f >= 0; f--) {
            for (int m = 0; m < MEMORIES; m++) {
                poison |= bits[f] == unwritten_memory[m].copied;
                /* A difference the other way round has the other sign. */
                if (!((bits[f] ^ unwritten_memory[m].computed) & 0x7fffffffu) && m < from)
                    from = m;
            }
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
        judge_as(judgement, OUTCOME_UNWRITTEN,
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
        judge_as(judgement, OUTCOME_NOT_FINITE,
                 "%d of %d bodies hold NaN or Inf: the first is body %d, whose %s is %g; %s",
                 not_finite, n, first_not_finite, names[component], (double)values[component],
                 from < MEMORIES ? unwritten_memory[from].question
                 : isnan(values[component])
                     ? "is the softening added to r^2, so that a body's own term is 0 and not 0/0? "
                       "Is every sum set to 0 first, and every array filled before it is read?"
                     : "is something divided by 0?");
        return 0;
    }
    return 1;
}
