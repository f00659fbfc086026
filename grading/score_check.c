#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problems/problem.h"
#include "score_parts.h"

/* The cases of a check in classes, as the rubric counts them. */
enum { SMALL, EDGES, LARGE, BY_DECIMALS, CLASSES };
static const char *const classes[CLASSES] = {"small", "edges", "large", "decimals"};

/* Programs of up to so many elements need compute next to nothing. */
enum { SMALLEST = 2, LARGE_FROM = 2000 };

/* Costs the item memory, and nothing else. */
#define UNFREED outcome_word(OUTCOME_UNFREED)

static int has_decimals(const struct problem *problem, const char *distribution) {
    return problem->decimals_distribution && !strcmp(distribution, problem->decimals_distribution);
}

static int class_of(const struct problem *problem, const char *distribution, double n) {
    return has_decimals(problem, distribution) ? BY_DECIMALS
           : n <= SMALLEST                     ? SMALL
           : n < LARGE_FROM                    ? EDGES
                                               : LARGE;
}

static int is(const json_t *object, const char *name, const char *text) {
    const char *value = text_of(object, name);

    return value && !strcmp(value, text);
}

static int is_skipped(const json_t *verdict) {
    return json_is_true(json_object_get(verdict, "skipped"));
}

/* Results of a variant, on the CPU or the GPU. */
static int holds_results(const json_t *verdict) {
    return (is(verdict, "aspect", "results") || is(verdict, "aspect", "cuda")) &&
           !is_skipped(verdict);
}

static json_t *verdicts_of(const struct judged *judged) {
    return json_object_get(judged->referee, "verdicts");
}

/* The first variant is the default one. */
static const char *default_variant(const struct judged *judged) {
    const char *name = text_of(json_array_get(verdicts_of(judged), 0), "variant");

    return name ? name : "";
}

/* The default variant's verdict on an aspect; NULL: none. */
static const json_t *verdict_on(const struct judged *judged, const char *aspect) {
    size_t i;
    json_t *verdict;

    json_array_foreach(verdicts_of(judged), i, verdict) {
        if (is(verdict, "aspect", aspect) && is(verdict, "variant", default_variant(judged)))
            return verdict;
    }
    return NULL;
}

static int is_inaccurate(const json_t *object) {
    return is(object, "outcome", "wrong") || is(object, "outcome", "decimals") ||
           is(object, "outcome", "not-finite");
}

static int passed(const json_t *verdict, const json_t *one) {
    return is(one, "outcome", "accepted") || (json_is_true(json_object_get(verdict, "expected")) &&
                                              is(one, "outcome", text_of(verdict, "outcome")));
}

static int cases_in_class(const struct problem *problem, int class) {
    int i, count = 0;

    for (i = 0; problem->cases[i].distribution; i++)
        count += class_of(problem, problem->cases[i].distribution, problem->cases[i].n) == class;
    return count;
}

/* How many cases of a class passed; `failed` gets the first that did not, or stays. -1 if the
 * verdict has no cases that can be read. */
static int passed_in_class(const struct problem *problem, const json_t *verdict, int class,
                           const json_t **failed) {
    const json_t *cases = json_object_get(verdict, "cases");
    int count = 0;
    size_t i;
    json_t *one;

    if (!json_is_array(cases))
        return -1;
    /* A variant that is shown because it is rejected, and was not. */
    if (class == BY_DECIMALS && is(verdict, "outcome", outcome_word(OUTCOME_EXPECTED)))
        return 0;
    json_array_foreach(cases, i, one) {
        const char *distribution = text_of(one, "distribution");
        double n = number_of(one, "n");

        if (!distribution || isnan(n) || !text_of(one, "outcome"))
            return -1;
        if (class_of(problem, distribution, n) != class)
            continue;
        if (passed(verdict, one))
            count++;
        else if (!*failed)
            *failed = one;
    }
    return count;
}

static void internal(struct item *item, const char *what) {
    LEAVE_OUT(item,
              "The grader's own result has no %s, which is not your program's doing; tell your "
              "instructor.",
              what);
}

static void say_failure(struct item *item, const struct judged *judged, const json_t *verdict,
                        const json_t *failed) {
    const char *message = text_of(failed ? failed : verdict, "message");
    const char *variant = text_of(verdict, "variant");

    SAY(item, "%s%s%s%s: ",
        variant && !strcmp(variant, default_variant(judged)) ? "The default variant, " : "Variant ",
        variant ? variant : "?", is(verdict, "aspect", "cuda") ? ", on the GPU" : "",
        failed ? "" : ", did not get there");
    if (failed)
        SAY(item, "n = %.0f (%s): ", number_of(failed, "n"), text_of(failed, "distribution"));
    SAY(item, "%s.", message && *message ? message : "no more is known");
}

