/* The guides in docs/, the notebook and the devcontainer: what they tell to type is there, students
 * are not led to solutions, and the plan's times are the handouts'. Runs in the repository's root.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <ctype.h>
#include <unistd.h>

#include "catalogue.h"
#include "files.h"
#include "json.h"

static const char *const guides[] = {"docs/student-guide.md", "docs/self-study.md",
                                     "docs/where-to-work.md", "docs/instructor-guide.md",
                                     "docs/maintainer-guide.md"};
static const char notebook[] = "docs/colab.ipynb",
                  devcontainer[] = ".devcontainer/devcontainer.json";
static char *makefile;

static char *read_text(const char *path) {
    char *text = read_file(path, NULL);

    if (!text)
        fail_msg("%s cannot be read", path);
    return text;
}

static int read_makefile(void **state) {
    (void)state;
    makefile = read_file("Makefile", NULL);
    return makefile ? 0 : -1;
}

static int free_makefile(void **state) {
    (void)state;
    free(makefile);
    return 0;
}

/* Whether a line of the Makefile begins with the word and a colon. */
static int is_verb(const char *word, size_t length) {
    const char *line;

    for (line = makefile; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!strncmp(line, word, length) && line[length] == ':')
            return 1;
    }
    return 0;
}

/* Whether it is one of the Makefile's list of variables, or a compiler. */
static int is_variable(const char *name, size_t length) {
    const char *list = strstr(makefile, "\nVARIABLES :="), *at, *end;

    end = list ? strchr(list + 1, '\n') : NULL;
    assert_non_null(end);
    while (end[-1] == '\\')
        end = strchr(end + 1, '\n');
    for (at = list; (at = strstr(at, name)) && at < end; at++)
        if (isspace((unsigned char)at[-1]) && isspace((unsigned char)at[length]))
            return 1;
    return !strcmp(name, "CC") || !strcmp(name, "CXX") || !strcmp(name, "NVCC");
}

/* `command` begins behind "make "; it ends with the line, or with what ends it in a text. */
static void check_command(const char *path, const char *command) {
    size_t length = strcspn(command, "`\n\"\\#|)"), word, name;
    const char *at = command, *end = command + length;

    while (at < end) {
        char variable[32];

        at += strspn(at, " ");
        word = strcspn(at, " \n`\"\\");
        name = strcspn(at, "=");
        if (at >= end || !strncmp(at, "&&", 2))
            return;
        if (*at == '-' || *at == '>' || isdigit((unsigned char)*at)) {
            at += word + (*at == '-' && at[1] == 'C');
        } else if (name < word && name < sizeof variable) {
            snprintf(variable, sizeof variable, "%.*s", (int)name, at);
            if (!is_variable(variable, name))
                fail_msg("%s: make %.*s: there is no variable %s", path, (int)length, command,
                         variable);
            at += word;
        } else if (islower((unsigned char)*at)) {
            if (!is_verb(at, strspn(at, "abcdefghijklmnopqrstuvwxyz")))
                fail_msg("%s: make %.*s: there is no such verb", path, (int)length, command);
            at += word;
        } else {
            return;
        }
    }
}

/* Commands stand at the beginning of a line of code, or between backquotes. */
static int check_commands(const char *path) {
    static const char *const before[] = {"\n    make ", "\nmake ",  "`make ",         "\"!make ",
                                         "\"make ",     "&& make ", "\n        make "};
    char *text = read_text(path);
    int found = 0;

    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (const char *at = text; (at = strstr(at, before[i]));) {
            at += strlen(before[i]);
            check_command(path, at);
            found++;
        }
    free(text);
    return found;
}

static void test_every_command_is_there(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof guides / sizeof *guides; i++)
        assert_true(check_commands(guides[i]) > 3);
    assert_true(check_commands(notebook) > 5);
    assert_true(check_commands(devcontainer) > 0);
}

static void test_students_are_not_led_to_solutions(void **state) {
    static const char *const paths[] = {"docs/student-guide.md", "docs/self-study.md",
                                        "docs/where-to-work.md", "docs/colab.ipynb"};

    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *text = read_text(paths[i]);

        for (const char *at = text; (at = strstr(at, "](")); at++) {
            size_t length = strcspn(at, ")");
            char link[256];

            snprintf(link, sizeof link, "%.*s", (int)length, at);
            if (strstr(link, "solutions/") || strstr(link, "NOTES") || strstr(link, "maintainer") ||
                strstr(link, "grading"))
                fail_msg("%s: %s)", paths[i], link);
        }
        free(text);
    }
}

