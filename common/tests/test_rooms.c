/* Arrows go one way: what a file includes lies in its own room or in one before it, and no includes
 * lead back to where they began. */
#include "testing.h"

/* The order of docs/maintainer-guide.md. `sees`: the only rooms before it that it may use, if not
 * all of them. */
static const struct room {
    const char *folder, *sees;
} rooms[] = {
    {"common/include/", NULL},
    {"common/kit/", " common/include/ "},
    {"common/protocol/", NULL},
    {"common/player/", " common/include/ common/kit/ common/protocol/ "},
    {"common/cpucuda/", " common/include/ common/protocol/ "},
    {"common/problems/", " common/include/ common/kit/ common/protocol/ "},
    {"common/referee/base/", NULL},
    {"common/referee/machine/", NULL},
    {"common/referee/build/", NULL},
    {"common/referee/lesson/", NULL},
    {"common/referee/play/", NULL},
    {"common/referee/judge/", NULL},
    {"common/referee/timing/", NULL},
    {"common/referee/record/", NULL},
    {"common/referee/inspect/", NULL},
    {"common/referee/live/", NULL},
    {"common/referee/estimate/", NULL},
    {"common/referee/measure/", NULL},
    {"common/course/", NULL},
    {"common/cli/", NULL},
    {"common/grape/", " common/include/ common/kit/ "},
    {"grading/",
     " common/problems/ common/referee/base/ common/referee/machine/ common/referee/build/ "
     "common/referee/lesson/ "},
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
    const char *const folders[] = {"common",          "common/include", "common/kit",
                                   "grading/collect", "grading",        "grading/gradebook",
                                   "grading/measure", "grading/export", "grading/sandbox"};
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

/* A file that includes another one. */
static struct arrow {
    char from[128], to[512];
    int is_gone;
} arrows[4096];
static int arrow_count;

static int read_arrows(void **state) {
    FILE *lines = popen("grep -rE '^ *# *include \"' common grading --include='*.[ch]' "
                        "--include='*.cu' --include='*.cpp' | grep -v '/tests/'",
                        "r");
    char line[1024], from[128], name[256];

    (void)state;
    assert_non_null(lines);
    while (fgets(line, sizeof line, lines)) {
        assert_true(arrow_count < (int)(sizeof arrows / sizeof *arrows));
        assert_int_equal(sscanf(line, "%127[^:]: # include \"%255[^\"]", from, name), 2);
        strcpy(arrows[arrow_count].from, from);
        arrow_count += resolve(from, name, arrows[arrow_count].to);
    }
    pclose(lines);
    assert_true(arrow_count > 600);
    return 0;
}

TEST(arrows_go_one_way) {
    int i, wrong = 0;

    for (i = 0; i < arrow_count; i++) {
        int from = room_of(arrows[i].from), to = room_of(arrows[i].to);
        char seen[64];

        snprintf(seen, sizeof seen, " %s ", rooms[to < 0 ? 0 : to].folder);
        if (from >= 0 && (to == from || (to >= 0 && to < from &&
                                         (!rooms[from].sees || strstr(rooms[from].sees, seen)))))
            continue;
        print_error("%s includes %s, against the order of rooms\n", arrows[i].from, arrows[i].to);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Whether two paths differ in what is behind the last dot alone: a source and its header are one.
 */
static int are_one(const char *path, const char *other) {
    size_t length = (size_t)(strrchr(path, '.') - path);

    return !strncmp(path, other, length) && strrchr(other, '.') == other + length;
}

/* Takes away every arrow that comes from nowhere or leads nowhere, until only circles are left. */
TEST(no_arrows_make_a_circle) {
    int i, j, left, before = -1;

    for (i = 0; i < arrow_count; i++)
        arrows[i].is_gone = are_one(arrows[i].from, arrows[i].to);
    for (left = arrow_count; left != before;) {
        before = left;
        for (left = i = 0; i < arrow_count; i++) {
            int comes = 0, leads = 0;

            for (j = 0; j < arrow_count && !arrows[i].is_gone; j++)
                if (!arrows[j].is_gone) {
                    comes |= are_one(arrows[j].to, arrows[i].from);
                    leads |= are_one(arrows[i].to, arrows[j].from);
                }
            arrows[i].is_gone = !comes || !leads;
            left += !arrows[i].is_gone;
        }
    }
    for (i = 0; i < arrow_count; i++)
        if (!arrows[i].is_gone)
            print_error("%s includes %s, in a circle\n", arrows[i].from, arrows[i].to);
    assert_int_equal(left, 0);
}

GROUP(read_arrows, NULL)
