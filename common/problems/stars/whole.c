#include "whole.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The numbers of a star in their order. */
enum { NUMBERS = sizeof(struct star) / sizeof(double) };

static const char *name_of(int number, char name[16]) {
    if (number == 0)
        return "mass";
    snprintf(name, 16, "%s %c", number <= 3 ? "position" : "velocity", "xyz"[(number - 1) % 3]);
    return name;
}

int stars_are_written(const struct star *out, int n, const struct star_words *words,
                      struct judgement *judgement) {
    static const uint32_t poison[2] = {POISON, POISON};
    int unwritten = 0, first = -1, last = -1;
    char cause[160] = "";

    for (int i = 0; i < n; i++) {
        const char *bytes = (const char *)&out[i];
        int has_poison = 0;

        for (size_t at = 0; at < sizeof *out; at += sizeof poison)
            has_poison |= !memcmp(bytes + at, poison, sizeof poison);
        if (!has_poison)
            continue;
        first = unwritten++ ? first : i;
        last = i;
    }
    if (!unwritten)
        return 1;
    if (unwritten == n)
        snprintf(cause, sizeof cause, "; does %s write masses, positions and velocities to `out`?",
                 words->run);
    else if (words->unwritten)
        snprintf(cause, sizeof cause, "; %s", words->unwritten);
    judge_as(judgement, OUTCOME_UNWRITTEN,
             "%d of %d %s were never written, or not wholly: the first is %s %d, the last %s %d%s",
             unwritten, n, words->several, words->one, first, words->one, last, cause);
    return 0;
}

int stars_are_whole(const struct star *in, const struct star *out, int n,
                    const struct star_words *words, struct judgement *judgement) {
    char name[16];

    if (!stars_are_written(out, n, words, judgement))
        return 0;
    for (int i = 0; i < n; i++) {
        const double *numbers = (const double *)&out[i];

        for (int k = 0; k < NUMBERS; k++)
            if (!isfinite(numbers[k])) {
                judge_as(judgement, OUTCOME_NOT_FINITE, "the %s of %s %d is %g; %s",
                         name_of(k, name), words->one, i, numbers[k], words->not_finite);
                return 0;
            }
        if (words->masses_in_float ? (float)out[i].mass != (float)in[i].mass
                                   : out[i].mass != in[i].mass) {
            judge_as(judgement, OUTCOME_WRONG, "the mass of %s %d was %.6g and is %.6g; %s",
                     words->one, i, in[i].mass, out[i].mass, words->mass);
            return 0;
        }
    }
    return 1;
}
