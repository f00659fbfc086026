#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "referee/lesson/hints.h"
#include "learner.h"
#include "verbs.h"

static int lacks_part(const struct event *check) {
    return hints_lacks_part(check->step, learner_outcome(check), part_named(check->text));
}

/* What tells one failure from another, without its numbers, which are other ones at each seed: of
 * wrong results the check's guesses at the cause, its clauses that end in `?`; else all. */
static void read_cause(const char *text, int of_results, char cause[1024]) {
    size_t length, count = 0, i;

    for (; *text; text += length + (text[length] != 0)) {
        length = strcspn(text, ";");
        if (of_results && !memchr(text, '?', length))
            continue;
        for (i = 0; i < length && count < 1023; i++)
            if (isalpha((unsigned char)text[i]))
                cause[count++] = text[i];
    }
    cause[count] = 0;
}

/* Whether two checks failed in the same way at the same place, as far as hints go; parts that are
 * not written have hints of their own each, wherever the check failed. */
static int same_failure(const struct event *one, const struct event *other) {
    enum failure failure = hints_failure(learner_outcome(one));
    char causes[2][1024];

    if (lacks_part(one) || lacks_part(other))
        return lacks_part(one) && lacks_part(other);
    read_cause(one->text, failure == FAILURE_RESULT, causes[0]);
    read_cause(other->text, failure == FAILURE_RESULT, causes[1]);
    /* Of an access a text has addresses and threads, which are other ones each time. */
    return !strcmp(one->result, other->result) && !strcmp(one->where, other->where) &&
           (failure == FAILURE_ACCESS || !strcmp(causes[0], causes[1]));
}

/* How many hints of the section the learner has had since a check last ended otherwise than the one
 * before it. */
static int count_hints(const struct events *events, const char *step, const char *section) {
    const struct event *check = NULL;
    int i, count = 0;

    for (i = 0; i < events->count; i++) {
        const struct event *event = &events->list[i];

        if (strcmp(event->step, step))
            continue;
        if (!strcmp(event->event, "check")) {
            count = check && same_failure(event, check) ? count : 0;
            check = event;
        } else if (!strcmp(event->event, "hint") && !strcmp(event->result, section)) {
            count++;
        }
    }
    return count;
}

/* What failed, from the journal; a long text is cut. */
static void print_failure(const struct step *step, const struct state *state) {
    const struct event *check = &state->check;
    int most = 300, length = (int)strlen(check->text);

    /* Not of another FILE=. */
    printf("steps/%s/%s, last check: %s", step->name, step->source,
           outcome_sentence(learner_outcome(check)));
    if (strcmp(check->where, "-"))
        printf(" (%s)", check->where);
    printf("\n");
    if (strcmp(check->text, "-")) {
        if (length > most)
            for (length = most; (check->text[length] & 0xc0) == 0x80; length--)
                ;
        printf("  %.*s%s\n", length, check->text, check->text[length] ? " ..." : "");
    }
    if (state->changed)
        printf("The source has changed since; `make check STEP=%.2s` looks at it anew.\n",
               step->name);
}

/* The section for the last check's failure. */
static enum outcome choose_section(const struct step *step, const struct state *state,
                                   char section[SECTION_BYTES]) {
    enum outcome outcome = learner_outcome(&state->check);
    const struct part *part = lacks_part(&state->check) ? parts_unfinished(&state->parts) : NULL;

    if (outcome == OUTCOME_UNFINISHED && !part)
        return complain(OUTCOME_STATE, "%s has no unfinished part any more: make check STEP=%.2s",
                        step->name, step->name);
    if (!hints_choose(step->name, outcome, state->check.text, part ? part->number : 0, section))
        return complain(OUTCOME_STATE,
                        "there are no hints for a check that ended as %s; its own message and "
                        "docs/exit-codes.md are what there is",
                        state->check.result);
    return OUTCOME_ACCEPTED;
}

static enum outcome give(const struct step *step, const struct options *options,
                         const struct events *events, const struct state *state) {
    struct event given = {.event = "hint"};
    char section[SECTION_BYTES], text[HINT_BYTES];
    enum outcome outcome = choose_section(step, state, section);
    int level;

    if (outcome)
        return outcome;
    level = count_hints(events, step->name, section) + 1;
    level = level > HINT_LEVELS ? HINT_LEVELS + 1 : level;
    if (!hints_read(step, section, level > HINT_LEVELS ? HINT_LEVELS : level, state->check.where,
                    state->check.text, text))
        return complain(OUTCOME_STATE,
                        "steps/%s/hints.md has no hints for this failure (%s); the check's own "
                        "message and docs/exit-codes.md are what there is",
                        step->name, section);
    print_failure(step, state);
    printf("\nHint %d of %d (%s)\n\n%s\n", level > HINT_LEVELS ? HINT_LEVELS : level, HINT_LEVELS,
           section, text);
    if (level < HINT_LEVELS)
        printf("%d more: make hint STEP=%.2s\n", HINT_LEVELS - level, step->name);
    else
        printf("%s\n", level > HINT_LEVELS ? "These are all; you have seen this one before."
                                           : "These are all.");
    snprintf(given.step, sizeof given.step, "%s", step->name);
    snprintf(given.result, sizeof given.result, "%s", section);
    snprintf(given.where, sizeof given.where, "%d", level > HINT_LEVELS ? HINT_LEVELS : level);
    return journal_add(options->results, &given);
}

enum outcome hint(const struct options *options) {
    const struct step *step = options->step;
    static struct state state;
    struct events events;
    enum outcome outcome = journal_read(options->results, &events);

    if (!outcome)
        outcome = learner_state(step, options, &events, &state);
    if (!outcome && !*state.check.time_utc)
        outcome = complain(OUTCOME_STATE, "%s was not checked yet: make check STEP=%.2s",
                           step->name, step->name);
    else if (!outcome && state.accepted)
        outcome = complain(OUTCOME_STATE, "%s is accepted as it is; nothing is left to hint at",
                           step->name);
    else if (!outcome && !learner_outcome(&state.check))
        outcome =
            complain(OUTCOME_STATE, "%s was accepted and has changed since: make check STEP=%.2s",
                     step->name, step->name);
    else if (!outcome)
        outcome = give(step, options, &events, &state);
    journal_free(&events);
    return outcome;
}
