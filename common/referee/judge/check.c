#include <stdio.h>
#include <string.h>

#include "check.h"
#include "check_beside.h"
#include "check_cases.h"
#include "check_program.h"
#include "referee/build/manifest.h"
#include "referee/lesson/parts.h"
#include "referee/base/progress.h"
#include "root_lanes.h"
#include "referee/build/source_line.h"
#include "problems/technique.h"
#include "problems/text.h"

int holds_results(const struct verdict *verdict) {
    return !strcmp(verdict->aspect, "plain") || !strcmp(verdict->aspect, "cuda");
}

/* Takes `verdict` into the check, whose outcome is the one nearest to the cause; of equals, the
 * first. */
static void take(struct check *check, const struct step *step, const struct verdict *verdict) {
    enum outcome outcome =
        rejected_as_expected(step, verdict) ? OUTCOME_ACCEPTED : verdict->outcome;
    int i;

    check->verdicts[check->count] = *verdict;
    if (step_expects(step, verdict->variant) && !check->one_size && holds_results(verdict) &&
        !verdict->outcome && !verdict->skipped) {
        outcome = check->verdicts[check->count].outcome = OUTCOME_EXPECTED;
        snprintf(check->verdicts[check->count].message, sizeof verdict->message,
                 "this variant should be rejected and was accepted");
    }
    text_agree(check->verdicts[check->count].message, sizeof verdict->message);
    for (i = 0; i < verdict->case_count; i++)
        text_agree(check->verdicts[check->count].cases[i].message,
                   sizeof verdict->cases[i].message);
    check->count++;
    if (rank_of_cause(step, outcome) < rank_of_cause(step, check->outcome))
        check->outcome = outcome;
}

static void skip(struct check *check, const struct step *step, const char *variant,
                 const char *aspect, const char *why) {
    struct verdict verdict = {.skipped = 1};

    snprintf(verdict.variant, sizeof verdict.variant, "%s", variant);
    snprintf(verdict.aspect, sizeof verdict.aspect, "%s", aspect);
    snprintf(verdict.message, sizeof verdict.message, "%s", why);
    take(check, step, &verdict);
}

static void check_idea(const struct programs *programs, const struct program *program,
                       struct observed *observed, struct check *check) {
    const struct problem *problem = problem_find(programs->step->problem);
    struct verdict verdict = {0};
    char message[512] = "", technique[MOST_VALUE];
    int follows;

    snprintf(verdict.variant, sizeof verdict.variant, "%s", program->variant);
    snprintf(verdict.aspect, sizeof verdict.aspect, "technique");
    if (!step_is_cuda(programs->step))
        observed->root_lanes = root_lanes(program->path);
    observed->flags = program->flags;
    observed->source = programs->source;
    manifest_value(programs->step->manifest, "technique", technique);
    follows = technique_check(problem, technique, observed, message);
    if (follows < 0)
        return;
    if (!follows) {
        verdict.outcome = OUTCOME_IDEA;
        source_lines_in(program->path, message, sizeof message);
        snprintf(verdict.message, sizeof verdict.message, "n = %d: %s", observed->n, message);
    }
    take(check, programs->step, &verdict);
}

/* A variant that is another one under a second name: its results are looked at only where it is
 * asked for. That is the learner's mistake where other variants differ; a source that knows none of
 * the step's macros may come from elsewhere, and is judged by its default variant. */
static int take_same(const struct programs *programs, const struct program *program,
                     const struct options *options, struct check *check) {
    struct verdict verdict = {.outcome = OUTCOME_IDEA, .aspect = "technique"};
    const struct program *same;
    char macro[64];
    int i, foreign = 1;

    if (!(same = programs_same(programs, program, macro)) || same > program)
        return 0;
    for (i = 0; i < programs->count; i++)
        foreign &= strcmp(programs->list[i].build, "plain") ||
                   !strcmp(programs->list[i].text, programs->list[0].text);
    snprintf(verdict.variant, sizeof verdict.variant, "%s", program->variant);
    snprintf(verdict.message, sizeof verdict.message,
             "the same program as variant %s: %s changes nothing in the source", same->variant,
             macro);
    if (foreign && !options->variant)
        skip(check, programs->step, program->variant, "plain", verdict.message);
    else
        take(check, programs->step, &verdict);
    return 1;
}

