/* What the command line asks for. */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdint.h>

#include "problems/outcome.h"

/* Of a timed run; timing.c says why. */
enum { MOST_ITERATIONS = 100 };

/* Of a prediction. */
enum { LARGEST_SPEEDUP = 1000 };

struct catalogue;
struct step;

struct options {
    const char *verb;
    const char *step_text;    /* 05 or a full name; NULL: the whole catalogue */
    const char *steps;        /* a range, 03-09; NULL: all */
    const char *of;           /* "steps", "solutions"; NULL: see programs.h */
    const char *file;         /* a source file to take instead; NULL: none */
    const char *variant;      /* NULL: the default, or all, as the verb says */
    const char *backend;      /* "cpu", "cuda" or "cpucuda"; NULL: what fits */
    const char *gpu;          /* whose speed is estimated; NULL: the record's */
    const char *arch;         /* a GPU architecture, sm_90; NULL: the device's */
    const char *machine;      /* the record's name; NULL: the host's */
    const char *distribution; /* NULL: the problem's first */
    const char *clock;        /* by which a bench times: referee or device; NULL: by both */
    const char *results;      /* the results folder */
    int n;                    /* 0: the verb's own sizes */
    int iterations;           /* 0: as many as a timed run needs */
    uint64_t seed;
    int seed_given;
    int json;
    int ablate;                /* a step's leave-one-out programs too (programs.h) */
    int resume;                /* of a bench: what its record has is not measured again */
    double damping, dt;        /* of what moves; 0: its own defaults */
    double predict_speedup;    /* 0: to be asked for */
    const char *predict_limit; /* NULL: to be asked for */
    const char *student;       /* whose submission */
    const char *from, *to;     /* files of a galaxy's bodies; NULL: none */
    const char *address;       /* to listen at; NULL: 127.0.0.1 */
    int port;                  /* 0: one that is free */
    const char *sandbox;       /* a program put before others (wrapper.h); NULL: none */
    char **words;              /* as the command line has them, ended by NULL */
    const struct catalogue
        *catalogue;          /* what the command itself has read: all steps, and of them */
    const struct step *step; /* the one that was named; NULL: none was */
};

/* Reads `build/referee VERB [--option VALUE] ...`. On failure says why in one line. */
enum outcome options_read(struct options *options, int count, char **words);

/* Whether a verb takes an option. `takes` lists names between spaces, in capitals those that are
 * variables of make; else complains, and names these. */
enum outcome option_taken(const char *verb, const char *takes, const char *name);

/* Reads a number above 0, at most `largest`; says why not. `value` is 0 then. */
enum outcome read_positive(const char *name, const char *text, double largest, double *value);

/* Prints one line "error: ..." on stderr and returns `outcome`. */
__attribute__((format(printf, 2, 3))) enum outcome complain(enum outcome outcome,
                                                            const char *format, ...);

#endif
