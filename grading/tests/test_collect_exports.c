/* collect(): a class as Moodle, Canvas and Gradescope export it, as an archive and unpacked. Names
 * are invented. Run from the repository's root. */
#include "testing.h"

#include <locale.h>

#include "submissions.h"

enum { PEOPLE = 10 };

static const char *const people[PEOPLE] = {"J\xc3\xb6rg M\xc3\xbcller",
                                           "Maire\xc3\xa0 O'Brien",
                                           "Anna Maria de la Cruz",
                                           "\xc5\x81ukasz \xc5\xbb\xc3\xb3\xc5\x82ty",
                                           "Wei_Ling Tan",
                                           "Zo\xc3\xab van 't Veld",
                                           "Bob",
                                           "\xe6\x9d\x8e \xe5\xb0\x8f",
                                           "Carl-Heinz Gro\xc3\x9f",
                                           "A. B. Smith, Jr."};

static int in_utf8(void **state) {
    setlocale(LC_CTYPE, "C.UTF-8"); /* libarchive's writer wants it for umlauts */
    return begin_folder(state);
}

/* What each person hands in: an archive of `make submit`, a zip, or the sources themselves. */
static void work_of(int i, struct made *made) {
    char id[32];

    if (i % 2) {
        begin_zip(made);
        add_text(made, "my work/05_tiling/nbody.cu", people[i]);
    } else {
        snprintf(id, sizeof id, "own-id-%d", i);
        pack(made, id, people[i]);
    }
}

static void moodle_zip(void) {
    struct made zip, made;
    char path[512];
    int i;

    begin_zip(&zip);
    for (i = 0; i < PEOPLE; i++) {
        if (i % 5 == 4) {
            snprintf(path, sizeof path, "%s_%d_assignsubmission_file_/05_tiling.cu", people[i],
                     7000 + i);
            add_text(&zip, path, people[i]);
            continue;
        }
        /* Newer ones write no line at the folder's end; without folders the file's name follows. */
        snprintf(path, sizeof path, "%s_%d_assignsubmission_file%s%s", people[i], 7000 + i,
                 i % 3 == 0   ? "_/"
                 : i % 3 == 1 ? "/"
                              : "_",
                 i % 2 ? "my work.zip" : "submission.tar.gz");
        work_of(i, &made);
        finish_into(&made, &zip, path);
    }
    add_text(&zip, "Bob_7006_assignsubmission_onlinetext_/onlinetext.html", "<p>");
    finish_in(&zip, "C101-Assignment 5-4711.zip");
}

static void canvas_folder(void) {
    struct made made;
    char path[512], first[64];
    int i;

    for (i = 0; i < PEOPLE; i++) {
        snprintf(first, sizeof first, "%.*s", (int)strcspn(people[i], " _"), people[i]);
        snprintf(path, sizeof path, "%s_%s%d_%d_%s", first, i % 3 ? "" : "LATE_", 8000 + i,
                 990000 + i,
                 i % 5 == 4 ? "nbody_05-2.cu"
                 : i % 2    ? "my work-1.zip"
                            : "submission-own-id.tar.gz");
        if (i % 5 == 4) {
            put(path, people[i]);
            continue;
        }
        work_of(i, &made);
        finish_in(&made, path);
    }
}

