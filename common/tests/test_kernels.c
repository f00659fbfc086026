/* The check of a step in CUDA C, run on a CPU: it accepts what is right, however unusual, and
 * rejects what is wrong for the reason that it is wrong for. Run from the repository's root.
 *
 * To look at one of them: cat common/tests/kernels/right/NAME.cu common/tests/kernels/host.cu
 * >build/NAME.cu, spoil it as kernels/faults.h says, and make check STEP=07 FILE=build/NAME.cu.
 * Step 07 has one variant, so it is the quickest; which step it is matters only for ideas, which a
 * check of one size does not look for. Whether nvcc takes them, common/tests/soak.sh looks. */
#include "testing.h"

#include <ctype.h>
#include <glob.h>

#include "command.h"
#include "kernels/faults.h"
#include "problems/outcome.h"

#define FOLDER "build/kernels/"

enum { AT_ONCE = 2, MOST = 128 };

/* Puts `text` in the place of the first line that holds `line`. */
static void edit_line(char **source, const char *line, const char *text) {
    char *at = strstr(*source, line), *end, *edited = NULL;

    if (!at)
        fail_msg("no line holds \"%s\"", line);
    while (at > *source && at[-1] != '\n')
        at--;
    end = strchr(at, '\n');
    if (asprintf(&edited, "%.*s%s%s", (int)(at - *source), *source, text, end) < 0)
        abort();
    free(*source);
    *source = edited;
}

/* The text of right/BASE.cu, and the rest behind it. */
static char *whole_step(const char *base) {
    char path[256], *start, *rest, *whole = NULL;

    snprintf(path, sizeof path, "common/tests/kernels/right/%s.cu", base);
    start = read_file(path, NULL);
    rest = read_file("common/tests/kernels/host.cu", NULL);
    if (!start || !rest || asprintf(&whole, "%s%s", start, rest) < 0)
        fail_msg("cannot read %s", path);
    free(start);
    free(rest);
    return whole;
}

/* Also to the folder KERNELS, for who has other plans with them. */
static void write_step(const char *name, const char *source) {
    const char *kept = getenv("KERNELS");
    char path[512];

    mkdir(FOLDER, 0777);
    snprintf(path, sizeof path, FOLDER "%s.cu", name);
    write_file(path, source);
    if (!kept)
        return;
    snprintf(path, sizeof path, "%s/%s.cu", kept, name);
    write_file(path, source);
}

static void write_wrong_step(const struct fault *fault) {
    char *source = whole_step(fault->base);
    const struct edit *edit;

    for (edit = fault->edits; edit->line; edit++)
        edit_line(&source, edit->line, edit->text);
    write_step(fault->name, source);
    free(source);
}

/* Runs the command for each name, some at once; NAME is in its environment. */
static void run_all(const char *command, const char *const *names, int count,
                    struct result *results) {
    pid_t children[MOST];
    int i;

    for (i = 0; i < count + AT_ONCE; i++) {
        if (i >= AT_ONCE)
            results[i - AT_ONCE] = end_command(children[i - AT_ONCE], names[i - AT_ONCE]);
        if (i < count) {
            setenv("NAME", names[i], 1);
            children[i] = start_command(command, names[i]);
        }
    }
}

/* Takes the next string behind "KEY": in JSON, without the escapes that messages hold. */
static char *string_of(const char **json, const char *key) {
    char quoted[64], *text, *end;
    const char *at;

    snprintf(quoted, sizeof quoted, "\"%s\": \"", key);
    at = strstr(*json, quoted);
    if (!at)
        return NULL;
    text = end = malloc(strlen(at) + 1);
    for (at += strlen(quoted); *at && *at != '"'; at++) {
        at += *at == '\\';
        *end++ = *at;
    }
    *end = 0;
    *json = at;
    return text;
}

