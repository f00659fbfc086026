/* The gradebook: what is written down, what is refused, and that nothing refused is touched. */
#include "testing.h"
#include "catalogue_of_steps.h"
#include "fake_course.h"
#include "gradebook.h"
#include "query.h"
#include "seed.h"
#include "referee/build/steps.h"

static struct gradebook book;
static const char path[] = "out/gradebook.sqlite";

static int enter(void **state) {
    return enter_course(state) || read_catalogue(state);
}

static int begin(void **state) {
    (void)state;
    return system("rm -rf out");
}

static void open_book(void) {
    assert_int_equal(gradebook_open(&book, "out"), OUTCOME_ACCEPTED);
}

static long number(const char *sql) {
    return query_number(sql_query(book.db, sql, ""), -1);
}

static void change(const char *sql) {
    open_book();
    assert_int_equal(sqlite3_exec(book.db, sql, NULL, NULL, NULL), SQLITE_OK);
    gradebook_close(&book);
}

/* Refused with that outcome, one line with that in it, and not a byte of it changed. */
static void assert_refused(enum outcome outcome, const char *words) {
    char *before, *after, said[1024];
    size_t size, size_after;
    struct kept_stderr kept;
    enum outcome got;

    before = read_file(path, &size);
    kept = catch_stderr();
    got = gradebook_open(&book, "out");
    caught_stderr(kept, said, sizeof said);
    if (got != outcome)
        fail_msg("%d, not %d: %s", got, outcome, said);
    assert_int_equal(count_lines(said), 1);
    if (!strstr(said, words))
        fail_msg("\"%s\" is not in: %s", words, said);
    after = read_file(path, &size_after);
    assert_int_equal(size, size_after);
    assert_memory_equal(before, after, size);
    assert_int_equal(system("[ \"$(ls out)\" = gradebook.sqlite ]"), 0);
    free(before);
    free(after);
}

static struct submission make_submission(const char *student, char *text) {
    struct submission submission = {.source_count = 1};

    snprintf(submission.student, sizeof submission.student, "%s", student);
    seed_sha256(text, strlen(text), NULL, submission.sha256);
    submission.sources[0].step = catalogue_find(&catalogue, "05");
    submission.sources[0].text = text;
    submission.sources[0].bytes = strlen(text);
    return submission;
}

TEST_IN(begin, NULL, test_created) {
    struct stat status;
    char secret[65];

    open_book();
    assert_int_equal(strspn(book.secret, "0123456789abcdef"), 64);
    strcpy(secret, book.secret);
    assert_int_equal(number("SELECT value FROM meta WHERE key = 'schema'"), GRADEBOOK_SCHEMA);
    gradebook_close(&book);
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    open_book();
    assert_string_equal(book.secret, secret);
    gradebook_close(&book);
    assert_int_equal(truncate(path, 0), 0); /* killed before the first byte was written */
    open_book();
    assert_string_not_equal(book.secret, secret);
    gradebook_close(&book);
}

TEST_IN(begin, NULL, test_locked) {
    struct gradebook other;

    open_book();
    assert_int_equal(gradebook_open(&other, "out"), OUTCOME_LOCKED);
    gradebook_close(&book);
    open_book();
    gradebook_close(&book);
}

static void make_old(void) {
    change("INSERT INTO submission VALUES (1, 'bo', '', 'o', 's', '', ''); INSERT INTO prediction "
           "VALUES (1, '05_tiling', 't', 2.5, 'lds', 1); ALTER TABLE prediction DROP COLUMN late; "
           "DROP TABLE clock; "
           "UPDATE meta SET value = '1' WHERE key = 'schema'");
}

TEST_IN(begin, NULL, test_migrated) {
    char *before, *copy;
    size_t size, copied;

    make_old();
    before = read_file(path, &size);
    open_book();
    assert_int_equal(number("SELECT value FROM meta WHERE key = 'schema'"), GRADEBOOK_SCHEMA);
    assert_int_equal(number("SELECT late FROM prediction WHERE speedup = 2.5"), 0);
    gradebook_close(&book);
    copy = read_file("out/gradebook.sqlite.schema-1", &copied);
    assert_non_null(copy);
    assert_int_equal(size, copied);
    assert_memory_equal(before, copy, size);
    free(before);
    free(copy);
    open_book(); /* once is enough */
    gradebook_close(&book);
}

