/* `bench` and `run` of steps in CUDA C, with and without a GPU, which a library plays. In a tree of
 * its own, whose steps are all one player of tests/players. */
#define OWN_MAIN
#include "testing.h"
#include "gpu_tree.h"

static const enum column speed[] = {COLUMN_seconds_median, COLUMN_seconds_min, COLUMN_rate_gps,
                                    COLUMN_iterations,     COLUMN_repeats,     COLUMN_clock};
static const enum column limits[] = {COLUMN_limit_name, COLUMN_limit_gps, COLUMN_limit_share};
static const enum column speedups[] = {COLUMN_speedup_serial, COLUMN_speedup_previous};
static const enum column errors[] = {COLUMN_error_l2, COLUMN_error_p99, COLUMN_error_max,
                                     COLUMN_first_wrong_decimal, COLUMN_decimals};
static const enum column device[] = {COLUMN_sm_mhz, COLUMN_energy_j};

/* A step, what it builds on, and the root; nothing between, and errors of what was asked only. This
 * session has a trusted program, which it checks first; the others save the seconds of that. */
TEST(test_one_step_with_a_gpu) {
    char honest[PATH_MAX + 32];
    const struct row *row;
    struct row *rows;
    char *facts;
    int count;

    snprintf(honest, sizeof honest, "%s/tests/players/honest", built);
    assert_int_equal(symlink(honest, "build/trusted_nbody"), 0);
    assert_int_equal(referee("bench --step 04" BENCH, &rows, &count), 0);
    assert_int_equal(unlink("build/trusted_nbody"), 0);
    assert_int_equal(count, 4);
    assert_non_null(row = find(rows, count, "01_serial", "O3"));
    assert_string_equal(field(row, COLUMN_backend), "cpu");
    EMPTY(row, errors);
    EMPTY(row, device);
    assert_non_null(row = find(rows, count, "03_cuda_naive", "256"));
    EMPTY(row, errors);
    assert_non_null(row = find(rows, count, "04_soa", "256"));
    assert_string_equal(field(row, COLUMN_backend), "cuda");
    assert_string_equal(field(row, COLUMN_gpu), "NVIDIA One PCIe");
    assert_string_equal(field(row, COLUMN_sm_mhz), "1980");
    FILLED(row, speed);
    FILLED(row, speedups);
    FILLED(row, errors);
    assert_string_equal(field(row, COLUMN_energy_j), ""); /* too short for its counter */
    /* 1e12 lanes for 37 slots. */
    assert_string_equal(field(row, COLUMN_limit_name), "gpu_issue");
    assert_string_equal(field(row, COLUMN_limit_gps), "27.027");
    assert_non_null(row = find(rows, count, "04_soa", "1024"));
    FILLED(row, speed);
    assert_string_equal(field(row, COLUMN_speedup_previous), "");
    free(rows);
    assert_non_null(facts = read_file("results/pc-facts.csv", NULL));
    assert_non_null(strstr(facts, ",,,ceiling_gpu_mufu,1e+12,lanes/s,measured\n"));
    assert_non_null(strstr(facts, ",,,ceiling_fma_1,"));
    assert_non_null(strstr(facts, ",,,copy_out_pinned_67108864,1e+09,B/s,measured\n"));
    assert_non_null(strstr(facts, ",,,ceiling_gpu_copy_in_pinned,1e+10,B/s,measured\n"));
    assert_non_null(strstr(facts, ",,,l2_bytes,6.29146e+07,B,measured\n"));
    free(facts);
}

/* The first step on the GPU is compared with the last one on the CPU. */
TEST(test_ladder_with_a_gpu) {
    struct row *rows;
    int count;

    assert_int_equal(referee("ladder" BENCH, &rows, &count), 0);
    assert_int_equal(count, 4); /* the defaults */
    FILLED(find(rows, count, "03_cuda_naive", "256"), speedups);
    FILLED(find(rows, count, "04_soa", "256"), speedups);
    FILLED(find(rows, count, "01_serial", "O3"), errors);
    free(rows);
}

static int is_of(const struct row *row, const struct row *other) {
    return !strcmp(field(row, COLUMN_step), field(other, COLUMN_step)) &&
           !strcmp(field(row, COLUMN_variant), field(other, COLUMN_variant));
}

