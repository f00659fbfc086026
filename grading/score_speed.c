#include <math.h>
#include <stdio.h>
#include <string.h>

#include "score_parts.h"

/* A predecessor nearer than this to speed_to leaves no ramp to climb. */
#define ROOM 0.9

/* Points at both ends of a share's spread may differ by this share of the item's. */
#define SPREAD 0.25

/* A share of the solution's speed, and the ends of its spread. */
struct share {
    double middle, low, high;
};

/* What one repeat says. */
struct repeat {
    enum { GOOD, UNSURE, FAILED, NO_ROOM, NOT_MEASURED } state;
    struct share own, from; /* of the submission; where its ramp begins */
    double earned, spread;  /* of the item's points, 0 to 1 */
    char why[700];
};

static const char *not_measured(const char *outcome) {
    return !strcmp(outcome, outcome_word(OUTCOME_NO_GPU))
               ? "no GPU is here, and a CPU that plays one tells nothing of speed"
               : "the grader could not measure it, which is not your program's doing";
}

static struct share read_share(const json_t *referee, const char *pair) {
    const json_t *object = json_object_get(referee, pair);
    const struct share none = {NAN, NAN, NAN};
    const struct share share = {number_of(object, "share"), number_of(object, "share_low"),
                                number_of(object, "share_high")};

    return share.low > 0 && share.low <= share.middle && share.middle <= share.high ? share : none;
}

/* The step before's share of the solution's speed, of those that the submission's time has of
 * either. Spreads of measurements that do not depend on each other add up as squares. */
static struct share before_by_solution(struct share solution, struct share before) {
    double down = hypot(log(solution.middle / solution.low), log(before.high / before.middle));
    double up = hypot(log(solution.high / solution.middle), log(before.middle / before.low));
    double middle = solution.middle / before.middle;

    return (struct share){middle, middle * exp(-down), middle * exp(up)};
}

static void read_pairs(const struct judged *judged, const json_t *referee, struct repeat *repeat) {
    const struct step_rubric *rubric = judged->rubric;
    double to = rubric->speed_to, room = ROOM * to;

    repeat->own = read_share(referee, "solution");
    repeat->from = rubric->speed_from < 0
                       ? before_by_solution(repeat->own, read_share(referee, "previous"))
                       : (struct share){rubric->speed_from, rubric->speed_from, rubric->speed_from};
    if (!(repeat->own.low > 0 && repeat->from.low > 0)) {
        repeat->state = NOT_MEASURED;
        say_reason(repeat->why, sizeof repeat->why,
                   "the grader's own result has no figures; tell your instructor");
    } else if (repeat->from.low > room) {
        repeat->state = NO_ROOM;
        repeat->spread = 0;
        say_reason(
            repeat->why, sizeof repeat->why,
            "on this machine the step before reaches %.2f of the solution's speed (%.2f to %.2f), "
            "so that there is next to nothing to gain",
            repeat->from.middle, repeat->from.low, repeat->from.high);
    } else if (repeat->from.high > room) {
        repeat->state = UNSURE; /* whether there is room */
    } else {
        repeat->earned = share_of_ramp(repeat->own.middle, repeat->from.middle, to);
        repeat->spread = share_of_ramp(repeat->own.high, repeat->from.low, to) -
                         share_of_ramp(repeat->own.low, repeat->from.high, to);
        repeat->state = repeat->spread > SPREAD ? UNSURE : GOOD;
    }
}

static void read_repeat(const struct judged *judged, const char *text, struct repeat *repeat) {
    json_t *task = text ? json_loads(text, JSON_ALLOW_NUL, NULL) : NULL;
    const json_t *referee = json_object_get(task, "referee");
    const char *outcome = text_of(json_is_object(referee) ? referee : task, "outcome");
    const char *message = text_of(referee, "message");

    memset(repeat, 0, sizeof *repeat);
    repeat->spread = 2; /* worse than any */
    if (!outcome) {
        repeat->state = NOT_MEASURED;
        say_reason(repeat->why, sizeof repeat->why,
                   "the grader's own result cannot be read; tell your instructor");
    } else if (!strcmp(outcome, outcome_word(OUTCOME_INCONCLUSIVE))) {
        repeat->state = UNSURE;
    } else if (!strcmp(outcome, outcome_word(OUTCOME_ACCEPTED))) {
        read_pairs(judged, referee, repeat);
    } else if (is_own_fault(outcome)) {
        repeat->state = FAILED;
        say_reason(repeat->why, sizeof repeat->why, "%s%s%s",
                   outcome_sentence(outcome_of_word(outcome, strlen(outcome))),
                   message && *message ? ": " : "", message ? message : "");
    } else {
        repeat->state = NOT_MEASURED;
        say_reason(repeat->why, sizeof repeat->why, "%s", not_measured(outcome));
    }
    json_decref(task);
}

static int score_repeat(const struct judged *judged, const struct repeat *repeat,
                        struct item *item) {
    switch (repeat->state) {
    case GOOD:
        EARN(item, repeat->earned,
             "%.2f times the speed of the course's solution, both timed interleaved; full "
             "points from %.2f, none up to %.2f%s%s%s%s.",
             repeat->own.middle, judged->rubric->speed_to, repeat->from.middle,
             judged->rubric->speed_from < 0 ? ", what the step before reaches here" : "",
             *judged->rubric->speed_origin ? " (" : "", judged->rubric->speed_origin,
             *judged->rubric->speed_origin ? ")" : "");
        return 1;
    case FAILED:
        EARN(item, 0, "It failed when it was timed: %s.", repeat->why);
        return 1;
    case NO_ROOM:
    case NOT_MEASURED:
        LEAVE_OUT(item, "Counts neither way: %s.", repeat->why);
        return 1;
    case UNSURE:
        break;
    }
    SAY(item,
        "Its speed was measured %d time%s and never came out clearly enough, so it counts neither "
        "way; your instructor can have it measured again.",
        judged->evidence->speed_count, judged->evidence->speed_count == 1 ? "" : "s");
    item_leave_out(item, ITEM_INCONCLUSIVE);
    return judged->evidence->speed_count >= MOST_REPEATS;
}

int score_speed(const struct judged *judged, struct item *item) {
    struct repeat best, repeat;
    int i;

    if (judged->evidence->speed_count < 1) {
        LEAVE_OUT(item, "Counts neither way: the speed was not measured.");
        return 0;
    }
    read_repeat(judged, judged->evidence->speeds[0], &best);
    for (i = 1; i < judged->evidence->speed_count; i++) {
        read_repeat(judged, judged->evidence->speeds[i], &repeat);
        if (repeat.state == FAILED || repeat.spread < best.spread)
            best = repeat;
        if (best.state == FAILED)
            break;
    }
    return score_repeat(judged, &best, item);
}
