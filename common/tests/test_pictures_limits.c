/* The pictures of programs under their limits, and of a tree beside all pairs. Run from the
 * repository's root. */
#include "testing.h"
#include "curves_record.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const char catalogue[] = "02_second\tI\tnbody\tnbody.cu\t-\taccepted\t1\tt\n"
                                "03_third\tI\tnbody\tnbody.cu\t02_second\taccepted\t1\tt\n"
                                "04_fourth\tI\tnbody\tnbody.cu\t02_second\taccepted\t1\tt\n"
                                "05_uncounted\tI\tnbody\tnbody.cu\t04_fourth\taccepted\t1\tt\n";

/* Points at slots and rate, under the line of what the GPU issues; the last step's cost of another
 * unit is a level. */
TEST(test_roofline) {
    static const struct line lines[] = {
        {"b", "02_second", "16", "solution", 65536, 800, 0, 0, "accepted", ""},
        {"b", "03_third", "16", "solution", 65536, 1500, 0, 0, "accepted:busy", ""},
        {"b", "03_third", "16", "solution", 30000, 900, 0, 0, "accepted", ""},
        {"b", "04_fourth", "16", "solution", 65536, 1200, 0, 0, "accepted", ""},
    };
    const double slots[] = {35.5, 14.2};

    begin(lines, COUNT(lines));
    say_fact("b", "", "", "ceiling_gpu_issue", 33e12);
    say_fact("b", "", "", "ceiling_gpu_mufu", 4.1e12);
    say_fact("b", "02_second", "16", "ncu_slots", slots[0]);
    say_fact("b", "03_third", "16", "ncu_slots", slots[1]);
    say_fact("b", "03_third", "16", "ncu_mufu", 1);
    draw();
    look("roofline");
    assert_named("Rate of every CUDA step against its issue slots");
    assert_int_equal(occurrences(svg, ">n = 65536<"), 1);
    assert_true(picture.x_tics >= 2 && picture.y_tics >= 2);
    for (int i = 0; i < 2; i++) {
        int found = 0;
        for (int k = 0; k < picture.marks; k++)
            found += near(value_at(picture.x, picture.mark[k].x), slots[i]) &&
                     near(value_at(picture.y, picture.mark[k].y), lines[i].rate);
        assert_int_equal(found, 1);
        assert_true(points_on("limit by issue slots", slots[i], 33e3 / slots[i]) >= 1);
    }
    assert_int_equal(picture.marks, 2 + 1); /* and one in the key */
    assert_int_equal(occurrences(svg, ">02_second: 35.5, 800<"), 1);
    assert_int_equal(occurrences(svg, ">03_third: 14.2, 1500*<"), 1);
    assert_int_equal(occurrences(svg, "04_fourth"), 0); /* nothing has counted it */
    assert_int_equal(occurrences(svg, ">MUFU, 1.00 per interaction: 4100 G/s<"), 1);
}

/* A point per step and level: of bytes that wavefronts and sectors carry, and of what ncu timed.
 * What runs on several devices has no limit, and no point. */
TEST(test_intensity) {
    static const struct line lines[] = {
        {"b", "02_second", "16", "solution", 65536, 800, 900, 0, "accepted", ""},
        {"b", "03_third", "16", "solution", 65536, 3000, 0, 0, "accepted", ""},
        {"b", "04_fourth", "16", "solution", 1000, 10, 0, 0, "accepted", "", "reduce", "floats",
         "cuda", "device"},
        {"b", "04_fourth", "16", "solution", 1000, 1000, 0, 0, "accepted", "", "reduce", "integers",
         "cuda", "device"},
    };
    /* 3 + 1 wavefronts of 4 bytes per unit, 2 sectors missed; 10% of 32 TB/s, and 8 bytes. The pass
     * of 5e11 units took ncu 0.25 s. */
    const double at[][2] = {{32.0 / 16, 25.6}, {32.0 / 2, 25.6}, {4 / 3.2, 4}, {2 / 8.0, 4}};

    begin(lines, COUNT(lines));
    say_fact("b", "", "", "ceiling_gpu_issue", 32e12);
    say_fact("b", "", "", "ceiling_gpu_lds", 8e12);
    say_fact("b", "", "", "ceiling_gpu_memory", 4e12);
    say_fact("b", "02_second", "16", "ncu_slots", 32);
    say_fact("b", "02_second", "16", "ncu_shared_wavefronts", 3);
    say_fact("b", "02_second", "16", "ncu_global_requests", 0.5);
    say_fact("b", "02_second", "16", "ncu_global_sectors", 4);
    say_fact("b", "02_second", "16", "ncu_global_sector_hits", 2);
    say_fact("b", "03_third", "16", "ncu_slots", 32);
    say_fact("b", "03_third", "16", "ncu_shared_wavefronts", 3);
    say_fact("b", "04_fourth", "16", "ncu_slots", 2);
    say_fact("b", "04_fourth", "16", "ncu_l1_data_share", 10);
    say_fact("b", "04_fourth", "16", "ncu_dram_bytes", 8);
    say_fact("b", "04_fourth", "16", "ncu_milliseconds", 250);
    assert_int_equal(run("sed -i '/04_fourth/s/source$/ncu n=1000 integers/' %s", record.facts), 0);
    draw();
    look("intensity");
    assert_named("Instructions per second of every CUDA step against its instructions per byte");
    for (int i = 0; i < COUNT(at); i++) {
        int found = 0;
        for (int k = 0; k < picture.marks; k++)
            found += near(value_at(picture.x, picture.mark[k].x), at[i][0]) &&
                     near(value_at(picture.y, picture.mark[k].y), at[i][1]);
        if (found != 1)
            fail_msg("%d points at %g, %g", found, at[i][0], at[i][1]);
    }
    assert_int_equal(picture.marks, COUNT(at));
    assert_true(points_on("issue of instructions, measured", 2, 32) >= 1);
    assert_int_equal(occurrences(svg, ">03_third<"), 0);
}

