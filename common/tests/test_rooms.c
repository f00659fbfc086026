/* Arrows go one way: what a file includes lies in its own room or in one before it. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The order of docs/maintainer-guide.md. `sees`: the only rooms before it that it may use, if not
 * all of them. */
static const struct room {
    const char *folder, *sees;
} rooms[] = {
    {"common/include/", NULL},
    {"common/protocol/", NULL},
    {"common/player/", " common/include/ common/protocol/ "},
    {"common/cpucuda/", " common/include/ common/protocol/ "},
    {"common/problems/", " common/include/ common/protocol/ "},
    {"common/referee/base/", NULL},
    {"common/referee/machine/", NULL},
    {"common/referee/build/", NULL},
    {"common/referee/lesson/", NULL},
    {"common/referee/play/", NULL},
    {"common/referee/judge/", NULL},
    {"common/referee/timing/", NULL},
    {"common/referee/record/", NULL},
    {"common/referee/inspect/", NULL},
    {"common/referee/measure/", NULL},
    {"common/course/", NULL},
    {"common/cli/", NULL},
    {"grading/", NULL},
};
enum { ROOMS = sizeof rooms / sizeof *rooms };

static int room_of(const char *path) {
    int i;

    for (i = 0; i < ROOMS; i++)
        if (!strncmp(path, rooms[i].folder, strlen(rooms[i].folder)))
            return i;
    return -1;
}

/* Where the file is that `path` includes by `name`; 0 if it is none of the course's. */
static int resolve(const char *path, const char *name, char found[512]) {
    const char *slash = strrchr(path, '/');
    const char *const folders[] = {"common", "common/include"};
    size_t i;

    snprintf(found, 512, "%.*s/%s", (int)(slash - path), path, name);
    if (!access(found, R_OK))
        return 1;
    for (i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(found, 512, "%s/%s", folders[i], name);
        if (!access(found, R_OK))
            return 1;
    }
    return 0;
}

static void arrows_go_one_way(void **state) {
    FILE *lines = popen("grep -rE '^ *# *include \"' common grading --include='*.[ch]' "
                        "--include='*.cu' --include='*.cpp' | grep -v '/tests/'",
                        "r");
    char line[1024], found[512], name[256], seen[64];
    int arrows = 0, wrong = 0;

    (void)state;
    assert_non_null(lines);
    while (fgets(line, sizeof line, lines)) {
        char *colon = strchr(line, ':');
        int from, to;

        assert_non_null(colon);
        *colon = 0;
        if (sscanf(colon + 1, " # include \"%255[^\"]", name) != 1 &&
            sscanf(colon + 1, " #include \"%255[^\"]", name) != 1)
            continue;
        from = room_of(line);
        if (from < 0) {
            print_error("%s is in no room\n", line);
            wrong++;
            continue;
        }
        if (!resolve(line, name, found) || (to = room_of(found)) == from)
            continue;
        arrows++;
        snprintf(seen, sizeof seen, " %s ", rooms[to < 0 ? 0 : to].folder);
        if (to >= 0 && to < from && (!rooms[from].sees || strstr(rooms[from].sees, seen)))
            continue;
        print_error("%s includes %s, against the order of rooms\n", line, found);
        wrong++;
    }
    pclose(lines);
    assert_int_equal(wrong, 0);
    assert_true(arrows > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrows_go_one_way)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
