/* The programs of a step: which source they come from, and how they are built. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "catalogue.h"
#include "manifest.h"

enum { MOST_PROGRAMS = 96 };

struct program {
    char variant[40];
    char build[16];   /* plain, address, thread, trace, timeline, device, standalone, cubin, cuda;
                         compiled: cuda   without   GPU; missing: its compiler is not installed */
    char backend[10]; /* cpu, cpucuda, cuda */
    int all_threads;  /* uses as many threads as OMP_NUM_THREADS says */
    char compiler[64];
    char flags[160];
    char path[512];
    char text[40];   /* a checksum of what its source comes to; empty: not known */
    int trusted;     /* our own, not of a step */
    char source[96]; /* the file it comes from, if that is not the step's; else empty */
};

struct programs {
    const struct step *step;
    char source[512];    /* the file, as messages name it */
    char why[544];       /* why this file, in brackets; empty if it was asked for */
    const char *arch;    /* what to compile for; NULL: for the GPU that is there */
    const char *variant; /* the one that is asked for, and others are not built; or NULL */
    const char *only; /* the one variant that the file is, if it is given with the step; or NULL */
    int solution;     /* of the solutions, not a student's */
    int ablate;       /* the leave-one-out programs are built too */
    int peers;        /* what the solution is measured beside is built too, where it is timed */
    char error[256];  /* the compiler's first line on an error, after a build that failed */
    struct program list[MOST_PROGRAMS];
    int count;
};

/* Chooses the step's source: FILE, else what OF says, else the learner's, else the solution. With
 * `solution` set, the solution unless FILE or OF say otherwise; in a copy of the course that has no
 * solutions, the learner's as it was last accepted, results/passed/NN_name. With ABLATE, those of
 * the step's leave-one-out program are among its variants if it has one:
 * solutions/NN_name/leave_one_out.cu, which with each name of the manifest's list `without`
 * lacks one idea; variant without_name. A
 * VARIANT with a source of its own is the course's, whoever asks. */
enum outcome programs_choose(struct programs *programs, const struct step *step,
                             const struct options *options, int solution);

/* Where the learner's source of the step is kept as it was last accepted. Returns `path`. */
const char *passed_path(const struct step *step, const struct options *options, char path[512]);

/* Whether there is a solution, or else a source of the learner's that was accepted. */
int programs_there(const struct step *step, const struct options *options);

/* The steps that a command for all of them leaves out: in a copy of the course without solutions
 * those that the learner has not had accepted. */
struct left_out {
    char names[1024];
};

void leave_out(struct left_out *left_out, const struct step *step);

/* Says which were left out, if any. `others` is how many were not: if none, that is the failure. */
enum outcome say_left_out(const struct left_out *left_out, int others,
                          const struct options *options);

/* Whether that is a file to read. */
int is_source(const char *path);

/* Whether FILE= can be a source, whatever its name; says why not. */
enum outcome programs_file(const char *path);

/* The path of a file beside the step's solution. */
void name_beside(const struct step *step, const char *name, char path[96]);

/* The path of the variant's own source, if the manifest names one: a file that is given with the
 * step, or one beside the solution. Returns whether it does. */
int own_source(const struct step *step, const char *variant, char path[96]);

/* The name of the leave-one-out program's file, and whether the step has it. */
const char *leave_one_out(const struct step *step);
int programs_leave_one_out(const struct step *step);

/* The program's source, as messages name it, and why it is this file, in brackets or empty. */
const char *programs_source(const struct programs *programs, const struct program *program);
const char *programs_why(const struct programs *programs, const struct program *program);

/* The builds whose results a check wants: "plain", "cuda" or both, as BACKEND says. */
const char *programs_builds(const struct programs *programs, const struct options *options);

/* Builds every variant, or the one that is asked for, in each of `builds` ("plain address thread",
 * space between); of another variant the list has the name and the text. A program that
 * does not compile prints the compiler's words and ends in OUTCOME_COMPILE. */
enum outcome programs_build(struct programs *programs, const char *builds, const char *variant);

/* Builds the programs that are timed: of a step in CUDA C those for the GPU, where there are one
 * (`gpu`) and nvcc and `backend` (NULL: not given) does not say otherwise, else cpucuda's; of a
 * step in C the CPU's. All are of the first one's build, or missing; with `device` those of the GPU
 * are followed by the builds that are timed by the device's clock. With `peers` set, other authors'
 * programs for the same problem are among them, if the step has such: solutions/NN_name/peers.c,
 * with a name in the manifest's list `peers_c` for each, and peers.cu, with one in
 * `peers_cuda`, for a GPU alone; variant peer_name. */
enum outcome programs_build_timed(struct programs *programs, const char *backend, int gpu,
                                  int device);

/* The default variant's program in that build; NULL if there is none. */
const struct program *programs_default(const struct programs *programs, const char *build);

/* The variant's program in that build; NULL if there is none. */
const struct program *programs_find(const struct programs *programs, const char *variant,
                                    const char *build);

/* The first plain program of another variant that is the same: their flags differ in macros alone,
 * and these change nothing in the source. `macro` gets the name of one. NULL: none is. */
const struct program *programs_same(const struct programs *programs, const struct program *program,
                                    char macro[64]);

/* Whether there is a program of that variant in any build. */
int programs_has(const struct programs *programs, const char *variant);

/* Complains that there is no such variant and names those there are. */
enum outcome programs_no_variant(const struct programs *programs, const char *variant);

#endif