/* What is not run because of what the default variant's results showed: what is slower or like a
 * program that does not answer is not waited for, and the builds with sanitizers have no filter of
 * system calls. */
static void take_unrun(const struct programs *programs, const struct program *program,
                       const char *aspect, enum outcome outcome, struct check *check) {
    struct verdict verdict = {.outcome = outcome, .unrun = 1};

    snprintf(verdict.message, sizeof verdict.message, "not run, since the default variant %s",
             outcome == OUTCOME_HUNG ? "does not answer" : "made a call that is refused");
    snprintf(verdict.variant, sizeof verdict.variant, "%s", program->variant);
    snprintf(verdict.aspect, sizeof verdict.aspect, "%s", aspect);
    take(check, programs->step, &verdict);
}

/* A race that follows from what the plain build found is not told for itself: of a program whose
 * results are wrong there, too, what cpucuda saw besides need not be the reason; and a thread that
 * stays away from a barrier races with those that wait there. */
static void take_cause(const struct verdict *plain, struct verdict *verdict) {
    if (!plain->outcome || verdict->outcome != OUTCOME_RACE ||
        !(verdict->suspected || plain->outcome == OUTCOME_BARRIER))
        return;
    verdict->outcome = plain->outcome;
    snprintf(verdict->message, sizeof verdict->message, "%s", plain->message);
}

/* Another variant's race check, if the step lists it for that. */
static enum outcome check_races(const struct programs *programs, const struct program *program,
                                const struct options *options, const struct verdict *plain,
                                struct check *check) {
    struct programs builds = *programs;
    struct verdict verdict;
    enum outcome outcome = programs_build(&builds, "races", program->variant);

    if (outcome || !builds.count)
        return outcome;
    if ((outcome = check_program(&builds, builds.list, options, &verdict, NULL)))
        return outcome;
    take_cause(plain, &verdict);
    take(check, programs->step, &verdict);
    return OUTCOME_ACCEPTED;
}

/* Whether it is judged by its results, and not by the text that it shares with another one. */
static int has_verdict_of_its_own(const struct programs *programs, const struct program *program,
                                  const struct options *options) {
    const struct program *same;
    char macro[64];

    if (options->variant)
        return !strcmp(options->variant, program->variant);
    same = programs_same(programs, program, macro);
    return !same || same > program;
}

/* The results of all variants but the default. */
static void add_variants(struct beside *beside, const struct programs *programs,
                         const struct options *options) {
    const struct program *one;

    for (one = programs->list; one < programs->list + programs->count; one++)
        if (is_build(one, "plain") && strcmp(one->variant, programs->list[0].variant) != 0 &&
            has_verdict_of_its_own(programs, one, options))
            beside_add(beside, programs, one, options, NULL);
}

/* All that the default variant's results leave to be run, the dearest first: ThreadSanitizer's
 * build, which is one thread. */
static void add_builds(struct beside *beside, const struct programs *builds,
                       const struct program *program, const struct options *options,
                       struct observed *observed) {
    int i, races;

    for (races = 1; races >= 0; races--)
        for (i = 0; i < builds->count; i++) {
            const struct program *one = &builds->list[i];
            int own = !strcmp(one->variant, program->variant);

            if (is_build(one, "thread") == races && (own || !options->variant))
                beside_add(beside, builds, one, options, is_build(one, "trace") ? observed : NULL);
        }
}

/* The default variant's other builds, and its idea, which what they count may show. `plain` is the
 * verdict on its results. */
