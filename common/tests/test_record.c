/* What a record's files hold, and what becomes of damaged ones. */
#include "testing.h"
#include "record_of_both.h"

static void assert_holds(const char *path, const char *expected, size_t expected_size) {
    size_t size;
    char *text = read_file(path, &size);

    assert_non_null(text);
    assert_int_equal(size, expected_size);
    assert_memory_equal(text, expected, expected_size);
    free(text);
}

static void assert_text(const char *path, const char *expected) {
    assert_holds(path, expected, strlen(expected));
}

/* Opening and appending both refuse the file with `outcome`, in one line that names `place`, and
 * leave its bytes as they are. */
static void assert_refused(const struct record_file *file, const char *bytes, size_t size,
                           enum outcome outcome, const char *place) {
    const char *path = file->path;
    struct record opened;
    int way;

    write_bytes(path, bytes, size);
    for (way = 0; way < 2; way++) {
        ASSERT_COMPLAINS(way ? file->append(7, 1) : record_open(&opened, results, "pc"), outcome,
                         place);
        assert_non_null(strstr(complaint, "untouched"));
        assert_holds(path, bytes, size);
    }
}

TEST_OF_BOTH(test_header) {
    const struct record_file *file = *state;
    char expected[4096], line[LINE_BYTES], path[160];

    snprintf(path, sizeof path, "%s/%s", results, file == &rows_file ? "pc.csv" : "pc-facts.csv");
    assert_string_equal(file->path, path);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(file->append(1, 1), OUTCOME_ACCEPTED);
    assert_int_equal(file->append(2, 2), OUTCOME_ACCEPTED);
    strcpy(expected, file->header);
    for (int number = 1; number <= 3; number++) {
        file->line(line, number);
        strcat(expected, line);
    }
    assert_text(path, expected);
}

/* Killed between making the file and writing, a writer leaves 0 bytes: a new file. */
TEST_OF_BOTH(test_no_bytes_is_new) {
    const struct record_file *file = *state;
    char expected[4096], line[LINE_BYTES];
    struct record opened;

    write_file(file->path, "");
    assert_int_equal(record_open(&opened, results, "pc"), OUTCOME_ACCEPTED);
    assert_text(file->path, "");
    assert_int_equal(file->append(1, 1), OUTCOME_ACCEPTED);
    file->line(line, 1);
    snprintf(expected, sizeof expected, "%s%s", file->header, line);
    assert_text(file->path, expected);
}

TEST_OF_BOTH(test_header_alone) {
    const struct record_file *file = *state;
    char expected[4096], line[LINE_BYTES];
    struct record opened;

    write_file(file->path, file->header);
    assert_int_equal(record_open(&opened, results, "pc"), OUTCOME_ACCEPTED);
    assert_int_equal(file->append(1, 1), OUTCOME_ACCEPTED);
    file->line(line, 1);
    snprintf(expected, sizeof expected, "%s%s", file->header, line);
    assert_text(file->path, expected);
}

TEST_OF_BOTH(test_foreign_header) {
    const struct record_file *file = *state;
    const char *path = file->path;
    size_t length = strlen(file->header), half;
    char text[1024];

    assert_refused(file, "a,b\n1,2\n", 8, OUTCOME_HEADER, path);
    assert_refused(file, "\n", 1, OUTCOME_HEADER, path);
    assert_refused(file, "\0\0\0\0", 4, OUTCOME_HEADER, path);
    strcpy(text, file->header); /* one letter of the last column */
    text[length - 2] = '?';
    assert_refused(file, text, length, OUTCOME_HEADER, path);
    sprintf(text, "%.*s,more\n", (int)length - 1, file->header);
    assert_refused(file, text, strlen(text), OUTCOME_HEADER, path);
    sprintf(text, "%.*s\r\n", (int)length - 1, file->header);
    assert_refused(file, text, strlen(text), OUTCOME_HEADER, path);
    sprintf(text, "\xef\xbb\xbf%s", file->header);
    assert_refused(file, text, strlen(text), OUTCOME_HEADER, path);
    half = (size_t)(strrchr(file->header, ',') - file->header); /* without the last column */
    sprintf(text, "%.*s\n", (int)half, file->header);
    assert_refused(file, text, strlen(text), OUTCOME_HEADER, path);
    assert_refused(file, text, half - 3, OUTCOME_HEADER, path); /* cut off */
}

/* However much of its last line is missing. */
TEST_OF_BOTH(test_cut_off) {
    const struct record_file *file = *state;
    char text[4096], line[LINE_BYTES], place[400];
    size_t start, end_of_line, size, header = strlen(file->header);
    struct record opened;

    file->line(line, 1);
    snprintf(text, sizeof text, "%s%s", file->header, line);
    file->line(line, 2);
    start = strlen(text);
    strcat(text, line);
    end_of_line = strlen(text);
    snprintf(place, sizeof place, "%s:3 ", file->path);
    for (size = start + 1; size < end_of_line; size++)
        assert_refused(file, text, size, OUTCOME_RECORD, place);
    write_bytes(file->path, text, start);
    assert_int_equal(record_open(&opened, results, "pc"), OUTCOME_ACCEPTED);
    snprintf(place, sizeof place, "%s:1 ", file->path);
    assert_refused(file, text, header - 1, OUTCOME_RECORD, place);
}

