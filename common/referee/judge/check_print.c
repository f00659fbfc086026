#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "check_program.h"
#include "referee/base/json.h"
#include "referee/base/terminal.h"

static const char *aspect_name(const char *aspect) {
    return !strcmp(aspect, "plain")     ? "results"
           : !strcmp(aspect, "address") ? "memory"
           : !strcmp(aspect, "thread")  ? "races"
                                        : aspect;
}

/* How much of a failure's message is repeated: its first clause, or what is that long. */
enum { CLAUSE = 110 };

/* Spaces before a message. */
enum { MESSAGE = 6 };

/* The message of verdict i. What an earlier one has said in full is not said again. */
static void print_message(const struct step *step, const struct check *check, int i) {
    const struct verdict *verdict = &check->verdicts[i];
    int length = (int)strcspn(verdict->message, ";"), said = 0, k;
    char clause[CLAUSE + 8];

    if (!*verdict->message)
        return;
    for (k = 0; k < i; k++) {
        const struct verdict *earlier = &check->verdicts[k];

        if (!strcmp(verdict->message, earlier->message)) {
            print_wrapped(MESSAGE, "as above");
            return;
        }
        said |= verdict->outcome && verdict->outcome == earlier->outcome &&
                rejected_as_expected(step, verdict) == rejected_as_expected(step, earlier);
    }
    if (!said || !verdict->message[length <= CLAUSE ? length : CLAUSE]) {
        print_wrapped(MESSAGE, verdict->message);
        return;
    }
    if (length > CLAUSE) /* to the end of a word */
        for (length = CLAUSE; length && verdict->message[length] != ' ';)
            length--;
    snprintf(clause, sizeof clause, "%.*s ...", length, verdict->message);
    print_wrapped(MESSAGE, clause);
}

/* What the check of an accepted program did not look at: what lacks a tool here, and with VARIANT=
 * or N= all else. */
static void tell_left_out(FILE *line, const struct programs *programs,
                          const struct options *options, const struct check *check) {
    const char *between = "; not checked: ", *last = "";
    int i;

    for (i = 0; i < check->count; i++) {
        const struct verdict *verdict = &check->verdicts[i];

        if (!verdict->skipped || !strcmp(verdict->aspect, "cuda")) /* its results were looked at */
            continue;
        fprintf(line, "%s%s (%.*s)", between,
                holds_results(verdict) ? verdict->variant : aspect_name(verdict->aspect),
                (int)strcspn(verdict->message, ";"), verdict->message);
        between = ", ";
    }
    for (i = 0; options->variant && i < programs->count; i++) {
        const char *variant = programs->list[i].variant;

        if (strcmp(variant, last) && strcmp(variant, options->variant)) {
            fprintf(line, "%s%s", between, variant);
            between = ", ";
        }
        last = variant;
    }
    if (options->n)
        fprintf(line, "%sother sizes", between);
}

static void print_last_line(const struct programs *programs, const struct options *options,
                            const struct check *check) {
    size_t size;
    char *text;
    FILE *line = open_memstream(&text, &size);

    if (!line)
        abort();
    fprintf(line, "%s ", programs->step->name);
    if (!check->outcome && options->variant)
        fprintf(line, "%s ", options->variant);
    if (!check->outcome && options->n)
        fprintf(line, "at n = %d ", options->n);
    print_verdict(line, !check->outcome                       ? "accepted"
                        : check->outcome == OUTCOME_UNCHECKED ? "NOT CHECKED"
                                                              : "FAILED");
    if (!check->outcome)
        tell_left_out(line, programs, options, check);
    else if (check->outcome == OUTCOME_UNCHECKED)
        fprintf(line, ": %s (exit code %d)",
                check->verdicts[0].skipped
                    ? "nothing here can run it; `sh common/setup.sh` installs a C++ compiler"
                    : "it was compiled for a GPU, and there is none here",
                check->outcome);
    else
        fprintf(line, ": %s (exit code %d; SEED=%llu repeats it)", outcome_sentence(check->outcome),
                check->outcome, (unsigned long long)options->seed);
    fclose(line);
    print_wrapped(0, text);
    free(text);
}

/* Where the check ran: "cpucuda and cuda". */
static void name_backend(const struct programs *programs, char name[32]) {
    const char *first = programs->list[0].backend;
    int on_gpu = programs_find(programs, programs->list[0].variant, "cuda") != NULL;

    snprintf(name, 32, "%s%s", first, on_gpu && strcmp(first, "cuda") ? " and cuda" : "");
}