/* A migration that fails halfway leaves the old book. */
TEST_IN(begin, NULL, test_migration_fails) {
    make_old();
    open_book();
    gradebook_close(&book);
    assert_int_equal(system("rm out/*schema-1"), 0);
    change("UPDATE meta SET value = '1' WHERE key = 'schema'"); /* the column is there already */
    assert_int_equal(gradebook_open(&book, "out"), OUTCOME_GRADEBOOK);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), 0);
    assert_int_equal(
        query_number(sql_query(db, "SELECT value FROM meta WHERE key = 'schema'", ""), 0), 1);
    sqlite3_close(db);
}

TEST_IN(begin, NULL, test_newer) {
    change("UPDATE meta SET value = '9' WHERE key = 'schema'");
    assert_refused(OUTCOME_GRADEBOOK, "newer");
}

TEST_IN(begin, NULL, test_damaged) {
    char *bytes, *text;
    struct submission submission;
    size_t size = 0;
    int added, i;

    text = calloc(1, 40001);
    memset(text, 'x', 40000);
    open_book();
    submission = make_submission("bo", text);
    assert_int_equal(gradebook_add(&book, &catalogue, &submission, &added), 0);
    gradebook_close(&book);
    bytes = read_file(path, &size);
    for (i = 1; i < 4; i++) { /* a page's head, another one's, a missing end */
        char *damaged = malloc(size);

        memcpy(damaged, bytes, size);
        if (i < 3)
            memset(damaged + 4096 * (size_t)(i * 3), 0xa5, 600);
        write_bytes(path, damaged, i < 3 ? size : size - 6000);
        free(damaged);
        assert_refused(OUTCOME_GRADEBOOK, "damaged");
    }
    write_file(path, "student,points\nbo,3\n");
    assert_refused(OUTCOME_GRADEBOOK, "damaged");
    assert_int_equal(unlink(path), 0);
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), 0);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE grades (x)", NULL, NULL, NULL), 0);
    sqlite3_close(db);
    assert_refused(OUTCOME_GRADEBOOK, "no gradebook");
    free(bytes);
    free(text);
}

TEST_IN(begin, NULL, test_added_once) {
    char first[] = "one'); DROP TABLE entry; --", second[] = "two";
    struct submission submission = make_submission("O'Brien Ä", first);
    int added;

    open_book();
    submission.refusals[0] = (struct refusal){.path = "../x", .reason = "it's outside"};
    submission.refusal_count = 1;
    submission.answers = "step\tquestion\tanswer\n05\t1\tit's 3\tor 4\n05_tiling\t2\t \nnonsense\n";
    submission.predictions = "time_utc\tstep\tspeedup\tlimit\twhen\n"
                             "t1\t05_tiling\t1.5\tlds\tbefore\nt2\t05_tiling\t2\tlds\tbefore\n"
                             "t3\t05_tiling\t9\tlds\tlate\nt4\t06_unroll\t7\tlds\tlate\n"
                             "t5\t06_unroll\t8\tlds\tlate\nt6\t03_cuda_naive\t-\tlds\tbefore\n";
    assert_int_equal(gradebook_add(&book, &catalogue, &submission, &added), 0);
    assert_int_equal(added, 1);
    assert_int_equal(gradebook_add(&book, &catalogue, &submission, &added), 0);
    assert_int_equal(added, 0);
    submission = make_submission("O'Brien Ä", second);
    assert_int_equal(gradebook_add(&book, &catalogue, &submission, &added), 0);
    assert_int_equal(added, 1);
    assert_int_equal(number("SELECT count(*) FROM entry"), 2);
    assert_int_equal(number("SELECT count(*) FROM entry WHERE source = CAST('one''); DROP TABLE "
                            "entry; --' AS BLOB)"),
                     1);
    assert_int_equal(number("SELECT count(*) FROM refusal WHERE reason = 'it''s outside'"), 1);
    assert_int_equal(number("SELECT count(*) FROM answer"), 2);
    assert_int_equal(number("SELECT count(*) FROM answer WHERE question = '1' AND text = "
                            "'it''s 3' || char(9) || 'or 4'"),
                     1);
    assert_int_equal(number("SELECT speedup FROM prediction WHERE step = '05_tiling'"), 2);
    assert_int_equal(number("SELECT speedup FROM prediction WHERE step = '06_unroll' AND late"), 8);
    assert_int_equal(number("SELECT speedup FROM prediction WHERE step = '03_cuda_naive'"), 0);
    gradebook_close(&book);
}

