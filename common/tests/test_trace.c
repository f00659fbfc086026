/* The trace of cpucuda: kernels whose requests are known by hand, compiled by every C++ compiler
 * there is, and how the referee shows them. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../player/counters.h"
#include "command.h"
#include "json.h"
#include "source_line.h"
#include "trace_print.h"

static char root[4096];
static char programs[2][4200];
static int program_count;

static int set_up(void **state) {
    static const char *const compilers[] = {"g++", "clang++"};
    char path[128];
    int i;

    (void)state;
    if (!getcwd(root, sizeof root) || make_folder(tree))
        return -1;
    for (i = 0; i < 2; i++) {
        snprintf(programs[program_count], sizeof *programs, "%s/build/tests/trace/%s", root,
                 compilers[i]);
        program_count += !access(programs[program_count], X_OK);
    }
    snprintf(path, sizeof path, "%s/build", tree);
    return mkdir(path, 0777) || chdir(tree);
}

/* Runs the kernel and reads what was counted; `said` (to be freed) is what it printed on stderr. */
static struct counters traced(const char *program, const char *kernel, char **said) {
    struct result result = run("'%s' %s", program, kernel);
    char *bytes;
    size_t size;
    struct counters counters;

    assert_code(result, 0);
    bytes = read_file("build/command.out", &size);
    assert_int_equal(size, sizeof counters);
    memcpy(&counters, bytes, sizeof counters);
    free(bytes);
    free(result.out);
    *said = result.err;
    return counters;
}

static const uint64_t *numbers(const struct trace_line *line) {
    return &line->requests;
}

/* What a kernel shall count. `stores`: 0 loads, 1 stores. */
struct expected {
    const char *kernel;
    struct trace_line line;
};

#define GLOBAL(stores, width, requests, bytes, sectors, broadcasts)                                \
    {                                                                                              \
        0, GLOBAL_MEMORY, stores, width, requests, bytes, sectors, broadcasts,                     \
            (requests) - (broadcasts), (sectors) - (broadcasts), 0                                 \
    }
#define SHARED(stores, width, requests, bytes, broadcasts, wavefronts)                             \
    { 0, SHARED_MEMORY, stores, width, requests, bytes, 0, broadcasts, 0, 0, wavefronts }

