/* How the referee shows a trace, and finds the lines of the source. */
#include "testing.h"
#include "json.h"
#include "referee/base/json.h"
#include "referee/build/source_line.h"
#include "referee/inspect/trace_print.h"
#include "traced.h"

static const struct problem pairs = {.unit = "interactions", .per = "interaction"};
static const struct problem elements = {.unit = "elements", .per = "element"};

static void print_table(const char *program, const struct counters *counters) {
    trace_print(program, counters, &pairs, 1000);
}
static void print_members(const char *program, const struct counters *counters) {
    print_json("{");
    trace_print_json(program, counters, &pairs, 1000);
    print_json("}");
}
static void print_elements(const char *program, const struct counters *counters) {
    trace_print(program, counters, &elements, 1000);
    print_json("{");
    trace_print_json(program, counters, &elements, 1000);
    print_json("}");
}

/* What `print` prints on stdout, to be freed. */
static char *printed(void (*print)(const char *, const struct counters *), const char *program,
                     const struct counters *counters) {
    int before = catch_stdout();

    print(program, counters);
    return caught_stdout(before);
}

TEST(a_table_shows_lines_of_the_source) {
    int p;

    for (p = 0; p < program_count; p++) {
        char *said, *text, line[256];
        struct counters counters = traced(programs[p], "tiles", &said);
        struct trace_line swapped;

        swapped = counters.lines[0];
        counters.lines[0] = counters.lines[counters.traced_lines - 1];
        counters.lines[counters.traced_lines - 1] = swapped;
        text = printed(print_table, programs[p], &counters);
        assert_true(strstr(text, "= in[first") < strstr(text, "sum += tile[j]"));
        assert_true(strstr(text, "sum += tile[j]") < strstr(text, "out[index()] = sum"));
        snprintf(
            line, sizeof line,
            "  trace_kernels.cu:%d shared   load      4        1024         -       100%%       "
            "1.00       131.1  sum += tile[j];\n",
            line_of("sum += tile[j];"));
        assert_says(text, line);
        snprintf(
            line, sizeof line,
            "  trace_kernels.cu:%d global   load      4          16      4.00         0%%          "
            "-       2.048  tile[threadIdx.x] = in[first + threadIdx.x]",
            line_of("tile[threadIdx.x] = in[first"));
        assert_says(text, line);
        assert_says(text, "  trace_global_bytes_per_interaction     2.56 B\n");
        free(text);
        text = printed(print_members, programs[p], &counters);
        if (!is_json(text))
            fail_msg("not JSON: %s", text);
        assert_says(text, "\"source\": \"sum += tile[j];\", \"space\": \"shared\", "
                          "\"access\": \"load\", \"width\": 4, \"requests\": 1024, ");
        free(text);
        free(said);
    }
}

TEST(instructions_of_one_line_are_one_row) {
    if (program_count) {
        char *said, *text, *first;
        struct counters counters = traced(programs[0], "two-loads", &said);
        char line[64];

        assert_int_equal(counters.traced_lines, 3);
        text = printed(print_table, programs[0], &counters);
        snprintf(line, sizeof line, "trace_kernels.cu:%d global   load ",
                 line_of("// loads twice"));
        first = strstr(text, line);
        assert_non_null(first);
        assert_null(strstr(first + 1, line));
        assert_says(first, " 8      4.50 ");
        free(text);
        free(said);
    }
}

TEST(facts_are_sums_and_leave_out_what_is_not_known) {
    struct counters counters = {.global_bytes = 640, .traced_lines = 3};
    struct trace_fact facts[TRACE_FACTS];

    counters.lines[0] = (struct trace_line){.width = 4,
                                            .requests = 6,
                                            .bytes = 500,
                                            .sectors = 26,
                                            .broadcasts = 2,
                                            .varied_requests = 4,
                                            .varied_sectors = 24};
    counters.lines[1] = (struct trace_line){.stores = 1,
                                            .width = 4,
                                            .requests = 1,
                                            .bytes = 140,
                                            .sectors = 6,
                                            .varied_requests = 1,
                                            .varied_sectors = 6};
    counters.lines[2] = (struct trace_line){
        .space = SHARED_MEMORY, .width = 4, .requests = 4, .bytes = 512, .wavefronts = 10};
    assert_int_equal(trace_facts(&counters, &pairs, 64, facts), 4);
    assert_string_equal(facts[0].name, "trace_global_bytes_per_interaction");
    assert_true(facts[0].value == 10);
    assert_string_equal(facts[1].name, "trace_shared_bytes_per_interaction");
    assert_true(facts[1].value == 8);
    assert_string_equal(facts[2].name, "trace_varied_sectors_per_request");
    assert_true(facts[2].value == 6);
    assert_string_equal(facts[3].name, "trace_shared_wavefronts_per_request");
    assert_true(facts[3].value == 2.5);
    counters.traced_lines = 0;
    assert_int_equal(trace_facts(&counters, &pairs, 0, facts), 0);
}

