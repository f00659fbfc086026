/* Which programs `bench` times by which clock on a GPU, which a library plays, and what `build`
 * compiles for it. In the tree of gpu_tree.h. */
#define OWN_MAIN
#include "testing.h"
#include "gpu_tree.h"

/* "256 1024": what was timed by the device's clock. */
static const char *variants_timed(const char *arguments) {
    static char text[256];
    char whole[256];
    struct row *rows;
    int count;

    snprintf(whole, sizeof whole, "bench --step 03 --clock device %s" BENCH, arguments);
    assert_int_equal(referee(whole, &rows, &count), 0);
    *text = 0;
    for (int i = 0; i < count; i++)
        sprintf(text + strlen(text), "%s%s", i ? " " : "", field(&rows[i], COLUMN_variant));
    free(rows);
    return text;
}

/* Other variants than the default are timed with the distribution that the manifest names, peers
 * with all; what is asked for is timed. */
TEST(test_variants_on_one_distribution) {
    setenv("DEVICE", "boasts_a_little", 1);
    setenv("TIMED", "256 1024 peer_cub", 1);
    assert_string_equal(variants_timed(""), "256 1024 peer_cub");
    assert_int_equal(system("echo 'variants_on = plummer' >>steps/03_cuda_naive/manifest"), 0);
    assert_string_equal(variants_timed(""), "256 peer_cub");
    assert_string_equal(variants_timed("--variant 1024"), "1024");
    assert_string_equal(variants_timed("--distribution soft_cube"), "256 1024 peer_cub");
    assert_int_equal(
        system("sed -i 's/^variants_on = .*/variants_on = soft_cube/' steps/03_*/manifest"), 0);
    assert_string_equal(variants_timed(""), "256 1024 peer_cub");
    unsetenv("TIMED");
    unsetenv("DEVICE");
}

/* Host to host a variant is timed if the device's clock does not time it, or if it is asked for. */
TEST(test_variants_by_the_device_alone) {
    static const struct {
        const char *problem, *arguments;
        int by_host;
    } cases[] = {{"nbody", "", 2},
                 {"nbody_masses", "", 1},
                 {"nbody_masses", "--clock referee", 2},
                 {"nbody_masses", "--variant 1024", 2}};
    char line[160];
    struct row *rows;
    int count;

    setenv("DEVICE", "boasts_a_little", 1);
    setenv("TIMED", "256 1024", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int by_host = 0;

        snprintf(line, sizeof line, "sed -i 's/^problem = .*/problem = %s/' steps/03_*/manifest",
                 cases[i].problem);
        assert_int_equal(system(line), 0);
        snprintf(line, sizeof line, "bench --step 03 %s" BENCH, cases[i].arguments);
        referee(line, &rows, &count); /* this player is wrong where bodies have masses */
        for (int k = 0; k < count; k++)
            by_host += !strcmp(field(&rows[k], COLUMN_step), "03_cuda_naive") &&
                       !strcmp(field(&rows[k], COLUMN_clock), "referee");
        assert_int_equal(by_host, cases[i].by_host);
        free(rows);
    }
    assert_int_equal(system("sed -i 's/^problem = .*/problem = nbody/' steps/03_*/manifest"), 0);
    unsetenv("TIMED");
    unsetenv("DEVICE");
}

/* For the GPU alone it builds all that bench times. */
TEST(test_build_for_the_gpu) {
    static const char *const programs[] = {"256\tcuda", "1024\tcuda", "256\tdevice"};
    char *players, command[PATH_MAX + 64];

    setenv("DEVICE", "honest", 1);
    snprintf(command, sizeof command, "%s/referee build --step 04 --of solutions --backend cuda",
             built);
    assert_int_equal(system(command), 0);
    assert_non_null(players = read_file("build/solutions/04_soa/players.tsv", NULL));
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        assert_non_null(strstr(players, programs[i]));
    free(players);
    assert_int_equal(system("grep -rl without_tiling build >found"), 0);
    unsetenv("DEVICE");
}

int main(int argc, char **argv) {
    (void)argc;
    play_tree(argv);
    return run_listed(enter_tree, end_folder);
}