TEST_IN(begin, NULL, test_solution) {
    const struct step *step = catalogue_find(&catalogue, "09");
    long first, second;

    open_book();
    assert_int_equal(gradebook_add_solution(&book, step, &first), 0);
    assert_int_equal(gradebook_add_solution(&book, step, &second), 0);
    assert_int_equal(first, second);
    assert_int_equal(number("SELECT count(*) FROM entry WHERE length(flags) > 2"), 1);
    write_file("solutions/09_ftz/flags", "-ftz=false\n"); /* another solution */
    assert_int_equal(gradebook_add_solution(&book, step, &second), 0);
    assert_int_not_equal(first, second);
    gradebook_close(&book);
}

TEST_IN(begin, NULL, test_taken) {
    struct task task = {.entry = 1, .kind = TASK_CHECK, .seed = 99};
    char text[] = "x", word[32];
    struct submission submission = make_submission("bo", text);
    int added, taken;
    static const char result[] =
        "{\"entry\": 1, \"kind\": \"check\", \"repeat\": 0, \"seed\": \"%s\", \"level\": 2, "
        "\"machine\": \"m\", \"course\": \"c\", \"begun_utc\": \"b\", \"seconds\": 1.5, "
        "\"outcome\": \"wrong\"}";
    char written[512];

    open_book();
    assert_int_equal(gradebook_add(&book, &catalogue, &submission, &added), 0);
    snprintf(written, sizeof written, result, "98"); /* of another gradebook */
    write_file("r", written);
    assert_int_equal(gradebook_take(&book, &task, "r", &taken), 0);
    assert_int_equal(taken, 0);
    assert_int_not_equal(access("r", F_OK), 0);
    write_bytes("r", written, strlen(written) / 2); /* cut off */
    assert_int_equal(gradebook_take(&book, &task, "r", &taken), 0);
    assert_int_equal(taken, 0);
    snprintf(written, sizeof written, result, "99");
    write_file("r", written);
    gradebook_peek("r", word);
    assert_string_equal(word, "wrong");
    assert_int_equal(gradebook_take(&book, &task, "r", &taken), 0);
    assert_int_equal(taken, 1);
    assert_int_not_equal(access("r", F_OK), 0);
    assert_int_equal(number("SELECT count(*) FROM measurement WHERE seed = '99' AND outcome = "
                            "'wrong' AND seconds = 1.5 AND level = 2"),
                     1);
    gradebook_close(&book);
}

/* Python: hmac.new(bytes.fromhex(secret), text, hashlib.sha256).digest()[:6], big-endian. */
TEST(test_seeds) {
    const char *secret = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    const char *sum = "abababababababababababababababababababababababababababababababab";

    assert_int_equal(seed_of(secret, sum, "05_tiling", "check", 0), 191772884210201);
    assert_int_equal(seed_of(secret, sum, "05_tiling", "speed", 2), 124486065703049);
}

static void assert_steps(const char *text, enum outcome outcome, int first, int count) {
    char chosen[MOST_STEPS];
    int i, found = 0;

    assert_int_equal(steps_read(text, &catalogue, chosen), outcome);
    for (i = 0; i < MOST_STEPS; i++)
        found += chosen[i];
    assert_int_equal(found, count);
    assert_true(!count || chosen[first]);
}

TEST(test_steps) {
    assert_steps(NULL, OUTCOME_ACCEPTED, 0, catalogue.count);
    assert_steps("03-09", OUTCOME_ACCEPTED, 2, 7);
    assert_steps("05", OUTCOME_ACCEPTED, 4, 1);
    assert_steps("05_tiling", OUTCOME_ACCEPTED, 4, 1);
    assert_steps("03-77", OUTCOME_NO_STEP, 0, 0);
    assert_steps("99", OUTCOME_NO_STEP, 0, 0);
    assert_steps("09-03", OUTCOME_USAGE, 0, 0);
    assert_steps("03-", OUTCOME_USAGE, 0, 0);
    assert_steps("-", OUTCOME_USAGE, 0, 0);
    assert_steps("all", OUTCOME_USAGE, 0, 0);
}

GROUP(enter, leave_course)