/* The line of that number without the spaces before it, up to its end. */
static const char *line_of(const char *source, int number, int *length) {
    while (--number > 0 && source)
        source = strchr(source, '\n') ? strchr(source, '\n') + 1 : NULL;
    source = source ? source + strspn(source, " ") : "";
    *length = (int)strcspn(source, "\n");
    return source;
}

/* The message with the text of a line, in brackets, in the place of each NAME.cu:N, with the folder
 * before it or without. */
static char *with_lines(const char *message, const char *name) {
    char path[256], *file = path + strlen(FOLDER), *source, *shown = NULL;
    size_t size;
    const char *at;
    FILE *stream = open_memstream(&shown, &size);

    snprintf(path, sizeof path, FOLDER "%s.cu", name);
    source = read_file(path, NULL);
    while ((at = strstr(message, file))) {
        size_t before = (size_t)(at - message), length = strlen(FOLDER);
        const char *line;
        char *behind;
        int width;

        if (before >= length && !strncmp(at - length, FOLDER, length))
            before -= length;
        fwrite(message, 1, before, stream);
        message = at + strlen(file);
        if (*message != ':' || !isdigit((unsigned char)message[1])) {
            fputs(file, stream);
            continue;
        }
        line = line_of(source, (int)strtol(message + 1, &behind, 10), &width);
        fprintf(stream, "[%.*s]", width, line);
        message = behind;
    }
    fputs(message, stream);
    fclose(stream);
    free(source);
    return shown;
}

/* What a check said: its outcome's word, and the message of the first verdict with that outcome. */
struct finding {
    char *outcome, *message;
};

static struct finding finding_of(struct result result, const char *name) {
    const char *json = result.out;
    struct finding finding = {string_of(&json, "outcome"), NULL};
    char *outcome;

    if (!finding.outcome)
        fail_msg("%s: %s%s", name, result.out, result.err);
    while (!finding.message && (outcome = string_of(&json, "outcome"))) {
        if (!strcmp(outcome, finding.outcome)) {
            char *message = string_of(&json, "message");

            finding.message = with_lines(message, name);
            free(message);
        }
        free(outcome);
    }
    return finding;
}

static int answers(const struct fault *fault, const struct finding *finding) {
    int i;

    if (strcmp(fault->outcome, finding->outcome))
        return 0;
    for (i = 0; i < 4 && fault->says[i]; i++)
        if (!strstr(finding->message, fault->says[i]))
            return 0;
    return 1;
}

/* Each wrong kernel gets the message that it must get, and nobody else's. */
TEST(test_confusion) {
    const char *names[FAULTS];
    struct result results[FAULTS];
    struct finding findings[FAULTS];
    int i, j, failed = 0;

    for (i = 0; i < FAULTS; i++) {
        names[i] = faults[i].name;
        write_wrong_step(&faults[i]);
    }
    run_all("NVCC= build/referee check --step 07 --file " FOLDER "$NAME.cu --n 1000 "
            "--seed 1 --json 1",
            names, FAULTS, results);
    for (i = 0; i < FAULTS; i++) {
        findings[i] = finding_of(results[i], names[i]);
        /* Who stays away from a barrier also races with those that wait there. */
        if (!strcmp(findings[i].outcome, "barrier") &&
            !strstr(results[i].out, "\"aspect\": \"races\", \"outcome\": \"barrier\"")) {
            failed++;
            print_error("%s: a race is told beside the barrier: %s\n", names[i], results[i].out);
        }
    }
    /* A check tries ten sizes; this one size may be unlucky in how two workers meet. */
    for (i = 0; i < FAULTS; i++)
        for (j = 2; j <= 4 && !answers(&faults[i], &findings[i]); j++) {
            struct result again = run("NVCC= build/referee check --step 07 --file " FOLDER
                                      "%s.cu --n 1000 --seed %d --json 1",
                                      names[i], j);

            free(findings[i].outcome);
            free(findings[i].message);
            findings[i] = finding_of(again, names[i]);
        }
    for (i = 0; i < FAULTS; i++) {
        if (!answers(&faults[i], &findings[i])) {
            failed++;
            print_error("%s: not %s, or not what its message must say, but %s: %s\n", names[i],
                        faults[i].outcome, findings[i].outcome, findings[i].message);
        }
        for (j = 0; j < FAULTS; j++)
            if (j != i && answers(&faults[i], &findings[j])) {
                failed++;
                print_error("%s: has the message of %s, %s: %s\n", names[j], names[i],
                            findings[j].outcome, findings[j].message);
            }
    }
    for (i = 0; i < FAULTS; i++) {
        free(findings[i].outcome);
        free(findings[i].message);
    }
    assert_int_equal(failed, 0);
}