/* What is no work of a problem is called the same in all. */
TEST(another_problem_has_words_of_its_own) {
    struct counters counters = {.global_bytes = 640, .traced_lines = 1};
    struct trace_fact facts[TRACE_FACTS];
    char *text;

    counters.lines[0] = (struct trace_line){
        .width = 4, .requests = 6, .bytes = 640, .varied_requests = 4, .varied_sectors = 24};
    assert_int_equal(trace_facts(&counters, &elements, 64, facts), 3);
    assert_string_equal(facts[0].name, "trace_global_bytes_per_element");
    assert_true(facts[0].value == 10);
    assert_string_equal(facts[1].name, "trace_shared_bytes_per_element");
    assert_string_equal(facts[2].name, "trace_varied_sectors_per_request");
    text = printed(print_elements, "", &counters);
    assert_says(text, " /request    /element\n");
    assert_says(text, "  trace_global_bytes_per_element         0.64 B\n");
    assert_says(text, "{\"elements\": 1000, \"trace_global_bytes_per_element\": 0.64, ");
    assert_null(strstr(text, "interact"));
    free(text);
    text = printed(print_table, "", &counters);
    assert_says(text, " /request  /interact.\n");
    free(text);
}

TEST(the_words_of_every_problem_agree) {
    const struct problem *const *problem;

    for (problem = problems; *problem; problem++) {
        const char *per = (*problem)->per;

        assert_true(per && *per && !strchr(per, ' '));
        assert_memory_equal((*problem)->unit, per, strlen(per) - 1); /* body, bodies */
    }
}

TEST(lines_are_found_or_said_to_be_unknown) {
    char copy[256], text[128], *path = strdup(getenv("PATH")), *said;
    struct counters counters;

    if (!program_count)
        skip();
    counters = traced(programs[0], "one-array", &said);
    free(said);
    snprintf(copy, sizeof copy, "%s/a program's; $(name)", tree);
    run("cp '%s' \"a program's; \\$(name)\"", programs[0]);
    assert_int_equal(source_line(copy, counters.lines[0].offset, text, sizeof text), 0);
    assert_memory_equal(text, "trace_kernels.cu:", 17);
    assert_int_equal(atoi(text + 17), line_of("// copies one array"));
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

TEST(places_in_a_message_become_lines) {
    char message[160], wanted[160], *said;
    struct counters counters;
    int line = line_of("// copies one array");

    if (!program_count)
        skip();
    counters = traced(programs[0], "one-array", &said);
    free(said);
    snprintf(message, sizeof message, "at {+0x%lx}{+0x%lx} and {+0x} {+0x1z} {+0x1}",
             (unsigned long)counters.lines[0].offset, (unsigned long)counters.lines[1].offset);
    snprintf(wanted, sizeof wanted,
             "at trace_kernels.cu:%dtrace_kernels.cu:%d and {+0x} {+0x1z} (its line is not known)",
             line, line);
    source_lines_in(programs[0], message, sizeof message);
    assert_string_equal(message, wanted);
    strcpy(message, "at {+0x1}, and more");
    source_lines_in(programs[0], message, 21);
    assert_string_equal(message, "at (its line is not ");
    /* Calls that began in no line of the kit, and a list that was cut off. */
    snprintf(message, sizeof message, "calls{^0x%lx,0x1}, and {^0x1,0x2",
             (unsigned long)counters.lines[0].offset);
    source_lines_in(programs[0], message, sizeof message);
    assert_string_equal(message, "calls, and ");
}

TEST(a_header_counts_for_its_caller) {
    char *said, text[64];
    struct counters counters;
    int p;

    for (p = 0; p < program_count; p++) {
        counters = traced(programs[p], "calls", &said);
        assert_int_equal(counters.traced_lines, 2);
        assert_int_equal(source_line(programs[p], counters.lines[1].offset, text, sizeof text), 0);
        assert_memory_equal(text, "trace_kernels.cu:", 17);
        assert_int_equal(atoi(text + 17), line_of("// calls a header"));
        free(said);
    }
}

GROUP(set_up, leave_tree)
