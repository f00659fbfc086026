#define _GNU_SOURCE
#include "skeleton.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

/* The skeletons that were derived so far; a grading asks for the same ones again and again. */
static struct derived { char path[96], *text; } derived[2 * MOST_STEPS];

/* The skeleton of a file of a solution; "" without that file. */
static const char *derive(const struct step *step, const char *name) {
    char path[96], command[256];
    struct derived *one = derived;
    size_t room = 0;
    FILE *skeleton;

    snprintf(path, sizeof path, "solutions/%s/%s", step->name, name);
    while (*one->path && strcmp(one->path, path))
        one++;
    if (one->text)
        return one->text;
    strcpy(one->path, path);
    snprintf(command, sizeof command,
             "awk -v want=skeleton -f common/referee/lesson/fences.awk %s 2>/dev/null", path);
    if ((skeleton = popen(command, "r"))) {
        if (getdelim(&one->text, &room, 0, skeleton) < 0 && one->text)
            *one->text = 0;
        pclose(skeleton);
    }
    if (!one->text && !(one->text = strdup("")))
        abort();
    return one->text;
}

/* A copy without what a # begins. */
static char *without_comments(const char *flags) {
    char *copy = strdup(flags), *to = copy;

    if (!copy)
        abort();
    while (*flags) {
        if (*flags == '#')
            flags += strcspn(flags, "\n");
        else
            *to++ = *flags++;
    }
    *to = 0;
    return copy;
}

int skeleton_is(const struct step *step, const char *source, const char *flags) {
    const char *code = derive(step, step->source);
    char *given = without_comments(derive(step, "flags")), *own = without_comments(flags);
    int same = *code && tokens_same_code(code, source) && tokens_same_code(given, own);

    free(given);
    free(own);
    return same;
}