static void gradescope_zip(void) {
    struct made zip, made;
    char metadata[8192] = "---\n", path[512];
    size_t used = strlen(metadata);
    int i;

    begin_zip(&zip);
    for (i = 0; i < PEOPLE; i++) {
        used += (size_t)sprintf(
            metadata + used,
            "submission_%d:\n  :submitters:\n  - :name: %s%s%s\n    :sid: %s%d%s\n"
            "    :email: p%d@example.org\n"
            "  :created_at: 2026-11-2%d 10:20:30.123456789 %s\n  :score: 0.0\n"
            "  :history:\n  - :id: 5\n    :created_at: 2020-01-01 00:00:00 Z\n"
            "    :name: nobody\n",
            60000 + i, i == 9 ? "\"" : "", people[i], i == 9 ? "\"" : "", i % 2 ? "'" : "",
            9000 + i, i % 2 ? "'" : "", i, i, i % 2 ? "Z" : "-07:00");
        snprintf(path, sizeof path, "assignment_33_export/submission_%d/%s", 60000 + i,
                 i % 2 ? "05_tiling/nbody.cu" : "submission-x.tar.gz");
        if (i % 2) {
            add_text(&zip, path, people[i]);
            continue;
        }
        work_of(i, &made);
        finish_into(&made, &zip, path);
    }
    add_text(&zip, "assignment_33_export/submission_metadata.yml", metadata);
    finish_in(&zip, "assignment_33_export.zip");
}

static void assert_person(int id, const char *name, const char *time, int i) {
    char line[512], *at;

    snprintf(line, sizeof line, "@%d (%s) [%s]", id, name, time);
    assert_found(line);
    at = strchr(strstr(found, line), '\n');
    if (strncmp(at, "\n+05_tiling ", 12))
        fail_msg("no source of %s:\n%s", name, found);
    snprintf(line, sizeof line, "\"%.20s\"\n=", people[i]);
    if (strncmp(strchr(at, '"'), line, strlen(line)))
        fail_msg("not the source of %s:\n%s", name, found);
}

/* Thirty submissions in the three forms of exports at once: people, steps and times. */
TEST_IN(in_utf8, end_folder, test_thirty) {
    char first[64], time[24];
    int i;

    setenv("TZ", "UTC", 1);
    moodle_zip();
    canvas_folder();
    gradescope_zip();
    gather();
    assert_int_equal(submissions, 3 * PEOPLE + 1); /* and a text that was typed in */
    for (i = 0; i < PEOPLE; i++) {
        assert_person(7000 + i, people[i], "2026-11-21T12:00:00Z", i);
        snprintf(first, sizeof first, "%.*s", (int)strcspn(people[i], " _"), people[i]);
        assert_person(8000 + i, first, "", i);
        snprintf(time, sizeof time, "2026-11-2%dT%d:20:30Z", i, i % 2 ? 10 : 17);
        assert_person(9000 + i, people[i], time, i);
    }
    assert_found("\n!onlinetext.html: was typed into a form, of which nothing is taken");
    assert_null(strstr(strstr(found, "\n!") + 1, "\n!"));
    assert_found("C101-Assignment 5-4711.zip/Bob_7006_assignsubmission_file_/submission.tar.gz\n");
    assert_found("C101-Assignment 5-4711.zip/Wei_Ling Tan_7004_assignsubmission_file_\n");
}

/* A zip without a time zone says the same wherever it is read; one with times since 1970 says more.
 */
TEST_IN(begin_folder, end_folder, test_clocks) {
    static const char *const zones[] = {"UTC", "Asia/Kathmandu", "America/Los_Angeles"};
    struct made made;
    size_t i;

    setenv("TZ", "UTC", 1);
    tzset();
    begin_zip(&made);
    add_text(&made, "Bob_7006_assignsubmission_file_/05_tiling.cu", "bob");
    finish(&made);
    keep_clocks(&made);
    write_deep(in_place("a.zip"), made.bytes, made.used);
    free(made.bytes);
    begin_zip(&made);
    add_text(&made, "Eve_7007_assignsubmission_file_/05_tiling.cu", "eve");
    finish_in(&made, "b.zip");
    for (i = 0; i < sizeof zones / sizeof *zones; i++) {
        setenv("TZ", zones[i], 1);
        gather();
        assert_found("@7006 (Bob) [2026-11-21T12:00:00] ");
        assert_found("@7007 (Eve) [2026-11-21T12:00:00Z] ");
    }
    unsetenv("TZ");
    put("times.tsv", "Bob\t2026-11-22T01:00:00Z\n7008\t2026-11-22T01:00:00Z\n");
    struct kept_stderr kept = catch_stderr();
    gather();
    char words[512];
    caught_stderr(kept, words, sizeof words);
    assert_found("@7006 (Bob) [2026-11-22T01:00:00Z] ");
    assert_int_equal(count_lines(words), 1);
    assert_non_null(strstr(words, "times.tsv:2: no submission here is of 7008;"));
}

