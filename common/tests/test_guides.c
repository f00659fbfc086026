/* The guides for students, the notebook and the devcontainer: nobody is led to solutions, times are
 * the handouts' and messages the harness's, and what runs by itself is there. Runs in the
 * repository's root. */
#include "testing.h"

#include <ctype.h>

#include "catalogue_of_steps.h"
#include "files.h"
#include "json.h"

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

/* Both run verbs of the course: what follows `make ` is one. documents.sh does so for the texts. */
TEST(test_every_verb_is_there) {
    static const char *const paths[] = {notebook, devcontainer};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        char *text = read_text(paths[i]);
        int found = 0;

        for (const char *at = text; (at = strstr(at, "make ")); found++) {
            size_t length = strspn(at += strlen("make "), "abcdefghijklmnopqrstuvwxyz");

            if (!is_verb(at, length))
                fail_msg("%s: there is no verb make %.*s", paths[i], (int)length, at);
        }
        assert_true(found > 0);
        free(text);
    }
}

/* Reviews fold what a script has written: skeletons and pictures of records. */
TEST(test_derived_files_are_marked) {
    assert_int_equal(system("{ git ls-files 'steps/*.c' 'steps/*.cu' 'steps/*/flags' | "
                            "while read -r f; do [ ! -e solutions/${f#steps/} ] || echo $f; done; "
                            "git ls-files 'docs/results/*.svg' 'docs/results/*.csv' "
                            "'docs/results/*.txt' docs/film.png; } | "
                            "git check-attr --stdin linguist-generated | "
                            "awk '{ n++ } !/: set$/ { print; n = -1000 } END { exit n < 60 }'"),
                     0);
    /* A file that is given with a step has no solution. */
    assert_int_equal(system("git ls-files 'steps/*.c' 'steps/*.cu' | while read -r f; do "
                            "[ -e solutions/${f#steps/} ] || echo $f; done | "
                            "git check-attr --stdin linguist-generated | "
                            "awk '!/: unset$/ { print; bad = 1 } END { exit bad }'"),
                     0);
    assert_int_equal(system("git ls-files 'steps/*.md' 'solutions/*' 'common/*' 'docs/*.md' | "
                            "git check-attr --stdin linguist-generated | "
                            "awk '!/: unspecified$/ { print; bad = 1 } END { exit bad }'"),
                     0);
}

/* Of CUDA and C++ each word that a C reader has never seen stands in a box of the step that has it
 * first, or of one before it. */
TEST(test_new_words_have_a_box) {
    assert_int_equal(
        system("known=' '; common/report/steps.sh | sed 1d | cut -f1,4 | { while read -r step "
               "source; do "
               "boxed=$(sed -n '/^> \\*\\*New in C here/,/^$/p' steps/$step/README.md); "
               "known=\"$known$boxed\"; "
               "for word in $(grep -ohwE '__[a-z]+(_[a-z]+)?_sync|__(syncthreads|syncwarp|shared__|"
               "device__|global__|launch_bounds__|ffs|half2?|h[a-z]+2?|half22?[a-z0-9]+|"
               "pipeline_[a-z_]+|m256|m512|threadfence)|_mm[0-9]+_rsqrt[0-9]*_ps|make_float[34]|"
               "float3|dim3|gridDim|template|atomic[A-Z][a-z]+|cudaMemsetAsync|"
               "cudaStream(Begin|End)Capture|cudaGraph(Launch|InstantiateWithFlags)' "
               "steps/$step/$source steps/$step/README.md | sort -u); do "
               "case $known in *$word*) ;; *) echo $step: $word; bad=1 ;; esac; done; done; "
               "[ -z \"$bad\" ]; }"),
        0);
}

TEST(test_students_are_not_led_to_solutions) {
    static const char *const paths[] = {"docs/student-guide.md", "docs/self-study.md",
                                        "docs/where-to-work.md", "docs/colab.ipynb"};

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
TEST(test_the_notebook) {
    char *text = read_text(notebook), *line, *rest = text, path[128];
    int code = 0, commands = 0;

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
TEST(test_the_devcontainer) {
    char *text = read_text(devcontainer), image[64];
    const char *at = strstr(text, "\"image\":");

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

TEST(test_times_are_the_handouts) {
    char *text = read_text("docs/self-study.md");

    assert_int_equal(read_catalogue(NULL), OUTCOME_ACCEPTED);
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

/* Each page that lists the parts says how long the handouts of a part take together. */
TEST(test_times_of_parts_are_the_handouts) {
    static const struct {
        const char *page, *row;
    } pages[] = {{"README.md", "^| %s |"},
                 {"docs/instructor-guide.md", "^| %s |"},
                 {"docs/self-study.md", "^| [[]%s[]](#"}};

    assert_int_equal(read_catalogue(NULL), OUTCOME_ACCEPTED);
    for (int i = 0; i < catalogue.count; i++) {
        const char *part = catalogue.steps[i].part;
        int minutes = 0;

        for (int j = 0; j < catalogue.count; j++)
            if (!strcmp(catalogue.steps[j].part, part))
                minutes += minutes_of(catalogue.steps[j].name);
        for (size_t page = 0; page < sizeof pages / sizeof *pages; page++) {
            char row[32], command[128];

            snprintf(row, sizeof row, pages[page].row, part);
            snprintf(command, sizeof command, "grep '%s' %s | grep -q ' | %d:%02d |'", row,
                     pages[page].page, minutes / 60, minutes % 60);
            if (system(command))
                fail_msg("%s: Part %s takes %d:%02d by its handouts", pages[page].page, part,
                         minutes / 60, minutes % 60);
        }
    }
}

/* The first cells of the table of messages are words of the harness. */
TEST(test_messages_are_those_of_the_harness) {
    char *text = read_text("docs/student-guide.md"), *line, *rest;
    int messages = 0;

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

GROUP(read_makefile, free_makefile)
