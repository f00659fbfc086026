#define _GNU_SOURCE
#include "request.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "problems/problem.h"
#include "problems/text.h"
#include "referee/build/programs.h"
#include "referee/machine/machine.h"

/* Whether nvcc, if there is one, compiles for ARCH. */
static enum outcome check_arch(const struct options *options) {
    char known[512] = "", line[64], wanted[16];
    int found = !options->arch, digits;
    FILE *list = found ? NULL : popen("${NVCC-nvcc} --list-gpu-arch 2>/dev/null", "r");

    if (!list)
        return OUTCOME_ACCEPTED;
    digits = (int)strspn(options->arch + 3, "0123456789"); /* sm_90a is a kind of sm_90 */
    snprintf(wanted, sizeof wanted, "compute_%.*s\n", digits, options->arch + 3);
    while (fgets(line, sizeof line, list)) {
        found |= !strcmp(line, wanted);
        snprintf(known + strlen(known), sizeof known - strlen(known), "%ssm_%.*s",
                 *known ? ", " : "", (int)strspn(line + 8, "0123456789"), line + 8);
    }
    pclose(list);
    return found || !*known
               ? OUTCOME_ACCEPTED
               : complain(OUTCOME_USAGE, "ARCH=%s: nvcc does not know it; one of %s is needed",
                          options->arch, known);
}

/* The step that was asked for, or each of the catalogue: the next behind `last`, which is NULL at
 * first; NULL: there is none. */
static const struct step *next_asked(const struct options *options, const struct step *last) {
    const struct catalogue *catalogue = options->catalogue;

    if (options->step)
        return last ? NULL : options->step;
    last = last ? last + 1 : catalogue->steps;
    return last < catalogue->steps + catalogue->count ? last : NULL;
}

/* Whether this machine and a step that was asked for can do what BACKEND and ARCH ask for. */
static enum outcome check_backend(const struct options *options) {
    const char *name = options->arch ? "ARCH" : "BACKEND";
    const char *value = options->arch ? options->arch : options->backend;
    const struct step *step = NULL;
    struct machine machine;

    if (options->backend && !strcmp(options->backend, "cuda")) {
        machine_describe(&machine);
        if (!*machine.gpu)
            return complain(OUTCOME_NO_GPU, "BACKEND=cuda: this machine has no NVIDIA GPU that can "
                                            "be used; leave BACKEND out, or say BACKEND=cpucuda");
    }
    while ((step = next_asked(options, step)))
        if (step_has_backend(step, options))
            return OUTCOME_ACCEPTED;
    step = options->step;
    if (step && step_is_cuda(step))
        return complain(OUTCOME_USAGE,
                        "%s=%s: %s is CUDA C; BACKEND=cpucuda runs it on the CPU, without ARCH",
                        name, value, step->name);
    return complain(OUTCOME_USAGE, "%s=%s: %s is C and runs on the CPU; leave it out", name, value,
                    step ? step->name : "every step of the catalogue");
}

/* An input that the user has in a file brings its size along. */
static enum outcome read_file(struct options *options) {
    const struct problem *problem = options->step ? problem_find(options->step->problem) : NULL;
    const char *path = NULL;
    char message[512];
    int n;

    if (problem && options->distribution)
        path = problem_file(problem, options->distribution);
    if (!path)
        return OUTCOME_ACCEPTED;
    if (strpbrk(path, ",\"\n"))
        return complain(OUTCOME_USAGE,
                        "distribution %s: the record takes no comma, no quote and no "
                        "new line; rename the file",
                        options->distribution);
    if (!(n = problem->read_file(path, message)))
        return complain(OUTCOME_INPUT, "%s", message);
    if (options->n && options->n != n)
        return complain(OUTCOME_SIZE, "N=%d: %s has n = %d; leave N out", options->n, path, n);
    options->n = n;
    return OUTCOME_ACCEPTED;
}

/* Whether the problems of the steps that were asked for have the distribution; film has scenes, and
 * names of its own. */
static enum outcome check_distribution(struct options *options) {
    enum outcome outcome = read_file(options);
    const struct step *step = NULL;
    char names[160] = "";
    int i;