/* What was typed into a form is told of, alone too, and whether the export is unpacked or not. */
TEST_IN(begin_folder, end_folder, test_typed) {
    struct made made;

    put("Ann_5_assignsubmission_onlinetext_/onlinetext.html", "int main");
    put("Bob_6_assignsubmission_onlinetext_onlinetext.html", "int main");
    gather();
    assert_found("@5 (Ann) [] Ann_5_assignsubmission_onlinetext_\n!onlinetext.html: was typed");
    assert_found("@6 (Bob)");
    begin_zip(&made);
    add_text(&made, "doe_LATE_17_text.html", "int main");
    add_text(&made, "roe_18_link.html", "https");
    add_text(&made, "zed_19_7_nbody_05.cu", "five");
    finish_in(&made, "submissions.zip");
    gather();
    assert_found("@17 (doe) ");
    assert_found("!text.html: was typed");
    assert_found("@18 (roe) ");
    assert_found("!link.html: was typed");
    assert_found("+05_tiling nbody_05.cu \"five\"\n=");
}

/* A class's export, a student's zip in it, and a zip in that. */
TEST_IN(begin_folder, end_folder, test_zip_in_a_zip) {
    struct made zip, made, inner;

    begin_zip(&zip);
    begin_zip(&made);
    begin_zip(&inner);
    add_text(&inner, "05_tiling/nbody.cu", "deep");
    finish_into(&inner, &made, "work.zip");
    finish_into(&made, &zip, "Bob_7_assignsubmission_file_/all.zip");
    finish_in(&zip, "class.zip");
    gather();
    assert_found("@7 (Bob)");
    assert_found("+05_tiling 05_tiling/nbody.cu \"deep\"");
    assert_not_found("\n!");
}

/* The same unpacked. */
TEST_IN(begin_folder, end_folder, test_unpacked) {
    struct made made;

    put("J\xc3\xb6rg M\xc3\xbcller_12_assignsubmission_file_/05_tiling/nbody.cu", "five");
    pack(&made, "own", "packed");
    finish(&made);
    write_deep(in_place("Bob_13_assignsubmission_file/submission-own.tar.gz"), made.bytes,
               made.used);
    free(made.bytes);
    put("Eve_14_assignsubmission_file_nbody_06.cu", "six");
    put("assignment_9_export/submission_1/nbody_07.cu", "seven");
    put("assignment_9_export/submission_metadata.yml",
        "submission_1:\n  :submitters:\n  - :sid: \n    :name: 'Pat O''Neil'\n    :email: p@e.org\n"
        "  - :name: Sam\n    :sid: s-2\n  :created_at: 2026-11-20T23:00:00+02:00\n");
    gather();
    assert_int_equal(submissions, 5);
    assert_found("@12 (J\xc3\xb6rg M\xc3\xbcller) [] J\xc3\xb6rg M\xc3\xbcller_12_assignsubmission_"
                 "file_\n+05_tiling 05_tiling/nbody.cu \"five\"\n=");
    assert_found("@13 (Bob) [] Bob_13_assignsubmission_file/submission-own.tar.gz\n+05_tiling");
    assert_found("@14 (Eve) [] Eve_14_assignsubmission_file_nbody_06.cu\n+06_unroll");
    assert_found("@p_e.org-");
    assert_found(" (Pat O'Neil) [2026-11-20T21:00:00Z] assignment_9_export/submission_1\n+07_");
    assert_found("@s-2 (Sam) [2026-11-20T21:00:00Z] assignment_9_export/submission_1\n+07_");
    assert_not_found("\n!");
}