void score_right(const struct judged *judged, struct item *item) {
    const struct problem *problem = problem_find(judged->step->problem);
    const json_t *told = NULL, *told_case = NULL;
    double by_default = 0, by_all = 0;
    int defaults = 0, all = 0, class = 0, count;
    size_t i;
    json_t *verdict;

    while (strcmp(classes[class], item->name))
        class ++;
    count = problem ? cases_in_class(problem, class) : 0;
    json_array_foreach(verdicts_of(judged), i, verdict) {
        const json_t *failed = NULL;
        int good, is_default = is(verdict, "variant", default_variant(judged));
        double share;

        if (!holds_results(verdict) || !count)
            continue;
        if ((good = passed_in_class(problem, verdict, class, &failed)) < 0) {
            internal(item, "cases");
            return;
        }
        share = good < count ? (double)good / count : 1;
        by_all += share, all++;
        if (is_default)
            by_default += share, defaults++;
        if (share < 1 && !told)
            told = verdict, told_case = failed;
    }
    if (!defaults) {
        internal(item, count ? "verdict on the results" : "cases of this kind");
        return;
    }
    item_earn(item, 0.5 * by_default / defaults + 0.5 * by_all / all);
    if (told)
        say_failure(item, judged, told, told_case);
    else
        SAY(item, "Right in all cases of this kind.");
}

int has_idea(const struct judged *judged) {
    return is(verdict_on(judged, "technique"), "outcome", "accepted");
}

void look_for_substance(struct judged *judged) {
    const struct problem *problem = problem_find(judged->step->problem);
    int found = 0, known = 0, class;
    size_t i;
    json_t *verdict;

    json_array_foreach(verdicts_of(judged), i, verdict) {
        if (!holds_results(verdict) || !is(verdict, "variant", default_variant(judged)))
            continue;
        for (class = EDGES; problem && class < CLASSES; class ++) {
            const json_t *failed = NULL;
            int good = passed_in_class(problem, verdict, class, &failed);

            found |= good > 0;
            known |= good >= 0;
        }
    }
    if (known && !found)
        say_reason(
            judged->empty, sizeof judged->empty,
            "Its default variant is right at no size above n = %d, and a program that computes "
            "nothing "
            "has no faults and takes no time; so this counts once results are right.",
            SMALLEST);
    else if (step_expects(judged->step, default_variant(judged)) && !has_idea(judged))
        say_reason(
            judged->empty, sizeof judged->empty,
            "This step's results are inaccurate on purpose and prove little, so this counts only "
            "in a program with the step's idea.");
}

int is_right_where_timed(const struct judged *judged) {
    const struct problem *problem = problem_find(judged->step->problem);
    int right = problem != NULL;
    size_t i;
    json_t *verdict;

    json_array_foreach(verdicts_of(judged), i, verdict) {
        const json_t *failed = NULL;

        if (right && holds_results(verdict) && is(verdict, "variant", default_variant(judged)))
            right = passed_in_class(problem, verdict, LARGE, &failed) > 0 && !failed;
    }
    return right;
}

/* Whether the check looked at this aspect of the course's own solution on this grader. */
static int looks_here(const struct judged *judged, const char *aspect) {
    const struct judged solution = {.referee = json_object_get(judged->reference, "referee")};
    const json_t *verdict = verdict_on(&solution, aspect);

    return verdict && !is_skipped(verdict);
}

const char *not_here(const struct judged *judged, const char *name) {
    const json_t *solution = json_object_get(judged->reference, "referee");
    const char *backend = text_of(solution, "backend");
    const struct judged own = {.referee = (json_t *)solution};

    if (!strcmp(name, "speed") && step_is_cuda(judged->step) && backend &&
        !strcmp(backend, "cpucuda"))
        return "no GPU is here, and a CPU that plays one tells nothing of speed";
    if (verdict_on(&own, name) && is_skipped(verdict_on(&own, name)))
        return "this grader has no tool for it";
    return NULL;
}

/* Whether the default variant's results are as they should be, on cpucuda or the CPU. */
static int is_right(const struct judged *judged) {
    const json_t *results = verdict_on(judged, "results");

    return is(results, "outcome", "accepted") || is(results, "outcome", UNFREED) ||
           json_is_true(json_object_get(results, "expected"));
}

/* The verdict that says what was not given back, of any variant; NULL: all was. */
static const json_t *unfreed(const struct judged *judged) {
    size_t i;
    json_t *verdict;

    json_array_foreach(verdicts_of(judged), i, verdict) {
        if (is(verdict, "outcome", UNFREED))
            return verdict;
    }
    return NULL;
}

