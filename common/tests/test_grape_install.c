/* The library of the GRAPE-6's interface as a new user has it: installed to a folder without root,
 * linked by pkg-config in both of its ways of calling, from C, C++ and Fortran. Run from the
 * repository's root. */
#include "testing.h"
#include "scratch.h"

#define BUILD(compiler, source, program)                                                           \
    "PKG_CONFIG_PATH=$D/prefix/lib/pkgconfig; export PKG_CONFIG_PATH; " compiler " -o $D/" program \
    " $D/" source " $(pkg-config --cflags --libs grape6)"

static int install(void **state) {
    return begin_folder(state) || run("make -s install PREFIX=$D/prefix NVCC=");
}

/* A file of the folder. */
static void write_client(const char *name, const char *text) {
    char path[160];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    write_file(path, text);
}

/* Said by the last command. */
static void assert_said(const char *right) {
    char *said = read_text("said");

    assert_string_equal(said, right);
    free(said);
}

/* The command, and what it said if it failed. */
static void do_it(const char *command) {
    if (run("%s", command))
        fail_msg("%s\n%s", command, read_text("said"));
}

/* Body 7 of mass 3 at (3, 4, 0) with velocity (0, 5, 0): r = 5, acc = 3 (3, 4, 0) / 125,
 * jerk = 3 ((0, 5, 0) - 3 * 20 / 25 (3, 4, 0)) / 125, pot = -3/5. */
#define RIGHT "0.072000 0.096000 -0.172800 -0.110400 -0.600000 7 1 7\n"

/* In the way of C, 20 lines. */
static const char client[] =
    "#include <grape6.h>\n"
    "#include <stdio.h>\n"
    "int main(void) {\n"
    "    double x[2][3] = {{3, 4, 0}, {0, 0, 0}}, v[2][3] = {{0, 5, 0}}, zero[3] = {0};\n"
    "    double acc[1][3], jerk[1][3], pot[1], h2[1] = {26};\n"
    "    int index[1] = {8}, nearest[1], count, list[2];\n"
    "    if (OPEN(0))\n"
    "        return 1;\n"
    "    SET_J_PARTICLE(0, 0, 7, 0, 0.125, 3, zero, zero, zero, v[0], x[0]);\n"
    "    SET_J_PARTICLE(0, 1, 8, 0, 0.125, 1, zero, zero, zero, v[1], x[1]);\n"
    "    SET_TI(0, 0);\n"
    "    FIRSTHALF(0, 2, 1, index, x + 1, v + 1, acc, jerk, pot, 0, h2);\n"
    "    if (LASTHALF2(0, 2, 1, index, x + 1, v + 1, 0, h2, acc, jerk, pot, nearest))\n"
    "        return 1;\n"
    "    if (g6_read_neighbour_list(0) || g6_get_neighbour_list(0, 0, 2, &count, list))\n"
    "        return 1;\n"
    "    printf(\"%f %f %f %f %f %d %d %d\\n\", acc[0][0], acc[0][1], jerk[0][0], jerk[0][1],\n"
    "           pot[0], nearest[0], count, list[0]);\n"
    "    return CLOSE(0);\n"
    "}\n";

#define G6                                                                                         \
    " -DOPEN=g6_open -DSET_J_PARTICLE=g6_set_j_particle -DSET_TI=g6_set_ti -DCLOSE=g6_close "      \
    "-DFIRSTHALF=g6calc_firsthalf -DLASTHALF2=g6calc_lasthalf2 "
#define KIRIN                                                                                      \
    " -DOPEN=GPU_open -DSET_J_PARTICLE=GPU_set_j_particle -DSET_TI=GPU_set_ti "                    \
    "-DCLOSE=GPU_close -DFIRSTHALF=GPUcalc_firsthalf -DLASTHALF2=GPUcalc_lasthalf2 "

TEST(a_client_in_20_lines) {
    write_client("client.c", client);
    do_it(BUILD("cc -Wall -Wextra -Werror" G6, "client.c", "client"));
    do_it("$D/client");
    assert_said(RIGHT);
    do_it("GRAPE6_PIPES=many $D/client");
    assert_said(
        "grape6: GRAPE6_PIPES=many is not a number from 1 to 1048576; 16384 are taken\n" RIGHT);
    do_it(BUILD("cc" KIRIN, "client.c", "client"));
    do_it("GRAPE6_PIPES=1 $D/client");
    assert_said(RIGHT);
    do_it("cp $D/client.c $D/client.cpp; " BUILD("g++ -Wall -Werror" G6, "client.cpp", "client"));
    do_it("$D/client");
    assert_said(RIGHT);
}

