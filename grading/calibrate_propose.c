#include <jansson.h>
#include <math.h>
#include <string.h>

#include "calibrate.h"

/* How far below the solution's own spread full points begin: what a right program may lack. */
#define MARGIN 0.02

/* A ramp that begins nearer to its end tells nothing; score_speed.c leaves such an item out. */
#define ROOM 0.9

/* Shares of the solution's speed over all repeats that came out. */
struct shares {
    int count;
    double low, high;
    char machine[96], date[16], outcome[32]; /* of the last repeat */
};

/* A text of the result, without what a line of a rubric cannot hold. */
static void copy_text(const json_t *task, const char *name, char *copy, size_t size) {
    const char *text = json_string_value(json_object_get(task, name));
    char *at;

    snprintf(copy, size, "%s", text ? text : "");
    for (at = copy; *at; at++)
        if (*at == ';' || (unsigned char)*at < ' ' || (unsigned char)*at > '~')
            *at = ' ';
}

static struct shares read_shares(const char *const *results, int count) {
    struct shares shares = {.low = INFINITY};
    int i;

    for (i = 0; i < count; i++) {
        json_t *task = json_loads(results[i], JSON_ALLOW_NUL, NULL);
        const json_t *referee = json_object_get(task, "referee");
        const json_t *solution = json_object_get(referee, "solution");
        double low = json_number_value(json_object_get(solution, "share_low"));
        double high = json_number_value(json_object_get(solution, "share_high"));

        copy_text(task, "machine", shares.machine, sizeof shares.machine);
        copy_text(task, "begun_utc", shares.date, 11);
        copy_text(json_is_object(referee) ? referee : task, "outcome", shares.outcome,
                  sizeof shares.outcome);
        if (!strcmp(shares.outcome, outcome_word(OUTCOME_ACCEPTED)) && low > 0 && high >= low) {
            shares.count++;
            shares.low = fmin(shares.low, low);
            shares.high = fmax(shares.high, high);
        }
        json_decref(task);
    }
    return shares;
}

static int refuse(const struct step *step, const struct shares *shares, const char *whose,
                  FILE *out) {
    fprintf(out, "; %s: no ramp, since the %s could not be timed here (%s)\n\n", step->name, whose,
            *shares->outcome ? shares->outcome : "no result that can be read");
    return 0;
}

int calibrate_propose(const struct step *step, const char *const *own, int own_count,
                      const char *const *previous, int previous_count, FILE *out) {
    struct shares solution = read_shares(own, own_count);
    struct shares before = read_shares(previous, previous_count);
    double to = floor((solution.low - MARGIN) * 100) / 100;
    double from = ceil(before.high * 100) / 100;

    if (!solution.count || to < 0.01)
        return refuse(step, &solution, "solution", out);
    if (previous_count && !before.count)
        return refuse(step, &before, "step before", out);
    fprintf(out,
            "[%s]\n; The solution beside itself: %.3f to %.3f of its speed; speed_to is %g"
            " below the least.\n",
            step->name, solution.low, solution.high, MARGIN);
    if (!previous_count) {
        fprintf(out, "; No step before it runs beside it, so speed_from is yours to choose.\n");
    } else {
        fprintf(out, "; The step before in its place: %.3f to %.3f; speed_from is the most.\n",
                before.low, before.high);
        if (from > ROOM * to) {
            fprintf(out,
                    "; That leaves no room for a ramp on this machine: only this would be fair.\n"
                    "speed = 0\n\n");
            return 0;
        }
        fprintf(out, "speed_from = %.2f\n", from);
    }
    fprintf(out, "speed_to = %.2f\nspeed_origin = %s, %s, spread %.3f to %.3f\n\n", to,
            solution.machine, solution.date, solution.low, solution.high);
    return 1;
}
