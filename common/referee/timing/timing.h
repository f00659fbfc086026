/* Timed runs: fresh inputs, every output checked, programs compared in turns. */
#ifndef TIMING_H
#define TIMING_H

#include "figures.h"
#include "problems/problem.h"
#include "referee/build/programs.h"
#include "trusted_player.h"

enum { REPEATS = 10, SLOW_REPEATS = 3 };

/* What repeated runs of one program took. */
struct timing {
    enum outcome outcome;
    char message[768];
    int iterations, repeats;
    double median, minimum, maximum; /* seconds a run */
    double seconds[REPEATS];         /* of each, in their order */
    double energy;                   /* J a run, mean; negative: not known */
    double others;                   /* cores that other processes kept busy meanwhile */
    int gpu_others;                  /* other processes on the GPU, where that is used; the most */
    double sm_mhz;                   /* the GPU's clock, median; 0: not used or not known */
    double sm_mhz_least, sm_mhz_most;
    struct figures figures; /* the step's own word on its median run */
    double difference;      /* error_l2 against the trusted program's output, the largest of all */
    int threads;
    int device_clock; /* the times are of the computation, without copies, by the device's own clock
                       */
};

/* What may have moved a time, as the end of its row's verdict: any of ":busy" (other processes kept
 * more than a tenth of a core busy), ":gpu-busy" (another process was on the GPU) and ":clock" (the
 * GPU's clock moved by more than 3%); empty if nothing. Written to `text` (32 bytes). */
void timing_marks(const struct timing *timing, char *text);

/* What is timed. */
struct subject {
    const struct programs *programs;
    const struct program *program;
    const char *distribution;
    int n;
    int iterations;  /* 0: the smallest power of `growth` that makes a run 20 ms, within limits */
    int growth;      /* 0: 10 */
    int threads;     /* 0: all */
    double expected; /* seconds per iteration, about; 0: not known */
    struct trusted *trusted; /* what outputs are compared with; NULL: the CPU's */
    /* The errors of runs before the timed ones, of two iterations on inputs of that seed; where the
     * device's clock times one, those of the first timed run. NULL: they are not wanted. */
    struct verdict *errors;
    uint64_t errors_seed;
};

/* A program with its player, ready for timed runs at one size. */
struct contender;

/* Starts the program, warms it up and chooses the number of iterations. NULL on failure, which
 * `timing` then tells. */
struct contender *contender_open(const struct subject *subject, struct timing *timing);

void contender_close(struct contender *contender);

/* How often a program is run whose run takes so many seconds: REPEATS, SLOW_REPEATS of one above
 * 1 s, one above 10 s. */
int timing_repeats(double seconds);

/* Times one program in isolation; `repeats` 0: as often as timing_repeats() says. */
void time_isolated(struct contender *contender, uint64_t seed, int repeats, struct timing *timing);

/* Times `second` in turns with `first`, whose time in isolation is `isolated`: A B A B, each pair
 * on the same fresh input. Where timing_repeats() is less for the first, the second's last turns
 * are its own; the first is never run more often than the second. `first_timing` and `timing` are
 * what each took. If the first slowed by more than 5%, three times over, the second's outcome is
 * OUTCOME_INCONCLUSIVE and its message says so.
 */
void time_pair(struct contender *first, struct contender *second, const struct timing *isolated,
               uint64_t seed, struct timing *first_timing, struct timing *timing);

#endif
