/* The pictures of what a survey found: which facts they take, and that they are drawn. Run from the
 * repository's root. */
#include "testing.h"
#include "scratch.h"

static const char header[] = "run,step,variant,name,value,unit,source\n";

/* What NAME.awk selects of the facts, for the step 40. */
static char *selected(const char *name, const char *facts) {
    char path[160], text[4096];

    snprintf(path, sizeof path, "%s/facts.csv", folder);
    snprintf(text, sizeof text, "%s%s", header, facts);
    write_file(path, text);
    assert_int_equal(run("cd common/report/pictures && awk -f record.awk -f survey.awk -f %s.awk "
                         "step=40_orbits machine_name=m $D/facts.csv",
                         name),
                     0);
    return read_text("said");
}

TEST(the_last_run_of_the_step_is_drawn) {
    char *text = selected("orders", "a,40_orbits,one,error_kepler05_64,9,a,survey\n"
                                    "a,40_orbits,one,error_kepler05_256,3,a,survey\n"
                                    "a,40_orbits,three,error_kepler05_64,8,a,survey\n"
                                    "b,40_orbits,one,error_kepler05_64,0.5,a,survey\n"
                                    "b,40_orbits,two,error_kepler05_128,0.25,a,survey\n"
                                    "b,40_orbits,two,error_kepler09_64,4,a,survey\n"
                                    "c,41_other,one,error_kepler05_64,7,a,survey\n"
                                    "c,40_orbits,one,error_kepler05_64,6,a,step\n");

    assert_string_equal(text,
                        "$rows << EOD\n64\t0.5\n\n\nNaN\tNaN\n\n\n128\t0.25\n\n\n64\t4\n\n\nEOD\n"
                        "#| variant\t#eccentricity\t#steps per orbit\t#error\n"
                        "#| one\t0.5\t64\t0.5\n#| two\t0.5\t128\t0.25\n#| two\t0.9\t64\t4\n\n"
                        "names = 'one two'\nmachine = 'm,  run b'\n");
    free(text);
}

TEST(energies_lose_their_sign) {
    char *text = selected("energy", "b,40_orbits,one,soft_quarter_1,-0.5,of E,survey\n"
                                    "b,40_orbits,one,soft_quarter_2,0.25,of E,survey\n"
                                    "b,40_orbits,one,bare_quarter_1,2,of E,survey\n");

    assert_non_null(strstr(text, "$rows << EOD\n0.25\t0.5\n0.5\t0.25\n\n\n0.25\t2\n\n\nEOD\n"));
    free(text);
}

TEST(a_path_tells_its_ellipse) {
    char *text = selected("orbits", "b,40_orbits,one,path_x_000,0.4,a,survey\n"
                                    "b,40_orbits,one,path_y_000,0,a,survey\n"
                                    "b,40_orbits,one,path_x_001,0.3,a,survey\n"
                                    "b,40_orbits,one,path_y_001,0.1,a,survey\n");

    assert_non_null(strstr(text, "$rows << EOD\n0.4\t0\n0.3\t0.1\n\n\nEOD\n"));
    assert_non_null(strstr(text, "eccentricity = 1 - 0.4\n"));
    free(text);
}

TEST(a_ring_without_bodies_has_its_model) {
    char *text = selected("galaxy", "b,40_orbits,one,radius_00,0.5,a,survey\n"
                                    "b,40_orbits,one,model_disk_00,7,a,survey\n"
                                    "b,40_orbits,one,radius_01,1.5,a,survey\n"
                                    "b,40_orbits,one,disk_01,6,a,survey\n"
                                    "b,40_orbits,moved,years,2e6,a,survey\n"
                                    "b,40_orbits,moved,disk_01,5,a,survey\n");

    /* And the same bodies later, in rings and shells of their own. */
    assert_non_null(strstr(text,
                           "$rows << EOD\n"
                           "0.5\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\t7\tNaN\tNaN\tNaN\tNaN\tNaN"
                           "\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\n"
                           "1.5\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN\t6\tNaN\tNaN\tNaN\tNaN\tNaN\tNaN"
                           "\tNaN\tNaN\tNaN\t5\tNaN\tNaN\n"));
    assert_non_null(strstr(text, "million_years = 2\n"));
    free(text);
}

TEST(without_a_survey_there_is_no_picture) {
    static const char *const names[] = {"orders", "energy", "orbits", "galaxy", "errors"};

    for (int i = 0; i < 5; i++) {
        char *text = selected(names[i], "b,40_orbits,one,ceiling_fma_1,1,1/s,ceiling\n");

        assert_string_equal(text, "");
        free(text);
    }
}

/* Those of a published record, each with its variants and what it is beside. */
TEST(they_are_drawn) {
    static const struct {
        const char *name, *phrase;
    } pictures[] = {{"orbits-30.svg", ">Kepler's ellipse<"},
                    {"energy-30.svg", ">leapfrog, not softened<"},
                    {"orders-30.svg", ">order 2<"}};

    if (system("command -v gnuplot >/dev/null"))
        skip();
    assert_int_equal(
        run("cp docs/results/two-cores/*.csv $D && cp -R steps/30_leapfrog $D/steps && "
            "$D/common/report/pictures/draw.sh $D/two-cores.csv $D/out"),
        0);
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        char path[64], *svg;

        snprintf(path, sizeof path, "out/%s", pictures[i].name);
        svg = read_text(path);
        assert_non_null(strstr(svg, pictures[i].phrase));
        assert_non_null(strstr(svg, "euler"));
        free(svg);
    }
    assert_int_equal(run("grep -c 'Pictures of this step' $D/out/report.html"), 0);
    assert_int_equal(run("grep -q 'Error of place against steps per orbit' $D/out/report.html"), 0);
}

GROUP(make_scratch, end_folder)