TEST_OF_BOTH(test_damaged_line) {
    const struct record_file *file = *state;
    char text[4096], good[LINE_BYTES], bad[LINE_BYTES], place[400];
    int kind;

    snprintf(place, sizeof place, "%s:3 ", file->path);
    file->line(good, 1);
    for (kind = 0; kind < 3; kind++) {
        file->line(bad, 2);
        if (kind == 0)
            strcpy(strrchr(bad, ','), "\n");
        else if (kind == 1)
            strcpy(strchr(bad, '\n'), ",more\n");
        else
            strcpy(bad, "\n");
        snprintf(text, sizeof text, "%s%s%s%s", file->header, good, bad, good);
        assert_refused(file, text, strlen(text), OUTCOME_RECORD, place);
    }
}

TEST_IN(begin, end_folder, test_fields_are_cleaned) {
    char long_text[3 * FIELD_BYTES];
    struct row row = {0};
    struct fact fact;
    char *text;
    int i;

    row_set(&row, COLUMN_cpu, "a,b\"c\nd\re%s", ",\"");
    assert_string_equal(row.field[COLUMN_cpu], "a b c d e  ");
    memset(long_text, ',', sizeof long_text);
    long_text[sizeof long_text - 1] = 0;
    row_set(&row, COLUMN_energy_j, "%s", long_text);
    assert_int_equal(strlen(row.field[COLUMN_energy_j]), FIELD_BYTES - 1);
    assert_int_equal(strspn(row.field[COLUMN_energy_j], " "), FIELD_BYTES - 1);
    fact_set(&fact, ",", "\"", "\n", "\r", 1.5e-9, "a,b", long_text);
    for (i = 0; i < 4; i++)
        assert_string_equal(fact.field[i], " ");
    assert_string_equal(fact.field[4], "1.5e-09");
    assert_string_equal(fact.field[5], "a b");
    assert_int_equal(strspn(fact.field[6], " "), FIELD_BYTES - 1);

    assert_int_equal(record_append(&record, &row, 1), OUTCOME_ACCEPTED);
    assert_int_equal(record_append_facts(&record, &fact, 1), OUTCOME_ACCEPTED);
    text = read_file(record.rows, NULL);
    assert_int_equal(count_lines(text), 2);
    assert_null(strpbrk(text, "\"\r"));
    free(text);
    assert_int_equal(record_open(&record, results, "pc"), OUTCOME_ACCEPTED);
}

TEST_IN(begin, end_folder, test_round_trip) {
    struct row written[5] = {0}, *read;
    int i, column, count;

    for (i = 0; i < 4; i++) /* the fifth row is empty */
        for (column = 0; column < COLUMN_COUNT; column++)
            if (i < 2 || column % i)
                row_set(&written[i], (enum column)column, "%d %0*d", i, i ? i * 50 : 1, column);
    assert_int_equal(record_append(&record, written, 5), OUTCOME_ACCEPTED);
    assert_int_equal(record_read(&record, &read, &count), OUTCOME_ACCEPTED);
    assert_int_equal(count, 5);
    for (i = 0; i < 5; i++)
        for (column = 0; column < COLUMN_COUNT; column++)
            assert_string_equal(read[i].field[column], written[i].field[column]);
    free(read);
}

static void read_refused(enum outcome outcome, const char *place) {
    struct row *rows;
    int count;

    ASSERT_COMPLAINS(record_read(&record, &rows, &count), outcome, place);
    assert_int_equal(count, 0);
    free(rows);
}

TEST_IN(begin, end_folder, test_read_refused) {
    char place[400];
    struct row *rows;
    int count;

    read_refused(OUTCOME_RECORD, "not there");
    write_file(record.rows, "");
    read_refused(OUTCOME_RECORD, "empty");
    write_file(record.rows, "a,b\n1,2\n");
    read_refused(OUTCOME_HEADER, record.rows);
    write_file(record.rows, ROWS_HEADER "\n1,2\n");
    snprintf(place, sizeof place, "%s:2 ", record.rows);
    read_refused(OUTCOME_RECORD, place);
    write_file(record.rows, ROWS_HEADER "\n");
    assert_int_equal(record_read(&record, &rows, &count), OUTCOME_ACCEPTED);
    assert_int_equal(count, 0);
    free(rows);
}

/* No other file knows (nearly) all columns: one that needs them takes them from there. */
TEST(test_columns_stand_in_one_place) {
    FILE *lists = popen("echo " ROWS_HEADER " | tr , '\\n' | while read name; do "
                        "grep -rlw $name common grading; done | sort | uniq -c | "
                        "awk '$1 > 35 { print $2 }'",
                        "r");
    char found[1024] = "";

    assert_non_null(lists);
    found[fread(found, 1, sizeof found - 1, lists)] = 0;
    pclose(lists);
    assert_string_equal(found, "common/referee/record/columns.h\n");
}
