#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"

static const char header[] =
    "step\tpart\tproblem\tsource\tbuilds_on\texpected\ttolerance_l2\ttitle";

/* Moves the field at *line, up to a tab, into `field`. Returns 0 if it is missing or too long. */
static int take_field(char **line, char *field, size_t size) {
    size_t length = strcspn(*line, "\t");

    if (length == 0 || length >= size)
        return 0;
    memcpy(field, *line, length);
    field[length] = 0;
    *line += length + ((*line)[length] == '\t');
    return 1;
}

static int read_step(char *line, struct step *step) {
    int whole = take_field(&line, step->name, sizeof step->name) &&
                take_field(&line, step->part, sizeof step->part) &&
                take_field(&line, step->problem, sizeof step->problem) &&
                take_field(&line, step->source, sizeof step->source) &&
                take_field(&line, step->builds_on, sizeof step->builds_on) &&
                take_field(&line, step->expected, sizeof step->expected) &&
                take_field(&line, step->tolerance, sizeof step->tolerance) &&
                take_field(&line, step->title, sizeof step->title) && *line == 0;

    if (!strcmp(step->builds_on, "-"))
        step->builds_on[0] = 0;
    return whole;
}

enum outcome catalogue_read(struct catalogue *catalogue, const char *path) {
    FILE *file = fopen(path, "r");
    char line[1024];
    int number = 0, damaged = 0;

    catalogue->count = 0;
    if (!file)
        return complain(OUTCOME_INTERNAL, "%s is missing; run from the top of the course", path);
    while (!damaged && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = 0;
        number++;
        if (number == 1)
            damaged = strcmp(line, header) != 0;
        else if (*line)
            damaged = catalogue->count == MOST_STEPS ||
                      !read_step(line, &catalogue->steps[catalogue->count++]);
    }
    fclose(file);
    if (damaged || number == 0)
        return complain(OUTCOME_INTERNAL, "%s:%d: eight fields with a tab between them are needed",
                        path, number);
    return OUTCOME_ACCEPTED;
}

const struct step *catalogue_find(const struct catalogue *catalogue, const char *name) {
    char *end;
    long number = strtol(name, &end, 10);
    int i;

    for (i = 0; i < catalogue->count; i++) {
        const struct step *step = &catalogue->steps[i];

        if (!strcmp(step->name, name) || (end != name && !*end && atol(step->name) == number))
            return step;
    }
    return NULL;
}

void cell_value(const char *cell, const char *variant, char *value) {
    size_t length = strlen(variant);

    snprintf(value, 32, "%.*s", (int)strcspn(cell, ","), cell);
    for (; *cell; cell += strcspn(cell, ","), cell += *cell == ',')
        if (!strncmp(cell, variant, length) && cell[length] == '=')
            snprintf(value, 32, "%.*s", (int)strcspn(cell + length + 1, ","), cell + length + 1);
}

int step_expects_rejection(const struct step *step, const char *variant) {
    char expected[32];

    cell_value(step->expected, variant, expected);
    return !strcmp(expected, "rejected");
}

const struct step *catalogue_end(const struct catalogue *catalogue) {
    int i;

    for (i = catalogue->count - 1; i >= 0; i--) {
        const struct step *step = &catalogue->steps[i];

        if (!strcmp(step->problem, "nbody") && !strcmp(step->part, "I") && step_is_cuda(step))
            return step;
    }
    return NULL;
}

int step_is_cuda(const struct step *step) {
    size_t length = strlen(step->source);

    return length > 3 && !strcmp(step->source + length - 3, ".cu");
}

int step_has_backend(const struct step *step, const struct options *options) {
    const char *backend = options->backend;

    if (step_is_cuda(step))
        return !backend || (strcmp(backend, "cpu") && (!options->arch || !strcmp(backend, "cuda")));
    return !options->arch && (!backend || !strcmp(backend, "cpu"));
}