/* What was not given back spoils neither results nor what other builds look for. */
TEST(test_unfreed) {
    const struct fault *fault = faults;
    struct result result;

    while (strcmp(fault->outcome, "unfreed"))
        fault++;
    write_wrong_step(fault);
    result = run("NVCC= build/referee check --step 07 --file " FOLDER "%s.cu --n 1000 --seed 1",
                 fault->name);
    assert_code(result, OUTCOME_UNFREED);
    assert_says(result.out, "memory    FAILED\n");
    assert_says(result.out, "races     accepted\n");
    result =
        run("NVCC= build/referee check --step 07 --file " FOLDER "%s.cu --n 1000 --seed 1 --json 1",
            fault->name);
    assert_says(result.out, "\"cases\": [\n        {\"n\": 1000, \"distribution\": \"uniform\", "
                            "\"outcome\": \"accepted\"");
}

/* The names of all right steps; their files are written. */
static int right_steps(const char **names) {
    glob_t found;
    size_t i;

    assert_int_equal(glob("common/tests/kernels/right/*.cu", 0, NULL, &found), 0);
    assert_in_range(found.gl_pathc, 20, MOST);
    for (i = 0; i < found.gl_pathc; i++) {
        char *name = strdup(strrchr(found.gl_pathv[i], '/') + 1), *source;

        *strrchr(name, '.') = 0;
        source = whole_step(name);
        write_step(name, source);
        free(source);
        names[i] = name;
    }
    globfree(&found);
    return (int)i;
}

/* One body, and one more than two blocks of 256 hold. */
TEST(test_right) {
    const char *names[MOST] = {0};
    struct result results[MOST];
    int count = right_steps(names), i, failed = 0;

    run_all("for n in 1 513; do NVCC= build/referee check --step 07 "
            "--file " FOLDER "$NAME.cu --n $n || exit; done",
            names, count, results);
    for (i = 0; i < count; i++) {
        if (results[i].code || strstr(results[i].out, "memory    skipped") ||
            strstr(results[i].out, "races     skipped")) {
            failed++;
            print_error("%s is right:\n%s%s\n", names[i], results[i].out, results[i].err);
        }
        free((char *)names[i]);
    }
    assert_int_equal(failed, 0);
}

/* What one iteration, one run or one softening does not show, told by its words; all of one build.
 */