/* "01_serial O3 30000 65536, 02_openmp static 30000": where each program was measured. */
static const char *sizes_of(const struct row *rows, int count) {
    static char text[1024];
    int i, j;

    *text = 0;
    for (i = 0; i < count; i++) {
        for (j = 0; !is_of(&rows[i], &rows[j]); j++)
            ;
        if (j < i)
            continue;
        sprintf(text + strlen(text), "%s%s %s", i ? ", " : "", field(&rows[i], COLUMN_step),
                field(&rows[i], COLUMN_variant));
        for (; j < count; j++)
            if (is_of(&rows[i], &rows[j]))
                sprintf(text + strlen(text), " %s", field(&rows[j], COLUMN_n));
    }
    return text;
}

#define THREE " 30000 65536 131072"
#define MANY  " 1024 2048 4096 8192 16384 30000 32768 65536 131072 262144 524288 1048576"

/* Of programs that fail at once, so that large sizes cost nothing. The rate over n is that of the
 * ladder's end, its default variant, in `make bench`. */
TEST(test_sizes) {
    static const struct {
        const char *arguments, *sizes;
    } cases[] = {
        {"bench --step 04",
         "04_soa 256" MANY ", 01_serial O3 30000, 03_cuda_naive 256" THREE ", 04_soa 1024" THREE},
        {"bench --step 04 --variant 1024",
         "01_serial O3 30000, 03_cuda_naive 256" THREE ", 04_soa 256" THREE ", 04_soa 1024" THREE},
        {"ladder", "01_serial O3 30000, 02_openmp static 30000, 03_cuda_naive 256" THREE
                   ", 04_soa 256" THREE},
    };
    char arguments[128];
    struct row *rows;
    int count;

    setenv("PLAYER", "no_simulation", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(arguments, sizeof arguments, "%s --machine pc --results results",
                 cases[i].arguments);
        assert_int_equal(referee(arguments, &rows, &count), OUTCOME_OWN_ERROR);
        assert_string_equal(sizes_of(rows, count), cases[i].sizes);
        free(rows);
    }
    setenv("PLAYER", "honest", 1);
}

/* A companion is timed only where something is compared with it: with masses there is no 65536. */
TEST(test_sizes_of_a_companion) {
    struct row *rows;
    int count;

    assert_int_equal(system("sed -i.was 's/= nbody$/= nbody_masses/' steps/04_soa/manifest && "
                            "! cmp -s steps/04_soa/manifest steps/04_soa/manifest.was"),
                     0);
    setenv("PLAYER", "no_simulation", 1);
    assert_int_equal(
        referee("bench --step 04 --variant 1024 --machine pc --results results", &rows, &count),
        OUTCOME_OWN_ERROR);
    assert_string_equal(sizes_of(rows, count),
                        "01_serial O3 30000, 03_cuda_naive 256 30000 131072, "
                        "04_soa 256 30000 131072, 04_soa 1024 30000 131072");
    setenv("PLAYER", "honest", 1);
    free(rows);
    rename("steps/04_soa/manifest.was", "steps/04_soa/manifest");
}

/* Leave one out: variants of a file of its own, which is a solution whoever's the step is. */
TEST(test_leave_one_out) {
    const struct row *row;
    struct row *rows;
    char *said;
    int count;

    write_file("mine.cu", "\n");
    assert_int_equal(referee("bench --step 04 --ablate 1 --file mine.cu" BENCH, &rows, &count), 0);
    assert_int_equal(count, 6);
    assert_non_null(row = find(rows, count, "04_soa", "256"));
    assert_string_equal(field(row, COLUMN_source), "student");
    assert_non_null(row = find(rows, count, "04_soa", "without_nothing"));
    assert_string_equal(field(row, COLUMN_speedup_previous), "");
    assert_non_null(row = find(rows, count, "04_soa", "without_tiling"));
    assert_string_equal(field(row, COLUMN_source), "solution");
    assert_string_equal(field(row, COLUMN_backend), "cuda");
    assert_int_equal(strncmp(field(row, COLUMN_verdict), "accepted", 8), 0); /* and marks */
    FILLED(row, speed);
    FILLED(row, errors);
    free(rows);
    /* Of the whole catalogue, the one step that has it. */
    assert_int_equal(referee("bench --ablate 1" BENCH, &rows, &count), 0);
    assert_non_null(find(rows, count, "04_soa", "without_tiling"));
    assert_null(find(rows, count, "03_cuda_naive", "without_tiling"));
    free(rows);
    setenv("LEFT_OUT", "", 1);
    assert_int_equal(referee("bench --step 04 --ablate 1" BENCH, NULL, NULL), OUTCOME_USAGE);
    said = read_file("err", NULL);
    assert_non_null(strstr(said, "steps/04_soa/manifest has no list `without`"));
    free(said);
    setenv("LEFT_OUT", "without_nothing without_tiling", 1);
}