TEST_IN(begin_folder, end_folder, test_gradescope_folder_itself) {
    put("submission_1/nbody_07.cu", "seven");
    put("submission_3/Ben_2_assignsubmission_file_/nbody_08.cu", "not Ben's");
    put("submission_2/nbody_07.cu", "of nobody");
    put("submission_metadata.yml", "submission_1:\n  :submitters:\n  - :name: Sam\n    :sid: 4\n"
                                   "submission_22:\n  :submitters:\n  - :name: X\n    :sid: 5\n"
                                   "submission_3:\n  :submitters:\n  - :name: Eve\n    :sid: 6\n");
    gather();
    assert_int_equal(submissions, 3);
    assert_found("@6 (Eve) [] submission_3\n+08_");
    assert_found("@4 (Sam) [] submission_1\n+07_");
    assert_not_found("@2");
    assert_found("submission_2: submission_metadata.yml does not say whose this is");
}

/* Canvas: several files of a person, and files handed in again. */
TEST_IN(begin_folder, end_folder, test_canvas_attempts) {
    put("m\xc3\xbcllerj_5_101_nbody_05.cu", "a five");
    put("m\xc3\xbcllerj_5_102_nbody_06.cu", "a six");
    put("m\xc3\xbcllerj_LATE_5_103_nbody_05-1.cu", "b five");
    put("m\xc3\xbcllerj_5_104_essay.pdf", "%PDF");
    put("otto_6_99_essay.pdf", "%PDF");
    gather();
    assert_int_equal(submissions, 3);
    assert_found("@5 (m\xc3\xbcllerj) [] m\xc3\xbcllerj_5_101_nbody_05.cu\n+05_tiling nbody_05.cu "
                 "\"a five\"\n+06_unroll nbody_06.cu \"a six\"\n=");
    assert_found("+05_tiling nbody_05-1.cu \"b five\"\n=");
    assert_true(strstr(found, "a five") < strstr(found, "b five"));
    assert_found("@6 (otto) [] otto_6_99_essay.pdf\n!otto_6_99_essay.pdf: there is no source");
}

/* Whoever's name the platform gave has it, whatever is written inside. */
TEST_IN(begin_folder, end_folder, test_platform_wins) {
    struct made made, zip;

    pack(&made, "ben", "by anna");
    add_text(&made, "Ben_2_assignsubmission_file_/06_unroll/nbody.cu", "by anna");
    add_text(&made, "ben_2_9_nbody_07.cu", "by anna");
    finish(&made);
    write_deep(in_place("Anna_1_assignsubmission_file_/submission-ben.tar.gz"), made.bytes,
               made.used);
    free(made.bytes);
    put("Anna_1_assignsubmission_file_/Ben_2_assignsubmission_file_/nbody_08.cu", "by anna");
    pack(&made, "ben", "by ben");
    finish_in(&made, "Ben_2_assignsubmission_file_x.tar.gz");
    begin_zip(&zip);
    add_text(&zip, "Anna_1_assignsubmission_file_/Ben_2_assignsubmission_file_/nbody_09.cu", "x");
    finish_in(&zip, "zz.zip");
    gather();
    assert_found("@1 (Anna) [] Anna_1_assignsubmission_file_/submission-ben.tar.gz\n");
    assert_found("@2 (Ben) [] Ben_2_assignsubmission_file_x.tar.gz\n+05_tiling "
                 "ben/05_tiling/nbody.cu \"by ben\"\n!");
    assert_null(strstr(strstr(found, "@2 "), "by anna"));
    assert_null(strstr(strstr(found, "@2 ") + 1, "\n@"));
    assert_found("!manifest.tsv: the id ben inside is in someone else's archive too; this one "
                 "counts for 2, as the export says");
    assert_found("counts for 1, as the export says");
}