TEST(test_repeats) {
    static const struct {
        const char *fault;
        int seed; /* such that the object's runs have as many iterations as it takes */
        const char *outcome, *says;
    } repeats[] = {
        {"none", 1, "accepted", ""},
        {"none", 5, "accepted", ""},
        {"first_only", 5, "wrong", "right after 1 and 2 iterations, wrong after 3, 4 and 5"},
        {"even_only", 1, "wrong", "right after 2 and 4 iterations, wrong after 1, 3 and 5"},
        {"buffer_kept", 5, "wrong", "right in the first run of an object, wrong in the second"},
        {"freed_in_run", 1, "copy", "this was in the object's second run, and the first was right"},
        {"kept_by_n", 1, "wrong", "by its size or by its first and last element?"},
        {"kept_by_ends", 1, "wrong", "by its size or by its first and last element?"},
        {"dt_constant", 1, "wrong", "right with dt 0.01, wrong with 0.0"},
        /* an error just above what is allowed, and just below it with the usual dt */
        {"dt_off", 1, "wrong", "!with dt"},
        {"softening_constant", 1, "wrong", "right with softening 1e-09, wrong with 0."},
        {"other_constant", 1, "wrong", "the result is the same with softening 1e-09 and 0."},
        {"no_softening", 1, "wrong", "is it a constant, or left out?"},
        {"not_softened", 1, "not-finite", "is the softening added to r^2"},
        {"twice", 1, "wrong", "was asked for: is it used twice?"},
        {"squared", 1, "wrong", "was asked for: is it squared?"},
        /* a grid's barrier of which a slow block is not waited for */
        {"waits_once", 5, "race", "threads of two blocks touch the same memory"},
        {"flag_kept", 5, "race", "threads of two blocks touch the same memory"},
        {"count_kept", 5, "race", "threads of two blocks touch the same memory"},
    };
    int failed = 0;
    size_t i;

    for (i = 0; i < sizeof repeats / sizeof *repeats; i++) {
        struct result result = run("FAULT=%s NVCC= build/referee check --step 07 --file "
                                   "common/tests/kernels/repeats.cu --n 257 --seed %d --json 1",
                                   repeats[i].fault, repeats[i].seed);
        struct finding finding = finding_of(result, "repeats");

        int is_silent = *repeats[i].says == '!'; /* of what follows */

        if (strcmp(finding.outcome, repeats[i].outcome) ||
            (strstr(finding.message, repeats[i].says + is_silent) != NULL) == is_silent) {
            failed++;
            print_error("%s: %s: %s\n", repeats[i].fault, finding.outcome, finding.message);
        }
        free(finding.outcome);
        free(finding.message);
    }
    assert_int_equal(failed, 0);
}

/* CUDA that cpucuda has not is named with its line; what is nobody's is a mistake. */
TEST(test_missing) {
    static const struct {
        struct edit edit;
        int code;
        const char *says;
    } lacks[] = {
        {{"#include <stdlib.h>", "#include <cub/cub.cuh> // lacks"},
         52,
         "<cub/cub.cuh>`: cpucuda has no CUB"},
        {{"accelerate<<<", "cudaMemcpy2D(velocities, 16, positions, 16, 16, 1, // lacks\n"
                           "cudaMemcpyDeviceToDevice);"},
         52,
         "`cudaMemcpy2D`: cpucuda has no copies of rectangles"},
        {{"accelerate<<<", "cudaTextureObject_t bodies; // lacks"},
         52,
         "`cudaTextureObject_t`: cpucuda has no textures"},
        {{"float3 force = {0, 0, 0};", "float3 force = {0, 0, 0}; unsigned at;\n"
                                       "asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(at)); // lacks"},
         52,
         "`asm`: cpucuda has no inline PTX"},
        {{"accelerate<<<", "void *arguments[] = {&positions}; // cudaMemcpy2D\n"
                           "cudaMemCopy(arguments); // lacks"},
         7,
         "does not compile"},
    };
    struct result result;
    char *source, place[64];
    unsigned i;
    int line;

    for (i = 0; i < sizeof lacks / sizeof *lacks; i++) {
        source = whole_step("early_return");
        edit_line(&source, lacks[i].edit.line, lacks[i].edit.text);
        write_step("lacks", source);
        for (line = 1, *strstr(source, "// lacks") = 0; strchr(source, '\n'); line++)
            *strchr(source, '\n') = ' ';
        free(source);
        result = run("NVCC= build/referee check --step 07 --file " FOLDER "lacks.cu --n 10");
        assert_code(result, lacks[i].code);
        assert_says(result.err, lacks[i].says);
        snprintf(place, sizeof place, "lacks.cu:%d", line);
        assert_says(result.err, place);
        if (lacks[i].code == 52) {
            assert_says(result.err, "whether nvcc accepts the file was not tried");
            assert_int_equal(strchr(result.err, '\n')[1], 0); /* and nothing else */
        }
    }
}

GROUP(enter_tree, leave_tree)
