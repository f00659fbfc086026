/* The hostile submissions' table is whole, and some of the quick ones end as it says, behind the
 * sandbox at each level that there is. All of them, through the whole grader: hostile.sh. */
#include "testing.h"
#include "files.h"
#include "referee/build/catalogue.h"
#include "problems/outcome.h"

enum { LEAST_SOURCES = 40 };

static const char sources[] = "grading/tests/hostile";

/* A command's output, to be freed; it must end with 0. */
__attribute__((format(printf, 1, 2))) static char *output_of(const char *format, ...) {
    char command[2048], *text = calloc(1, 1 << 20);
    size_t used = 0, count;
    va_list arguments;
    FILE *pipe;

    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    assert_non_null(pipe = popen(command, "r"));
    while ((count = fread(text + used, 1, (1 << 20) - 1 - used, pipe)) > 0)
        used += count;
    if (pclose(pipe))
        fail_msg("%s failed:\n%s", command, text);
    return text;
}

/* Calls `look` with the fields of each row of expected.tsv but the first. */
static int each_row(void (*look)(char *fields[6])) {
    FILE *table = fopen("grading/tests/hostile/expected.tsv", "r");
    char line[1024], *fields[6], *rest;
    int rows = -1, i;

    assert_non_null(table);
    while (fgets(line, sizeof line, table)) {
        line[strcspn(line, "\n")] = 0;
        for (rest = line, i = 0; i < 6; i++)
            if (!(fields[i] = strsep(&rest, "\t")))
                fail_msg("expected.tsv, row %d has %d fields, not 6", rows + 2, i);
        if (rest)
            fail_msg("expected.tsv, %s has more than 6 fields", fields[0]);
        if (++rows)
            look(fields);
    }
    fclose(table);
    return rows;
}

static int is_source(const char *name) {
    return strchr(name, '.') != NULL;
}

static int source_count;

static void look_at_row(char *fields[6]) {
    static struct catalogue catalogue;
    char path[256], *word, *rest = fields[2];

    assert_int_equal(catalogue_read(&catalogue, "steps"), OUTCOME_ACCEPTED);
    snprintf(path, sizeof path, "%s/%s", sources, fields[0]);
    if (is_source(fields[0])) {
        source_count++;
        if (access(path, R_OK))
            fail_msg("%s of expected.tsv is not there", path);
    }
    if (!catalogue_find(&catalogue, fields[1]))
        fail_msg("%s: the catalogue has no step %s", fields[0], fields[1]);
    while ((word = strsep(&rest, ",")))
        if (strcmp(word, "accepted") && strcmp(word, "-") &&
            outcome_of_word(word, strlen(word)) == OUTCOME_ACCEPTED)
            fail_msg("%s: no outcome is called %s", fields[0], word);
    assert_true(!strcmp(fields[4], "none") || !strcmp(fields[4], "any"));
    assert_true(strlen(fields[3]) > 0 && strlen(fields[5]) > 10);
}

TEST(every_source_has_a_row) {
    char *files;

    each_row(look_at_row);
    assert_true(source_count >= LEAST_SOURCES);
    files = output_of("ls %s/[0-9]*.c %s/[0-9]*.cu | wc -l", sources, sources);
    assert_int_equal(atoi(files), source_count);
    free(files);
}

/* Writes a source as it is handed in to `folder`/name. */
static void assemble(const char *file, const char *name) {
    char here[512];

    assert_non_null(getcwd(here, sizeof here));
    free(output_of("awk -f %s/assemble.awk -v canaries=%s/canaries -v out=%s/out -v home=%s/home "
                   "-v submissions=%s/submissions -v course='%s' -v port=9 %s/%s >%s/%s",
                   sources, folder, folder, folder, folder, here, sources, file, folder, name));
}

static void assemble_row(char *fields[6]) {
    char *left;

    if (!is_source(fields[0]))
        return;
    assemble(fields[0], "source");
    left = output_of("grep -nE '@[A-Z]+|\"honest.h\"' %s/source || true", folder);
    if (*left)
        fail_msg("%s is no single file: %s", fields[0], left);
    free(left);
}

TEST(each_becomes_one_file) {
    each_row(assemble_row);
}

