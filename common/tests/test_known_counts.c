/* The trace against counts known by hand, for each C++ compiler: the kernels of cpucuda/known.cu,
 * 32 warps each. The same kernels are held against a GPU's counters by
 * common/report/tools/count_known.sh. */
#include "testing.h"

static const char expected[] = "broadcast trace_global_loads 32\n"
                               "broadcast trace_global_sectors 32\n"
                               "column trace_shared_loads 32\n"
                               "column trace_shared_wavefronts 1024\n"
                               "four_floats trace_global_loads 32\n"
                               "four_floats trace_global_sectors 512\n"
                               "one_array trace_global_loads 32\n"
                               "one_array trace_global_sectors 128\n"
                               "padded_column trace_shared_loads 32\n"
                               "padded_column trace_shared_wavefronts 32\n"
                               "six_floats trace_global_loads 32\n"
                               "six_floats trace_global_sectors 768\n"
                               "three_floats trace_global_loads 96\n"
                               "three_floats trace_global_sectors 1152\n";

TEST(test_counts) {
    const char *const compilers[] = {"g++", "clang++"};
    char command[128], printed[4096];
    int i;

    for (i = 0; i < 2; i++) {
        FILE *pipe;

        snprintf(command, sizeof command, "command -v %s >/dev/null", compilers[i]);
        if (system(command))
            continue;
        /* Without ncu, which would add its own counts on a machine with a GPU. */
        snprintf(command, sizeof command, "COUNT_NCU= CXX=%s sh common/report/tools/count_known.sh",
                 compilers[i]);
        assert_non_null(pipe = popen(command, "r"));
        printed[fread(printed, 1, sizeof printed - 1, pipe)] = 0;
        assert_int_equal(pclose(pipe), 0);
        assert_string_equal(printed, expected);
    }
}
