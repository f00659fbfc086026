#define _GNU_SOURCE
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sandbox.h"

/* Programs and libraries. /etc has nothing but what leads to them. */
static const char *const system_paths[] = {
    "/usr", "/bin", "/sbin", "/lib*", "/etc/ld.so.*", "/etc/alternatives", "/sys/devices/system",
};

/* What a build of a step reads of the course, see common/mk/step.mk. Each is what a student has,
 * too; solutions, the grader and records are not. */
static const char *const course_paths[] = {
    "steps/*/Makefile",    "steps/*/manifest",     "common/mk",
    "common/include",      "common/kit",           "common/protocol",
    "common/player",       "common/cpucuda",       "build/cuda_to_cpp",
    "build/common/player", "build/common/cpucuda",
};

/* Of one GPU or several, and of WSL2's. CUDA asks /sys what is on the bus. */
static const char *const gpu_devices[] = {"/dev/nvidia*", "/dev/dxg"};
static const char *const gpu_paths[] = {"/sys/bus/pci", "/sys/devices", "/sys/module/nvidia*"};

#define COUNT(array) (int)(sizeof(array) / sizeof *(array))

struct found {
    struct visible *list;
    int count;
};

static void add(struct found *found, const char *path, enum sight sight) {
    if (found->count == MOST_VISIBLE)
        no_sandbox("more than %d files and folders to show; %s is the next", MOST_VISIBLE, path);
    found->list[found->count].path = strdup(path);
    if (!found->list[found->count].path)
        no_sandbox("no memory for a list of files");
    found->list[found->count++].sight = sight;
}

/* Adds what matches the pattern. */
static void add_matches(struct found *found, const char *pattern, enum sight sight) {
    glob_t matches;
    size_t i;

    if (glob(pattern, 0, NULL, &matches) == 0)
        for (i = 0; i < matches.gl_pathc; i++)
            if (access(matches.gl_pathv[i], R_OK) == 0)
                add(found, matches.gl_pathv[i], sight);
    globfree(&matches);
}

static void must_be_readable(const char *path) {
    if (access(path, R_OK))
        no_sandbox("user %u may not read %s; give it and the folders above it the permission",
                   (unsigned)getuid(), path);
}

static void add_build(struct found *found, const struct sandbox *sandbox) {
    char path[4200], *slash;
    int i;

    snprintf(path, sizeof path, "%s/common/mk/step.mk", sandbox->course);
    must_be_readable(path);
    snprintf(path, sizeof path, "%s/steps/*/", sandbox->course);
    add_matches(found, path, LISTED); /* make looks for its Makefile so */
    for (i = 0; i < COUNT(course_paths); i++) {
        snprintf(path, sizeof path, "%s/%s", sandbox->course, course_paths[i]);
        add_matches(found, path, SEEN);
    }
    if (!sandbox->source)
        return;
    must_be_readable(sandbox->source);
    add(found, sandbox->source, SEEN);
    snprintf(path, sizeof path - sizeof "/flags", "%s", sandbox->source);
    if ((slash = strrchr(path, '/'))) { /* 09's */
        strcpy(slash, "/flags");
        if (access(path, R_OK) == 0)
            add(found, path, SEEN);
    }
}

int visible_list(const struct sandbox *sandbox, struct visible list[MOST_VISIBLE]) {
    struct found found = {list, 0};
    int i;

    for (i = 0; i < COUNT(system_paths); i++)
        add_matches(&found, system_paths[i], SEEN);
    if (sandbox->gpu) {
        for (i = 0; i < COUNT(gpu_paths); i++)
            add_matches(&found, gpu_paths[i], SEEN);
        for (i = 0; i < COUNT(gpu_devices); i++)
            add_matches(&found, gpu_devices[i], DEVICE);
    }
    must_be_readable(sandbox->folder);
    add(&found, sandbox->folder, sandbox->purpose == PURPOSE_BUILD ? WRITTEN : SEEN);
    if (sandbox->purpose == PURPOSE_BUILD)
        add_build(&found, sandbox);
    return found.count;
}

int is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);

    return !strncmp(path, folder, length) &&
           (path[length] == '/' || path[length] == 0 || !strcmp(folder, "/"));
}
