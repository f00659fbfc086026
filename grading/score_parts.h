/* What score.c, score_check.c and score_speed.c share. */
#ifndef SCORE_PARTS_H
#define SCORE_PARTS_H

#include <jansson.h>

#include "item.h"
#include "rubric.h"

/* An entry as it is judged. */
struct judged {
    const struct step_rubric *rubric;
    const struct step *step;
    const struct evidence *evidence;
    json_t *check;     /* the task's result; NULL: not measured, or unreadable */
    json_t *referee;   /* what the referee printed in it; NULL: nothing */
    json_t *reference; /* the same of the solution's check */
    enum { JUDGED, AT_FAULT, NOT_JUDGED } state; /* AT_FAULT: nothing but its compiling can earn */
    char why[900];                               /* not JUDGED */
    char empty[900]; /* why a program earns nothing by being clean or fast; empty: it may */
};

/* Appends a text, as one line. What does not fit is cut, between characters. */
__attribute__((format(printf, 3, 4))) void say_reason(char *text, size_t size, const char *format,
                                                      ...);

/* Ends an item. `share` of its points is earned; or it counts neither way. */
void item_earn(struct item *item, double share);
void item_leave_out(struct item *item, enum item_state state);

/* Appends to an item's explanation. */
#define SAY(item, ...) say_reason((item)->explanation, sizeof(item)->explanation, __VA_ARGS__)

/* Says why, and ends the item. */
#define EARN(item, share, ...) (SAY(item, __VA_ARGS__), item_earn(item, share))
#define LEAVE_OUT(item, ...)   (SAY(item, __VA_ARGS__), item_leave_out(item, ITEM_LEFT_OUT))

/* A field's text or number; NULL or NAN if it is not there. */
const char *text_of(const json_t *object, const char *name);
double number_of(const json_t *object, const char *name);

/* Whether an outcome is the submission's own doing, not the grader's. */
int is_own_fault(const char *outcome);

/* Where x stands between from (0) and to (1) on a logarithmic scale; outside, the nearer end. */
double share_of_ramp(double x, double from, double to);

/* The items that a check decides. `name` says which. */
void score_right(const struct judged *judged, struct item *item);
void score_clean(const struct judged *judged, struct item *item);
void score_accuracy(const struct judged *judged, struct item *item);
void score_idea(const struct judged *judged, struct item *item);
void score_traffic(const struct judged *judged, struct item *item);

/* Says in judged->empty why what passes cannot be believed to compute anything. */
void look_for_substance(struct judged *judged);

/* Whether the default variant is right in all cases of the sizes that speed is timed at. */
int is_right_where_timed(const struct judged *judged);

/* Whether the default variant's idea was seen. */
int has_idea(const struct judged *judged);

/* Why this grader cannot measure an item of anybody, its own solution included; NULL: it can. */
const char *not_here(const struct judged *judged, const char *name);

/* The item `speed`. Says whether another repeat may decide it. */
int score_speed(const struct judged *judged, struct item *item);

#endif