/* Warps of 32; a broadcast touches one sector. Device memory starts at a multiple of 256. */
static const struct expected expected[] = {
    /* 4 warps, bodies of 24 bytes: 32 x 24 / 32 = 24 sectors a request */
    {"six-floats", GLOBAL(0, 4, 4, 512, 96, 0)},
    {"six-floats", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* one warp copies them: 6 words each way */
    {"whole-body", GLOBAL(0, 4, 6, 768, 144, 0)},
    {"whole-body", GLOBAL(1, 4, 6, 768, 144, 0)},
    {"one-array", GLOBAL(0, 4, 4, 512, 16, 0)},
    {"one-array", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* 3 loads of 12 sectors a warp */
    {"three-floats", GLOBAL(0, 4, 12, 1536, 144, 0)},
    {"three-floats", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* one load of 16 bytes a lane */
    {"four-floats", GLOBAL(0, 16, 4, 2048, 64, 0)},
    {"four-floats", GLOBAL(1, 4, 4, 512, 16, 0)},
    {"shifted", GLOBAL(0, 4, 4, 512, 20, 0)},
    {"shifted", GLOBAL(1, 4, 4, 512, 16, 0)},
    {"two-loads", GLOBAL(0, 4, 8, 1024, 36, 0)},
    {"two-loads", GLOBAL(1, 4, 4, 512, 16, 0)},
    {"adds", GLOBAL(0, 4, 4, 512, 16, 0)},
    {"adds", GLOBAL(1, 4, 4, 512, 16, 0)},
    {"broadcast", GLOBAL(0, 4, 400, 51200, 400, 400)},
    {"broadcast", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* 32 + 9 lanes: 4 + 2 sectors */
    {"partial-warp", GLOBAL(0, 4, 2, 164, 6, 0)},
    {"partial-warp", GLOBAL(1, 4, 2, 164, 6, 0)},
    {"short-block", GLOBAL(0, 4, 2, 160, 5, 0)},
    {"short-block", GLOBAL(1, 4, 2, 160, 5, 0)},
    /* turn j has lanes j to 31: 528 loads of 4 bytes, 8 turns each of 4, 3, 2 and 1 sectors */
    {"divergent", GLOBAL(0, 4, 32, 2112, 80, 1)},
    {"divergent", GLOBAL(1, 4, 1, 128, 4, 0)},
    /* lanes 4 j bytes apart: 1 sector, then 4 j for j < 8, then 32 */
    {"fan", GLOBAL(0, 4, 100, 12800, 1 + 4 * 28 + 92 * 32, 1)},
    {"fan", GLOBAL(1, 4, 1, 128, 4, 0)},
    /* 32 integers from j j on: 4 sectors if j is a multiple of 4, else 5 */
    {"scattered", GLOBAL(0, 4, 100, 12800, 25 * 4 + 75 * 5, 0)},
    {"scattered", GLOBAL(1, 4, 1, 128, 4, 0)},
    {"column", SHARED(1, 4, 32, 4096, 0, 32)},
    {"column", SHARED(0, 4, 1, 128, 0, 32)},
    {"column", GLOBAL(1, 4, 1, 128, 4, 0)},
    {"padded-column", SHARED(1, 4, 32, 4096, 0, 32)},
    {"padded-column", SHARED(0, 4, 1, 128, 0, 1)},
    {"padded-column", GLOBAL(1, 4, 1, 128, 4, 0)},
    /* stores to every second element and to every one; then all load the same */
    {"wide-8", SHARED(1, 8, 2, 512, 0, 4 + 2)},
    {"wide-8", SHARED(0, 8, 1, 256, 1, 1)},
    {"wide-8", GLOBAL(1, 4, 1, 128, 4, 0)},
    {"wide-16", SHARED(1, 16, 2, 1024, 0, 8 + 4)},
    {"wide-16", SHARED(0, 16, 1, 512, 1, 2)},
    {"wide-16", GLOBAL(1, 4, 1, 128, 4, 0)},
    /* 2 blocks of 2 warps, 4 tiles of 64 */
    {"tiles", GLOBAL(0, 4, 16, 2048, 64, 0)},
    {"tiles", SHARED(1, 4, 16, 2048, 0, 16)},
    {"tiles", SHARED(0, 4, 1024, 131072, 1024, 1024)},
    {"tiles", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* 7 that change memory, one that only loads */
    {"atomics", GLOBAL(1, 4, 28, 3584, 28, 28)},
    {"atomics", GLOBAL(0, 4, 4, 512, 4, 4)},
    {"program-variable", GLOBAL(0, 4, 2, 256, 8, 0)},
    {"program-variable", GLOBAL(1, 4, 2, 256, 8, 0)},
    /* memset and memcpy; 6 words, 24 bytes apart: 2 lanes a bank */
    {"set-and-copied", SHARED(1, 4, 6, 768, 0, 12)},
    {"set-and-copied", SHARED(0, 4, 6, 768, 0, 12)},
    {"set-and-copied", GLOBAL(1, 4, 6, 768, 144, 0)},
    /* the fourth float of every struct is copied and was never written: no error */
    {"padding", SHARED(1, 4, 3, 384, 0, 12)},
    {"padding", SHARED(0, 4, 4, 512, 0, 16)},
    {"padding", GLOBAL(1, 4, 4, 512, 64, 0)},
    {"written", SHARED(1, 4, 4, 512, 0, 4)},
    {"written", SHARED(0, 4, 4, 512, 0, 4)},
    {"written", GLOBAL(1, 4, 4, 512, 16, 0)},
    /* 4 x 100 times one-array */
    {"workers", GLOBAL(0, 4, 1600, 204800, 6400, 0)},
    {"workers", GLOBAL(1, 4, 1600, 204800, 6400, 0)},
};
enum { EXPECTED = sizeof expected / sizeof *expected };

static int same_kind(const struct trace_line *a, const struct trace_line *b) {
    return a->space == b->space && a->stores == b->stores && a->width == b->width;
}

/* The sums of all instructions of the kind that `line` is; marks them as seen. */
static struct trace_line sum_like(struct counters *counters, const struct trace_line *line) {
    struct trace_line sum = {0};
    uint64_t *const to = &sum.requests;
    uint64_t i;
    int k;

    for (i = 0; i < counters->traced_lines; i++)
        if (same_kind(&counters->lines[i], line)) {
            for (k = 0; k < 7; k++)
                to[k] += numbers(&counters->lines[i])[k];
            counters->lines[i].width = 0;
        }
    return sum;
}

static void kernels_count_what_is_known_by_hand(void **state) {
    static const char *const names[] = {"requests",   "bytes",           "sectors",
                                        "broadcasts", "varied requests", "varied sectors",
                                        "wavefronts"};
    int p, i, k;
    uint64_t other;

    (void)state;
    for (p = 0; p < program_count; p++) {
        for (i = 0; i < EXPECTED;) {
            const char *kernel = expected[i].kernel;
            char *said;
            struct counters counters = traced(programs[p], kernel, &said);
            uint64_t global_bytes = 0;

            for (; i < EXPECTED && !strcmp(expected[i].kernel, kernel); i++) {
                const struct trace_line *line = &expected[i].line;
                const struct trace_line sum = sum_like(&counters, line);

                for (k = 0; k < 7; k++)
                    if (numbers(&sum)[k] != numbers(line)[k])
                        fail_msg("%s %s, %s %s of %u: %lu %s, not %lu", programs[p], kernel,
                                 line->space ? "shared" : "global", line->stores ? "store" : "load",
                                 line->width, (unsigned long)numbers(&sum)[k], names[k],
                                 (unsigned long)numbers(line)[k]);
                global_bytes += line->space == GLOBAL_MEMORY ? line->bytes : 0;
            }
            for (other = 0; other < counters.traced_lines; other++)
                if (counters.lines[other].width)
                    fail_msg("%s %s: an access of %u bytes that is none", programs[p], kernel,
                             counters.lines[other].width);
            assert_int_equal(counters.global_bytes, global_bytes);
            assert_string_equal(said,
                                strcmp(kernel, "atomics") ? "" : "128 0 ffffffff 256 9 8 -128\n");
            free(said);
        }
    }
}

/* Counted by Nsight Compute 2025.3 on an NVIDIA H200 (l1tex__data_pipe_lsu_wavefronts_mem_shared
 * _op_ld and _op_st) for the patterns of trace/wavefronts.cpp. */
static void wavefronts_are_a_gpus(void **state) {
    static const char counted[] =
        "11112234111113241111122311112233111113231111222311111122111111221111122311111313"
        "111122221111122211111111111111211111121211112132\n"
        "11112234111113241111122311112233111113231111222311111122111111221111122311111313"
        "111122221111122211111111111111211111121211112132\n"
        "22245466111223241112222311123244111224241112332411122222111121331112232311122323"
        "111233321112232221233221111211221112222211122233\n"
        "22245466222333452223343522234255222234442223544422243332222222342223344522223523"
        "222443442223343422233222222222322223332322223243\n"
        "44898a9c224545462245544522454455223444562244557422344343222332442244556522233534"
        "223565552244444542566532222432422234332422335255\n"
        "44898a9c445666574458656744674875444464594455678844465455444544464454576544444544"
        "444566564457776743566543344443644455444544436477\n";
    struct result result;
    int p;

    (void)state;
    for (p = 0; p < program_count; p++) {
        result = run("'%s' wavefronts", programs[p]);
        assert_code(result, 0);
        assert_string_equal(result.out, counted);
        result_free(result);
    }
}

/* Line `number` is that of the only place in kernels.cpp that holds `mark`. */
static int line_of(const char *mark) {
    char path[4300], *text, *at;
    int line = 1;

    snprintf(path, sizeof path, "%s/common/tests/trace/kernels.cpp", root);
    text = read_file(path, NULL);
    at = strstr(text, mark);
    assert_non_null(at);
    assert_null(strstr(at + 1, mark));
    *at = 0;
    for (at = text; *at; at++)
        line += *at == '\n';
    free(text);
    return line;
}

/* `format` has a %d for the line of each mark that is not NULL. */
__attribute__((format(printf, 2, 0))) static void
fails_with(const char *kernel, const char *format, const char *mark, const char *second_mark) {
    char message[1024], wanted[1024];
    int p;

    for (p = 0; p < program_count; p++) {
        struct result result = run("'%s' %s", programs[p], kernel);

        assert_code(result, 1);
        assert_true(strlen(result.err) < sizeof message);
        strcpy(message, result.err);
        source_lines_in(programs[p], message, sizeof message);
        snprintf(wanted, sizeof wanted, format, mark ? line_of(mark) : 0,
                 second_mark ? line_of(second_mark) : 0);
        assert_string_equal(message, wanted);
        result_free(result);
    }
}

static void memory_of_the_host_is_found(void **state) {
    static const char message[] =
        "cpucuda: host-pointer: thread (0,0,0) of block (0,0,0) of one_array: at kernels.cpp:%d it "
        "used memory of the host; copy it with cudaMemcpy and pass the device's pointer\n";

    (void)state;
    fails_with("host-pointer", message, "// copies one array", NULL);
    fails_with("host-stack", message, "// copies one array", NULL);
}

static void unwritten_shared_memory_is_found(void **state) {
    static const char message[] =
        "cpucuda: uninitialised: thread (0,0,0) of block (0,0,0) of unwritten: at kernels.cpp:%d "
        "it "
        "read 4 bytes of shared `tile` (tests/trace/kernels.cpp:%d) that no thread had written\n";

    (void)state;
    fails_with("unwritten", message, "// reads too much", "// a part is written");
    /* what an earlier launch wrote does not count */
    fails_with("written-once", message, "// reads too much", "// a part is written");
}

static void too_many_addresses_are_refused(void **state) {
    (void)state;
    fails_with("flood",
               "cpucuda: internal: the addresses between two barriers need more than 256 MiB; "
               "trace it with fewer bodies\n",
               NULL, NULL);
}

static void print_table(const char *program, const struct counters *counters) {
    trace_print(program, counters, 1000);
}
static void print_json(const char *program, const struct counters *counters) {
    trace_print_json(program, counters, 1000);
}

/* What `print` prints on stdout, to be freed. */
static char *printed(void (*print)(const char *, const struct counters *), const char *program,
                     const struct counters *counters) {
    int before, file = open("printed", O_RDWR | O_CREAT | O_TRUNC, 0666);

    fflush(stdout);
    before = dup(1);
    dup2(file, 1);
    print(program, counters);
    fflush(stdout);
    dup2(before, 1);
    close(before);
    close(file);
    return read_file("printed", NULL);
}

static void a_table_shows_lines_of_the_source(void **state) {
    int p;

    (void)state;
    for (p = 0; p < program_count; p++) {
        char *said, *text, line[256];
        struct counters counters = traced(programs[p], "tiles", &said);

        text = printed(print_table, programs[p], &counters);
        snprintf(line, sizeof line,
                 "  kernels.cpp:%-4d shared load      4        1024         -       100%%       "
                 "1.00       131.1  sum += tile[j];\n",
                 line_of("sum += tile[j];"));
        assert_says(text, line);
        snprintf(line, sizeof line,
                 "  kernels.cpp:%-4d global load      4          16      4.00         0%%          "
                 "-       2.048  tile[threadIdx.x] = in[first + threadIdx.x]",
                 line_of("tile[threadIdx.x] = in[first"));
        assert_says(text, line);
        assert_says(text, "  trace_global_bytes_per_interaction     2.56 B\n");
        free(text);
        text = printed(print_json, programs[p], &counters);
        if (!is_json(text))
            fail_msg("not JSON: %s", text);
        assert_says(text, "\"source\": \"sum += tile[j];\", \"space\": \"shared\", "
                          "\"access\": \"load\", \"width\": 4, \"requests\": 1024, ");
        free(text);
        free(said);
    }
}

static void instructions_of_one_line_are_one_row(void **state) {
    (void)state;
    if (program_count) {
        char *said, *text, *first;
        struct counters counters = traced(programs[0], "two-loads", &said);
        char line[64];

        assert_int_equal(counters.traced_lines, 3);
        text = printed(print_table, programs[0], &counters);
        snprintf(line, sizeof line, "kernels.cpp:%-4d global load ", line_of("// loads twice"));
        first = strstr(text, line);
        assert_non_null(first);
        assert_null(strstr(first + 1, line));
        assert_says(first, " 8      4.50 ");
        free(text);
        free(said);
    }
}

static void facts_are_sums_and_leave_out_what_is_not_known(void **state) {
    struct counters counters = {.global_bytes = 640, .traced_lines = 3};
    struct trace_fact facts[TRACE_FACTS];

    (void)state;
    counters.lines[0] = (struct trace_line)GLOBAL(0, 4, 6, 500, 26, 2);
    counters.lines[1] = (struct trace_line)GLOBAL(1, 4, 1, 140, 6, 0);
    counters.lines[2] = (struct trace_line)SHARED(0, 4, 4, 512, 0, 10);
    assert_int_equal(trace_facts(&counters, 64, facts), 4);
    assert_string_equal(facts[0].name, "trace_global_bytes_per_interaction");
    assert_true(facts[0].value == 10);
    assert_string_equal(facts[1].name, "trace_shared_bytes_per_interaction");
    assert_true(facts[1].value == 8);
    assert_string_equal(facts[2].name, "trace_varied_sectors_per_request");
    assert_true(facts[2].value == 6);
    assert_string_equal(facts[3].name, "trace_shared_wavefronts_per_request");
    assert_true(facts[3].value == 2.5);
    counters.traced_lines = 0;
    assert_int_equal(trace_facts(&counters, 0, facts), 0);
}

static void lines_are_found_or_said_to_be_unknown(void **state) {
    char copy[256], text[128], *path = strdup(getenv("PATH")), *said;
    struct counters counters;

    (void)state;
    if (!program_count)
        skip();
    counters = traced(programs[0], "one-array", &said);
    free(said);
    snprintf(copy, sizeof copy, "%s/a program's; $(name)", tree);
    free(run("cp '%s' \"a program's; \\$(name)\"", programs[0]).out);
    assert_int_equal(source_line(copy, counters.lines[0].offset, text, sizeof text), 0);
    assert_memory_equal(text, "kernels.cpp:", 12);
    assert_int_equal(atoi(text + 12), line_of("// copies one array"));
    assert_int_equal(source_line(copy, 1, text, sizeof text), -1);
    assert_string_equal(text, "(its line is not known)");
    setenv("PATH", tree, 1);
    assert_int_equal(source_line(copy, 2, text, sizeof text), -1);
    assert_string_equal(text, "(addr2line would know the line)");
    /* what was asked before is still known */
    assert_int_equal(source_line(copy, counters.lines[0].offset, text, sizeof text), 0);
    setenv("PATH", path, 1);
    free(path);
}

static void places_in_a_message_become_lines(void **state) {
    char message[160], wanted[160], *said;
    struct counters counters;
    int line = line_of("// copies one array");

    (void)state;
    if (!program_count)
        skip();
    counters = traced(programs[0], "one-array", &said);
    free(said);
    snprintf(message, sizeof message, "at {+0x%lx}{+0x%lx} and {+0x} {+0x1z} {+0x1}",
             (unsigned long)counters.lines[0].offset, (unsigned long)counters.lines[1].offset);
    snprintf(wanted, sizeof wanted,
             "at kernels.cpp:%dkernels.cpp:%d and {+0x} {+0x1z} (its line is not known)", line,
             line);
    source_lines_in(programs[0], message, sizeof message);
    assert_string_equal(message, wanted);
    strcpy(message, "at {+0x1}, and more");
    source_lines_in(programs[0], message, 21);
    assert_string_equal(message, "at (its line is not ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_count_what_is_known_by_hand),
        cmocka_unit_test(wavefronts_are_a_gpus),
        cmocka_unit_test(memory_of_the_host_is_found),
        cmocka_unit_test(unwritten_shared_memory_is_found),
        cmocka_unit_test(too_many_addresses_are_refused),
        cmocka_unit_test(a_table_shows_lines_of_the_source),
        cmocka_unit_test(instructions_of_one_line_are_one_row),
        cmocka_unit_test(facts_are_sums_and_leave_out_what_is_not_known),
        cmocka_unit_test(lines_are_found_or_said_to_be_unknown),
        cmocka_unit_test(places_in_a_message_become_lines),
    };

    return cmocka_run_group_tests(tests, set_up, leave_tree);
}