void score_clean(const struct judged *judged, struct item *item) {
    const json_t *left = strcmp(item->name, "memory") ? NULL : unfreed(judged);
    const json_t *verdict = left ? left : verdict_on(judged, item->name);
    const char *message = text_of(verdict, "message"), *outcome = text_of(verdict, "outcome");

    if (!verdict || !outcome) {
        internal(item, strcmp(item->name, "memory") ? "check for races" : "check of memory");
    } else if (is_skipped(verdict) && looks_here(judged, item->name)) {
        /* Else a program would earn by keeping the checker away. */
        EARN(
            item, 0,
            "The check could not look at this program, though it can at the course's solution: %s.",
            message ? message : "");
    } else if (is_skipped(verdict)) {
        LEAVE_OUT(item, "Not looked at on this machine, so it counts neither way: %s.",
                  message ? message : "");
    } else if (!strcmp(outcome, "accepted") || is_inaccurate(verdict) ||
               !strcmp(outcome, "unwritten")) {
        SAY(item, "No fault was found");
        if (strcmp(outcome, "accepted") && is_right(judged))
            SAY(item, ", though in this check's build results are wrong: %s",
                message && *message ? message : outcome);
        EARN(item, 1, ".");
    } else {
        EARN(item, 0, "%s.", message && *message ? message : outcome);
    }
}

void score_accuracy(const struct judged *judged, struct item *item) {
    const struct problem *problem = problem_find(judged->step->problem);
    int known = 0;
    size_t i;
    json_t *verdict;

    json_array_foreach(verdicts_of(judged), i, verdict) {
        const json_t *inaccurate = NULL, *failed = NULL;
        int large;
        size_t k;
        json_t *one;

        if (!holds_results(verdict) || !is(verdict, "variant", default_variant(judged)))
            continue;
        large = problem ? passed_in_class(problem, verdict, LARGE, &failed) : -1;
        if (large < 0) {
            internal(item, "cases");
            return;
        }
        json_array_foreach(json_object_get(verdict, "cases"), k, one) {
            if (is_inaccurate(one) && !inaccurate)
                inaccurate = one;
        }
        if (inaccurate || is_inaccurate(verdict) || !large) {
            say_failure(item, judged, verdict, inaccurate ? inaccurate : failed);
            item_earn(item, 0);
            return;
        }
        if (known++)
            continue;
        SAY(item, "Within the step's tolerance");
        if (problem->error)
            SAY(item, ": error %.1e, %s", number_of(verdict, "error_l2"), problem->error);
        SAY(item, ".");
    }
    if (known)
        item_earn(item, 1);
    else
        internal(item, "verdict on the results");
}

/* The trace, from which idea and traffic of CUDA C follow, is of a build of its own: it is told
 * only if it failed. Says so and ends the item. */
static int failed_in_trace(const struct judged *judged, struct item *item) {
    const json_t *trace = verdict_on(judged, "trace");
    const char *message = text_of(trace, "message");

    if (!trace && (is_right(judged) || !verdict_on(judged, "results")))
        return 0;
    EARN(item, 0, "This is looked at once %s: %s.",
         trace ? "the build that traces memory runs" : "all results are right",
         trace && message ? message : "they are not yet");
    return 1;
}

void score_idea(const struct judged *judged, struct item *item) {
    const json_t *verdict = verdict_on(judged, "technique");
    const char *message = text_of(verdict, "message"), *outcome = text_of(verdict, "outcome");

    if (!verdict && failed_in_trace(judged, item))
        return;
    if (!verdict || !outcome) {
        internal(item, "verdict of the technique check");
    } else if (is_skipped(verdict)) {
        LEAVE_OUT(item, "Not looked at on this machine, so it counts neither way: %s.",
                  message ? message : "");
    } else if (!strcmp(outcome, "accepted")) {
        EARN(item, 1, "The technique check found the step's idea.");
    } else {
        EARN(item, 0, "The technique check did not find the step's idea: %s.",
             message && *message ? message : outcome);
    }
}

/* The figure of the program over that of the solution; NAN if either has none. */
static double over(const json_t *own, const json_t *reference, const char *of, const char *by) {
    double figure = number_of(own, of) / (by ? number_of(own, by) : 1);
    double wanted = number_of(reference, of) / (by ? number_of(reference, by) : 1);

    return wanted > 0 && isfinite(figure) && figure >= 0 ? figure / wanted : NAN;
}

void score_traffic(const struct judged *judged, struct item *item) {
    const json_t *own = json_object_get(judged->referee, "memory");
    const json_t *reference =
        json_object_get(json_object_get(judged->reference, "referee"), "memory");
    double bytes = over(own, reference, "global_bytes", NULL);
    double passes = over(own, reference, "shared_wavefronts", "shared_requests"), worst;

    if (!json_is_object(own) && failed_in_trace(judged, item))
        return;
    if (isnan(bytes) || number_of(own, "n") != number_of(reference, "n") ||
        number_of(own, "iterations") != number_of(reference, "iterations")) {
        internal(item, "figures of memory");
        return;
    }
    worst = passes > bytes ? passes : bytes; /* false if there are no passes to compare */
    EARN(item, share_of_ramp(worst, judged->rubric->traffic_from, judged->rubric->traffic_to),
         "Its kernels move %.3g times the bytes of the course's solution", bytes);
    if (!isnan(passes))
        SAY(item, " and need %.3g times its wavefronts per request of shared memory", passes);
    SAY(item, "; full points up to %g, none from %g.", judged->rubric->traffic_to,
        judged->rubric->traffic_from);
}
