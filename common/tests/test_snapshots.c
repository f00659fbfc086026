/* Files of bodies, tipsy and text: what is written is what others expect and what is read back, and
 * each fault of a file is named. HDF5: test_snapshots_hdf5.c. */
#include "testing.h"
#include "snapshot_bodies.h"

TEST(text_keeps_every_bit) {
    struct snapshot six = six_bodies(), back;

    write_right("a.txt", &six);
    back = read_right("a.txt");
    assert_memory_equal(back.first, six.first, sizeof six.first);
    assert_memory_equal(back.stars, six.stars, 6 * sizeof *six.stars);
    free(back.stars);
    free(six.stars);
}

TEST(tipsy_keeps_floats) {
    static const int first[] = {0, 2, 2, 2, 6};
    struct snapshot six = six_bodies(), back;

    write_right("a.tipsy", &six);
    back = read_right("a.tipsy");
    assert_memory_equal(back.first, first, sizeof first);
    for (int i = 0; i < 6; i++) {
        const double *values = (const double *)&six.stars[i], *got = (double *)&back.stars[i];

        for (int k = 0; k < 7; k++) {
            double expected = (float)values[k];

            assert_memory_equal(&got[k], &expected, sizeof expected);
        }
    }
    free(back.stars);
    free(six.stars);
}

/* Byte by byte, by the format's own description: time, n, dimensions, gas, dark, stars, padding;
 * then mass, place and velocity, and two or four floats more. */
TEST(tipsy_is_the_standard_form) {
    static const unsigned char head[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3,    0,
                                         0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0x3f, 0xc0};
    const struct star stars[] = {{1.5, {1, 2, 3}, {4, 5, 6}}, {1, {-2}, {0}}};
    const struct snapshot two = {(struct star *)stars, {0, 1, 2, 2, 2}};
    size_t size;
    char *bytes;

    write_right("a.tipsy", &two);
    assert_non_null(bytes = read_file(path_of("a.tipsy"), &size));
    assert_int_equal(size, 32 + 36 + 44);
    assert_memory_equal(bytes, head, sizeof head);
    assert_memory_equal(bytes + 32 + 4 * 6, "\x40\xc0\0\0\0\0\0\0\0\0\0\0", 12);
    assert_memory_equal(bytes + 32 + 36, "\x3f\x80\0\0\xc0\0\0\0\0\0\0\0", 12);
    free(bytes);
}

/* Tipsy files as big-endian words, 8 of the header and 9 of each dark body. */
static void write_words(const char *name, const uint32_t *words, int count, int is_big) {
    FILE *file = fopen(path_of(name), "wb");

    assert_non_null(file);
    for (int k = 0; k < count; k++)
        for (int b = 0; b < 4; b++)
            putc((int)(words[k] >> 8 * (is_big ? 3 - b : b) & 255), file);
    fclose(file);
}

enum { ONE = 0x3f800000, NAN_WORD = 0x7fc00000, MINUS_ONE = (int)0xbf800000 };

TEST(tipsy_of_either_order_is_read) {
    const uint32_t words[] = {0, 0, 1, 3, 0, 1, 0, 0, ONE, 0, 0, ONE, 0, 0, 0x40000000, 7, 7};

    for (int is_big = 0; is_big < 2; is_big++) {
        struct snapshot one;

        write_words("b.tipsy", words, 17, is_big);
        one = read_right("b.tipsy");
        assert_int_equal(one.first[COMPONENTS], 1);
        assert_true(one.stars->mass == 1 && one.stars->x[2] == 1 && one.stars->v[2] == 2);
        free(one.stars);
    }
}

TEST(faults_of_tipsy_are_named) {
    static const struct {
        uint32_t words[17];
        int count;
        const char *phrase;
    } faults[] = {
        {{0}, 0, "a header of 32 bytes"},
        {{0, 0, 1, 3, 0, 1, 0}, 7, "a header of 32 bytes"},
        {{0, 0, 1, 2, 0, 1, 0, 0, ONE}, 17, "bytes 12 to 15 the number 3"},
        {{0, 0, 1, 3, 0, 1, 0, 0, ONE}, 16, "the file has 64 bytes; the 1 dark bodies"},
        {{0, 0, 1, 3, 0, 1, 0, 0, ONE}, 8, "should take 68"},
        {{0, 0, 0, 3, 0, 0, 0, 0, ONE}, 17, "should take 32"}, /* more than it says */
        {{0, 0, 0, 3, 0, 0, 0, 0}, 8, "there should be one or more"},
        {{0, 0, 2, 3, 0, 1, 0, 0, ONE}, 17, "says 2 bodies: 0 of gas, 1 dark ones and 0 stars"},
        {{0, 0, 1, 3, 0, 2, -1u, 0, ONE}, 17, "and -1 stars; there should be no gas, no negative"},
        {{0, 0, 1, 3, 0, -1u, 2, 0, ONE}, 17, "-1 dark ones and 2 stars"},
        {{0, 0, 1, 3, 1, 1, 0, 0, ONE},
         17,
         "1 of gas, 1 dark ones and 0 stars; there should be no gas"},
        {{0, 0, 1 << 29, 3, 0, 1 << 29, 0, 0, ONE}, 17, "at most 2^28"},
        {{0, 0, 1 << 28, 3, 0, 1 << 28, 0, 0, ONE}, 17, "should take 9663676448"},
        {{0, 0, 1, 3, 0, 1, 0, 0, NAN_WORD}, 17, "body 1 of 1 has a number that is not finite"},
        {{0, 0, 1, 3, 0, 1, 0, 0, ONE, NAN_WORD}, 17, "not finite"},
        {{0, 0, 1, 3, 0, 1, 0, 0, ONE, 0, 0, 0, 0, 0, 0x7f800000}, 17, "not finite"},
        {{0, 0, 1, 3, 0, 1, 0, 0, (uint32_t)MINUS_ONE}, 17, "a negative mass"},
    };

    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++)
        for (int is_big = 0; is_big < 2; is_big++) {
            write_words("c.tipsy", faults[k].words, faults[k].count, is_big);
            assert_refused("c.tipsy", faults[k].phrase);
        }
}

