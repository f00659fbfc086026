/* What an interaction takes in machine code: common/report/tools/sass.awk on kernels of sass/, and
 * what common/report/tools/count_static.sh makes of them, with stand-ins for nvcc and cuobjdump. */
#include "testing.h"
#include "command.h"

#define COUNT "awk -v program='03 256 sm_90' -f common/report/tools/sass.awk"

static void assert_counts(const char *kernel, const char *counts) {
    struct result result = run(COUNT " common/tests/sass/%s.sass", kernel);

    assert_code(result, 0);
    assert_string_equal(result.out, counts);
}

/* Two interactions a turn, 18 instructions on the way that is always taken and 6 beside it, of
 * which one is padding; a loop of one interaction for the rest; a call's own root; padding at the
 * end. */
TEST(test_slow_root_left_out) {
    assert_counts("slow_root", "slots 9\nfma 3.5\nmufu 1\nldg 1\nrest 3.5\n");
}

/* Inside a loop over tiles one of pairs, which is left by a CALL with a condition; loads of all
 * widths; an instruction with a condition takes its slot. */
TEST(test_loop_left_by_call) {
    struct result result;

    assert_counts("leaves_by_call",
                  "slots 12\nfma 3\nhalf 1\nmufu 1\nlds_16 1\nlds_32 1\nlds_64 1\n"
                  "lds_128 1\nrest 3\n");
    /* One that stays in the loop is a second way round. */
    result = run("sed 's/NOINC 0x100/NOINC 0xf0/' common/tests/sass/leaves_by_call.sass | " COUNT);
    assert_code(result, 1);
    assert_says(result.err, "its loop over pairs has branches and no one path");
}

/* The kernel with more roots in its loop counts, wherever it stands. */
TEST(test_two_kernels) {
    static const char *const orders[] = {"slow_root leaves_by_call", "leaves_by_call slow_root"};
    int i;

    for (i = 0; i < 2; i++) {
        struct result result = run(
            "for kernel in %s; do cat common/tests/sass/$kernel.sass; done | " COUNT, orders[i]);

        assert_code(result, 0);
        assert_says(result.out, "slots 9\n");
    }
}

TEST(test_not_understood) {
    static const struct {
        const char *edit, *says;
    } cases[] = {
        {"s/CALL.REL.NOINC/MOV/", "its loop over pairs has branches and no one path"},
        {"s/MUFU.RSQ/MUFU.EX2/", "no loop takes square roots"},
        {"s/@P[24] BRA/    NOP/", "no loop takes square roots"},
        {"s/    MUFU.RSQ R8/@P0 MUFU.RSQ R8/", "a square root has a condition"},
        {"s/\\(01d0.* \\)FADD/\\1MUFU.RSQ/", "two loops take 2 roots per iteration"},
        {"s/BRA 0x30 /BRA 0x38 /", "there is no instruction where BRA 0x38 jumps to"},
        {"s/BRA 0x30 /BRA R2 /", "where BRA R2 jumps to is not an address"},
        {"s/STG.E/BRX/", "where BRX jumps to is not written there"},
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result result =
            run("sed '%s' common/tests/sass/slow_root.sass | " COUNT, cases[i].edit);

        assert_code(result, 1);
        assert_string_equal(result.out, "");
        assert_says(result.err, "sass.awk: 03 256 sm_90: ");
        assert_says(result.err, cases[i].says);
        assert_int_equal(count_lines(result.err), 1);
    }
}

static void write_tool(const char *path, const char *text) {
    write_file(path, text);
    chmod(path, 0755);
}

/* One step of two variants, four architectures. A step of another problem has no interactions. */
TEST(test_facts) {
    static const char command[] = "PATH=$PWD/build/tools:$PATH NVCC=nvcc common/report/tools/"
                                  "count_static.sh build/facts.csv";
    static const char before[] = "run,step,variant,name,value,unit,source\nr,,,ceiling,1,x,y\n";
    struct result result;
    char *facts;

    assert_int_equal(
        system("mkdir -p build/tools && "
               "rm $(grep -L '^source = .*\\.c$' steps/*/manifest | grep -v 05_tiling)"),
        0);
    write_manifests(".", "41_tree\tIII\treduce\treduce.cu\n");
    write_tool(
        "build/tools/nvcc",
        "#!/bin/sh\ncase $* in\n--version) echo 'release 13.0,' ;;\n"
        "--list-gpu-arch) for a in 75 80 86 89 90; do echo compute_$a; done ;;\n"
        "*) arguments=$*; while [ \"$1\" != -o ]; do shift; done; echo $arguments >\"$2\" ;;\n"
        "esac\n");
    /* Only the variant aos for sm_80 leaves its loop by a call. */
    write_tool("build/tools/cuobjdump",
               "#!/bin/sh\n[ \"$1\" = -sass ] || exit 1\nkernel=slow_root\n"
               "grep -q 'sm_80.*aos.cu' \"$2\" && kernel=leaves_by_call\n"
               "cat common/tests/sass/$kernel.sass\n");
    write_file("build/facts.csv", before);
    result = run("%s", command);
    assert_code(result, 0);
    assert_string_equal(result.out, "05_tiling\n");
    facts = read_file("build/facts.csv", NULL);
    assert_memory_equal(facts, before, strlen(before));
    assert_int_equal(count_lines(facts), 2 + 7 * 5 + 9);
    assert_says(facts, "\nr,05_tiling,soa,slots_sm_75,9,1/interaction,static SASS nvcc 13.0\n");
    assert_says(facts, "\nr,05_tiling,soa,fma_sm_80,3.5,1/interaction,static SASS nvcc 13.0\n");
    assert_says(facts, "\nr,05_tiling,aos,lds_128_sm_80,1,1/interaction,static SASS nvcc 13.0\n");
    assert_says(facts, "\nr,05_tiling,aos,slots_sm_90,9,1/interaction,static SASS nvcc 13.0\n");
    free(facts);

    /* A kernel that is not understood stops it, and nothing is written. */
    assert_int_equal(system("sed -i 's/MUFU.RSQ/NOP/' common/tests/sass/leaves_by_call.sass"), 0);
    write_file("build/facts.csv", before);
    result = run("%s", command);
    assert_int_not_equal(result.code, 0);
    assert_says(result.err, "sass.awk: 05_tiling aos sm_80: no loop takes square roots\n");
    facts = read_file("build/facts.csv", NULL);
    assert_string_equal(facts, before);
    free(facts);
}

GROUP(enter_tree, leave_tree)