TEST(the_client_of_the_document) {
    do_it(
        "awk '/^```c$/ { shown = 1; next } /^```/ { shown = 0 } shown' docs/grape6.md >$D/shown.c");
    do_it(BUILD("cc -Wall -Wextra -Werror", "shown.c", "shown") " && $D/shown");
    assert_said("0.024 0.032, nearest 7\n");
    do_it("grep -qF \"$($D/shown)\" docs/grape6.md");
}

TEST(the_archive_needs_no_library_when_it_runs) {
    write_client("client.c", client);
    do_it("PKG_CONFIG_PATH=$D/prefix/lib/pkgconfig; export PKG_CONFIG_PATH; "
          "cc" G6 "-o $D/client $D/client.c $(pkg-config --cflags grape6) "
          "$D/prefix/lib/libgrape6.a $(pkg-config --static --libs grape6 | "
          "sed 's/-lgrape6//')");
    do_it("! ldd $D/client | grep grape6 && $D/client");
    assert_said(RIGHT);
}

/* All arguments by address, with declarations of the program's own, as Starlab has them. */
TEST(the_names_with_an_underscore) {
    write_client(
        "client.c",
        "#include <stdio.h>\n"
        "int PREFIX(open_)(int *), PREFIX(close_)(int *), PREFIX(npipes_)(void);\n"
        "int PREFIX(set_ti_)(int *, double *);\n"
        "int PREFIX(set_j_particle_)(int *, int *, int *, double *, double *, double *,\n"
        "    double a2by18[3], double a1by6[3], double aby2[3], double v[3], double x[3]);\n"
        "void CALC(firsthalf_)(int *, int *, int *, int index[], double xi[][3],\n"
        "    double vi[][3], double fold[][3], double jold[][3], double phiold[],\n"
        "    double *eps2, double h2[]);\n"
        "int CALC(lasthalf2_)(int *, int *, int *, int index[], double xi[][3],\n"
        "    double vi[][3], double *eps2, double h2[], double acc[][3],\n"
        "    double jerk[][3], double pot[], int nearest[]);\n"
        "int g6_read_neighbour_list_(int *);\n"
        "int g6_get_neighbour_list_(int *, int *, int *, int *, int list[]);\n"
        "int main(void) {\n"
        "    double x[2][3] = {{3, 4, 0}}, v[2][3] = {{0, 5, 0}}, zero[3] = {0}, t = 0;\n"
        "    double acc[1][3], jerk[1][3], pot[1], h2[1] = {26}, mass[2] = {3, 1};\n"
        "    int id = 5, nj = 2, ni = 1, index[2] = {7, 8}, nearest[1], count, list[2];\n"
        "    int wrong = PREFIX(open_)(&id) | (PREFIX(npipes_)() != 16384), pipe = 0;\n"
        "    for (int j = 0; j < 2; j++)\n"
        "        PREFIX(set_j_particle_)(&id, &j, index + j, &t, &t, mass + j, zero, zero,\n"
        "                                zero, v[j], x[j]);\n"
        "    PREFIX(set_ti_)(&id, &t);\n"
        "    CALC(firsthalf_)(&id, &nj, &ni, index + 1, x + 1, v + 1, acc, jerk, pot, &t, h2);\n"
        "    wrong |= CALC(lasthalf2_)(&id, &nj, &ni, index + 1, x + 1, v + 1, &t, h2, acc,\n"
        "                              jerk, pot, nearest);\n"
        "    wrong |= g6_read_neighbour_list_(&id);\n"
        "    wrong |= g6_get_neighbour_list_(&id, &pipe, &nj, &count, list);\n"
        "    printf(\"%f %f %f %f %f %d %d %d\\n\", acc[0][0], acc[0][1], jerk[0][0],\n"
        "           jerk[0][1], pot[0], nearest[0], count, list[0]);\n"
        "    return wrong | PREFIX(close_)(&id);\n"
        "}\n");
    do_it(
        BUILD("cc '-DPREFIX(name)=g6_##name' '-DCALC(name)=g6calc_##name'", "client.c", "client"));
    do_it("$D/client");
    assert_said(RIGHT);
    do_it(BUILD("cc '-DPREFIX(name)=GPU_##name' '-DCALC(name)=GPUcalc_##name'", "client.c",
                "client"));
    do_it("$D/client");
    assert_said(RIGHT);
}