/* What is there for the comparison runs three times if it takes long: alone after one warm-up, then
 * in turns without. What it is compared with keeps its ten. */
TEST(test_slow_companion) {
    const struct row *row;
    struct row *rows;
    size_t runs;
    int count;

    remove("sleeps");
    setenv("BEFORE", "sleeps", 1);
    assert_int_equal(
        referee("bench --step 04 --variant 256 --n 256 --iterations 1 --machine pc --results "
                "results",
                &rows, &count),
        0);
    unsetenv("BEFORE");
    assert_non_null(row = find(rows, count, "03_cuda_naive", "256"));
    assert_string_equal(field(row, COLUMN_repeats), "3");
    assert_non_null(row = find(rows, count, "04_soa", "256"));
    assert_string_equal(field(row, COLUMN_repeats), "10");
    FILLED(row, speedups);
    free(rows);
    free(read_file("sleeps", &runs));
    assert_int_equal(runs, 1 + 3 + 3);
}

TEST(test_companion_that_fails) {
    const struct row *row;
    struct row *rows;
    char *said;
    int count;

    setenv("BEFORE", "fails_in_company", 1);
    setenv("PLAYER", "is_company", 1);
    remove("results/pc.csv");
    assert_int_equal(referee_goes_on("bench --step 04 --variant 256" BENCH, &rows, &count),
                     OUTCOME_INCONCLUSIVE);
    unsetenv("BEFORE");
    setenv("PLAYER", "honest", 1);
    said = read_file("err", NULL);
    assert_non_null(strstr(
        said, "03_cuda_naive, variant 256, n = 256, failed when it was timed interleaved with "
              "04_soa: "));
    free(said);
    assert_non_null(row = find(rows, count, "04_soa", "256"));
    assert_string_equal(field(row, COLUMN_repeats), "10");
    assert_string_equal(field(row, COLUMN_speedup_previous), "");
    assert_int_equal(strncmp(field(row, COLUMN_verdict), "accepted", 8), 0);
    free(rows);
}

TEST(test_without_a_gpu) {
    const struct row *row;
    struct row *rows;
    int count;

    setenv("FAKE_GPUS", "0", 1);
    assert_int_equal(referee("bench --step 04" BENCH, &rows, &count), 0);
    assert_int_equal(count, 2);
    for (int i = 0; i < count; i++) {
        row = &rows[i];
        assert_string_equal(field(row, COLUMN_step), "04_soa");
        assert_string_equal(field(row, COLUMN_backend), "cpucuda");
        assert_string_equal(field(row, COLUMN_verdict), "accepted");
        FILLED(row, errors);
        EMPTY(row, speed);
        EMPTY(row, limits);
        EMPTY(row, speedups);
        EMPTY(row, device);
        assert_string_equal(field(row, COLUMN_gpu), "");
    }
    free(rows);
    assert_int_equal(referee("run --step 04", NULL, NULL), 0);
    char *out = read_file("out", NULL);
    assert_non_null(strstr(out, "backend cpucuda: n = 4096, output right"));
    assert_null(strstr(out, "G/s"));
    free(out);
    setenv("FAKE_GPUS", "1", 1);
}

