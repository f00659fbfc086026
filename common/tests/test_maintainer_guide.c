/* The worked example of docs/maintainer-guide.md, performed in a copy of the repository. A comment
 * before a block of code says what to do with it:
 *
 *   <!-- example: file PATH -->     the block is this file
 *   <!-- example: append PATH -->   the file's new last lines
 *   <!-- example: run -->           commands; each ends with 0
 *   <!-- example: run, fails -->    commands; the last one does not
 *   <!-- example: output -->        what those commands printed, among other lines; ... is anything
 */
#include "testing.h"

#include <libgen.h>

#include "command.h"

static const char guide[] = "docs/maintainer-guide.md";
static const char mark[] = "<!-- example: ";

struct block {
    int line; /* of its mark in the guide */
    char what[128];
    char *text; /* freed by next_block()'s next call */
};

/* The marked block after `*at`, which moves behind it; 0 if there is none. */
static int next_block(const char *text, const char **at, struct block *block) {
    const char *begin = strstr(*at, mark), *end, *head;

    free(block->text);
    block->text = NULL;
    if (!begin)
        return 0;
    block->line = 1;
    for (head = text; head < begin; head++)
        block->line += *head == '\n';
    head = begin + strlen(mark);
    end = strstr(head, " -->\n```");
    if (!end || end - head >= (long)sizeof block->what || memchr(head, '\n', (size_t)(end - head)))
        fail_msg("%s:%d: a block of code begins right after its mark", guide, block->line);
    snprintf(block->what, sizeof block->what, "%.*s", (int)(end - head), head);
    begin = strchr(end + strlen(" -->\n"), '\n') + 1;
    end = strstr(begin - 1, "\n```\n");
    if (!end)
        fail_msg("%s:%d: this block of code does not end", guide, block->line);
    block->text = strndup(begin, (size_t)(end + 1 - begin));
    *at = end;
    return 1;
}

/* A step is what its two folders hold. */
static void put(const char *path, const char *mode, const char *text) {
    char folders[256];
    FILE *file;

    if (strncmp(path, "steps/90_example/", 17) && strncmp(path, "solutions/90_example/", 21))
        fail_msg("%s is not in the step's own folders", path);
    snprintf(folders, sizeof folders, "%s", path);
    run("mkdir -p '%s'", dirname(folders));
    file = fopen(path, mode);
    if (!file || fputs(text, file) < 0 || fclose(file))
        fail_msg("%s cannot be written", path);
}

/* Whether each piece of the line, between dots, stands in the output, one after the other. */
static void assert_printed(const struct block *block, const char *output, char *line) {
    const char *at = output;
    char *piece, *rest = line;

    while ((piece = rest)) {
        if ((rest = strstr(piece, "..."))) {
            *rest = 0;
            rest += strlen("...");
        }
        if (!(at = strstr(at, piece)))
            fail_msg("%s:%d: \"%s\" was not printed:\n%s", guide, block->line, piece, output);
        at += strlen(piece);
    }
}

/* Types the block's lines one by one; `printed` gets all that they say. */
static void type(const struct block *block, int fails, char **printed) {
    char *line, *rest = block->text;

    free(*printed);
    *printed = calloc(1, 1);
    while ((line = strsep(&rest, "\n")) && *line) {
        struct result result = run("%s", line);
        size_t room = strlen(*printed) + strlen(result.out) + strlen(result.err) + 1;

        *printed = realloc(*printed, room);
        strcat(strcat(*printed, result.out), result.err);
        if ((result.code != 0) != (fails && rest && !*rest))
            fail_msg("%s:%d: `%s` ended with %d:\n%s", guide, block->line, line, result.code,
                     *printed);
    }
}

static void perform(const struct block *block, char **printed) {
    char *line, *rest = block->text;

    if (!strncmp(block->what, "file ", 5)) {
        put(block->what + 5, "w", block->text);
    } else if (!strncmp(block->what, "append ", 7)) {
        put(block->what + 7, "a", block->text);
    } else if (!strcmp(block->what, "run") || !strcmp(block->what, "run, fails")) {
        type(block, !strcmp(block->what, "run, fails"), printed);
    } else if (!strcmp(block->what, "output")) {
        while ((line = strsep(&rest, "\n")))
            assert_printed(block, *printed, line);
    } else {
        fail_msg("%s:%d: what is \"%s\"?", guide, block->line, block->what);
    }
}

/* The points of a step in C, which has no trace and builds on another one. */
static void assert_points_add_up(void) {
    struct result result = run(
        "awk -F ' *= *' '/^\\[/ { counts = $0 == \"[default]\" || $0 == \"[without traffic]\" } "
        "counts && $1 ~ /^(compiles|small|edges|large|decimals|memory|races|accuracy|idea|speed)$/ "
        "{ points[$1] = $2 } END { for (p in points) sum += points[p]; print sum }' "
        "grading/rubric.ini");

    assert_string_equal(result.out, "100\n");
}

TEST(test_the_example_works) {
    char *text = read_file(guide, NULL), *printed = NULL;
    const char *at = text;
    struct block block = {0};
    int blocks = 0;

    assert_non_null(text);
    while (next_block(text, &at, &block)) {
        perform(&block, &printed);
        blocks++;
    }
    assert_true(blocks > 10);
    /* What the guide says of it in other words. */
    assert_int_equal(system("grep -q 'part 2, 5 lines' steps/90_example/README.md"), 0);
    assert_int_equal(system("grep -q 'pragma' steps/90_example/nbody.c"), 1 << 8);
    assert_points_add_up();
    free(printed);
    free(text);
}

GROUP(enter_tree, leave_tree)