TEST(a_client_in_fortran) {
    if (run("command -v gfortran")) {
        print_message("gfortran is not installed: the client in Fortran is left out\n");
        skip();
    }
    write_client(
        "client.f90",
        "program client\n"
        "  implicit none\n"
        "  integer, external :: g6_open, g6_set_j_particle, g6_set_ti, g6calc_lasthalf2\n"
        "  integer, external :: gpu_npipes, g6_close\n"
        "  integer :: j, code, nearest(1), index(2) = (/ 7, 8 /)\n"
        "  real(8) :: x(3, 2) = 0, v(3, 2) = 0, zero(3) = 0, mass(2) = (/ 3d0, 1d0 /)\n"
        "  real(8) :: acc(3, 1), jerk(3, 1), pot(1), h2(1) = 26\n"
        "  x(:, 1) = (/ 3d0, 4d0, 0d0 /)\n"
        "  v(2, 1) = 5\n"
        "  code = g6_open(0)\n"
        "  do j = 1, 2\n"
        "    code = code + g6_set_j_particle(0, j - 1, index(j), 0d0, 0d0, mass(j), zero, &\n"
        "                                    zero, zero, v(1, j), x(1, j))\n"
        "  end do\n"
        "  code = code + g6_set_ti(0, 0d0)\n"
        "  call g6calc_firsthalf(0, 2, 1, index(2), x(1, 2), v(1, 2), acc, jerk, pot, 0d0, h2)\n"
        "  code = code + g6calc_lasthalf2(0, 2, 1, index(2), x(1, 2), v(1, 2), 0d0, h2, acc, &\n"
        "                                 jerk, pot, nearest)\n"
        "  print '(5f10.6, 3i6)', acc(1:2, 1), jerk(1:2, 1), pot, nearest, code, gpu_npipes()\n"
        "  code = g6_close(0)\n"
        "end program\n");
    do_it(BUILD("gfortran", "client.f90", "client"));
    do_it("$D/client");
    assert_said("  0.072000  0.096000 -0.172800 -0.110400 -0.600000     7     0 16384\n");
}

/* The names that the header declares are those that the library shows, but for the small ones of
 * kirin for Fortran. */
TEST(every_function_is_there_and_nothing_else) {
    assert_int_equal(run("nm -D --defined-only $D/prefix/lib/libgrape6.so | "
                         "awk '$2 == \"T\" && $3 !~ /^gpu/ { print $3 }' | sort >$D/there && "
                         "grep -oE '\\b(g6|GPU)(calc)?_[a-z0-9_]+\\(' $D/prefix/include/grape6.h | "
                         "grep -v '()' | tr -d '(' | sort -u >$D/declared; "
                         "wc -l <$D/there && diff $D/there $D/declared"),
                     0);
    assert_said("81\n");
}

/* nvcc may be a script elsewhere, as from a module system: the runtime is not beside it. The link
 * of the library names a folder that has it, from which a program links. */
TEST(a_script_that_calls_nvcc) {
    if (run("command -v nvcc")) {
        print_message("nvcc is not installed: its runtime is not looked for\n");
        skip();
    }
    do_it("printf '#!/bin/sh\nexec %s \"$@\"\n' $(command -v nvcc) >$D/nvcc && chmod +x $D/nvcc");
    do_it("make -n -C common NVCC=$D/nvcc -W Makefile ../build/lib/libgrape6.so >$D/making");
    write_client("runs.c", "int cudaFree(void *); int main(void) { return cudaFree(0) && 0; }\n");
    do_it("cc -o $D/runs $D/runs.c -pthread "
          "$(sed -n '/soname/s/.*gpu[.]o//p' $D/making)");
}

/* What was made without nvcc is made anew when there is one, and the other way round. */
TEST(nvcc_comes_and_goes) {
#define MADE(nvcc)                                                                                 \
    "make -s -C common NVCC=" nvcc " BUILD=$D/build $D/build/lib/grape6.pc && "                    \
    "grep -c cudart_static $D/build/lib/grape6.pc"
    do_it("mkdir -p $D/build/common && cp -rp build/common/grape $D/build/common && "
          "printf '#!/bin/sh\ncase \"$*\" in *dryrun*) echo \"#$ LIBRARIES= -L/lib\" >&2 ;; "
          "*-o*) while [ \"$1\" != -o ]; do shift; done; : >$2 ;; esac\n' >$D/fake && "
          "chmod +x $D/fake");
    do_it("! { " MADE("") "; }");
    do_it(MADE("$D/fake"));
    do_it("! { " MADE("") "; }");
}

TEST(where_it_cannot_be_installed) {
    do_it("make -s install NVCC= 2>&1 | sed 1q");
    assert_said("error: install needs a folder, as in `make install PREFIX=$HOME/grape6`\n");
    do_it("make -s install PREFIX=/proc/nbody NVCC= 2>&1 | sed 1q");
    assert_said("error: PREFIX=/proc/nbody cannot be written; name a folder of your own\n");
    do_it("make -s install PREFIX='a b' NVCC= 2>&1 | sed 1q");
    assert_said(
        "error: PREFIX=a b: a path without spaces and quotes is needed, which pkg-config can "
        "read\n");
}

GROUP(install, end_folder)