/* `make record` asks whether a record is of this machine by comparing the two. */
TEST(rows_name_the_machine_as_it_is_printed) {
    static const char *const gpus[] = {"1", "0"};

    for (int i = 0; i < 2; i++) {
        char command[PATH_MAX + 128];

        setenv("FAKE_GPUS", gpus[i], 1);
        assert_int_equal(referee("bench --step 04" BENCH, NULL, NULL), 0);
        snprintf(command, sizeof command,
                 "%s/referee machine | sed -n 's/^recorded as *//p' >printed; "
                 "sed 1d results/pc.csv | cut -d, -f3-5 | sort -u | cmp - printed",
                 built);
        assert_int_equal(system(command), 0);
    }
    setenv("FAKE_GPUS", "1", 1);
}

/* Programs of the build `cuda` are for this GPU; others, or none where there is no nvcc, are not.
 */
TEST(test_run_with_a_gpu) {
    static const char *const builds[][2] = {{"cuda", "backend cuda"},
                                            {"compiled", "backend cpucuda"}};

    for (int i = 0; i < 2; i++) {
        char *out;

        setenv("FOR_GPU", builds[i][0], 1);
        assert_int_equal(referee("run --step 04 --n 256 --iterations 2", NULL, NULL), 0);
        out = read_file("out", NULL);
        assert_non_null(strstr(out, builds[i][1]));
        assert_int_equal(strstr(out, "G/s") != NULL, i == 0);
        free(out);
    }
    setenv("FOR_GPU", "cuda", 1);
}

/* They have a row of their own, whose time is the program's own word, and are not compared. */
TEST(test_kernel_only_forces) {
    struct row *rows;
    char *out;
    int count, found = 0;

    setenv("DEVICE", "boasts_a_little", 1);
    assert_int_equal(referee("bench --step 03" BENCH, &rows, &count), 0);
    for (int i = 0; i < count; i++) {
        if (strcmp(field(&rows[i], COLUMN_clock), "device"))
            continue;
        found++;
        assert_string_equal(field(&rows[i], COLUMN_distribution), "soft_cube");
        assert_string_equal(field(&rows[i], COLUMN_variant), "256");
        assert_string_equal(field(&rows[i], COLUMN_seconds_median), "1e-06");
        assert_string_equal(field(&rows[i], COLUMN_rate_gps), "65.536");
        EMPTY(&rows[i], speedups);
        FILLED(&rows[i], speed);
        FILLED(&rows[i], limits);
        assert_true(*field(&rows[i], COLUMN_error_l2));
        assert_string_equal(field(&rows[i], COLUMN_decimals), "");
    }
    assert_int_equal(found, 1);
    free(rows);
    out = read_file("out", NULL);
    assert_non_null(strstr(out, "\nkernel-only forces "));
    assert_non_null(strstr(out, "   1.3   1.7   2.0   2.5"));
    free(out);
    assert_int_equal(referee("bench --step 03 --distribution plummer" BENCH, &rows, &count), 0);
    for (int i = 0; i < count; i++) {
        assert_string_equal(field(&rows[i], COLUMN_distribution), "plummer");
        /* Of forces, not of what is left of them in a velocity many times as large. */
        if (!strcmp(field(&rows[i], COLUMN_clock), "device"))
            assert_true(atof(field(&rows[i], COLUMN_error_l2)) < 1e-6);
    }
    free(rows);
    assert_int_equal(referee("ladder" BENCH, &rows, &count), 0);
    for (int i = 0; i < count; i++)
        assert_string_equal(field(&rows[i], COLUMN_clock), "referee");
    free(rows);
    setenv("DEVICE", "boasts_and_wakes_up", 1); /* the errors are those of its first run */
    assert_int_equal(referee("bench --step 03 --clock device" BENCH, &rows, &count), 0);
    assert_int_equal(count, 1);
    assert_string_equal(field(rows, COLUMN_error_l2), "1");
    free(rows);
    setenv("DEVICE", "boasts_and_nods_off", 1); /* but later ones are checked, too */
    assert_int_equal(referee("bench --step 03 --clock device" BENCH, NULL, NULL),
                     OUTCOME_TIMED_OUTPUT);
    setenv("DEVICE", "honest", 1); /* which queues nothing */
    assert_int_equal(referee("bench --step 03" BENCH, NULL, NULL), OUTCOME_OWN_ERROR);
    unsetenv("DEVICE");
}

int main(int argc, char **argv) {
    (void)argc;
    play_tree(argv);
    return run_listed(enter_tree, end_folder);
}
