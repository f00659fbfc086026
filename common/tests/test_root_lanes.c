/* How many floats a step in C takes roots of at a time, as its machine code tells. */
#include "testing.h"
#include "files.h"
#include "referee/build/programs.h"
#include "referee/judge/root_lanes.h"
#include "catalogue_of_steps.h"

TEST(test_lines) {
    static const struct {
        const char *line;
        int lanes;
    } all[] = {
        {"    31e5:\tvrsqrt14ps %zmm0,%zmm5", 16},
        {"    31e5:\tvrsqrtps %ymm3,%ymm0", 8},
        {"    31e5:\tvsqrtps %ymm3,%ymm0", 8},
        {"    31e5:\tvrsqrt14ps %xmm0,%xmm5", 4},
        {"    31e5:\tsqrtps %xmm0,%xmm5", 4},
        {"    31e5:\tsqrtss 0x10(%rsp),%xmm5", 1},
        {"    31e5:\tvrsqrt14ss %xmm0,%xmm5,%xmm5", 1},
        {"    31e5:\tvsqrtsd %xmm0,%xmm5,%xmm5", 0}, /* of doubles */
        {"    31e5:\tvmulps %zmm0,%zmm5,%zmm5", 0},
        {"    31e5:\tcall 1040 <sqrtf@plt>", 0},
        {"00000000000031e0 <vsqrtps>:", 0},
        {"    31e5:\tfsqrt\tv0.4s, v1.4s", 4},
        {"    31e5:\tfrsqrte\tv0.2s, v1.2s", 2},
        {"    31e5:\tfsqrt\tz0.s, p0/m, z1.s", 4},
        {"    31e5:\tfsqrt\ts0, s1", 1},
        {"", 0},
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (root_lanes_of(all[i].line) != all[i].lanes)
            fail_msg("\"%s\" takes %d roots, not %d", all[i].line, root_lanes_of(all[i].line),
                     all[i].lanes);
}

static int lanes_of(const char *step, const char *variant) {
    static struct programs programs;
    const struct options options = {.of = "solutions"};
    const struct program *program;

    assert_int_equal(programs_choose(&programs, catalogue_find(&catalogue, step), &options, 1), 0);
    assert_int_equal(programs_build(&programs, "plain", variant), 0);
    assert_non_null(program = programs_find(&programs, variant, "plain"));
    return root_lanes(program->path);
}

TEST(test_programs) {
    if (system("objdump --version >build/tests/objdump 2>&1"))
        skip();
    assert_int_equal(lanes_of("02_openmp", "static"), 1);
#ifdef __x86_64__
    assert_int_equal(lanes_of("13_cpu_simd", "chosen"), 16);
    assert_int_equal(lanes_of("13_cpu_simd", "avx2"), 8);
#else
    assert_true(lanes_of("13_cpu_simd", "chosen") >= 4);
#endif
    assert_int_equal(root_lanes("build/tests/no_program"), 0);
}

/* The solution of a step whose bodies have no masses. What does not compile for other reasons is
 * told as ever. */
TEST(test_another_problem) {
    static const char path[] = "build/tests/handed_in/masses.c";
    static struct programs programs;
    struct options options = {.file = "solutions/02_openmp/nbody.c"};
    const struct step *step = catalogue_find(&catalogue, "13_cpu_simd");

    assert_int_equal(programs_choose(&programs, step, &options, 0), 0);
    assert_int_equal(programs_build(&programs, "plain", NULL), OUTCOME_COMPILE);
    assert_string_equal(programs.error, ""); /* the compiler's words are no help */
    mkdir("build/tests/handed_in", 0777);
    write_file(path, "#include \"lanes.h\" // it has the function\nint x = y;\n");
    options.file = path;
    assert_int_equal(programs_choose(&programs, step, &options, 0), 0);
    assert_int_equal(programs_build(&programs, "plain", NULL), OUTCOME_COMPILE);
    assert_non_null(strstr(programs.error, "masses.c:2"));
}

GROUP(read_catalogue, NULL)
