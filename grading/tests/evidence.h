/* Evidence of an entry as tasks leave it, to be spoilt by a test; and what is scored of it. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "testing.h"

#include <jansson.h>

#include "catalogue_of_steps.h"
#include "score.h"

enum { ALL_CASES = 14, CUBE = 10 };

static struct rubric rubric;
static struct item items[MOST_ITEMS];
static int item_count;

/* Every item is worth a power of two, but edges: 2 for each of its sizes. */
static const struct step_rubric weights = {
    .compiles = 1,
    .small = 2,
    .edges = 20,
    .large = 4,
    .decimals = 8,
    .memory = 16,
    .races = 32,
    .accuracy = 64,
    .idea = 128,
    .traffic = 256,
    .traffic_from = 4,
    .traffic_to = 1,
    .speed = 512,
    .speed_from = 0.25,
    .speed_to = 1,
    .prediction = 1024,
    .questions = 2048,
    .question_count = 4,
    .cap_percent = 100,
};

static inline int begin_scoring(void **state) {
    int i;

    if (read_catalogue(state))
        return -1;
    add_other_step();
    memset(&rubric, 0, sizeof rubric);
    rubric.count = catalogue.count;
    for (i = 0; i < catalogue.count; i++) {
        rubric.steps[i] = weights;
        strcpy(rubric.names[i], catalogue.steps[i].name);
    }
    return 0;
}

/* A verdict on results has cases; as the referee's, of the large size for the first variant alone.
 */
static inline json_t *accepted(const char *variant, const char *aspect, int is_default) {
    static const int sizes[ALL_CASES] = {1,    2,    255,   256,   257, 1000, 1023,
                                         1024, 1025, 16384, 16384, 101, 401,  257};
    json_t *cases = json_array();
    int i;

    for (i = 0; i < ALL_CASES; i++)
        json_array_append_new(cases, json_pack("{s:i, s:s, s:s, s:s}", "n",
                                               is_default || sizes[i] < 4096 ? sizes[i] : 4096,
                                               "distribution", i == CUBE ? "cube" : "uniform",
                                               "outcome", "accepted", "message", ""));
    return json_pack("{s:s, s:s, s:s, s:b, s:b, s:f, s:f, s:f, s:i, s:s, s:o}", "variant", variant,
                     "aspect", aspect, "outcome", "accepted", "skipped", 0, "expected", 0,
                     "error_l2", 1e-6, "error_p99", 1e-6, "error_max", 1e-6, "first_wrong_decimal",
                     5, "message", "", "cases", cases);
}

/* The task's result of a right program with variants one and two. */
static inline json_t *right_check(void) {
    json_t *verdicts = json_array();

    json_array_append_new(verdicts, accepted("one", "results", 1));
    json_array_append_new(verdicts, accepted("one", "memory", 1));
    json_array_append_new(verdicts, accepted("one", "races", 1));
    json_array_append_new(verdicts, accepted("one", "technique", 1));
    json_array_append_new(verdicts, accepted("two", "results", 0));
    return json_pack("{s:i, s:s, s:s, s:s, s:s, s:{s:s, s:s, s:i, s:o, s:o, s:s}}", "entry", 12,
                     "kind", "check", "outcome", "accepted", "limit", "", "words", "", "referee",
                     "step", "05_tiling", "outcome", "accepted", "code", 0, "verdicts", verdicts,
                     "memory",
                     json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "n", 4096, "iterations", 2,
                               "global_bytes", 1000, "global_requests", 10, "global_sectors", 40,
                               "shared_requests", 100, "shared_wavefronts", 100),
                     "note", "");
}

static inline json_t *referee(json_t *check) {
    return json_object_get(check, "referee");
}

