#include "explained_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "referee/machine/gpu.h"
#include "referee/estimate/occupancy.h"
#include "problems/text.h"

struct word {
    const char *name, *words;
};

/* Resources, as in ceilings.h. */
static const struct word limits[] = {
    {"gpu_issue", "issue slots, one instruction per scheduler and cycle"},
    {"gpu_fma", "the pipe for additions, products and multiply-adds"},
    {"gpu_mufu", "the special function units, which make roots"},
    {"gpu_lds", "shared-memory wavefronts"},
    {"gpu_memory", "the device's memory"},
    {"fma", "the processor's multiply-adds"},
    {"rsqrt", "the processor's roots and divisions"},
    {"copy", "the processor's memory"},
};

/* Warp states of Nsight Compute's Kernel Profiling Guide, "Warp Scheduler States". */
static const struct word stalls[] = {
    {"barrier", "wait at a barrier for other warps of their block"},
    {"branch_resolving", "wait for the target of a branch"},
    {"dispatch_stall", "wait because the dispatcher holds their instruction back"},
    {"drain", "wait for their last stores before they end"},
    {"imc_miss", "wait for a constant that is not in its cache"},
    {"lg_throttle", "wait for room in the queue of global and local memory"},
    {"long_scoreboard", "wait for data from global or local memory"},
    {"math_pipe_throttle", "wait for a pipe that other warps keep busy"},
    {"membar", "wait at a memory fence"},
    {"mio_throttle", "wait for room in the queue of shared memory and special functions"},
    {"misc", "wait for a reason that has no name of its own"},
    {"no_instruction", "wait for their next instruction to be fetched"},
    {"short_scoreboard", "wait for data from shared memory or a special function"},
    {"sleeping", "sleep, as they asked to"},
    {"tex_throttle", "wait for room in the queue of textures"},
    {"wait", "wait the fixed number of cycles that their last instruction takes"},
};

/* What a name means; a name that is not known, itself. */
static const char *say(const struct word *words, size_t count, const char *name) {
    size_t i;

    for (i = 0; i < count; i++)
        if (!strcmp(words[i].name, name))
            return words[i].words;
    return name;
}

#define SAY(words, name) say(words, sizeof(words) / sizeof *(words), name)

/* What a step changes in its loop is counted exactly and small: 06 saves 4% of the instructions. */
static double least_change(enum figure figure) {
    return figure == FIGURE_slots ? 0.02 : 0.1;
}

/* What changed by a tenth or more, of instructions by 2%, "global memory fell from 12.01 to 0.056
 * bytes" and so on. */
static void say_changes(const struct explained *after, const struct explained *before,
                        char sentence[SENTENCE_BYTES]) {
    static const struct {
        const char *format, *phrase;
    } figures[] = {
#define FIGURE_PHRASE(name, label, format, phrase) {format, phrase},
        FIGURES(FIGURE_PHRASE)
#undef FIGURE_PHRASE
    };
    int comparable = after->n == before->n && !strcmp(after->record, before->record);
    int i, count = 0;

    snprintf(sentence, SENTENCE_BYTES, "%s beside %s: ", after->programs.step->name,
             before->programs.step->name);
    for (i = 0; i < FIGURE_COUNT; i++) {
        double x = before->value[i], y = after->value[i];
        char from[32], to[32], times[32] = "", phrase[WORDS_BYTES];

        if (!*figures[i].phrase || !before->origin[i] || !after->origin[i] ||
            fabs(x - y) <= least_change((enum figure)i) * fmax(x, y) ||
            (i == FIGURE_rate && !comparable))
            continue;
        if (x == 0)
            strcpy(from, "none");
        else
            snprintf(from, sizeof from, figures[i].format, x);
        snprintf(to, sizeof to, figures[i].format, y);
        if (!strcmp(from, to))
            continue;
        if (fmin(x, y) > 0 && fmax(x, y) >= 2 * fmin(x, y))
            snprintf(times, sizeof times, " (%.3g times %s)", fmax(x, y) / fmin(x, y),
                     y > x ? "as many" : "fewer");
        figure_words(after, figures[i].phrase, phrase);
        text_add(sentence, SENTENCE_BYTES, "%s%s %s instead of %s%s%s", count++ ? "; " : "", to,
                 phrase, from, times,
                 figure_borrowed(after, (enum figure)i) ? " (the solution's)" : "");
    }
    text_add(sentence, SENTENCE_BYTES, "%s",
             count ? "." : "nothing in the table differs by a tenth.");
}

