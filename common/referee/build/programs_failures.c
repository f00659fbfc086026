/* What compilers said of the programs of a build, and why one is not there. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "missing.h"
#include "problems/problem.h"
#include "programs_parts.h"
#include "referee/base/progress.h"

enum { SHOWN_LOG = 64 * 1024 }; /* a page of templates can make a compiler say a thousand */

/* Shows what the compiler said, and keeps its first line on an error. */
static void show_log(struct programs *programs, const struct program *program) {
    char path[600], line[1024];
    FILE *file;

    snprintf(path, sizeof path, "%s.log", program->path);
    if (!(file = open_built(programs, path)))
        return;
    while (fgets(line, sizeof line, file)) {
        progress_end();
        if (ftell(file) > SHOWN_LOG) {
            fputs("... and more\n", stderr);
            break;
        }
        fputs(line, stderr);
        if (!*programs->error &&
            (strstr(line, "error:") || strstr(line, "error :") || strstr(line, ": error")))
            snprintf(programs->error, sizeof programs->error, "%.*s", (int)strcspn(line, "\n"),
                     line);
    }
    fclose(file);
}

/* Whether warnings are shown of the default variant in that build: once for each compiler. */
static int told(const char *build) {
    return !strcmp(build, "plain") || !strcmp(build, "cuda") || !strcmp(build, "compiled");
}

/* Whether the file, or a header of common/kit that it includes, names the function. */
static int names_function(const char *path, const char *function) {
    FILE *file = fopen(path, "r");
    char line[1024], header[64], kit[96];
    int named = 0;

    while (file && !named && fgets(line, sizeof line, file)) {
        named = strstr(line, function) != NULL;
        if (!named && sscanf(line, " #include \"%63[a-z0-9_.]\"", header) == 1) {
            snprintf(kit, sizeof kit, "common/kit/%s", header);
            named = names_function(kit, function);
        }
    }
    if (file)
        fclose(file);
    return named;
}

/* Whether the source does not even name the function that the step's problem has a step define, as
 * the solution of a step of another problem does not. */
static int is_of_another_problem(const struct programs *programs) {
    const struct problem *problem = problem_find(programs->step->problem);

    return problem && problem->function && !access(programs->source, R_OK) &&
           !names_function(programs->source, problem->function);
}

/* Whether nvcc has compiled the program's variant: 1, 0, or -1 if it was not asked to. */
static int nvcc_accepts(const struct programs *programs, const struct program *program) {
    const struct program *other = programs_find(programs, program->variant, "compiled");

    if (!other)
        other = programs_find(programs, program->variant, "cuda");
    return other ? is_source(other->path) : -1;
}

/* Of a program that cpucuda does not compile: complains that it lacks something of CUDA, if that is
 * why. nvcc is the judge of that where it is installed. */
static enum outcome find_missing(struct programs *programs, const struct program *program) {
    int accepted = nvcc_accepts(programs, program), found;
    char path[600], message[sizeof programs->error];
    FILE *log;

    snprintf(path, sizeof path, "%s.log", program->path);
    if (strcmp(program->backend, "cpucuda") || !accepted || !(log = open_built(programs, path)))
        return OUTCOME_ACCEPTED;
    found = missing_feature(log, programs_source(programs, program),
                            programs_source(programs, program), message, sizeof message);
    rewind(log);
    if (!found && accepted > 0)
        found = missing_line(log, message, sizeof message);
    fclose(log);
    if (!found)
        return OUTCOME_ACCEPTED;
    snprintf(programs->error, sizeof programs->error, "%s", message);
    return complain(OUTCOME_MISSING_CALL, "%s; %s", message,
                    accepted > 0 ? "nvcc accepts the file; only BACKEND=cuda, on a GPU, checks it"
                                 : "whether nvcc accepts the file was not tried");
}

enum outcome find_failures(struct programs *programs, int from) {
    const char *shown = programs->variant ? programs->variant : programs->list[0].variant;
    enum outcome outcome;
    int i;

    for (i = from; i < programs->count; i++) {
        const struct program *program = &programs->list[i];

        if (!strcmp(program->build, "missing") || !is_wanted(programs, program->variant))
            continue;
        if (!is_source(program->path) && is_of_another_problem(programs))
            return complain(
                OUTCOME_COMPILE, "%s does not define %s, as %s asks: see common/include/%s.h",
                programs_source(programs, program), problem_find(programs->step->problem)->function,
                programs->step->name, programs->step->problem);
        if (!is_source(program->path) && (outcome = find_missing(programs, program)))
            return outcome;
        if ((!strcmp(program->variant, shown) && told(program->build)) || !is_source(program->path))
            show_log(programs, program);
        if (!is_source(program->path))
            return complain(OUTCOME_COMPILE,
                            "%s does not compile (variant %s, %s %s); the compiler's words stand "
                            "above",
                            programs_source(programs, program), program->variant, program->compiler,
                            program->flags);
    }
    return OUTCOME_ACCEPTED;
}