static void print_text(const struct programs *programs, const struct options *options,
                       const struct check *check) {
    char backend[32];
    int i;

    name_backend(programs, backend);
    printf("%s: %s%s, backend %s, seed %llu\n", programs->step->name, programs->source,
           programs->why, backend, (unsigned long long)options->seed);
    if (*check->note)
        print_wrapped(0, check->note);
    for (i = 0; i < check->count; i++) {
        const struct verdict *verdict = &check->verdicts[i];
        int for_want_of_a_part = verdict->outcome && check->outcome == OUTCOME_UNFINISHED;
        const char *word = verdict->skipped                                ? "skipped"
                           : verdict->unrun                                ? "not run"
                           : for_want_of_a_part                            ? "not right yet"
                           : rejected_as_expected(programs->step, verdict) ? "rejected, as expected"
                           : verdict->outcome                              ? "FAILED"
                                                                           : "accepted";

        printf("  %-16s %-9s ", verdict->variant, aspect_name(verdict->aspect));
        print_verdict(stdout, word);
        if (holds_results(verdict) && !verdict->outcome && !verdict->skipped) {
            printf("  error %.1e (at most %.1e over %s)", verdict->error_l2, verdict->error_max,
                   problem_find(programs->step->problem)->element);
            if (verdict->first_wrong_decimal == DECIMALS)
                printf(", no wrong decimal");
            else if (verdict->first_wrong_decimal)
                printf(", first wrong decimal %d", verdict->first_wrong_decimal);
        }
        printf("\n");
        if (!for_want_of_a_part && !(i && verdict->unrun && check->verdicts[i - 1].unrun))
            print_message(programs->step, check, i);
    }
    print_last_line(programs, options, check);
}

static void print_cases(const struct verdict *verdict) {
    int i;

    print_json("cases=[");
    for (i = 0; i < verdict->case_count; i++) {
        const struct case_verdict *one = &verdict->cases[i];

        print_json("{ n=%d distribution=%s outcome=%s message=%s }", one->n, one->distribution,
                   outcome_word(one->outcome), one->message);
    }
    print_json("]");
}

/* What the kernels of a run asked of memory. */
static void print_memory(const struct observed *traced) {
    uint64_t requests[MEMORY_SPACES] = {0}, sectors = 0, wavefronts = 0, i;

    if (!traced->n) {
        print_json("memory=null");
        return;
    }
    for (i = 0; i < traced->counters.traced_lines; i++) {
        const struct trace_line *line = &traced->counters.lines[i];

        requests[line->space] += line->requests;
        sectors += line->space == GLOBAL_MEMORY ? line->sectors : 0;
        wavefronts += line->space == SHARED_MEMORY ? line->wavefronts : 0;
    }
    print_json("memory={ n=%d iterations=%d global_bytes=%" PRIu64 " global_requests=%" PRIu64
               " global_sectors=%" PRIu64 " shared_requests=%" PRIu64 " shared_wavefronts=%" PRIu64
               " }",
               traced->n, traced->iterations, traced->counters.global_bytes,
               requests[GLOBAL_MEMORY], sectors, requests[SHARED_MEMORY], wavefronts);
}

static void print_whole(const struct programs *programs, const struct options *options,
                        const struct check *check) {
    char backend[32] = "";
    int i;

    if (programs->count)
        name_backend(programs, backend);
    print_json("{ step=%s source=%s backend=%s seed=%" PRIu64 " outcome=%s code=%d verdicts=[",
               programs->step->name, programs->source, backend, options->seed,
               outcome_word(check->outcome), check->outcome);
    for (i = 0; i < check->count; i++) {
        const struct verdict *verdict = &check->verdicts[i];

        print_json("{ variant=%s aspect=%s outcome=%s skipped=%c expected=%c error_l2=%.4g "
                   "error_p99=%.4g error_max=%.4g first_wrong_decimal=%d message=%s",
                   verdict->variant, aspect_name(verdict->aspect), outcome_word(verdict->outcome),
                   verdict->skipped, rejected_as_expected(programs->step, verdict),
                   verdict->error_l2, verdict->error_p99, verdict->error_max,
                   verdict->first_wrong_decimal, verdict->message);
        print_cases(verdict);
        print_json("}");
    }
    print_json("]");
    print_memory(&check->traced);
    print_json("note=%s }", check->note);
}

void check_print(const struct programs *programs, const struct options *options,
                 const struct check *check) {
    if (options->json)
        print_whole(programs, options, check);
    else
        print_text(programs, options, check);
    fflush(stdout);
}