static void say_limit(const struct explained *after, const struct explained *before,
                      char sentence[SENTENCE_BYTES]) {
    if (!*after->limit_name) {
        snprintf(sentence, SENTENCE_BYTES,
                 "Its limit is not known: `make bench STEP=%.2s` measures it%s.",
                 after->programs.step->name,
                 step_is_cuda(after->programs.step) && gpu_of_programs() < 0
                     ? " on a machine with a GPU"
                     : "");
        return;
    }
    snprintf(sentence, SENTENCE_BYTES, "The limit is %s%s (%s): %s reaches %.0f%% of it at n = %d",
             before ? "now " : "", SAY(limits, after->limit_name), after->limit_name,
             figure_borrowed(after, FIGURE_share) ? "the solution" : "the step",
             after->value[FIGURE_share], after->n);
    if (before && *before->limit_name)
        text_add(sentence, SENTENCE_BYTES,
                 strcmp(before->limit_name, after->limit_name)
                     ? "; that of %s is %s (%.0f%%)."
                     : "; %s has the same limit, %s, and reaches %.0f%%.",
                 before->programs.step->name, before->limit_name, before->value[FIGURE_share]);
    else
        text_add(sentence, SENTENCE_BYTES, ".");
}

/* A ceiling of the CPU is measured with all lanes of its vectors at work. */
static void say_vectors(const struct explained *after, char sentence[SENTENCE_BYTES]) {
    double lanes = after->value[FIGURE_lanes];

    snprintf(sentence, SENTENCE_BYTES,
             "That limit is what the widest vectors of the processor allow; the program's loop "
             "computes %.0f float%s per instruction.",
             lanes, lanes > 1 ? "s" : "");
}

static void say_stall(const struct explained *after, char sentence[SENTENCE_BYTES]) {
    if (!*after->stall)
        snprintf(sentence, SENTENCE_BYTES, "What its warps wait for is not known here.");
    else
        snprintf(sentence, SENTENCE_BYTES,
                 "Per instruction its warps %s (%s) for %.2f cycles, longer than for anything "
                 "else; for %.2f they are ready and not chosen%s.",
                 SAY(stalls, after->stall), after->stall, after->value[FIGURE_stalled],
                 after->value[FIGURE_ready],
                 figure_borrowed(after, FIGURE_stalled) ? " (the solution's)" : "");
}

int explained_sentences(const struct explained *after, const struct explained *before,
                        char sentences[MOST_SENTENCES][SENTENCE_BYTES]) {
    const double *value = after->value;
    const char *limit = NULL;
    int count = 0;

    if (before)
        say_changes(after, before, sentences[count++]);
    say_limit(after, before, sentences[count++]);
    if (after->origin[FIGURE_lanes] &&
        (!strcmp(after->limit_name, "fma") || !strcmp(after->limit_name, "rsqrt")))
        say_vectors(after, sentences[count++]);
    if (step_is_cuda(after->programs.step))
        say_stall(after, sentences[count++]);
    if (after->origin[FIGURE_occupancy])
        occupancy_of(after->architecture, (int)value[FIGURE_threads], (int)value[FIGURE_registers],
                     (int)value[FIGURE_shared_bytes], &limit);
    if (limit)
        snprintf(sentences[count++], SENTENCE_BYTES, "More warps do not fit because of its %s.",
                 limit);
    if (step_is_cuda(after->programs.step) && *after->limit_name)
        snprintf(
            sentences[count++], SENTENCE_BYTES,
            "docs/concepts/roofline.md has the steps' pictures under the limits of issue and of "
            "each level of memory.");
    return count;
}
