/* What is known of a program: figures, each with its origin. */
#ifndef EXPLAINED_H
#define EXPLAINED_H

#include "protocol/counters.h"
#include "problems/problem.h"
#include "referee/build/programs.h"
#include "referee/record/record.h"

/* Name, how a table calls it, its format, and what it counts, for a sentence; empty: none has it.
 * {unit} and {per} stand for the problem's words (figure_words). */
#define FIGURES(X)                                                                                 \
    X(registers, "registers per thread", "%.0f", "registers per thread")                           \
    X(shared_bytes, "shared memory per block, bytes", "%.0f", "")                                  \
    X(spill_bytes, "spilled to memory, bytes per thread", "%.0f", "bytes of spills")               \
    X(threads, "threads per block", "%.0f", "")                                                    \
    X(occupancy, "occupancy, theoretical, %", "%.0f", "percent of occupancy")                      \
    X(slots, "instructions per {per}", "%.2f", "instructions per {per}")                           \
    X(fma, "  sums and products (fma pipe)", "%.2f", "")                                           \
    X(roots, "  roots and divisions (MUFU)", "%.2f", "roots and divisions per {per}")              \
    X(shared_loads, "  loads of shared memory", "%.2f", "loads of shared memory per {per}")        \
    X(global_loads, "  loads of global memory", "%.2f", "loads of global memory per {per}")        \
    X(rest, "  the rest", "%.2f", "")                                                              \
    X(lanes, "floats per instruction", "%.0f", "floats per instruction")                           \
    X(interactions, "interactions per iteration of the loop", "%.0f", "")                          \
    X(global_bytes, "global memory, bytes per {per}", "%.4g", "bytes of global memory per {per}")  \
    X(sectors, "sectors per request of many addresses", "%.3g",                                    \
      "sectors per request of global memory")                                                      \
    X(wavefronts, "wavefronts per request, shared memory", "%.3g",                                 \
      "wavefronts per request of shared memory")                                                   \
    X(copies, "copies per run of 2 iterations", "%.0f", "copies per run of 2 iterations")          \
    X(pinned, "  from and to pinned memory", "%.0f", "copies from and to pinned memory")           \
    X(workers, "threads on the CPU", "%.0f", "threads on the CPU")                                 \
    X(rate, "rate, 10^9 {unit}/s", "%.4g", "billion {unit} per second")                            \
    X(limit, "limit, 10^9 {unit}/s", "%.4g", "")                                                   \
    X(share, "share of the limit, %", "%.1f", "")                                                  \
    X(stalled, "longest stall, cycles per instruction", "%.2f", "")                                \
    X(ready, "ready, not chosen, cycles/instruction", "%.2f", "")

enum figure {
#define FIGURE_ENUM(name, label, format, phrase) FIGURE_##name,
    FIGURES(FIGURE_ENUM)
#undef FIGURE_ENUM
        FIGURE_COUNT
};

/* What is meant where there is no GPU: what the committed record was measured on. */
#define RECORDED_ARCHITECTURE "sm_90"

/* Where figures come from, a letter each, as the table marks them, and notes on what is not known
 * or not finished. Both columns of a table share them. */
enum { MOST_ORIGINS = 24, ORIGIN_BYTES = 256 };

struct origins {
    char text[MOST_ORIGINS][ORIGIN_BYTES]; /* the first is a's */
    char notes[MOST_ORIGINS][ORIGIN_BYTES];
    int count, note_count;
};

struct explained {
    struct programs programs;
    char variant[40];
    char architecture[8]; /* sm_90, what the GPU's figures are for */
    double value[FIGURE_COUNT];
    char origin[FIGURE_COUNT];   /* 0: the figure is not known */
    char borrowed[MOST_ORIGINS]; /* letters of origins that tell of the solution instead */
    char limit_name[32];         /* gpu_issue; empty if not known */
    char stall[40];              /* long_scoreboard; empty if not known */
    char record[512];            /* the file that rate and limit come from */
    int n;                       /* of its row */
    char run[RUN_BYTES];         /* likewise */
    double dynamic_bytes;        /* of a block's shared memory, those that the launch asks for */
    char kernel[40];             /* the one that takes most roots; empty if not known */
    char traced[512];   /* the program whose trace `counters` holds; empty if there is none */
    double traced_work; /* units of work of the traced run */
    int traced_n;
    struct counters counters;
};

const struct problem *explained_problem(const struct explained *explained);

/* A label or phrase of FIGURES in the words of the program's problem. */
enum { WORDS_BYTES = 80 };
void figure_words(const struct explained *explained, const char *words, char text[WORDS_BYTES]);

/* The letter of that origin; a note is added once. */
__attribute__((format(printf, 2, 3))) char origin_letter(struct origins *origins,
                                                         const char *format, ...);
__attribute__((format(printf, 2, 3))) void origin_note(struct origins *origins, const char *format,
                                                       ...);

void figure_set(struct explained *explained, enum figure figure, double value, char origin);

/* Whether the figure is known, but of the solution and not of this source. */
int figure_borrowed(const struct explained *explained, enum figure figure);

/* A source is about to tell what a unit of work executes: what it leaves out is 0. */
void figures_begin(struct explained *explained, char origin);

/* A figure by the name that our scripts and the record's facts have for it, such as lds_128; others
 * are let go. What makes up one row of the table is added up. */
void figure_take(struct explained *explained, const char *name, double value, char origin);

/* Build the variant asked for, else the default one, and fill in what can be known of it here. */
enum outcome explained_build(struct explained *explained, const struct options *options,
                             struct origins *origins);

/* Rate and limit, from the record's last row that was measured for itself; of the step before
 * `after` (NULL: it is none) from the last row at the same n, if there is one from the same run.
 * Then the committed record's figures for what is not known yet. */
enum outcome explained_recall(struct explained *explained, const struct options *options,
                              const struct explained *after, struct origins *origins);

/* Prints what is known of a program and, unless it is NULL, of that of the step before. */
void explained_print(const struct explained *after, const struct explained *before,
                     const struct origins *origins);
void explained_print_json(const struct explained *after, const struct explained *before,
                          const struct origins *origins);

#endif