#define SEVEN "1 2 3 4 5 6 7\n"

/* Those of other people: without comments, with other ones, with tabs, as another system ends
 * lines. */
TEST(text_of_others_is_read) {
    static const char *const texts[] = {SEVEN SEVEN, "# m x\n" SEVEN "#\n\n" SEVEN,
                                        "1\t2 3 4 5 6 7e0 \r\n" SEVEN,
                                        " # 2 bodies: so it says\n" SEVEN SEVEN};

    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        struct snapshot two;

        write_file(path_of("d.txt"), texts[k]);
        two = read_right("d.txt");
        assert_int_equal(two.first[1], 2);
        assert_int_equal(two.first[COMPONENTS], 2);
        assert_true(two.stars[0].mass == 1 && two.stars[1].x[2] == 4 && two.stars[0].v[2] == 7);
        free(two.stars);
    }
}

TEST(faults_of_text_are_named) {
    static const char *const faults[][2] = {
        {"", "there should be one or more"},
        {"# halo\n", "there should be one or more"},
        {SEVEN "1 2 3 4 5 6\n", "line 2: a line should be seven numbers"},
        {"# so\n\n1 2 3 x 5 6 7\n", "line 3: a line should be seven numbers"},
        {"1,2,3,4,5,6,7\n", "line 1: a line should be seven numbers"},
        {"1 2 3 4 5 6 7 8\n", "line 1: a line should end after seven numbers"},
        {"1 2 3 4 5 6 7x\n", "line 1: a line should end after seven numbers"},
        {SEVEN "1 2 3 4 5 6 7", "line 2: the line is cut off"},
        {"1 2 3 4 nan 6 7\n", "body 1 of 1 has a number that is not finite"},
        {SEVEN "1 2 3 4 5 6 1e999\n", "body 2 of 2 has a number that is not finite"},
        {"-1 2 3 4 5 6 7\n", "a negative mass"},
        {"# disk\n" SEVEN "# halo\n" SEVEN, "line 3: halo, stellar halo, bulge and disk should"},
        {"# 3 bodies: so\n" SEVEN SEVEN, "there are 3 bodies; there are 2"},
        {"# -1 bodies: so\n" SEVEN, "there are -1 bodies; there are 1"},
    };

    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        write_file(path_of("e.txt"), faults[k][0]);
        assert_refused("e.txt", faults[k][1]);
    }
}

TEST(names_say_the_format) {
    char message[512];

    assert_null(snapshot_format("m31.fits", message));
    assert_string_equal(message, "m31.fits: a name that ends in .tipsy, .txt or .hdf5 is needed");
    assert_null(snapshot_format("txt", message));
    assert_refused("no.txt", "No such file");
    assert_int_equal(mkdir(path_of("folder.txt"), 0777), 0);
    assert_refused("folder.txt", "Is a directory");
    assert_int_equal(mkdir(path_of("folder.tipsy"), 0777), 0);
    assert_refused("folder.tipsy", "folder.tipsy: Is a directory");
}

/* How many files the test's folder has. */
static int files_there(void) {
    char command[128];
    FILE *count;
    int files = -1;

    snprintf(command, sizeof command, "ls %s | wc -l", folder);
    assert_non_null(count = popen(command, "r"));
    assert_int_equal(fscanf(count, "%d", &files), 1);
    pclose(count);
    return files;
}

/* The former file stays, and nothing else does. */
TEST(a_failure_leaves_what_was_there) {
    struct snapshot six = six_bodies(), back;
    char message[512];
    int files;

    write_right("f.tipsy", &six);
    files = files_there();
    six.stars[3].x[1] = 1e39;
    assert_int_equal(snapshot_write(path_of("f.tipsy"), &six, message), OUTCOME_RESULTS);
    assert_non_null(strstr(message, "f.tipsy cannot be written: body 4 has a number too large"));
    back = read_right("f.tipsy");
    assert_int_equal(back.first[COMPONENTS], 6);
    assert_int_equal(snapshot_write(path_of("no/such.txt"), &six, message), OUTCOME_RESULTS);
    assert_non_null(strstr(message, "such.txt cannot be written: No such file"));
    assert_int_equal(snapshot_write(path_of("folder.txt"), &six, message), OUTCOME_RESULTS);
    assert_non_null(strstr(message, "Is a directory"));
    assert_int_equal(files_there(), files);
    free(back.stars);
    free(six.stars);
}

/* Where the harness was built without libhdf5 there is no module, as in another folder. */
TEST(a_missing_library_is_named) {
    char message[512], here[4096];

    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    assert_null(snapshot_format("m31.hdf5", message));
    assert_int_equal(chdir(here), 0);
    assert_non_null(strstr(message, "m31.hdf5: libhdf5 was not found when the harness was built; "
                                    "install it (Debian: libhdf5-dev)"));
}

GROUP(begin_folder, end_folder)