    if (outcome || !options->distribution || !strcmp(options->verb, "film"))
        return outcome;
    while ((step = next_asked(options, step))) {
        const struct problem *problem = problem_find(step->problem);

        if (problem_distribution(problem, options->distribution) == options->distribution)
            continue;
        for (i = 0; problem->distributions[i]; i++)
            text_add(names, sizeof names, "%s%s", i ? ", " : "", problem->distributions[i]);
        return complain(OUTCOME_USAGE, "distribution %s: %s%s is needed", options->distribution,
                        names, problem->read_file ? ", file:PATH" : "");
    }
    return OUTCOME_ACCEPTED;
}

/* Whether the problems of the steps that were asked for go up to N. */
static enum outcome check_size(const struct options *options) {
    const struct step *step = NULL;

    while ((step = next_asked(options, step))) {
        int largest = problem_find(step->problem)->largest;

        if (options->n > largest)
            return complain(OUTCOME_SIZE, "N=%d: a whole number from 1 to %d is needed for %s",
                            options->n, largest, step->name);
    }
    return OUTCOME_ACCEPTED;
}

/* Whether the step that was asked for, or any, has what ABLATE asks for. */
static enum outcome check_ablate(const struct options *options) {
    const struct step *step = NULL;

    if (!options->ablate)
        return OUTCOME_ACCEPTED;
    while ((step = next_asked(options, step)))
        if (programs_leave_one_out(step))
            return OUTCOME_ACCEPTED;
    if (access("solutions", F_OK))
        return complain(OUTCOME_USAGE, "ABLATE=1: this copy of the course has no solutions, and so "
                                       "no leave-one-out program; leave it out");
    return complain(OUTCOME_USAGE,
                    "ABLATE=1: %s has no leave-one-out program, leave_one_out.cu beside "
                    "the solution; leave it out",
                    options->step ? options->step->name : "the catalogue");
}

/* Whether a range of steps has one beside it. */
static enum outcome check_steps(const struct options *options) {
    return options->steps && options->step
               ? complain(OUTCOME_USAGE,
                          "STEPS=%s: leave STEP out; STEPS says which steps are meant",
                          options->steps)
               : OUTCOME_ACCEPTED;
}

/* Whether there is what OF asks for. */
static enum outcome check_of(const struct options *options) {
    if (!options->of || strcmp(options->of, "solutions") || !access("solutions", F_OK))
        return OUTCOME_ACCEPTED;
    return complain(OUTCOME_NO_SOURCE,
                    "OF=solutions: this copy of the course has no solutions; leave OF out");
}

/* Finds the step that was named, and the file, whatever the verb makes of them. */
static enum outcome find_names(struct options *options) {
    const struct catalogue *catalogue = options->catalogue;

    if (!options->step_text)
        return OUTCOME_ACCEPTED;
    if (!(options->step = catalogue_find(catalogue, options->step_text)))
        return complain(OUTCOME_NO_STEP,
                        "STEP=%s: there is no such step; steps/ lists them, from %s "
                        "to %s",
                        options->step_text, catalogue->steps[0].name,
                        catalogue->steps[catalogue->count - 1].name);
    return options->file ? programs_file(options->file) : OUTCOME_ACCEPTED;
}

/* Compilers and scripts write there; without it some fail and some take another folder. */
static enum outcome check_temporary_folder(void) {
    const char *folder = getenv("TMPDIR");
    struct stat status;

    if (!folder || !*folder)
        return OUTCOME_ACCEPTED;
    if (!stat(folder, &status) && !S_ISDIR(status.st_mode))
        errno = ENOTDIR;
    else if (!access(folder, W_OK | X_OK))
        return OUTCOME_ACCEPTED;
    return complain(OUTCOME_USAGE, "TMPDIR=%s: %s; a folder that can be written is needed", folder,
                    strerror(errno));
}

enum outcome request_check(struct options *options) {
    enum outcome outcome;

    if ((outcome = find_names(options)) || (outcome = check_temporary_folder()) ||
        (outcome = check_arch(options)) || (outcome = check_backend(options)) ||
        (outcome = check_distribution(options)) || (outcome = check_size(options)) ||
        (outcome = check_ablate(options)) || (outcome = check_of(options)))
        return outcome;
    return check_steps(options);
}
