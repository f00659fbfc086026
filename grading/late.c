#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "late.h"
#include "zone.h"

/* Begun days between due and submitted; -1: nobody knows. */
static int late_days(const char *due_utc, const char *submitted_utc) {
    long long due = utc_seconds(due_utc), submitted = utc_seconds(submitted_utc);
    enum { DAY = 86400 };

    if (!*due_utc)
        return 0;
    if (submitted < 0)
        return -1;
    return submitted <= due ? 0 : (int)((submitted - due + DAY - 1) / DAY);
}

static void take_off(const struct rubric *rubric, const struct step_rubric *step,
                     const struct handed_in *attempt, struct total *total) {
    int days = late_days(step->due_utc, attempt->submitted_utc);
    double most = attempt->possible * step->cap_percent / 100;
    double share = 1 - days * rubric->late_percent / 100;
    size_t length;

    memset(total, 0, sizeof *total);
    total->entry = attempt->entry;
    total->earned = total->points = attempt->earned;
    total->possible = attempt->possible;
    if (days < 0) {
        snprintf(total->explanation, sizeof total->explanation,
                 "No time of handing in is known, so this counts as in time. ");
    } else if (days > 0) {
        total->late_days = days;
        total->points = days > rubric->late_days || share < 0 ? 0 : attempt->earned * share;
        if (days > rubric->late_days)
            snprintf(total->explanation, sizeof total->explanation,
                     "Handed in %d %s late, more than the %d that are allowed: no points. ", days,
                     days == 1 ? "day" : "days", rubric->late_days);
        else
            snprintf(total->explanation, sizeof total->explanation,
                     "Handed in %d %s late: %g%% off per day. ", days, days == 1 ? "day" : "days",
                     rubric->late_percent);
    }
    length = strlen(total->explanation);
    if (total->points > most) {
        total->points = most;
        snprintf(total->explanation + length, sizeof total->explanation - length,
                 "At most %g%% of the possible points can be earned. ", step->cap_percent);
    }
    length = strlen(total->explanation);
    if (length)
        total->explanation[length - 1] = 0;
}

/* Whether `one` was handed in after `other`; without times the later entry was. */
static int is_later(const struct handed_in *one, const struct handed_in *other) {
    int order = strcmp(one->submitted_utc, other->submitted_utc);

    return order ? order > 0 : one->entry > other->entry;
}

static double share_of(const struct total *total) {
    return total->possible > 0 ? total->points / total->possible : 0;
}

void late_total(const struct rubric *rubric, const struct step *step,
                const struct handed_in *attempts, int count, struct total *total) {
    const struct step_rubric *rules = rubric_step(rubric, step);
    const struct handed_in *chosen = NULL;
    struct total one;
    int i;

    memset(total, 0, sizeof *total);
    for (i = 0; rules && i < count; i++) {
        double ahead;

        take_off(rubric, rules, &attempts[i], &one);
        ahead = rubric->attempt == ATTEMPT_BEST && chosen ? share_of(&one) - share_of(total) : 0;
        if (!chosen || ahead > 0 || (ahead == 0 && is_later(&attempts[i], chosen))) {
            chosen = &attempts[i];
            *total = one;
        }
    }
}
