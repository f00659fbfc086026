/* What the parts of the grader share: one gradebook, one rubric, the steps in question. */
#ifndef GRADING_H
#define GRADING_H

#include "engine.h"
#include "gradebook.h"
#include "rubric.h"
#include "score.h"

/* The command line, as `make help` lists it; NULL: not given. */
struct grade_options {
    const char *submissions, *steps, *out, *engine, *rubric, *student, *step;
};

struct grading {
    struct gradebook book;
    struct catalogue catalogue;
    struct rubric rubric;
    char rubric_path[PATH_BYTES];
    char chosen[MOST_STEPS]; /* in the catalogue's order */
    engine_run *engine;
    char tasks[PATH_BYTES]; /* OUT/tasks: sources and results of what is being done */
    int not_done;           /* tasks that failed for a reason of the machine's */
};

/* The verbs. */
enum outcome grade(const struct grade_options *options);
enum outcome regrade(const struct grade_options *options);

/* Checks the solutions of the chosen steps; stops at one that fails on this machine. */
enum outcome tasks_check_solutions(struct grading *grading);

/* Does every check and every speed of the chosen steps that is missing. */
enum outcome tasks_do_missing(struct grading *grading);

/* Writes an entry's source, and flags, into a folder; `path` is then the source's. */
enum outcome tasks_write_source(struct grading *grading, long entry, const char *folder,
                                char path[PATH_BYTES]);

/* What is known of an entry. Freed by evidence_free(). */
enum outcome evidence_read(struct grading *grading, long entry, const struct step *step,
                           struct evidence *evidence);
void evidence_free(struct evidence *evidence);

/* Grades and totals of all entries, anew: of the steps whose solutions were checked. */
enum outcome grades_write(struct grading *grading);

/* Repeats the checks of a student's steps, or of one step, and shows them beside what is stored.
 * OUTCOME_INCONCLUSIVE if one says something else. Speeds that count are measured once more, and
 * that is stored: `timed` says how many, and points are then to be given anew. */
enum outcome regrade_student(struct grading *grading, const struct grade_options *options,
                             int *timed);

/* Prints a line a step, and where the files are. */
enum outcome summary_print(struct grading *grading);

#endif