/* A cell's lines are strings of their own, as Jupyter writes them. */
static void test_the_notebook(void **state) {
    char *text = read_text(notebook), *line, *rest = text, path[128];
    int code = 0, commands = 0;

    (void)state;
    assert_true(is_json(text));
    assert_non_null(strstr(text, "\"nbformat\": 4,"));
    while ((line = strsep(&rest, "\n"))) {
        if (strstr(line, "\"cell_type\""))
            code = strstr(line, "\"code\"") != NULL;
        if (!code || strncmp(line, "    \"", 5))
            continue;
        line += 5;
        commands++;
        if (sscanf(line, "%%load %127[^\"\\]", path) == 1)
            assert_int_equal(access(path, R_OK), 0);
        else if (strncmp(line, "!make ", 6) && strncmp(line, "!git clone ADDRESS nbody\"", 25) &&
                 strncmp(line, "%cd nbody\"", 10) && strncmp(line, "!tar ", 5))
            fail_msg("%s: what is this command? %s", notebook, line);
    }
    assert_true(commands > 8);
    free(text);
}

/* An image without a host in its name is found by whatever registry the reader's tool asks. */
static void test_the_devcontainer(void **state) {
    char *text = read_text(devcontainer), image[64];
    const char *at = strstr(text, "\"image\":");

    (void)state;
    assert_true(is_json(text));
    assert_non_null(at);
    assert_int_equal(sscanf(at, "\"image\": \"%63[^\"]", image), 1);
    assert_null(strpbrk(image, "./"));
    assert_non_null(strstr(text, "make setup"));
    free(text);
}

/* The minutes that a handout's second line ends with. */
static int minutes_of(const char *step) {
    char path[128], *text, *at, *found = NULL;
    int minutes = -1;

    snprintf(path, sizeof path, "steps/%s/README.md", step);
    text = read_text(path);
    if ((at = strstr(text, "**Before you start.**")) && (found = strstr(at, " minutes."))) {
        while (isdigit((unsigned char)found[-1]))
            found--;
        minutes = atoi(found);
    }
    free(text);
    return minutes;
}

static void test_times_are_the_handouts(void **state) {
    static struct catalogue catalogue;
    char *text = read_text("docs/self-study.md");

    (void)state;
    assert_int_equal(catalogue_read(&catalogue, "steps/catalogue.tsv"), OUTCOME_ACCEPTED);
    for (int i = 0; i < catalogue.count; i++) {
        const char *step = catalogue.steps[i].name;
        int minutes = minutes_of(step);
        char row[192];

        assert_true(minutes > 0);
        snprintf(row, sizeof row, "\n| [%s](../steps/%s/README.md) | %d:%02d |", step, step,
                 minutes / 60, minutes % 60);
        if (!strstr(text, row))
            fail_msg("docs/self-study.md should have a row that begins with%s", row);
    }
    free(text);
}

/* The first cells of the table of messages are words of the harness. */
static void test_messages_are_those_of_the_harness(void **state) {
    char *text = read_text("docs/student-guide.md"), *line, *rest;
    int messages = 0;

    (void)state;
    rest = strstr(text, "\n## Messages\n");
    assert_non_null(rest);
    *strstr(rest + 4, "\n## ") = 0;
    while ((line = strsep(&rest, "\n"))) {
        const char *at = line, *end = strstr(line, " | ");

        while (!strncmp(line, "| `", 3) && (at = strchr(at, '`')) && at < end) {
            int length = (int)strcspn(at + 1, "`");
            char command[512];

            snprintf(command, sizeof command,
                     "grep -rqF -- \"%.*s\" common/course common/referee common/problems", length,
                     at + 1);
            if (system(command))
                fail_msg("docs/student-guide.md: no message has the words \"%.*s\"", length,
                         at + 1);
            at += length + 2;
            messages++;
        }
    }
    assert_true(messages > 15);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_command_is_there),
        cmocka_unit_test(test_students_are_not_led_to_solutions),
        cmocka_unit_test(test_the_notebook),
        cmocka_unit_test(test_the_devcontainer),
        cmocka_unit_test(test_times_are_the_handouts),
        cmocka_unit_test(test_messages_are_those_of_the_harness),
    };
    return cmocka_run_group_tests(tests, read_makefile, free_makefile);
}