static inline json_t *verdict(json_t *check, const char *variant, const char *aspect) {
    size_t i;
    json_t *one;

    json_array_foreach(json_object_get(referee(check), "verdicts"), i, one) {
        if (!strcmp(json_string_value(json_object_get(one, "variant")), variant) &&
            !strcmp(json_string_value(json_object_get(one, "aspect")), aspect))
            return one;
    }
    fail_msg("no verdict %s of %s", aspect, variant);
    return NULL;
}

static inline void put(json_t *object, const char *name, const char *text) {
    json_object_set_new(object, name, json_string(text));
}

static inline void put_number(json_t *object, const char *name, double number) {
    json_object_set_new(object, name, json_real(number));
}

/* Cases first to last of a verdict, and the verdict, end with an outcome. */
static inline void spoil(json_t *verdict, int first, int last, const char *outcome,
                         const char *message) {
    int i;

    for (i = first; i <= last; i++) {
        json_t *one = json_array_get(json_object_get(verdict, "cases"), (size_t)i);

        put(one, "outcome", outcome);
        put(one, "message", message);
    }
    put(verdict, "outcome", outcome);
    put(verdict, "message", message);
}

static inline void forget(json_t *check, const char *variant, const char *aspect) {
    json_t *verdicts = json_object_get(referee(check), "verdicts");
    size_t i;
    json_t *one, *sought = verdict(check, variant, aspect);

    json_array_foreach(verdicts, i, one) {
        if (one == sought) {
            json_array_remove(verdicts, i);
            return;
        }
    }
}

/* One pair's share with its spread. */
static inline char *speed_text(const char *outcome, double share, double low, double high,
                               double previous) {
    char *text = NULL;

    if (asprintf(&text,
                 "{\"outcome\": \"accepted\", \"referee\": {\"outcome\": \"%s\", \"message\": "
                 "\"a message\", \"solution\": {\"share\": %g, \"share_low\": %g, \"share_high\": "
                 "%g}, \"previous\": {\"share\": %g, \"share_low\": %g, \"share_high\": %g}}}",
                 outcome, share, low, high, previous, previous, previous) < 0)
        abort();
    return text;
}

/* Scores; takes the evidence's texts from the JSON values, which may be NULL, and frees them. */
static inline void score(const char *step, struct evidence evidence, json_t *check) {
    json_t *reference = right_check();
    char *text = check ? json_dumps(check, 0) : NULL, *reference_text = json_dumps(reference, 0);

    evidence.check = text;
    if (!evidence.reference)
        evidence.reference = reference_text;
    memset(items, 0x5a, sizeof items);
    item_count = score_step(&rubric, catalogue_find(&catalogue, step), &evidence, items);
    free(text);
    free(reference_text);
    json_decref(reference);
    json_decref(check);
}

static inline const struct item *item(const char *name) {
    int i;

    for (i = 0; i < item_count; i++)
        if (!strcmp(items[i].name, name))
            return &items[i];
    fail_msg("no item %s", name);
    return NULL;
}

static inline double sum_of(double (*field)(const struct item *item)) {
    double sum = 0;
    int i;

    for (i = 0; i < item_count; i++)
        sum += field(&items[i]);
    return sum;
}

static inline double points_of(const struct item *item) {
    return item->points;
}

static inline double possible_of(const struct item *item) {
    return item->possible;
}

/* What an item earned, and a part of what it says. */
static inline void assert_earned(const char *name, double points, const char *says) {
    const struct item *one = item(name);

    if (one->state != ITEM_EARNED || one->points < points - 1e-6 || one->points > points + 1e-6 ||
        one->possible <= 0 || !strstr(one->explanation, says))
        fail_msg("%s: state %d, %g of %g points, \"%s\"", name, one->state, one->points,
                 one->possible, one->explanation);
}

static inline void assert_left_out(const char *name, enum item_state state, const char *says) {
    const struct item *one = item(name);

    if (one->state != state || one->points != 0 || one->possible != 0 ||
        !strstr(one->explanation, says))
        fail_msg("%s: state %d, %g of %g points, \"%s\"", name, one->state, one->points,
                 one->possible, one->explanation);
}

#endif