static enum outcome check_default(struct beside *beside, const struct programs *programs,
                                  const struct program *program, const struct options *options,
                                  const struct verdict *plain, struct observed *observed,
                                  int planned, struct check *check) {
    static struct programs builds;
    const struct program *trace;
    struct verdict verdict;
    int cuda = step_is_cuda(programs->step), i;
    int as_expected = !plain->outcome || plain->outcome == OUTCOME_UNFREED ||
                      rejected_as_expected(programs->step, plain);
    int right = as_expected && !options->n;
    /* The trace has the idea of a right program, and of a wrong one the line at fault. */
    int traced = cuda && (right || !as_expected);
    int ended = plain->outcome == OUTCOME_CRASHED || plain->outcome == OUTCOME_EXITED;
    enum outcome outcome;

    builds = *programs;
    if (plain->outcome == OUTCOME_HUNG || plain->outcome == OUTCOME_FORKED ||
        plain->outcome == OUTCOME_FORBIDDEN) {
        take_unrun(programs, program, "address", plain->outcome, check);
        if (program->all_threads || cuda)
            take_unrun(programs, program, "thread", plain->outcome, check);
        return OUTCOME_ACCEPTED;
    }
    /* Where host code ends a CUDA program, the memory check knows the line; a race of its kernels
     * is no cause. */
    outcome = programs_build(&builds,
                             cuda && ended ? "address"
                             : traced      ? "address thread races trace"
                                           : "address thread races",
                             program->variant);
    if (outcome)
        return outcome;
    if (right && !cuda)
        check_idea(programs, program, observed, check);
    add_builds(beside, &builds, program, options, observed);
    if (!cuda)
        add_variants(beside, programs, options);
    beside_begin(beside, 0);
    for (i = 0; i < builds.count; i++) {
        int own = !strcmp(builds.list[i].variant, program->variant);

        if (!own && options->variant)
            continue;
        progress_show((double)check->count / planned, "%s, %s", programs->step->name,
                      builds.list[i].build);
        outcome = beside_verdict(beside, &builds, &builds.list[i], options, &verdict,
                                 is_build(&builds.list[i], "trace") ? observed : NULL);
        if (outcome)
            return outcome;
        take_cause(plain, &verdict);
        /* The plain build's results were told; these builds look for other things. */
        if (rejected_as_expected(programs->step, &verdict)) {
            verdict.outcome = OUTCOME_ACCEPTED;
            *verdict.message = 0;
        }
        right = right && (!verdict.outcome || strcmp(builds.list[i].build, "trace"));
        if (strcmp(builds.list[i].build, "trace") || verdict.outcome)
            take(check, programs->step, &verdict);
    }
    if (!programs_find(&builds, program->variant, "address"))
        skip(check, programs->step, program->variant, "address",
             "this compiler comes without AddressSanitizer");
    if ((program->all_threads || (cuda && !ended)) &&
        !programs_find(&builds, program->variant, "thread"))
        skip(check, programs->step, program->variant, "thread",
             cuda ? "this compiler comes without ThreadSanitizer"
                  : "it needs clang, libomp and libarcher");
    trace = programs_find(&builds, program->variant, "trace"); /* the last, so what was observed */
    if (trace && right)
        check->traced = *observed;
    if (right && cuda && trace)
        check_idea(programs, trace, observed, check);
    return OUTCOME_ACCEPTED;
}

/* A program that was compiled, and that no GPU of this machine could run. */
static void take_compiled(const struct programs *programs, const struct program *program,
                          struct check *check) {
    struct verdict verdict = {.aspect = "compiled"};

    snprintf(verdict.variant, sizeof verdict.variant, "%s", program->variant);
    take(check, programs->step, &verdict);
}

/* Notes which part of a learner's source is not written yet, of those that the variant which was
 * asked for needs; whether there is one. */
static enum outcome look_at_parts(const struct programs *programs, const struct options *options,
                                  struct check *check, struct parts *parts, int *unfinished) {
    char name[64], needed[MOST_VALUE];
    const struct part *part;
    enum outcome outcome;

    *unfinished = 0;
    if (programs->solution)
        return OUTCOME_ACCEPTED;
    if ((outcome = parts_read(parts, programs->source)))
        return outcome;
    snprintf(name, sizeof name, "parts_%.40s", options->variant ? options->variant : "");
    if (options->variant && manifest_value(programs->step->manifest, name, needed))
        parts_keep(parts, needed);
    if ((part = parts_unfinished(parts)))
        part_sentence(part, check->note);
    else
        snprintf(check->note, sizeof check->note, "%s", parts->broken);
    *unfinished = part && !options->file; /* a FILE may be about something else */
    return OUTCOME_ACCEPTED;
}

