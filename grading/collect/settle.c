#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* In the order in which a claim to an id counts. */
static int by_claim(const void *left, const void *right) {
    const struct unit *one = left, *other = right;
    int order = strcmp(one->submission.student, other->submission.student);

    if (!order)
        order = (int)other->rank - (int)one->rank;
    return order ? order : strverscmp(one->submission.origin, other->submission.origin);
}

static int by_attempt(const void *left, const void *right) {
    const struct unit *one = left, *other = right;
    int order = strcmp(one->submission.student, other->submission.student);

    if (!order)
        order = strcmp(one->submission.submitted_utc, other->submission.submitted_utc);
    if (!order)
        order = strcmp(one->submission.clock, other->submission.clock);
    if (!order)
        order = (one->attempt > other->attempt) - (one->attempt < other->attempt);
    return order ? order : strverscmp(one->submission.origin, other->submission.origin);
}

/* Takes everything from a submission and says why. */
static void empty(struct unit *unit, const char *format, const char *one, const char *other) {
    unit->count = 0;
    refuse_file(&unit->submission, unit->submission.origin, format, one, other);
}

/* Whether both hold the same files, whatever the archives are called. */
static int hold_the_same(const struct unit *one, const struct unit *other) {
    int i;

    if (one->count != other->count)
        return 0;
    for (i = 0; i < one->count; i++) {
        const struct piece *a = one->files[i].piece, *b = other->files[i].piece;

        if (strcmp(a->path, b->path) || a->bytes != b->bytes || memcmp(a->text, b->text, a->bytes))
            return 0;
    }
    return one->count > 0;
}

/* Of units with the same id, those with the best claim keep it. */
static void settle_claims(struct units *units) {
    const struct unit *best = NULL;
    int i;

    qsort(units->units, (size_t)units->count, sizeof *units->units, by_claim);
    for (i = 0; i < units->count; i++) {
        struct unit *unit = &units->units[i];

        if (!best || strcmp(best->submission.student, unit->submission.student))
            best = unit;
        else if (unit->rank == best->rank && !strcmp(unit->authority, best->authority))
            continue;
        else if (hold_the_same(unit, best))
            empty(unit, "holds the same as %.90s, which counts for %.60s", best->submission.origin,
                  unit->submission.student);
        else
            empty(unit,
                  "claims the id %.60s, as %.90s does, which counts; hand in under your own id",
                  unit->submission.student, best->submission.origin);
    }
}

/* Whether the archives have one id inside and are, by their platform's word, of two people, who do
 * not work as a group. */
static int share_id_inside(const struct unit *one, const struct unit *other) {
    return one->rank == RANK_PLATFORM && *one->inside && !strcmp(one->inside, other->inside) &&
           one->platform == other->platform &&
           strcmp(one->submission.student, other->submission.student) &&
           strcmp(one->submission.origin, other->submission.origin);
}

static void tell_ids_inside(struct units *units) {
    int i, k;

    for (i = 0; i < units->count; i++)
        for (k = 0; k < units->count; k++) {
            struct unit *unit = &units->units[i];

            if (share_id_inside(unit, &units->units[k])) {
                refuse_file(
                    &unit->submission, "manifest.tsv",
                    "the id %.60s inside is in someone else's archive too; this one counts for "
                    "%.60s, as the export says",
                    unit->inside, unit->submission.student);
                break;
            }
        }
}

static int has_source(const struct unit *unit) {
    int i;

    for (i = 0; i < unit->count; i++)
        if (unit->files[i].piece->bytes)
            return 1;
    return 0;
}

/* An export is the instructor's. Among students' own archives it could be a forgery of one of them.
 */
static void distrust_exports(struct units *units) {
    const struct unit *plain = NULL;
    int i;

    for (i = 0; i < units->count; i++)
        if (units->units[i].rank != RANK_PLATFORM && has_source(&units->units[i]))
            plain = &units->units[i];
    for (i = 0; i < units->count && plain; i++)
        if (units->units[i].from_export)
            empty(&units->units[i],
                  "%.0slies in an export of a learning platform beside %.100s, which is of no "
                  "platform; keep exports in a folder of their own",
                  "", plain->submission.origin);
}

void units_settle(struct units *units) {
    if (!units->count)
        return;
    distrust_exports(units);
    settle_claims(units);
    tell_ids_inside(units);
    qsort(units->units, (size_t)units->count, sizeof *units->units, by_attempt);
}