/* A student's archive cannot pose as an export that lies among those of others. */
TEST_IN(begin_folder, end_folder, test_forged_export) {
    struct made made;

    begin_zip(&made);
    add_text(&made, "Ben_2_assignsubmission_file_/05_tiling/nbody.cu", "forged");
    finish_in(&made, "a.zip");
    put("carl.pdf", "%PDF");
    gather();
    assert_found("@2 (Ben)");
    pack(&made, "dora", "honest");
    finish_in(&made, "dora.tar.gz");
    gather();
    assert_not_found("forged");
    assert_found("lies in an export of a learning platform beside dora.tar.gz");
    assert_found("@dora () [] dora.tar.gz\n+05_tiling");
}

/* A file that is named as Canvas would among others that are not is a student's own. */
TEST_IN(begin_folder, end_folder, test_no_export) {
    struct made made;

    begin_zip(&made);
    add_text(&made, "nbody_5_17_old.cu", "old");
    add_text(&made, "05_tiling/nbody.cu", "five");
    finish_in(&made, "anna.zip");
    begin_zip(&made);
    add_text(&made, "nbody_06_1_old.cu", "old");
    finish_in(&made, "ben.zip");
    gather();
    assert_int_equal(submissions, 2);
    assert_found(
        "@anna () [] anna.zip\n+05_tiling 05_tiling/nbody.cu \"five\"\n!nbody_5_17_old.cu:");
    assert_found("@ben () [] ben.zip\n!nbody_06_1_old.cu: there is no step 06_1_old;");
}

/* Two platforms' numbers may be the same and are then two people. */
TEST_IN(begin_folder, end_folder, test_same_number) {
    put("Ann_5_assignsubmission_file_/nbody_05.cu", "ann");
    put("zed_5_7_nbody_05.cu", "zed");
    gather();
    assert_found("\"ann\"");
    assert_not_found("\"zed\"");
    assert_found("claims the id 5, as Ann_5_assignsubmission_file_ does");
}

/* Zip programs of Windows that do not write UTF-8: CP437, as DOS did, and Latin-1. */
TEST_IN(begin_folder, end_folder, test_old_names) {
    static const char *const names[] = {"J\x94rg_31_assignsubmission_file_/05.cu",
                                        "J\xf6rg_32_assignsubmission_file_/05.cu"};
    char zip[4096];
    size_t used = 0, i, start[2];

    for (i = 0; i < 2; i++) { /* a local header, the name, one byte stored */
        uint16_t length = (uint16_t)strlen(names[i]);
        static const char head[] = "PK\3\4\12\0\0\0\0\0\0\0\41\0\x43\xbe\xb7\xe8\1\0\0\0\1\0\0\0";

        start[i] = used;
        memcpy(zip + used, head, 26);
        memcpy(zip + used + 26, &length, 2);
        memset(zip + used + 28, 0, 2);
        memcpy(zip + used + 30, names[i], length);
        zip[used + 30 + length] = 'a';
        used += 31u + length;
    }
    {
        uint32_t place_of = (uint32_t)used, size, offset;
        uint16_t two = 2;

        for (i = 0; i < 2; i++) {
            uint16_t length = (uint16_t)strlen(names[i]);

            memset(zip + used, 0, 46);
            memcpy(zip + used, "PK\1\2\12\0\12\0", 8);
            memcpy(zip + used + 14, "\41\0\x43\xbe\xb7\xe8\1\0\0\0\1\0\0\0", 14);
            memcpy(zip + used + 28, &length, 2);
            offset = (uint32_t)start[i];
            memcpy(zip + used + 42, &offset, 4);
            memcpy(zip + used + 46, names[i], length);
            used += 46u + length;
        }
        size = (uint32_t)used - place_of;
        memset(zip + used, 0, 22);
        memcpy(zip + used, "PK\5\6", 4);
        memcpy(zip + used + 8, &two, 2);
        memcpy(zip + used + 10, &two, 2);
        memcpy(zip + used + 12, &size, 4);
        memcpy(zip + used + 16, &place_of, 4);
        used += 22;
    }
    write_deep(in_place("old.zip"), zip, used);
    gather();
    assert_found("@31 (J\xc3\xb6rg)");
    assert_found("@32 (J\xc3\xb6rg)");
    assert_found("+05_tiling 05.cu \"a\"");
}