/* Whether any program's results were looked at. */
static int looked_at(const struct check *check) {
    int i;

    for (i = 0; i < check->count; i++)
        if (holds_results(&check->verdicts[i]) && !check->verdicts[i].skipped)
            return 1;
    return 0;
}

static enum outcome check_all(struct beside *beside, struct programs *programs,
                              const struct options *options, struct check *check) {
    const char *builds = programs_builds(programs, options), *first;
    static struct parts parts;
    struct observed observed = {0};
    struct verdict verdict;
    enum outcome outcome;
    int i, planned, unfinished, hangs = 0;

    memset(check, 0, sizeof *check);
    check->one_size = options->n > 0;
    if ((outcome = look_at_parts(programs, options, check, &parts, &unfinished)))
        return outcome;
    if (unfinished)
        builds = "plain";
    programs->variant = options->variant;
    if ((outcome = programs_build(programs, builds, NULL)))
        return outcome;
    if (options->variant && !programs_has(programs, options->variant))
        return programs_no_variant(programs, options->variant);
    first = programs->only ? "" : programs->list[0].variant;
    planned = options->variant ? 4 : programs->count + 3;
    /* Small arrays are a block, which leaves cores to others. How a program in C shares its work
     * among threads is measured, so the default variant of one runs alone. */
    if (step_is_cuda(programs->step) && !unfinished && !options->variant) {
        add_variants(beside, programs, options);
        beside_begin(beside, 1);
    }
    for (i = 0; i < programs->count; i++) {
        const struct program program = programs->list[i];

        if (options->variant && strcmp(options->variant, program.variant))
            continue;
        if (!strcmp(program.build, "missing")) {
            char why[128];

            snprintf(why, sizeof why, "%s is not installed", program.compiler);
            skip(check, programs->step, program.variant, "plain", why);
            continue;
        }
        if (!strcmp(program.build, "compiled")) {
            take_compiled(programs, &program, check);
            continue;
        }
        if (!options->variant && take_same(programs, &programs->list[i], options, check))
            continue;
        if (hangs) {
            take_unrun(programs, &program, program.build, OUTCOME_HUNG, check);
            continue;
        }
        progress_show((double)check->count / planned, "%s, variant %s", programs->step->name,
                      program.variant);
        if ((outcome = beside_verdict(beside, programs, &programs->list[i], options, &verdict,
                                      &observed)))
            return outcome;
        take(check, programs->step, &verdict);
        if (options->variant && !verdict.outcome)
            take_same(programs, &programs->list[i], options, check);
        hangs = verdict.outcome == OUTCOME_HUNG && !strcmp(program.variant, first);
        if (unfinished) { /* what else is to be said of it can wait */
            if (!check->outcome || parts_explain(&parts, programs->step->name, check->outcome))
                check->outcome = OUTCOME_UNFINISHED;
            break;
        }
        if (!strcmp(program.variant, first) && !strcmp(program.build, "plain") &&
            (outcome = check_default(beside, programs, &program, options, &verdict, &observed,
                                     planned, check)))
            return outcome;
        if (options->variant && strcmp(program.variant, first) != 0 &&
            !strcmp(program.build, "plain") && step_is_cuda(programs->step) &&
            (outcome = check_races(programs, &program, options, &verdict, check)))
            return outcome;
    }
    if (*first && strstr(builds, "cuda") && !programs_find(programs, first, "cuda") &&
        !programs_find(programs, first, "compiled"))
        skip(check, programs->step, first, "cuda", "nvcc is not installed");
    if (!check->outcome && !looked_at(check))
        check->outcome = unfinished ? OUTCOME_UNFINISHED : OUTCOME_UNCHECKED;
    progress_end();
    return OUTCOME_ACCEPTED;
}

enum outcome check_step(struct programs *programs, const struct options *options,
                        struct check *check) {
    struct beside *beside = beside_new();
    enum outcome outcome;

    if (!beside)
        return complain(OUTCOME_INTERNAL, "no memory for the check");
    outcome = check_all(beside, programs, options, check);
    beside_end(beside);
    return outcome;
}