/* A source of step 02 at a level: its outcome's code, one variant and one size alone. */
static int ends_with(const char *file, int level) {
    char user[16] = "";
    int status;

    snprintf(user, sizeof user, "%d", 70100 + level);
    free(output_of("cd %s && rm -rf task && mkdir -m 711 task && mkdir task/build", folder));
    assemble(file, "task/nbody.c");
    if (geteuid() == 0)
        free(output_of("chown %s:%s %s/task/build", user, user, folder));
    setenv("SANDBOX_LEVEL", level == 2 ? "2" : "1", 1);
    setenv("SANDBOX_USER", user, 1);
    {
        char command[512];

        snprintf(command, sizeof command,
                 "echo 7 | build/referee check --step 02 --variant dynamic --n 256 --file "
                 "%s/task/nbody.c --sandbox build/sandbox --seed - >%s/log 2>&1",
                 folder, folder);
        status = system(command);
    }
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(the_quick_ones_end_as_the_table_says) {
    static const struct {
        const char *file;
        enum outcome outcome;
    } quick[] = {{"02_forges_log.c", OUTCOME_UNWRITTEN},
                 {"73_section_tricks.c", OUTCOME_EXITED},
                 {"16_reads_others_proc.c", OUTCOME_WRONG},
                 {"20_reads_other_submissions.c", OUTCOME_WRONG},
                 {"22_includes_by_whole_path.c", OUTCOME_COMPILE},
                 {"50_talks_tcp.c", OUTCOME_WRONG},
                 {"79_new_namespaces.c", OUTCOME_FORBIDDEN}};
    char *probe = output_of("build/sandbox probe || true"), *touched;
    int best = *probe - '0', level;
    size_t i;

    free(probe);
    if (best < 1) {
        print_message("no sandbox is possible here: left out\n");
        return;
    }
    for (level = geteuid() == 0 ? 1 : 2; level <= best; level++)
        for (i = 0; i < sizeof quick / sizeof *quick; i++) {
            int code = ends_with(quick[i].file, level);
            char log[128], *text;

            if (code == (int)quick[i].outcome)
                continue;
            snprintf(log, sizeof log, "%s/log", folder);
            text = read_file(log, NULL);
            fail_msg("%s at level %d ended with %d, not %d:\n%s", quick[i].file, level, code,
                     quick[i].outcome, text);
        }
    touched = output_of("find %s -name '*touched*'", folder);
    assert_string_equal(touched, "");
    free(touched);
}

/* What the student's page says of an item of step 01, from the points on. */
static void assert_item(const char *student, const char *item, const char *points,
                        const char *says) {
    char path[128], row[64], *text, *at;

    snprintf(path, sizeof path, "%s/graded/feedback/%s.md", folder, student);
    snprintf(row, sizeof row, "| %s | ", item);
    assert_non_null(text = read_file(path, NULL));
    at = strstr(text, row);
    if (!at || strncmp(at + strlen(row), points, strlen(points)) || !strstr(at, says) ||
        strstr(at, says) > strchr(at, '\n'))
        fail_msg("not \"%s%s ... %s\" in:\n%s", row, points, says, text);
    free(text);
}

/* What ends a program that fills memory: its limit, unless a slow machine needs 10 s for so many
 * pages. test_task decides which limit is named. */
static const char *memory_or_time(void) {
    char *found = output_of("grep -h '^| small' %s/graded/feedback/memory.md", folder);
    int slow = strstr(found, "did not answer within") != NULL;

    free(found);
    return slow ? "did not answer within" : "it took too much memory.";
}

/* As an instructor calls it, with the real compiler, referee and sandbox: each learns what kept his
 * program from being one, and what compiles has the points for that. */
TEST(each_learns_his_own_reason) {
    static const struct {
        const char *student, *edit; /* of the solution, by sed */
    } handed_in[] = {
        {"links", "/^int simulation_run/{s/{/{ elsewhere();/; s/^/void elsewhere(void);\\n/}"},
        {"syntax", "/^int simulation_run/s/{/{ int = 3;/"},
        {"memory", "/^int simulation_run/s/{/"
                   "{ for (char *p; (p = malloc(1 << 26)); memset(p, 1, 1 << 26)) ;/; "
                   "1i #include <stdlib.h>\\n#include <string.h>"},
        {"right", "1i // another line"},
    };
    size_t i;

    for (i = 0; i < sizeof handed_in / sizeof *handed_in; i++)
        free(output_of("mkdir -p %s/in/%s && sed '%s' solutions/01_serial/nbody.c "
                       ">%s/in/%s/nbody.c && ! cmp -s solutions/01_serial/nbody.c "
                       "%s/in/%s/nbody.c",
                       folder, handed_in[i].student, handed_in[i].edit, folder,
                       handed_in[i].student, folder, handed_in[i].student));
    unsetenv("SANDBOX_LEVEL");
    unsetenv("SANDBOX_USER");
    free(output_of("env -u MAKEFLAGS -u MAKEOVERRIDES make -s grade SUBMISSIONS=%s/in STEPS=01 "
                   "OUT=%s/graded 2>&1",
                   folder, folder));
    assert_item("links", "compiles", "0 of 2", "undefined reference to ");
    assert_item("links", "edges", "0 of 22", "As for compiles.");
    assert_item("syntax", "compiles", "0 of 2", "nbody.c:");
    assert_item("syntax", "compiles", "0 of 2", ": error: ");
    assert_item("syntax", "edges", "0 of 22", "As for compiles.");
    assert_item("memory", "compiles", "2 of 2", "It compiles.");
    assert_item("memory", "small", "0 of 6", memory_or_time());
    assert_item("right", "small", "6 of 6", "Right in all cases of this kind.");
    assert_item("right", "edges", "22 of 22", "Right in all cases of this kind.");
    assert_item("right", "large", "16 of 16", "Right in all cases of this kind.");
    assert_item("right", "decimals", "6 of 6", "Right in all cases of this kind.");
}

/* The same seed makes the same submissions, another one others. */
TEST(a_corpus_is_made_of_its_seed) {
    char *sums[3];
    int i;

    for (i = 0; i < 3; i++)
        sums[i] = output_of("rm -rf %s/corpus && grading/tests/corpus.sh %d %s/corpus 12 && "
                            "cd %s/corpus && test $(wc -l <expected.tsv) -eq 12 && find . -type f "
                            "-exec sha256sum {} + | LC_ALL=C sort",
                            folder, 5 + i / 2, folder, folder);
    assert_string_equal(sums[0], sums[1]);
    assert_string_not_equal(sums[0], sums[2]);
    for (i = 0; i < 3; i++)
        free(sums[i]);
}

static int make_world(void **state) {
    (void)state;
    if (make_folder(folder))
        return -1;
    /* Nothing but the sandbox keeps these from a step. */
    free(output_of("cd %s && chmod 755 . && mkdir -m 777 canaries out home submissions && echo "
                   "secret >canaries/secret && echo book >out/gradebook.sqlite && chmod 666 */*",
                   folder));
    return 0;
}

GROUP(make_world, end_folder)