/* Seconds of a tree and of all pairs, of the fastest default variant; and where they cross. Here a
 * row's seconds are its rate. */
TEST(test_crossing) {
    static const struct line lines[] = {
        {"b", "02_second", "16", "solution", 1024, 1e-6, 0, 0, "accepted", "", "nbody", "cube",
         "cuda", "device"},
        {"b", "02_second", "16", "solution", 4096, 16e-6, 0, 0, "accepted", "", "nbody", "cube",
         "cuda", "device"},
        {"b", "02_second", "8", "solution", 4096, 1e-6, 0, 0, "accepted", "", "nbody", "cube",
         "cuda", "device"},
        {"b", "03_third", "16", "solution", 4096, 64e-6, 0, 0, "accepted", "", "nbody", "cube",
         "cuda", "device"},
        {"b", "03_third", "16", "solution", 4096, 2e-6, 0, 0, "accepted", ""},
        {"b", "04_fourth", "16", "solution", 1024, 2e-6, 0, 0, "accepted", "", "walk", "ball",
         "cuda", "device"},
        {"b", "04_fourth", "16", "solution", 4096, 8e-6, 0, 0, "accepted", "", "walk", "ball",
         "cuda", "device"},
    };
    const double at[][2] = {{1024, 1e-6}, {4096, 16e-6}, {1024, 2e-6}, {4096, 8e-6}};

    begin(lines, COUNT(lines));
    assert_int_equal(
        run("awk -F, -v OFS=, 'NR == 1 { for (k = 1; k <= NF; k++) c[$k] = k } "
            "NR > 1 { $(c[\"seconds_median\"]) = $(c[\"rate_gps\"]) } 1' %s >%s.new && "
            "mv %s.new %s",
            record.rows, record.rows, record.rows, record.rows),
        0);
    draw();
    look("crossing");
    assert_named("Seconds for the forces on all bodies against n");
    for (int i = 0; i < COUNT(at); i++) {
        int found = 0;
        for (int k = 0; k < picture.marks; k++)
            found += !strcmp(picture.mark[k].text, i < 2 ? "all pairs" : "tree, ball") &&
                     near(value_at(picture.x, picture.mark[k].x), at[i][0]) &&
                     near(value_at(picture.y, picture.mark[k].y), at[i][1]);
        assert_int_equal(found, 1);
    }
    assert_int_equal(occurrences(svg, ">2048<"), 1);
    /* Another record has faster pairs, which count only where this one has none, and of such a GPU.
     */
    assert_int_equal(run("mkdir -p $D/docs/results/far && sed 's/,1e-06,/,1e-07,/g; "
                         "s/,1.6e-05,/,1.6e-06,/g; s/,16,/,plain,/; s/02_second/05_uncounted/' %s "
                         ">$D/docs/results/far/far.csv",
                         record.rows),
                     0);
    draw();
    look("crossing");
    assert_int_equal(occurrences(svg, ">2048<"), 1);
    assert_int_equal(run("sed -i '/,nbody,/d' %s", record.rows), 0);
    draw();
    look("crossing");
    assert_int_equal(occurrences(svg, ">2048<"), 0);
    assert_int_equal(
        run("rm %s/crossing.svg; sed -i 's/gpu of run b/a slower one/' %s", results, record.rows),
        0);
    draw();
    assert_false(is_drawn("crossing"));
    assert_int_equal(run("rm -r $D/docs/results/far"), 0);
}

static int set_up(void **state) {
    (void)state;
    return make_drawing(catalogue);
}

GROUP(set_up, end_folder)
