#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "compiler.h"
#include "score.h"
#include "score_parts.h"

void say_reason(char *text, size_t size, const char *format, ...) {
    size_t length = strlen(text);
    char *last = text + size - 1;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
    if (strlen(text) == size - 1) { /* perhaps cut within a character of UTF-8 */
        while (last > text && (last[-1] & 0xc0) == 0x80)
            last--;
        if (last > text && (last[-1] & 0x80))
            last[-1] = 0;
    }
    for (; text[length]; length++)
        if ((unsigned char)text[length] < ' ')
            text[length] = ' ';
}

void item_earn(struct item *item, double share) {
    item->points = item->possible * share;
    item->state = ITEM_EARNED;
}

void item_leave_out(struct item *item, enum item_state state) {
    item->points = item->possible = 0;
    item->state = state;
}

const char *text_of(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

double number_of(const json_t *object, const char *name) {
    const json_t *value = json_object_get(object, name);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

double share_of_ramp(double x, double from, double to) {
    double at = log(x / from) / log(to / from);

    return at > 0 ? fmin(at, 1) : 0; /* 0 if x is no share */
}

int is_own_fault(const char *word) {
    enum outcome outcome = outcome_of_word(word, strlen(word));

    return outcome == OUTCOME_COMPILE || outcome == OUTCOME_FENCE || outcome == OUTCOME_LIMIT ||
           (outcome >= OUTCOME_CRASHED && outcome <= OUTCOME_MISSING_CALL &&
            outcome != OUTCOME_INCONCLUSIVE && outcome != OUTCOME_UNCHECKED);
}

static const char *limit_words(const char *limit) {
    return !strcmp(limit, "time")        ? "it took too long"
           : !strcmp(limit, "memory")    ? "it took too much memory"
           : !strcmp(limit, "processes") ? "it started too many processes or threads"
           : !strcmp(limit, "disk")      ? "it wrote too much to the disk"
           : !strcmp(limit, "output")    ? "it printed too much"
                                         : "it was over a limit of the sandbox";
}

/* Whether programs came out of the compiler, verdict or not. */
static int is_built(const struct judged *judged) {
    return judged->referee || json_is_true(json_object_get(judged->check, "built"));
}

/* What is to be said before any item is looked at. */
static void look_at_whole(struct judged *judged) {
    const char *outcome = text_of(judged->check, "outcome"), *limit;
    char *why = judged->why;
    size_t size = sizeof judged->why;

    judged->state = NOT_JUDGED;
    if (!judged->evidence->check) {
        say_reason(why, size, "This was not measured yet.");
    } else if (!judged->check || !outcome) {
        say_reason(why, size, "The grader's own result cannot be read; tell your instructor.");
    } else if (json_is_array(json_object_get(judged->referee, "verdicts"))) {
        judged->state = JUDGED;
        if (judged->evidence->untouched && !has_idea(judged)) {
            judged->state = AT_FAULT;
            say_reason(why, size, "Its code is that of the skeleton; only what you write counts.");
        }
    } else if (is_own_fault(outcome)) {
        judged->state = AT_FAULT;
        if (!strcmp(outcome, "limit")) {
            limit = text_of(judged->check, "limit");
            say_reason(why, size, "The %s was ended before there was a verdict: %s.",
                       is_built(judged) ? "program" : "compiler or the program",
                       limit_words(limit ? limit : ""));
        } else if (!strcmp(outcome, "compile")) {
            const char *words = text_of(judged->check, "words");
            int by_linker;
            size_t length;
            const char *error = words ? compiler_error(words, &length, &by_linker) : NULL;

            if (error)
                say_reason(why, size, "The source does not compile: %.*s", (int)length, error);
            else
                say_reason(why, size, "The source does not compile, and no compiler said why.");
        } else {
            say_reason(why, size, "There was no verdict: %s.",
                       outcome_sentence(outcome_of_word(outcome, strlen(outcome))));
        }
    } else {
        say_reason(
            why, size,
            "The grader could not measure this (%s), which is not your program's doing; tell your "
            "instructor.",
            outcome);
    }
}

static void score_compiles(const struct judged *judged, struct item *item) {
    const char *note = text_of(judged->referee, "note");

    const char *outcome = text_of(judged->check, "outcome");

    if (judged->state != NOT_JUDGED && is_built(judged) &&
        strcmp(outcome, outcome_word(OUTCOME_COMPILE)) != 0) {
        EARN(item, 1, "It compiles.%s%s", note && *note ? " " : "", note ? note : "");
        return;
    }
    EARN(item, 0, "%s", judged->why);
}

static void score_prediction(const struct judged *judged, struct item *item) {
    item_earn(item, judged->evidence->predicted ? 1 : 0);
    if (judged->evidence->predicted)
        SAY(item,
            "You predicted %.3g times the speed of the step before; the prediction itself "
            "counts, not how near it came.",
            judged->evidence->predicted_speedup);
    else
        SAY(item, "No prediction was handed in that was made before the first measurement.");
}

static void score_questions(const struct judged *judged, struct item *item) {
    int wanted = judged->rubric->question_count, got = judged->evidence->questions_answered;

    EARN(item, got < wanted ? (double)got / wanted : 1, "%d of %d questions answered.",
         got < wanted ? got : wanted, wanted);
}

static void score_timed(const struct judged *judged, struct item *item) {
    const char *lacking = judged->evidence->speed_count ? NULL : not_here(judged, "speed");

    if (lacking) {
        LEAVE_OUT(item, "Counts neither way: %s.", lacking);
    } else if (!is_right_where_timed(judged)) {
        EARN(item, 0,
             "Speed is timed with many elements, where the default variant's results are wrong.");
    } else {
        score_speed(judged, item);
    }
}

static const struct {
    const char *name;
    size_t points;
    void (*score)(const struct judged *judged, struct item *item);
    enum { ALWAYS, WITH_A_VERDICT, WITH_SUBSTANCE } when;
} scores[] = {
#define SCORE(name, score, when)                                                                   \
    { #name, offsetof(struct step_rubric, name), score, when }
    SCORE(compiles, score_compiles, ALWAYS),      SCORE(small, score_right, WITH_A_VERDICT),
    SCORE(edges, score_right, WITH_A_VERDICT),    SCORE(large, score_right, WITH_A_VERDICT),
    SCORE(decimals, score_right, WITH_A_VERDICT), SCORE(memory, score_clean, WITH_SUBSTANCE),
    SCORE(races, score_clean, WITH_SUBSTANCE),    SCORE(accuracy, score_accuracy, WITH_SUBSTANCE),
    SCORE(idea, score_idea, WITH_SUBSTANCE),      SCORE(traffic, score_traffic, WITH_SUBSTANCE),
    SCORE(speed, score_timed, WITH_SUBSTANCE),    SCORE(prediction, score_prediction, ALWAYS),
    SCORE(questions, score_questions, ALWAYS),
};

static void begin(struct judged *judged, const struct rubric *rubric, const struct step *step,
                  const struct evidence *evidence) {
    memset(judged, 0, sizeof *judged);
    judged->rubric = rubric_step(rubric, step);
    judged->step = step;
    judged->evidence = evidence;
    judged->check = evidence->check ? json_loads(evidence->check, JSON_ALLOW_NUL, NULL) : NULL;
    judged->reference =
        evidence->reference ? json_loads(evidence->reference, JSON_ALLOW_NUL, NULL) : NULL;
    judged->referee = json_object_get(judged->check, "referee");
    if (!json_is_object(judged->referee))
        judged->referee = NULL;
    look_at_whole(judged);
    if (judged->state == JUDGED)
        look_for_substance(judged);
}

static void end(struct judged *judged) {
    json_decref(judged->check);
    json_decref(judged->reference);
}

int score_step(const struct rubric *rubric, const struct step *step,
               const struct evidence *evidence, struct item items[MOST_ITEMS]) {
    struct judged judged;
    int count = 0;
    size_t i;

    begin(&judged, rubric, step, evidence);
    for (i = 0; judged.rubric && i < sizeof scores / sizeof *scores; i++) {
        struct item *item = &items[count];
        const char *empty = scores[i].when == WITH_SUBSTANCE ? judged.empty : "";
        const char *lacking;

        memset(item, 0, sizeof *item);
        item->possible = *(const double *)((const char *)judged.rubric + scores[i].points);
        if (item->possible <= 0)
            continue;
        count++;
        snprintf(item->name, sizeof item->name, "%s", scores[i].name);
        if (judged.state == NOT_JUDGED && strcmp(item->name, "prediction") &&
            strcmp(item->name, "questions")) {
            LEAVE_OUT(item, "%s", judged.why);
        } else if (scores[i].when != ALWAYS && (judged.state == AT_FAULT || *empty) &&
                   (lacking = not_here(&judged, item->name))) {
            LEAVE_OUT(item, "Counts neither way: %s.", lacking);
        } else if (scores[i].when != ALWAYS && (judged.state == AT_FAULT || *empty)) {
            EARN(item, 0, "%s", judged.state == AT_FAULT ? judged.why : empty);
        } else {
            scores[i].score(&judged, item);
        }
    }
    end(&judged);
    return count;
}

static int is_asked(const struct judged *judged) {
    return judged->rubric && judged->rubric->speed > 0 && judged->state == JUDGED &&
           !*judged->empty && !not_here(judged, "speed") && is_right_where_timed(judged);
}

int score_speed_asked(const struct rubric *rubric, const struct step *step,
                      const struct evidence *evidence) {
    struct judged judged;
    int asked;

    begin(&judged, rubric, step, evidence);
    asked = is_asked(&judged);
    end(&judged);
    return asked;
}

int score_speed_decided(const struct rubric *rubric, const struct step *step,
                        const struct evidence *evidence) {
    struct judged judged;
    struct item item = {0};
    int decided = 1;

    begin(&judged, rubric, step, evidence);
    if (is_asked(&judged)) {
        item.possible = judged.rubric->speed;
        decided = score_speed(&judged, &item);
    }
    end(&judged);
    return decided;
}
